"""The options, defined once for the plugin, the extension, ``mkdocs.yml`` and ``conf.py``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from os import PathLike
from pathlib import Path
from typing import Any

from mdit_citations.front_matter import load_sources_file
from mdit_citations.labels import Labels, labels_for
from mdit_citations.problems import Problem, ProblemCode
from mdit_citations.sources import Sources, parse_sources

_CHOICES: dict[str, tuple[object, ...]] = {
    "list": ("section", "details", False),
    "list_level": (0, 1, 2, 3, 4, 5, 6),
    "link_to": ("source", "list"),
    "superscript": ("html", "unicode"),
    "definitions": ("copies", "all", "none"),
}
_TARGET = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_REL = re.compile(r"[a-z-]+(?: [a-z-]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How citations are read and shown. Raises ``ValueError`` for a value that is not allowed."""

    sources: object = None
    """Shared sources: a block of any shape, or `Sources`."""
    sources_file: str | PathLike[str] | None = None
    """A YAML or JSON file of shared sources."""
    key: str = "sources"
    """The front-matter key."""
    front_matter: bool = True
    """Whether the text may bring its own sources. False for a text you do not trust to."""
    inline: bool = True
    """False: markers stay text, the list stays."""
    list: str | bool = "section"
    """``section``, ``details`` (collapsed), or false for none."""
    list_title: str | None = None
    """The heading of the list; by language where not given."""
    list_level: int = 2
    """The level of that heading, 1 to 6; 0 for a plain paragraph."""
    link_to: str = "source"
    """Where a marker leads: ``source``, or ``list`` for the entry on the page."""
    superscript: str = "html"
    """``html``, or ``unicode``: links with raised digits, for renderers that know nothing of us. Nothing
    has an id then, so that only addresses are linked."""
    definitions: str = "copies"
    """Which lines ``[^n]:`` are dropped: ``copies`` of the entry, ``all``, or ``none``."""
    ranges: bool = False
    """Whether ``[1-3]`` is a marker."""
    lenticular: bool = False
    """Whether ``【1】`` is a marker."""
    id_prefix: str = ""
    """Goes into every id, where several documents make one page."""
    labels: str | Mapping[str, str] | None = None
    """A language tag, or words (see `Labels`) with an optional ``language``; by language where not given."""
    back_links: int = 3
    """How many back links an entry has before "+n"; 0 for none."""
    rel: str | None = None
    """The ``rel`` of links to sources, such as ``nofollow noopener``."""
    target: str | None = None
    """The ``target`` of links to sources, such as ``_blank``."""
    streaming: bool = False
    """Whether the list waits until something is cited."""

    def __post_init__(self) -> None:
        for name in ("list", "list_level", "link_to", "superscript", "definitions"):
            value, allowed = getattr(self, name), _CHOICES[name]
            if not any(type(value) is type(choice) and value == choice for choice in allowed):
                raise ValueError(_message(name, f"one of {', '.join(map(_yaml, allowed))}", value))
        for name in ("front_matter", "inline", "ranges", "lenticular", "streaming"):
            check_switch(name, getattr(self, name))
        if isinstance(self.back_links, bool) or not isinstance(self.back_links, int):
            raise ValueError(_message("back_links", "a whole number", self.back_links))
        if self.back_links < 0:
            raise ValueError(_message("back_links", "0 or more", self.back_links))
        if not isinstance(self.key, str) or not self.key.strip() or ":" in self.key:
            raise ValueError(_message("key", "the name of a front-matter key", self.key))
        for name, pattern in (("rel", _REL), ("target", _TARGET)):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, str) and pattern.fullmatch(value)):
                raise ValueError(_message(name, f"a value for the HTML attribute {name}", value))
        if not isinstance(self.sources_file, (str, PathLike, type(None))):
            raise ValueError(_message("sources_file", "the path of a file", self.sources_file))
        if not isinstance(self.id_prefix, str):
            raise ValueError(_message("id_prefix", "text", self.id_prefix))
        title = self.list_title
        if title is not None and not (isinstance(title, str) and title.strip()):
            raise ValueError(_message("list_title", "text", title))
        labels_for("", self.labels)

    def words(self, language: str = "") -> Labels:
        """The words of the list, for a page in *language* (empty: not known)."""
        return labels_for(language, self.labels)

    @classmethod
    def of(cls, options: Options | None = None, **changes: Any) -> Options:
        """*options* with *changes*. Raises ``ValueError`` for an unknown name, and says which exist."""
        names = [field.name for field in fields(cls)]
        if unknown := sorted(set(changes) - set(names)):
            known = ", ".join(names)
            raise ValueError(f"unknown option {unknown[0]!r} (options: {known})")
        given = {name: getattr(options, name) for name in names} if options else {}
        return cls(**{**given, **changes})


def shared_sources(options: Options) -> tuple[Sources, list[Problem]]:
    """The sources that the options ``sources`` and ``sources_file`` give, the former first.

    Raises ``OSError`` when the file can't be read.
    """
    if options.sources is None and options.sources_file is None:
        return Sources(), []
    given, problems = parse_sources(options.sources)
    sources = list(given.values())
    if options.sources_file is not None:
        loaded, more = load_sources_file(options.sources_file, key=options.key)
        sources.extend(loaded.values())
        problems = [*problems, *more]
    return Sources(shared=sources), problems


def try_shared_sources(options: Options) -> tuple[Sources, list[Problem]]:
    """`shared_sources` for a host whose build goes on: a file that can't be read is a problem too."""
    try:
        return shared_sources(options)
    except (OSError, ValueError) as error:
        given, problems = parse_sources(options.sources)
        path = Path(str(options.sources_file))
        reason = getattr(error, "strerror", None) or error
        message = f"sources_file: cannot read {path.name or path}: {reason}"
        problem = Problem(ProblemCode.INVALID_SOURCES, message, file=str(options.sources_file))
        return Sources(shared=given.values()), [*problems, problem]


def check_switch(name: str, value: object) -> None:
    """Raise ``ValueError`` unless *value* is true or false; for options that only some hosts have, too."""
    if not isinstance(value, bool):
        raise ValueError(_message(name, "true or false", value))


def _yaml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _message(name: str, expected: str, found: object) -> str:
    return f"option {name}: expected {expected}, found {found!r}"
