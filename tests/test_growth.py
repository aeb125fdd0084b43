"""Hostile input costs no exponent beyond the plain parser's.

What grows is counted in function calls, which are the same in every run, rather than in seconds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin

from mdit_citations import citations_plugin

SOURCES = [
    {"number": n, "title": f"Source {n}", "url": f"https://s{n}.example/"} for n in range(1, 30)
]
REFERENCE = "\n\n[1]: https://s1.example/\n[2]: https://elsewhere.example/\n"

INPUTS: dict[str, Callable[[int], str]] = {
    "markers": lambda n: "[1]" * n,
    "markers apart": lambda n: "[1] " * n,
    "unknown markers": lambda n: "[99]" * n,
    "unknown markers apart": lambda n: "[99] " * n,
    "unclosed lists": lambda n: "[1," * n,
    "an unclosed list": lambda n: "[" + "1," * n,
    "unclosed carets": lambda n: "[^1" * n,
    "openings": lambda n: "[" * n,
    "nested": lambda n: "[" * n + "1" + "]" * n,
    "digits": lambda n: "[" + "1" * n + "]",
    "spaces in a list": lambda n: "[1" + " " * n + "," + " " * n + "2",
    "markers before labels": lambda n: "[1][a" * n,
    "images": lambda n: "![1]" * n + REFERENCE,
    "references": lambda n: "[1][2]" * n + REFERENCE,
    "unclosed before references": lambda n: "[1][a " * n + REFERENCE,
    "copies": lambda n: "\n".join(f"[^{i % 29 + 1}]: Source {i % 29 + 1}" for i in range(n)),
    "copies apart": lambda n: "\n\n".join(f"[^{i % 29 + 1}]: Source {i % 29 + 1}" for i in range(n)),
    "definitions that differ": lambda n: "\n".join(f"[^{i % 29 + 1}]: Else" for i in range(n)),
    "one definition of many lines": lambda n: "[^1]: Source 1\n" + "word\n" * n,
    "many indented paragraphs": lambda n: "[^1]: Source 1\n" + "\n    word\n" * n,
    "nested definitions": lambda n: "[^1]: " * n,
    "quoted definitions": lambda n: "> [^1]: Source 1\n" * n,
    "a row of cells": lambda n: "|" + " a |" * n + "\n|" + "---|" * n + "\n|" + " [99] |" * n,
    "a row of escaped cells": lambda n: "|" + " a |" * n + "\n|" + "---|" * n + "\n|" + " \\| [99] |" * n,
    "lines of unknown markers": lambda n: "[99]\n" * n,
    "inline footnotes": lambda n: "^[a [99]] " * n,
    "raw tags": lambda n: "<code>[1]" * n,
    "raw blocks": lambda n: "<code>\n\n[1]\n\n</code>\n\n" * n,
    "links": lambda n: "[a [1]](https://x.example/) " * n,
    "addresses": lambda n: "www.x.example/a[1] " * n,
    "one long address": lambda n: "www.x.example/" + "a[1]" * n,
    "emphasis": lambda n: "**[1]** *[99]* " * n,
    "front matter": lambda n: "---\nsources:\n" + "".join(f" - https://x{i}.example/\n" for i in range(n)) + "---\n[1]",
    "bad front matter": lambda n: "---\nsources:\n" + " - [x]\n" * n + "---\n[1]",
    "aliases": lambda n: "---\nsources:\n - &a {title: T}\n" + " - *a\n" * n + "---\n[1]",
    "one source often cited": lambda n: "[1] text " * n,
    "placeholders": lambda n: "[SOURCES]\n\n" * n,
}  # fmt: skip


def parsers(make: str) -> tuple[MarkdownIt, MarkdownIt]:
    def one() -> MarkdownIt:
        if make == "linkify":
            return MarkdownIt("gfm-like", {"html": True})
        return MarkdownIt("commonmark").enable("table").use(footnote_plugin)

    return one(), one().use(citations_plugin)


def calls(md: MarkdownIt, text: str) -> int:
    """How many functions are called to render *text*."""
    count = 0

    def counter(_frame: FrameType, event: str, _arg: Any) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(counter)
    try:
        md.render(text, {"sources": SOURCES})
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("make", ["footnotes", "linkify"])
@pytest.mark.parametrize("name", INPUTS)
def test_growth(name: str, make: str) -> None:
    plain, ours = parsers(make)
    text = INPUTS[name]
    small, large = text(150), text(600)
    for md in (plain, ours):
        md.render(small, {"sources": SOURCES})
    growth = calls(ours, large) / calls(ours, small)
    assert growth < max(4.4, 1.1 * calls(plain, large) / calls(plain, small))
