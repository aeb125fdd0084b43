"""``mdit-citations render``: Markdown to HTML pages."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
from markdown_it import MarkdownIt
from rich.console import Console
from rich.progress import track

from mdit_citations.cli.files import (
    Refused,
    check_outputs,
    read_text,
    say_problems,
    write_output,
    write_text,
)
from mdit_citations.cli.options import chosen, plugin_options
from mdit_citations.cli.page import (
    Assets,
    make_parser,
    page_provenance,
    render_page,
    whole_page,
)
from mdit_citations.options import Options
from mdit_citations.problems import Problem


@click.command()
@click.argument("source", metavar="FILE|DIR|-")
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    help="File to write, or the directory for the pages of DIR. [standard output]",
)
@click.option("--fragment", is_flag=True, help="The body only, without the page around it.")
@click.option("--html", is_flag=True, help="Let raw HTML through, from texts you trust.")
@click.option("--cards", is_flag=True, help="Add the script that shows a card over each number.")
@click.option("--provenance", is_flag=True, help="Add what the page cites as JSON-LD.")
@click.option(
    "--assets",
    metavar="ADDRESS",
    default="",
    help="Link the style sheets and the script in that directory. [they are part of the page]",
)
@plugin_options
def render(
    source: str,
    output: str | None,
    *,
    fragment: bool,
    html: bool,
    cards: bool,
    provenance: bool,
    assets: str,
    **given: Any,
) -> int:
    """Render Markdown as HTML, with its citations.

    A FILE, or standard input for "-", makes one page; of a DIR, every *.md below it does.
    Problems go to standard error.
    """
    md = _parser(chosen(given), html=html)
    shape = _Shape(None if fragment else Assets(cards, assets), provenance)
    path = None if source == "-" else Path(source)
    if path and path.is_dir():
        if output in (None, "-"):
            raise click.UsageError("a directory needs --output DIRECTORY")
        return _render_tree(md, path, Path(str(output)), shape)
    target = None if output in (None, "-") else Path(str(output))
    if target:
        check_outputs({target: path})
    text, problems = _convert(md, path, shape)
    say_problems(str(path or "<stdin>"), problems)
    if target:
        write_text(target, text)
    else:
        write_output(text)
    return 1 if problems else 0


def _parser(options: Options, *, html: bool) -> MarkdownIt:
    try:
        return make_parser(options, html=html)
    except OSError as error:
        raise Refused(f"cannot read {options.sources_file}: {error.strerror}") from error


class _Shape(NamedTuple):
    """What is made of a text."""

    assets: Assets | None
    """None for a fragment, which has no place for them."""
    provenance: bool


def _convert(md: MarkdownIt, path: Path | None, shape: _Shape) -> tuple[str, list[Problem]]:
    page = render_page(md, read_text(path))
    if shape.provenance:
        page = page._replace(body=page.body + page_provenance(page))
    if shape.assets is None:
        return page.body, page.problems
    return whole_page(page, path.stem if path else "Untitled", shape.assets), page.problems


def _render_tree(md: MarkdownIt, root: Path, output: Path, shape: _Shape) -> int:
    pages = {output / path.relative_to(root).with_suffix(".html"): path for path in _below(root)}
    if not pages:
        raise Refused(f"no *.md below {root}")
    check_outputs(dict(pages), make_directories=True)
    found: dict[Path, list[Problem]] = {}
    refused: list[Refused] = []
    for target, path in _with_progress(list(pages.items())):
        try:
            text, problems = _convert(md, path, shape)
            _make_directory(target.parent)
            write_text(target, text)
        except Refused as refusal:
            refused.append(refusal)
        else:
            found[path] = problems
    said: set[Problem] = set()
    for path, problems in found.items():
        # A problem of the shared sources is the same on every page.
        new = [problem for problem in problems if not problem.file or problem not in said]
        said.update(new)
        say_problems(str(path), new)
    for each in refused:
        each.show()
    return 2 if refused else int(any(found.values()))


def _with_progress(pages: list[tuple[Path, Path]]) -> Iterable[tuple[Path, Path]]:
    # Not left to rich, for which an environment variable can make a terminal of a pipe.
    if not (sys.stderr and sys.stderr.isatty()):
        return pages
    return track(pages, "Rendering", console=Console(stderr=True), transient=True)


def _below(root: Path) -> Iterator[Path]:
    """Every ``*.md`` below *root*, in order; nothing hidden, no links to directories followed."""

    def refuse(error: OSError) -> None:
        raise Refused(f"cannot read {error.filename}: {error.strerror}") from error

    for folder, directories, names in os.walk(root, onerror=refuse):
        directories[:] = sorted(name for name in directories if not name.startswith("."))
        for name in sorted(names):
            if name.endswith(".md") and not name.startswith("."):
                yield Path(folder, name)


def _make_directory(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(f"cannot write {path}: {error.strerror}") from error
