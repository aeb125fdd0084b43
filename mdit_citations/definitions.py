"""Footnote-like lines ``[^n]: …`` that only repeat the entry of source n."""

from __future__ import annotations

import re

from mdit_citations import urls
from mdit_citations.sources import Source

OPENING = re.compile(r"\[\^([1-9][0-9]{0,5})\]:")
"""How such a line begins; the group is the number."""

ANY_OPENING = re.compile(r"\[\^[^\]\s]+\]:")
"""How any line begins that footnote syntax takes for a definition."""

MAX_REMARK = 60
"""How many characters a copy may have beside the address and the title."""


def longest(source: Source) -> int:
    """A length beyond which no text is a copy of the entry of *source*, however it is marked up."""
    return 400 + 4 * (len(source.url) + len(source.href or "") + len(source.title))


def is_copy(text: str, source: Source) -> bool:
    """Whether *text*, what follows the colon, names the source and says little else.

    It names the source by its address (canonically) or its title (case and white space folded), and has
    at most `MAX_REMARK` characters beside them. An address of another page says something else.
    """
    if len(text) > longest(source):
        return False
    address, archived = urls.canonical(source.href or source.url), urls.canonical(source.archived)
    named = False
    remark = text
    for start, end in reversed(urls.find_urls(text)):
        found = urls.canonical(text[start:end])
        if found == address:
            named = True
        elif found != archived:
            return False
        remark = f"{remark[:start]} {remark[end:]}"
    remark = _folded(remark)
    if title := _folded(source.title):
        pattern = rf"(?<!\w){re.escape(title)}(?!\w)"
        without = re.sub(pattern, " ", remark)
        named = named or without != remark
        remark = _folded(without)
    return named and len(remark) <= MAX_REMARK


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
