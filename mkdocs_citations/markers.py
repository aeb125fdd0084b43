"""Inline pattern, before footnotes and links: markers become tokens.

Markdown structure wins. Where a reference definition or a footnote makes something of the brackets, the
marker is the host's, unless the definition only says what the source says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from typing import Any, NamedTuple

from markdown import Markdown
from markdown.inlinepatterns import Pattern

from mdit_citations.markers import Marker, begins_line
from mkdocs_citations.brackets import LABEL, Host, Pairs, label_name
from mkdocs_citations.document import Document, Run

_NEIGHBOURS = frozenset("\"'*_~^=")
_BEFORE = re.compile(r"\]\s?\Z")
_AFTER = re.compile(r"\s?\[")


class _Reading(Enum):
    """What a marker-shaped piece of text is."""

    CITATION = "citation"
    SHADOWED = "shadowed"
    """A definition that names another page makes it the host's."""
    HOST = "host"
    """The host's, or plain text."""


class _Replacement(NamedTuple):
    """A text with tokens in it, in the shape of the match that an old-style `Pattern` works with.

    Only that style lets a pattern hand back the whole text. One replacement for each marker would copy the
    text as often, and a page of nothing but markers would take quadratic time.
    """

    before: str
    first: str
    after: str

    def start(self, _group: int = 0) -> int:
        return 0

    def end(self, _group: int = 0) -> int:
        return 0

    def group(self, _group: int = 0) -> str:
        return self.before

    def groups(self) -> tuple[str, str]:
        return self.before, self.after


class MarkerPattern(Pattern):
    """Takes all the markers of a text in one pass, at the first question about it."""

    def __init__(self, md: Markdown) -> None:
        """The document is set anew for each conversion."""
        super().__init__("", md)
        self.document: Document | None = None
        self._host: Host | None = None
        self._done: _Replacement | None = None

    def begin(self, document: Document) -> None:
        """Forget the conversion before."""
        self.document = document
        self._host = self._done = None

    def getCompiledRegExp(self) -> Any:  # noqa: N802 (the host's name)
        """Stand in for the regular expression."""
        return self

    def match(self, text: str) -> _Replacement | None:
        """The text with its citations as tokens, or None where it has none."""
        done, self._done = self._done, None
        # The host asks again, about what follows the first token or about the whole.
        if (
            done
            and text.endswith(done.after)
            and (len(text) == len(done.after) or text.startswith(done.before))
        ):
            return None
        document = self.document
        if document is None or not any(char in text for char in document.grammar.openings):
            return None
        host = self._host = self._host or Host(self.md)
        runs = _Text(host, document, text).runs()
        if not runs:
            return None
        # The host pairs brackets two by two, so that beside others as many are left as there were, except
        # where an extension makes a link of any two pairs.
        hidden = host.links_any_pairs
        paired = bool(host.references) or hidden
        pieces: list[str] = []
        position = 0
        closing = ""
        for start, end, numbers in runs:
            raw = text[start:end]
            token = document.token(Run(raw, tuple(numbers)))
            opening = closing + text[position:start]
            closing = ""
            if paired and _beside_brackets(text, start, end):
                if hidden:
                    pieces += opening, token
                    position = end
                    continue
                opening += _shown(raw)
                fillers = [document.token(Run("", ())) for _ in range(raw.count("]") - 1)]
                closing = "".join(["]", *(f"[1{filler}]" for filler in fillers)])
            elif (len(numbers) > 1 and _has_space(raw)) or _shows_brackets(text, start, end):
                opening += _shown(raw)
                closing = "]"
            pieces += opening, token
            position = end
        before, first, *after = pieces
        self._done = _Replacement(before, first, "".join([*after, closing, text[position:]]))
        return self._done

    def handleMatch(self, found: Any) -> str:  # noqa: N802 (the host's name)
        """The first token, which the host sets between the two halves of the rest."""
        first: str = found.first
        return first


def _shown(raw: str) -> str:
    """How a marker begins that is to show its brackets: a caret would pair with others.

    Its white space is shown, since between two carets or tildes it says that they are none.
    """
    return ("[." if raw[1] == "^" else "[1") + " " * _has_space(raw)


def _has_space(raw: str) -> bool:
    return len(raw.split()) > 1


def _beside_brackets(text: str, start: int, end: int) -> bool:
    return bool(_BEFORE.search(text, max(0, start - 2), start) or _AFTER.match(text, end))


def _shows_brackets(text: str, start: int, end: int) -> bool:
    """Whether a neighbour would read the text otherwise if there were no brackets.

    Addresses look for what may stand before them, smart quotes and delimiters for punctuation.
    """
    before, after = text[start - 1 : start], text[end : end + 1]
    return after.isalpha() or before in _NEIGHBOURS or after in _NEIGHBOURS


class _Text:
    """One text of the page, and what of it is a citation."""

    def __init__(self, host: Host, document: Document, text: str) -> None:
        self.text = text
        self.document = document
        self.citations = document.citations
        self.match = document.grammar.match
        self.references = host.references
        self.footnotes = host.footnotes
        self.starts = not host.in_single_line()
        self.spans = host.spans(text)
        self.pairs = Pairs(text, self.references, self.footnotes)

    def runs(self) -> list[tuple[int, int, Sequence[int]]]:
        """Start, end and numbers of each run of citations, in order."""
        runs: list[tuple[int, int, Sequence[int]]] = []
        spans = iter([*self.spans, (len(self.text), len(self.text) + 1)])
        span = next(spans)
        last = -1
        for marker in self.document.grammar.find(self.text):
            while span[1] <= marker.start:
                span = next(spans)
            if span[0] <= marker.start:
                continue
            start, end, numbers, _ = marker
            reading = self._reading(marker, last)
            if reading is _Reading.CITATION:
                if last == start:
                    # A list, or a long run would be copied once for each of its markers.
                    start, _, before = runs.pop()
                    joined: list[int] = before if isinstance(before, list) else [*before]
                    joined.extend(numbers)
                    runs.append((start, end, joined))
                else:
                    runs.append((start, end, numbers))
                last = end
            elif reading is _Reading.SHADOWED:
                self.document.shadowed.append((self.text, marker))
        return runs

    def _reading(self, marker: Marker, last: int) -> _Reading:
        text, end = self.text, marker.end
        following = text[end : end + 1]
        if following == "(" or not self.citations.cites(marker):
            return _Reading.HOST
        if following == ":" and begins_line(text, marker.start, starts=self.starts):
            return _Reading.HOST
        if marker.label[0] == "^" and marker.label[1:] in self.footnotes:
            return _Reading.HOST
        if self.references:
            reading = self._reference(marker, last)
            if reading is not _Reading.CITATION:
                return reading
        if following == "[" and not self.match(text, end):
            label = LABEL.match(text, end)
            opens = label and label[1][:1] == "^" and label[1][1:] in self.footnotes
            return _Reading.CITATION if opens else _Reading.HOST
        return _Reading.CITATION

    def _reference(self, marker: Marker, last: int) -> _Reading:
        """Whether a definition makes a link of the marker, alone or with what stands beside it."""
        pair = self.pairs.by_label.get(marker.start)
        if pair and pair.defined and pair.end_of_text != last:
            # The second half of the author's `[text][1]`.
            return _Reading.HOST
        pair = self.pairs.by_text.get(marker.start)
        if pair and pair.defined:
            other = self.match(self.text, pair.label)
            if not other or not self.citations.cites(other):
                return _Reading.HOST
            if not self._says_the_same(other):
                return _Reading.SHADOWED
        if label_name(marker.label) in self.references and not self._says_the_same(marker):
            return _Reading.SHADOWED
        return _Reading.CITATION

    def _says_the_same(self, marker: Marker) -> bool:
        """Whether the definition of the marker's label only says what the source says."""
        definition = self.references[label_name(marker.label)]
        return self.citations.is_page_of(marker.numbers, definition[0])
