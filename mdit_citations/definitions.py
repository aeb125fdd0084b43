"""Footnote-like lines ``[^n]: …`` that only repeat the entry of source n."""

from __future__ import annotations

import re

from mdit_citations import urls, written
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


def is_copy(text: str, source: Source, title: str | None = None) -> bool:
    """Whether *text*, what follows the colon, names the source and says little else.

    It names the source by its address (canonically) or its title (case and white space folded), and has at
    most `MAX_REMARK` characters beside them. An address of another page says something else. *title* is the
    `folded` title, for a caller that asks about many texts.
    """
    if len(text) > longest(source):
        return False
    named = False
    remark = text
    for start, end in reversed(written.find_urls(text)):
        found = text[start:end]
        if found == source.href or urls.same_page(found, source.href or source.url):
            named = True
        elif not (archived := source.get("archived")) or not urls.same_page(found, archived):
            return False
        remark = f"{remark[:start]} {remark[end:]}"
    remark = folded(remark)
    if title is None:
        title = folded(source.title)
    if title:
        remark, times = _without(remark, title)
        named = named or times > 0
    return named and len(remark) <= MAX_REMARK


def folded(text: str) -> str:
    """*text* as titles are compared: without case, white space as single spaces."""
    return " ".join(text.casefold().split())


def _without(text: str, words: str) -> tuple[str, int]:
    """*text* without every place where *words* stand as whole words, and how many those were."""
    kept: list[str] = []
    last = times = 0
    start = text.find(words)
    while start >= 0:
        end = start + len(words)
        if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
            kept.append(text[last:start])
            last = end
            times += 1
        start = text.find(words, end)
    kept.append(text[last:])
    return " ".join("".join(kept).split()), times
