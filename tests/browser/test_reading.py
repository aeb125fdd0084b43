"""What a reader sees and does, in a browser, in every host."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.browser.building import ASSETS, HOSTS, leave_out

pytestmark = pytest.mark.slow

EVERYWHERE = pytest.mark.parametrize(
    "host", [name for name in HOSTS if name not in {"previews", "tooltips"}]
)
DARK = pytest.mark.parametrize(
    "host", ["bare", "mkdocs", "material", "zensical", "furo", "pydata", "alabaster"]
)
PHONE = {"viewport": {"width": 375, "height": 667}, "has_touch": True, "is_mobile": True}
LINK = ".citation a.citation-link"
CARD = ".citation-card"
TITLE = "Gluten and time: a baker's notes on what happens in the dough while nobody looks"
ADDRESS = "https://www.bread.example/notes/gluten-and-time"

# Where the card is, as against the window, its marker and its content.
FIT = """() => {
  const card = document.querySelector(".citation-card"), link = card.previousElementSibling;
  const a = card.getBoundingClientRect(), b = link.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const box = [...card.querySelectorAll("*")].map((part) => part.getBoundingClientRect());
  return {
    inside: a.left >= 0 && a.top >= 0 && a.right <= clientWidth && a.bottom <= clientHeight,
    apart: a.bottom <= b.top || a.top >= b.bottom,
    near: Math.min(Math.abs(a.bottom - b.top), Math.abs(a.top - b.bottom)) < 12,
    whole: card.scrollWidth <= card.clientWidth && box.every((part) => part.right <= a.right + 1),
    roomy: card.scrollHeight > card.clientHeight || a.height < clientHeight,
    on_top: card.contains(document.elementFromPoint((a.left + a.right) / 2, a.top + 6)),
    seen: getComputedStyle(card).visibility === "visible" && a.width > 80 && a.height > 30,
    parts: card.innerText,
  };
}"""


def fits(page):
    """The card's text, once it is seen to be in its place."""
    fit = page.evaluate(FIT)
    parts = fit.pop("parts")
    assert all(fit.values()), (fit, parts)
    return parts


def cards(page):
    return page.locator(CARD).count()


def expect_cards(page, number):
    page.wait_for_function(
        "number => document.querySelectorAll('.citation-card').length === number", arg=number
    )


def hover(page, index):
    page.locator(LINK).nth(index).hover()
    expect_cards(page, 1)


def focus(page, index):
    """Focus as the keyboard gives it."""
    page.keyboard.press("Shift")
    page.locator(LINK).nth(index).evaluate("link => link.focus({ focusVisible: true })")
    expect_cards(page, 1)


@EVERYWHERE
def test_hover(visit, host):
    page = visit(host)
    link = page.locator(LINK).nth(1)
    title = link.get_attribute("title")
    assert title == f"{TITLE} – bread.example"
    # Not at once, for a pointer that only passes.
    assert link.evaluate("""link => {
      link.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));
      return !document.querySelector(".citation-card");
    }""")
    link.hover()
    expect_cards(page, 1)
    lines = fits(page).split("\n")
    assert lines[0] == "bread.example"
    assert lines[1] == TITLE
    text = " ".join(lines)
    assert re.search(
        r"looks\s+Ada Miller, Ben Baker, The Baker's Quarterly, 2024-05-01 \(accessed", text
    )
    assert "A dough that has risen for too long" in text
    assert "↩" not in text
    assert lines[-1] == "Sources [1]"
    hrefs = [a.get_attribute("href") for a in page.locator(f"{CARD} a:visible").all()]
    assert hrefs == [ADDRESS, "https://archive.example/2025/gluten-and-time", "#cite_source_1"]
    assert not link.get_attribute("title")
    assert link.get_attribute("aria-description") == title
    page.locator(f"{CARD}-title").hover()
    page.wait_for_timeout(400)
    assert cards(page) == 1
    page.mouse.move(2, 2)
    expect_cards(page, 0)
    assert link.get_attribute("title") == title
    assert link.get_attribute("aria-description") is None


@EVERYWHERE
@pytest.mark.parametrize("width", [1000, 360])
def test_a_card_is_below_its_line_where_there_is_room(visit, host, width):
    below = """() => {
      const card = document.querySelector(".citation-card"), link = card.previousElementSibling;
      return card.getBoundingClientRect().top >= link.getBoundingClientRect().bottom;
    }"""
    page = visit(host, viewport={"width": width, "height": 1000})
    end = page.locator(LINK).nth(2).evaluate("link => link.getBoundingClientRect().bottom")
    page.set_viewport_size({"width": width, "height": int(end) + 400})
    focus(page, 2)
    fits(page)
    assert page.evaluate(below)
    page.keyboard.press("Escape")
    end = page.locator(LINK).nth(3).evaluate("link => link.getBoundingClientRect().bottom")
    page.set_viewport_size({"width": width, "height": int(end) + 50})
    focus(page, 3)
    fits(page)
    assert not page.evaluate(below)


def test_a_long_quote_is_cut_in_the_card_and_whole_in_the_list(visit):
    page = visit("bare", viewport={"width": 360, "height": 640})
    page.evaluate(
        "document.querySelector('#cite_source_6 .source-quote').textContent = 'Rain or snow. '.repeat(60)"
    )
    focus(page, 7)
    fits(page)
    lines = """quote => {
      const { height } = quote.getBoundingClientRect();
      return [height / parseFloat(getComputedStyle(quote).lineHeight), quote.scrollHeight - height];
    }"""
    high, hidden = page.locator(f"{CARD} .source-quote").evaluate(lines)
    assert high < 5
    assert hidden > 100
    high, hidden = page.locator("#cite_source_6 .source-quote").evaluate(lines)
    assert high > 12
    # Where even that is more than the window holds, the link to the list stays in sight.
    page.set_viewport_size({"width": 320, "height": 256})
    focus(page, 1)
    card = page.locator(CARD)
    assert card.evaluate("card => card.scrollHeight > card.clientHeight + 20")
    for top in (0, 30, 1000):
        seen = card.evaluate(
            """(card, top) => {
          card.scrollTop = top;
          const { left, top: y, bottom, height } = card.lastElementChild.getBoundingClientRect();
          const under = document.elementFromPoint(left + 5, (y + bottom) / 2);
          return under === card.lastElementChild && height >= 24 &&
            Math.abs(bottom - card.getBoundingClientRect().bottom) < 1;
        }""",
            top,
        )
        assert seen, top


@EVERYWHERE
def test_the_title_of_a_book_is_no_link(visit, host):
    page = visit(host)
    hover(page, 3)
    assert fits(page).startswith("The Book of Loaves")
    hrefs = [a.get_attribute("href") for a in page.locator(f"{CARD} a:visible").all()]
    assert hrefs == ["#cite_source_3"]


@EVERYWHERE
def test_the_list_is_laid_out_in_lines(visit, host):
    page = visit(host, viewport={"width": 360, "height": 640})
    # A quote begins a line.
    assert page.evaluate("""() => {
      const left = (node) => {
        const range = document.createRange();
        range.setStart(node.firstChild, 0);
        range.setEnd(node.firstChild, 1);
        return range.getBoundingClientRect().left;
      };
      const one = document.querySelector("#cite_source_6");
      return left(one.querySelector(".source-quote")) - left(one.querySelector(".source-title"));
    }""") == pytest.approx(5, abs=6)
    # An arrow hangs behind a full line, unless not even the space before it has room there.
    alone = page.evaluate("""() => {
      const one = document.querySelector("#cite_source_5"), title = one.querySelector(".source-title");
      const arrow = one.querySelector("[role=doc-backlink]"), alone = [];
      for (let count = 1; count < 80; count += 1) {
        title.textContent = "word " + "i".repeat(count % 7 + 1) + " by".repeat(count);
        const last = [...title.getClientRects()].at(-1), box = arrow.getBoundingClientRect();
        if (Math.abs((box.top + box.bottom) - (last.top + last.bottom)) > 16) alone.push(count);
        if (box.right > document.documentElement.clientWidth) alone.push("wide");
      }
      return alone;
    }""")
    assert "wide" not in alone
    assert len(alone) < 6, alone
    # One arrow and several letters: all of it is a link of the same colour.
    group = page.locator("#cite_source_2 .source-back-links")
    assert group.evaluate("""group => {
      const arrow = getComputedStyle(group.firstElementChild, "::before");
      return [group.matches(".source-back-links") && getComputedStyle(group, "::before").content,
        arrow.content.includes("\u21a9"), arrow.color === getComputedStyle(group.children[1]).color];
    }""") == ["none", True, True]


@EVERYWHERE
def test_each_number_of_a_run_has_its_card_and_there_is_one_at_a_time(visit, host):
    page = visit(host)
    for index, title in ((4, TITLE), (5, "Proofing by temperature"), (6, "The Book of Loaves")):
        page.locator(LINK).nth(index).hover()
        page.wait_for_function(
            "t => document.querySelector('.citation-card')?.innerText.includes(t)", arg=title
        )
        assert cards(page) == 1
        fits(page)
    page.mouse.move(2, 2)
    expect_cards(page, 0)
    assert all(link.get_attribute("title") for link in page.locator(LINK).all())


@EVERYWHERE
def test_keyboard(visit, host):
    page = visit(host)
    active = "document.activeElement.className + document.activeElement.textContent"
    focus(page, 4)
    fits(page)
    page.keyboard.press("Escape")
    expect_cards(page, 0)
    assert page.evaluate(f"{active}").endswith("1")
    focus(page, 5)
    page.keyboard.press("Tab")
    assert "citation-card-title" in page.evaluate(active)
    style = "getComputedStyle(document.activeElement)"
    assert page.evaluate(f"{style}.outlineStyle") != "none"
    page.keyboard.press("Tab")
    assert "citation-card-list" in page.evaluate(active)
    page.keyboard.press("Escape")
    expect_cards(page, 0)
    assert page.evaluate(active).endswith("2")
    page.keyboard.press("Tab")
    expect_cards(page, 1)
    assert "The Book of Loaves" in fits(page)
    page.keyboard.press("Shift+Tab")
    page.wait_for_function(
        "document.querySelector('.citation-card')?.innerText.includes('Proofing')"
    )
    page.mouse.move(3, 3)
    page.wait_for_timeout(500)
    assert cards(page) == 1
    page.mouse.click(3, 690)
    expect_cards(page, 0)


@EVERYWHERE
def test_tap(visit, host):
    page = visit(host, **PHONE)
    link = page.locator(LINK).nth(1)
    address = page.url
    link.tap()
    expect_cards(page, 1)
    assert TITLE in fits(page)
    page.touchscreen.tap(2, 650)
    expect_cards(page, 0)
    assert page.url == address
    link.tap()
    expect_cards(page, 1)
    for part in page.locator(f"{CARD}-title, {CARD}-list").all():
        assert part.bounding_box()["height"] >= 24
    link.tap()
    page.wait_for_url(ADDRESS)


@EVERYWHERE
def test_targets_of_24_pixels_move_no_text(visit, host):
    where = """() => [...document.querySelectorAll(".citation")].map((sup) => {
      const range = document.createRange(), after = sup.nextSibling;
      range.selectNodeContents(after ?? sup.parentNode);
      const { left, top } = (range.getClientRects()[0] ?? sup.getBoundingClientRect());
      return after ? [Math.round(left), Math.round(top)] : null;
    })"""
    phone = visit(host, **PHONE)
    size = {"viewport": PHONE["viewport"], "is_mobile": True}
    for mine, other in zip(phone.evaluate(where), visit(host, **size).evaluate(where), strict=True):
        # Parts of pixels are rounded.
        assert mine == (other and pytest.approx(other, abs=1))
    for link in phone.locator(LINK).all():
        box = link.bounding_box()
        assert box["width"] >= 24, box
        assert box["height"] >= 24, box
    # The ring of the focus is not for the neighbours.
    focus(phone, 5)
    assert phone.locator(LINK).nth(5).bounding_box()["width"] < 16
    for link in phone.locator(".sources :is(a.source-number, [role=doc-backlink])").all():
        box = link.bounding_box()
        assert box["width"] >= 24, box
        assert box["height"] >= 23.9, box


@EVERYWHERE
def test_a_tap_goes_to_the_number_that_is_nearest(visit, host):
    page = visit(host, **PHONE)
    run = page.locator(".citation:has(:nth-child(3))").first
    run.scroll_into_view_if_needed()
    numbers = run.evaluate("""run => [...run.querySelectorAll(".citation-link")].map((link) => {
      const range = document.createRange();
      range.selectNodeContents(link);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      return { number: link.textContent, left, right, y: (top + bottom) / 2 };
    })""")
    assert len(numbers) == 3
    first, last = numbers[0], numbers[-1]
    spots = [(first["number"], first["left"] - 6, first["y"])]
    for each in numbers:
        for x in (each["left"], (each["left"] + each["right"]) / 2, each["right"]):
            spots += [(each["number"], x, each["y"] + move) for move in (-10, 0, 10)]
    spots.append((last["number"], last["right"] + 16, last["y"]))
    for number, x, y in spots:
        hit = page.evaluate("at => document.elementFromPoint(...at)?.textContent", [x, y])
        assert hit == number, (number, x, y)
    for each in numbers:
        page.touchscreen.tap((each["left"] + each["right"]) / 2, each["y"])
        expect_cards(page, 1)
        assert fits(page).endswith(f"[{each['number']}]")
        page.touchscreen.tap(2, 650)
        expect_cards(page, 0)
    # Neither do superscripts that stand close to each other take each other's taps.
    assert page.evaluate(
        """selector => [...document.querySelectorAll(selector)].every((link) => {
      link.scrollIntoView({ block: "center", behavior: "instant" });
      const range = document.createRange();
      range.selectNodeContents(link);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === link;
    })""",
        LINK,
    )


@EVERYWHERE
@pytest.mark.parametrize("height", [700, 420])
def test_to_the_list_and_back(visit, host, height):
    page = visit(host, viewport={"width": 1000, "height": height})
    top = """selector => {
      const target = document.querySelector(":target");
      const { left, top } = (target ?? document.body).getBoundingClientRect();
      return target?.matches(selector) && target.contains(document.elementFromPoint(left + 3, top + 3));
    }"""
    hover(page, 1)
    page.locator(f"{CARD}-list").click()
    page.wait_for_function(top, arg="#cite_source_1")
    mark = "getComputedStyle(document.querySelector(':target')).backgroundColor"
    assert page.evaluate(mark) != "rgba(0, 0, 0, 0)"
    page.locator("#cite_source_6 [role=doc-backlink]").nth(1).click()
    page.wait_for_function(top, arg=".citation")
    assert page.evaluate(mark) != "rgba(0, 0, 0, 0)"


LUMINANCE = """([selector, property]) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  canvas.fillStyle = getComputedStyle(document.querySelector(selector))[property];
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b, alpha] = canvas.getImageData(0, 0, 1, 1).data;
  const linear = (c) => (c / 255 <= 0.04 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  return [0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b), alpha];
}"""


def luminance(page, selector, name):
    value, alpha = page.evaluate(LUMINANCE, [selector, name])
    return value, alpha


@DARK
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours(visit, host, scheme):
    if (host, scheme) == ("alabaster", "dark"):
        pytest.skip("the theme has no dark colours")
    page = visit(host, color_scheme=scheme)
    hover(page, 1)
    page.wait_for_timeout(300)
    ground, alpha = luminance(page, CARD, "backgroundColor")
    assert alpha == 255
    assert (ground > 0.5) == (scheme == "light")
    for part in (CARD, f"{CARD}-title", f"{CARD} p"):
        ink, _ = luminance(page, part, "color")
        high, low = max(ink, ground), min(ink, ground)
        # The link colour of Bootswatch's light theme falls short by itself.
        least = (
            2.7 if host == "mkdocs" and part.endswith("title") else 4.5 if host != "pydata" else 3
        )
        assert (high + 0.05) / (low + 0.05) >= least, part


def pdf_text(page, tmp_path):
    path = tmp_path / "page.pdf"
    page.pdf(path=str(path), format="A4")
    result = subprocess.run(
        ["pdftotext", "-layout", str(path), "-"], capture_output=True, text=True, check=True
    )
    return result.stdout


@EVERYWHERE
def test_print(visit, host, tmp_path):
    page = visit(host)
    hover(page, 1)
    text = " ".join(pdf_text(page, tmp_path).split())
    assert "copy) “A dough" in text
    listed = text[text.rindex("[1]") :]
    squeezed = listed.replace(" ", "")
    assert "↩" not in listed
    assert "+1" not in listed
    titles = ["Gluten and time", "Proofing by temperature", "A_title_that", "Sources that nobody"]
    addresses = [ADDRESS, "https://kitchen-lab.example/proofing-96", "https://long.example/aaaa"]
    for title, following, address in zip(titles, titles[1:], addresses, strict=False):
        start = squeezed.index(title.replace(" ", ""))
        end = squeezed.index(following.replace(" ", ""))
        assert start < squeezed.index(address) < end
    assert text.count(ADDRESS) == 1
    page.emulate_media(media="print")
    assert not page.locator(CARD).is_visible()
    assert page.evaluate("""() => [...document.querySelectorAll(".sources li")].every((entry) =>
      entry.firstElementChild.getBoundingClientRect().width <= entry.clientWidth + 1)""")


SIZES = {
    "phone": {"viewport": {"width": 320, "height": 568}},
    "200 %": {"viewport": {"width": 640, "height": 360}, "device_scale_factor": 2},
    "400 %": {"viewport": {"width": 320, "height": 256}, "device_scale_factor": 4},
}


@EVERYWHERE
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.parametrize("size", SIZES)
def test_every_card_fits(visit, host, size, direction):
    page = visit(host, "reader" if direction == "ltr" else "reader-rtl", **SIZES[size])
    page.evaluate("direction => { document.documentElement.dir = direction; }", direction)
    for index in range(page.locator(LINK).count()):
        link = page.locator(LINK).nth(index)
        if link.is_visible():
            link.evaluate("link => link.scrollIntoView({ block: 'center', behavior: 'instant' })")
            focus(page, index)
            fits(page)


@EVERYWHERE
@pytest.mark.parametrize("name", ["hostile", "reader"])
def test_narrow_pages_are_not_widened(visit, host, name):
    page = visit(host, name, viewport={"width": 320, "height": 568})
    wide = page.evaluate("""() => [...document.querySelectorAll(".sources *")]
      .filter((part) => part.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
      .map((part) => part.outerHTML.slice(0, 100))""")
    assert not wide


@EVERYWHERE
def test_lines_keep_their_height(visit, host):
    page = visit(host, "report")
    heights = """() => [...document.querySelectorAll("p")].filter((p) => p.querySelector(".citation"))
      .map((p) => {
        const line = parseFloat(getComputedStyle(p).lineHeight), marks = p.querySelectorAll(".citation");
        const before = p.getBoundingClientRect().height;
        marks.forEach((mark) => { mark.style.display = "none"; });
        const lines = (before - p.getBoundingClientRect().height) / line;
        marks.forEach((mark) => { mark.style.display = ""; });
        return Math.abs(lines - Math.round(lines)) * line;
      })"""
    found = page.evaluate(heights)
    assert len(found) > 12
    # Parts of pixels are rounded, line by line.
    assert max(found) < 1, found


@EVERYWHERE
def test_nothing_shifts(visit, host):
    page = visit(host)
    page.wait_for_timeout(600)
    before = page.evaluate("performance.now()")
    top = page.evaluate("document.documentElement.scrollHeight")
    for index in (1, 4, 5):
        hover(page, index)
        page.mouse.move(2, 2)
        expect_cards(page, 0)
    focus(page, 6)
    assert page.evaluate("document.documentElement.scrollHeight") == top
    page.keyboard.press("Escape")
    page.wait_for_timeout(300)
    shifts = page.evaluate("window.shifts")
    # What a theme does while it loads is its own affair.
    ours = [shift for shift in shifts if host == "bare" or shift["time"] > before]
    assert not ours, ours


@EVERYWHERE
@pytest.mark.parametrize("name", ["answer", "report", "hostile", "reader", "reader-rtl"])
def test_ids_and_axe(visit, host, name):
    path = os.environ.get("MDIT_CITATIONS_AXE")
    if not path:
        leave_out("MDIT_CITATIONS_AXE does not say where axe-core's axe.min.js is")
    page = visit(host, name)
    if page.locator(LINK).count():
        focus(page, 0)
        page.wait_for_timeout(200)
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((element) => element.id)")
    checked = ids if host == "bare" else [each for each in ids if "cite_" in each]
    assert len(checked) == len(set(checked))
    # Not as an element, which the bare page's policy forbids.
    page.evaluate(Path(path).read_text("utf-8"))
    found = page.evaluate("""() => axe.run({ include: [document.body] }, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      resultTypes: ["violations"],
    }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target, html, any }) => {
      const element = document.querySelector(target.at(-1));
      const ours = element?.closest(".citation, .sources, .citation-card");
      return { id, html: html.slice(0, 150), ours: !!ours, why: any[0]?.message };
    })))""")
    ours = [each for each in found if each["ours"]]
    if host != "bare":
        # A link has the theme's colour, and so the theme's contrast.
        ours = [each for each in ours if each["id"] not in {"color-contrast", "region"}]
    assert not ours, ours
    if host == "bare":
        # Long lines of code scroll, which Chromium lets the keyboard do.
        assert not [each for each in found if each["id"] != "scrollable-region-focusable"]


@EVERYWHERE
def test_without_the_script(visit, host):
    page = visit(host, java_script_enabled=False)
    link = page.locator(LINK).nth(1)
    assert link.get_attribute("title")
    link.hover()
    page.locator("#cite_source_1 [role=doc-backlink]").first.click()
    assert page.url.endswith("#fnref_cite_2")
    link.click()
    page.wait_for_url(ADDRESS)


def test_pages_that_come_and_go(visit):
    page = visit("material", "index")
    page.evaluate("window.same = true")
    page.locator("article >> text=Reader").click()
    page.wait_for_selector("#cite_source_1")
    assert page.evaluate("window.same")
    hover(page, 1)
    assert TITLE in fits(page)
    page.go_back()
    page.wait_for_selector("#cite_source_1", state="detached")
    page.mouse.move(300, 300)
    expect_cards(page, 0)


@pytest.mark.parametrize("host", ["previews", "tooltips"])
def test_gives_way_to_the_previews_of_a_theme(visit, host):
    page = visit(host)
    page.locator(LINK).nth(1).hover()
    page.wait_for_selector(".md-tooltip2--active", state="attached")
    page.wait_for_timeout(500)
    assert cards(page) == 0


@pytest.mark.parametrize("place", ["html", "p"])
def test_switched_off(visit, place):
    page = visit("bare")
    page.evaluate(
        "place => document.querySelectorAll(place).forEach((e) => { e.dataset.citationCards = 'off'; })",
        place,
    )
    page.locator(LINK).nth(1).hover()
    page.wait_for_timeout(500)
    assert cards(page) == 0
    page.locator(LINK).nth(0).hover()
    page.wait_for_timeout(500)
    assert cards(page) == (place == "p")


def test_preferences(visit):
    page = visit("bare", reduced_motion="reduce", forced_colors="active")
    hover(page, 1)
    assert page.evaluate(
        "getComputedStyle(document.querySelector('.citation-card')).animationName"
    ) == ("none")
    page.locator(f"{CARD}-list").click()
    style = page.evaluate(
        "[':target', '.citation-link'].map((s) => getComputedStyle(document.querySelector(s)).outlineStyle)"
    )
    assert style[0] == "solid"
    page = visit("bare", contrast="more")
    line = page.evaluate(
        "getComputedStyle(document.querySelector('.citation-link')).textDecorationLine"
    )
    assert line == "underline"


def test_scrolling(visit):
    page = visit("bare", viewport={"width": 900, "height": 400})
    focus(page, 1)
    gap = """[".citation-card", ":focus"]
      .map((selector) => document.querySelector(selector).getBoundingClientRect().top)
      .reduce((card, link) => card - link)"""
    before = page.evaluate(gap)
    page.evaluate("scrollBy(0, 60)")
    page.wait_for_timeout(300)
    assert page.evaluate("scrollY") > 40
    assert page.evaluate(gap) == pytest.approx(before, abs=1)
    assert not page.evaluate("window.shifts")


def test_provenance_is_data(visit):
    page = visit("bare", "hostile")
    text = page.locator("script[type='application/ld+json']").text_content()
    assert "</" not in text
    assert page.evaluate("text => JSON.parse(text)['@type']", text) == "WebPage"


@pytest.mark.parametrize("host", ["mkdocs", "material", "furo", "alabaster"])
def test_a_host_s_options_alone_suffice_and_no_policy_blocks_them(visit, host):
    page = visit(host)
    hover(page, 1)
    text = page.locator("script[type='application/ld+json']").text_content()
    (first, *_) = page.evaluate("text => JSON.parse(text).citation", text)
    assert first["name"] == TITLE
    # What a policy refuses are the scripts of the theme, and no others.
    inline = page.locator("script:not([src], [type$=json])").count()
    refused = page.evaluate("window.refusals")
    assert len([each for each in refused if each.startswith("script-src-elem inline")]) == inline


def test_sizes():
    assert len((ASSETS / "citations.css").read_bytes()) <= 6000
    assert len((ASSETS / "citations.js").read_bytes()) <= 4000


def test_nothing_in_line():
    html = (ASSETS.parent / "listing.py").read_text("utf-8")
    assert "style=" not in html
    script = (ASSETS / "citations.js").read_text("utf-8")
    assert not re.search(r"innerHTML|setAttribute\(.style|cssText|eval|console", script)
