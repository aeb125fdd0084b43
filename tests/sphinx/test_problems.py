from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from tests.sphinx.building import CONF, HEADER, ROOTS, Built, build, project, run


@pytest.fixture(scope="module")
def problems(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build("problems", tmp_path_factory.mktemp("problems"))


def places(built: Built) -> list[str]:
    return sorted(warning.split(": ")[0] + warning[warning.rindex(" ") :] for warning in built.ours)


def test_each_once_with_its_place(problems: Built) -> None:
    # MyST-Parser 4.0 counts the lines of included files from 2.
    line = 3 if version("myst-parser") >= "4.1" else 4
    assert places(problems) == [
        f"_included.md:{line} [citations.unknown-source]",
        "broken.md:5 [citations.invalid-front-matter]",
        "index.md:10 [citations.unknown-source]",
        "index.md:10 [citations.unknown-source]",
        "index.md:15 [citations.unknown-source]",
        "index.md:23 [citations.unknown-source]",
        "index.md:4 [citations.duplicate-number]",
        "index.md:5 [citations.unsafe-url]",
    ]
    assert problems.warnings == problems.ours
    assert "[^8] names no source (sources: 1-2)" in "\n".join(problems.ours)


def test_the_build_goes_on(problems: Built) -> None:
    assert "Unknown [9] and [^8] and {1}." in problems.reading("index").text
    assert problems.reading("broken").text == "Broken\nText [1]."


@pytest.mark.parametrize("name", ["citations", "citations.*"])
def test_all_suppressed(tmp_path: Path, name: str) -> None:
    assert build("problems", tmp_path, suppress_warnings=[name]).warnings == []


def test_one_kind_suppressed(tmp_path: Path) -> None:
    built = build("problems", tmp_path, suppress_warnings=["citations.unknown-source"])
    assert len(built.warnings) == 3


def test_fatal(tmp_path: Path) -> None:
    result = run("sphinx", "-W", "-q", "-b", "html", ROOTS / "problems", tmp_path / "out")
    assert result.returncode != 0
    assert "[citations." in result.stderr


def test_undefined_footnote_without_sources_is_myst_s(tmp_path: Path) -> None:
    built = build(project(tmp_path / "source", index="# Title\n\nRain [^9].\n"), tmp_path)
    assert built.ours == []


def test_hints_are_shown_on_request(tmp_path: Path) -> None:
    source = project(tmp_path / "source", index=f"{HEADER}# Title\n\nRain [1].\n")
    for options, count in ((["-v"], 1), ([], 0)):
        result = run("sphinx", "-E", "-b", "html", *options, source, tmp_path / "out")
        assert result.stderr == ""
        hint = "index: source 2 is cited nowhere: Two [citations.uncited-source]"
        assert result.stdout.count(hint) == count


def test_hints_are_never_warnings(tmp_path: Path) -> None:
    sources = "\n".join(
        f"  - {{title: x, url: '{address}'}}"
        for address in ("https://a.example/", "HTTPS://A.example", "https://c.example/")
    )
    source = project(
        tmp_path / "source", index=f"---\nsources:\n{sources}\n---\n\n# Title\n\nRain [1] [2].\n"
    )
    result = run("sphinx", "-W", "-v", "-E", "-b", "html", source, tmp_path / "out")
    assert (result.returncode, result.stderr) == (0, "")
    hints = [line for line in result.stdout.splitlines() if "[citations." in line]
    assert sorted(hint.rsplit(" ", 1)[1] for hint in hints) == [
        "[citations.duplicate-url]",
        "[citations.uncited-source]",
    ]
    result = run("sphinx", "-W", "-q", "-E", "-b", "html", source, tmp_path / "out")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_places_in_all_kinds_of_blocks(tmp_path: Path) -> None:
    text = """\
# Title [91]

- item

  ```{note}
  Text.

  Rain [92].
  ```

| a | b |
|---|---|
| c | [93] |

Term
: Definition [94]

::::{admonition} Warning [95]
:class: x

:::{tip}
Sun
[96]
:::
::::

```{list-table}
* - a
  - b [97]
```

> quoted
> [98]

A note[^note].

[^note]: Words

    and [99]
"""
    page = f"{HEADER}{text}"
    lines = {n: page[: page.index(f"[{n}]")].count("\n") + 1 for n in range(91, 100)}
    built = build(
        project(tmp_path / "source", index=page),
        tmp_path,
        myst_enable_extensions=["colon_fence", "deflist"],
    )
    assert built.warnings == built.ours
    found = {int(warning.split("[")[1][:2]): int(warning.split(":")[1]) for warning in built.ours}
    assert found == lines


def test_place_of_shared_sources(tmp_path: Path) -> None:
    source = project(tmp_path / "source", index="# Title\n\nRain.\n")
    (warning,) = build(source, tmp_path, citations_sources=["javascript:1"]).warnings
    # The value is not from the file.
    assert warning.startswith("WARNING: citations_sources: sources[0].url: expected ")
    (source / "x.yaml").write_text("- https://a.example/\n\n- javascript:1\n", "utf-8")
    built = build(source, tmp_path, citations_sources_file="x.yaml")
    assert [warning.split(": ")[0] for warning in built.warnings] == ["x.yaml:3"]
    (source / "conf.py").write_text(f"{CONF}\ncitations_sources = ['javascript:1']\n", "utf-8")
    (warning,) = build(source, tmp_path).warnings
    assert warning.startswith("conf.py:3: WARNING: citations_sources: sources[0].url: expected ")


def test_place_of_a_missing_file(tmp_path: Path) -> None:
    source = project(tmp_path / "source", index="# Title\n")
    (warning,) = build(source, tmp_path, citations_sources_file="x.yaml").warnings
    assert warning.startswith("WARNING: x.yaml: sources_file: cannot read x.yaml: ")
    conf = f"{CONF}\ncitations_sources_file = 'x.yaml'\n"
    (warning,) = build(project(source, conf), tmp_path).warnings
    assert warning.startswith("conf.py:3: WARNING: x.yaml: sources_file: cannot read x.yaml: ")


@pytest.mark.parametrize(
    ("name", "value"), [("citations_cards", "yes"), ("citations_provenance", 1)]
)
def test_wrong_switch_is_reported_once(tmp_path: Path, name: str, value: object) -> None:
    source = project(tmp_path / "source", f"{CONF}{name} = {value!r}\n", index="# Title\n")
    result = run("sphinx", "-q", "-b", "html", source, tmp_path / "out")
    assert result.returncode == 2
    assert result.stderr.count(name) == 1
    assert f"{source / 'conf.py'}:2: {name}: expected true or false" in result.stderr


def test_switches_from_the_command_line(tmp_path: Path) -> None:
    source = project(tmp_path / "source", index=f"{HEADER}# Title\n\nRain [1].\n")
    for value in "01":
        options = ["-D", f"citations_cards={value}"]
        result = run("sphinx", "-q", "-W", "-b", "html", *options, source, tmp_path / value)
        assert (result.returncode, result.stderr) == (0, "")
        assert (tmp_path / value / "_static" / "citations.js").exists() == (value == "1")


def test_file_that_was_not_read_is_not_judged(tmp_path: Path) -> None:
    source = project(tmp_path / "source", "citations_range = True\n", index="# Title\n")
    options = ["-C", "-D", "extensions=myst_parser,sphinx_citations", "-D", "html_theme=basic"]
    result = run("sphinx", "-q", "-W", "-b", "html", *options, source, tmp_path / "out")
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("citations_list_level = 9", "expected one of 0, 1, 2, 3, 4, 5, 6, found 9"),
        ("citations_list = None", "expected one of section, details, false, found None"),
        ("citations_sources_file = 5", "expected the path of a file, found 5"),
        ("citations_labels = {'x': 1}", "expected text for "),
        ("citations_ranges = 'yes'", "expected true or false, found 'yes'"),
    ],
)
def test_wrong_value_in_the_configuration(tmp_path: Path, line: str, message: str) -> None:
    conf = f"{CONF}\n{line}\ncitations_back_links = -1\n"
    source = project(tmp_path / "source", conf, index="# Title\n")
    result = run("sphinx", "-q", "-b", "html", source, tmp_path / "out")
    assert result.returncode == 2
    name = line.partition(" ")[0]
    assert f"{source / 'conf.py'}:3: {name}: {message}" in result.stderr
    assert f"{source / 'conf.py'}:4: citations_back_links: expected 0 or more" in result.stderr


def test_values_from_the_command_line(tmp_path: Path) -> None:
    conf = f"{CONF}\ncitations_list_level = 1\n"
    source = project(tmp_path / "source", conf, index=f"{HEADER}# Title\n\nRain [1-2].\n")
    options = ["-D", "citations_ranges=1", "-D", "citations_back_links=0"]
    result = run("sphinx", "-q", "-W", "-b", "html", *options, source, tmp_path / "out")
    assert (result.returncode, result.stderr) == (0, "")
    html = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert 'class="citation"' in html
    assert "doc-backlink" not in html
    result = run("sphinx", "-b", "html", "-D", "citations_list_level=9", source, tmp_path / "out")
    assert "citations_list_level: expected one of" in result.stderr
    assert "conf.py:" not in result.stderr


def test_misspelt_option(tmp_path: Path) -> None:
    conf = f"""{CONF}
citations_range = True
citations_folder = "data"
citations_sources_file = citations_folder + "/x.yaml"
if True:
    citations_wholly_unlike = 1
    with open(__file__) as citations_file_of_conf:
        pass
try:
    citations_cardz = True
except ValueError:
    pass
class Names:
    citations_labelz = 1
citations_key = [citations_keyy for citations_keyy in ["sources"]][0]
async def later():
    citations_linked_to = 1
def setup(app):
    citations_listt = 1
"""
    source = project(tmp_path / "source", conf, index="# Title\n")
    (source / "data").mkdir()
    (source / "data" / "x.yaml").write_text("- https://one.example/\n", "utf-8")
    built = build(source, tmp_path / "1")
    expected = "expected the name of an option, found "
    assert built.warnings == [
        f"conf.py:3: WARNING: {expected}citations_range (did you mean citations_ranges?) [citations.config]",
        f"conf.py:7: WARNING: {expected}citations_wholly_unlike [citations.config]",
        f"conf.py:8: WARNING: {expected}citations_file_of_conf [citations.config]",
        f"conf.py:11: WARNING: {expected}citations_cardz (did you mean citations_cards?) [citations.config]",
    ]
    assert build(source, tmp_path / "2", suppress_warnings=["citations.config"]).warnings == []
    result = run("sphinx", "-q", "-W", "-b", "html", source, tmp_path / "out")
    assert result.returncode != 0


def test_values_of_every_allowed_type(tmp_path: Path) -> None:
    conf = f"""{CONF}
from pathlib import Path
citations_sources_file = Path("x.yaml")
citations_labels = {{"sources": "Works"}}
citations_list = False
"""
    source = project(tmp_path / "source", conf, index="# Title\n\nRain [1].\n")
    (source / "x.yaml").write_text("- https://one.example/\n", "utf-8")
    assert build(source, tmp_path / "1").warnings == []


def test_front_matter_that_never_ends(tmp_path: Path) -> None:
    page = f"{HEADER[:-5]}\n# Title\n\nRain [1].\n"
    built = build(project(tmp_path / "source", index=page), tmp_path)
    (warning,) = built.ours
    assert warning.startswith("index.md:1: WARNING: sources: expected a line --- that ends ")
    assert "Rain [1]." in built.reading("index").text


def test_long_block(tmp_path: Path) -> None:
    lines = "".join(f"  - https://one.example/{n}\n" for n in range(30_000))
    page = f"---\nsources:\n{lines}---\n\n# Title\n\nRain [29999] [30001].\n"
    built = build(project(tmp_path / "source", index=page), tmp_path)
    assert places(built) == ["index.md:30007 [citations.unknown-source]"]
    assert built.reading("index").titles == ["[29999] https://one.example/29998"]


def test_author_s_own_footnote(tmp_path: Path) -> None:
    page = f"{HEADER}# Title\n\nRain [^1], sun [1].\n\n[^1]: This was measured at noon.\n"
    built = build(project(tmp_path / "source", index=page), tmp_path)
    assert places(built) == ["index.md:11 [citations.definition-differs]"]
    assert len(built.warnings) == 1
    reading = built.reading("index")
    assert reading.cited == [1]
    assert "This was measured at noon." in reading.text


def test_switched_off(tmp_path: Path) -> None:
    page = (
        "---\ncitations: false\nsources:\n  - https://one.example/\n---\n\n# Title\n\nRain [1].\n"
    )
    built = build(project(tmp_path / "source", index=page), tmp_path)
    assert built.warnings == []
    assert built.reading("index").text == "Title\nRain [1]."


def test_plain_commonmark(tmp_path: Path) -> None:
    page = f"{HEADER}# Title\n\nRain [1] and [9].\n"
    built = build(project(tmp_path / "source", index=page), tmp_path, myst_commonmark_only=True)
    assert places(built) == ["index.md:9 [citations.unknown-source]"]
    assert built.reading("index").text == "Title\nRain {1} and [9]."


@pytest.mark.parametrize(
    "block",
    [
        "sources: [https://one.example/, https://two.example/]\ntitle: x\n",
        "sources:\n- https://one.example/\n\n# remark\n- https://two.example/\ntitle: x\n",
        "title: x\nsources:\n  - &a https://one.example/\n  - https://two.example/\nother: *a\n",
        "sources:\n  1: https://one.example/\n  2: https://two.example/\n",
        "{title: x,\nsources: [https://one.example/, https://two.example/]}\n",
        (
            "sources:\n  - title: |\n      One\n\n      sources: none\n    url: https://one.example/\n"
            "  - https://two.example/\nmyst:\n  enable_extensions: [dollarmath]\n"
        ),
    ],
)
def test_shapes_of_front_matter(tmp_path: Path, block: str) -> None:
    page = f"---\n{block}---\n\n# Title\n\nRain [1] [2] [9].\n"
    built = build(project(tmp_path / "source", index=page), tmp_path)
    assert len(built.warnings) == 1
    assert built.ours[0].startswith(f"index.md:{block.count(chr(10)) + 6}: ")
    assert built.reading("index").text == "Title\nRain {1} {2} [9]."
    assert built.app.env.metadata["index"].get("title") in {"x", None}
