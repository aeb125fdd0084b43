"""Block processor, before footnotes and references: lines ``[^n]: …`` that are copies are dropped.

Their extent is that of the host's ``footnotes``: the lines up to the next definition, then whatever is
indented by four.
"""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element

from markdown.blockprocessors import BlockProcessor

from mdit_citations.definitions import longest
from mkdocs_citations.document import Document

_OPENING = re.compile(r"^ {0,3}\[\^([^\]\n]*)\]:", re.MULTILINE)
_NUMBER = re.compile(r"[1-9][0-9]{0,5}", re.ASCII)
_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})", re.MULTILINE)
_INDENT = re.compile(r"^ {4}", re.MULTILINE)


class DefinitionProcessor(BlockProcessor):
    """Takes the copies out of a block."""

    document: Document

    def __init__(self, parser: Any) -> None:
        """The document is set anew for each conversion."""
        super().__init__(parser)
        self._seen: set[str] = set()

    def begin(self, document: Document) -> None:
        """Forget the conversion before."""
        self.document = document
        self._seen.clear()

    def test(self, parent: Element, block: str) -> bool:  # noqa: ARG002
        """Whether the block may have a definition."""
        return "[^" in block and "]:" in block and block not in self._seen

    def run(self, parent: Element, blocks: list[str]) -> bool:  # noqa: ARG002
        """Drop copies; True when the block was changed."""
        block = blocks[0]
        openings = list(_OPENING.finditer(block))
        if not openings or len(_FENCE.findall(block, 0, openings[0].start())) % 2:
            return False
        kept = [block[: openings[0].start()]]
        ends = [opening.start() for opening in openings[1:]] + [len(block)]
        dropped = False
        rest: list[str] = []
        for opening, end in zip(openings, ends, strict=True):
            following = _following(blocks) if end == len(block) else []
            if self._is_copy(block, opening, end, following):
                dropped = True
                if following:
                    rest = _cut(blocks, following)
            else:
                kept.append(block[opening.start() : end])
        left = "".join(kept)
        self._seen.add(left)
        if not dropped:
            return False
        del blocks[0]
        blocks[:0] = [*([left.rstrip("\n")] if left.strip() else []), *rest]
        self._seen.add(left.rstrip("\n"))
        return True

    def _is_copy(self, block: str, opening: re.Match[str], end: int, following: list[str]) -> bool:
        citations = self.document.citations
        if not _NUMBER.fullmatch(opening[1]):
            return False
        source = citations.citable.get(int(opening[1]))
        if source is None:
            return False
        if self.document.options.definitions == "all":
            return True
        most = longest(source)
        text = "\n".join([block[opening.end() : min(end, opening.end() + most)], *following])
        if end - opening.end() <= most and citations.is_copy(source.number, _INDENT.sub("", text)):
            return True
        start = block.index("[", opening.start())
        line = block.find("\n", start, end)
        place = self.document.places.find(block, start, end if line < 0 else line)
        citations.report_definition(source.number, *place)
        return False


def _following(blocks: list[str]) -> list[str]:
    """The blocks after the first that belong to the definition it ends with."""
    found: list[str] = []
    for block in blocks[1:]:
        if not block.startswith("    "):
            break
        opening = _OPENING.search(block)
        found.append(block[: opening.start()] if opening else block)
        if opening:
            break
    return found


def _cut(blocks: list[str], following: list[str]) -> list[str]:
    """Take the blocks that *following* came from; what is left of the last one, if anything."""
    last = blocks[len(following)]
    left = last[len(following[-1]) :]
    del blocks[1 : len(following) + 1]
    return [left] if left else []
