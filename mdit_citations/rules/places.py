"""Where in the source something stands that an inline rule found at an offset of a token's content."""

from __future__ import annotations

import re

from markdown_it.rules_core import StateCore

_CELL_END = re.compile(r"(?<!\\)\|")
_Place = tuple[int | None, int | None]


class Places:
    """Lines and columns of one document. Asked in the order of the text, it takes linear time."""

    def __init__(self, state: StateCore) -> None:
        """Nothing is read before the first question."""
        self._state = state
        self._lines: list[str] | None = None
        self._row = -1
        self._next_cell = 0
        self._column = 0
        self._note = 0

    def find(self, index: int, offset: int) -> _Place:
        """Line and column, from 1, of *offset* in the content of the inline token at *index*."""
        token = self._state.tokens[index]
        content = token.content
        if token.map is None:
            return self.find_in_note(content, offset)
        line = token.map[0] + content.count("\n", 0, offset)
        start = content.rfind("\n", 0, offset) + 1
        end = content.find("\n", start)
        piece = content[start : len(content) if end < 0 else end]
        column = 0 if start else self._cell(index, token.map[0])
        source = self._source_line(line)
        found = source.find(piece, column)
        if found >= 0:
            return line + 1, found + offset - start + 1
        # The host wrote the line otherwise (an escaped pipe, a tab), so the marker itself is sought.
        behind = content.find("]", offset) + 1 or len(content)
        marker = content[offset:behind].split("\n")[0]
        found = column - 1
        for _ in range(content.count(marker, start, offset) + 1):
            found = source.find(marker, found + 1)
        return line + 1, max(found, 0) + 1

    def find_in_note(self, content: str, offset: int) -> _Place:
        """The place of *offset* in an inline footnote ``^[content]``, which is parsed apart."""
        tokens = self._state.tokens
        for index in range(self._note, len(tokens)):
            token = tokens[index]
            if (
                token.type == "inline"
                and token.map
                and (at := token.content.find(f"^[{content}]")) >= 0
            ):
                self._note = index
                return self.find(index, at + len("^[") + offset)
        self._note = len(tokens)
        return None, None

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
