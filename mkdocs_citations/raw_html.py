"""Raw HTML in the page's tree, where it is placeholders: which tags open and close what is no prose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from xml.etree.ElementTree import Element

from markdown.util import ETX, STX, AtomicString

from mdit_citations.markers import RAW_TAG

OPENING = f"{STX}wzxhzdk:"
"""How the host's placeholder begins."""
PLACEHOLDER = rf"{OPENING}(\d+){ETX}"
"""A regular expression, whose group is the place in the host's stash."""


def tag_of(html: Any) -> tuple[bool, str] | None:
    """Whether it closes, and the name, where *html* is one tag of a raw element and no more."""
    tag = RAW_TAG.match(html) if isinstance(html, str) else None
    if not tag or html.endswith("/>") or html.find("</", 2) >= 0:
        return None
    return bool(tag[1]), tag[2].lower()


def edges(root: Element, stash: Sequence[Any]) -> dict[int, int]:
    """By place in the *stash*: 1 for a tag that opens an element, -1 for the one that closes it.

    Those that are never closed, and so end with their block, have no edge.
    """
    if not any(map(tag_of, stash)):
        return {}
    opened: dict[str, list[int]] = {}
    found: dict[int, int] = {}
    for text in root.itertext():
        if OPENING not in text or isinstance(text, AtomicString):
            continue
        for placeholder in re.finditer(PLACEHOLDER, text):
            index = int(placeholder[1])
            tag = tag_of(stash[index]) if index < len(stash) else None
            if not tag:
                continue
            closing, name = tag
            pending = opened.setdefault(name, [])
            if not closing:
                pending.append(index)
            elif pending:
                start = pending.pop()
                if not pending:
                    found[start], found[index] = 1, -1
    return found
