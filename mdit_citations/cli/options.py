"""The options of the plugin, as options of a command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from mdit_citations.cli.files import Refused
from mdit_citations.options import Options

Command = Callable[..., Any]

_OPTIONS = (
    click.option("--sources-file", metavar="FILE", help="YAML or JSON file of shared sources."),
    click.option("--key", metavar="NAME", help="Front-matter key of the sources. [sources]"),
    click.option("--no-front-matter", is_flag=True, help="Ignore the page's own sources."),
    click.option("--no-inline", is_flag=True, help="Leave markers as text; the list stays."),
    click.option(
        "--list",
        type=click.Choice(("section", "details", "none")),
        help="The list of sources: open, collapsed, or left out. [section]",
    ),
    click.option("--list-title", metavar="TEXT", help="Heading of the list. [by language]"),
    click.option(
        "--list-level",
        type=click.IntRange(0, 6),
        help="Level of that heading; 0 for a paragraph. [2]",
    ),
    click.option(
        "--link-to",
        type=click.Choice(("source", "list")),
        help="Where a number leads: to the source, or to its entry in the list. [source]",
    ),
    click.option(
        "--superscript",
        type=click.Choice(("html", "unicode")),
        help="Raised numbers as <sup> elements, or as raised digits. [html]",
    ),
    click.option(
        "--definitions",
        type=click.Choice(("copies", "all", "none")),
        help="Which lines [^n]: … are dropped for repeating a source. [copies]",
    ),
    click.option("--ranges", is_flag=True, help="Take [1-3] for a marker."),
    click.option("--lenticular", is_flag=True, help="Take 【1】 for a marker."),
    click.option("--id-prefix", metavar="TEXT", help="Goes into every id."),
    click.option("--labels", metavar="TAG", help="Language of the list's words. [the page's]"),
    click.option(
        "--back-links",
        type=click.IntRange(0),
        metavar="N",
        help="Back links of an entry before it says +n. [3]",
    ),
    click.option("--rel", metavar="WORDS", help='"rel" of links to sources.'),
    click.option("--target", metavar="NAME", help='"target" of links to sources.'),
    click.option("--streaming", is_flag=True, help="No list before something is cited."),
)


def plugin_options(command: Command) -> Command:
    """Give a command the options that `Options` has."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def chosen(given: dict[str, Any]) -> Options:
    """The options as given on the command line; what was not given keeps its default."""
    # Not `in (None, False)`: 0 equals False.
    changes = {
        name: value for name, value in given.items() if value is not None and value is not False
    }
    for name in ("front_matter", "inline"):
        if changes.pop(f"no_{name}", False):
            changes[name] = False
    if changes.get("list") == "none":
        changes["list"] = False
    try:
        return Options.of(**changes)
    except ValueError as error:
        raise Refused(str(error)) from error
