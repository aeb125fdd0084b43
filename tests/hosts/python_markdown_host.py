"""Python-Markdown with our extension: bare, with its own, and with those that Material recommends."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import Any

import markdown

from mkdocs_citations.extension import CitationsExtension
from tests.hosts import Host, Result
from tests.reading import read

# Without it Python-Markdown has no fenced code at all, and a fence is a paragraph.
BARE = ["fenced_code"]
STANDARD = [
    "extra", "sane_lists", "toc", "admonition", "attr_list", "md_in_html", "abbr", "def_list", "smarty",
]  # fmt: skip
PYMDOWNX = [
    "abbr", "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "toc",
    "pymdownx.arithmatex", "pymdownx.betterem", "pymdownx.caret", "pymdownx.details",
    "pymdownx.emoji", "pymdownx.highlight", "pymdownx.inlinehilite", "pymdownx.keys",
    "pymdownx.magiclink", "pymdownx.mark", "pymdownx.smartsymbols", "pymdownx.snippets",
    "pymdownx.superfences", "pymdownx.tabbed", "pymdownx.tasklist", "pymdownx.tilde",
]  # fmt: skip
CONFIGS: dict[str, dict[str, Any]] = {
    "pymdownx.arithmatex": {"generic": True},
    "pymdownx.tabbed": {"alternate_style": True},
    "pymdownx.tasklist": {"custom_checkbox": True},
    "toc": {"permalink": False},
}


class PythonMarkdownHost:
    """One set of extensions, with ours before or after them."""

    kind = "python-markdown"

    def __init__(self, kind: str, extensions: list[str], *, ours_first: bool) -> None:
        self.extensions = extensions
        self.ours_first = ours_first
        self.name = f"python-markdown {kind} ours-{'first' if ours_first else 'last'}"

    def parser(self, features: frozenset[str], options: Mapping[str, Any]) -> markdown.Markdown:
        extensions: list[Any] = [*self.extensions]
        for feature in sorted(features & {"footnotes", "tables"}):
            if feature not in extensions and "extra" not in extensions:
                extensions.append(feature)
        if "task-lists" in features and "pymdownx.tasklist" in extensions:
            extensions.remove("pymdownx.tasklist")
        if "no-footnotes" in features:
            # `extra` brings them, so that its other parts are named one by one.
            if "extra" in extensions:
                extensions[extensions.index("extra")] = "fenced_code"
                extensions.append("tables")
            if "footnotes" in extensions:
                extensions.remove("footnotes")
        extensions.insert(0 if self.ours_first else len(extensions), CitationsExtension(**options))
        configs = {name: CONFIGS[name] for name in extensions if name in CONFIGS}
        return markdown.Markdown(extensions=extensions, extension_configs=configs)

    def render(
        self, text: str, features: frozenset[str] = frozenset(), options: Mapping[str, Any] = {}
    ) -> Result:
        if "footnotes" not in features:
            # The case speaks of a host without them.
            features |= {"no-footnotes"}
        if "\n- [x] " in text:
            # The case is about text: with task lists the box is no text any more.
            features |= {"task-lists"}
        md = self.parser(features, options)
        html = md.convert(text)
        codes = sorted(str(problem.code) for problem in md.citations.problems)
        return Result(read(html), codes, html)


def _hosts() -> list[Host]:
    kinds = {"bare": BARE, "standard": STANDARD}
    if importlib.util.find_spec("pymdownx"):
        kinds["pymdownx"] = PYMDOWNX
    return [
        PythonMarkdownHost(kind, extensions, ours_first=first)
        for kind, extensions in kinds.items()
        for first in (True, False)
    ]


HOSTS: list[Host] = _hosts()
