"""Core rule, before ``block``: find the sources of the document."""

from __future__ import annotations

from collections.abc import Callable

from markdown_it.rules_core import StateCore

from mdit_citations.citations import Citations
from mdit_citations.front_matter import (
    find_front_matter,
    page_language,
    parse_front_matter,
    unclosed_front_matter,
)
from mdit_citations.options import Options, shared_sources
from mdit_citations.sources import Sources, parse_sources


def sources_rule(options: Options) -> Callable[[StateCore], None]:
    """The rule, with the shared sources read once. Raises ``OSError`` for an unreadable file."""
    shared, shared_problems = shared_sources(options)

    def citations_sources(state: StateCore) -> None:
        env = state.env
        known = env.get("citations")
        if isinstance(known, Citations) and (known.continues or state.inlineMode):
            # A caption or a title that a render rule hands to the parser is part of the document.
            return
        given, problems = parse_sources(env.get("sources"), path='env["sources"]')
        own = list(given.values())
        prefix = options.id_prefix or env.get("docId")
        language = ""
        text = state.src
        if options.front_matter and not state.inlineMode and text.startswith("---"):
            block = find_front_matter(text, options.key)
            if block:
                page = parse_front_matter(block.yaml, key=options.key)
                if "front_matter" not in state.md.block.ruler.get_active_rules():
                    # Blank lines keep the line numbers of all that follows.
                    state.src = "\n" * block.lines + text[block.end :]
                if not page.enabled:
                    env["citations"] = Citations()
                    return
                own.extend(page.sources.values())
                problems = [*problems, *page.problems]
                language = page.language
            elif not options.streaming and (problem := unclosed_front_matter(text, options.key)):
                problems = [*problems, problem]
            elif own or shared:
                language = page_language(text)
        env["citations"] = Citations(
            Sources(own, shared.values()) if own else shared,
            problems=[*problems, *shared_problems],
            id_prefix=prefix if isinstance(prefix, str) else "",
            language=language,
        )

    return citations_sources
