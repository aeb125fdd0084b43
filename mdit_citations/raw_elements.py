"""Raw HTML elements whose content is no prose: which tags open and close them, over a whole page.

An element may begin in one block and end in another. One that is never closed ends with its block, so that a
forgotten tag does not silence the rest of a page.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple, TypeVar

Place = TypeVar("Place", bound=Hashable)

_TAG = re.compile(
    r"<(/?)(a|code|kbd|pre|samp|script|style|textarea)(?=[\s/>])", re.ASCII | re.IGNORECASE
)


class RawTag(NamedTuple):
    """A tag of such an element."""

    closing: bool
    name: str
    """In lower case."""


def raw_tag(html: str) -> RawTag | None:
    """The tag that *html* is, if it is one and not closed in itself (``<a name="x"/>``)."""
    found = _TAG.match(html)
    return RawTag(bool(found[1]), found[2].lower()) if found and not html.endswith("/>") else None


def raw_tags(html: str) -> Iterator[RawTag]:
    """All such tags in *html*, in order."""
    for found in _TAG.finditer(html):
        if html[html.find(">", found.end() - 1) - 1] != "/":
            yield RawTag(bool(found[1]), found[2].lower())


def pairs(tags: Iterable[tuple[Place, RawTag]]) -> Iterator[tuple[Place, Place]]:
    """The places of each opening tag and of the one that closes it; *tags* are those of a page, in order."""
    opened: dict[str, list[Place]] = {}
    for place, tag in tags:
        places = opened.setdefault(tag.name, [])
        if not tag.closing:
            places.append(place)
        elif places:
            yield places.pop(), place


def count(tag: RawTag, opened: dict[str, int]) -> None:
    """Keep *opened*, how many elements of each name are open in a block, behind *tag*."""
    depth = opened.get(tag.name, 0) + (-1 if tag.closing else 1)
    if depth > 0:
        opened[tag.name] = depth
    else:
        opened.pop(tag.name, None)
