"""The grammar of citation markers: text in, markers out. Nothing here knows a parser or a source.

::

    marker  = "[" [ "^" ] number { sep [ "^" ] number } "]"
    number  = "1"…"9" { "0"…"9" }          ASCII, at most 6 digits; at most 99 numbers in a marker
    sep     = { white } "," { white }      white: space, tab; at most one line break in the whole sep

With ``ranges``, ``number`` may also be ``number ("-" | "–") number``, rising. With ``lenticular``, the
brackets may also be ``【`` and ``】``. A list that names a number twice is data, not a marker.

A new form of marker is a change to `grammar` and to the tables in ``tests/test_markers.py``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

MAX_NUMBERS = 99

_NUMBER = r"[1-9][0-9]{0,5}"
_SEPARATOR = r"[ \t]*(?:\n[ \t]*,[ \t]*|,[ \t]*(?:\n[ \t]*)?)"
_RANGE = re.compile("[-–]")
_END = sys.maxsize


class Marker(NamedTuple):
    """One marker in a text."""

    start: int
    """Offset of the opening bracket."""
    end: int
    """Offset behind the closing bracket."""
    numbers: tuple[int, ...]
    """The numbers in the order written, ranges written out."""
    label: str
    """What stands between the brackets."""


class Grammar:
    """Finds markers of the forms that are switched on."""

    __slots__ = ("_match", "_search", "openings")

    def __init__(self, *, ranges: bool = False, lenticular: bool = False) -> None:
        """See the module's docstring for the forms."""
        number = rf"{_NUMBER}(?:[-–]{_NUMBER})?" if ranges else _NUMBER
        inner = rf"(\^?{number}(?:{_SEPARATOR}\^?{number}){{0,{MAX_NUMBERS - 1}}})"
        marker = rf"\[{inner}\]"
        self.openings = "["
        if lenticular:
            marker = rf"{marker}|【{inner}】"
            self.openings = "[【"
        pattern = re.compile(marker)
        self._match = pattern.match
        self._search = pattern.finditer

    def match(self, text: str, start: int = 0, end: int | None = None) -> Marker | None:
        """The marker whose opening bracket stands at *start*, whatever follows it; None if none does."""
        found = self._match(text, start, _END if end is None else end)
        return _marker(found) if found else None

    def find(self, text: str) -> Iterator[Marker]:
        """All markers of *text*, in order. Knows nothing of code or structure."""
        return filter(None, map(_marker, self._search(text)))


@cache
def grammar(*, ranges: bool = False, lenticular: bool = False) -> Grammar:
    """The grammar with these forms switched on (there are only four, so they are kept)."""
    return Grammar(ranges=ranges, lenticular=lenticular)


def _marker(found: re.Match[str]) -> Marker | None:
    label: str = found[found.lastindex or 0]
    start, end = found.span()
    first = label[1:] if label[0] == "^" else label
    if first.isdecimal():
        return Marker(start, end, (int(first),), label)
    numbers: list[int] = []
    for part in label.replace("^", "").split(","):
        lowest, *highest = map(int, _RANGE.split(part.strip()))
        if highest and not 0 < highest[0] - lowest < MAX_NUMBERS:
            return None
        numbers.extend(range(lowest, max(lowest, *highest) + 1) if highest else [lowest])
    if len(numbers) > MAX_NUMBERS or len(set(numbers)) < len(numbers):
        return None
    return Marker(start, end, tuple(numbers), label)


def begins_line(text: str, position: int, *, starts: bool = True) -> bool:
    """Whether only blanks stand between *position* and the start of its line.

    *starts* is whether the text itself starts a line.
    """
    while position and text[position - 1] in " \t":
        position -= 1
    return text[position - 1] == "\n" if position else starts
