"""Where in the source something stands that an inline rule found at an offset of a token's content."""

from __future__ import annotations

from markdown_it.rules_core import StateCore


class Places:
    """Lines and columns of one document. Asked in the order of the text, it takes linear time."""

    def __init__(self, state: StateCore) -> None:
        """Nothing is read before the first question."""
        self._state = state
        self._lines: list[str] | None = None
        self._line = -1
        self._next_cell = 0
        self._column = 0

    def find(self, index: int, offset: int) -> tuple[int | None, int | None]:
        """Line and column, from 1, of *offset* in the content of the inline token at *index*."""
        token = self._state.tokens[index]
        if token.map is None:
            return None, None
        content, line = token.content, token.map[0]
        before = content.count("\n", 0, offset)
        start = content.rfind("\n", 0, offset) + 1
        end = content.find("\n", start)
        column = 0 if before else self._behind_cells(index, line)
        source = self._source_line(line + before)
        found = source.find(content[start : len(content) if end < 0 else end], column)
        if found >= 0:
            return line + before + 1, found + offset - start + 1
        # The host wrote the line otherwise (an escaped pipe, a tab), so the marker itself is sought.
        behind = content.find("]", offset) + 1 or len(content)
        found = source.find(content[offset:behind].split("\n")[0], column)
        return line + before + 1, max(found, 0) + 1

    def _behind_cells(self, index: int, line: int) -> int:
        """The column behind the earlier cells of a table's row, 0 where there are none."""
        tokens = self._state.tokens
        if line != self._line:
            first = index
            while first > 0 and (
                tokens[first - 1].map is None or tokens[first - 1].map == [line, line + 1]
            ):
                first -= 1
            self._line, self._next_cell, self._column = line, first, 0
        for position in range(self._next_cell, index):
            cell = tokens[position]
            if cell.type == "inline" and cell.map and cell.map[0] == line:
                found = self._source_line(line).find(cell.content, self._column)
                self._column = (
                    max(self._column, found + len(cell.content)) if found >= 0 else self._column
                )
        self._next_cell = max(self._next_cell, index)
        return self._column

    def _source_line(self, line: int) -> str:
        if self._lines is None:
            self._lines = self._state.src.split("\n")
        return self._lines[line] if line < len(self._lines) else ""
