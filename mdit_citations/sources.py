"""Sources: what a number stands for, and how a block of them is read.

A block is a list of addresses, a list of mappings, or a mapping from number to either (see
``docs/sources.md``). Keys are CSL's where CSL has one. Reading never raises: what cannot be read is a
`Problem`, and the other entries keep their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mdit_citations import urls
from mdit_citations.problems import Problem, ProblemCode, shown

MAX_NUMBER = 999_999
_NUMBER = re.compile(r"[1-9][0-9]{0,5}", re.ASCII)
_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:)?(10\.[0-9]{4,9}/\S+)", re.ASCII | re.IGNORECASE)

_ALIASES = {"index": "number", "URL": "url", "container-title": "container_title", "DOI": "doi"}
_TEXT_FIELDS = frozenset(
    ("title", "url", "author", "container_title", "publisher", "issued", "accessed", "doi")
    + ("note", "archived")
)


@dataclass(frozen=True, slots=True)
class Source:
    """One numbered source. Every text is plain text, never markup."""

    number: int
    """1 to 999,999."""
    title: str = ""
    """As written; empty when the entry has none (`label` then shows the address)."""
    url: str = ""
    """The address as written, trimmed; it may be one that must not be linked, see `href`."""
    author: str = ""
    container_title: str = ""
    """The site, journal or book it stands in (CSL ``container-title``)."""
    publisher: str = ""
    issued: str = ""
    """When it was published, as written."""
    accessed: str = ""
    """When it was read, as written."""
    doi: str = ""
    """A digital object identifier, ``10.…/…``; gives the address where there is no *url*."""
    note: str = ""
    archived: str = ""
    """The address of an archived copy, empty unless it may be linked."""
    quote: str = ""
    """The passage the text relies on."""
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Keys we do not know, kept as they are."""
    href: str | None = field(init=False, compare=False, default="")
    """Where a marker leads: an http(s) address; empty for a source without one (a book); None for a
    source whose address must not be linked, so that its markers stay text."""

    def __post_init__(self) -> None:
        address = self.url or (f"https://doi.org/{self.doi}" if self.doi else "")
        object.__setattr__(self, "href", urls.linkable(address) if address else "")

    @property
    def label(self) -> str:
        """The title on one line, or the address (secrets redacted) where there is none."""
        return " ".join(self.title.split()) or urls.redacted(self.url or self.href or "")

    def to_dict(self) -> dict[str, Any]:
        """The entry as plain data, in the keys of a ``sources`` block; empty fields are left out."""
        pairs = (
            ("number", self.number),
            ("title", self.title),
            ("url", self.url),
            ("author", self.author),
            ("container-title", self.container_title),
            ("publisher", self.publisher),
            ("issued", self.issued),
            ("accessed", self.accessed),
            ("DOI", self.doi),
            ("note", self.note),
            ("archived", self.archived),
            ("quote", self.quote),
        )
        return {**{key: value for key, value in pairs if value}, **self.extra}


class Sources(Mapping[int, Source]):
    """The sources of a page by number, in number order. Immutable."""

    __slots__ = ("_by_number", "own")

    def __init__(self, sources: Iterable[Source] = (), shared: Iterable[Source] = ()) -> None:
        """The first source to name a number wins; *shared* are not the page's own."""
        by_number: dict[int, Source] = {}
        for source in sources:
            by_number.setdefault(source.number, source)
        self.own = frozenset(by_number)
        """The numbers that the page itself brings, as against shared ones."""
        for source in shared:
            by_number.setdefault(source.number, source)
        self._by_number = dict(sorted(by_number.items()))

    def __getitem__(self, number: int) -> Source:
        return self._by_number[number]

    def __iter__(self) -> Iterator[int]:
        return iter(self._by_number)

    def __len__(self) -> int:
        return len(self._by_number)

    def __repr__(self) -> str:
        return f"Sources({list(self._by_number.values())!r})"

    def to_json(self) -> list[dict[str, Any]]:
        """A list of plain mappings in number order, fit for ``json.dumps``."""
        return [source.to_dict() for source in self._by_number.values()]

    @classmethod
    def from_json(cls, data: object) -> Sources:
        """From `to_json`'s list, or any other shape of a block; entries that can't be read are left out.

        Use `parse_sources` to learn which and why.
        """
        return parse_sources(data)[0]

    @classmethod
    def from_records(cls, records: Iterable[object]) -> Sources:
        """All sources of a chat turn, from the stored records of its steps.

        A record is a mapping whose ``sources`` is a list of ``{index|number, title, url}``; one without
        that key, as older records are, gives none. The first record of a number wins.
        """
        found: list[Source] = []
        for record in records:
            if isinstance(record, Mapping):
                found.extend(parse_sources(record.get("sources"))[0].values())
        return cls(found)


class SourceList:
    """A list that hands out numbers, for a program that gathers sources one by one."""

    def __init__(self, sources: Iterable[Source] = ()) -> None:
        """Begin with *sources*, keeping their numbers."""
        self._sources: dict[int, Source] = {}
        self._numbers: dict[str, int] = {}
        for source in sources:
            self._sources.setdefault(source.number, source)
            self._numbers.setdefault(source.url.strip(), source.number)
        self._last = max(self._sources, default=0)

    def add(self, title: str, url: str) -> tuple[int | None, Source | None]:
        """The number of the source at *url*, and the `Source` only when this call made it.

        The same trimmed address has the same number. An empty address gets no number and registers
        nothing: ``(None, None)``. An empty title is shown as the address.
        """
        address = url.strip()
        if not address:
            return None, None
        if (known := self._numbers.get(address)) is not None:
            return known, None
        number = self._last = self._last + 1
        source = Source(number, title.strip() or urls.redacted(address), address)
        self._sources[number] = source
        self._numbers[address] = number
        return number, source

    def sources(self) -> Sources:
        """What has been gathered so far."""
        return Sources(self._sources.values())


def parse_sources(value: object, *, path: str = "sources") -> tuple[Sources, list[Problem]]:
    """Read a block: a list of addresses, a list of mappings, or a mapping from number to either.

    *value* is plain data; strings count as written. None and `Sources` are accepted too. Returns what
    could be read, and a problem for each thing that could not, with its place as ``sources[2].url``.
    """
    if isinstance(value, Sources):
        return value, []
    reader = _Reader(path)
    reader.read(value)
    return Sources(reader.sources), reader.problems


class _Reader:
    """Walks one block, keeping the numbers given out so far."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.sources: list[Source] = []
        self.problems: list[Problem] = []
        self._numbers: set[int] = set()
        self._urls: dict[str, int] = {}

    def problem(self, code: ProblemCode, path: str, message: str) -> None:
        self.problems.append(Problem(code, f"{path}: {message}", path=path))

    def read(self, value: object) -> None:
        if value is None:
            return
        if isinstance(value, (Mapping, Pairs)):
            for key, entry in value.items():
                path = f"{self.path}[{key}]"
                if (keyed := _number(key)) is None:
                    self.problem(
                        ProblemCode.INVALID_SOURCE,
                        path,
                        f"expected a number from 1 to {MAX_NUMBER} before the colon, found {shown(key)}",
                    )
                else:
                    self.entry(path, entry, keyed, given=True)
        elif isinstance(value, (list, tuple)):
            number = 0
            for place, entry in enumerate(value):
                number = self.entry(f"{self.path}[{place}]", entry, number + 1, given=False)
        else:
            self.problem(
                ProblemCode.INVALID_SOURCES,
                self.path,
                f"expected a list or a mapping of sources, found {shown(value)}",
            )

    def entry(self, path: str, entry: object, number: int, *, given: bool) -> int:
        """Read one entry; its number, which it has even when nothing else of it can be used."""
        extra: dict[str, Any] = {}
        if isinstance(entry, str):
            texts = {"url": entry.strip()}
        elif isinstance(entry, Mapping):
            texts = {}
            for name, item in entry.items():
                key = _ALIASES.get(name, name)
                if key == "number" and not given:
                    if (own := _number(item)) is None:
                        self.problem(
                            ProblemCode.INVALID_SOURCE,
                            f"{path}.{name}",
                            f"expected a whole number from 1 to {MAX_NUMBER}, found {shown(item)}",
                        )
                        return number
                    number = own
                elif key in _TEXT_FIELDS:
                    texts[key] = item.strip() if isinstance(item, str) else self.text(path, name, item)
                elif key == "quote":
                    texts[key] = item if isinstance(item, str) else self.text(path, name, item)
                elif key != "number":
                    extra[str(name)] = item
                elif _number(item) != number:
                    self.problem(
                        ProblemCode.INVALID_SOURCE,
                        f"{path}.{name}",
                        f"expected {number}, as before the colon, found {shown(item)}",
                    )
        else:
            expected = "expected an address or a mapping"
            self.problem(ProblemCode.INVALID_SOURCE, path, f"{expected}, found {shown(entry)}")
            return number
        if not any(texts.values()):
            self.problem(ProblemCode.INVALID_SOURCE, path, "expected at least a title or a url")
        elif number > MAX_NUMBER:
            self.problem(ProblemCode.INVALID_SOURCE, path, f"numbers end at {MAX_NUMBER}")
        elif number in self._numbers:
            self.problem(ProblemCode.DUPLICATE_NUMBER, path, f"number {number} is taken already")
        else:
            self.add(path, Source(number, **self.checked(path, texts), extra=extra))
        return number

    def text(self, path: str, name: str, item: object) -> str:
        """A field's value as text: CSL's structured names and dates are written out."""
        if item is None:
            return ""
        text = _name_or_date(item)
        if text is None:
            expected = "expected text"
            self.problem(
                ProblemCode.INVALID_SOURCE, f"{path}.{name}", f"{expected}, found {shown(item)}"
            )
        return text or ""

    def checked(self, path: str, texts: dict[str, str]) -> dict[str, str]:
        if (doi := texts.get("doi")) is not None:
            if match := _DOI.fullmatch(doi):
                texts["doi"] = match[1]
            elif doi:
                texts["doi"] = ""
                self.problem(
                    ProblemCode.INVALID_SOURCE, f"{path}.DOI", f"expected 10.…/…, found {shown(doi)}"
                )
        if archived := texts.get("archived"):
            texts["archived"] = urls.linkable(archived) or ""
            if not texts["archived"]:
                self.unsafe(f"{path}.archived", archived)
        return texts

    def unsafe(self, path: str, url: str) -> None:
        self.problem(
            ProblemCode.UNSAFE_URL,
            path,
            "expected an http or https address without credentials, "
            f"found {shown(urls.redacted(url))}; it is not linked",
        )

    def add(self, path: str, source: Source) -> None:
        self._numbers.add(source.number)
        self.sources.append(source)
        if source.href is None:
            self.unsafe(f"{path}.url" if source.url else f"{path}.DOI", source.url or source.doi)
        elif source.href:
            first = self._urls.setdefault(source.href, source.number)
            if first != source.number:
                self.problem(
                    ProblemCode.DUPLICATE_URL, path, f"same address as source {first}: {source.href}"
                )


class Pairs(list[tuple[object, object]]):
    """A mapping as written, repeated keys included (a ``dict`` would lose them)."""

    def items(self) -> Pairs:
        """The pairs, as a mapping gives them."""
        return self


def _number(value: object) -> int | None:
    if isinstance(value, str):
        return int(value) if _NUMBER.fullmatch(value) else None
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MAX_NUMBER:
        return value
    return None


def _text(item: object) -> str | None:
    """One scalar, or one CSL name or date, as text; None when it is neither."""
    if isinstance(item, Mapping):
        for key in ("literal", "raw", "name"):
            if isinstance(item.get(key), str):
                return str(item[key])
        dates = item.get("date-parts")
        if isinstance(dates, (list, tuple)) and all(isinstance(date, (list, tuple)) for date in dates):
            return "/".join("-".join(f"{part!s:0>2}" for part in date) for date in dates)
        parts = [item[key] for key in ("given", "family") if isinstance(item.get(key), str)]
        return " ".join(parts) or None
    return str(item) if isinstance(item, (str, int, float)) or hasattr(item, "isoformat") else None


def _name_or_date(item: object) -> str | None:
    """CSL's names (``family``, ``given``, ``literal``) and dates (``date-parts``, ``raw``) as text.

    Source of the shapes: the CSL-JSON schema, ``name-variable`` and ``date-variable``.
    """
    items = item if isinstance(item, (list, tuple)) else [item]
    texts = [_text(one) for one in items]
    return ", ".join(" ".join(text.split()) for text in texts if text) if all(texts) else None
