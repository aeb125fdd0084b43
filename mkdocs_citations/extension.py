"""The Python-Markdown extension: ``markdown.markdown(text, extensions=["citations"])``.

Each processor is a module; here they are put in their places:

========================  ==========  =====================================================================
processor                 priority    so that it comes
========================  ==========  =====================================================================
`SourcesPreprocessor`     40          before all that reads the text (normalization 30, ``meta`` 27)
`DefinitionProcessor`     17.5        before ``footnotes`` 17, ``abbr`` 16, references 15
`MarkerPattern`           176         after code 190 and escapes 180, before footnotes 175, links, delimiters
`CitationTreeprocessor`   5.5         after ``attr_list`` 8, ``abbr`` 7, ``smarty`` 6, before ``toc`` 5
`HeadingTreeprocessor`    -20         after ``toc``, and MkDocs' own for the page's title 1
`CitationPostprocessor`   24          after raw HTML 30 has been put back
========================  ==========  =====================================================================
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension

from mdit_citations.citations import Citations
from mdit_citations.options import Options, try_shared_sources
from mdit_citations.sources import Sources
from mkdocs_citations import zensical
from mkdocs_citations.definitions import DefinitionProcessor
from mkdocs_citations.document import Document
from mkdocs_citations.markers import MarkerPattern
from mkdocs_citations.postprocessor import CitationPostprocessor
from mkdocs_citations.preprocessor import SourcesPreprocessor
from mkdocs_citations.registry import Registry
from mkdocs_citations.tree import CitationTreeprocessor, HeadingTreeprocessor

_NAME = "citations"


class CitationsExtension(Extension):
    """Makes citation markers work. The options are those of `Options`, by the same names.

    After a conversion ``md.citations`` is the result, a `Citations`. Raises ``ValueError`` for a wrong
    option. A sources file that can't be read is a problem of every page.
    """

    def __init__(self, *, registry: Registry | None = None, **options: Any) -> None:
        """With a *registry*, only texts that it has attached sources to have any."""
        self.config = {field.name: [field.default, _NAME] for field in fields(Options)}
        self.registry = registry
        self._options: Options | None = None
        self.wrong: list[ValueError] = []
        """What is wrong with the options, in a process where Zensical may be the host."""
        super().__init__(**options)
        try:
            self.options()
        except ValueError as error:
            self._refuse(error)

    def _refuse(self, error: ValueError) -> None:
        """Raise *error*, or put it off until the host is known."""
        if not zensical.is_loaded():
            raise error
        self.wrong.append(error)

    def setConfig(self, key: str, value: Any) -> None:  # noqa: N802 (the host's name)
        """Set an option. The host's own would make a truth value of anything whose default is None."""
        try:
            Options.of(**{key: value})
        except ValueError as error:
            self._refuse(error)
        else:
            self.config[key][0] = value
            self._options = None

    def options(self) -> Options:
        """The options as set. Raises ``ValueError`` for one that is wrong."""
        if self._options is None:
            self._options = Options.of(**self.getConfigs())
        return self._options

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (the host's name)
        """Register what looks for sources; the rest follows when there are some."""
        for error in self.wrong:
            # Zensical shows what an extension raises as a traceback for each page.
            if zensical.rendering(md) is None:
                raise error
            zensical.log_once(f"markdown_extensions: citations: {error}")
        options = self.options()
        processors = _Processors(md, options)
        shared = (Sources(), []) if self.registry is not None else try_shared_sources(options)
        preprocessor = SourcesPreprocessor(md, options, shared, self.registry, processors.begin)
        md.preprocessors.register(preprocessor, _NAME, 40)
        md.citations = Citations()  # type: ignore[attr-defined]


class _Processors:
    """The processors of one `Markdown`, switched on for texts with sources and off for all others."""

    def __init__(self, md: Markdown, options: Options) -> None:
        self.md = md
        self.pattern = MarkerPattern(md)
        self.tree = CitationTreeprocessor(md)
        self.headings = HeadingTreeprocessor(md)
        self.post = CitationPostprocessor(md)
        self.definitions = DefinitionProcessor(md.parser)
        self.places: list[tuple[Any, str, Any, float]] = [
            (md.treeprocessors, _NAME, self.tree, 5.5),
            (md.treeprocessors, f"{_NAME}_headings", self.headings, -20),
            (md.postprocessors, _NAME, self.post, 24),
        ]
        if options.inline:
            self.places.append((md.inlinePatterns, _NAME, self.pattern, 176))
            if options.definitions != "none":
                self.places.append((md.parser.blockprocessors, _NAME, self.definitions, 17.5))
        self.registered = False

    def begin(self, document: Document | None) -> None:
        """Make ready for *document*, or for a text without sources."""
        if document is not None:
            self.pattern.begin(document)
            self.definitions.begin(document)
            self.tree.document = self.headings.document = self.post.document = document
        if self.registered is not (document is not None):
            self.registered = document is not None
            for registry, name, processor, priority in self.places:
                if self.registered:
                    registry.register(processor, name, priority)
                else:
                    registry.deregister(name)


def makeExtension(**options: Any) -> CitationsExtension:  # noqa: N802 (the host's name)
    """The extension, for hosts that ask a module for it."""
    return CitationsExtension(**options)
