from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.sphinx.building import Built, build, project

pytest.importorskip("myst_nb")


@pytest.fixture(scope="module", params=["commonmark", "gfm", "myst"])
def notebooks(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(
        "notebooks",
        tmp_path_factory.mktemp("notebooks"),
        nb_render_markdown_format=request.param,
        exclude_patterns=[],
    )


def test_page_that_is_no_notebook(notebooks: Built) -> None:
    assert "Plain {1}." in notebooks.reading("index").text


def test_text_notebook(notebooks: Built) -> None:
    text = notebooks.reading("text").text
    assert "First {1}, unknown [9]." in text
    assert "Second {2}." in text
    assert "Third {1}." in text
    assert "a = [1]" in text
    warnings = [warning for warning in notebooks.ours if warning.startswith("text.md")]
    assert len(warnings) == 1
    assert warnings[0].startswith("text.md:14: ")


def test_stored_notebook(notebooks: Built) -> None:
    text = notebooks.reading("stored").text
    assert "A stored notebook {1}" in text
    assert "First {1} and {2}." in text
    assert "Second {2}." in text
    # What code has written is not the author's.
    assert "Shown [1] and [9]." in text
    assert "printed [1]" in text
    assert notebooks.reading("stored").titles == ["[1] One", "[2] Two"]
    assert [group["id"] for group in notebooks.body("stored").select("sup.citation")] == [
        f"fnref_cite_{n}" for n in range(1, 5)
    ]


@pytest.mark.parametrize(
    ("metadata", "options", "title"),
    [
        ({"lang": "es", "sources": ["https://one.example/"]}, {}, "Fuentes"),
        ({"lang": "es"}, {"citations_sources": ["https://one.example/"]}, "Fuentes"),
        ({"language": "de", "sources": ["https://one.example/"]}, {"language": "es"}, "Fuentes"),
        ({"lang": 5, "sources": ["https://one.example/"]}, {"language": "de"}, "Quellen"),
    ],
)
def test_language_of_a_notebook(
    tmp_path: Path, metadata: dict[str, object], options: dict[str, object], title: str
) -> None:
    cell = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# Title\n\nRain [1]."}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": [cell]}
    source = project(tmp_path / "source", 'extensions = ["myst_nb", "sphinx_citations"]\n')
    (source / "index.ipynb").write_text(json.dumps(notebook), "utf-8")
    built = build(source, tmp_path, **options)
    assert built.warnings == []
    assert built.body("index").select("section.sources h2")[0].get_text() == title


@pytest.mark.skipif(
    version("myst-parser") < "5", reason="MyST-Parser 4 can't be set up beside MyST-NB"
)
def test_with_the_parser_of_myst_too(tmp_path: Path) -> None:
    built = build("notebooks", tmp_path, extensions=["sphinx_citations", "myst_parser", "myst_nb"])
    assert "First {1}, unknown [9]." in built.reading("text").text
