"""Where ``conf.py`` gives a value to what: Sphinx keeps the values, not their lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from sphinx.application import Sphinx

PREFIX = "citations_"

_SCOPES = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
"""What has names of its own."""


class ConfPy:
    """The assignments to ``citations_…`` in a project's ``conf.py``, for messages."""

    def __init__(self, app: Sphinx) -> None:
        """Read the file; one that Sphinx has not read, or that has no such name, has no assignments."""
        self.path = Path(app.confdir) / "conf.py"
        self.lines: dict[str, int] = {}
        """The line where each name is given its last value, for those that count."""
        self._used: set[str] = set()
        # With `sphinx-build -C` the folder is there, and nothing else tells that its file was left alone.
        if "__file__" not in getattr(app.config, "_raw_config", {"__file__"}):
            return
        try:
            text = self.path.read_bytes()
            tree = ast.parse(text if PREFIX.encode() in text else b"")
        except (OSError, SyntaxError, ValueError):
            return
        for name in sorted(_names(tree), key=lambda name: name.lineno):
            if isinstance(name.ctx, ast.Store) and name.id not in app.config.overrides:
                self.lines[name.id] = name.lineno
        names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
        self._used = {name.id for name in names if isinstance(name.ctx, ast.Load)}

    def place(self, name: str) -> str:
        """The file and the line where *name* gets its value; empty where it gets none there."""
        return f"{self.path}:{self.lines[name]}" if name in self.lines else ""

    def misspelt(self, app: Sphinx) -> list[tuple[str, str]]:
        """Names that are no configuration value, each with the option nearest to it, or an empty text.

        A name that the file itself uses is a variable of its author's.
        """
        known = [name[len(PREFIX) :] for name in app.config.values if name.startswith(PREFIX)]
        return [
            (name, next((PREFIX + near for near in get_close_matches(option, known, 1)), ""))
            for name in self.lines
            if (option := name[len(PREFIX) :]) not in known and name not in self._used
        ]


def _names(tree: ast.Module) -> Iterator[ast.Name]:
    """The names ``citations_…`` that belong to the module, not to a function or a class in it."""
    found: list[ast.AST] = [tree]
    while found:
        node = found.pop()
        if isinstance(node, ast.Name) and node.id.startswith(PREFIX):
            yield node
        if not isinstance(node, _SCOPES):
            found.extend(ast.iter_child_nodes(node))
