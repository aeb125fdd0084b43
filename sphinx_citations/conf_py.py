"""Where ``conf.py`` gives a value to what: Sphinx keeps the values, not their lines."""

from __future__ import annotations

import ast
from difflib import get_close_matches
from pathlib import Path

from sphinx.application import Sphinx

PREFIX = "citations_"


class ConfPy:
    """The assignments to ``citations_…`` in a project's ``conf.py``, for messages."""

    def __init__(self, app: Sphinx) -> None:
        """Read the file; one that is not there, or has no such name, has no assignments."""
        self.path = Path(app.confdir) / "conf.py"
        self.lines: dict[str, int] = {}
        """The line where each name is given its last value, for those that count."""
        self._used: set[str] = set()
        try:
            text = self.path.read_bytes()
            tree = ast.parse(text if PREFIX.encode() in text else b"")
        except (OSError, SyntaxError, ValueError):
            return
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.Lambda)):
                self._used.update(part.id for part in ast.walk(node) if isinstance(part, ast.Name))
            if not isinstance(node, ast.Name) or not node.id.startswith(PREFIX):
                continue
            if isinstance(node.ctx, ast.Load):
                self._used.add(node.id)
            elif node.id not in app.config.overrides:
                self.lines[node.id] = max(node.lineno, self.lines.get(node.id, 0))

    def place(self, name: str) -> str:
        """The file, and the line where *name* gets its value, if it does there."""
        # Without a colon the place would be taken for a document.
        return f"{self.path}:{self.lines.get(name, '')}"

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
