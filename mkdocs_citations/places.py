"""Where in the author's text something stands that the host has long taken apart.

Python-Markdown keeps no line numbers. What surrounds a marker is looked for in the text, from the place of
the last find on, since questions come in the order of the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_FENCED = re.compile(
    r"^[ \t>]*(`{3,}|~{3,})[^\n]*\n(?:.*?^[ \t>]*\1[ \t]*$|.*\Z)", re.MULTILINE | re.DOTALL
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*$", re.MULTILINE | re.DOTALL)
_EDGE = re.compile(r"[\n\x02\x03]")
_NEAR = 12
_FAR = 200
_MOST_MISSES = 200
"""After so many vain searches through the whole text only a marker itself is looked for, and only onwards."""


class Places:
    """Lines and columns of one text, which is read only when something is asked."""

    def __init__(self, read: Callable[[], str]) -> None:
        """*read* gives what the author wrote, front matter and all."""
        self._read = read
        self._text: str | None = None
        self._cursor = 0
        self._line = (0, 1)
        self._misses = 0

    def find(self, context: str, start: int, end: int) -> tuple[int | None, int | None]:
        """Line and column, from 1, of ``context[start:end]``; None twice where the text does not have it."""
        text = self._prose()
        line = _line_around(context, start, end)
        near = max(line[0], start - _NEAR), min(line[1], end + _NEAR)
        for left, right in (line, near, (start, end)):
            if self._misses > _MOST_MISSES and left < start:
                continue
            piece = context[left:right]
            found = text.find(piece, max(0, self._cursor - start + left))
            if found < 0 and self._misses <= _MOST_MISSES:
                self._misses += 1
                found = text.find(piece)
            if found >= 0:
                offset = found + start - left
                self._cursor = max(self._cursor, offset + end - start)
                return self._numbered(offset)
        return None, None

    def _numbered(self, offset: int) -> tuple[int, int]:
        before, line = self._line if self._line[0] <= offset else (0, 1)
        text = self._prose()
        line += text.count("\n", before, offset)
        self._line = (offset, line)
        return line, offset - text.rfind("\n", 0, offset)

    def _prose(self) -> str:
        """The text with everything blank that holds no citations, line by line as long as it was."""
        if self._text is None:
            text = self._read().replace("\r\n", "\n").replace("\r", "\n")
            for pattern in (_FRONT_MATTER, _FENCED, _COMMENT):
                text = pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
            self._text = text
        return self._text


def _line_around(context: str, start: int, end: int) -> tuple[int, int]:
    """The part of the line around a place that the host has left as it was written, within reason."""
    floor = max(0, start - _FAR)
    left = max(
        (edge.end() for edge in _EDGE.finditer(context, floor, start)),
        default=floor,
    )
    right = _EDGE.search(context, end, end + _FAR)
    return left, right.start() if right else min(len(context), end + _FAR)
