"""Where in the author's text something stands that the host has long taken apart.

Python-Markdown keeps no line numbers. What surrounds a marker is looked for in the text, from the place of
the last find on, since questions come in the order of the page. What holds no citations is blanked before;
where that is in doubt, a place that is certain is preferred. No place is given twice.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator

from mdit_citations.markers import begins_line
from mkdocs_citations.prose import prose

_EDGE = re.compile(r"[\n\x02\x03]")
_NEAR = 12
_FAR = 200
_MOST_MISSES = 1000
"""After so many vain searches through the whole text only what is close to the last find is looked at."""
_WINDOW = 20_000
_LEAST = 3
"""How many characters on one side of a marker are enough where the other side has changed."""


class Places:
    """Lines and columns of one text, which is read only when something is asked."""

    def __init__(self, read: Callable[[], str]) -> None:
        """*read* gives what the author wrote, front matter and all."""
        self._read = read
        self._texts: tuple[str, str] | None = None
        self._newlines: list[int] = []
        self._cursor = 0
        self._misses = 0
        self._given: set[int] = set()
        self._after: dict[tuple[int, str, int, bool, tuple[bool, bool]], int] = {}
        """Up to where a piece has been looked for already: in which text, for which of its markers, from the
        start or the cursor."""
        self._absent: set[str] = set()

    def find(self, context: str, start: int, end: int) -> tuple[int | None, int | None]:
        """Line and column, from 1, of ``context[start:end]``; None twice where the text does not have it.

        Nor where all that it has are given already: then the text comes from elsewhere.
        """
        for left, right in _pieces(context, start, end):
            piece = context[left:right]
            # What the host has cut out begins and ends where the author's words do.
            whole = (
                (not left or bool(_EDGE.match(context, left - 1))) and not piece[:1].isspace(),
                (right == len(context) or bool(_EDGE.match(context, right)))
                and not piece[-1:].isspace(),
            )
            found, occurs = self._look(piece, start - left, end - start, whole)
            if found is not None:
                self._given.add(found)
                if ":" not in context[start:end]:
                    # Definitions are asked about before all others.
                    self._cursor = max(self._cursor, found + end - start)
                line = bisect_left(self._newlines, found)
                return line + 1, found - (self._newlines[line - 1] if line else -1)
            if occurs:
                break
        return None, None

    def _look(
        self, piece: str, lead: int, size: int, whole: tuple[bool, bool]
    ) -> tuple[int | None, bool]:
        """Where *piece* has a marker that is still to be given, and whether it is there at all.

        *whole* is whether no words may stand before it, or behind it.
        """

        def is_free(text: str, found: int) -> bool:
            if whole[0] and found > 1 and text[found - 1] == " " and text[found - 2].isalnum():
                return False
            after = text[found + len(piece) : found + len(piece) + 2]
            if whole[1] and after[:1] == " " and after[1:].isalnum():
                return False
            return self._is_free(text, found + lead, size)

        occurs = False
        if piece in self._absent:
            return None, False
        texts = self._prose()
        if self._misses > _MOST_MISSES:
            position = max(0, self._cursor - lead)
            found = texts[1].find(piece, position, position + _WINDOW)
            free = found >= 0 and is_free(texts[1], found)
            return (found + lead if free else None), found >= 0
        for certainty, text in enumerate(texts):
            for onwards in (True, False):
                key = certainty, piece, lead, onwards, whole
                position = self._after.get(key, 0)
                occurs = occurs or position > 0
                if onwards:
                    position = max(position, self._cursor - lead)
                while (found := text.find(piece, position)) >= 0:
                    occurs = True
                    position = self._after[key] = found + 1
                    if is_free(text, found):
                        return found + lead, True
                self._misses += position < len(text)
                if occurs:
                    self._after[key] = len(text)
                elif texts[1].find(piece) < 0:
                    self._misses += 1
                    self._absent.add(piece)
                    return None, False
        return None, occurs

    def _is_free(self, text: str, offset: int, size: int) -> bool:
        following = text[offset + size : offset + size + 1]
        if offset in self._given or following == "(":
            return False
        return following != ":" or not begins_line(text, offset)

    def _prose(self) -> tuple[str, str]:
        if self._texts is None:
            try:
                text = self._read()
            except (OSError, ValueError):
                text = ""
            text = text.replace("\r\n", "\n").replace("\r", "\n")
            self._newlines = [found.start() for found in re.finditer("\n", text)]
            self._texts = prose(text)
        return self._texts


def _pieces(context: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What to look for, from the whole line to one side of the marker."""
    line = _line_around(context, start, end)
    near = max(line[0], start - _NEAR), min(line[1], end + _NEAR)
    yield line
    if near != line:
        yield near
    if near[0] < start and near[1] > end:
        if len(context[near[0] : start].strip()) >= _LEAST:
            yield near[0], end
        if len(context[end : near[1]].strip()) >= _LEAST:
            yield start, near[1]


def _line_around(context: str, start: int, end: int) -> tuple[int, int]:
    """The part of the line around a place that the host has left as it was written, within reason."""
    floor = max(0, start - _FAR)
    left = max(
        (edge.end() for edge in _EDGE.finditer(context, floor, start)),
        default=floor,
    )
    right = _EDGE.search(context, end, end + _FAR)
    return left, right.start() if right else min(len(context), end + _FAR)
