"""What Python-Markdown itself will make of the brackets in a text, asked before it does so."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Container
from typing import Any, NamedTuple

from markdown import Markdown
from markdown.inlinepatterns import ReferenceInlineProcessor
from markdown.util import ETX

LABEL = re.compile(r"\s?\[([^\]]*)\]")
"""What makes a reference link of the bracket before it: Python-Markdown allows one space between them."""

SINGLE_LINES = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "td", "th"})
"""Elements whose text is no paragraph, so that no definition can begin it."""

_BRACKET = re.compile(r"[\[\]]")
_FOOTNOTE = re.compile(r"\[\^([^\]]*)\]")
_LINK_END = re.compile(r"\)(?=(?:ht|f)tps?://|www\.)", re.IGNORECASE)


class Pair(NamedTuple):
    """Two neighbouring pairs of brackets, ``[text][label]``."""

    end_of_text: int
    """Offset behind the first pair."""
    label: int
    """Offset of the second pair."""
    defined: bool
    """Whether it is a link (or an image)."""


class Pairs:
    """The pairs that the host takes for references, which it finds by going two by two."""

    def __init__(self, text: str, references: Collection[str], notes: Container[str]) -> None:
        """Without *references* there is nothing to look for."""
        self.by_text: dict[int, Pair] = {}
        self.by_label: dict[int, Pair] = {}
        if not references:
            return
        if "[^" in text:
            # Footnotes have been taken by then.
            text = _FOOTNOTE.sub(
                lambda found: "x" * len(found[0]) if found[1] in notes else found[0], text
            )
        closings = _closings(text)
        for image in (False, True):
            position = 0
            for opening in sorted(closings):
                if opening < position or (text[opening - 1 : opening] == "!") is not image:
                    continue
                end = closings[opening] + 1
                if label := LABEL.match(text, end):
                    position = label.end()
                    name = label_name(label[1] or text[opening + 1 : end - 1])
                    start = label.end() - len(label[1]) - 2
                    pair = Pair(end, start, name in references)
                    if image and not pair.defined:
                        continue
                    self.by_text[opening] = self.by_label[start] = pair


def _closings(text: str) -> dict[int, int]:
    """Where each bracket that is closed has its closing one."""
    closings: dict[int, int] = {}
    opened: list[int] = []
    for bracket in _BRACKET.finditer(text):
        if bracket[0] == "[":
            opened.append(bracket.start())
        elif opened:
            closings[opened.pop()] = bracket.start()
    return closings


def label_name(label: str) -> str:
    """A label as the host looks it up."""
    return ReferenceInlineProcessor.NEWLINE_CLEANUP_RE.sub(" ", label.lower())


def footnotes(md: Markdown) -> Any:
    """The footnotes of the page by label, where the extension for them is loaded."""
    # The pattern's attribute `footnotes` is documented nowhere: read in Python-Markdown 3.11.3.
    if "footnote" in md.inlinePatterns:
        extension = getattr(md.inlinePatterns["footnote"], "footnotes", None)
        return getattr(extension, "footnotes", ())
    return ()


def begins_line(text: str, position: int, *, starts: bool = True) -> bool:
    """Whether only blanks stand between *position* and the start of its line.

    *starts* is whether the text itself starts a line.
    """
    while position and text[position - 1] in " \t":
        position -= 1
    return text[position - 1] == "\n" if position else starts


def in_single_line(md: Markdown) -> bool:
    """Whether the text that the host is asking about is that of a heading or a cell."""
    # `ancestors` is there for `ANCESTOR_EXCLUDES`, though documented nowhere: read in Python-Markdown 3.11.3.
    inline: Any = md.treeprocessors["inline"]
    ancestors: list[str] = getattr(inline, "ancestors", [])
    return bool(ancestors) and ancestors[-1] in SINGLE_LINES


def host_spans(md: Markdown, text: str) -> list[tuple[int, int]]:
    """The tags and the addresses in a text, which are the host's, brackets and all."""
    spans: list[tuple[int, int]] = []
    patterns: Any = md.inlinePatterns
    if "<" in text:
        for name in ("autolink", "automail", "html"):
            if name in patterns:
                spans += [
                    found.span() for found in patterns[name].getCompiledRegExp().finditer(text)
                ]
    if "magic-link" in patterns and ("://" in text or "www." in text.lower()):
        # By the time the host looks for addresses, tags and links are placeholders. The pattern's name and
        # what it hands back are documented nowhere: read in pymdown-extensions 13.1.2.
        pieces: list[str] = []
        position = 0
        for start, end in sorted(spans):
            if position <= start:
                pieces += text[position:start], "x" * (end - start - 1), ETX
                position = end
        text = _LINK_END.sub(ETX, "".join([*pieces, text[position:]]))
        links = sorted(end for end in _closings(text).values() if text.startswith("](", end))
        pattern = patterns["magic-link"]
        for found in pattern.getCompiledRegExp().finditer(text):
            _, start, end = pattern.handleMatch(found, text)
            if start is not None and end is not None:
                link = bisect_left(links, start - 2)
                cut = links[link] if link < len(links) else end
                spans.append((start, min(end, cut)))
    return sorted(span for span in spans if span[0] < span[1])
