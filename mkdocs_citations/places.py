"""Where in the author's text something stands that the host has long taken apart.

Python-Markdown keeps no line numbers. What surrounds a marker is looked for in the text, from the place of
the last find on, since questions come in the order of the page. What holds no citations is blanked before;
where that is in doubt, a place that is certain is preferred. No place is given twice.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator

from mdit_citations.markers import RAW_TAG
from mkdocs_citations.brackets import begins_line

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*$", re.MULTILINE | re.DOTALL)
_EDGE = re.compile(r"[\n\x02\x03]")
_NEAR = 12
_FAR = 200
_MOST_MISSES = 1000
"""After so many vain searches through the whole text only what is close to the last find is looked at."""
_WINDOW = 20_000
_LEAST = 3
"""How many characters on one side of a marker are enough where the other side has changed."""

_INDENT = 4
_FENCE = re.compile(r"(`{3,})[^`]*\Z|(~{3,})")
_QUOTE = re.compile(r"[ \t]*>(?:[ \t]?>)* ?")
_RULE = re.compile(r"([-*_])(?:[ \t]*\1){2,}[ \t]*\Z")
_CONTAINER = re.compile(
    r"(?:[-*+]|[0-9]+[.)])(?:[ \t]|\Z)|(?:!!!|\?\?\?\+?)[ \t]*\S|===[!+]*[ \t]*[\"']|:[ \t]|\[\^[^\]]*\]:"
)
"""What begins a line whose indented followers are content."""
_PERHAPS = ("<", "///", ":::")
_SPAN_BREAK = re.compile(r"\n[ \t]*(?:[-*+>#|:]|[0-9]+[.)])")
"""What a code span does not go across, though whether it does depends on what stands before."""

_BLANK_LINE = re.compile(r"\n[^\S\n]*(?=\n)")
_BLOCK_TAG = re.compile(
    r"<(/?)(address|article|aside|blockquote|body|canvas|center|dd|details|dialog|dir|div|dl|dt|fieldset"
    r"|figcaption|figure|footer|form|frameset|h[1-6]|head|header|hgroup|html|iframe|legend|li|main|map"
    r"|math|menu|nav|noframes|noscript|object|ol|option|output|p|pre|progress|script|section|style"
    r"|summary|svg|table|tbody|td|textarea|tfoot|th|thead|title|tr|ul|video)(?=[\s/>])([^<>]*)>",
    re.IGNORECASE,
)
_MARKDOWN = re.compile(r"\smarkdown(?=[\s=]|\Z)", re.IGNORECASE)
_COMMENT_EDGE = re.compile(r"<!--|-->")
_TOKEN = re.compile(r"\\[\s\S]|`+|<!--|<[a-zA-Z/!?][^<>]*>")
_PERHAPS_CODE = re.compile(r"\$\$[^$]+\$\$|\$[^\s$][^$\n]*\$|\{\{[^{}]*\}\}|\{%[^{}]*%\}")
_BRACKET = re.compile(r"[\[\]()]")
_LABEL = re.compile(r"\s?\[([^\[\]]*)\]")
_DEFINITION = re.compile(r"^ {0,3}\[([^\[\]]*)\]:", re.MULTILINE)
_NUMBERS = re.compile(r"[\^0-9,\s–-]+")

_Span = tuple[int, int, bool]
"""Start, end, and whether it is certain that nothing in it is a citation."""


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
        self._after: dict[tuple[int, str, bool, tuple[bool, bool]], int] = {}
        """Up to where a piece has been looked for already: in which text, from the start or the cursor."""
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
                key = certainty, piece, onwards, whole
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
        """The text with everything blank that holds no citations, line by line as long as it was.

        In the first all that may be such is blank, in the second what is so for certain.
        """
        if self._texts is None:
            try:
                text = self._read()
            except (OSError, ValueError):
                text = ""
            text = text.replace("\r\n", "\n").replace("\r", "\n")
            self._newlines = [found.start() for found in re.finditer("\n", text)]
            if front := _FRONT_MATTER.match(text):
                text = _blank(text, [(0, front.end(), True)])
            doubts: list[_Span] = []
            for stage in (_code_lines, _html_blocks, _inline, _links):
                spans = list(stage(text))
                text = _blank(text, [span for span in spans if span[2]])
                doubts += [span for span in spans if not span[2]]
            self._texts = _blank(text, doubts), text
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


def _blank(text: str, spans: list[_Span]) -> str:
    parts: list[str] = []
    position = 0
    for start, end, _ in sorted(spans):
        if end > position:
            cut = max(start, position)
            parts += text[position:cut], re.sub(r"[^\n]", " ", text[cut:end])
            position = end
    return "".join([*parts, text[position:]])


def _code_lines(text: str) -> Iterator[_Span]:
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

    def spans(self) -> Iterator[_Span]:
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
            wanted = columns // _INDENT
            if quote:
                level, certain = wanted, columns < _INDENT and _columns(line) < _INDENT
                code = wanted > 0
                # Only what a quote begins with is code for certain.
                self.in_code = code and (
                    self.in_code or (self.before == 2 and not self.quoted and not any(self.levels))  # noqa: PLR2004
                )
                self.before = 1
                if _columns(line) < _INDENT:
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
            now = min(old, 1) if columns % _INDENT or self.before == 1 else 0
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
            if _columns(inner) // _INDENT < level:
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
            columns += _INDENT - columns % _INDENT
        elif char == " ":
            columns += 1
        else:
            break
    return columns


def _html_blocks(text: str) -> Iterator[_Span]:
    """Elements and comments that begin a line, the line breaks in them included."""
    opened: dict[str, list[re.Match[str]]] = {}
    ends: list[tuple[re.Match[str], int]] = []
    for tag in _BLOCK_TAG.finditer(text):
        pending = opened.setdefault(tag[2].lower(), [])
        if not tag[1]:
            if not tag[3].endswith("/"):
                pending.append(tag)
        elif pending:
            ends.append((pending.pop(), tag.end()))
    ends += [(tag, -1) for pending in opened.values() for tag in pending]
    done = prose = 0
    for tag, end in sorted(ends, key=lambda pair: pair[0].start()):
        if tag.start() < done or not begins_line(text, tag.start()):
            continue
        if _MARKDOWN.search(tag[3]):
            prose = max(prose, end)
        elif end < 0:
            yield tag.start(), len(text), False
        else:
            line = text.rfind("\n", 0, tag.start()) + 1
            yield tag.start(), end, tag.start() >= prose and tag.start() - line < _INDENT
            done = end
    start = -1
    for edge in _COMMENT_EDGE.finditer(text):
        if edge[0] == "-->":
            if start >= 0:
                yield start, edge.end(), True
            start = -1
        elif start < 0 and begins_line(text, edge.start()):
            start = edge.start()
    if start >= 0:
        yield start, len(text), False


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """What stands between blank lines and may have a marker, and where it begins."""
    start = 0
    for end in (*(found.start() for found in _BLANK_LINE.finditer(text)), len(text)):
        block = text[start:end]
        if "[" in block or "【" in block or RAW_TAG.search(block):
            yield start, block
        start = end


def _inline(text: str) -> Iterator[_Span]:
    """Code spans, raw elements, tags and comments in paragraphs, and the brackets that are escaped."""
    tags: list[tuple[int, re.Match[str]]] = []
    for offset, block in _blocks(text):
        found: list[re.Match[str]] = []
        for start, end, certain in _inline_of(block, found):
            yield offset + start, offset + end, certain
        tags += [(offset, tag) for tag in found]
    opened: dict[str, list[int]] = {}
    for offset, token in tags:
        if tag := _raw_tag(token):
            pending = opened.setdefault(tag[2].lower(), [])
            if not tag[1]:
                pending.append(offset + token.start())
            elif pending:
                yield pending.pop(), offset + token.end(), False


def _inline_of(text: str, tags: list[re.Match[str]]) -> Iterator[_Span]:
    """The same in one paragraph; *tags* are added to."""
    following: dict[int, list[int]] = {}
    for run in re.finditer("`+", text):
        following.setdefault(len(run[0]), []).append(run.start())
    position = 0
    last_comment_end = text.rfind("-->")
    while token := _TOKEN.search(text, position):
        start, position = token.span()
        piece = token[0]
        if piece[0] == "\\":
            if piece[1] in "[]":
                yield start, position, True
            elif piece[1] == "`":
                # The rest of the run, if any, opens nothing.
                position = start + 2
        elif piece[0] == "`":
            starts = following.get(len(piece), [])
            place = bisect_left(starts, position)
            if place < len(starts):
                end = starts[place] + len(piece)
                yield start, end, not _SPAN_BREAK.search(text, start, end)
                position = end
        elif piece == "<!--":
            if start < last_comment_end:
                position = text.index("-->", start) + 3
                yield start, position, True
        else:
            yield start, position, True
            tags.append(token)
    yield from _raw_elements(text, tags)
    for found in _PERHAPS_CODE.finditer(text):
        yield found.start(), found.end(), False


def _raw_tag(token: re.Match[str]) -> re.Match[str] | None:
    return None if token[0].endswith("/>") else RAW_TAG.match(token[0])


def _raw_elements(text: str, tags: list[re.Match[str]]) -> Iterator[_Span]:
    opened: dict[str, list[int]] = {}
    for token in tags:
        tag = _raw_tag(token)
        if not tag:
            continue
        pending = opened.setdefault(tag[2].lower(), [])
        if not tag[1]:
            pending.append(token.start())
        elif pending:
            start, end = pending.pop(), token.end()
            if not pending:
                yield start, end, not _SPAN_BREAK.search(text, start, end)
    for pending in opened.values():
        if pending:
            yield pending[0], len(text), False


def _links(text: str) -> Iterator[_Span]:
    """Links and images whose text or address is no marker that anyone asks about."""
    defined = {" ".join(found[1].lower().split()) for found in _DEFINITION.finditer(text)}
    for offset, block in _blocks(text):
        for start, end, certain in _links_of(block, defined):
            yield offset + start, offset + end, certain


def _links_of(text: str, defined: set[str]) -> Iterator[_Span]:
    closings: dict[int, int] = {}
    brackets: list[int] = []
    parentheses: list[int] = []
    for bracket in _BRACKET.finditer(text):
        if bracket[0] in "[(":
            (brackets if bracket[0] == "[" else parentheses).append(bracket.start())
        elif pending := brackets if bracket[0] == "]" else parentheses:
            closings[pending.pop()] = bracket.start()
    position = 0
    for opening in sorted(closings):
        if opening < position or text[opening] != "[":
            continue
        end = closings[opening] + 1
        if text[end : end + 1] == "(" and end in closings:
            position = closings[end] + 1
            yield opening, position, not _SPAN_BREAK.search(text, opening, position)
        elif label := _LABEL.match(text, end):
            # Brackets in brackets are looked at again and again, but only so far.
            inside = text[opening + 1 : min(end - 1, opening + _FAR)]
            if " ".join((label[1] or inside).lower().split()) not in defined:
                continue
            if not (_NUMBERS.fullmatch(label[1]) and _NUMBERS.fullmatch(inside)):
                position = label.end()
                yield opening, position, not _SPAN_BREAK.search(text, opening, position)
