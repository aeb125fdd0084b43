"""Where in the source something stands that an inline rule found at an offset of a token's content."""

from __future__ import annotations

from markdown_it.rules_core import StateCore
from markdown_it.token import Token


class Places:
    """Lines and columns of one document. Asked in the order of the text, it takes linear time."""

    def __init__(self, state: StateCore) -> None:
        """Nothing is read before the first question."""
        self._state = state
        self._lines: list[str] | None = None
        self._line = -1
        self._cells: list[str] = []
        self._column = 0

    def enter(self, token: Token) -> None:
        """Say that the walk has come to this inline token."""
        line = token.map[0] if token.map else -1
        if line != self._line:
            self._line, self._cells, self._column = line, [], 0
        self._cells.append(token.content)

    def find(self, token: Token, offset: int) -> tuple[int | None, int | None]:
        """Line and column, from 1, of *offset* in the content of *token*, which has been entered."""
        if token.map is None:
            return None, None
        content = token.content
        before = content.count("\n", 0, offset)
        start = content.rfind("\n", 0, offset) + 1
        column = self._start(content) if before == 0 else 0
        end = content.find("\n", start)
        piece = content[start : len(content) if end < 0 else end]
        source = self._source_line(token.map[0] + before)
        found = source.find(piece, column)
        if found < 0:
            # The host wrote the line otherwise (an escaped pipe, a tab), so the marker itself is sought.
            marker_end = content.find("]", offset) + 1 or len(content)
            found = source.find(content[offset:marker_end].split("\n")[0], column)
            return token.map[0] + before + 1, max(found, 0) + 1
        return token.map[0] + before + 1, found + offset - start + 1

    def _start(self, content: str) -> int:
        """The column from which to look for *content*, behind the earlier cells of a table's row."""
        source = self._source_line(self._line)
        while len(self._cells) > 1:
            cell = self._cells.pop(0)
            found = source.find(cell, self._column)
            self._column = found + len(cell) if found >= 0 else self._column
        return self._column

    def _source_line(self, line: int) -> str:
        if self._lines is None:
            self._lines = self._state.src.split("\n")
        return self._lines[line] if line < len(self._lines) else ""
