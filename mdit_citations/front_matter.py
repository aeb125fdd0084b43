"""The sources in a page's front matter, or in a YAML or JSON file of their own.

The YAML is read as a stream of events rather than loaded: scalars keep the characters the author wrote
(``title: No``, ``issued: 2024-05-01``), nothing but the wanted key is built, and nothing recurses.
"""

from __future__ import annotations

import re
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from mdit_citations.problems import Problem, ProblemCode, Scalar
from mdit_citations.sources import Pairs, Sources, parse_sources

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_OPENING = re.compile(r"-{3,}[ \t]*\r?\n")
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_OFF = frozenset(("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"))
_STRING_TAGS = (None, "!", "tag:yaml.org,2002:str")
_ENTRY = 1
_MAX_DEPTH = 8


class FrontMatterBlock(NamedTuple):
    """Where the front matter of a text stands."""

    yaml: str
    """What stands between the fences."""
    lines: int
    """How many lines it takes, fences included."""
    end: int
    """Offset of the first character after it."""


class FrontMatter(NamedTuple):
    """What a front matter says about citations."""

    sources: Sources
    problems: list[Problem]
    enabled: bool = True
    """False where ``citations: false`` switches the page off."""
    language: str = ""
    """The page's ``lang`` (or ``language``), empty when it names none."""


def find_front_matter(text: str, key: str = "sources") -> FrontMatterBlock | None:
    """The front matter at the very start of *text*, if it has a line beginning with the key.

    Fences are those of mdit-py-plugins' ``front_matter``: at least three dashes, closed by as many or
    by ``...``. A block that says nothing of citations is not ours, so the answer is None.
    """
    if not text.startswith("---") or not (opening := _OPENING.match(text)):
        return None
    fence = len(opening[0].rstrip())
    closing = re.compile(rf"^(?:-{{{fence},}}|\.\.\.)[ \t]*\r?$", re.MULTILINE)
    if not (close := closing.search(text, opening.end())):
        return None
    block = text[opening.end() : close.start()]
    if not re.search(rf"^(?:{re.escape(key)}|citations)[ \t]*:", block, re.MULTILINE):
        return None
    end = min(close.end() + 1, len(text))
    return FrontMatterBlock(block, text.count("\n", 0, close.end()) + 1, end)


def parse_front_matter(block: str, *, key: str = "sources", first_line: int = 2) -> FrontMatter:
    """Read what stands between the fences; *first_line* is the line of the text it begins on.

    Never raises: what cannot be read is a problem with line and column.
    """
    try:
        found = _read_keys(block, {key, "citations", "lang", "language"})
    except (yaml.YAMLError, ValueError) as error:
        return FrontMatter(Sources(), [_yaml_problem(error, first_line)])
    switch = found.get("citations")
    if isinstance(switch, str) and switch in _OFF:
        return FrontMatter(Sources(), [], enabled=False)
    sources, problems = parse_sources(found.get(key), path=key)
    if problems:
        problems = _located(problems, block, first_line)
    language = found.get("lang") or found.get("language")
    return FrontMatter(sources, problems, language=language if isinstance(language, str) else "")


def load_sources_file(
    path: str | PathLike[str], *, key: str = "sources"
) -> tuple[Sources, list[Problem]]:
    """Read shared sources from a YAML or JSON file: a block, or a mapping that has one under *key*.

    Raises ``OSError`` when the file can't be read. Everything else is a problem that names the file.
    """
    raw = Path(path).read_bytes()
    name = str(path)
    try:
        text = raw.decode("utf-8-sig")
        found = _read_keys(text, {key}, whole=True)
    except (yaml.YAMLError, ValueError) as error:
        problem = replace(_yaml_problem(error, 1), code=ProblemCode.INVALID_SOURCES, file=name)
        return Sources(), [problem]
    sources, problems = parse_sources(found[key], path=key)
    if problems:
        problems = _located(problems, text, 1)
    return Sources(shared=sources.values()), [replace(problem, file=name) for problem in problems]


def _read_keys(text: str, keys: set[str], *, whole: bool = False) -> dict[str, Any]:
    """The values of the top-level *keys*; with *whole*, the document itself where it lacks them."""
    loader = _LOADER(text)
    try:
        reader = _EventReader(loader)
        loader.get_event()
        if isinstance(loader.get_event(), yaml.StreamEndEvent):
            return dict.fromkeys(keys)
        if whole:
            document = reader.value(loader.get_event(), 0)
            (key,) = keys
            top = dict(document.items()) if isinstance(document, Pairs) else {}
            return {key: _numbered(top[key]) if key in top else document}
        return reader.keys(loader.get_event(), keys)
    finally:
        loader.dispose()


def _numbered(value: Any) -> Any:
    return Pairs(value.items()) if isinstance(value, dict) else value


class _EventReader:
    """Builds plain data from YAML events. Aliases share what they name, so nothing is expanded."""

    def __init__(self, loader: Any) -> None:
        self.loader = loader
        self.anchors: dict[str, Any] = {}

    def keys(self, event: Any, wanted: set[str]) -> dict[str, Any]:
        """The values of the *wanted* keys of the mapping that *event* begins; the first one counts."""
        found: dict[str, Any] = {}
        if not isinstance(event, yaml.MappingStartEvent):
            self.value(event, _MAX_DEPTH)
            return found
        while not isinstance(event := self.loader.get_event(), yaml.MappingEndEvent):
            key = self.value(event, 0)
            ours = isinstance(key, str) and key in wanted and key not in found
            value = self.value(self.loader.get_event(), 0 if ours else _MAX_DEPTH)
            if ours:
                found[key] = value
        return found

    def value(self, event: Any, depth: int) -> Any:
        """What *event* begins. At *depth* 0 it is a block, at 1 an entry, deeper a part of an entry."""
        if isinstance(event, yaml.ScalarEvent):
            value = self.scalar(event, depth)
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in self.anchors:
                message = f"found undefined alias {event.anchor!r}"
                raise yaml.MarkedYAMLError(problem=message, problem_mark=event.start_mark)  # type: ignore[arg-type] # libyaml has its own marks
            return self.anchors[event.anchor]
        elif depth > _MAX_DEPTH:
            self.skip()
            value = None
        elif isinstance(event, yaml.SequenceStartEvent):
            value = self.sequence(depth)
        else:
            value = self.mapping(depth) if depth else self.pairs()
        if event.anchor is not None:
            self.anchors[event.anchor] = value
        return value

    def sequence(self, depth: int) -> list[Any]:
        """The items of a sequence whose start has been read."""
        items = []
        while not isinstance(item := self.loader.get_event(), yaml.SequenceEndEvent):
            items.append(self.value(item, depth + 1))
        return items

    def pairs(self) -> Pairs:
        """The keys and values of a block whose start has been read, as they come."""
        pairs = Pairs()
        while not isinstance(key := self.loader.get_event(), yaml.MappingEndEvent):
            pairs.append((self.value(key, _ENTRY + 1), self.value(self.loader.get_event(), _ENTRY)))
        return pairs

    def mapping(self, depth: int) -> dict[str, Any]:
        """The keys that are text, and their values, of a mapping whose start has been read."""
        mapping: dict[str, Any] = {}
        get_event, scalar_event = self.loader.get_event, yaml.ScalarEvent
        while not isinstance(event := get_event(), yaml.MappingEndEvent):
            plain = isinstance(event, scalar_event) and event.anchor is None
            key = event.value if plain else self.value(event, depth + 1)
            event = get_event()
            if isinstance(event, scalar_event) and event.anchor is None:
                null = event.value in _NULLS and not event.style and event.implicit[0]
                value = None if null else event.value
            else:
                value = self.value(event, depth + 1)
            if isinstance(key, str):
                mapping.setdefault(key, value)
        return mapping

    def scalar(self, event: Any, depth: int) -> Any:
        """The characters as written; None for a plain null; at entry level, other types as themselves."""
        value: str = event.value
        if event.style:
            return value
        if value in _NULLS and event.implicit[0]:
            return None
        if depth <= _ENTRY and "://" not in value and event.implicit[0]:
            tag = self.loader.resolve(yaml.ScalarNode, value, event.implicit)
            if tag not in _STRING_TAGS:
                return value if depth == 0 else Scalar(value)
        return value

    def skip(self) -> None:
        """Pass over a collection whose start has been read, without recursion."""
        open_collections = 1
        while open_collections:
            event = self.loader.get_event()
            if getattr(event, "anchor", None) and not isinstance(event, yaml.AliasEvent):
                self.anchors[event.anchor] = getattr(event, "value", None)
            if isinstance(event, yaml.CollectionStartEvent):
                open_collections += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                open_collections -= 1


def _yaml_problem(error: Exception, first_line: int) -> Problem:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    found = getattr(error, "problem", None) or getattr(error, "reason", None) or "it is not YAML"
    context = getattr(error, "context", None)
    found = f"{context}, {found}" if context else str(found)
    return Problem(
        ProblemCode.INVALID_FRONT_MATTER,
        f"expected YAML: {' '.join(found.split())}",
        line=mark.line + first_line if mark else first_line,
        column=mark.column + 1 if mark else 1,
    )


_STEP = re.compile(r"\[([^\]]*)\]|\.([^.\[]+)|^([^.\[]+)")


def _located(problems: list[Problem], text: str, first_line: int) -> list[Problem]:
    """The problems with the line and column of what their path names, as near as the text has it."""
    try:
        root: Any = yaml.compose(text, Loader=_LOADER)
    except (yaml.YAMLError, RecursionError):
        # The composer is stricter than the events, and its Python form recurses.
        return [replace(problem, line=first_line, column=1) for problem in problems]
    located = []
    for problem in problems:
        node: Any = root
        place = root
        for step in _STEP.finditer(problem.path or ""):
            child = _child(node, step[1] or step[2] or step[3])
            if child is not None:
                node = place = child
            elif step.start():
                break
        mark = place.start_mark
        located.append(replace(problem, line=mark.line + first_line, column=mark.column + 1))
    return located


def _child(node: Any, name: str) -> Any:
    if isinstance(node, yaml.SequenceNode):
        return node.value[int(name)] if name.isdecimal() and int(name) < len(node.value) else None
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == name:
                return value
    return None
