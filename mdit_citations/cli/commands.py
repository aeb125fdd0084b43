"""The commands together, and what becomes of their errors."""

from __future__ import annotations

from collections.abc import Sequence

import click

from mdit_citations.cli.render import render


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mdit-citations", prog_name="mdit-citations")
def commands() -> None:
    """Numbered sources for Markdown.

    Exit status: 0 fine, 1 problems found, 2 wrong use.
    """


commands.add_command(render)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status."""
    try:
        status = commands.main(arguments, prog_name="mdit-citations", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return 2
    except click.Abort:
        return 130
    return status if isinstance(status, int) else 0
