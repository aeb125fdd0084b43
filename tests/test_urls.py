"""Addresses: the tables of `urls.yaml`, and properties that hold for every string."""

from __future__ import annotations

import html
import re
import sys
import unicodedata
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.common.normalize_url import normalizeLink

from mdit_citations import urls
from mdit_citations.urls import canonical, linkable, same_page, site
from mdit_citations.written import find_urls, markdown_destination, redacted

CASES: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    (Path(__file__).parent / "fixtures/conformance/urls.yaml").read_text(encoding="utf-8")
)

# Pieces in which addresses go wrong, so that Hypothesis meets the cases that random text does not.
ODD_PARTS = """
    https:// http:// HTTPS:// // first.example www.youtube.com youtu.be arxiv.org www. xn-- [::1] user:secret@
    :443 :80 :99999 /abs/ /pdf/ 2401.12345v2 watch?v=abc utm_source=x ref=a token=s #L10 :~:text= ß İ ． 。
    ? # : @ " < > \\
"""
ODD_TAILS = """
    a b1 / // . .. %41 %2f %zz % [ ] ( ) [1] | ` * _ __ ' & &amp; &copy; &#40; &copy { } ^ ~ $ ! ; = ü 雨
"""
PIECES = st.sampled_from((ODD_PARTS + ODD_TAILS).split()) | st.characters()
STRINGS = st.text() | st.lists(PIECES, max_size=12).map("".join)
HOSTS = st.sampled_from(
    [
        "first.example",
        "bücher.example",
        "BÜCHER.Example",
        "a_b.example.",
        "[2001:db8::1]",
        "10.0.0.1",
        "www.youtube.com",
    ]
)
TAILS = st.lists(st.sampled_from(ODD_TAILS.split()) | st.characters(), max_size=12).map("".join)
ADDRESSES = (
    st.tuples(
        st.sampled_from(["https://", "http://"]),
        HOSTS,
        st.sampled_from(["", ":8443"]),
        st.sampled_from("/?#"),
        TAILS,
    )
    .map("".join)
    .filter(linkable)
    .map(lambda address: linkable(address) or "")
)


@pytest.mark.parametrize("case", CASES["linkable"], ids=lambda case: ascii(case["url"]))
def test_linkable(case: dict[str, Any]) -> None:
    expected = case.get("href", case["url"]) if case["linkable"] else None
    assert linkable(case["url"]) == expected


@pytest.mark.parametrize(
    "case", CASES["canonical"], ids=lambda case: ascii(f"{case['a']} {case['b']}")
)
def test_same_page(case: dict[str, Any]) -> None:
    assert same_page(case["a"], case["b"]) is case["same"]
    assert same_page(case["b"], case["a"]) is case["same"]


@pytest.mark.parametrize("case", CASES["site"], ids=lambda case: ascii(case["url"]))
def test_site(case: dict[str, Any]) -> None:
    assert site(case["url"]) == case["site"]


@pytest.mark.parametrize("case", CASES["redacted"], ids=lambda case: ascii(case["url"]))
def test_redacted(case: dict[str, Any]) -> None:
    assert redacted(case["url"]) == case["shown"]


@pytest.mark.parametrize("case", CASES["find_urls"], ids=lambda case: ascii(case["text"]))
def test_find_urls(case: dict[str, Any]) -> None:
    assert [case["text"][start:end] for start, end in find_urls(case["text"])] == case["found"]


@pytest.mark.parametrize("case", CASES["markdown_destination"], ids=lambda case: ascii(case["url"]))
def test_markdown_destination(case: dict[str, Any]) -> None:
    if "written" in case:
        assert markdown_destination(case["url"]) == case["written"]
    assert_one_link(case["url"])


@given(ADDRESSES)
@example("https://first.example/)[x](https://evil.example")
def test_every_linkable_address_survives_markdown(url: str) -> None:
    assert_one_link(url)


@given(ADDRESSES)
def test_every_linkable_address_survives_python_markdown(url: str) -> None:
    markdown = pytest.importorskip("markdown")
    for extensions in ([], ["extra", "smarty"]):
        page = markdown.markdown(f"a [text]({markdown_destination(url)}) b", extensions=extensions)
        hrefs = re.findall(r'href="([^"]*)"', page)
        assert [normalizeLink(html.unescape(href)) for href in hrefs] == [normalizeLink(url)]
        assert page.endswith(">text</a> b</p>")


def assert_one_link(url: str) -> None:
    link = f"[text]({markdown_destination(url)})"
    parser = MarkdownIt("commonmark").enable("table")
    for page in (f"a {link} b", f"*a {link} b*", f"| h | i |\n| --- | --- |\n| a {link} b | c |\n"):
        tokens = [token for block in parser.parse(page) for token in block.children or ()]
        links = [token for token in tokens if token.type == "link_open"]
        assert [token.attrs for token in links] == [{"href": normalizeLink(url)}]
        text = "".join(token.content for token in tokens).replace(" ", "")
        assert text in {"atextb", "hiatextbc"}


@given(STRINGS)
@example("https://%%34%31.example/")
@example("https://first.example/%%34%31")
@example("https://first.example/a//../b/./")
@example("https://ｘn--bcher-kva.example/")
def test_canonical_is_idempotent(url: str) -> None:
    assert canonical(canonical(url)) == canonical(url)


@given(ADDRESSES)
def test_canonical_equals_that_of_the_rendered_address(url: str) -> None:
    assert same_page(normalizeLink(url), url)


@given(STRINGS | ADDRESSES)
@example("https://[::1")
@example("https://first.example:٣/")
@example("https://xn--\ud800.example/")
def test_linked_is_what_every_parser_calls_an_http_address(url: str) -> None:
    href = linkable(url)
    assert href == urls._linkable_carefully(url.strip(urls.WHITE))
    if href is not None:
        parts = urlsplit(href)
        assert parts.scheme in {"http", "https"}
        assert parts.hostname
        assert parts.username is None
        assert parts.password is None
        assert parts.port is None or 0 <= parts.port <= 65535
        assert parts.geturl().lower() in {
            href.lower(),
            href.lower().rstrip("?#"),
            href.lower().replace("?#", "#"),
        }
        assert site(href)
        assert markdown_destination(href)


@given(STRINGS, STRINGS)
def test_nothing_raises(a: str, b: str) -> None:
    same_page(a, b)
    site(a)
    redacted(a)
    markdown_destination(a)
    previous = 0
    for start, end in find_urls(a):
        assert previous <= start < end <= len(a)
        previous = end


@given(st.sampled_from(["https://", "ftp://", "http:", "//", "https://[::1", "\\\\"]), TAILS)
def test_a_password_is_never_shown(scheme: str, tail: str) -> None:
    if scheme != "https://[::1":
        assert "hunter2" not in redacted(f"{scheme}user:hunter2@first.example/{tail}")
    assert "hunter2" not in redacted(f"{scheme}first.example/?a=b&Access_Token=hunter2&{tail}")


@given(ADDRESSES.filter(lambda url: not re.search(r"=|@|//.*//", url)))
def test_an_address_without_secrets_is_shown_as_written(url: str) -> None:
    assert redacted(url) == url


def test_forbidden_characters_are_those_of_unicode() -> None:
    bidirectional = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x061C, 0x200E, 0x200F}
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        forbidden = (
            unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp", "Zs"}
            or code in bidirectional
            or char in '\ufeff\ufffe\uffff<>"\\'
        )
        assert bool(urls.FORBIDDEN.match(char)) is forbidden, hex(code)
