"""The MkDocs plugin: what an extension can't do by itself.

It brings each page's sources to the extension, shows problems in the log, and adds the style sheet and what
else is wanted beside the text. What is a citation is decided elsewhere.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import fields, replace
from html import unescape
from pathlib import Path
from typing import Any

from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import mdit_citations
from mdit_citations.citations import Citations
from mdit_citations.listing import listed
from mdit_citations.options import Options, try_shared_sources
from mdit_citations.problems import Problem, ProblemCode
from mdit_citations.provenance import provenance, provenance_script
from mdit_citations.sources import Sources
from mkdocs_citations.config import CitationsConfig
from mkdocs_citations.extension import CitationsExtension
from mkdocs_citations.messages import place_of
from mkdocs_citations.registry import PageSources, Registry, page_front_matter
from mkdocs_citations.searching import hide_from_search, take_mark, without_citations

log = get_plugin_logger("citations")

STYLE_SHEET = "assets/stylesheets/citations.css"
SCRIPT = "assets/javascripts/citations.js"
_OWN_LINE = "<!--\n-->"
"""mkdocs-print-site renames links on its page, but of ids only the first in each line of the HTML."""
_MOST_SHOWN = 100
"""How many problems of one page are shown."""
_POST = "Post"
"""The class of a post in Material's blog: read in mkdocs-material 9.8.2."""
_HINTS = (ProblemCode.UNCITED_SOURCE.value, ProblemCode.DUPLICATE_URL.value)
_NAMES = ("citations", "mkdocs_citations.extension")


class CitationsPlugin(BasePlugin[CitationsConfig]):  # type: ignore[no-untyped-call]
    """Numbered sources for the pages of a site."""

    options: Options
    shared: Sources
    registry: Registry
    pages: dict[str, PageSources]
    rendered: dict[str, Citations]
    """By page, from its content to its HTML file."""
    lists: dict[str, str]
    """By page: the HTML of its list."""

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Put the extension among the Markdown extensions. Another plugin may ask for it more than once."""
        if not self.config.enabled:
            return config
        extensions: list[Any] = config.markdown_extensions
        extensions[:] = [
            extension
            for extension in extensions
            if extension not in _NAMES and not isinstance(extension, CitationsExtension)
        ]
        self.registry, self.pages, self.rendered, self.lists = Registry(), {}, {}, {}
        self.options = self._merged(config)
        self.shared, problems = try_shared_sources(self.options)
        self._show(problems, Path(config.config_file_path or "mkdocs.yml").name)
        extensions.append(
            CitationsExtension(registry=self.registry, **_without_shared(self.options))
        )
        hide_from_search(config.plugins, self._searched)
        if self.config.css and STYLE_SHEET not in config.extra_css:
            # First, so that the site's own style sheets have the last word.
            config.extra_css.insert(0, STYLE_SHEET)
        if self.config.cards and SCRIPT not in map(str, config.extra_javascript):
            script = ExtraScriptValue(SCRIPT)
            script.defer = True
            config.extra_javascript.insert(0, script)
        return config

    def on_files(self, files: Files, config: MkDocsConfig) -> Files:
        """Add the style sheet and the script, unless the site has one in its place."""
        if not self.config.enabled:
            return files
        assets = Path(mdit_citations.__file__).with_name("assets")
        for wanted, name in ((self.config.css, STYLE_SHEET), (self.config.cards, SCRIPT)):
            if wanted and not files.get_file_from_path(name):
                # A path rather than text: other plugins rely on there being one.
                path = str(assets / Path(name).name)
                files.append(File.generated(config, name, abs_src_path=path))
        return files

    @event_priority(-100)
    def on_page_markdown(
        self, markdown: str, *, page: Page, config: MkDocsConfig, **_: Any
    ) -> str | None:
        """Attach the sources to the text, after all other plugins have had it."""
        if not self.config.enabled:
            return None
        meta = page.meta
        # MkDocs leaves front matter that it can't read in the text, and says nothing.
        may_have = self.options.key in meta or "citations" in meta or markdown.startswith("---")
        front = page_front_matter(
            lambda: page.file.content_string if may_have else "", meta, self.options, shared=False
        )
        if not front.enabled:
            return None
        sources = front.sources.with_shared(self.shared)
        if not sources:
            self._show(front.problems, page.file.src_uri)
            return None
        language = front.language or _language(config)
        attached = PageSources(sources, front.problems, lambda: page.file.content_string, language)
        if "print-site" in config.plugins:
            attached.before = _OWN_LINE
        self.pages[page.file.src_uri] = attached
        return self.registry.attach(markdown, attached)

    @event_priority(100)
    def on_page_content(self, html: str, *, page: Page, **_: Any) -> str | None:
        """Show the problems of the page, and tell MkDocs of our ids: it knows only those of elements."""
        name = page.file.src_uri
        attached = self.pages.pop(name, None) if self.config.enabled else None
        if attached is None or attached.citations is None:
            return None
        citations, attached.citations = attached.citations, None
        levels = [self.config.levels.get(code, logging.INFO) for code in _HINTS]
        hints = citations.hints if log.isEnabledFor(max(levels)) else []
        self._show(citations.problems, name, hints)
        if page.present_anchor_ids is not None:
            page.present_anchor_ids |= _ids(citations, self.options)
        if page.markdown and type(page).__name__ != _POST:
            # What others read, such as a feed; excerpts of posts are still to be made of theirs.
            page.markdown = self.registry.without_comment(page.markdown)
        self.rendered[name] = citations
        html, self.lists[name] = take_mark(html, attached.mark)
        return html

    def _searched(self, page: Page) -> str:
        """What search is to read of a page."""
        content, name = page.content or "", page.file.src_uri
        if name not in self.rendered:
            return content
        return without_citations(content, self.lists.get(name, ""))

    def on_post_page(self, output: str, *, page: Page, **_: Any) -> str | None:
        """Say what the page cites at the end of its body; its content is used for other pages too."""
        if not self.config.enabled:
            return None
        self.lists.pop(page.file.src_uri, None)
        citations = self.rendered.pop(page.file.src_uri, None)
        if not citations or not citations.cited or not self.config.provenance:
            return None
        # A title is HTML without tags.
        title = unescape(str(page.title or ""))
        data = provenance(citations, url=page.canonical_url or "", title=title)
        body, end, rest = output.rpartition("</body>")
        return (
            f"{body}{provenance_script(data)}{end}{rest}"
            if end
            else output + provenance_script(data)
        )

    def on_serve(self, server: LiveReloadServer, **_: Any) -> LiveReloadServer:
        """Rebuild when the shared sources change."""
        if self.config.enabled and self.options.sources_file:
            path = Path(self.options.sources_file)
            # A file that is still to come, but not a whole project for a folder that is.
            watched = path if path.exists() else path.parent
            if watched.exists():
                server.watch(str(watched))
        return server

    def _merged(self, config: MkDocsConfig) -> Options:
        """The plugin's options, and those of the extension where it is listed too, which win."""
        given = {
            name: value
            for names in _NAMES
            for name, value in (config.mdx_configs.get(names) or {}).items()
        }
        options = Options.of(self.config.options(), **given)
        if given.get("sources_file") is not None and config.config_file_path:
            folder = Path(config.config_file_path).parent
            options = replace(options, sources_file=str(folder / given["sources_file"]))
        return options

    def _show(self, problems: Iterable[Problem], path: str, hints: Iterable[Problem] = ()) -> None:
        """Log what is wrong, and what is only worth a look."""
        levels = self.config.levels
        found = [
            (levels.get(problem.code.value, level), problem)
            for level, some in ((logging.WARNING, problems), (logging.INFO, hints))
            for problem in some
        ]
        for level, problem in found[:_MOST_SHOWN]:
            place = place_of(problem, path)
            log.log(level, "%s: %s [%s]", place, problem.message, problem.code)
        if omitted := [level for level, _ in found[_MOST_SHOWN:]]:
            log.log(max(omitted), "%s: and %d more", path, len(omitted))


def _ids(citations: Citations, options: Options) -> set[str]:
    """The ids of a page's superscripts and of the entries of its list."""
    if options.superscript == "unicode":
        return set()
    superscripts = range(1, citations.superscripts + 1)
    return {
        *(citations.make_id("citation", number) for number in superscripts),
        *(citations.make_id("source", number) for number in listed(citations, options)),
    }


def _without_shared(options: Options) -> dict[str, Any]:
    """The options by name, but for shared sources, which the plugin itself has read."""
    names = {field.name for field in fields(options)} - {"sources", "sources_file"}
    return {name: getattr(options, name) for name in names}


def _language(config: MkDocsConfig) -> str:
    """The site's language: Material's ``language``, or the ``locale`` of other themes."""
    theme = config.theme
    for name in ("language", "locale"):
        value = theme.get(name)
        if value:
            return str(value)
    return ""
