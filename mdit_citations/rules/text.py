"""Core rule, after ``inline``: what turns out to be no citation becomes text again.

That is a marker that names no source, and one that stands in a link, an image's text, or raw HTML whose
content is not prose.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from mdit_citations.citations import Citations
from mdit_citations.markers import Marker
from mdit_citations.raw_elements import RawTag, count, pairs, raw_tag, raw_tags
from mdit_citations.rules.citation import REFUSED
from mdit_citations.rules.places import Place, Places

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TEXTS = frozenset(("text", "citation", REFUSED))


def citations_text(state: StateCore) -> None:
    """The rule."""
    citations = state.env.get("citations")
    if citations is None or not citations.sources:
        return
    walk = _Walk(state, citations)
    for index, token in enumerate(state.tokens):
        if token.type == "inline" and token.children:
            walk.settle(token, index)
        elif token.type == "html_block":
            walk.pass_over(index)
    footnotes = state.env.get("footnotes")
    for note in footnotes.get("list", {}).values() if footnotes else ():
        # Inline footnotes are parsed apart, and not among the tokens before footnote_tail has run.
        if "tokens" in note:
            inline = Token("inline", "", 0, content=note["content"], children=note["tokens"])
            walk.settle(inline, None)
    if citations.pending:
        _report_pending(state, citations, Places(state))


def _report_pending(state: StateCore, citations: Citations, places: Places) -> None:
    """Report what the inline rule found where the host makes something else of a marker."""
    by_content: dict[int, list[tuple[Marker, str]]] = {}
    for content, marker, kind in citations.pending:
        by_content.setdefault(id(content), []).append((marker, kind))
    texts = {id(content): content for content, _, _ in citations.pending}
    citations.pending.clear()
    for index, token in enumerate(state.tokens):
        if token.type == "inline":
            for marker, kind in by_content.pop(id(token.content), ()):
                place = places.find(index, marker.start)
                _report(citations, token.content, marker, kind, place)
    for identity, found in by_content.items():
        # What is left stands in texts that are parsed apart: inline footnotes, and images' texts.
        for marker, kind in found:
            place = places.find_in_note(texts[identity], marker.start)
            if place[0] is not None:
                _report(citations, texts[identity], marker, kind, place)


def _report(citations: Citations, content: str, marker: Marker, kind: str, place: Place) -> None:
    if kind == "definition":
        citations.report_definition(marker.numbers[0], *place)
    else:
        citations.report_shadowed(content[marker.start : marker.end], *place)


class _Walk:
    """Goes once through the children of each inline token, knowing what they stand in."""

    def __init__(self, state: StateCore, citations: Citations) -> None:
        self.md = state.md
        self.linkify = state.md.linkify if state.md.options.get("linkify") else None
        self.breaks = "newline" in state.md.inline.ruler.get_active_rules()
        self.citations = citations
        self.places = Places(state)
        self.edges = _edges(state.tokens)
        self.enclosed = 0
        """How many of the raw elements that go across blocks are open."""

    def pass_over(self, index: int | None) -> None:
        """Go on behind the token at *index*."""
        for edge in self.edges.get(index, {}).values() if index is not None else ():
            self.enclosed += edge

    def settle(self, inline: Token, index: int | None) -> None:
        """Turn back what is no citation; *index* is that of the token in the stream, if it is there."""
        children = inline.children or []
        kinds = {child.type for child in children}
        if "image" in kinds:
            for child in children:
                if child.type == "image":
                    self.plain_text(child)
        if REFUSED not in kinds and (
            "citation" not in kinds
            or not (self.enclosed or self.linkify or "html_inline" in kinds or "link_open" in kinds)
        ):
            self.pass_over(index)
            return
        edges = self.edges.get(index, {}) if index is not None else {}
        links = 0
        raw: dict[str, int] = {}
        settled: list[Token] = []
        linkified = self.linkified(children) if self.linkify else ()
        for position, child in enumerate(children):
            kind = child.type
            if kind in {"citation", REFUSED}:
                inside = self.enclosed > 0 or links > 0 or bool(raw) or position in linkified
                if kind == REFUSED and not inside:
                    self.report(child, inline, index)
                if inside or kind == REFUSED:
                    settled.extend(self.as_text(child))
                    continue
            elif kind == "link_open":
                links += 1
            elif kind == "link_close":
                links -= 1
            elif position in edges:
                self.enclosed += edges[position]
            elif kind == "html_inline" and (tag := raw_tag(child.content)):
                count(tag, raw)
            settled.append(child)
        children[:] = joined(settled)

    def report(self, refused: Token, inline: Token, index: int | None) -> None:
        offset = refused.meta["offset"]
        place = (
            self.places.find_in_note(inline.content, offset)
            if index is None
            else self.places.find(index, offset)
        )
        self.citations.report_unknown(refused.content, refused.meta["numbers"], *place)

    def linkified(self, children: list[Token]) -> Container[int]:
        """The positions of markers that the host will link as parts of addresses (``www.x.example/a[1]``)."""
        inside: set[int] = set()
        start = 0
        for end in range(len(children) + 1):
            if end < len(children) and children[end].type in _TEXTS:
                continue
            if any(child.type != "text" for child in children[start:end]):
                inside.update(self.linkified_texts(children, start, end))
            start = end + 1
        return inside

    def linkified_texts(self, children: list[Token], start: int, end: int) -> Iterator[int]:
        """The same for neighbours from *start* to *end* that the host takes for one text."""
        text = "".join(child.content for child in children[start:end])
        spans = [
            (match.index, match.last_index)
            for match in (self.linkify.match(text) if self.linkify else None) or ()
            if self.md.validateLink(self.md.normalizeLink(match.url))
        ]
        offset = 0
        for position in range(start, end):
            child = children[position]
            behind = offset + len(child.content)
            while spans and spans[0][1] <= offset:
                spans.pop(0)
            if child.type != "text" and spans and spans[0][0] < behind:
                yield position
            offset = behind

    def as_text(self, citation: Token) -> list[Token]:
        """The tokens that the host makes of a marker: a text, or more where it goes over a line."""
        before, newline, after = citation.content.partition("\n")
        level = citation.level
        if not newline or not self.breaks:
            return [Token("text", "", 0, content=citation.content, level=level)]
        hard = before.endswith("  ")
        return [
            Token(
                "text",
                "",
                0,
                content=before.rstrip(" ") if hard else before.removesuffix(" "),
                level=level,
            ),
            Token("hardbreak" if hard else "softbreak", "br", 0, level=level),
            Token("text", "", 0, content=after.lstrip(" \t"), level=level),
        ]

    def plain_text(self, image: Token) -> None:
        """Turn every citation in an image's text, which is parsed apart, back into text."""
        settled: list[Token] = []
        for child in image.children or ():
            if child.type == "image":
                self.plain_text(child)
            settled.extend(self.as_text(child) if child.type in {"citation", REFUSED} else [child])
        if settled:
            image.children = joined(settled)


def _edges(tokens: list[Token]) -> dict[int, dict[int, int]]:
    """The raw tags that open (1) and close (-1) elements across blocks, by token and the child's position.

    Those of a block of HTML count as one.
    """
    edges: dict[int, dict[int, int]] = {}
    for start, end in pairs(_raw_tags(tokens)):
        if start[0] < end[0]:
            for (index, position), edge in ((start, 1), (end, -1)):
                inside = edges.setdefault(index, {})
                inside[position] = inside.get(position, 0) + edge
    return edges


def _raw_tags(tokens: list[Token]) -> Iterator[tuple[tuple[int, int], RawTag]]:
    for index, token in enumerate(tokens):
        if token.type == "html_block":
            for tag in raw_tags(_COMMENT.sub("", token.content)):
                yield (index, 0), tag
        elif token.type == "inline" and "<" in token.content:
            for position, child in enumerate(token.children or ()):
                if child.type == "html_inline" and (found := raw_tag(child.content)):
                    yield (index, position), found


def joined(tokens: list[Token]) -> list[Token]:
    """The tokens with neighbouring texts made one, as the parser leaves them."""
    result: list[Token] = []
    texts: list[str] = []
    for token in tokens:
        if token.type == "text" and result and result[-1].type == "text":
            texts.append(token.content)
            continue
        if texts:
            result[-1].content += "".join(texts)
            texts = []
        result.append(token)
    if texts:
        result[-1].content += "".join(texts)
    return result
