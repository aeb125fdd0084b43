"""Core rule, after ``text_join``: in a heading, the space before a citation goes with it.

What names a heading after its text (the ``anchors`` plugin, tables of contents) passes citations over, and
would else make ``rain-`` of ``Rain [1]``. A render rule for ``citation`` writes ``meta["space"]`` first.
"""

from __future__ import annotations

from markdown_it.rules_core import StateCore
from markdown_it.token import Token


def take_spaces(state: StateCore) -> None:
    """The rule."""
    citations = state.env.get("citations")
    if citations is None or not citations.sources:
        return
    for index, token in enumerate(state.tokens):
        if token.type != "heading_open":
            continue
        before: Token | None = None
        for child in state.tokens[index + 1].children or ():
            if child.type == "citation" and before is not None and before.type == "text":
                text = before.content.rstrip(" \t")
                child.meta["space"] = before.content[len(text) :]
                before.content = text
            before = child
