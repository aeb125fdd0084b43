"""How a problem's place is written in a log, the same in MkDocs and Zensical."""

from __future__ import annotations

from mdit_citations.problems import Problem


def place_of(problem: Problem, path: str) -> str:
    """File, line and column of a problem of the page at *path*, as far as they are known."""
    parts = [problem.file or path, problem.line, problem.column if problem.line else None]
    return ":".join(str(part) for part in parts if part)
