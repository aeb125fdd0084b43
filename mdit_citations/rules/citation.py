"""Inline rule, before ``link``: markers become ``citation`` tokens, one for a run of them.

The rule declines when asked silently: link labels are measured by skipping tokens, and a token longer than
a character that starts with ``[`` counts as a nested link, which would undo the author's link.

Markdown structure wins. Where a link reference definition or a footnote makes something of the brackets,
the marker is the host's, unless the definition only says what the source says.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline

from mdit_citations.citations import Citations
from mdit_citations.markers import Grammar, Marker, begins_line

_SINGLE_LINES = frozenset(("heading_open", "th_open", "td_open", "dt_open"))
REFUSED = "citation_refused"
"""The type of the token that a marker naming no source is, until the core rule makes it text."""


class _Reading(Enum):
    """What a marker-shaped piece of text is."""

    CITATION = "citation"
    UNKNOWN = "unknown"
    """It names no source, and is text unless the host makes something of it."""
    SHADOWED = "shadowed"
    """A definition that names another page makes it the host's."""
    DEFINITION = "definition"
    """The start of a line ``[^n]:`` that stays, because it is no copy."""
    HOST = "host"
    """The host's, or plain text."""


def citation_rule(grammar: Grammar) -> Callable[[StateInline, bool], bool]:
    """The rule, for the marker forms of *grammar*."""
    others = frozenset(grammar.openings.replace("[", "!"))
    match = grammar.match

    def citation(state: StateInline, silent: bool) -> bool:
        if silent:
            return False
        src, pos = state.src, state.pos
        char = src[pos]
        if char != "[" and char not in others:
            return False
        citations = state.env.get("citations")
        if citations is None or not citations.sources:
            return False
        if char == "!":
            return _exclamation(state, citations, grammar)

        end = pos
        numbers: list[int] = []
        while marker := match(src, end, state.posMax):
            reading = _reading(state, citations, marker, grammar)
            if reading is not _Reading.CITATION:
                break
            numbers += marker.numbers
            end = marker.end
        if numbers:
            _push(state, "citation", tuple(numbers), end)
            return True
        if marker is None or reading is _Reading.HOST:
            return False
        if reading is _Reading.UNKNOWN:
            if _is_structure(state, marker, env_footnotes(state)):
                return False
            _push(state, REFUSED, marker.numbers, marker.end)
            return True
        citations.pending.append((src, marker, reading.value))
        return False

    return citation


def env_footnotes(state: StateInline) -> Any:
    """The footnotes that mdit-py-plugins' ``footnote`` has found defined, by ``:label``."""
    footnotes = state.env.get("footnotes")
    return footnotes.get("refs", ()) if footnotes else ()


def _push(state: StateInline, kind: str, numbers: tuple[int, ...], end: int) -> None:
    token = state.push(kind, "sup", 0)
    token.content = state.src[state.pos : end]
    token.meta = {"numbers": numbers, "offset": state.pos}
    state.pos = end


def _exclamation(state: StateInline, citations: Citations, grammar: Grammar) -> bool:
    """``!`` before a citation whose definition would make an image of both."""
    if not state.env.get("references") or state.linkLevel > 0:
        return False
    marker = grammar.match(state.src, state.pos + 1, state.posMax)
    if not marker:
        return False
    reading = _reading(state, citations, marker, grammar)
    if reading is _Reading.SHADOWED:
        citations.pending.append((state.src, marker, reading.value))
    if reading is not _Reading.CITATION:
        return False
    state.pending += "!"
    state.pos += 1
    return True


def _reading(
    state: StateInline, citations: Citations, marker: Marker, grammar: Grammar
) -> _Reading:
    src, end = state.src, marker.end
    following = src[end] if end < state.posMax else ""
    plain = src[marker.start] == "["
    if plain and following == "(":
        return _Reading.HOST
    if plain and following == ":":
        starts = id(src) not in citations.single_lines
        if begins_line(src, marker.start, starts=starts):
            return _definition(citations, src, marker)
    if not citations.cites(marker):
        return _Reading.UNKNOWN if citations.is_unknown(marker) else _Reading.HOST
    if not plain:
        return _Reading.CITATION
    footnotes = env_footnotes(state)
    if footnotes and marker.label[0] == "^" and f":{marker.label[1:]}" in footnotes:
        return _Reading.HOST
    references = state.env.get("references")
    if references:
        reading = _reference(state, citations, marker, following, references, grammar)
        if reading is not _Reading.CITATION:
            return reading
    if following == "[" and not grammar.match(src, end, state.posMax):
        return _Reading.CITATION if _opens_footnote(state, end) else _Reading.HOST
    if following == "{" and "span" in state.md.inline.ruler.get_active_rules():
        return _Reading.HOST if _host_takes(state, marker) else _Reading.CITATION
    return _Reading.CITATION


def _definition(citations: Citations, src: str, marker: Marker) -> _Reading:
    """What the block rule did not take for a copy of a source, where it was asked."""
    if marker.label[0] != "^" or len(marker.numbers) != 1 or not citations.cites(marker):
        return _Reading.HOST
    line_end = src.find("\n", marker.end)
    text = src[marker.end + 1 : len(src) if line_end < 0 else line_end]
    return _Reading.HOST if citations.is_copy(marker.numbers[0], text) else _Reading.DEFINITION


def _reference(
    state: StateInline,
    citations: Citations,
    marker: Marker,
    following: str,
    references: Any,
    grammar: Grammar,
) -> _Reading:
    """Whether a link reference definition makes a link of the marker, alone or with what follows."""
    if following == "[":
        label_end = state.md.helpers.parseLinkLabel(state, marker.end)
        label = state.src[marker.end + 1 : label_end] if label_end > 0 else ""
        if (definition := references.get(normalizeReference(label))) and label:
            second = grammar.match(state.src, marker.end, state.posMax)
            if not second or not citations.cites(second):
                return _Reading.HOST
            if not citations.is_page_of(second.numbers, definition["href"]) and not _is_inline_link(
                state, second
            ):
                return _Reading.SHADOWED
    definition = references.get(normalizeReference(marker.label))
    if definition and not citations.is_page_of(marker.numbers, definition["href"]):
        return _Reading.SHADOWED
    return _Reading.CITATION


def _host_end(state: StateInline, pos: int) -> int:
    """Where the token ends that the host alone would make at *pos*."""
    start, state.pos = state.pos, pos
    state.md.inline.skipToken(state)
    end, state.pos = state.pos, start
    return end


def _host_takes(state: StateInline, marker: Marker) -> bool:
    return _host_end(state, marker.start) > marker.start + 1


def _is_inline_link(state: StateInline, marker: Marker) -> bool:
    """Whether an inline link ``[2](address)`` stands at *marker*."""
    return (
        marker.end < state.posMax
        and state.src[marker.end] == "("
        and _host_end(state, marker.start) > marker.end
    )


def _opens_footnote(state: StateInline, pos: int) -> bool:
    """Whether a footnote reference of the host's stands at *pos*."""
    return state.src.startswith("[^", pos) and _host_end(state, pos) > pos + 1


def _is_structure(state: StateInline, marker: Marker, footnotes: Any) -> bool:
    """Whether the host makes something of a marker that names no source.

    A parser that takes every ``[^x]`` for a footnote reference (MyST) is not asked about those that
    nothing defines: they are text.
    """
    if state.src[marker.start] != "[":
        return False
    if marker.label[0] == "^" and f":{marker.label[1:]}" not in footnotes:
        references = state.env.get("references") or ()
        return normalizeReference(marker.label) in references
    return _host_takes(state, marker)


def single_lines(state: StateCore) -> None:
    """Core rule, before ``inline``: note the texts in which nothing begins a line of its own."""
    citations = state.env.get("citations")
    if citations is None or not citations.sources:
        return
    # Texts are told apart by identity, so none of an earlier parse may be remembered.
    citations.single_lines = {
        id(token.content)
        for before, token in pairwise(state.tokens)
        if token.type == "inline" and before.type in _SINGLE_LINES
    }


def stop_text_at(md: MarkdownIt, openings: str) -> None:
    """Make the ``text`` rule stop at each of *openings*, so that the rule is asked there."""
    missing = [char for char in openings if char not in "[!"]
    if not missing:
        return
    if hasattr(md.inline, "add_terminator_char"):
        for char in missing:
            md.inline.add_terminator_char(char)
        return
    # markdown-it-py before 4.2 has a fixed set of characters, so its rule is put inside one that knows ours.
    position = md.inline.ruler.get_active_rules().index("text")
    plain_text: Callable[[StateInline, bool], bool] = md.inline.ruler.getRules("")[position]
    stops = re.compile(f"[{''.join(missing)}]")

    def text(state: StateInline, silent: bool) -> bool:
        start, maximum = state.pos, state.posMax
        if stop := stops.search(state.src, start, maximum):
            state.posMax = stop.start()
        taken = state.pos < state.posMax and plain_text(state, silent)
        state.posMax = maximum
        return taken

    md.inline.ruler.at("text", text)
