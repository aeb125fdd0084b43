"""markdown-it-py with our plugin, in the orders of ``use`` that people write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from mdit_citations import citations_plugin
from tests.hosts import Host, Result
from tests.reading import read


class MarkdownItHost:
    """One preset, with the other plugins before or after ours."""

    kind = "markdown-it"

    def __init__(self, preset: str, *, ours_first: bool, front_matter: bool) -> None:
        self.preset = preset
        self.ours_first = ours_first
        self.front_matter = front_matter
        order = "first" if ours_first else "last"
        self.name = f"markdown-it {preset} ours-{order}{' front-matter' if front_matter else ''}"

    def parser(self, features: frozenset[str], options: Mapping[str, Any]) -> MarkdownIt:
        md = MarkdownIt(self.preset)
        md.options["html"] = True
        md.options["typographer"] = False
        if self.ours_first:
            md.use(citations_plugin, **options)
        if self.front_matter:
            md.use(front_matter_plugin)
        if "footnotes" in features:
            md.use(footnote_plugin)
        if "math" in features:
            md.use(dollarmath_plugin)
        if "tables" in features:
            md.enable("table")
        if not self.ours_first:
            md.use(citations_plugin, **options)
        return md

    def render(
        self, text: str, features: frozenset[str] = frozenset(), options: Mapping[str, Any] = {}
    ) -> Result:
        env: dict[str, Any] = {}
        html = self.parser(features, options).render(text, env)
        codes = sorted(str(problem.code) for problem in env["citations"].problems)
        return Result(read(html), codes, html)


HOSTS: list[Host] = [
    MarkdownItHost("commonmark", ours_first=True, front_matter=False),
    MarkdownItHost("commonmark", ours_first=False, front_matter=True),
    MarkdownItHost("js-default", ours_first=True, front_matter=True),
    MarkdownItHost("gfm-like", ours_first=False, front_matter=False),
]
