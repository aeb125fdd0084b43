"""Core rule, before ``block``: find the sources of the document."""

from __future__ import annotations

from collections.abc import Callable

from markdown_it.rules_core import StateCore

from mdit_citations.citations import Citations
from mdit_citations.front_matter import FrontMatter, read_front_matter
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
        front = FrontMatter(Sources(), [])
        text = state.src
        if not state.inlineMode and text.startswith("---"):
            front = read_front_matter(
                text,
                key=options.key,
                own=options.front_matter,
                shared=bool(given or shared),
                complete=not options.streaming,
            )
            if front.block and "front_matter" not in state.md.block.ruler.get_active_rules():
                # Blank lines keep the line numbers of all that follows.
                state.src = "\n" * front.block.lines + text[front.block.end :]
            if not front.enabled:
                env["citations"] = Citations()
                return
        own = Sources([*given.values(), *front.sources.values()])
        prefix = options.id_prefix or env.get("docId")
        env["citations"] = Citations(
            own.with_shared(shared),
            problems=[*problems, *front.problems, *shared_problems],
            id_prefix=prefix if isinstance(prefix, str) else "",
            language=front.language,
        )

    return citations_sources
