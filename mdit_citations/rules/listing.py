"""Core rule, last of all: count the superscripts in reading order, and put the list where it belongs."""

from __future__ import annotations

from collections.abc import Callable

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from mdit_citations.listing import PLACEHOLDER, Linker, build_listing
from mdit_citations.options import Options
from mdit_citations.rules import raised


def listing_rule(options: Options) -> Callable[[StateCore], None]:
    """The rule."""

    def citations_list(state: StateCore) -> None:
        citations = state.env.get("citations")
        if citations is None:
            return
        citations.sort_problems()
        if not citations.sources:
            return
        links = Linker(citations, options, has_list=not state.inlineMode)
        placeholder = None
        for index, token in enumerate(state.tokens):
            if token.type != "inline" or not token.children:
                continue
            for child in token.children:
                if child.type == "citation":
                    meta = child.meta
                    meta["id"] = citations.cite(meta["numbers"])
                    meta["links"] = links.group(meta["numbers"])
            if token.content == PLACEHOLDER and placeholder is None and _alone(state.tokens, index):
                placeholder = index
        if not state.inlineMode and (listing := build_listing(citations, options)):
            block = Token("sources_list", "section", 0, meta={"listing": listing}, block=True)
            if placeholder is None:
                state.tokens.append(block)
            else:
                paragraph = state.tokens[placeholder - 1]
                block.level, block.map = paragraph.level, paragraph.map
                state.tokens[placeholder - 1 : placeholder + 2] = [block]
        if options.superscript == "unicode":
            raised.replace_tokens(state, options)

    return citations_list


def _alone(tokens: list[Token], index: int) -> bool:
    """Whether an inline token is all of a paragraph, and nothing but text."""
    return (
        0 < index < len(tokens) - 1
        and tokens[index - 1].type == "paragraph_open"
        and tokens[index + 1].type == "paragraph_close"
        and all(child.type == "text" for child in tokens[index].children or ())
    )
