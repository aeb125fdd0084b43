"""What holds for any text: with Python-Markdown bare, with its own extensions, and with pymdownx."""

from __future__ import annotations

import re
from typing import Any

import pytest

markdown = pytest.importorskip("markdown")
pytest.importorskip("pymdownx")

from hypothesis import HealthCheck, assume, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from mkdocs_citations import walk  # noqa: E402
from mkdocs_citations.extension import CitationsExtension  # noqa: E402
from tests.hosts.python_markdown_host import BARE, CONFIGS, PYMDOWNX, STANDARD  # noqa: E402

SETS = {"bare": BARE, "standard": STANDARD, "pymdownx": PYMDOWNX}
SOURCES = [f"https://source{number}.example/" for number in range(1, 10)]

MARKERS = [
    "[1]",
    "[^2]",
    "[1, 3]",
    "[1][2]",
    "[^1][^2]",
    "[1,\n3]",
    "[9]",
    "[12]",
    "[1, 99]",
    "[2024]",
]
PIECES = [
    *MARKERS, *MARKERS,
    "rain", "a", " ", "\n", "\n\n", ".", ",", ":", "!", "*", "**", "_", "~~", "^", "==", '"', "'", "--",
    "(", ")", "[", "]", "[]", "()", "(x)", "[x]", "[see ", "](https://else.example/)", '](u "t")',
    "`", "``", "`x[1]`", "```\n", "~~~\n", "    ", "\t", "- ", "1. ", "> ", "# ", "## ", "| ", "|---|---|\n",
    "<code>", "</code>", "<a href='x'>", "</a>", "<kbd>", "</kbd>", "<br>", '<span title="[1]">', "</span>",
    "<div>\n", "</div>\n", "<div markdown>\n", "<!-- ", " -->", "<https://else.example/a[1]>",
    "https://else.example/a[1]", "www.else.example", "![", "![alt](p.png)", "\\", "\\[1]", "&amp;", "&#91;",
    "!!! note\n    ", "??? note\n    ", '=== "Tab [1]"\n    ', "- [x] ", "++ctrl+1++", ":smile:", "$x[1]$",
    "{: .c}", "{.c}", "\x02", "\x03", "klzzwxh:0001", "wzxhzdk:1", "zq0", "zqx0", "é", "雨", "\u00a0",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
# Definitions change what the brackets around them are, so they are in the second kind only.
DEFINITIONS = [
    "\n\n[1]: https://source1.example/\n\n", "\n\n[2]: https://else.example/\n\n", "\n[x]: y\n",
    "\n\n[^1]: https://source1.example/\n\n", "\n\n[^2]: A remark.\n\n    More.\n\n", "[^3]: ", "[^n]",
    "[^n]: z\n",
    "\n*[rain]: water\n", "[SOURCES]", "\n\n[SOURCES]\n\n", "[TOC]",
]  # fmt: skip
ANY = st.lists(st.sampled_from(PIECES + DEFINITIONS), max_size=14).map("".join)
MANY = settings(suppress_health_check=list(HealthCheck))


def parser(kind: str, *ours: CitationsExtension) -> Any:
    extensions = [*SETS[kind], *ours]
    configs = {name: CONFIGS[name] for name in extensions if name in CONFIGS}
    return markdown.Markdown(extensions=extensions, extension_configs=configs)


def converted(md: Any, text: str) -> str:
    """The HTML, or ``!`` and the name of the exception that Python-Markdown raises by itself."""
    try:
        return str(md.convert(text))
    except Exception as error:  # noqa: BLE001 (whatever it is, we must not add one)
        return f"!{type(error).__name__}"


def host_cuts(plain: Any, text: str) -> bool:
    """Whether Python-Markdown leaves half of a placeholder where code stands in the place of each marker.

    It counts wrongly in ``[a]("![b](c)`d` ``, whose address ends two characters before the text.
    """
    code = re.sub(r"\[\^?[0-9][^\[\]]*\]", "`x`", text)
    return not {"\x02", "\x03"}.isdisjoint(converted(plain.reset(), code))


def without_ids(html: str) -> str:
    # A heading's id is made of its text, which has no markers any more.
    html = re.sub(r'(<h[1-6][^>]*) id="[^"]*"', r"\1", html)
    return re.sub(r'(<input [^>]*) id="[^"]*"|<label for="[^"]*"', "<label", html)


@pytest.fixture
def raw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Superscripts show the characters they were written with."""

    def superscript(self: Any, index: int) -> str:
        run = self.document.runs[index]
        self.citations.cite(run.numbers)
        return f"<sup-raw>{run.raw}</sup-raw>"

    monkeypatch.setattr(walk.Walk, "_superscript", superscript)


@pytest.mark.parametrize("kind", SETS)
@pytest.mark.usefixtures("raw")
def test_raw_text_put_back_is_the_plain_output(kind: str) -> None:
    plain = parser(kind)
    ours = parser(kind, CitationsExtension(sources=SOURCES, list=False))

    @MANY
    @given(TEXTS)
    def check(text: str) -> None:
        if kind == "pymdownx":
            # Between two carets it makes a superscript of what is no citation.
            text = text.replace("[^", "[")
        assume(not host_cuts(plain, text))
        expected = converted(plain.reset(), text)
        found = converted(ours.reset(), text)
        found = found.replace("<sup-raw>", "").replace("</sup-raw>", "")
        assert without_ids(found) == without_ids(expected)

    check()


@pytest.mark.parametrize("kind", SETS)
def test_without_sources_nothing_changes(kind: str) -> None:
    plain = parser(kind)
    ours = parser(kind, CitationsExtension())

    @MANY
    @given(ANY)
    def check(text: str) -> None:
        assert converted(ours.reset(), text) == converted(plain.reset(), text)

    check()


@pytest.mark.parametrize("kind", SETS)
def test_no_text_raises_and_no_token_is_left(kind: str) -> None:
    plain = parser(kind)
    ours = parser(kind, CitationsExtension(sources=SOURCES, ranges=True, lenticular=True))

    @MANY
    @given(ANY)
    def check(text: str) -> None:
        html = converted(ours.reset(), text)
        if html.startswith("!"):
            assert converted(plain.reset(), text) == html
        assert "\x02" not in html or host_cuts(plain, text)
        ids = re.findall(r'\sid="([^"]+)"', html)
        own = [name for name in ids if "cite" in name]
        assert len(set(own)) == len(own)

    check()


@pytest.mark.parametrize("kind", SETS)
def test_nothing_leaks_from_one_conversion_to_the_next(kind: str) -> None:
    front = "---\nsources:\n- https://source1.example/\n- https://source2.example/\n---\n\n"
    ours = parser(kind, CitationsExtension())

    @settings(MANY, max_examples=settings().max_examples // 4)
    @given(ANY, ANY, st.booleans(), st.booleans())
    def check(before: str, text: str, first: bool, second: bool) -> None:
        # Early versions of `abbr` forget nothing themselves.
        before, text = before.replace("*[", ""), text.replace("*[", "")
        converted(ours.reset(), front * first + before)
        found = converted(ours.reset(), front * second + text)
        assert found == converted(parser(kind, CitationsExtension()), front * second + text)

    check()
