"""Zensical, which runs no MkDocs plugins: what an extension can learn of the page that is being rendered.

It registers a preprocessor that holds the page and the configuration (``zensical.extensions.context``, read
in 0.0.73). Nothing of Zensical is imported.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from markdown import Markdown

from mdit_citations.citations import Citations
from mdit_citations.options import Options
from mdit_citations.problems import Problem
from mdit_citations.sources import Sources
from mkdocs_citations.messages import place_of
from mkdocs_citations.registry import PageSources, page_front_matter

_log = logging.getLogger("zensical.citations")


_shown: set[str] = set()


def is_loaded() -> bool:
    """Whether Zensical may be the host. Read in 0.0.73: the module that renders a page."""
    return "zensical.markdown.render" in sys.modules


def log_once(message: str) -> None:
    """Show what is wrong with the site, whose every page makes its extensions anew."""
    if message not in _shown:
        _shown.add(message)
        _log.error(message)


def rendering(md: Markdown) -> Any:
    """The preprocessor that knows the page, or None elsewhere."""
    if "rendering_context" not in md.preprocessors:
        return None
    context = md.preprocessors["rendering_context"]
    return context if hasattr(context, "page") and hasattr(context, "config") else None


def page_sources(
    context: Any, options: Options, shared: Sources, shared_problems: list[Problem]
) -> PageSources | None:
    """The sources of the page; None where it has switched citations off.

    They are read from the page's file, which the host has taken the front matter off.
    """
    meta = context.page.meta if isinstance(context.page.meta, Mapping) else {}
    config = context.config if isinstance(context.config, Mapping) else {}
    text = _file(config, context.page.path)
    front = page_front_matter(lambda: text, meta, options, shared=bool(shared))
    if not front.enabled:
        return None
    theme = config.get("theme")
    language = str(theme.get("language") or "" if isinstance(theme, Mapping) else "")
    return PageSources(
        front.sources.with_shared(shared),
        [*front.problems, *shared_problems],
        (lambda: text) if text else None,
        front.language or language,
    )


def _file(config: Mapping[str, Any], path: object) -> str:
    docs = Path(str(config.get("docs_dir") or "docs"))
    root = config.get("config_file_path") or config.get("root_dir")
    try:
        if not docs.is_absolute() and isinstance(root, str):
            base = Path(root)
            docs = (base if base.is_dir() else base.parent) / docs
        return (docs / str(path)).read_text("utf-8-sig")
    except (OSError, ValueError):
        return ""


def log_problems(md: Markdown, citations: Citations) -> None:
    """Show the problems of a page, which nobody else does there."""
    context = rendering(md)
    for problem in citations.problems if context is not None else ():
        place = place_of(problem, context.page.path)
        _log.warning("%s: %s [%s]", place, problem.message, problem.code)
