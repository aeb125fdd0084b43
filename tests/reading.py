"""What a reader sees of a page's HTML, in the notation of ``fixtures/conformance``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bs4 import BeautifulSoup, Comment, NavigableString, Tag

BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "details",
        "dd",
        "div",
        "dl",
        "dt",
        "figcaption",
        "figure",
        "footer",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "html",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
_MARK = "\ue000"


@dataclass
class Reading:
    """One page, as its reader has it."""

    text: str
    """Blocks on lines of their own, white space folded, a superscript group written ``{1 3}``."""
    cited: list[int]
    """The numbers in superscripts, in reading order, each once."""
    hrefs: dict[int, set[str]]
    """Where the numbers in superscripts lead."""
    titles: list[str]
    """The entries of the list, each as its number and title."""
    entries: list[str]
    """The entries whole, but without back links."""
    entry_hrefs: list[str] = field(default_factory=list)
    """The addresses that the list links."""
    ids: list[str] = field(default_factory=list)


def read(html: str) -> Reading:
    """Read a page or a fragment of one."""
    soup = BeautifulSoup(html, "html.parser")
    ids = [str(tag["id"]) for tag in soup.find_all(id=True)]
    titles: list[str] = []
    entries: list[str] = []
    entry_hrefs: list[str] = []
    for section in soup.select(".sources[role=doc-bibliography]"):
        for back in section.select("[role=doc-backlink], .source-back-links"):
            back.decompose()
        for item in section.find_all("li"):
            entries.append(" ".join(item.get_text().split()))
            head = (item.select_one(".source-number"), item.select_one(".source-title"))
            titles.append(" ".join(" ".join(part.get_text() for part in head if part).split()))
            entry_hrefs += [str(link["href"]) for link in item.find_all("a")]
        section.decompose()
    cited: dict[int, None] = {}
    hrefs: dict[int, set[str]] = {}
    for sup in soup.select("sup.citation"):
        numbers = sup.get_text().split()
        assert numbers == [link.get_text() for link in sup.select(".citation-link")], str(sup)
        for link in sup.select(".citation-link"):
            cited.setdefault(int(link.get_text()))
            hrefs.setdefault(int(link.get_text()), set()).add(str(link.get("href", "")))
        sup.replace_with("{" + " ".join(numbers) + "}")
    return Reading(_text(soup), list(cited), hrefs, titles, entries, entry_hrefs, ids)


def _text(soup: BeautifulSoup) -> str:
    parts: list[str] = []

    def walk(node: Tag) -> None:
        for child in node.children:
            if isinstance(child, Comment):
                continue
            if isinstance(child, NavigableString):
                parts.append(str(child))
            elif isinstance(child, Tag):
                block = child.name in BLOCKS
                parts.append(_MARK if block else " " if child.name == "br" else "")
                walk(child)
                parts.append(_MARK if block else "")

    walk(soup)
    lines = ("".join(parts)).split(_MARK)
    folded = (re.sub(r"[ \t\n\r\f]+", " ", line).strip() for line in lines)
    return "\n".join(line for line in folded if line)
