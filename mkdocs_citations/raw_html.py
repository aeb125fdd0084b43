"""Raw HTML in the page's tree, where it is placeholders: which tags open and close what is no prose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from markdown.util import ETX, STX, AtomicString

from mdit_citations.raw_elements import RawTag, pairs, raw_tag

OPENING = f"{STX}wzxhzdk:"
"""How the host's placeholder begins."""
PLACEHOLDER = rf"{OPENING}(\d+){ETX}"
"""A regular expression, whose group is the place in the host's stash."""


def tag_of(html: Any) -> RawTag | None:
    """The tag of a raw element that *html*, an entry of the host's stash, is, if it is one and no more."""
    return raw_tag(html) if isinstance(html, str) and html.find("</", 2) < 0 else None


def edges(root: Element, stash: Sequence[Any]) -> dict[int, int]:
    """By place in the *stash*: 1 for a tag that opens an element, -1 for the one that closes it.

    Those that are never closed, and so end with their block, have no edge.
    """
    if not any(map(tag_of, stash)):
        return {}
    found: dict[int, int] = {}
    for start, end in pairs(_tags(root, stash)):
        found[start], found[end] = 1, -1
    return found


def _tags(root: Element, stash: Sequence[Any]) -> Iterator[tuple[int, RawTag]]:
    for text in root.itertext():
        if OPENING in text and not isinstance(text, AtomicString):
            for placeholder in re.finditer(PLACEHOLDER, text):
                index = int(placeholder[1])
                if index < len(stash) and (tag := tag_of(stash[index])):
                    yield index, tag
