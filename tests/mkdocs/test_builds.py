"""Whole sites, built by the real commands, and read from outside."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin

from mdit_citations import citations_plugin
from tests.reading import Reading, read

pytest.importorskip("mkdocs")

from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

slow = pytest.mark.slow

SITES = Path(__file__).parents[1] / "sites"
ROOT = Path(__file__).parents[2]

CONTENT = [
    re.compile(rf"<{start}>(.*?)<{end}", re.DOTALL)
    for start, end in (
        (r'article class="md-content__inner[^>]*', "/article>"),
        (r'div class="col-md-9"[^>]*', "footer"),
    )
]


def run(command: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program that is installed beside this Python, entry points and all."""
    path = f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}".rstrip(os.pathsep)
    environment = {**os.environ, "PYTHONPATH": path, "NO_MKDOCS_2_WARNING": "1", "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, "-m", command, *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def build(
    tmp_path: Path, name: str, command: str = "mkdocs", *more: str, strict: bool = True
) -> Path:
    folder = tmp_path / name
    shutil.copytree(SITES / name, folder)
    arguments = ["build", *(["--strict"] if strict else []), *more]
    result = run(command, folder, *arguments)
    assert result.returncode == 0, result.stdout + result.stderr
    return folder / "site"


def write(folder: Path, **files: str) -> Path:
    """A small site of its own; ``mkdocs_yml`` is the configuration."""
    for name, text in files.items():
        path = folder / ("mkdocs.yml" if name == "mkdocs_yml" else f"docs/{name}.md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def content(page: Path) -> str:
    """The page's own part of the HTML."""
    html = page.read_text("utf-8")
    found = CONTENT[0].search(html) or CONTENT[1].search(html)
    assert found, html
    return re.sub(r'<a class="headerlink".*?</a>|<svg.*?</svg>', "", found[1], flags=re.DOTALL)


def check_guide(reading: Reading) -> None:
    """The page that all sites share reads as through markdown-it."""
    md = MarkdownIt().use(footnote_plugin).use(citations_plugin)
    expected = read(md.render((SITES / "plain/docs/index.md").read_text("utf-8")))
    # Footnotes look otherwise in each host.
    prose = expected.text.split("\nA real")[0].replace("remark[1]", "remark1")
    assert reading.text.split("\nA real")[0] == prose
    assert "A real footnote, with a source {2}." in reading.text
    assert reading.cited == expected.cited
    assert reading.hrefs == expected.hrefs
    assert reading.titles == expected.titles


@pytest.mark.parametrize("urls", ["true", pytest.param("false", marks=slow)])
def test_plain_mkdocs(tmp_path: Path, urls: str) -> None:
    folder = tmp_path / "plain"
    shutil.copytree(SITES / "plain", folder)
    with (folder / "mkdocs.yml").open("a") as file:
        file.write(f"use_directory_urls: {urls}\n")
    result = run("mkdocs", folder, "build", "--strict")
    assert result.returncode == 0, result.stderr
    site = folder / "site"
    check_guide(read(content(site / "index.html")))
    html = (site / "index.html").read_text("utf-8")
    assert re.search(r"<title>[^<\[]*</title>", html)
    assert "style=" not in content(site / "index.html")
    index = json.loads((site / "search/search_index.json").read_text("utf-8"))
    assert any("It rains" in entry["text"] for entry in index["docs"])
    assert not any("Sources" in entry["title"] or "Doe" in entry["text"] for entry in index["docs"])
    assert (site / "assets/stylesheets/citations.css").stat().st_size > 500
    pages = {
        name: site / (f"{name}/index.html" if urls == "true" else f"{name}.html")
        for name in ("none", "off")
    }
    assert read(content(pages["none"])).text == "No sources\nRain [1] and [^2], [1][2]."
    assert read(content(pages["off"])).text == "Switched off\nRain [1]."


@slow
@pytest.mark.skipif(not find_spec("properdocs"), reason="needs properdocs")
def test_properdocs(tmp_path: Path) -> None:
    theme = "mkdocs" if find_spec("properdocs_theme_mkdocs") else "material"
    if theme == "material" and not find_spec("material"):
        pytest.skip("needs a theme")
    folder = tmp_path / "plain"
    shutil.copytree(SITES / "plain", folder)
    config = folder / "mkdocs.yml"
    config.write_text(config.read_text().replace("{name: mkdocs}", f"{{name: {theme}}}"))
    result = run("properdocs", folder, "build", "--strict", "-f", "mkdocs.yml")
    assert result.returncode == 0, result.stderr
    check_guide(read(content(folder / "site/index.html")))


@slow
@pytest.mark.skipif(not find_spec("zensical"), reason="needs zensical")
def test_zensical(tmp_path: Path) -> None:
    site = build(tmp_path, "zensical", "zensical", "-f", "mkdocs.yml", strict=False)
    check_guide(read(content(site / "index.html")))
    html = (site / "index.html").read_text("utf-8")
    assert ">Quellen" in html
    assert "first.example" not in (site / "search.json").read_text("utf-8").split('"items"')[-1]
    assert read(content(site / "off/index.html")).text.endswith("Rain [1].")


@slow
@pytest.mark.skipif(not find_spec("zensical"), reason="needs zensical")
def test_zensical_shows_problems(tmp_path: Path) -> None:
    write(
        tmp_path,
        mkdocs_yml="site_name: S\nmarkdown_extensions: [citations]\n",
        index="---\nsources: [https://a.example/]\n---\n\n# A\n\nSee [9].\n",
        bad="---\nsources: 42\n---\n\n# B\n",
    )
    result = run("zensical", tmp_path, "build", "-f", "mkdocs.yml")
    output = result.stdout + result.stderr
    assert "index.md:7:5: [9] names no source (sources: 1) [unknown-source]" in output
    assert re.search(r"bad.md:2:\d+: sources: expected .* \[invalid-sources\]", output)


@slow
@pytest.mark.skipif(not find_spec("material"), reason="needs mkdocs-material")
def test_material(tmp_path: Path) -> None:
    site = build(tmp_path, "material")
    reading = read(content(site / "index.html"))
    assert reading.cited == [1, 2, 3]
    assert reading.hrefs[1] == {"#cite_source_1"}
    html = (site / "structures/index.html").read_text("utf-8")
    text = read(content(site / "structures/index.html")).text
    for part in (
        "In an admonition {1}\nText {1}.", "In details\nText {2}.", "Tab {1}", "In a tab {1}.",
        "Task {1}", "Cell {1}\nCell {2 3}", "Definition {1}", "In HTML {2}.", "HTML term {3}.",
        "From a snippet {2}.", "In a footnote {3}.",
        "Never: a[1], Ctrl+1, \\(x[1]\\), a[1], see [1], a[1].",
        "graph LR A[1] --> B[2];", "\\[ y[2] \\]",
    ):  # fmt: skip
        assert part in text
    ids = read(html).ids
    assert len([name for name in ids if "cite" in name]) == len(
        {name for name in ids if "cite" in name}
    )
    assert ">Quellen" in html
    assert 'class="citation-link footnote-ref"' in html
    index = json.loads((site / "search/search_index.json").read_text("utf-8"))
    assert not any(
        "Quellen" in entry["title"] or "cite_" in entry["location"] for entry in index["docs"]
    )
    # The list of posts: right sources, right links, no list, and no two ids alike.
    blog = (site / "blog/index.html").read_text("utf-8")
    assert "https://post.example/" in blog
    assert "https://other.example/" in blog
    assert 'class="sources"' not in blog
    assert "#cite_source" not in blog
    names = read(blog).ids
    assert len(set(names)) == len(names)
    for heading in re.findall(r"<h2.*?</h2>", blog):
        assert heading.count("<a ") == 1
    post = (site / "blog/2024/02/01/second-post/index.html").read_text("utf-8")
    assert read(post).titles == ["[1] https://other.example/"]


def test_problems_are_logged_with_file_and_line_and_fail_strict_builds(tmp_path: Path) -> None:
    config = "site_name: S\nplugins:\n  - citations:\n      sources_file: shared.yml\n"
    write(
        tmp_path,
        mkdocs_yml=config,
        index=(
            "---\ntitle: T\nsources:\n  - javascript:alert(1)\n  - https://b.example/\n"
            "  - https://c.example/\n---\n\n# A\n\nSee [2]\n[99].\n"
        ),
        broken="---\nsources: [unclosed\n---\n\n# B\n\nRain [1].\n",
        huge="---\nsources: [https://a.example/]\n---\n\n" + "[7] " * 300,
    )
    result = run("mkdocs", tmp_path, "build")
    log = result.stderr
    assert result.returncode == 0
    assert "citations: index.md:4:5: sources[0].url: expected an http or https address" in log
    assert "citations: index.md:12:1: [99] names no source (sources: 1-3) [unknown-source]" in log
    assert re.search(
        r"INFO +-  citations: index.md: source 3 is cited nowhere: .* \[uncited-source\]", log
    )
    assert re.search(
        r"citations: broken.md:\d:\d+: expected YAML: .* \[invalid-front-matter\]", log
    )
    assert re.search(r"sources_file: cannot read shared.yml: .* \[invalid-sources\]", log)
    assert "huge.md: and 200 more" in log
    assert run("mkdocs", tmp_path, "build", "--strict").returncode == 1
    levels = "      levels: {unknown-source: info, unsafe-url: 'off', "
    levels += "invalid-sources: info, invalid-front-matter: info}\n"
    write(tmp_path, mkdocs_yml=config + levels)
    result = run("mkdocs", tmp_path, "build", "--strict")
    assert result.returncode == 0, result.stderr
    assert re.search(r"INFO +-  citations: huge.md: and 200 more", result.stderr)


@slow
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            "{list: maybe}",
            "'list': option list: expected one of section, details, false, found 'maybe'",
        ),
        ("{levels: {nothing: info}}", "'levels': expected one of unknown-source"),
        ("{levels: {unsafe-url: loud}}", "unsafe-url: expected error, warning"),
        ("{levels: {unsafe-url: [a]}}", "unsafe-url: expected error, warning"),
        ("{sources_file: 3}", "'sources_file': expected the path of a file, found 3"),
        ("{ranges: 'yes'}", "'ranges': option ranges: expected true or false"),
        ("{cards: 'on'}", "'cards': option cards: expected true or false, found 'on'"),
        ("{provenance: 1}", "'provenance': option provenance: expected true or false, found 1"),
    ],
)
def test_a_wrong_option_is_named(tmp_path: Path, options: str, message: str) -> None:
    write(tmp_path, mkdocs_yml=f"site_name: S\nplugins:\n  - citations: {options}\n", index="# A\n")
    result = run("mkdocs", tmp_path, "build")
    assert result.returncode == 1
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_the_extension_listed_too_does_no_harm(tmp_path: Path) -> None:
    write(
        tmp_path,
        mkdocs_yml=(
            "site_name: S\nplugins: [citations]\n"
            "markdown_extensions:\n  - citations: {list_title: Belege}\n"
        ),
        index="---\nsources: [https://a.example/]\n---\n\n# A\n\nSee [1].\n",
    )
    assert run("mkdocs", tmp_path, "build", "--strict").returncode == 0
    html = (tmp_path / "site/index.html").read_text("utf-8")
    assert html.count('class="citation"') == 1
    assert ">Belege" in html
    assert html.count("citations.css") == 1


def test_a_heading_of_nothing_but_a_marker_can_be_reached(tmp_path: Path) -> None:
    write(
        tmp_path,
        mkdocs_yml="site_name: S\nvalidation: {anchors: warn}\nplugins: [search, citations]\n",
        index=f"{PAGE}\n## [1]\n\nSee [below](#1) and [9](other.md#1).\n",
        other=PAGE.replace("# A", "# [1]"),
    )
    result = run("mkdocs", tmp_path, "build", "--strict")
    assert result.returncode == 0, result.stderr
    html = (tmp_path / "site/index.html").read_text("utf-8")
    assert re.search(r'href="#1"[^>]*>\[1\]</a>', html)
    assert '<h2 id="1"><sup' in html
    assert "<title>[1] - S</title>" in (tmp_path / "site/other/index.html").read_text("utf-8")


@pytest.mark.parametrize("host", ["mkdocs", pytest.param("properdocs", marks=slow)])
def test_the_extension_alone_says_once_that_it_sees_no_sources(tmp_path: Path, host: str) -> None:
    theme = "material" if host == "properdocs" else "mkdocs"
    for module in {host, theme}:
        pytest.importorskip(module)
    config = f"site_name: S\ntheme: {{name: {theme}}}\nmarkdown_extensions: [citations]\n"
    write(tmp_path, mkdocs_yml=config, index=PAGE, other=PAGE)
    result = run(host, tmp_path, "build", "--strict", "-f", "mkdocs.yml")
    assert result.returncode == 1
    message = "citations: index.md: `sources` has no effect: add `citations` to `plugins:`"
    assert result.stderr.count("has no effect") == result.stderr.count(message) == 1
    # Nothing is amiss where no page has sources, or the plugin is there.
    write(tmp_path, index="# A\n\nSee [1].\n", other="# B\n")
    assert run(host, tmp_path, "build", "--strict", "-f", "mkdocs.yml").returncode == 0
    for plugin in ("citations", "citations: {enabled: false}"):
        write(tmp_path, mkdocs_yml=f"{config}plugins:\n  - {plugin}\n", index=PAGE)
        result = run(host, tmp_path, "build", "--strict", "-f", "mkdocs.yml")
        assert result.returncode == 0, result.stderr


def test_each_build_of_a_process_is_warned(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    config = "site_name: S\nmarkdown_extensions: [citations]\n"
    write(tmp_path, mkdocs_yml=config, index=PAGE, other=PAGE)
    for count in (1, 2):
        built(tmp_path)
        assert caplog.text.count("`sources` has no effect") == count


def test_several_builds_in_one_process(tmp_path: Path) -> None:
    write(
        tmp_path,
        mkdocs_yml="site_name: S\nplugins: [citations]\n",
        index="---\nsources: [https://a.example/]\n---\n\n# A\n\nSee [1].\n",
    )
    pages = []
    for _ in range(2):
        config = load_config(str(tmp_path / "mkdocs.yml"))
        mkdocs_build(config)
        pages.append((tmp_path / "site/index.html").read_text("utf-8"))
    # The same configuration again, as plugins for several languages do.
    mkdocs_build(config)
    pages.append((tmp_path / "site/index.html").read_text("utf-8"))
    first, *others = (re.sub(r"Build Date.*", "", page) for page in pages)
    assert others == [first, first]
    assert "https://a.example/" in first


def test_live_reload_watches_the_shared_sources(tmp_path: Path) -> None:
    (tmp_path / "shared.yml").write_text("- https://a.example/\n")
    write(
        tmp_path,
        mkdocs_yml="site_name: S\nplugins:\n  - citations: {sources_file: shared.yml}\n",
        index="# A\n\nSee [1].\n",
    )
    config = load_config(str(tmp_path / "mkdocs.yml"))
    watched: list[str] = []

    class Server:
        def watch(self, path: str) -> None:
            watched.append(path)

    config = config.plugins.on_config(config)
    config.plugins.on_serve(Server(), config=config, builder=None)
    assert watched == [str(tmp_path / "shared.yml")]


EXTRAS = {
    "print-site": (
        "mkdocs_print_site_plugin",
        "[search, citations: {back_links: 99, cards: true, provenance: true}, print-site]",
    ),
    "i18n": (
        "mkdocs_static_i18n",
        (
            "\n  - i18n:\n      languages:\n        - {locale: en, name: English, default: true}\n"
            "        - {locale: de, name: Deutsch}\n  - citations"
        ),
    ),
    "macros": ("mkdocs_macros", "[macros, citations]"),
    "include": ("mkdocs_include_markdown_plugin", "[include-markdown, citations]"),
    "mkdocstrings": ("mkdocstrings", "[mkdocstrings, autorefs, citations]"),
    "rss": ("mkdocs_rss_plugin", "\n  - rss: {use_git: false}\n  - citations"),
}


@slow
@pytest.mark.parametrize("name", EXTRAS)
def test_beside_other_plugins(tmp_path: Path, name: str) -> None:
    module, plugins = EXTRAS[name]
    if not find_spec(module) or not find_spec("material"):
        pytest.skip(f"needs {module} and Material")
    front = "---\nsources:\n  - https://a.example/\n  - {title: A book}\n---\n\n"
    text = "# A [1] and *b [2]*\n\nSee [1], [2] and [1][2].\n"
    if name == "print-site":
        text += '\n## [1] [2]\n\n=== "[2]"\n    Tab.\n'
    if name == "macros":
        text += "\n{{ 40 + 2 }} [2]\n"
    if name == "include":
        text += '\n{% include-markdown "part.txt" %}\n'
    if name == "mkdocstrings":
        text += "\n::: json.loads\n\n[json.loads][] and [9][1].\n"
    write(
        tmp_path,
        mkdocs_yml=(
            "site_name: S\nsite_url: https://docs.example/\n"
            f"theme: {{name: material}}\nplugins: {plugins}\n"
            "markdown_extensions:\n  - pymdownx.tabbed: {alternate_style: true}\n"
        ),
        index=front + text,
        other=front + "# B\n\nSun [1].\n",
    )
    (tmp_path / "docs/part.txt").write_text("Included [1].\n")
    if name == "i18n":
        (tmp_path / "docs/index.de.md").write_text(front + "# A\n\nSiehe [1].\n", "utf-8")
    result = run("mkdocs", tmp_path, "build")
    assert result.returncode == 0, result.stderr
    assert "Traceback" not in result.stderr
    reading = read(content(tmp_path / "site/index.html"))
    assert "See {1}, {2} and {1 2}." in reading.text
    assert len(set(reading.ids)) == len(reading.ids)
    if name == "macros":
        assert "42 {2}" in reading.text
    if name == "include":
        assert "Included {1}." in reading.text
    if name == "mkdocstrings":
        assert "and [9]{1}." in reading.text
    if name == "i18n":
        assert ">Quellen" in (tmp_path / "site/de/index.html").read_text("utf-8")
        assert ">Sources" in (tmp_path / "site/index.html").read_text("utf-8")
    if name == "print-site":
        html = (tmp_path / "site/print_page/index.html").read_text("utf-8")
        ids = read(html).ids
        own = [one for one in ids if "cite_" in one]
        assert len(set(own)) == len(own)
        targets = re.findall(r'href="#([^"]*cite_[^"]*)"', html)
        assert targets
        assert set(targets) <= set(ids)


@slow
def test_switched_off_and_without_a_style_sheet(tmp_path: Path) -> None:
    page = "---\nsources: [https://a.example/]\n---\n\n# A\n\nSee [1].\n"
    config = "site_name: S\nplugins:\n  - citations: {{{}}}\n"
    write(tmp_path, mkdocs_yml=config.format("enabled: false"), index=page)
    assert run("mkdocs", tmp_path, "build", "--strict").returncode == 0
    html = (tmp_path / "site/index.html").read_text("utf-8")
    assert "See [1]." in html
    assert "citations.css" not in html
    write(tmp_path, mkdocs_yml=config.format("css: false"), index=page)
    assert run("mkdocs", tmp_path, "build", "--strict").returncode == 0
    html = (tmp_path / "site/index.html").read_text("utf-8")
    assert 'class="citation"' in html
    assert "citations.css" not in html


def test_cards_and_provenance(tmp_path: Path) -> None:
    config = (
        "site_name: S\nsite_url: https://site.example/docs/\nextra_javascript: [own.js]\n"
        "plugins:\n  - citations: {cards: %s, provenance: %s}\n"
    )
    page = "---\nsources:\n  - {title: </body></script>, url: 'https://a.example/'}\n---\n\n"
    page += "# Rain & `<sun>` [1]\n\nSee [1].\n"
    pages = {"index": page, "uncited": page.replace("[1]", ""), "none": "# None\n"}
    write(tmp_path, mkdocs_yml=config % ("false", "false"), **pages)
    assert run("mkdocs", tmp_path, "build", "--strict").returncode == 0
    before = {name: path.read_text("utf-8") for name, path in html_files(tmp_path)}
    assert not (tmp_path / "site/assets/javascripts/citations.js").exists()

    write(tmp_path, mkdocs_yml=config % ("true", "true"))
    # Twice, since a program may build again with what it has read.
    loaded = load_config(str(tmp_path / "mkdocs.yml"))
    for _ in range(2):
        mkdocs_build(loaded)
    script = re.compile(r'<script src="[^"]*assets/javascripts/citations.js" defer></script>\s*')
    data = re.compile(r'<script type="application/ld\+json">(.*)</script>\n(?=</body>)')
    found = {}
    for name, path in html_files(tmp_path):
        html = path.read_text("utf-8")
        if name != "404.html":
            assert html.index("citations.js") < html.index("own.js")
        found[name] = data.findall(html)
        rest = data.sub("", script.sub("", html, count=1))
        dates = re.compile(r"Build Date UTC.*")
        assert dates.sub("", rest) == dates.sub("", before[name])
    ((text,), *others) = (found.pop("index.html"), *found.values())
    assert not any(others)
    assert json.loads(text) == {
        "@context": "https://schema.org",
        "@type": "WebPage",
        "url": "https://site.example/docs/",
        "name": "Rain & <sun>",
        "inLanguage": "en",
        "citation": [
            {
                "@type": "WebPage",
                "position": 1,
                "name": "</body></script>",
                "url": "https://a.example/",
            }
        ],
    }
    assert (tmp_path / "site/assets/javascripts/citations.js").stat().st_size > 500

    own = tmp_path / "docs/assets/javascripts/citations.js"
    own.parent.mkdir(parents=True)
    own.write_text("own", "utf-8")
    assert run("mkdocs", tmp_path, "build", "--strict").returncode == 0
    assert (tmp_path / "site/assets/javascripts/citations.js").read_text("utf-8") == "own"


def html_files(folder: Path) -> list[tuple[str, Path]]:
    site = folder / "site"
    return [(str(path.relative_to(site)), path) for path in sorted(site.rglob("*.html"))]


@slow
@pytest.mark.skipif(not find_spec("properdocs"), reason="needs properdocs")
def test_properdocs_counts_problems(tmp_path: Path) -> None:
    if not find_spec("material"):
        pytest.skip("needs a theme")
    write(
        tmp_path,
        mkdocs_yml="site_name: S\ntheme: {name: material}\nplugins: [citations]\n",
        index="---\nsources: [https://a.example/]\n---\n\n# A\n\nSee [9].\n",
    )
    result = run("properdocs", tmp_path, "build", "--strict", "-f", "mkdocs.yml")
    assert result.returncode == 1
    assert "index.md:7:5: [9] names no source" in result.stderr


PAGE = "---\nsources: [https://a.example/]\n---\n\n# A\n\nSee [1].\n"
CONTEXT = """
def on_page_context(context, page, **_):
    if page.title == "Gone":
        page.content = "<p>Something else</p>"
    elif page.title != "A":
        page.content = page.content.replace("See", "Now see") + "<p>Added</p>"
"""


def built(folder: Path, **more: Any) -> str:
    """The page ``index`` of a site built in this process; *more* is set in the configuration."""
    config = load_config(str(folder / "mkdocs.yml"), **more)
    mkdocs_build(config)
    return (folder / "site/index.html").read_text("utf-8")


def test_what_other_plugins_make_of_a_page_stays(tmp_path: Path) -> None:
    (tmp_path / "hook.py").write_text(CONTEXT)
    write(
        tmp_path,
        mkdocs_yml="site_name: S\nplugins: [search, citations]\nhooks: [hook.py]\n",
        index=PAGE.replace("# A", "# Changed"),
        gone=PAGE.replace("# A", "# Gone"),
        plain=PAGE,
    )
    html = built(tmp_path)
    assert "Now see <sup" in html
    assert html.index('class="sources"') < html.index("<p>Added</p>")
    for name in ("index.html", "plain/index.html"):
        html = (tmp_path / "site" / name).read_text("utf-8")
        assert html.count('class="sources"') == 1
        assert "<!-- citations" not in html
    assert 'class="sources"' not in (tmp_path / "site/gone/index.html").read_text("utf-8")
    index = json.loads((tmp_path / "site/search/search_index.json").read_text("utf-8"))
    assert not any("Sources" in entry["title"] for entry in index["docs"])


@pytest.mark.parametrize("theme", ["mkdocs", "material"])
def test_search_reads_a_page_without_numbers(tmp_path: Path, theme: str) -> None:
    if theme == "material":
        pytest.importorskip("material")
    page = "---\nsources: [https://first.example/]\n---\n# A\n\nUnder rain[1] and snow [1][1].\n"
    config = f"site_name: S\ntheme: {{name: {theme}}}\nplugins: [search, citations]\n"
    write(tmp_path, mkdocs_yml=config, index=page)
    assert built(tmp_path).count("<sup") == 2
    index = json.loads((tmp_path / "site/search/search_index.json").read_text("utf-8"))
    assert any("Under rain and snow." in entry["text"] for entry in index["docs"])


def test_nothing_of_a_page_is_put_back_that_another_plugin_has_replaced(tmp_path: Path) -> None:
    """As a plugin does that encrypts pages."""
    (tmp_path / "hook.py").write_text(
        "def on_page_context(context, page, **_):\n    page.content = '<p>c2VjcmV0</p>'\n"
    )
    config = "site_name: S\nplugins: [search, citations]\nhooks: [hook.py]\n"
    write(tmp_path, mkdocs_yml=config, index=PAGE)
    built(tmp_path)
    html = content(tmp_path / "site/index.html")
    assert "c2VjcmV0" in html
    assert "a.example" not in html
    assert "Sources" not in html


def test_plugins_see_the_page_as_readers_will(tmp_path: Path) -> None:
    (tmp_path / "hook.py").write_text(
        "from mkdocs.plugins import event_priority\n\n"
        "def check(page):\n"
        "    assert page.content.count('<sup') == 1 and 'Sources<' in page.content\n"
        "    assert 'data-citations' not in page.content and '<!--' not in page.markdown\n\n"
        "def on_page_content(html, page, **_):\n"
        "    assert html.count('<sup') == 1 and 'data-citations' not in html\n"
        "    assert '<!--' not in page.markdown\n\n"
        "def on_page_context(context, page, **_):\n    check(page)\n"
    )
    config = "site_name: S\nplugins: [search, citations]\nhooks: [hook.py]\n"
    page = "---\nsources: [https://first.example/]\n---\n# A\n\nrain[1]\n"
    write(tmp_path, mkdocs_yml=config, index=page)
    built(tmp_path)


@pytest.mark.parametrize("superscript", ["html", "unicode"])
@pytest.mark.parametrize(
    ("host", "theme", "options"),
    [
        ("mkdocs", "{name: mkdocs}", ""),
        ("mkdocs", "{name: material}", ""),
        pytest.param("mkdocs", "{name: mkdocs}", "list_level: 0, ", marks=slow),
        pytest.param("zensical", "{}", "", marks=slow),
    ],
)
def test_the_list_is_not_in_the_search(
    tmp_path: Path, host: str, theme: str, options: str, superscript: str
) -> None:
    if host == "zensical" or "material" in theme:
        pytest.importorskip("zensical" if host == "zensical" else "material")
    ours = f"citations: {{{options}superscript: {superscript}}}"
    write(
        tmp_path,
        mkdocs_yml=f"site_name: S\ntheme: {theme}\n"
        + (
            f"markdown_extensions:\n  - {ours}\n"
            if host == "zensical"
            else f"plugins:\n  - search\n  - {ours}\n"
        ),
        index=(
            f"{PAGE}\n[SOURCES]\n\nBelow.\n\n## B\n\n"
            '<div data-search-exclude="">\n<p></p></div>\n\n- Sun\n'
        ),
    )
    result = run(host, tmp_path, "build", "-f", "mkdocs.yml")
    assert result.returncode == 0, result.stderr
    name = "search.json" if host == "zensical" else "search/search_index.json"
    index = (tmp_path / "site" / name).read_text("utf-8").split('"items"')[-1]
    assert "See" in index
    assert "Sun" in index
    assert "Sources" not in index
    assert "a.example" not in index
    html = content(tmp_path / "site/index.html")
    assert "https://a.example/" in html[html.index("Sources<") : html.index("Below.")]


def test_no_list_is_left_over_from_a_build_that_failed(tmp_path: Path) -> None:
    (tmp_path / "hook.py").write_text(
        "from mkdocs.exceptions import PluginError\n\n"
        "def on_page_context(context, page, **_):\n"
        "    if page.title == 'A':\n        raise PluginError('stop')\n"
    )
    config = "site_name: S\nplugins: [citations]\nhooks: [hook.py]\n"
    write(tmp_path, mkdocs_yml=config, index=PAGE)
    loaded = load_config(str(tmp_path / "mkdocs.yml"))
    with pytest.raises(Abort):
        mkdocs_build(loaded)
    # The same plugin goes on, with a page that has no list.
    write(tmp_path, index="# B\n\nNothing.\n")
    mkdocs_build(loaded)
    html = (tmp_path / "site/index.html").read_text("utf-8")
    assert "Nothing." in html
    assert "sources" not in html


@pytest.mark.parametrize("how", ["sources: [https://shared.example/]", "sources_file: shared.yml"])
def test_shared_sources_given_to_the_extension_count(tmp_path: Path, how: str) -> None:
    (tmp_path / "shared.yml").write_text("- https://shared.example/\n")
    write(
        tmp_path,
        mkdocs_yml=(
            f"site_name: S\nplugins: [citations]\nmarkdown_extensions:\n  - citations: {{{how}}}\n"
        ),
        index="# A\n\nSee [1].\n",
    )
    config = load_config(str(tmp_path / "mkdocs.yml"))
    for _ in range(2):
        mkdocs_build(config)
        assert "https://shared.example/" in (tmp_path / "site/index.html").read_text("utf-8")


def test_hints_do_not_fail_strict_builds_unless_a_level_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    page = PAGE.replace("/]", "/, https://a.example/?utm_source=x]").replace("[1]", "[1], [2]")
    config = "site_name: S\nplugins:\n  - citations: {levels: {LEVELS}}\n"
    write(tmp_path, mkdocs_yml=config.replace("LEVELS", ""), index=page)
    with caplog.at_level(logging.INFO, "mkdocs"):
        built(tmp_path, strict=True)
        assert "[duplicate-url]" in caplog.text
        write(tmp_path, mkdocs_yml=config.replace("LEVELS", "duplicate-url: warning"))
        with pytest.raises(Abort):
            built(tmp_path, strict=True)


def test_problems_of_sources_from_elsewhere_are_shown(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "hook.py").write_text(
        "def on_page_markdown(markdown, page, **_):\n"
        "    page.meta['sources'] = ['https://a.example/', 'javascript:x']\n"
    )
    write(
        tmp_path,
        mkdocs_yml="site_name: S\nplugins: [citations]\nhooks: [hook.py]\n",
        index="# A\n\nSee [1].\n",
    )
    with caplog.at_level(logging.INFO, "mkdocs"):
        assert "https://a.example/" in built(tmp_path)
    assert "index.md: sources[1].url: expected an http or https address" in caplog.text


def test_switched_off_the_plugin_leaves_the_extension_alone(tmp_path: Path) -> None:
    write(
        tmp_path,
        mkdocs_yml=(
            "site_name: S\nplugins:\n  - citations: {enabled: false}\n"
            "markdown_extensions:\n  - citations: {sources: [https://shared.example/]}\n"
        ),
        index="# A\n\nSee [1].\n",
    )
    html = built(tmp_path)
    assert 'class="citation"' in html
    assert "citations.css" not in html


@slow
@pytest.mark.skipif(not find_spec("zensical"), reason="needs zensical")
def test_zensical_names_a_wrong_option_once_and_goes_on(tmp_path: Path) -> None:
    config = (
        "site_name: S\nmarkdown_extensions:\n  - citations: {list: maybe, list_title: Belege}\n"
    )
    write(tmp_path, mkdocs_yml=config, index=PAGE, other=PAGE)
    result = run("zensical", tmp_path, "build", "-f", "mkdocs.yml")
    output = result.stdout + result.stderr
    assert output.count("citations: option list: expected one of section") == 1
    assert "Traceback" not in output
    html = (tmp_path / "site/index.html").read_text("utf-8")
    assert 'class="citation"' in html
    assert ">Belege" in html
