"""The markdown-it-py plugin: `citations_plugin`.

Syntax stands in rules of its own, meaning in the core rules. Each rule is a module of
`mdit_citations.rules`; here they are put in their places.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.ruler import RuleOptionsType
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from mdit_citations.listing import listing_html, superscript_html
from mdit_citations.markers import grammar
from mdit_citations.options import Options
from mdit_citations.rules import typography
from mdit_citations.rules.citation import citation_rule, single_lines, stop_text_at
from mdit_citations.rules.definition import definition_rule
from mdit_citations.rules.headings import take_spaces
from mdit_citations.rules.listing import listing_rule
from mdit_citations.rules.sources import sources_rule
from mdit_citations.rules.text import citations_text


def citations_plugin(md: MarkdownIt, options: Options | None = None, **changes: Any) -> None:
    """Make citation markers work: ``MarkdownIt().use(citations_plugin)``.

    *options*, and *changes* to them, are those of `Options`, by the same names. Sources come from
    ``env["sources"]``, the front matter, and the options, in this order; the result is `Citations` in
    ``env["citations"]``, a key that belongs to us. Using it again on the same parser changes nothing.
    Raises ``ValueError`` for a wrong option, ``OSError`` for a sources file that can't be read.
    """
    chosen = Options.of(options, **changes)
    if "citations_list" in md.core.ruler.get_all_rules():
        return
    forms = grammar(ranges=chosen.ranges, lenticular=chosen.lenticular)

    md.core.ruler.before("block", "citations_sources", sources_rule(chosen))
    if chosen.inline:
        if chosen.definitions != "none":
            take_all = chosen.definitions == "all"
            rule = definition_rule(take_all=take_all)
            ends: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote"]}
            md.block.ruler.before("fence", "citation_definition", rule, ends)
        md.core.ruler.before("inline", "citations_lines", single_lines)
        stop_text_at(md, forms.openings)
        md.inline.ruler.before("link", "citation", citation_rule(forms))
        md.core.ruler.after("inline", "citations_text", citations_text)
        md.core.ruler.before("replacements", "citations_fold", typography.fold)
        md.core.ruler.after("smartquotes", "citations_unfold", typography.unfold)
        md.core.ruler.after("text_join", "citations_headings", take_spaces)
    md.core.ruler.push("citations_list", listing_rule(chosen))

    md.add_render_rule("citation", _render_citation)
    md.add_render_rule("sources_list", _render_list)


def _render_citation(
    self: RendererProtocol, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    meta = tokens[index].meta
    space: str = meta.get("space", "")
    return space + superscript_html(meta["links"], meta["id"])


def _render_list(
    self: RendererProtocol, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    return listing_html(tokens[index].meta["listing"])
