from __future__ import annotations

import filecmp
import os
import pickle
import time
from pathlib import Path

import pytest
from sphinx.builders import Builder

from sphinx_citations import pages_citing
from sphinx_citations.records import records_of
from tests.sphinx.building import HEADER, build, copy, project


def later(file: Path, text: str) -> None:
    """Write *text* with a time that is later than any before."""
    before = file.stat().st_mtime if file.exists() else 0
    file.write_text(text, "utf-8")
    after = max(before, time.time()) + 5
    os.utime(file, (after, after))


def tree(directory: Path) -> dict[str, bytes]:
    ignored = {"environment.pickle", ".buildinfo", "searchindex.js"}
    return {
        str(file.relative_to(directory)): file.read_bytes()
        for file in directory.rglob("*")
        if file.is_file() and file.name not in ignored
    }


def test_record(tmp_path: Path) -> None:
    source = project(
        tmp_path / "source",
        index=f"{HEADER}# Title\n\nRain [1][2], sun [2].\n\n```{{toctree}}\nother\nplain\n```\n",
        other=f"{HEADER}# Other\n\nRain [2].\n",
        plain="# Plain\n\nRain [1].\n",
    )
    env = build(source, tmp_path).app.env
    assert pages_citing(env, "https://one.example/") == ["index"]
    assert pages_citing(env, "https://two.example/") == ["index", "other"]
    assert set(records_of(env)) == {"index", "other"}
    later(source / "other.md", "# Other\n\nNothing.\n")
    env = build(source, tmp_path).app.env
    assert set(records_of(env)) == {"index"}
    later(source / "index.md", f"{HEADER}# Title\n\nRain [1].\n\n```{{toctree}}\nplain\n```\n")
    (source / "other.md").unlink()
    env = build(source, tmp_path).app.env
    assert pages_citing(env, "https://two.example/") == []


def test_one_page_is_read_again(tmp_path: Path) -> None:
    pytest.importorskip("sphinx_design")
    source = copy("book", tmp_path / "source")
    build(source, tmp_path)
    guide = source / "guide.md"
    later(guide, guide.read_text("utf-8") + "\nAnd [7].\n")
    read: list[str] = []
    original = Builder.read_doc

    def read_doc(self: object, docname: str, **arguments: object) -> None:
        read.append(docname)
        original(self, docname, **arguments)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Builder, "read_doc", read_doc)
        built = build(source, tmp_path)
    assert read == ["guide"]
    assert "And {7}." in built.reading("guide").text


def test_incremental_parallel_and_full_builds_agree(tmp_path: Path) -> None:
    pytest.importorskip("sphinx_design")
    source = copy("book", tmp_path / "source")
    guide, notes = source / "guide.md", source / "notes.md"
    final = guide.read_text("utf-8"), notes.read_text("utf-8")
    later(guide, f"{HEADER}# Guide to rain [1] and sun\n\n[2]\n")
    later(notes, "# Notes\n")
    build(source, tmp_path / "incremental")
    later(guide, final[0])
    later(notes, final[1])
    build(source, tmp_path / "incremental")
    build(source, tmp_path / "full")
    build(source, tmp_path / "parallel", parallel=2)
    full = tree(tmp_path / "full" / "html")
    assert full == tree(tmp_path / "incremental" / "html")
    assert full == tree(tmp_path / "parallel" / "html")
    assert filecmp.cmp(
        tmp_path / "full" / "html" / "searchindex.js",
        tmp_path / "parallel" / "html" / "searchindex.js",
    )
    for other in ("incremental", "parallel"):
        for page in ("guide", "notes", "index"):
            trees = [
                pickle.loads(
                    (tmp_path / name / "doctrees" / f"{page}.doctree").read_bytes()
                ).pformat()
                for name in ("full", other)
            ]
            assert trees[0] == trees[1]


def test_many_pages_in_parallel(tmp_path: Path) -> None:
    pages = {f"page{n}": f"{HEADER}# Page {n} [1]\n\nRain [2].\n" for n in range(20)}
    names = "\n".join(pages)
    source = project(
        tmp_path / "source", index=f"# Index\n\n```{{toctree}}\n{names}\n```\n", **pages
    )
    one = build(source, tmp_path / "1")
    two = build(source, tmp_path / "2", parallel=2)
    assert records_of(one.app.env) == records_of(two.app.env)
    assert len(records_of(one.app.env)) == 20
    assert tree(one.output) == tree(two.output)


def test_other_builder_from_the_same_doctrees(tmp_path: Path) -> None:
    pytest.importorskip("sphinx_design")
    build("book", tmp_path, "html")
    built = build("book", tmp_path, "singlehtml")
    assert "fnref_guide_cite_1" in built.text("index.html")
    built = build("book", tmp_path, "text")
    assert "It rains [1]" in built.text("index.txt")


def test_shared_sources(tmp_path: Path) -> None:
    source = copy("shared", tmp_path / "source")
    built = build(source, tmp_path)
    assert built.warnings == []
    assert built.reading("index").titles == ["[2] Shared two"]
    assert built.reading("other").titles == ["[1] Shared one", "[2] Own two"]
    file = source / "_sources.yaml"
    later(file, file.read_text("utf-8").replace("Shared two", "Changed"))
    built = build(source, tmp_path)
    assert built.reading("index").titles == ["[2] Changed"]
    later(file, "- {title: x, url: 'javascript:1'}\n- [a, b]\n")
    built = build(source, tmp_path, fresh=True)
    assert [warning.split(": ")[0] for warning in built.ours] == [
        "_sources.yaml:1", "_sources.yaml:2", "index.md:3",
    ]  # fmt: skip


def test_changed_option_reads_again(tmp_path: Path) -> None:
    source = project(tmp_path / "source", index=f"{HEADER}# Title\n\nRain [1-2].\n")
    assert build(source, tmp_path).reading("index").cited == []
    assert build(source, tmp_path, citations_ranges=True).reading("index").cited == [1, 2]


def test_shared_sources_in_the_configuration(tmp_path: Path) -> None:
    source = project(tmp_path / "source", index="# Title\n\nRain [1] and [^9].\n")
    built = build(source, tmp_path, citations_sources=["https://one.example/"])
    assert built.reading("index").titles == ["[1] https://one.example/"]
    assert len(built.ours) == len(built.warnings) == 1
