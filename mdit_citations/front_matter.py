"""The sources in a page's front matter, or in a YAML or JSON file of their own.

The YAML is read as a stream of events rather than loaded: scalars keep the characters the author wrote
(``title: No``, ``issued: 2024-05-01``), nothing but the wanted key is built, and nothing recurses.
"""

from __future__ import annotations

import json
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
_MAX_ALIASED = 100_000


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
    block: FrontMatterBlock | None = None
    """Where it stands; None for one that says nothing of citations, which is not ours."""


def read_front_matter(
    text: str, *, key: str = "sources", own: bool = True, shared: bool = False
) -> FrontMatter:
    """What the front matter at the very start of *text* says about citations.

    It is read only if it has a line beginning with the key or ``citations:``, and may bring sources of its
    *own*; or, for its language, with *shared*, where the page may cite sources from elsewhere. Never raises:
    what cannot be read is a problem.
    """
    block = find_front_matter(text)
    if block and own and _names(block, key, "citations"):
        return parse_front_matter(block.yaml, key=key)._replace(block=block)
    front = FrontMatter(Sources(), [])
    if own and not block and (problem := _unclosed(text, key)):
        return front._replace(problems=[problem])
    if block and shared and _names(block, "lang", "language"):
        front = front._replace(language=parse_front_matter(block.yaml, key=key).language)
    return front


def _names(block: FrontMatterBlock, *keys: str) -> bool:
    """Whether a line of the block begins with one of the keys."""
    return bool(re.search(rf"\n(?:{'|'.join(map(re.escape, keys))})[ \t]*:", f"\n{block.yaml}"))


def find_front_matter(text: str) -> FrontMatterBlock | None:
    """The front matter at the very start of *text*.

    Fences are those of mdit-py-plugins' ``front_matter``: at least three dashes, closed by as many or
    by ``...``.
    """
    if not text.startswith("---") or not (opening := _OPENING.match(text)):
        return None
    fence = len(opening[0].rstrip())
    # A line break first rather than `^`, which would be tried at each character.
    closing = re.compile(rf"\n(?:-{{{fence},}}|\.\.\.)[ \t]*\r?$", re.MULTILINE)
    if not (close := closing.search(text, opening.end() - 1)):
        return None
    block = text[opening.end() : close.start() + 1]
    end = min(close.end() + 1, len(text))
    return FrontMatterBlock(block, text.count("\n", 0, close.end()) + 1, end)


def _unclosed(text: str, key: str) -> Problem | None:
    """What is wrong with a *text* that begins a block of sources as front matter and never ends it.

    Markdown makes a rule and a paragraph of that, so only a block with entries, before the first blank
    line, is reported.
    """
    if not text.startswith("---") or not (opening := _OPENING.match(text)):
        return None
    paragraph = text[opening.end() :].replace("\r\n", "\n").partition("\n\n")[0]
    block = rf"^{re.escape(key)}[ \t]*:[ \t]*\n[ \t]*(?:-[ \t]|[0-9]+[ \t]*:)"
    if not re.search(block, paragraph, re.MULTILINE):
        return None
    message = f"{key}: expected a line {opening[0].rstrip()} that ends the front matter, found none"
    return Problem(ProblemCode.INVALID_FRONT_MATTER, message, 1, 1)


def parse_front_matter(block: str, *, key: str = "sources", first_line: int = 2) -> FrontMatter:
    """Read what stands between the fences; *first_line* is the line of the text it begins on.

    Never raises: what cannot be read is a problem with line and column.
    """
    try:
        found, repeated = _read_keys(block, {key, "citations", "lang", "language"})
    except (yaml.YAMLError, ValueError) as error:
        return FrontMatter(Sources(), [_yaml_problem(error, block, first_line)])
    switch = found.get("citations")
    if isinstance(switch, str) and switch in _OFF:
        return FrontMatter(Sources(), [], enabled=False)
    sources, problems = parse_sources(found.get(key), path=key)
    if problems:
        problems = _located(problems, block, first_line)
    for name, mark in repeated:
        if name == key:
            message = f"{key}: expected once, found again; the first counts"
            line, column = _Places(block, first_line).of(mark)
            problems.append(Problem(ProblemCode.INVALID_SOURCES, message, line, column, key))
    language = found.get("lang") or found.get("language")
    return FrontMatter(sources, problems, language=language if isinstance(language, str) else "")


def load_sources_file(
    path: str | PathLike[str], *, key: str = "sources"
) -> tuple[Sources, list[Problem]]:
    """Read shared sources from a YAML or JSON file: a block, or a mapping that has one under *key*.

    Raises ``OSError`` when the file can't be read. Everything else is a problem that names the file.
    """
    raw = Path(path).read_bytes()
    name, text = str(path), ""
    try:
        text = raw.decode("utf-8-sig")
        block = _read_file(text, key)
    except (yaml.YAMLError, ValueError) as error:
        problem = replace(
            _yaml_problem(error, text, 1), code=ProblemCode.INVALID_SOURCES, file=name
        )
        return Sources(), [problem]
    sources, problems = parse_sources(block, path=key)
    if problems:
        problems = _located(problems, text, 1)
    return Sources(shared=sources.values()), [replace(problem, file=name) for problem in problems]


def _read_keys(text: str, keys: set[str]) -> tuple[dict[str, Any], list[tuple[str, Any]]]:
    """The values of the top-level *keys* that are there, and the places of those given again."""
    loader = _LOADER(text)
    try:
        reader = _EventReader(loader)
        loader.get_event()
        if isinstance(loader.get_event(), yaml.StreamEndEvent):
            return {}, []
        return reader.keys(loader.get_event(), keys), reader.repeated
    finally:
        loader.dispose()


def _read_file(text: str, key: str) -> Any:
    """The block in a file of sources: under *key*, or the whole of it."""
    if text.lstrip()[:1] in {"[", "{"}:
        # JSON is nearly YAML: not its surrogate pairs, nor its tabs.
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            pass
        else:
            return data.get(key, data) if isinstance(data, dict) else data
    found, _ = _read_keys(text, {key})
    if key in found:
        return found[key]
    loader = _LOADER(text)
    try:
        reader = _EventReader(loader)
        loader.get_event()
        if isinstance(loader.get_event(), yaml.StreamEndEvent):
            return None
        return reader.value(loader.get_event(), 0)
    finally:
        loader.dispose()


class _YamlError(yaml.MarkedYAMLError):
    """An error of ours in the form of the parser's."""

    def __init__(self, problem: str, mark: Any) -> None:
        super().__init__(problem=problem, problem_mark=mark)


class _EventReader:
    """Builds plain data from YAML events. Aliases share what they name, so nothing is expanded."""

    def __init__(self, loader: Any) -> None:
        self.loader = loader
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.repeated: list[tuple[str, Any]] = []
        self._read = 0
        self._aliased = 0

    def keys(self, event: Any, wanted: set[str]) -> dict[str, Any]:
        """The values of the *wanted* keys of the mapping that *event* begins; the first one counts."""
        found: dict[str, Any] = {}
        if not isinstance(event, yaml.MappingStartEvent):
            self.value(event, _MAX_DEPTH)
            return found
        while not isinstance(event := self.loader.get_event(), yaml.MappingEndEvent):
            key = self.value(event, 0)
            ours = isinstance(key, str) and key in wanted
            if ours and key in found:
                self.repeated.append((key, event.start_mark))
                ours = False
            value = self.value(self.loader.get_event(), 0 if ours else _MAX_DEPTH)
            if ours:
                found[key] = value
        return found

    def value(self, event: Any, depth: int) -> Any:
        """What *event* begins. At *depth* 0 it is a block, at 1 an entry, deeper a part of an entry."""
        before = self._read
        if isinstance(event, yaml.ScalarEvent):
            value = self.scalar(event, depth)
            self._read += len(event.value) + 1
        elif isinstance(event, yaml.AliasEvent):
            return self.alias(event)
        elif depth > _MAX_DEPTH:
            self.skip()
            value = None
        elif isinstance(event, yaml.SequenceStartEvent):
            value = self.sequence(depth)
        else:
            value = self.mapping(depth) if depth else self.pairs()
        if event.anchor is not None:
            self.anchors[event.anchor] = (value, self._read - before)
        return value

    def alias(self, event: Any) -> Any:
        """What an alias stands for. Shared rather than copied; but who uses it may write it out each time."""
        if event.anchor not in self.anchors:
            raise _YamlError(f"found undefined alias {event.anchor!r}", event.start_mark)
        value, size = self.anchors[event.anchor]
        self._read += size
        self._aliased += size
        if self._aliased > _MAX_ALIASED:
            message = f"the aliases stand for more than {_MAX_ALIASED:,} characters"
            raise _YamlError(message, event.start_mark)
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
        merged: list[Any] = []
        get_event = self.loader.get_event
        scalar_event, end_event = yaml.ScalarEvent, yaml.MappingEndEvent
        read = 0
        while not isinstance(event := get_event(), end_event):
            plain = isinstance(event, scalar_event) and event.anchor is None
            key = event.value if plain else self.value(event, depth + 1)
            event = get_event()
            if isinstance(event, scalar_event) and event.anchor is None:
                read += len(event.value) + 1
                null = event.value in _NULLS and not event.style and event.implicit[0]
                value = None if null else event.value
            else:
                value = self.value(event, depth + 1)
            if key == "<<":
                merged.extend(value if isinstance(value, list) else [value])
            elif isinstance(key, str):
                mapping.setdefault(key, value)
        self._read += read
        for other in merged:
            if isinstance(other, dict):
                mapping = {**other, **mapping}
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
                self.anchors[event.anchor] = (getattr(event, "value", None), 0)
            if isinstance(event, yaml.CollectionStartEvent):
                open_collections += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                open_collections -= 1


def _yaml_problem(error: Exception, text: str, first_line: int) -> Problem:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    found = getattr(error, "problem", None) or getattr(error, "reason", None) or "it is not YAML"
    context = getattr(error, "context", None)
    found = f"{context}, {found}" if context else str(found)
    line, column = _Places(text, first_line).of(mark) if mark else (first_line, 1)
    message = f"expected YAML: {' '.join(found.split())}"
    return Problem(ProblemCode.INVALID_FRONT_MATTER, message, line, column)


class _Places:
    """Lines and columns of YAML's marks in a text whose first line is *first_line*."""

    def __init__(self, text: str, first_line: int) -> None:
        self.text = text
        self.first_line = first_line
        # YAML breaks lines at characters where Markdown does not; only then are they counted again.
        self.recount = any(char in text for char in "\x85\u2028\u2029")

    def of(self, mark: Any) -> tuple[int, int]:
        line = self.text.count("\n", 0, mark.index) if self.recount else mark.line
        return line + self.first_line, mark.index - self.text.rfind("\n", 0, mark.index)


_STEP = re.compile(r"\[([^\]]*)\]|\.([^.\[]+)|^([^.\[]+)")


def _located(problems: list[Problem], text: str, first_line: int) -> list[Problem]:
    """The problems with the line and column of what their path names, as near as the text has it."""
    try:
        root: Any = yaml.compose(text, Loader=_LOADER)
    except (yaml.YAMLError, ValueError, RecursionError):
        # The composer is stricter than the events, and its Python form recurses.
        return [replace(problem, line=first_line, column=1) for problem in problems]
    places, children = _Places(text, first_line), _Children()
    again: dict[str, int] = {}
    located = []
    for problem in problems:
        path = problem.path or ""
        node = place = root
        for step in _STEP.finditer(path):
            ordinal = 0
            if problem.code == ProblemCode.DUPLICATE_NUMBER and step.end() == len(path):
                # In a mapping it is the same key again that is taken already.
                ordinal = again[path] = again.get(path, 0) + 1
            child = children.of(node, step[1] or step[2] or step[3], ordinal)
            if child is not None:
                node = place = child
            elif step.start():
                break
        line, column = places.of(place.start_mark)
        located.append(replace(problem, line=line, column=column))
    return located


class _Children:
    """Finds the children of nodes by name, going through each node once."""

    def __init__(self) -> None:
        self._by_name: dict[int, dict[str, list[Any]]] = {}

    def of(self, node: Any, name: str, ordinal: int) -> Any:
        if isinstance(node, yaml.SequenceNode):
            return (
                node.value[int(name)] if name.isdecimal() and int(name) < len(node.value) else None
            )
        if not isinstance(node, yaml.MappingNode):
            return None
        if (named := self._by_name.get(id(node))) is None:
            named = self._by_name[id(node)] = {}
            for key, value in node.value:
                if isinstance(key.value, str):
                    named.setdefault(key.value, []).append(value)
        values = named.get(name, ())
        return values[min(ordinal, len(values) - 1)] if values else None
