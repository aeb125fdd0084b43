"""The pages that the browser is shown: the same texts, built by each host."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import mdit_citations

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
ASSETS = Path(mdit_citations.__file__).parent / "assets"
TEXTS = [*sorted((ROOT / "examples").glob("*.md")), *sorted((HERE / "pages").glob("*.md"))]


def leave_out(reason: str) -> None:
    """Skip, unless nothing may be left out."""
    if os.environ.get("MDIT_CITATIONS_REQUIRE_ALL"):
        pytest.fail(reason)
    pytest.skip(reason)


def need(*modules: str) -> None:
    for module in modules:
        if importlib.util.find_spec(module) is None:
            leave_out(f"{module} is not installed")


def run(*arguments: object, cwd: Path) -> None:
    command = [sys.executable, *map(str, arguments)]
    # The packages under test may be those of this directory.
    path = os.pathsep.join(filter(None, [str(ASSETS.parents[1]), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path, "NO_MKDOCS_2_WARNING": "1"}
    result = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, check=False, env=environment
    )
    assert result.returncode in {0, 1}, result.stdout + result.stderr


def bare(target: Path, _address: str) -> None:
    """As `render` makes them, with everything beside the pages."""
    need("click", "rich")
    texts = target / "texts"
    texts.mkdir()
    for path in TEXTS:
        shutil.copy(path, texts)
    program = "import sys; from mdit_citations.cli import main; sys.exit(main())"
    flags = ["--cards", "--provenance", "--assets", "assets"]
    run("-c", program, "render", texts, "--output", target / "site", *flags, cwd=target)
    shutil.copytree(ASSETS, target / "site" / "assets")


def site(
    theme: str, program: str = "mkdocs", *, features: str = "", options: str = ""
) -> Callable[[Path, str], None]:
    def build(target: Path, address: str) -> None:
        need(program, "markdown", *(["material"] if theme == "material" else []))
        docs = target / "docs"
        docs.mkdir()
        for path in TEXTS:
            shutil.copy(path, docs)
        (docs / "index.md").write_text("# Start\n\n[Reader](reader.md)\n", "utf-8")
        lines = [
            "site_name: Pages",
            f"site_url: {address}",
            "use_directory_urls: false",
            f"theme: {{name: {theme}{features}}}" if program == "mkdocs" else "",
            "markdown_extensions: [admonition, footnotes, tables, toc: {permalink: true}]",
        ]
        if program == "mkdocs":
            lines.append(f"plugins: [citations: {{cards: true, provenance: true{options}}}]")
        else:
            shutil.copy(ASSETS / "citations.css", docs)
            shutil.copy(ASSETS / "citations.js", docs)
            lines[4] = lines[4].replace("tables", "tables, citations")
            lines += ["extra_css: [citations.css]", f"theme: {{{features}}}"]
            lines.append("extra_javascript: [{path: citations.js, defer: true}]")
        (target / "mkdocs.yml").write_text("\n".join(lines) + "\n", "utf-8")
        run("-m", program, "build", cwd=target)

    return build


def sphinx(theme: str, module: str) -> Callable[[Path, str], None]:
    def build(target: Path, _address: str) -> None:
        need("sphinx", "myst_parser", module)
        source = target / "source"
        source.mkdir()
        for path in TEXTS:
            shutil.copy(path, source)
        names = " ".join(f"\n{path.stem}" for path in TEXTS)
        (source / "index.md").write_text(f"# Start\n\n```{{toctree}}{names}\n```\n", "utf-8")
        conf = [
            'extensions = ["myst_parser", "sphinx_citations"]',
            f"html_theme = {theme!r}",
            "citations_cards = citations_provenance = True",
            'myst_enable_extensions = ["dollarmath", "deflist", "tasklist"]',
        ]
        (source / "conf.py").write_text("\n".join(conf) + "\n", "utf-8")
        run("-m", "sphinx", "-q", source, target / "site", cwd=target)

    return build


PLAIN = ", highlightjs: false"
PALETTES = ", ".join(
    f"{{media: '(prefers-color-scheme: {name})', scheme: {scheme},"
    f" toggle: {{icon: material/brightness-4, name: Switch}}}}"
    for name, scheme in (("light", "default"), ("dark", "slate"))
)
PREVIEWS = ", font: false, features: [content.footnote.tooltips]"
MATERIAL = f", font: false, palette: [{PALETTES}]"
HOSTS: dict[str, Callable[[Path, str], None]] = {
    "bare": bare,
    "mkdocs": site("mkdocs", features=PLAIN + ", color_mode: auto"),
    "readthedocs": site("readthedocs", features=PLAIN),
    "material": site(
        "material", features=f"{MATERIAL}, features: [navigation.instant, navigation.tabs]"
    ),
    "previews": site("material", features=PREVIEWS, options=", link_to: list"),
    "tooltips": site("material", features=PREVIEWS.replace("footnote.", "")),
    "zensical": site("zensical", "zensical", features=MATERIAL.removeprefix(", ")),
    "furo": sphinx("furo", "furo"),
    "pydata": sphinx("pydata_sphinx_theme", "pydata_sphinx_theme"),
    "rtd": sphinx("sphinx_rtd_theme", "sphinx_rtd_theme"),
    "alabaster": sphinx("alabaster", "alabaster"),
}
