"""What citations cost in Python-Markdown and MkDocs, as ratios from one run.

``python -m benchmarks.mkdocs [pages to convert] [pages to build]``

Conversion: plain is Python-Markdown on the same text, markers and all, without front matter. ``footnotes``
has every marker as a footnote. Builds: whole ones, in this process, with MkDocs' own theme and its search;
pages without sources against the same build without the plugin, pages with sources against the build that
leaves their markers as text. How they are timed stands in ``timing.py``; a build is timed as a whole.
"""

from __future__ import annotations

import logging
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import markdown
from mkdocs.commands.build import build
from mkdocs.config import load_config

from benchmarks.pages import Page, pages
from benchmarks.timing import Work, best
from mkdocs_citations.extension import CitationsExtension

ROUNDS = 5
MATERIAL = [
    "abbr", "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "toc",
    "pymdownx.arithmatex", "pymdownx.betterem", "pymdownx.caret", "pymdownx.details",
    "pymdownx.emoji", "pymdownx.highlight", "pymdownx.inlinehilite", "pymdownx.keys",
    "pymdownx.magiclink", "pymdownx.mark", "pymdownx.smartsymbols", "pymdownx.snippets",
    "pymdownx.superfences", "pymdownx.tabbed", "pymdownx.tasklist", "pymdownx.tilde",
]  # fmt: skip


def convert(extensions: list[Any], text: str) -> str:
    """As hosts do it: with a new parser for each page."""
    return markdown.Markdown(extensions=extensions).convert(text)


def conversion(extensions: list[Any], texts: list[str]) -> list[Work]:
    return [partial(convert, extensions, text) for text in texts]


def conversions(made: list[Page]) -> None:
    bodies = [page.body for page in made]
    ours = CitationsExtension()
    for name, base in (("bare", []), ("with Material's set", MATERIAL)):
        notes = base if "footnotes" in base else [*base, "footnotes"]
        found = best(
            {
                "plain": conversion(base, bodies),
                "again": conversion(base, bodies),
                "no sources": conversion([*base, ours], bodies),
                "citations": conversion([*base, ours], [page.answer for page in made]),
                "copies": conversion([*base, ours], [page.copied for page in made]),
                "footnotes": conversion(notes, [page.footnotes for page in made]),
            },
            ROUNDS,
        )
        plain = found["plain"]
        shown = ", ".join(f"{kind} {found[kind] / plain:.3f}" for kind in list(found)[1:])
        print(f"conversion {name}, x plain: {shown}")
        ratio = found["citations"] / found["footnotes"]
        print(f"conversion {name}, citations x footnotes: {ratio:.3f}")


def site(folder: Path, texts: list[str], *, plugin: bool) -> list[Work]:
    """A site of these pages, and what builds it."""
    docs = folder / "docs"
    docs.mkdir(parents=True)
    for number, text in enumerate(texts):
        name = "index" if not number else f"page{number}"
        (docs / f"{name}.md").write_text(text, "utf-8")
    plugins = "[search, citations]" if plugin else "[search]"
    config = folder / "mkdocs.yml"
    config.write_text(f"site_name: Pages\nplugins: {plugins}\ntheme: {{name: mkdocs}}\n", "utf-8")
    return [lambda: build(load_config(str(config)))]


def builds(made: list[Page]) -> None:
    logging.getLogger("mkdocs").setLevel(logging.ERROR)
    without = [f"# Page\n\n{page.unmarked}" for page in made]
    answers = [page.answer for page in made]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        found = best(
            {
                "without": site(root / "a", without, plugin=False),
                "again": site(root / "e", without, plugin=False),
                "without, plugin on": site(root / "b", without, plugin=True),
                "markers as text": site(root / "c", answers, plugin=False),
                "citations": site(root / "d", answers, plugin=True),
            },
            3,
        )
    print(f"builds, pages without sources, again: {found['again'] / found['without']:.3f}")
    ratio = found["without, plugin on"] / found["without"]
    print(f"builds, pages without sources, plugin on x off: {ratio:.3f}")
    ratio = found["citations"] / found["markers as text"]
    print(f"builds, pages with sources, citations x markers as text: {ratio:.3f}")
    for kind in ("markers as text", "citations"):
        print(f"builds, {kind} x pages without citations: {found[kind] / found['without']:.3f}")


def main() -> None:
    convert = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    whole = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    print(f"{convert} and {whole} pages, Python {sys.version.split()[0]}", end=", ")
    print(f"Python-Markdown {markdown.__version__}")
    conversions(pages(convert))
    if whole:
        builds(pages(whole))


if __name__ == "__main__":
    main()
