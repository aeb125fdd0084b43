"""Exact HTML and exact messages: ``fixtures/html.md`` and ``fixtures/problems.md``.

Each case is a title line (a name, then options as JSON), the document and what comes of it, parted by lines
that are a single full stop. ``pytest --regen`` rewrites the results, and fails the run that rewrote.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin

from mdit_citations import citations_plugin

FIXTURES = Path(__file__).parent / "fixtures"
Case = tuple[str, str, str]


def load(name: str) -> list[Case]:
    parts = (FIXTURES / f"{name}.md").read_text("utf-8").split("\n.\n")
    return [
        (title.strip().splitlines()[-1], text, result)
        for title, text, result in zip(parts[0:-1:3], parts[1::3], parts[2::3], strict=True)
    ]


def parser(title: str) -> tuple[MarkdownIt, dict[str, Any]]:
    _, brace, rest = title.partition("{")
    options = json.loads(brace + rest) if brace else {}
    env = options.pop("env", {})
    md = MarkdownIt("commonmark").enable("table").use(footnote_plugin)
    return md.use(citations_plugin, **options), env


def html(title: str, text: str) -> str:
    md, env = parser(title)
    return md.render(text, env).rstrip("\n")


def problems(title: str, text: str) -> str:
    md, env = parser(title)
    md.render(text, env)
    return "\n".join(map(str, env["citations"].problems)) or "nothing"


RENDERERS = {"html": html, "problems": problems}
CASES = [(name, index, *case) for name in RENDERERS for index, case in enumerate(load(name))]


@pytest.mark.parametrize(
    ("name", "index", "title", "text", "result"),
    CASES,
    ids=[f"{name}: {title}" for name, _, title, _, _ in CASES],
)
def test_case(
    request: pytest.FixtureRequest, name: str, index: int, title: str, text: str, result: str
) -> None:
    found = RENDERERS[name](title, text)
    if found != result and request.config.getoption("--regen"):
        rewrite(name, index, found)
    assert found == result


def rewrite(name: str, index: int, result: str) -> None:
    path = FIXTURES / f"{name}.md"
    parts = path.read_text("utf-8").split("\n.\n")
    parts[index * 3 + 2] = result
    path.write_text("\n.\n".join(parts), "utf-8")
