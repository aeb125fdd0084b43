"""Real builds of the projects in ``tests/roots``, in this process or in one of their own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag
from sphinx import locale
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from tests.reading import Reading, read

ROOTS = Path(__file__).parent.parent / "roots"
HEADER = "---\nsources:\n  - {title: One, url: 'https://one.example/'}\n  - {title: Two, url: 'https://two.example/'}\n---\n\n"
CONF = 'extensions = ["myst_parser", "sphinx_citations"]\n'


@dataclass
class Built:
    """The output of a build, and what it warned of."""

    app: Sphinx
    output: Path
    warnings: list[str] = field(default_factory=list)

    def text(self, name: str) -> str:
        return (self.output / name).read_text("utf-8")

    def body(self, name: str) -> Tag:
        soup = BeautifulSoup(self.text(f"{name}.html"), "html.parser")
        body = soup.select_one("div.body, [role=main], article")
        assert body is not None
        return body

    def reading(self, name: str) -> Reading:
        return read(self.body(name).decode_contents())

    @property
    def ours(self) -> list[str]:
        """The warnings of ours, each from the name of its file on."""
        return [warning for warning in self.warnings if "[citations." in warning]


def build(
    source: Path | str,
    output: Path,
    builder: str = "html",
    *,
    parallel: int = 0,
    fresh: bool = False,
    **config: Any,
) -> Built:
    """Build a project (one of the roots, or a directory) with changes to its configuration."""
    source = ROOTS / source if isinstance(source, str) else source
    config.setdefault("html_permalinks", False)
    if builder == "html":
        config.setdefault("html_theme", "basic")
    warning = StringIO()
    # What one application has translated would be there for the next.
    locale.translators.clear()
    # A catalogue's messages keep marks in their trees, which other builders will not take.
    doctrees = "doctrees-gettext" if builder == "gettext" else "doctrees"
    with patch_docutils(), docutils_namespace():
        app = Sphinx(
            source,
            source,
            output / builder,
            output / doctrees,
            builder,
            config,
            status=None,
            warning=warning,
            freshenv=fresh,
            parallel=parallel,
        )
        app.build()
    text = re.sub(r"\x1b\[[0-9;]*m", "", warning.getvalue())
    lines = [line.replace(f"{source}{os.sep}", "") for line in text.splitlines() if line]
    return Built(app, output / builder, lines)


def project(directory: Path, conf: str = CONF, **pages: str) -> Path:
    """A project with these pages; the keyword is the name of the page."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "conf.py").write_text(conf, "utf-8")
    for name, text in pages.items():
        (directory / f"{name}.md").write_text(text, "utf-8")
    return directory


def copy(root: str, directory: Path) -> Path:
    """A copy of one of the roots, for a test that changes it."""
    shutil.copytree(ROOTS / root, directory)
    return directory


def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command of this interpreter's environment."""
    return subprocess.run(
        [sys.executable, "-m", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def need(program: str, package: str) -> str:
    """The path of *program*. Without it the test is left out, unless nothing may be left out."""
    path = shutil.which(program)
    if path is None:
        message = f"{program} is missing (on Debian: apt-get install {package})"
        if os.environ.get("MDIT_CITATIONS_REQUIRE_ALL"):
            pytest.fail(message)
        pytest.skip(message)
    return path
