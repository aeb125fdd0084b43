"""The command line, ``mdit-citations``: one module for each command."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec

MISSING = """\
mdit-citations: the command line needs the "cli" extra: pip install 'mdit-citations[cli]'"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; *arguments* are those after its name.

    Returns the exit status: 0 fine, 1 problems found, 2 wrong use, 130 interrupted.
    """
    if not all(map(find_spec, ("click", "rich"))):
        print(MISSING, file=sys.stderr)  # noqa: T201 - without click there is no other way
        return 2
    # Imported here, since without the extra it cannot be.
    from mdit_citations.cli.commands import run  # noqa: PLC0415

    return run(arguments)
