"""MyST in Sphinx: all cases of the fixtures are pages of one build, for each set of options."""

from __future__ import annotations

import atexit
import re
import shutil
import tempfile
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from tests.hosts import Host, Result
from tests.reading import read

_CODE = re.compile(
    r"^(?P<file>[^\n]*?\.md)(?::\d+)?: .*\[citations\.(?P<code>[a-z-]+)\]$", re.MULTILINE
)


class _Project:
    """Pages that share a configuration. A page that is asked for later is built by itself."""

    def __init__(self, features: frozenset[str], options: Mapping[str, Any], fmt: str) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="myst-host-"))
        atexit.register(shutil.rmtree, self.root, ignore_errors=True)
        self.source = self.root / "source"
        self.source.mkdir()
        (self.source / "index.md").write_text("# Index\n", "utf-8")
        self.names: dict[str, str] = {}
        self.codes: dict[str, list[str]] = {}
        self.pages: dict[str, str] = {}
        self.fmt = fmt
        self.config: dict[str, Any] = {
            "extensions": ["myst_parser", "sphinx_citations"],
            "html_theme": "basic",
            "html_permalinks": False,
            "html_use_index": False,
            "html_copy_source": False,
            "myst_enable_extensions": ["dollarmath"] if "math" in features else [],
            **{f"citations_{name}": value for name, value in options.items()},
        }
        self.app: Sphinx | None = None

    def add(self, text: str) -> str:
        """Make a page of *text*; returns its name."""
        if text not in self.names:
            name = self.names[text] = f"page{len(self.names)}"
            (self.source / f"{name}.md").write_text(text, "utf-8")
        return self.names[text]

    def page(self, text: str) -> tuple[str, list[str]]:
        """The body of the page of *text*, and the codes of its problems."""
        name = self.add(text)
        if name not in self.pages:
            self.build()
        return self.pages[name], self.codes.get(name, [])

    def build(self) -> None:
        warning = StringIO()
        output = self.root / "output"
        with patch_docutils(), docutils_namespace():
            app = Sphinx(
                self.source,
                None,
                output,
                self.root / "doctrees",
                "html",
                self.config,
                status=None,
                warning=warning,
                warningiserror=False,
            )
            app.build()
        for found in _CODE.finditer(re.sub(r"\x1b\[[0-9;]*m", "", warning.getvalue())):
            self.codes.setdefault(Path(found["file"]).stem, []).append(found["code"])
        for name in self.names.values():
            if name not in self.pages:
                soup = BeautifulSoup((output / f"{name}.html").read_text("utf-8"), "html.parser")
                body = soup.select_one("div.body")
                assert body is not None
                self.pages[name] = body.decode_contents()


class MystHost:
    """Sphinx's HTML of one page."""

    kind = "myst"
    name = "myst"

    def __init__(self) -> None:
        self.projects: dict[str, _Project] = {}

    def render(
        self, text: str, features: frozenset[str] = frozenset(), options: Mapping[str, Any] = {}
    ) -> Result:
        features = features & {"math"}
        key = repr((sorted(features), sorted(options.items())))
        if key not in self.projects:
            project = self.projects[key] = _Project(features, options, "html")
            if not options:
                _add_fixtures(project, features)
        html, codes = self.projects[key].page(text)
        return Result(read(html), sorted(codes), html)


def _add_fixtures(project: _Project, features: frozenset[str]) -> None:
    """Let the first build have all documents that the conformance tests will ask for."""
    from tests.test_conformance import document, load  # noqa: PLC0415 - it imports us

    for name in ("markers", "definitions", "sources"):
        for case in load(name):
            ours = MystHost.kind in case.get("hosts", [MystHost.kind])
            if ours and features == frozenset(case.get("with", ())) & {"math"}:
                project.add(document(case))


HOSTS: list[Host] = [MystHost()]
