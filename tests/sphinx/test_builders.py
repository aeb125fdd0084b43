from __future__ import annotations

import json
import re
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests.sphinx.building import HEADER, Built, build, need, project

pytest.importorskip("sphinx_design")


def references(page: BeautifulSoup) -> list[str]:
    """The targets within a page that its own links name."""
    ours = page.select("sup.citation a[href^='#'], .sources a[href^='#']")
    return [str(link["href"])[1:] for link in ours]


def test_singlehtml(tmp_path: Path) -> None:
    built = build("book", tmp_path, "singlehtml")
    assert built.warnings == []
    page = BeautifulSoup(built.text("index.html"), "html.parser")
    ids = [str(tag["id"]) for tag in page.select("[id]") if "cite_" in str(tag["id"])]
    assert len(ids) == len(set(ids))
    assert set(references(page)) <= set(ids)
    assert "fnref_guide_cite_1" in ids
    assert len(page.select("section.sources")) == 5
    assert "citations.css" in built.text("index.html")
    # The list of the root is its own, not that of all the pages that follow it.
    text = page.get_text()
    assert text.index("The first page") < text.index("Guide to rain")


@pytest.fixture(scope="module")
def epub(tmp_path_factory: pytest.TempPathFactory) -> Built:
    # What sphinx-design makes of tabs is no valid EPUB.
    return build(
        "book",
        tmp_path_factory.mktemp("epub"),
        "epub",
        exclude_patterns=["_*", "nested.md"],
        suppress_warnings=["toc.excluded", "toc.not_readable"],
    )


def test_epub(epub: Built) -> None:
    assert epub.warnings == []
    page = BeautifulSoup(epub.text("guide.xhtml"), "html.parser")
    markers = [link["href"] for link in page.select("sup.citation a")]
    assert markers[0] == "#cite_guide_source_3"
    ids = {str(tag["id"]) for tag in page.select("[id]")}
    assert set(references(page)) <= ids
    # The address stands in the list, not in the sentence.
    assert page.select_one("section.sources") is not None
    assert "https://third.example/" in page.select_one("section.sources").get_text()  # type: ignore[union-attr]
    paragraph = page.select_one("section > p")
    assert paragraph is not None
    assert "third.example" not in paragraph.get_text()
    assert "Guide to rain and sun<" in epub.text("toc.ncx")
    assert "Guide to rain and sun<" in epub.text("nav.xhtml")


def test_epub_without_addresses(tmp_path: Path) -> None:
    source = project(tmp_path / "source", index=f"{HEADER}# Title\n\nRain [1].\n")
    built = build(source, tmp_path, "epub", epub_show_urls="no")
    page = BeautifulSoup(built.text("index.xhtml"), "html.parser")
    assert [link["href"] for link in page.select("sup.citation a")] == ["https://one.example/"]
    entry = page.select_one("section.sources li")
    assert entry is not None
    assert entry.get_text().strip() == "[1] One ↩"


@pytest.mark.slow
def test_epubcheck(epub: Built) -> None:
    program = need("epubcheck", "epubcheck")
    (file,) = epub.output.glob("*.epub")
    # Debian's is an archive that the kernel may not know how to run.
    archive = Path(program).read_bytes()[:2] == b"PK"
    command = [need("java", "default-jre-headless"), "-jar", program] if archive else [program]
    result = subprocess.run([*command, str(file)], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_latex(tmp_path: Path) -> None:
    built = build("book", tmp_path, "latex")
    assert built.warnings == []
    (file,) = built.output.glob("*.tex")
    text = file.read_text("utf-8")
    assert r"\sphinxhref{https://second.example/a?b=1\&c=2\#d\_e\%20f}{2}" in text
    assert r"\label{\detokenize{guide:cite_guide_source_7}}" in text
    assert r"\hyperref[\detokenize{guide:cite_guide_source_7}]" in text
    labels = re.findall(r"\\label\{\\detokenize\{([^}]*)\}\}", text)
    assert len([label for label in labels if "cite_" in label]) == len(
        {label for label in labels if "cite_" in label}
    )
    assert set(re.findall(r"\\hyperref\[\\detokenize\{([^}]*cite_[^}]*)\}\]", text)) <= set(labels)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["pdflatex", "xelatex"])
def test_pdf(tmp_path: Path, engine: str) -> None:
    need("latexmk", "latexmk texlive-latex-extra tex-gyre")
    need(engine, "texlive-latex-extra texlive-xetex")
    need("pdftotext", "poppler-utils")
    built = build("book", tmp_path, "latex", latex_engine=engine)
    (file,) = built.output.glob("*.tex")
    option = "-pdf" if engine == "pdflatex" else "-pdfxe"
    command = ["latexmk", option, "-interaction=nonstopmode", "-halt-on-error", file.name]
    result = subprocess.run(
        command, cwd=built.output, capture_output=True, text=True, check=False, errors="replace"
    )
    assert result.returncode == 0, result.stdout[-3000:]
    log = file.with_suffix(".log").read_text("utf-8", errors="replace")
    assert "multiply defined" not in log
    assert "undefined references" not in log
    pdf = file.with_suffix(".pdf")
    text = subprocess.run(
        ["pdftotext", "-layout", pdf, "-"], capture_output=True, text=True, check=True
    ).stdout
    words = " ".join(text.split())
    assert re.search(r"It rains ?1 and snows ?1 2", words)
    assert "[3] Third – Doe, 2024-05-01 (accessed 2024-06-01)" in words
    assert "[7] A book about rain – Roe" in words
    # Shown in the heading, but neither in the table of contents nor in bookmarks.
    assert re.search(r"Where ?3\n", text)
    assert re.search(r"Where( \.)+ +\d", text)
    bookmarks = file.with_suffix(".out").read_text("utf-8", errors="replace")
    assert "fnref" not in bookmarks
    assert "third.example" not in bookmarks


def test_latex_with_addresses(tmp_path: Path) -> None:
    source = project(tmp_path / "source", index=f"{HEADER}# Title\n\nRain [1].\n")
    built = build(source, tmp_path, "latex", latex_show_urls="footnote")
    (file,) = built.output.glob("*.tex")
    sentence = next(line for line in file.read_text("utf-8").split("\n") if "Rain" in line)
    assert "one.example" not in sentence
    assert "cite_index_source_1" in sentence


def test_man(tmp_path: Path) -> None:
    built = build("book", tmp_path, "man")
    assert built.warnings == []
    text = built.text("weather.7")
    assert r"It rains [1] and snows [1, 2]\&." in text
    assert "[1] The first page <https://first.example/>" in text


def test_text(tmp_path: Path) -> None:
    built = build("book", tmp_path, "text")
    assert built.warnings == []
    text = built.text("index.txt")
    assert "It rains [1] and snows [1, 2]." in text
    assert "* [1] The first page <https://first.example/>" in text
    assert "[7] A book about rain – Roe" in built.text("guide.txt")


def test_texinfo(tmp_path: Path) -> None:
    built = build("book", tmp_path, "texinfo")
    assert built.warnings == []
    (file,) = built.output.glob("*.texi")
    text = file.read_text("utf-8")
    anchors = set(re.findall(r"@anchor\{([^}]*)\}", text))
    assert set(re.findall(r"@ref\{([^,}]*)", text)) <= anchors
    assert "@section Where\n" in re.sub(r" +\n", "\n", text)
    assert "[3]@footnote{https://third.example/} Third" in text


@pytest.mark.parametrize(
    ("builder", "name"),
    [
        ("text", "{}.txt"),
        ("man", "*.1"),
        ("latex", "*.tex"),
        ("texinfo", "*.texi"),
        ("epub", "{}.xhtml"),
    ],
)
def test_quotes_in_the_marks_of_the_language(tmp_path: Path, builder: str, name: str) -> None:
    header = "---\n{}sources: [{{title: One, quote: It rains.}}]\n---\n\n# {}\n\nRain [1].\n\n"
    pages = {
        "index": header.format("", "A") + "```{toctree}\nother\n```\n",
        "other": header.format("lang: de\n", "B"),
    }
    built = build(project(tmp_path / "source", **pages), tmp_path, builder, language="fi")
    for page, quote in (("index", "”It rains.”"), ("other", "„It rains.“")):
        (file,) = built.output.glob(name.format(page))
        assert quote in BeautifulSoup(file.read_text("utf-8"), "html.parser").get_text()


def test_gettext(tmp_path: Path) -> None:
    built = build("book", tmp_path, "gettext")
    assert built.warnings == []
    text = "".join(file.read_text("utf-8") for file in built.output.glob("*.pot"))
    messages = re.findall(r'^msgid "(.*)"$', text, re.MULTILINE)
    assert "It rains [1] and snows [1, 2]." in messages
    assert "Only the third [^3], and a book [7]." in messages
    assert "Where [3]" in messages
    assert not {"Sources", "Quellen", "Third", "The first page", "[SOURCES]"} & set(messages)


class _Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(404 if "missing" in self.path else 200)
        self.end_headers()

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, *_arguments: object) -> None:
        """Keep the test's output clean."""


@pytest.fixture
def server() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), _Pages) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{found.server_port}"
        found.shutdown()


def test_linkcheck(tmp_path: Path, server: str) -> None:
    page = (
        f"---\nsources:\n  - {server}/fine\n  - {server}/missing\n  - {server}/uncited\n---\n\n"
        "# Title\n\nRain [1] and [2].\n"
    )
    source = project(tmp_path / "source", index=page)
    built = build(source, tmp_path, "linkcheck")
    lines = built.text("output.txt")
    assert "/missing" in lines
    found = built.text("output.json")
    assert f"{server}/fine" in found
    assert "uncited" not in found


@pytest.mark.parametrize("place", ["", "[SOURCES]\n\n", "```{sources}\n```\n\n"])
def test_linkcheck_names_the_place_of_the_list(tmp_path: Path, server: str, place: str) -> None:
    entry = f"{{title: One, url: '{server}/fine', archived: '{server}/missing'}}"
    page = f"---\nsources: [{entry}]\n---\n\n# Title\n\n{place}Rain.\n\nSun [1].\n"
    built = build(project(tmp_path / "source", index=page), tmp_path, "linkcheck")
    found = [json.loads(line) for line in built.text("output.json").splitlines()]
    (missing,) = [each for each in found if each["uri"].endswith("missing")]
    line = 7 if place else page.count("\n")
    assert (missing["filename"], missing["lineno"]) == ("index.md", line)


def test_xml_has_plain_attributes(tmp_path: Path) -> None:
    built = build("book", tmp_path, "xml")
    text = "".join(file.read_text("utf-8") for file in built.output.glob("*.xml"))
    assert "source-number" in text
    assert not re.search(r" (?:html|around|numbers)=", text)


@pytest.mark.parametrize("builder", ["xml", "pseudoxml", "json", "pickle", "dummy"])
def test_other_builders(tmp_path: Path, builder: str) -> None:
    assert build("book", tmp_path, builder).warnings == []
