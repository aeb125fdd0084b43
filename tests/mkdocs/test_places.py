"""Where problems are said to stand: never at text that only looks the same."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

markdown = pytest.importorskip("markdown")

from mkdocs_citations.extension import CitationsExtension  # noqa: E402
from mkdocs_citations.places import Places  # noqa: E402

FRONT = "---\nsources: [https://first.example/]\n---\n"
SAME = "see [9] now"


def lines(text: str, *extensions: str, **configs: dict[str, Any]) -> list[int | None]:
    md = markdown.Markdown(
        extensions=[*extensions, CitationsExtension()], extension_configs=configs
    )
    md.convert(FRONT + text)
    return [problem.line for problem in md.citations.problems]


@pytest.mark.parametrize(
    "above",
    [
        "    see [9] now",
        "a\n\n    see [9] now",
        "a\n\n    b\n\n    see [9] now",
        "\tsee [9] now",
        "<div>see [9] now</div>",
        "<div>\n\nsee [9] now\n\n</div>",
        "<div><div>a</div>\nsee [9] now</div>",
        "<pre>\nsee [9] now\n</pre>",
        "`see [9] now`",
        "``see [9] now` ``",
        "a `b\nsee [9] now` c",
        "[see [9] now](x)",
        "[see [9] now][x]\n\n[x]: https://x.example/",
        "![see [9] x](y)",
        "![see [9] now](y)",
        "<code>see [9] now</code>",
        "<kbd>a <kbd>b</kbd> see [9] now</kbd>",
        "<a href='x'>see [9] now</a>",
        "<b title='see [9] now'>x</b>",
        "<!-- see [9] now -->",
        "<!--\n\nsee [9] now\n\n-->",
        "a <!-- see [9] now --> b",
        "see [9](x) now",
        "see \\[9] now",
        "1. a\n\nb\n\n    see [9] now",
        "* * *\n\n    see [9] now",
        ">     see [9] now",
        "> a\n\n    see [9] now",
        "- a\n\n        see [9] now",
    ],
)
def test_what_is_no_text_is_passed_over(above: str) -> None:
    assert lines(f"{above}\n\n{SAME}") == [FRONT.count("\n") + above.count("\n") + 3]


def test_a_code_span_above_a_lone_marker() -> None:
    assert lines("`` [9] ``\n\n[9]") == [6]
    assert lines("``` [9] ```\n\n[9]") == [6]


def test_several_of_the_same() -> None:
    assert lines(f"a\n\n    {SAME}\n\n{SAME}\n\n{SAME}") == [8, 10]


@pytest.mark.parametrize("before", ["a\n\n", ""])
def test_a_literal_fence_is_no_fence(before: str) -> None:
    text = f"{before}    ```\n    x\n\n{SAME}"
    assert lines(text) == lines(text, "fenced_code") == [3 + text.count("\n") + 1]


@pytest.mark.parametrize("above", [
    "```\nsee [9] now\n```",
    "~~~ text\nsee [9] now\n\n~~~",
    "```\n~~~\n```\n\n~~~\nsee [9] now\n~~~",
])  # fmt: skip
def test_fences(above: str) -> None:
    assert lines(f"{above}\n\n{SAME}", "fenced_code") == [3 + above.count("\n") + 3]


@pytest.mark.parametrize("above", [
    "- a\n\n    ```\n    see [9] now\n    ```",
    "!!! note\n\n    ```\n    see [9] now\n    ```",
    "- a\n\n    - b\n\n        ```\n        see [9] now\n        ```",
    "> ```\n> see [9] now\n> ```",
])  # fmt: skip
def test_fences_in_containers(above: str) -> None:
    pytest.importorskip("pymdownx")
    found = lines(f"{above}\n\n{SAME}", "admonition", "pymdownx.superfences")
    assert found == [3 + above.count("\n") + 3]


def test_an_open_fence_ends_with_what_it_is_in() -> None:
    text = f"- a\n\n    ```\n    x\n\n{SAME}\n\n```\n{SAME}\n```"
    assert lines(text, "fenced_code") == [9]
    assert lines(f"```\nx\n\n{SAME}", "fenced_code") == [7]


@pytest.mark.parametrize("text", [
    "- a\n\n    see [9] now",
    "- a\n\n    b\n\n    see [9] now",
    "1. a\n\n    - b\n\n        see [9] now",
    "- a\n    - see [9] now",
    "!!! note\n    see [9] now",
    "!!! note\n\n    see [9] now",
    "a\n    see [9] now",
    "a\n:   b\n\n    see [9] now",
    '=== "a"\n\n    see [9] now',
    "> a\n> see [9] now",
    "> - a\n>\n>     see [9] now",
    "> - a\n\n>     see [9] now",
    "<div markdown>\nsee [9] now\n</div>",
    "<div markdown>\n\n- a\n\n    see [9] now\n\n</div>",
    "# see [9] now",
    "- [ ] see [9] now",
    "see **x** see [9] now",
    "a ` b\n\nsee [9] now ` c",
    "a <b>see [9] now</b>",
    "it costs $5, see [9] now, or $6",
    "a\tb see [9] now",
    "[a see [9] now",
    "<!-- a\n\nb --> \n\nsee [9] now",
    "`<!--` a\n\nsee [9] now",
    "a `<div>` b\n\nsee [9] now",
])  # fmt: skip
def test_what_is_text_has_its_line(text: str) -> None:
    pytest.importorskip("pymdownx")
    found = lines(text, "admonition", "def_list", "md_in_html", "pymdownx.tabbed",
                  **{"pymdownx.tabbed": {"alternate_style": True}})  # fmt: skip
    expected = next(n for n, line in enumerate(text.split("\n"), 4) if "[9]" in line)
    assert found == [expected]


def test_text_from_elsewhere_takes_no_line_twice(tmp_path: Path) -> None:
    pytest.importorskip("pymdownx")
    (tmp_path / "inc9.txt").write_text(SAME, "utf-8")
    snippets = {"pymdownx.snippets": {"base_path": [str(tmp_path)]}}
    for text in (f'{SAME}\n\n--8<-- "inc9.txt"', f'--8<-- "inc9.txt"\n\n{SAME}'):
        found = lines(text, "pymdownx.snippets", **snippets)
        assert sorted(found, key=str) == [4 if text.startswith("see") else 6, None]
    assert lines('a\n\n--8<-- "inc9.txt"', "pymdownx.snippets", **snippets) == [None]
    text = 'other [9] text\n\n--8<-- "inc9.txt"'
    assert lines(text, "pymdownx.snippets", **snippets) == [None, 4]


def test_a_definition_does_not_move_what_follows() -> None:
    assert lines(f"{SAME}\n\n[^1]: Else\n\n{SAME}", "footnotes") == [4, 6, 8]


def test_a_lone_marker_is_not_one_among_words() -> None:
    assert lines(f"[^x]: {SAME}\n\n[9]\n\n**[9]** a[^x]", "footnotes") == [4, 6, 8]


def test_as_many_in_a_line_as_there_are() -> None:
    line = " ".join(f"a [{number}]" for number in range(10, 20))
    md = markdown.Markdown(extensions=[CitationsExtension()])
    md.convert(f"{FRONT}{line}\n\n- {line}")
    found = [(problem.line, problem.column) for problem in md.citations.problems]
    assert found == [
        (row, n) for row, first in ((4, 3), (6, 5)) for n in range(first, first + 70, 7)
    ]


def test_a_place_is_given_once() -> None:
    places = Places(lambda: "see [9] now\n\nsee [9] now\n")
    found = [places.find(SAME, 4, 7) for _ in range(4)]
    assert found == [(1, 5), (3, 5), (None, None), (None, None)]


def test_a_text_that_cannot_be_read_has_no_lines() -> None:
    def read() -> str:
        raise OSError

    assert Places(read).find(SAME, 4, 7) == (None, None)


GROWING: dict[str, Callable[[int], str]] = {
    "same": lambda n: f"{SAME}\n\n" * n,
    "markers": lambda n: "[9] " * n,
    "open fences": lambda n: "``` py\n\n" * n + SAME,
    "open fences in lists": lambda n: "- a\n\n    ``` py\n\n" * n + SAME,
    "fences": lambda n: "```\n[9]\n```\n\n" * n + SAME,
    "backticks": lambda n: " ".join("`" * (i % 60 + 1) for i in range(n)) + SAME,
    "open tags": lambda n: "<div>\n" * n + SAME,
    "open code": lambda n: "<code>" * n + SAME,
    "open comments": lambda n: "<!-- " * n + SAME,
    "open comments apart": lambda n: "<!--\n\n" * n + SAME,
    "angles": lambda n: "<a " * n + SAME,
    "brackets": lambda n: "[" * n + SAME + "](x" * n,
    "links": lambda n: f"[{SAME}](x) " * n + SAME,
    "dollars": lambda n: "$ a$b " * n + SAME,
    "braces": lambda n: "{{ {% " * n + SAME,
    "quotes": lambda n: "> ```\n" * n + SAME,
    "deep": lambda n: "".join(f"{'    ' * (i % 40)}- a\n" for i in range(n)) + SAME,
    "blank": lambda n: " \n" * n + SAME,
    "nested labels": lambda n: "[" * n + SAME + "][x]" * n + "\n\n[x]: y",
    "wide": lambda n: " " * n + SAME,
}  # fmt: skip


@pytest.mark.parametrize("name", GROWING)
def test_growth(name: str) -> None:
    def events(size: int) -> int:
        count = 0

        def counter(_frame: FrameType, event: str, _arg: Any) -> Any:
            nonlocal count
            count += event == "line"
            return counter

        text = GROWING[name](size)
        places = Places(lambda: text)
        before = sys.gettrace()
        sys.settrace(counter)
        try:
            for _ in range(size // 10):
                places.find(SAME, 4, 7)
                places.find("[9](x", 0, 3)
        finally:
            sys.settrace(before)
        return count

    assert events(1600) < 4.6 * events(400) + 500
