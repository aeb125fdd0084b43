"""Hostile input costs no exponent beyond Python-Markdown's own.

What grows is counted in function calls, which are the same in every run, rather than in seconds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

markdown = pytest.importorskip("markdown")
pytest.importorskip("pymdownx")

from mkdocs_citations.extension import CitationsExtension  # noqa: E402
from tests.hosts.python_markdown_host import BARE, CONFIGS, PYMDOWNX  # noqa: E402

SOURCES = [f"https://source{number}.example/" for number in range(1, 10)]
SETS = {"bare": BARE, "pymdownx": PYMDOWNX}
REFERENCE = "\n\n[1]: https://source1.example/\n\n[x]: https://elsewhere.example/\n"

INPUTS: dict[str, Callable[[int], str]] = {
    "markers": lambda n: "[1]" * n,
    "markers apart": lambda n: "[1] " * n,
    "markers in a heading": lambda n: "# a" + " [1]" * n,
    "markers in a heading, apart": lambda n: "# a" + " *b* [1]" * n,
    "markers apart, in lines": lambda n: "a [1]\n" * n,
    "markers in paragraphs": lambda n: "a [1]\n\n" * n,
    "unknown markers": lambda n: "[99] " * n,
    "unknown markers that differ": lambda n: " ".join(f'"x [{i + 10}]"' for i in range(n)),
    "unclosed lists": lambda n: "[1," * n,
    "unclosed carets": lambda n: "[^1" * n,
    "markers at line starts": lambda n: "[1]: " * n,
    "closing brackets": lambda n: "][1]" * n + REFERENCE,
    "labels": lambda n: "[1][x] [1] [1][1]" * n + REFERENCE,
    "images": lambda n: "![1]" * n + REFERENCE,
    "quotes": lambda n: '"[1]" ' * n,
    "raw tags": lambda n: "<code>[1]" * n,
    "closed raw tags": lambda n: "<code>[1]</code> " * n,
    "raw tags in paragraphs": lambda n: "<code>[1]\n\n" * n + "</code>" * n,
    "half tags": lambda n: "<[1]" * n,
    "addresses": lambda n: "https://elsewhere.example/a[1] " * n,
    "tags and addresses": lambda n: "<b>https://elsewhere.example/a[1] " * n,
    "links": lambda n: "[a [1]](https://elsewhere.example/) " * n,
    "emphasis": lambda n: "*[1]* " * n,
    "copies": lambda n: "\n".join(f"[^{i % 9 + 1}]: {SOURCES[i % 9]}" for i in range(n)),
    "copies apart": lambda n: "\n\n".join(f"[^{i % 9 + 1}]: {SOURCES[i % 9]}" for i in range(n)),
    "definitions that differ": lambda n: "\n".join(f"[^{i % 9 + 1}]: Else {i}" for i in range(n)),
    "many indented paragraphs": lambda n: "[^1]: x\n" + "\n    word\n" * n,
    "placeholders": lambda n: "[SOURCES]\n\n" * n,
    "front matter": lambda n: "---\nsources:\n" + "- https://x.example/\n" * n + "---\n[1]",
}  # fmt: skip


def parser(kind: str, *ours: CitationsExtension) -> Any:
    extensions = [*SETS[kind], *ours]
    configs = {name: CONFIGS[name] for name in extensions if name in CONFIGS}
    return markdown.Markdown(extensions=extensions, extension_configs=configs)


def calls(md: Any, text: str) -> int:
    """How many functions are called to convert *text*; a search counts as the length of the list."""
    count = 0

    def counter(_frame: FrameType, event: str, arg: Any) -> None:
        nonlocal count
        count += event in {"call", "c_call"}
        if event == "c_call" and arg.__name__ == "index" and isinstance(arg.__self__, list):
            count += len(arg.__self__)

    md.reset()
    sys.setprofile(counter)
    try:
        md.convert(text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("kind", SETS)
@pytest.mark.parametrize("name", INPUTS)
def test_growth(name: str, kind: str) -> None:
    plain, ours = parser(kind), parser(kind, CitationsExtension(sources=SOURCES))
    small, large = INPUTS[name](100), INPUTS[name](400)
    for md in (plain, ours):
        md.convert(small)
    growth = calls(ours, large) / calls(ours, small)
    assert growth < max(4.5, 1.1 * calls(plain, large) / calls(plain, small))


def test_a_soup_of_markers_is_converted() -> None:
    soup = "[1] [2, 3][^4] ][9] *[1](\n"
    text = soup * (10_000 // len(soup))
    md = parser("bare", CitationsExtension(sources=SOURCES))
    assert "citation" in md.convert(text)


def test_one_long_run_of_markers_ends() -> None:
    """Copying the run for each of its markers, which no count of calls shows, would take minutes."""
    md = parser("bare", CitationsExtension(sources=SOURCES))
    md.convert("[1]" * 150_000)
    assert md.citations.superscripts == 1


def test_a_page_of_many_sources() -> None:
    front = (
        "---\nsources:\n" + "".join(f"- https://x{n}.example/\n" for n in range(5000)) + "---\n\n"
    )
    md = parser("bare", CitationsExtension())
    html = md.convert(front + "\n\n".join(f"a [{n}]" for n in range(1, 5001)))
    assert html.count("<li id=") == 5000
    assert md.citations.problems == []
