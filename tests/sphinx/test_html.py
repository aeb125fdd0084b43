from __future__ import annotations

import importlib.util
import json
import pickle
import re
from io import StringIO
from pathlib import Path

import myst_parser.parsers.sphinx_ as module
import pytest
import sphinx
from bs4 import BeautifulSoup
from sphinx.application import Sphinx
from sphinx.errors import ConfigError, ExtensionError
from sphinx.registry import SphinxComponentRegistry
from sphinx.util.docutils import docutils_namespace, patch_docutils

from tests.sphinx.building import HEADER, ROOTS, Built, build, project, run


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Built:
    pytest.importorskip("sphinx_design")
    return build("book", tmp_path_factory.mktemp("book"))


def test_no_warnings(book: Built) -> None:
    assert book.warnings == []


def test_superscript(book: Built) -> None:
    group = book.body("index").select("sup.citation")[2]
    assert group["id"] == "fnref_cite_3"
    first, second = group.select("a.citation-link")
    assert (first["href"], first["title"]) == (
        "https://first.example/",
        "The first page – first.example",
    )
    assert second["href"] == "https://second.example/a?b=1&c=2#d_e%20f"
    assert second["title"] == 'The second & "third" – second.example'
    assert group.get_text() == "1 2"
    book_link = book.body("guide").select("sup.citation a[href^='#']")[0]
    assert book_link["href"] == "#cite_source_7"
    assert book_link["role"] == "doc-biblioref"
    assert {"citation-link", "footnote-ref"} <= set(book_link["class"])


def test_list(book: Built) -> None:
    section = book.body("guide").select_one("section.sources")
    assert section is not None
    assert section["role"] == "doc-bibliography"
    assert section["aria-labelledby"] == "cite_sources"
    assert "no-search" in section["class"]
    assert section.has_attr("data-search-exclude")
    heading = section.select_one("h2#cite_sources")
    assert heading is not None
    assert heading.get_text() == "Sources"
    third, seventh = section.select("ul > li")
    assert third["id"] == "cite_source_3"
    number = third.select_one("p > a.source-number")
    assert number is not None
    assert (number.get_text(), number["href"]) == ("[3]", "https://third.example/")
    text = third.get_text()
    assert text.startswith("[3] Third – Doe, 2024-05-01 (accessed 2024-06-01) a b c +2")
    back = third.select("[role=doc-backlink]")
    assert [link["href"] for link in back] == [f"#fnref_cite_{n}" for n in (1, 2, 4)]
    assert back[0]["aria-label"] == "Back to citation 1"
    assert seventh.select_one("span.source-number") is not None
    assert seventh.select_one("cite.source-title").get_text() == "A book about rain"  # type: ignore[union-attr]


def test_list_is_at_the_end_of_the_section(book: Built) -> None:
    section = book.body("guide").select_one("section#guide-to-rain-and-sun")
    assert section is not None
    assert "sources" in section.find_all("section", recursive=False)[-1]["class"]


def test_never_in(book: Built) -> None:
    text = book.reading("guide").text
    assert "and [3] and [3] and" in text
    assert "a link [3]" in text
    assert "a[3]" in text


def test_headings(book: Built) -> None:
    body = book.body("guide")
    assert body.select_one("h1").get_text() == "Guide to rain 3 and sun"  # type: ignore[union-attr]
    assert [section["id"] for section in body.select("section[id]")] == [
        "guide-to-rain-and-sun",
        "where",
        "twice",
    ]
    assert body.select_one("a[href='#where']").get_text() == "Where"  # type: ignore[union-attr]
    page = BeautifulSoup(book.text("guide.html"), "html.parser")
    assert page.title is not None
    assert page.title.get_text() == "Guide to rain and sun — Weather 1.0 documentation"
    toctree = book.body("index").select_one(".toctree-wrapper")
    assert toctree is not None
    assert toctree.select_one("a").get_text() == "Guide to rain and sun"  # type: ignore[union-attr]
    env = book.app.env
    assert env.titles["guide"].astext() == "Guide to rain and sun"
    assert env.tocs["guide"].astext().split("\n\n") == ["Guide to rain and sun", "Where", "Twice"]
    index = book.text("searchindex.js")
    assert '"Guide to rain and sun"' in index
    assert not re.search(r'"(Guide[^"]*|Where|Twice)[^"]*\d[^"]*"', index)
    if sphinx.version_info >= (8, 2):
        # Only the list, which the index leaves out where Sphinx knows how to, names the author.
        assert '"rain":' in index
        assert '"roe":' not in index


def test_nested(book: Built) -> None:
    reading = book.reading("nested")
    assert reading.text.split("\n") == [
        "Nested",
        "First {1}.",
        "Note",
        "Second {2}.",
        "A title {3}",
        "Third {1}.",
        *("a {1}", "b", "Cell {2}", "Cell {3}"),
        *("Caption {1}", "Listed {2}", "Listed {3}"),
        "The rain {1}.",
        *("One", "Tab {2}.", "Two", "Tab {3}."),
        *("Card {1}", "Body {2}."),
        "a claim {2}.",
        "Included {1}.",
        *("Term {1}", "Definition {2}"),
        "Quote {3}",
        *("item {1}", "item {2}"),
        *("field:", "value {3}"),
        "Last {1}.",
    ]
    groups = book.body("nested").select("sup.citation")
    assert [group["id"] for group in groups] == [f"fnref_cite_{n + 1}" for n in range(len(groups))]
    image = book.body("nested").select_one("img")
    assert image is not None
    assert image["alt"] == "see [1]"


def test_footnotes(book: Built) -> None:
    body = book.body("notes")
    reading = book.reading("notes")
    assert reading.text.startswith("Notes\nRain {1}, a remark[1], a numbered one[5], sun {2}.")
    assert len(body.select("aside.footnote")) == 2
    assert "A remark {1}." in reading.text
    # The list comes behind the footnotes.
    last = [tag for tag in body.find_all(["aside", "section"]) if tag.parent is body][-1]
    assert "sources" in last["class"]


def test_footnote_in_a_directive(tmp_path: Path) -> None:
    page = (
        f"{HEADER}# Title\n\nRain [^1], sun [^2].\n\n"
        "```{note}\nA note.\n\n[^1]: This was measured at noon.\n```\n\nSnow [^1] [1].\n"
    )
    built = build(project(tmp_path / "source", index=page), tmp_path)
    assert [warning.rsplit(" ", 1)[1] for warning in built.warnings] == [
        "[citations.definition-differs]"
    ]
    text = built.reading("index").text
    assert "Rain [1], sun {2}." in text
    assert "Snow [1] {1}." in text


def test_footnote_in_a_directive_beside_citations(tmp_path: Path) -> None:
    page = (
        f"{HEADER}# Title [2][^1]\n\nRain [^1][^2], sun [2][^1][^2, 1], "
        "wind [^1][^1], hail [^1, 2]【^1】.\n\n"
        "```{note}\nA note.\n\n[^1]: This was measured at noon.\n```\n"
    )
    source = project(tmp_path / "source", index=page)
    built = build(source, tmp_path, citations_lenticular=True)
    assert [warning.rsplit(" ", 1)[1] for warning in built.warnings] == [
        "[citations.definition-differs]"
    ]
    text = built.reading("index").text
    assert "Title {2}[1]" in text
    assert "Rain [1]{2}, sun {2}[1]{2 1}, wind [1][1], hail {1 2 1}." in text


def test_place(book: Built) -> None:
    text = " ".join(book.body("places").get_text().split())
    assert "Before. Quellen [1] One" in text
    assert text.endswith("Between 1. [SOURCES]")
    assert "Zurück zu Beleg 1" in str(book.body("places"))


def test_style_sheet_where_it_is_needed(book: Built) -> None:
    assert 'href="_static/citations.css?v=' in book.text("guide.html")
    assert "citations.css" not in book.text("plain.html")
    assert (book.output / "_static" / "citations.css").exists()


DATA = "script[type='application/ld+json']"


@pytest.mark.parametrize(
    "theme",
    ["basic", "alabaster", "furo", "pydata_sphinx_theme", "sphinx_rtd_theme"],
)
def test_cards_and_provenance(tmp_path: Path, theme: str) -> None:
    if theme not in {"basic", "alabaster"}:
        pytest.importorskip(theme)
    pages = {
        "index": f"{HEADER}# Rain & `<sun>` [1]\n\nRain [2].\n\n```{{toctree}}\nnone\nuncited\n```\n",
        "none": "# None\n",
        "uncited": f"{HEADER}# Uncited\n",
    }
    source = project(tmp_path / "source", **pages)
    config = {"html_theme": theme, "html_baseurl": "https://site.example/docs/"}
    plain = build(source, tmp_path / "plain", **config)
    on = {"citations_cards": True, "citations_provenance": True}
    built = build(source, tmp_path, **config, **on)
    assert built.warnings == plain.warnings
    for name in pages:
        page = BeautifulSoup(built.text(f"{name}.html"), "html.parser")
        before = BeautifulSoup(plain.text(f"{name}.html"), "html.parser")
        scripts = page.select("script[src*='citations.js']")
        data = page.select(DATA)
        assert len(scripts) == (name != "none")
        assert len(data) == (name == "index")
        for element in (*scripts, *data):
            element.extract()
        assert "".join(str(page).split()) == "".join(str(before).split())
        if name == "index":
            assert scripts[0].has_attr("defer")
            assert str(scripts[0]["src"]).startswith("_static/citations.js?v=")
            cited = json.loads(data[0].get_text())
            assert cited["url"] == "https://site.example/docs/index.html"
            assert (cited["name"], cited["inLanguage"]) == ("Rain & <sun>", "en")
            assert [work["name"] for work in cited["citation"]] == ["One", "Two"]
    assert not (plain.output / "_static" / "citations.js").exists()


def test_provenance_of_other_builders(tmp_path: Path) -> None:
    pages = {
        "index": f"{HEADER}# A\n\nRain [1].\n\n```{{toctree}}\nguide\nuntitled\n```\n",
        "guide": f"{HEADER}# B\n\nRain [2].\n",
        "untitled": f"{HEADER}Sun [1].\n",
    }
    source = project(tmp_path / "source", **pages)
    on = {"citations_cards": True, "citations_provenance": True}
    base = {"html_baseurl": "https://site.example/"}
    found = {}
    names = {
        "dirhtml": "guide/index.html",
        "singlehtml": "index.html",
        "epub": "guide.xhtml",
    }
    for builder, name in names.items():
        built = build(source, tmp_path, builder, **on, **(base if builder != "epub" else {}))
        html = built.text(name)
        assert ("citations.js" in html) == (builder != "epub")
        data = BeautifulSoup(html, "html.parser").select(DATA)
        found[builder] = [json.loads(each.get_text()) for each in data]
    assert [each["url"] for each in found["dirhtml"]] == ["https://site.example/guide/"]
    assert [each.get("name") for each in found["singlehtml"]] == ["B", "A", None]
    assert found["epub"] == []


def test_the_project_s_own_script_takes_the_place(tmp_path: Path) -> None:
    source = project(tmp_path / "source", index=f"{HEADER}# A\n\nRain [1].\n")
    (source / "static").mkdir()
    (source / "static" / "citations.js").write_text("own", "utf-8")
    built = build(source, tmp_path, citations_cards=True, html_static_path=["static"])
    assert built.text("_static/citations.js") == "own"


def test_copies_of_titles_and_links(tmp_path: Path) -> None:
    pytest.importorskip("sphinx_design")
    page = (
        f"{HEADER}# Title\n\n```{{contents}}\n```\n\n## Rain [1] falls\n\n"
        "```{button-link} https://elsewhere.example/\nA button [1]\n```\n\n"
        '"Quoted [1]" and "[2]".\n'
    )
    conf = 'extensions = ["myst_parser", "sphinx_citations", "sphinx_design"]\n'
    built = build(project(tmp_path / "source", conf, index=page), tmp_path)
    assert built.warnings == []
    body = built.body("index")
    contents = body.select_one("nav.contents, .contents")
    assert contents is not None
    assert "Rain falls" in " ".join(contents.get_text().split())
    assert not contents.select("sup")
    text = built.reading("index").text
    assert "A button [1]" in text
    assert "“Quoted {1}” and “{2}”." in text
    groups = body.select("sup.citation")
    assert [group["id"] for group in groups] == [f"fnref_cite_{n}" for n in (1, 2, 3)]


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        ("pass", {}),
        ('node["rel"] = "external"', {"rel": ["external"]}),
        ('node["refuri"] = "https://proxy.example/"', {"href": "https://proxy.example/"}),
        ('node["refuri"] += "?a=1&b=2"', {"href": "https://one.example/?a=1&b=2"}),
        (
            'del node["refuri"]; node["refid"] = "title"',
            {"href": "#title", "class": ["citation-link", "reference", "internal"]},
        ),
        ('node["reftitle"] = "Other"', {"title": "Other"}),
        ('node["html"]["rel"] = "nofollow"', {"rel": ["nofollow"]}),
        ('node["ids"].append("new")', {"id": "new"}),
        (
            'node["classes"].append("new")',
            {"class": ["citation-link", "new", "reference", "external"]},
        ),
        (
            'node["classes"] = ["new"]',
            {"class": ["new", "reference", "external"]},
        ),
        ('node += nodes.Text("st")', {"text": "1st"}),
        ('node[0] = nodes.emphasis("", "one")', {"text": "one"}),
    ],
)
def test_nothing_else_is_lost_from_links(
    tmp_path: Path, change: str, changed: dict[str, object]
) -> None:
    """What another extension changes in a link is written, and only in that link."""
    conf = f"""
extensions = ["myst_parser", "sphinx_citations"]
from docutils import nodes
def mark(app, tree, docname):
    node = next(tree.findall(nodes.reference))
    {change}
def setup(app):
    app.connect("doctree-resolved", mark)
"""
    built = build(
        project(tmp_path / "source", conf, index=f"{HEADER}# Title\n\nRain [1]. Sun [1].\n"),
        tmp_path,
    )
    assert built.warnings == []
    first, second = (
        {**link.attrs, "text": link.get_text()} for link in built.body("index").select("sup a")
    )
    assert second == {
        "href": "https://one.example/",
        "title": "One – one.example",
        "class": ["citation-link"],
        "text": "1",
    }
    given = {**second, "class": ["citation-link", "reference", "external"]} if changed else second
    assert given | changed == first


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        (
            'node["refuri"] = "https://new.example/"',
            {"href": "https://new.example/", "class": ["external"]},
        ),
        ('node["refid"] = "title"', {"href": "#title"}),
    ],
)
def test_nothing_else_is_lost_from_links_to_the_list(
    tmp_path: Path, change: str, changed: dict[str, object]
) -> None:
    conf = f"""
extensions = ["myst_parser", "sphinx_citations"]
citations_link_to = "list"
from docutils import nodes
def mark(app, tree, docname):
    {change.replace("node", "next(tree.findall(nodes.reference))")}
def setup(app):
    app.connect("doctree-resolved", mark)
"""
    built = build(
        project(tmp_path / "source", conf, index=f"{HEADER}# Title\n\nRain [1].\n"), tmp_path
    )
    link = built.body("index").select_one("sup a")
    assert link is not None
    assert link["href"] == changed["href"]
    assert link["role"] == "doc-biblioref"
    assert set(changed.get("class", ["internal"])) <= set(link["class"])  # type: ignore[call-overload]


def test_links_of_the_list_are_nodes(tmp_path: Path) -> None:
    """Other extensions find them, and what they change, replace or take away is as they leave it."""
    conf = """
extensions = ["myst_parser", "sphinx_citations"]
from docutils import nodes
def change(app, tree, docname):
    links = [node for node in tree.findall(nodes.reference) if "[" in node.astext()]
    app.config.found = [node["refuri"] for node in links]
    number, archived, other, last = links
    number["refuri"] = "https://proxy.example/"
    archived.replace_self(nodes.reference("", "copy", refuri=archived["refuri"]))
    other += nodes.inline("", "!", classes=["icon"])
    last.parent.remove(last)
def setup(app):
    app.connect("doctree-resolved", change)
    app.add_config_value("found", [], "")
"""
    page = """\
---
sources:
  - {title: One, url: "https://one.example/", archived: "https://archive.example/1", note: Read}
  - {title: Two, url: "https://two.example/"}
  - {title: Three, url: "https://three.example/"}
---

# Title

Rain [1, 2, 3].
"""
    built = build(
        project(tmp_path / "source", conf, index=page),
        tmp_path,
        citations_labels={"archived": "[x]"},
    )
    assert built.warnings == []
    assert built.app.config.found == [
        "https://one.example/",
        "https://archive.example/1",
        "https://two.example/",
        "https://three.example/",
    ]
    first, second, third = built.body("index").select("section.sources li > p")
    assert first.get_text() == "[1] One (copy). Read ↩"
    assert [link["href"] for link in first.select("a[href^=https]")] == [
        "https://proxy.example/",
        "https://archive.example/1",
    ]
    assert str(second.select_one("a.source-number > span.icon")) == '<span class="icon">!</span>'
    assert third.get_text() == " Three ↩"


def test_first_of_two_links_of_an_entry_taken_away(tmp_path: Path) -> None:
    """What is left stays where it was."""
    conf = """
extensions = ["myst_parser", "sphinx_citations"]
from docutils import nodes
def change(app, tree, docname):
    links = list(tree.findall(nodes.reference))
    number = next(link for link in links if "source-number" in link["classes"])
    number.parent.remove(number)
def setup(app):
    app.connect("doctree-resolved", change)
"""
    page = """\
---
sources:
  - {title: One, url: "https://one.example/", archived: "https://archive.example/1", note: Read}
---

# Title

Rain [1].
"""
    built = build(project(tmp_path / "source", conf, index=page), tmp_path)
    (entry,) = built.body("index").select("section.sources li > p")
    assert entry.get_text() == " One (archived copy). Read ↩"
    assert [link["href"] for link in entry.select("a")] == [
        "https://archive.example/1",
        "#fnref_cite_1",
    ]


def test_superscript_with_a_changed_link(tmp_path: Path) -> None:
    conf = """
extensions = ["myst_parser", "sphinx_citations"]
from docutils import nodes
def change(app, tree, docname):
    first, second = list(tree.findall(nodes.superscript))[:2]
    first[0]["rel"] = "external"
    second["classes"].append("new")
def setup(app):
    app.connect("doctree-resolved", change)
"""
    page = f"{HEADER}# Title\n\nRain [1, 2]. Sun [1]. Snow [1].\n"
    built = build(project(tmp_path / "source", conf, index=page), tmp_path)
    first, second, third = built.body("index").select("sup")
    assert [link.get("rel") for link in first.select("a")] == [["external"], None]
    assert first.get_text() == "1 2"
    assert (first["id"], second["id"]) == ("fnref_cite_1", "fnref_cite_2")
    assert "new" in second["class"]
    assert third["class"] == ["citation"]


def test_numbers_are_no_words_to_search_for(tmp_path: Path) -> None:
    page = f"{HEADER}# Title\n\nRain [1], twice [2].\n"
    index = build(project(tmp_path / "source", index=page), tmp_path).text("searchindex.js")
    assert '"twice":' in index
    if sphinx.version_info >= (8, 2):
        assert not re.search(r'"[12]":', index)
    assert '"One"' not in index
    assert '"one":' not in index


def test_raised_digits_are_no_words_to_search_for(tmp_path: Path) -> None:
    page = f"{HEADER}# Title [1]\n\nRain [1], twice [2].\n"
    source = project(tmp_path / "source", index=page)
    built = build(source, tmp_path, citations_superscript="unicode")
    assert "Title ¹\nRain ¹, twice ²." in built.reading("index").text
    index = built.text("searchindex.js")
    assert '"twice":' in index
    if sphinx.version_info >= (8, 2):
        assert not re.search(r"[¹²]|\\\\u00b[29]", index)


@pytest.mark.parametrize("extensions", [["sphinx_citations", "myst_parser"]])
def test_order_of_extensions(tmp_path: Path, extensions: list[str]) -> None:
    source = project(
        tmp_path / "source", f"extensions = {extensions}\n", index=f"{HEADER}Rain [1].\n"
    )
    built = build(source, tmp_path)
    assert built.reading("index").cited == [1]
    assert built.warnings == []


def test_without_a_parser(tmp_path: Path) -> None:
    source = tmp_path / "source"
    project(source, 'extensions = ["sphinx_citations"]\n')
    (source / "index.rst").write_text("Title\n=====\n\nText\n", "utf-8")
    result = run("sphinx", "-b", "html", "-q", source, tmp_path / "out")
    assert result.returncode == 0
    assert result.stderr.count("WARNING") == 1
    assert "no MyST parser is in use" in result.stderr
    assert "[citations.no-parser]" in result.stderr


def test_two_applications_in_one_process(tmp_path: Path) -> None:
    page = f"{HEADER}# Title\n\nRain [1].\n"
    with_us = project(tmp_path / "with", index=page)
    without = project(tmp_path / "without", 'extensions = ["myst_parser"]\n', index=page)
    other = project(tmp_path / "other", index=page)
    assert build(with_us, tmp_path / "1").reading("index").cited == [1]
    built = build(without, tmp_path / "2")
    assert "Rain [1]." in built.reading("index").text
    assert built.warnings == []
    assert build(other, tmp_path / "3", citations_inline=False).reading("index").cited == []
    assert build(with_us, tmp_path / "4").reading("index").cited == [1]


def test_applications_alive_at_once(tmp_path: Path) -> None:
    page = f"{HEADER}# Title\n\nRain [1] and [1-2].\n"
    with_us = project(tmp_path / "with", index=page)
    without = project(tmp_path / "without", 'extensions = ["myst_parser"]\n', index=page)
    with patch_docutils(), docutils_namespace():
        apps = [
            Sphinx(
                source,
                source,
                tmp_path / str(n),
                tmp_path / f"d{n}",
                "html",
                config,
                None,
                StringIO(),
            )
            for n, (source, config) in enumerate(
                [(with_us, {}), (without, {}), (with_us, {"citations_ranges": True})]
            )
        ]
        for app in apps:
            app.build()
    pages = [(tmp_path / str(n) / "index.html").read_text("utf-8") for n in range(3)]
    assert [page.count('class="citation"') for page in pages] == [1, 0, 2]


def test_seam_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = project(tmp_path / "source", index=HEADER)
    name = "create_md_parser"
    monkeypatch.delattr(module, name)
    with pytest.raises(ExtensionError, match=r"MyST-Parser 4 and 5.*myst-parser \d"):
        build(source, tmp_path / "1")
    monkeypatch.undo()
    # The name is there, but the parser no longer calls it.
    monkeypatch.setattr(module.MystParser, "parse", lambda *_args: None)
    with pytest.raises(ExtensionError, match=r"did not call create_md_parser.*sphinx \d"):
        build(source, tmp_path / "2")


def test_parsers_are_those_of_the_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry = SphinxComponentRegistry()
    assert registry.get_source_parsers() is registry.get_source_parsers(), (
        f"Sphinx {sphinx.__version__} gives a copy of its source parsers, so sphinx_citations.myst.attach "
        "can no longer put its own there: use app.add_source_parser(..., override=True)"
    )
    original = SphinxComponentRegistry.get_source_parsers
    monkeypatch.setattr(
        SphinxComponentRegistry, "get_source_parsers", lambda registry: dict(original(registry))
    )
    with pytest.raises(ExtensionError, match=r"gives a copy of its source parsers.*sphinx \d"):
        build(project(tmp_path / "source", index=HEADER), tmp_path)


def test_options(tmp_path: Path) -> None:
    source = project(tmp_path / "source", index=f"{HEADER}# Title\n\nRain [1-2] 【1】 [2].\n")
    built = build(
        source,
        tmp_path,
        citations_ranges=True,
        citations_lenticular=True,
        citations_link_to="list",
        citations_list="details",
        citations_list_title="Read & cited",
        citations_rel="nofollow",
        citations_target="_blank",
        citations_id_prefix="x",
        citations_back_links=1,
    )
    assert built.warnings == []
    assert "Rain {1 2} {1} {2}." in built.reading("index").text
    body = built.body("index")
    summary = body.select_one("section.sources > details > summary#cite_x_sources")
    assert summary is not None
    assert summary.get_text() == "Read & cited"
    assert body.select_one("a.citation-link")["href"] == "#cite_x_source_1"  # type: ignore[index]
    number = body.select_one("a.source-number")
    assert number is not None
    assert (number["rel"], number["target"]) == (["nofollow"], "_blank")
    assert len(body.select("[role=doc-backlink]")) == 2


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"citations_inline": False}, "Title\nRain [1]."),
        ({"citations_list": False}, "Title\nRain {1}."),
        ({"citations_superscript": "unicode"}, "Title\nRain ¹."),
        ({"citations_front_matter": False}, "Title\nRain [1]."),
        ({"citations_key": "refs"}, "Title\nRain [1]."),
    ],
)
def test_more_options(tmp_path: Path, options: dict[str, object], text: str) -> None:
    source = project(tmp_path / "source", index=f"{HEADER}# Title\n\nRain [1].\n")
    built = build(source, tmp_path, **options)
    assert built.warnings == []
    assert built.reading("index").text == text


def test_wrong_option(tmp_path: Path) -> None:
    source = project(tmp_path / "source", index=HEADER)
    with pytest.raises(ConfigError, match=r"^citations_list_level: expected one of .*, found 9$"):
        build(source, tmp_path / "1", citations_list_level=9)
    with pytest.raises(ConfigError, match=r"^citations_cards: expected true or false, found 2"):
        build(source, tmp_path / "2", citations_cards=2)


def test_missing_sources_file(tmp_path: Path) -> None:
    source = project(tmp_path / "source", index=f"{HEADER}# Title\n\nRain [1].\n")
    built = build(source, tmp_path / "1", citations_sources_file="missing.yaml")
    (warning,) = built.warnings
    assert "sources_file: cannot read missing.yaml: No such file or directory" in warning
    assert "{1}" in built.reading("index").text


def test_place_of_wrong_shared_sources(tmp_path: Path) -> None:
    source = project(tmp_path / "source", index=f"{HEADER}# Title\n\nRain [1].\n")
    (warning,) = build(source, tmp_path / "1", citations_sources=5).warnings
    assert warning.startswith("WARNING: citations_sources: sources: expected a list ")


def test_other_front_matter_beside_a_flow_block(tmp_path: Path) -> None:
    block = 'sources: {\n"1": https://a.example/,\n"2": https://b.example/\n}'
    page = f"---\n{block}\nmyst:\n  html_meta:\n    description: DESC\n---\n# F\n\n[1] [2]\n"
    built = build(project(tmp_path / "source", index=page), tmp_path / "1")
    assert built.warnings == []
    assert "DESC" in built.text("index.html")
    assert "{1} {2}" in built.reading("index").text


def test_words(tmp_path: Path) -> None:
    source = project(tmp_path / "source", index=f"{HEADER}# Title\n\nRain [1].\n")
    assert "Sources" in str(build(source, tmp_path / "1").body("index"))
    assert "Fuentes" in str(build(source, tmp_path / "2", language="es").body("index"))
    assert "Zdroje" in str(build(source, tmp_path / "3", citations_labels="cs").body("index"))
    catalog = source / "locale" / "es" / "LC_MESSAGES" / "sphinx_citations.po"
    catalog.parent.mkdir(parents=True)
    catalog.write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        'msgid "Sources"\nmsgstr "Bibliografía"\n',
        "utf-8",
    )
    built = build(source, tmp_path / "4", language="es", locale_dirs=["locale"])
    assert "Bibliografía" in str(built.body("index"))
    assert "Volver a la cita" in str(built.body("index"))


@pytest.mark.parametrize(
    ("front_matter", "options", "title"),
    [
        ("lang: es", {}, "Fuentes"),
        ("title: x\nlanguage: es", {}, "Fuentes"),
        ("lang: es", {"language": "de"}, "Fuentes"),
        ("lang: es", {"citations_front_matter": False}, "Fuentes"),
        ("lang: es\ncitations: true", {}, "Fuentes"),
        ("lang: es\nrefs: [https://two.example/]", {"citations_key": "refs"}, "Fuentes"),
        ("title: x", {"language": "de"}, "Quellen"),
        ("title: lang", {}, "Sources"),
    ],
)
def test_language_of_the_page(
    tmp_path: Path, front_matter: str, options: dict[str, object], title: str
) -> None:
    """Also where all sources are shared."""
    page = f"---\n{front_matter}\n---\n\n# Title\n\nRain [1].\n"
    built = build(
        project(tmp_path / "source", index=page),
        tmp_path,
        citations_sources=["https://one.example/"],
        **options,
    )
    assert built.warnings == []
    assert built.body("index").select("section.sources h2")[0].get_text() == title


THEMES = ["furo", "pydata_sphinx_theme", "sphinx_rtd_theme", "alabaster"]
if importlib.util.find_spec("sphinx_book_theme"):
    # Never beside the others, so that it is no test left out there: it wants an older pydata_sphinx_theme.
    THEMES.append("sphinx_book_theme")


@pytest.mark.parametrize("theme", THEMES)
def test_themes(tmp_path: Path, theme: str) -> None:
    pytest.importorskip(theme)
    pytest.importorskip("sphinx_design")
    extensions = ["myst_parser", "sphinx_citations", "sphinx_design"]
    if theme == "sphinx_rtd_theme":
        extensions.append(theme)
    built = build("book", tmp_path, html_theme=theme, extensions=extensions)
    assert built.warnings == []
    page = BeautifulSoup(built.text("guide.html"), "html.parser")
    assert len(page.select("sup.citation")) == 6
    assert len(page.select("section.sources li[id]")) == 2
    for link in page.select("a[href*='guide'], a.next, a.prev, nav a, .toc-tree a"):
        assert not re.search(r"Guide to rain.*\d|Where\s*\d|Twice\s*\d", link.get_text())
    ids = [str(tag["id"]) for tag in page.select("[id]") if "cite_" in str(tag["id"])]
    assert len(ids) == len(set(ids))


def test_strict_parallel_build(tmp_path: Path) -> None:
    pytest.importorskip("sphinx_design")
    result = run(
        "sphinx", "-b", "html", "-W", "-n", "-j", "2", "-q", ROOTS / "book", tmp_path / "out",
        "-d", tmp_path / "doctrees",
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (0, "")


def test_dirhtml(tmp_path: Path) -> None:
    pytest.importorskip("sphinx_design")
    built = build("book", tmp_path, "dirhtml")
    assert built.warnings == []
    assert 'href="../_static/citations.css?v=' in built.text("guide/index.html")


def test_a_page_without_sources_is_myst_s(tmp_path: Path) -> None:
    pages = {
        "index": "---\ntitle: x\n---\n\n# Title [1]\n\nText [1] and [1][2], note[^1].\n\n[^1]: Note.\n"
    }
    ours = build(project(tmp_path / "a", **pages), tmp_path / "a" / "out")
    theirs = build(
        project(tmp_path / "b", 'extensions = ["myst_parser"]\n', **pages), tmp_path / "b" / "out"
    )
    assert ours.text("index.html") == theirs.text("index.html")
    trees = [
        pickle.loads((built.output.parent / "doctrees" / "index.doctree").read_bytes()).pformat()
        for built in (ours, theirs)
    ]
    assert trees[0].replace(str(tmp_path / "a"), "") == trees[1].replace(str(tmp_path / "b"), "")


def test_title_that_links_to_its_contents(tmp_path: Path) -> None:
    page = f"{HEADER}# Title\n\n```{{contents}}\n```\n\n## Rain [1]\n\nSun [1].\n"
    built = build(project(tmp_path / "source", index=page), tmp_path / "1")
    assert built.warnings == []
    body = built.body("index")
    assert not body.select("a a")
    assert [sup.get_text() for sup in body.select("h2 sup.citation")] == ["1"]


def test_a_title_of_nothing_but_markers_keeps_them_as_its_name(tmp_path: Path) -> None:
    text = f"{HEADER}# [1] *[2]*\n\nRain.\n\n## Wind *[1]*\n"
    source = project(tmp_path / "source", index=text)
    built = build(source, tmp_path / "out")
    assert built.warnings == []
    html = built.text("index.html")
    assert "<title>[1] [2] " in html
    assert "{1}" in built.reading("index").text
    assert '<a class="reference internal" href="#wind">Wind' in html


def test_other_front_matter_is_mysts_whatever_stands_in_the_sources(tmp_path: Path) -> None:
    front = (
        "---\nsources:\n  - title: 'One\n\n      more'\n    url: https://one.example/\n"
        "myst: {substitutions: {word: Rain}}\n---\n\n"
    )
    source = project(tmp_path / "source", index=f"{front}# Title\n\n{{{{ word }}}} [1].\n")
    with (source / "conf.py").open("a") as file:
        file.write('myst_enable_extensions = ["substitution"]\n')
    built = build(source, tmp_path / "out")
    assert built.warnings == []
    assert "Rain {1}." in built.reading("index").text
