from __future__ import annotations

from pathlib import Path

import pytest

from tests.sphinx.building import HEADER, build, copy, project, run


def test_translated(tmp_path: Path) -> None:
    built = build(copy("translated", tmp_path / "source"), tmp_path)
    assert [warning.rsplit(" ", 1)[1] for warning in built.warnings] == [
        "[citations.shadowed-by-reference]"
    ]
    reading = built.reading("index")
    assert reading.text.split("\n")[:6] == [
        "Regen {1}",
        "Es schneit {2} und regnet {1}.",
        "Eine Notiz[1] und eine mit Zahl[5], kein Link [3].",
        "Note" if "Note" in reading.text else "Bemerkung",
        "Geschachtelt {2}.",
        "[1]",
    ]
    assert "Die Notiz {2}." in reading.text
    assert reading.titles == ["[1] One", "[2] Two"]
    assert "Quellen" in str(built.body("index"))
    groups = built.body("index").select("sup.citation")
    assert [group["id"] for group in groups] == [f"fnref_cite_{n}" for n in range(1, 6)]
    assert built.app.env.titles["index"].astext() == "Regen"


def test_untranslated_language(tmp_path: Path) -> None:
    built = build(copy("translated", tmp_path / "source"), tmp_path, language="fr")
    assert "It rains {1} and snows {2}." in built.reading("index").text


def test_unknown_number_in_both(tmp_path: Path) -> None:
    source = project(
        tmp_path / "source",
        'extensions = ["myst_parser", "sphinx_citations"]\nlanguage = "de"\nlocale_dirs = ["l"]\n',
        index=f"{HEADER}# Title\n\nRain [9].\n\nSun.\n",
    )
    catalog = source / "l" / "de" / "LC_MESSAGES" / "index.po"
    catalog.parent.mkdir(parents=True)
    catalog.write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        'msgid "Rain [9]."\nmsgstr "Regen [9]."\n\nmsgid "Sun."\nmsgstr "Sonne [8]."\n',
        "utf-8",
    )
    built = build(source, tmp_path)
    assert [warning.split("names")[0].strip() for warning in built.ours] == [
        "index.md:9: WARNING: [9]",
        "index.md:11:<translated>: WARNING: [8]",
    ]
    assert "Regen [9]." in built.reading("index").text


def test_texts_without_a_source(tmp_path: Path) -> None:
    """Sphinx has what docutils gives no ``rawsource`` translated by its text."""
    pytest.importorskip("sphinx_design")
    conf = 'extensions = ["myst_parser", "sphinx_citations", "sphinx_design"]\n'
    page = (
        f"{HEADER}# Title\n\n:A *field [1]*: value\n\n"
        "```{card} A card [2]\nBody\n```\n\n```{rubric} A rubric [1]\n```\n"
    )
    options = {"myst_enable_extensions": ["fieldlist"], "locale_dirs": ["locale"]}
    source = project(tmp_path / "source", conf, index=page)
    build(source, tmp_path / "1", "gettext", **options)
    template = (tmp_path / "1" / "gettext" / "index.pot").read_text("utf-8")
    messages = ["A field [1]", "A card [2]", "A rubric [1]"]
    assert [message for message in messages if f'msgid "{message}"' in template] == messages
    catalog = source / "locale" / "de" / "LC_MESSAGES" / "index.po"
    catalog.parent.mkdir(parents=True)
    entries = "".join(f'msgid "{text}"\nmsgstr "{text[2:]} *{text}*"\n\n' for text in messages)
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    catalog.write_text(header + entries, "utf-8")
    built = build(source, tmp_path / "2", language="de", **options)
    assert built.warnings == []
    text = built.reading("index").text
    for message in ("field", "card", "rubric"):
        number = 2 if message == "card" else 1
        assert f"{message} {{{number}}} A {message} {{{number}}}" in text


def test_with_sphinx_intl(tmp_path: Path) -> None:
    pytest.importorskip("sphinx_intl")
    source = project(
        tmp_path / "source", index=f"{HEADER}# Rain [1]\n\nIt rains [1].\n\n[SOURCES]\n"
    )
    build(source, tmp_path, "gettext")
    result = run(
        "sphinx_intl", "update", "-p", tmp_path / "gettext", "-l", "de", "-d", source / "locale"
    )
    assert result.returncode == 0, result.stderr
    file = source / "locale" / "de" / "LC_MESSAGES" / "index.po"
    text = file.read_text("utf-8")
    assert "SOURCES" not in text
    text = text.replace('"It rains [1]."\nmsgstr ""', '"It rains [1]."\nmsgstr "Es regnet [1]."')
    file.write_text(text, "utf-8")
    built = build(source, tmp_path, language="de", locale_dirs=["locale"])
    assert built.warnings == []
    assert "Es regnet {1}." in built.reading("index").text
