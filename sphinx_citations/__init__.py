"""Numbered sources for Sphinx pages written in MyST Markdown.

``extensions = ["myst_parser", "sphinx_citations"]``, in any order; MyST-NB will do as well.
"""

from __future__ import annotations

import posixpath
import shutil
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata

import mdit_citations
from mdit_citations.provenance import provenance, provenance_script
from sphinx_citations import myst, records
from sphinx_citations.conf_py import ConfPy
from sphinx_citations.nodes import setup_nodes
from sphinx_citations.page import begin, log_problem
from sphinx_citations.records import pages_citing
from sphinx_citations.settings import add_config_values, read_settings, settings_of
from sphinx_citations.transforms import (
    CountCitations,
    FindFootnotes,
    FindPlaces,
    KeepMarkersInMessages,
    MakeCitations,
    SourcesDirective,
    TakeTitleSpaces,
)

__all__ = ["pages_citing", "setup"]

logger = logging.getLogger(__name__)

_STYLE_SHEET = "citations.css"
_SCRIPT = "citations.js"
_FOR_BROWSERS = Path(mdit_citations.__file__).parent / "assets"
_FOR_EPUB = Path(__file__).parent / "epub.css"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the extension to *app*. Every option of the core is a value ``citations_`` and its name."""
    add_config_values(app)
    setup_nodes(app)
    app.add_directive("sources", SourcesDirective)
    app.add_transform(KeepMarkersInMessages)
    app.add_transform(FindPlaces)
    app.add_transform(TakeTitleSpaces)
    app.add_transform(FindFootnotes)
    app.add_transform(CountCitations)
    app.add_post_transform(MakeCitations)
    app.connect("builder-inited", _start)
    app.connect("env-purge-doc", records.purge)
    app.connect("env-merge-info", records.merge)
    app.connect("env-updated", _copy_assets)
    app.connect("html-page-context", _complete_page)
    return {
        "version": version("mdit-citations"),
        "env_version": 1,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }


def _start(app: Sphinx) -> None:
    conf_py = ConfPy(app)
    settings = read_settings(app, conf_py)
    for problem in settings.problems:
        if problem.file and problem.line:
            log_problem(problem, f"{problem.file}:{problem.line}")
            continue
        # A file without a line would be taken for a document, so it goes into the message.
        option = "citations_sources_file" if problem.file else "citations_sources"
        message = f"{problem.file or option}: {problem.message}"
        log_problem(replace(problem, message=message), conf_py.place(option))
    for name, nearest in conf_py.misspelt(app):
        logger.warning(
            "expected the name of an option, found %s%s",
            name,
            f" (did you mean {nearest}?)" if nearest else "",
            type="citations",
            subtype="config",
            location=conf_py.place(name),
        )
    if not myst.attach(app, partial(begin, settings)):
        logger.warning(
            "no MyST parser is in use, so that no page can have citations: add myst_parser or "
            "myst_nb to the extensions in conf.py",
            type="citations",
            subtype="no-parser",
        )


def _copy_assets(app: Sphinx, env: BuildEnvironment) -> None:
    # Before pages are written, since their links to it carry its checksum.
    settings = settings_of(app.config)
    if settings.html and records.records_of(env):
        static = Path(app.outdir) / "_static"
        static.mkdir(parents=True, exist_ok=True)
        css = _FOR_EPUB if app.builder.name == "epub" else _FOR_BROWSERS / _STYLE_SHEET
        shutil.copyfile(css, static / _STYLE_SHEET)
        if settings.cards:
            shutil.copyfile(_FOR_BROWSERS / _SCRIPT, static / _SCRIPT)


def _complete_page(
    app: Sphinx, pagename: str, _template: str, context: dict[str, Any], doctree: Any
) -> None:
    found = records.records_of(app.env)
    settings = settings_of(app.config)
    # A document made of all pages bears the name of the root.
    names = sorted(found if app.builder.name == "singlehtml" else found.keys() & {pagename})
    if doctree is None or not names:
        return
    app.add_css_file(_STYLE_SHEET)
    if settings.cards:
        app.add_js_file(_SCRIPT, loading_method="defer")
    if settings.provenance:
        context["metatags"] += "".join(_provenance(app, name) for name in names)


def _provenance(app: Sphinx, docname: str) -> str:
    """What a page cites, as a script element; empty where it cites nothing."""
    citations = records.citations_of(records.records_of(app.env)[docname], "")
    if not citations.cited:
        return ""
    citations.language = citations.language or app.config.language
    base = app.config.html_baseurl
    url = posixpath.join(base, app.builder.get_target_uri(docname)) if base else ""
    title = app.env.titles[docname].astext()
    # So Sphinx calls a page that has none.
    title = "" if title == "<no title>" else title
    return provenance_script(provenance(citations, url=url, title=title))
