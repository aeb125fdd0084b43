"""The author's text with everything blank that holds no citations, so that only prose is searched."""

from __future__ import annotations

import re

from mdit_citations.front_matter import find_front_matter
from mkdocs_citations.code_lines import Span, code_lines
from mkdocs_citations.markup import html_blocks, inline, links


def prose(text: str) -> tuple[str, str]:
    """*text* line by line as long as it was, front matter and all else that is no prose blank.

    In the first result all that may be such is blank, in the second what is so for certain.
    """
    if front := find_front_matter(text):
        text = _blank(text, [(0, front.end, True)])
    doubts: list[Span] = []
    for stage in (code_lines, html_blocks, inline, links):
        spans = list(stage(text))
        text = _blank(text, [span for span in spans if span[2]])
        doubts += [span for span in spans if not span[2]]
    return _blank(text, doubts), text


def _blank(text: str, spans: list[Span]) -> str:
    parts: list[str] = []
    position = 0
    for start, end, _ in sorted(spans):
        if end > position:
            cut = max(start, position)
            parts += text[position:cut], re.sub(r"[^\n]", " ", text[cut:end])
            position = end
    return "".join([*parts, text[position:]])
