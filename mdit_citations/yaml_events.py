"""YAML and JSON as plain data: what stands under the wanted keys, and nothing else is built.

YAML is read as a stream of events rather than loaded: scalars keep the characters the author wrote
(``title: No``, ``issued: 2024-05-01``), and nothing recurses.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import yaml

from mdit_citations.problems import Scalar
from mdit_citations.sources import Pairs

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_STRING_TAGS = (None, "!", "tag:yaml.org,2002:str")
_ENTRY = 1
_MAX_DEPTH = 8
_MAX_ALIASED = 100_000


class Keys(NamedTuple):
    """What stands at the top level of a YAML text under the keys that were asked for."""

    values: dict[str, Any]
    repeated: list[tuple[str, Any]]
    """The keys that were given again, each with its mark; the first one counts."""
    spans: list[tuple[str, int, int]]
    """Each key with the offsets between which it and its value stand, whole lines of the text."""


def read_keys(text: str, keys: set[str]) -> Keys:
    """What the YAML *text* says under the top-level *keys*.

    Raises ``yaml.YAMLError`` or ``ValueError`` for what is not YAML.
    """
    loader = LOADER(text)
    try:
        reader = _EventReader(loader)
        loader.get_event()
        if isinstance(loader.get_event(), yaml.StreamEndEvent):
            return Keys({}, [], [])
        return reader.keys(loader.get_event(), keys)
    finally:
        loader.dispose()


def read_block(text: str, key: str) -> Any:
    """The block in the *text* of a YAML or JSON file: under *key*, or the whole of it.

    Raises ``yaml.YAMLError`` or ``ValueError`` for what is neither.
    """
    if text.lstrip()[:1] in {"[", "{"}:
        # JSON is nearly YAML: not its surrogate pairs, nor its tabs.
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            pass
        else:
            return data.get(key, data) if isinstance(data, dict) else data
    values = read_keys(text, {key}).values
    if key in values:
        return values[key]
    loader = LOADER(text)
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
        self._read = 0
        self._aliased = 0

    def keys(self, event: Any, wanted: set[str]) -> Keys:
        """What the mapping that *event* begins has under the *wanted* keys."""
        found = Keys({}, [], [])
        if not isinstance(event, yaml.MappingStartEvent):
            self.value(event, _MAX_DEPTH)
            return found
        start: Any = event.start_mark
        in_lines = not event.flow_style and start.column == 0
        before = None
        while True:
            event = self.loader.get_event()
            if before is not None and in_lines:
                found.spans.append((*before, event.start_mark.index))
            if isinstance(event, yaml.MappingEndEvent):
                return found
            key = self.value(event, 0)
            ours = isinstance(key, str) and key in wanted
            before = (key, event.start_mark.index) if ours else None
            if ours and key in found.values:
                found.repeated.append((key, event.start_mark))
                ours = False
            value = self.value(self.loader.get_event(), 0 if ours else _MAX_DEPTH)
            if ours:
                found.values[key] = value

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
