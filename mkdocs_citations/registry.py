"""Sources that travel with a page's text to wherever, and however often, it is rendered.

A host that strips the front matter before it hands on the text (MkDocs) adds a comment. It survives whatever
plugins do with the text, such as an excerpt in a list of posts; the preprocessor takes it out.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mdit_citations.citations import Citations
from mdit_citations.front_matter import FrontMatter, read_front_matter
from mdit_citations.options import Options
from mdit_citations.problems import Problem
from mdit_citations.sources import Sources, parse_sources

LIST_MARK = "data-citations-list"
"""The attribute by which a host finds the list that it has asked to be marked."""


@dataclass
class PageSources:
    """What a page brings along."""

    sources: Sources
    """All that the page may cite, its own and the shared ones."""
    problems: Sequence[Problem] = ()
    """What is wrong with them."""
    text: Callable[[], str] | None = None
    """Reads the author's file, in which problems have their lines; None where that is what is converted."""
    language: str = ""
    """The page's or the site's language."""
    before: str = ""
    """HTML that is to stand before each superscript."""
    mark: str = ""
    """What the list is to be marked with, for a host that looks for it."""
    name: str = ""
    """What makes the ids of an excerpt its own, where several stand on one page."""
    citations: Citations | None = field(default=None, compare=False)
    """The result of the page's own conversion, once that is done."""


class Registry:
    """The pages of one build."""

    def __init__(self) -> None:
        """Its comments can't be guessed, so that no author can name another page's sources."""
        self._secret = secrets.token_hex(8)
        self._pages: list[PageSources] = []
        self._opening = f"<!-- citations {self._secret} "
        self._comment = re.compile(rf"{self._opening}(\d+) -->")

    def attach(self, text: str, page: PageSources) -> str:
        """*text* with the sources of *page*."""
        page.name = f"post{len(self._pages)}"
        page.mark = self._secret
        self._pages.append(page)
        return f"{text}\n\n{self._opening}{len(self._pages) - 1} -->"

    def without_comment(self, text: str) -> str:
        """*text* as it was before anything was attached to it."""
        before, _, behind = text.partition(self._opening)
        return before.removesuffix("\n\n") + behind.partition("-->")[2]

    def detach(self, lines: list[str]) -> PageSources | None:
        """What has been attached to a text, whose *lines* are left as they were before."""
        if not self._pages:
            return None
        places = [index for index, line in enumerate(lines) if self._secret in line]
        found = None
        for index in reversed(places):
            if comment := self._comment.fullmatch(lines[index].strip()):
                found = found or self._pages[int(comment[1])]
                blank = index and not lines[index - 1]
                del lines[index - 1 if blank else index : index + 1]
        return found


def page_front_matter(
    text: Callable[[], str], meta: Mapping[str, Any], options: Options, *, shared: bool
) -> FrontMatter:
    """What a page's file says, read from its *text*, and *meta*, the host's own reading of it.

    That has lost lines, and how scalars were written, and counts only for what is not in the file (it is in
    one of defaults for a folder). *shared* is whether the page may cite sources from elsewhere.
    """
    if meta.get("citations") is False:
        return FrontMatter(Sources(), [], enabled=False)
    front = read_front_matter(text(), key=options.key, own=options.front_matter, shared=shared)
    if options.front_matter and not front.sources and not front.problems:
        sources, problems = parse_sources(meta.get(options.key), path=options.key)
        front = front._replace(sources=sources, problems=problems)
    language = front.language or meta.get("lang") or meta.get("language")
    return front._replace(language=language if isinstance(language, str) else "")
