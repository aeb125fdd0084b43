"""What the README and the documentation show is what happens."""

from __future__ import annotations

import contextlib
import io
import re
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from mdit_citations import Options, ProblemCode, citations_plugin
from mdit_citations.front_matter import load_sources_file

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def fences(path: Path) -> list[tuple[str, str]]:
    tokens = MarkdownIt("commonmark").parse(path.read_text("utf-8"))
    return [(token.info, token.content) for token in tokens if token.type == "fence"]


def programs() -> list[tuple[Path, str, str]]:
    """Python that is followed by what it prints."""
    found = []
    for path in PAGES:
        blocks = fences(path)
        for (kind, code), (next_kind, printed) in pairwise(blocks):
            if kind == "python" and next_kind in {"html", "text"}:
                found.append((path, code, printed))
    return found


@pytest.mark.parametrize(
    ("path", "code", "printed"), programs(), ids=lambda value: str(value)[-20:]
)
def test_programs_print_what_is_shown(path: Path, code: str, printed: str) -> None:
    for module in re.findall(r"^(?:from|import) (\w+)", code, re.MULTILINE):
        # A host that is not there; our own packages always are.
        pytest.importorskip(module)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, str(path), "exec"), {})
    assert out.getvalue().strip() == printed.strip()


def test_there_are_programs() -> None:
    assert {path.name for path, _, _ in programs()} >= {"README.md", "chat.md", "sources.md"}


def table(name: str) -> dict[str, list[str]]:
    rows = re.findall(
        r"^\| `([\w-]+)` (.*)\|$", (ROOT / "docs" / name).read_text("utf-8"), re.MULTILINE
    )
    return {key: [cell.strip() for cell in rest.strip("| ").split("|")] for key, rest in rows}


def test_the_table_of_options_is_complete() -> None:
    rows = table("options.md")
    assert list(rows) == [field.name for field in fields(Options)]
    for field in fields(Options):
        default = rows[field.name][0].strip("`")
        if default != "by language":
            shown = {None: "none", True: "true", False: "false", "": '""'}.get(
                field.default, field.default
            )
            assert default == str(shown)


def test_every_code_of_a_page_is_explained() -> None:
    later = {ProblemCode.QUOTE_NOT_FOUND, ProblemCode.QUOTE_AMBIGUOUS}
    assert set(table("problems.md")) == {str(code) for code in set(ProblemCode) - later}


def test_yaml_of_the_documentation_yields_sources() -> None:
    blocks = [
        text
        for kind, text in fences(ROOT / "docs" / "sources.md")
        if kind == "yaml" and "sources" in text
    ]
    assert len(blocks) == 4
    for block in blocks:
        env: dict[str, object] = {}
        MarkdownIt().use(citations_plugin).render(f"---\n{block}---\n\n[1] [7]", env)
        assert env["citations"].sources  # type: ignore[attr-defined]
        assert not [p for p in env["citations"].problems if p.path]  # type: ignore[attr-defined]


def test_files_of_the_documentation_yield_sources(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "sources.md").read_text("utf-8")
    path = tmp_path / "part.md"
    path.write_text(page.partition("## A file of sources")[2].partition("\n## ")[0], "utf-8")
    kinds = []
    for kind, block in fences(path):
        kinds.append(kind)
        file = tmp_path / f"sources.{kind}"
        file.write_text(block, "utf-8")
        sources, problems = load_sources_file(file)
        assert 7 in sources
        assert not problems
    assert kinds == ["yaml", "json"]


def test_links_between_pages_lead_somewhere() -> None:
    for path in PAGES:
        for token in MarkdownIt("commonmark").parse(path.read_text("utf-8")):
            for child in token.children or ():
                target = str(child.attrs.get("href", child.attrs.get("src", ""))).partition("#")[0]
                if target and "://" not in target:
                    assert (path.parent / target).exists(), f"{path.name}: {target}"
