"""What Python-Markdown itself will make of the brackets in a text, asked before it does so."""

from __future__ import annotations

import re
from collections.abc import Collection, Container
from typing import Any, NamedTuple

from markdown import Markdown
from markdown.inlinepatterns import LinkInlineProcessor, ReferenceInlineProcessor
from markdown.util import ETX, STX

LABEL = re.compile(r"\s?\[([^\]]*)\]")
"""What makes a reference link of the bracket before it: Python-Markdown allows one space between them."""

SINGLE_LINES = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "td", "th"})
"""Elements whose text is no paragraph, so that no definition can begin it."""

_BRACKET = re.compile(r"[\[\]]")
_FOOTNOTE = re.compile(r"\[\^([^\]]*)\]")


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


class Host:
    """What a parser has loaded that reads brackets; asked once in a conversion, since asking takes long."""

    def __init__(self, md: Markdown) -> None:
        """Look after the blocks have been read, when the footnotes are known."""
        patterns: Any = md.inlinePatterns
        self.patterns = patterns
        self.references: dict[str, Any] = md.references
        # The attribute `footnotes` is documented nowhere: read in Python-Markdown 3.11.3.
        notes = getattr(patterns["footnote"], "footnotes", None) if "footnote" in patterns else None
        self.footnotes: Any = getattr(notes, "footnotes", ())
        """The footnotes of the page by label."""
        # `ancestors` is there for `ANCESTOR_EXCLUDES`, though documented nowhere: read there too.
        self._inline: Any = md.treeprocessors["inline"]
        self._html = [
            patterns[name] for name in ("autolink", "automail", "html") if name in patterns
        ]
        # The pattern's name and what it hands back are documented nowhere: read in pymdown-extensions 13.1.2.
        self.magic_link: Any = patterns["magic-link"] if "magic-link" in patterns else None  # noqa: SIM401
        # Its name is read in mkdocs-autorefs 1.4.5.
        self.links_any_pairs = "mkdocs-autorefs" in patterns
        """Whether an extension makes a link of any two pairs of brackets."""

    def in_single_line(self) -> bool:
        """Whether the text that the host is asking about is that of a heading or a cell."""
        ancestors: list[str] = getattr(self._inline, "ancestors", [])
        return bool(ancestors) and ancestors[-1] in SINGLE_LINES

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The tags and the addresses in a text, which are the host's, brackets and all."""
        spans = self.tags(text) if "<" in text else []
        if self.magic_link and _has_bracket_in_address(text):
            spans += _addresses(self, text)
        return sorted(span for span in spans if span[0] < span[1]) if spans else spans

    def tags(self, text: str) -> list[tuple[int, int]]:
        """The tags alone."""
        return [
            found.span()
            for pattern in self._html
            for found in pattern.getCompiledRegExp().finditer(text)
        ]


def _has_bracket_in_address(text: str) -> bool:
    """Whether a bracket stands behind what may begin an address, without white space between."""
    heads = (part[: part.rfind("[")] for part in text.lower().split() if "[" in part)
    return any("://" in head or "www." in head for head in heads)


def _addresses(host: Host, text: str) -> list[tuple[int, int]]:
    """The addresses that the host links by itself, in what its links have left when it looks for them."""
    notes = host.footnotes
    text = _FOOTNOTE.sub(
        lambda found: _hidden(found[0], 0, len(found[0])) if found[1] in notes else found[0], text
    )
    for processor in host.patterns:
        if processor is host.magic_link:
            break
        if isinstance(processor, LinkInlineProcessor):
            text = _without_links(processor, text)
    for start, end in host.tags(text):
        text = _hidden(text, start, end)
    spans = [(0, 0)]
    for found in host.magic_link.getCompiledRegExp().finditer(text):
        _, start, end = host.magic_link.handleMatch(found, text)
        if start is not None and end is not None and start >= spans[-1][1]:
            spans.append((start, end))
    return spans


def _without_links(processor: Any, text: str) -> str:
    """*text* as the host leaves it when this processor is done, but as long as it was."""
    position = 0
    while True:
        for found in processor.getCompiledRegExp().finditer(text, position):
            element, start, end = processor.handleMatch(found, text)
            if start is not None and end is not None:
                break
        else:
            return text
        if element is None:
            position = end
        else:
            text, position = _hidden(text, start, end), 0


def _hidden(text: str, start: int, end: int) -> str:
    """*text* with a placeholder in it, as long as what it stands for."""
    return f"{text[:start]}{STX}{'x' * (end - start - 2)}{ETX}{text[end:]}"
