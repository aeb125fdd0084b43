"""The walk through a page's elements on which tokens become superscripts or text.

It goes in reading order and knows what each text stands in, raw HTML included. In a heading or the label of a
tab, whose text other extensions read, a superscript is an element; elsewhere its HTML is kept for the
postprocessor, which is cheaper.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.util import ETX, STX, AtomicString

from mdit_citations.listing import link_attributes, superscript_html
from mdit_citations.markers import begins_line
from mdit_citations.raw_elements import count
from mkdocs_citations import raised, raw_html
from mkdocs_citations.brackets import SINGLE_LINES
from mkdocs_citations.document import Document, dressed
from mkdocs_citations.elements import element_of

_NOT_PROSE = frozenset({"a", "code", "kbd", "pre", "samp", "script", "style", "textarea"})
_READ_BY_OTHERS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "label"})


class _Reader(Enum):
    """Who else reads a text."""

    NOBODY = "nobody"
    LABEL = "label"
    HEADING = "heading"
    BARE_HEADING = "bare heading"
    """A heading without a word."""


def _is_ours(text: str) -> bool:
    """Whether there may be anything in a text for us."""
    return STX in text or "[" in text


class Walk:
    """One walk through a page, without recursion: a page may nest as deep as it likes."""

    def __init__(self, md: Markdown, document: Document) -> None:
        self.md = md
        self.document = document
        self.citations = document.citations
        self.attributes = link_attributes(document.options)
        self.unicode = document.options.superscript == "unicode"
        # One literal character first, or looking for it would be slow.
        self.pieces = re.compile(
            rf"{STX}(?:{document.opening[1:]}(\d+){ETX}|{raw_html.PLACEHOLDER[1:]})"
        )
        # The option `anchorlink` of `toc`, and Material in excerpts of posts.
        toc: Any = md.treeprocessors["toc"] if "toc" in md.treeprocessors else None  # noqa: SIM401
        self.headings_are_links = bool(getattr(toc, "use_anchors", False))
        self.edges: dict[int, int] = {}
        """By place in the stash: 1 for a raw tag that is closed further down, -1 for the one that does it."""
        self.enclosed = 0
        """How many of the raw elements that go across blocks are open."""
        self.added: dict[Element, dict[Element | None, list[Element]]] = {}
        """Superscripts by the element they go into and the child they follow."""

    def run(self, root: Element) -> None:
        """Settle every text under *root*."""
        inline = self.document.options.inline
        opening = self.document.opening
        self.edges = raw_html.edges(root, self.md.htmlStash.rawHtmlBlocks)
        # What is to be visited: an element or its tail, the parent, whether that is prose, who reads it, open
        # raw tags.
        todo: list[tuple[Element, Element | None, bool, _Reader, dict[str, int]]] = [
            (root, None, True, _Reader.NOBODY, {})
        ]
        while todo:
            element, parent, prose, reader, raw = todo.pop()
            if parent is not None:
                self._text(parent, element, element.tail or "", prose, reader, raw)
                continue
            tag = element.tag
            if not isinstance(tag, str):
                continue
            if tag in _NOT_PROSE:
                prose = False
            elif tag in _READ_BY_OTHERS:
                reader = self._reader(element)
            if self.md.is_block_level(tag):
                raw = {}
            if element.attrib:
                for name, value in element.attrib.items():
                    # An extension may leave an attribute without a value.
                    if isinstance(value, str) and opening in value:
                        element.set(name, self._as_text(value))
            children = list(element)
            text = element.text
            if text and inline and _is_ours(text):
                self._text(element, None, text, prose, reader, raw)
            for child in reversed(children):
                if (tail := child.tail) and inline and _is_ours(tail):
                    todo.append((child, element, prose, reader, raw))
                # Most have nothing for us: an emphasized word, a code span.
                if len(child) or child.attrib or ((text := child.text) and _is_ours(text)):
                    todo.append((child, None, prose, reader, raw))
        self._finish()

    def _finish(self) -> None:
        """Put the superscripts that are elements into theirs."""
        for element, added in self.added.items():
            # All at once: a search for the place of each would take quadratic time.
            children = added.get(None, [])
            for child in element:
                children += child, *added.get(child, ())
            element[:] = children

    def _reader(self, element: Element) -> _Reader:
        if element.tag == "label":
            return _Reader.LABEL
        text = "".join(element.itertext())
        bare = False
        if self.document.opening in text:
            text = self.document.replaced(text, lambda _: "")
            bare = not self.pieces.sub("", text).strip()
        return _Reader.BARE_HEADING if bare else _Reader.HEADING

    def _as_text(self, text: str) -> str:
        return self.document.replaced(text, lambda index: self.document.runs[index].raw)

    def _text(
        self,
        parent: Element,
        before: Element | None,
        text: str,
        prose: bool,
        reader: _Reader,
        raw: dict[str, int],
    ) -> None:
        """Settle one text: that of *parent*, or the tail of its child *before*."""
        if isinstance(text, AtomicString):
            return
        starts = before is None and parent.tag not in SINGLE_LINES
        plain = prose and not raw and not self.enclosed
        if plain and reader is _Reader.NOBODY and "[" not in text and self._only_tokens(text):
            return
        document = self.document
        parts: list[str] = []
        after = before
        position = 0

        def flush() -> None:
            # Where an element is added, what follows is its tail.
            nonlocal before
            joined = "".join(parts)
            parts.clear()
            if before is None:
                parent.text = joined
            else:
                before.tail = joined

        for found in self.pieces.finditer(text):
            token = int(found[1]) if found[1] else None
            start, end = found.span() if found[2] else dressed(text, *found.span())
            if plain and "[" in text[position:start]:
                self._report(text, position, start, starts=starts)
            parts.append(text[position:start])
            position = end
            if token is None:
                self._raw_tag(int(found[2]), raw)
                plain = prose and not raw and not self.enclosed
                parts.append(found[0])
            elif not plain:
                parts.append(document.runs[token].raw)
            elif not document.runs[token].numbers:
                # It stood for one bracket more, which the host has paired in vain.
                continue
            elif reader is _Reader.BARE_HEADING:
                html = document.before + self.md.serializer(self._element(reader, token))
                parts.append(self._settled(token, html, document.deferred))
            elif reader is not _Reader.NOBODY:
                if document.before:
                    parts.append(document.written_token(document.before))
                flush()
                before = self._element(reader, token)
                self.added.setdefault(parent, {}).setdefault(after, []).append(before)
            else:
                html = document.before + self._superscript(token)
                parts.append(self._settled(token, html, document.written))
        if plain and "[" in text[position:]:
            self._report(text, position, len(text), starts=starts)
        parts.append(text[position:])
        flush()

    def _only_tokens(self, text: str) -> bool:
        """Settle a text that is to stay as it is, as most are; False for any other."""
        if raw_html.OPENING in text:
            return False
        document = self.document
        written, runs = document.written, document.runs
        indexes = [int(index) for index in document.tokens.findall(text)]
        if len(set(indexes)) < len(indexes):
            return False
        if any(index in written or not runs[index].numbers for index in indexes):
            return False
        for index in indexes:
            written[index] = document.before + self._superscript(index)
        return True

    def _superscript(self, index: int) -> str:
        document = self.document
        numbers = document.runs[index].numbers
        element_id = self.citations.cite(numbers)
        links = document.links.group(numbers)
        if self.unicode:
            return raised.links_html(links, self.attributes)
        return superscript_html(links, element_id)

    def _element(self, reader: _Reader, index: int) -> Element:
        element = element_of(self._superscript(index))
        if self.headings_are_links and reader is not _Reader.LABEL:
            for link in element.iter("a"):
                link.tag = "span"
                link.attrib = {
                    name: link.attrib[name] for name in ("class", "title") if name in link.attrib
                }
        return element

    def _settled(self, index: int, html: str, settled: dict[int, str]) -> str:
        """The token of a superscript; a new one where an extension has shown the same text twice."""
        document = self.document
        token = f"{document.opening}{index}{ETX}"
        if index in settled:
            token = document.token(document.runs[index])
            index = len(document.runs) - 1
        settled[index] = html
        return token

    def _raw_tag(self, index: int, raw: dict[str, int]) -> None:
        """Count the raw elements that are open behind a tag in the host's stash."""
        blocks: list[Any] = self.md.htmlStash.rawHtmlBlocks
        html = blocks[index] if index < len(blocks) else None
        if not isinstance(html, str):
            return
        if self.document.opening in html:
            blocks[index] = html = self._as_text(html)
        if tag := raw_html.tag_of(html):
            self.enclosed += self.edges.get(index, 0)
            count(tag, raw)

    def _report(self, text: str, start: int, end: int, *, starts: bool) -> None:
        """Report what names no source, now that the host has made nothing of it.

        *starts* is whether a definition could stand where the text starts.
        """
        grammar, citations = self.document.grammar, self.citations
        for marker in grammar.find(text[start:end]):
            left, right = start + marker.start, start + marker.end
            following = text[right : right + 1]
            if citations.cites(marker) or not citations.is_unknown(marker) or following == "(":
                continue
            if following == ":" and begins_line(text, left, starts=starts):
                continue
            place = self.document.places.find(text, left, right)
            citations.report_unknown(text[left:right], marker.numbers, *place)
