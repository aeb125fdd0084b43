"""Core rules around ``replacements`` and ``smartquotes``, which must see the text that the author wrote.

What they make of ``--`` or a quote depends on its neighbours, and a text that ends at a citation has others.
So while they run, a citation is the text of its marker; afterwards it is found again. They may rewrite what
stands between brackets (``,,``), but never a bracket, so brackets are counted.
"""

from __future__ import annotations

import re

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from mdit_citations.rules.text import joined

_GROUP = re.compile(r"\[[0-9^, \t–-]*\]|【[0-9^, \t–-]*】")
_KEPT = "mdit_citations"


def fold(state: StateCore) -> None:
    """Before: make the citations text, and keep them in the inline token's ``meta``."""
    citations = state.env.get("citations")
    if citations is None or not citations.sources or not state.md.options.get("typographer"):
        return
    for token in state.tokens:
        if token.type == "inline" and any(
            child.type == "citation" for child in token.children or ()
        ):
            token.children, kept = _folded(token.children or [])
            if kept:
                token.meta[_KEPT] = kept


def unfold(state: StateCore) -> None:
    """After: put them back."""
    for token in state.tokens:
        if token.type == "inline" and _KEPT in token.meta:
            kept = token.meta.pop(_KEPT)
            count = 0
            children: list[Token] = []
            for child in token.children or ():
                if child.type == "text":
                    count = _unfold_text(child, kept, count, children)
                else:
                    children.append(child)
            token.children = children


def _folded(children: list[Token]) -> tuple[list[Token], dict[int, Token]]:
    """The children with citations as text, and those by how many groups of brackets stand before them."""
    kept: dict[int, Token] = {}
    folded: list[Token] = []
    count = 0
    for child in children:
        if child.type == "citation" and "\n" not in child.content:
            kept[count] = child
            count += len(_GROUP.findall(child.content))
            folded.append(Token("text", "", 0, content=child.content, level=child.level))
        else:
            if child.type == "text":
                count += len(_GROUP.findall(child.content))
            folded.append(child)
    return joined(folded), kept


def _unfold_text(text: Token, kept: dict[int, Token], count: int, children: list[Token]) -> int:
    """Append the pieces of *text* to *children*; *count* groups stand before it. Returns how many by then."""
    content = text.content
    last = 0
    for group in _GROUP.finditer(content):
        citation = kept.get(count)
        count += 1
        if citation and content.startswith(citation.content, group.start()):
            if group.start() > last:
                piece = content[last : group.start()]
                children.append(Token("text", "", 0, content=piece, level=text.level))
            children.append(citation)
            last = group.start() + len(citation.content)
    if last < len(content):
        children.append(
            text if not last else Token("text", "", 0, content=content[last:], level=text.level)
        )
    return count
