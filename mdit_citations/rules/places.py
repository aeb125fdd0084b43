"""Where in the source something stands that an inline rule found at an offset of a token's content."""

from __future__ import annotations

import re

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

_CELL_END = re.compile(r"(?<!\\)\|")
Place = tuple[int | None, int | None]


class Places:
    """Lines and columns of one document.

    Asked in the order of the text it takes linear time, because every search goes on where the last one
    ended.
    """

    def __init__(self, state: StateCore) -> None:
        """Nothing is read before the first question."""
        self._state = state
        self._lines: list[str] | None = None
        self._row = -1
        self._next_cell = 0
        self._column = 0
        self._note = 0
        self._at: _Line | None = None

    def find(self, index: int, offset: int) -> Place:
        """Line and column, from 1, of *offset* in the content of the inline token at *index*."""
        token = self._state.tokens[index]
        if token.map is None:
            return self.find_in_note(token.content, offset)
        at = self._at
        if at is None or at.index != index or at.offset > offset:
            at = self._at = _Line(index, token.content)
            at.line = self._first_line(token)
            at.enter(self._source_line(at.line), self._cell(index, token.map[0]))
        while 0 <= at.end < offset:
            at.line += 1
            at.start = at.end + 1
            at.end = at.content.find("\n", at.start)
            at.enter(self._source_line(at.line), 0)
        at.offset = offset
        return at.line + 1, at.column(offset) + 1

    def find_in_note(self, content: str, offset: int) -> Place:
        """The place of *offset* in an inline footnote ``^[content]``, which is parsed apart."""
        tokens = self._state.tokens
        for index in range(self._note, len(tokens)):
            token = tokens[index]
            if token.type == "inline" and token.map:
                start = self._at.offset if self._at and self._at.index == index else 0
                if (found := token.content.find(f"^[{content}]", start)) >= 0:
                    self._note = index
                    return self.find(index, found + len("^[") + offset)
        self._note = len(tokens)
        return None, None

    def _first_line(self, token: Token) -> int:
        """The line that the content begins on: not the first of the block where that was trimmed away."""
        first, last = token.map or (0, 0)
        words = token.content.split("\n", 1)[0]
        for line in range(first, last):
            if words in self._source_line(line):
                return line
        return first

    def _cell(self, index: int, line: int) -> int:
        """The column at which to look for a token that begins on *line*: behind a row's earlier cells."""
        tokens = self._state.tokens
        if not index or tokens[index - 1].type not in {"td_open", "th_open"}:
            return 0
        if line != self._row:
            first = index - 1
            while tokens[first].type != "tr_open":
                first -= 1
            source = self._source_line(line)
            self._row, self._next_cell = line, first
            self._column = len(source) - len(source.lstrip(" \t|>"))
        for position in range(self._next_cell, index - 1):
            if tokens[position].type in {"td_open", "th_open"}:
                end = _CELL_END.search(self._source_line(line), self._column)
                self._column = end.end() if end else self._column
        self._next_cell = max(self._next_cell, index - 1)
        return self._column

    def _source_line(self, line: int) -> str:
        if self._lines is None:
            self._lines = self._state.src.split("\n")
        return self._lines[line] if line < len(self._lines) else ""


class _Line:
    """A line of an inline token's content, and how far it has been looked through."""

    def __init__(self, index: int, content: str) -> None:
        self.index = index
        self.content = content
        self.line = 0
        self.start = 0
        self.end = content.find("\n")
        self.offset = 0

    def enter(self, source: str, column: int) -> None:
        """Find the line in its *source*, not before *column*."""
        self.source = source
        end = len(self.content) if self.end < 0 else self.end
        self.begins = source.find(self.content[self.start : end], column)
        self.searched, self.cursor = self.start, column

    def column(self, offset: int) -> int:
        if self.begins >= 0:
            return self.begins + offset - self.start
        # The host wrote the line otherwise (an escaped pipe, a tab), so the marker itself is sought.
        behind = self.content.find("]", offset) + 1 or len(self.content)
        marker = self.content[offset:behind].split("\n")[0]
        for _ in range(self.content.count(marker, self.searched, offset) + 1):
            found = self.source.find(marker, self.cursor)
            self.cursor = found + 1 if found >= 0 else self.cursor
        self.searched = offset + len(marker)
        return max(self.cursor - 1, 0)
