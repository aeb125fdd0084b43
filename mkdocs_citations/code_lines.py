"""Which lines of the author's text are code, fenced or indented, as far as can be told without the host."""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int, bool]
"""Start, end, and whether it is certain that nothing in it is a citation."""

INDENT = 4
_FENCE = re.compile(r"(`{3,})[^`]*\Z|(~{3,})")
_QUOTE = re.compile(r"[ \t]*>(?:[ \t]?>)* ?")
_RULE = re.compile(r"([-*_])(?:[ \t]*\1){2,}[ \t]*\Z")
_CONTAINER = re.compile(
    r"(?:[-*+]|[0-9]+[.)])(?:[ \t]|\Z)|(?:!!!|\?\?\?\+?)[ \t]*\S|===[!+]*[ \t]*[\"']|:[ \t]|\[\^[^\]]*\]:"
)
"""What begins a line whose indented followers are content."""
_PERHAPS = ("<", "///", ":::")


def code_lines(text: str) -> Iterator[Span]:
    """Fenced and indented code."""
    return _Lines(text).spans()


class _Lines:
    """One pass over the lines, which knows in what lists and the like each of them is."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        # By level of indentation: whether what is indented further is content. 1 is a perhaps.
        self.levels: list[int] = []
        # What stands before: 2 a blank line, 1 what may end a paragraph, 0 a line of one.
        self.before = 2
        self.in_code = False
        self.quoted = False
        self.unclosed: dict[tuple[str, int, bool], int] = {}

    def spans(self) -> Iterator[Span]:
        index = 0
        while index < len(self.lines):
            line = self.lines[index]
            if not line.strip():
                self.before = 2
                index += 1
                continue
            quote = _QUOTE.match(line)
            inner = line[quote.end() :] if quote else line
            columns = _columns(inner)
            wanted = columns // INDENT
            if quote:
                level, certain = wanted, columns < INDENT and _columns(line) < INDENT
                code = wanted > 0
                # Only what a quote begins with is code for certain.
                self.in_code = code and (
                    self.in_code or (self.before == 2 and not self.quoted and not any(self.levels))  # noqa: PLR2004
                )
                self.before = 1
                if _columns(line) < INDENT:
                    self.levels = [0]
            else:
                level = 0
                while level < min(wanted, len(self.levels)) and self.levels[level]:
                    level += 1
                certain = 1 not in self.levels[:level]
                code = level < wanted and (self.before > 0 or self.in_code)
            self.quoted = bool(quote)
            if code:
                certain = self.in_code or (not quote and level == 0 and self.before == 2)  # noqa: PLR2004
                certain = certain and not any(self.levels)
                yield self.starts[index], self.starts[index + 1] - 1, certain
                self.in_code, self.before = certain, min(self.before, 1)
                index += 1
                continue
            self.in_code = False
            if fence := _FENCE.match(inner.strip()):
                end, closed = self._fence_end(index, fence[1] or fence[2], wanted, bool(quote))
                certain = certain and closed and level == wanted
                yield self.starts[index], self.starts[end] - 1, certain
                if closed:
                    self.before = 1
                    index = end
                    continue
            elif not certain:
                yield self.starts[index], self.starts[index + 1] - 1, False
            if not quote:
                self._enter(inner.strip(), level, columns)
            index += 1

    def _enter(self, line: str, level: int, columns: int) -> None:
        """Note what a line of content begins or goes on with."""
        old = self.levels[level] if level < len(self.levels) else 0
        if _CONTAINER.match(line) and not _RULE.match(line):
            now = 2
        elif line.startswith(_PERHAPS):
            now = 1
        elif not self.before:
            now = old
        else:
            now = min(old, 1) if columns % INDENT or self.before == 1 else 0
        self.levels[level:] = [now]
        self.before = int(line.startswith(("#", "<")) or bool(_RULE.match(line)))

    def _fence_end(self, index: int, fence: str, level: int, quoted: bool) -> tuple[int, bool]:
        """The line behind a fence or, if it is not closed, behind what it is in."""
        key = fence, level, quoted
        if self.unclosed.get(key, 0) > index:
            return self.unclosed[key], False
        for number in range(index + 1, len(self.lines)):
            line = self.lines[number]
            quote = _QUOTE.match(line) if quoted else None
            if quoted and not quote:
                break
            inner = line[quote.end() :] if quote else line
            if not inner.strip():
                continue
            if _columns(inner) // INDENT < level:
                break
            if inner.strip() == fence:
                return number + 1, True
        else:
            number = len(self.lines)
        number = max(number, index + 1)
        self.unclosed[key] = number
        return number, False


def _columns(line: str) -> int:
    columns = 0
    for char in line:
        if char == "\t":
            columns += INDENT - columns % INDENT
        elif char == " ":
            columns += 1
        else:
            break
    return columns
