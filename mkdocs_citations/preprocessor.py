"""Preprocessor, before all others: finds the sources of a text, and takes them out of it.

A text without sources is left to the host altogether: none of our other processors is even registered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from markdown import Markdown
from markdown.preprocessors import Preprocessor

from mdit_citations.citations import Citations
from mdit_citations.front_matter import FrontMatter, FrontMatterBlock, read_front_matter
from mdit_citations.options import Options
from mdit_citations.problems import Problem
from mdit_citations.sources import Sources
from mkdocs_citations import unplugged, zensical
from mkdocs_citations.document import Document
from mkdocs_citations.registry import PageSources, Registry


class SourcesPreprocessor(Preprocessor):
    """Begins each conversion with a state of its own."""

    def __init__(
        self,
        md: Markdown,
        options: Options,
        shared: tuple[Sources, list[Problem]],
        registry: Registry | None,
        begin: Callable[[Document | None], None],
    ) -> None:
        """*begin* is told of each new document, and of each text that has none."""
        super().__init__(md)
        self.options = options
        self.shared, self.shared_problems = shared
        self.registry = registry
        self.begin = begin

    def run(self, lines: list[str]) -> list[str]:
        """The lines without the block."""
        text = "\n".join(lines)
        page: PageSources | None
        if self.registry is not None:
            page = self.registry.detach(lines)
        elif (context := zensical.rendering(self.md)) is not None:
            page = zensical.page_sources(context, self.options, self.shared, self.shared_problems)
        else:
            if self.options.front_matter:
                unplugged.warn(self.md, self.options.key)
            page, lines = self._own(text, lines)
        if page is None:
            self.md.citations = Citations()  # type: ignore[attr-defined]
            self.begin(None)
            return lines
        options = self.options
        if self.registry is not None and _is_excerpt(self.md):
            options = replace(options, list=False, id_prefix=f"{options.id_prefix}{page.name}")
        citations = Citations(
            page.sources,
            problems=page.problems,
            id_prefix=options.id_prefix,
            language=page.language,
        )
        if options is self.options:
            page.citations = citations
        self._begin(citations, options, text, page)
        return lines

    def _begin(self, citations: Citations, options: Options, text: str, page: PageSources) -> None:
        self.md.citations = citations  # type: ignore[attr-defined]
        if citations.sources:
            self.begin(Document(citations, options, text, page))
        else:
            zensical.log_problems(self.md, citations)
            self.begin(None)

    def _own(self, text: str, lines: list[str]) -> tuple[PageSources | None, list[str]]:
        """What the text itself and the options bring."""
        options = self.options
        front = FrontMatter(Sources(), [])
        if text.startswith("---"):
            front = read_front_matter(
                text, key=options.key, own=options.front_matter, shared=bool(self.shared)
            )
            if front.block:
                lines = self._without(front.block, text)
            if not front.enabled:
                return None, lines
        sources = front.sources.with_shared(self.shared)
        problems = [*front.problems, *self.shared_problems]
        return PageSources(sources, problems, language=front.language), lines

    def _without(self, block: FrontMatterBlock, text: str) -> list[str]:
        if "meta" not in self.md.preprocessors:
            return text[block.end :].split("\n")
        # Front matter that the host reads itself loses only what it could not read.
        for _, start, end in reversed(block.spans):
            text = text[:start] + text[end:]
        return text.split("\n")


def _is_excerpt(md: Any) -> bool:
    """Whether this is Material's rendering of a post for a list of posts."""
    # The class's name is Material's own affair: read in mkdocs-material 9.8.2.
    return any(
        type(processor).__name__ == "ExcerptTreeprocessor" for processor in md.treeprocessors
    )
