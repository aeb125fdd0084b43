"""What in the author's text is HTML, code spans or links, as far as that can be told without the host."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from mdit_citations.markers import begins_line
from mdit_citations.raw_elements import pairs, raw_tag, raw_tags
from mkdocs_citations.code_lines import INDENT, Span

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
_MOST_NESTED = 200
"""How much of a link's text is looked at, since brackets in brackets are looked at again and again."""


def html_blocks(text: str) -> Iterator[Span]:
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
            yield tag.start(), end, tag.start() >= prose and tag.start() - line < INDENT
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
        if "[" in block or "【" in block or any(raw_tags(block)):
            yield start, block
        start = end


def inline(text: str) -> Iterator[Span]:
    """Code spans, raw elements, tags and comments in paragraphs, and the brackets that are escaped."""
    tags: list[tuple[int, re.Match[str]]] = []
    for offset, block in _blocks(text):
        found: list[re.Match[str]] = []
        for start, end, certain in _inline_of(block, found):
            yield offset + start, offset + end, certain
        tags += [(offset, tag) for tag in found]
    raw = [
        ((offset + token.start(), offset + token.end()), tag)
        for offset, token in tags
        if (tag := raw_tag(token[0]))
    ]
    for (start, _), (_, end) in pairs(raw):
        yield start, end, False


def _inline_of(text: str, tags: list[re.Match[str]]) -> Iterator[Span]:
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


def _raw_elements(text: str, tags: list[re.Match[str]]) -> Iterator[Span]:
    found = [(token.span(), tag) for token in tags if (tag := raw_tag(token[0]))]
    closed = sorted(pairs(found))
    done = 0
    for (start, _), (_, end) in closed:
        # What stands in another one is passed over with that.
        if start >= done:
            done = end
            yield start, end, not _SPAN_BREAK.search(text, start, end)
    opened = {place for place, tag in found if not tag.closing} - {start for start, _ in closed}
    if opened:
        yield min(opened)[0], len(text), False


def links(text: str) -> Iterator[Span]:
    """Links and images whose text or address is no marker that anyone asks about."""
    defined = {" ".join(found[1].lower().split()) for found in _DEFINITION.finditer(text)}
    for offset, block in _blocks(text):
        for start, end, certain in _links_of(block, defined):
            yield offset + start, offset + end, certain


def _links_of(text: str, defined: set[str]) -> Iterator[Span]:
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
            inside = text[opening + 1 : min(end - 1, opening + _MOST_NESTED)]
            if " ".join((label[1] or inside).lower().split()) not in defined:
                continue
            if not (_NUMBERS.fullmatch(label[1]) and _NUMBERS.fullmatch(inside)):
                position = label.end()
                yield opening, position, not _SPAN_BREAK.search(text, opening, position)
