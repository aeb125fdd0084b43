"""The seam into MyST: the one place that knows how its parsers are made.

MyST-Parser has no hook for markdown-it plugins (its issue 632). Every one of its Sphinx parsers makes a
markdown-it parser for each document by calling ``create_md_parser``, a name that their modules import. That
name is wrapped here, and the wrapper does nothing by itself: only while a parser of an application with
this extension reads a document does it hand on the parser that was made. Such an application has parser
classes of its own in its registry, so another application of the same process never sees any of it.

The day MyST offers a hook, `attach` becomes one call of it, and the rest of this module goes.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from contextvars import ContextVar
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import Any

from docutils import nodes
from markdown_it import MarkdownIt
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

Prepare = Callable[[MarkdownIt], None]
"""Called with each Markdown parser that is made to read a document."""

Begin = Callable[[nodes.document, str], tuple[str, Prepare]]
"""Called with a document and its text before MyST reads it; gives the text that MyST is to read."""

_NAME = "create_md_parser"


class _Reading:
    """One document that a parser of ours reads."""

    def __init__(self, prepare: Prepare) -> None:
        self.prepare = prepare
        self.prepared = False


_reading: ContextVar[_Reading | None] = ContextVar("citations_reading", default=None)


def attach(app: Sphinx, begin: Begin) -> bool:
    """Have *begin* called for every document that a MyST parser of *app* reads.

    Returns whether *app* has such a parser; all extensions must have been set up. Raises
    ``ExtensionError`` when MyST is there but no longer makes its parsers as we know it.
    """
    if "myst_parser" not in sys.modules:
        return False
    try:
        from myst_parser.parsers.sphinx_ import MystParser  # noqa: PLC0415 - only where it is in use
    except ImportError as error:
        raise _changed(f"no MystParser: {error}") from error
    parsers = app.registry.get_source_parsers()
    found = {
        filetype: parser
        for filetype, parser in parsers.items()
        if isinstance(parser, type) and issubclass(parser, MystParser)
    }
    for filetype, parser in found.items():
        modules = [sys.modules[base.__module__] for base in parser.__mro__]
        makers = [module for module in modules if hasattr(module, _NAME)]
        if not makers:
            raise _changed(f"no {_NAME} beside {parser.__module__}.{parser.__qualname__}")
        for module in makers:
            _wrap(module)
        # This relies on `parsers` being the registry's own dict (read in Sphinx 8.1.3 and 9.0.4).
        parsers[filetype] = _reading_parser(parser, begin)
        if app.registry.get_source_parser(filetype) is not parsers[filetype]:
            raise _changed("Sphinx gives a copy of its source parsers")
    return bool(found)


def _wrap(module: ModuleType) -> None:
    """Put a wrapper in the place of *module*'s ``create_md_parser``, once for the process."""
    original = getattr(module, _NAME)
    if hasattr(original, "hands_on_to_citations"):
        return

    @functools.wraps(original)
    def create_md_parser(*args: Any, **kwargs: Any) -> Any:
        md = original(*args, **kwargs)
        reading = _reading.get()
        if reading is not None:
            reading.prepared = True
            reading.prepare(md)
        return md

    create_md_parser.hands_on_to_citations = True  # type: ignore[attr-defined]
    setattr(module, _NAME, create_md_parser)


def _reading_parser(parser: Any, begin: Begin) -> Any:
    """A subclass of *parser* that says which document it is reading."""

    def parse(self: Any, inputstring: str, document: nodes.document) -> None:
        text, prepare = begin(document, inputstring)
        reading = _Reading(prepare)
        token = _reading.set(reading)
        try:
            parser.parse(self, text, document)
        finally:
            _reading.reset(token)
        if not reading.prepared:
            raise _changed(f"{parser.__module__}.{parser.__qualname__} did not call {_NAME}")

    members = {"parse": parse, "__doc__": parser.__doc__, "__module__": parser.__module__}
    return type(parser.__name__, (parser,), members)


def _changed(found: str) -> ExtensionError:
    versions = []
    for name in ("sphinx", "myst-parser", "myst-nb"):
        try:
            versions.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ExtensionError(
        f"sphinx_citations knows MyST-Parser 4 and 5, whose parsers call {_NAME}, and found something "
        f"else ({found}; installed: {', '.join(versions)})"
    )
