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

from mdit_citations import urls, written
from mdit_citations.csl import name_or_date
from mdit_citations.problems import Problem, ProblemCode, shown

MAX_NUMBER = 999_999
_NUMBER = re.compile(r"[1-9][0-9]{0,5}", re.ASCII)
_DOI = re.compile(
    r"(?:https?://(?:dx\.)?doi\.org/|doi:)?(10\.[0-9]{4,9}/\S+)", re.ASCII | re.IGNORECASE
)

_MAX_PATH = 200
_ALIASES = {"index": "number", "URL": "url"}
_TEXT_FIELDS = frozenset(
    [
        "title",
        "url",
        "author",
        "container-title",
        "publisher",
        "issued",
        "accessed",
        "DOI",
        "note",
        "archived",
        "quote",
    ]
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
    fields: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """The other keys of the entry. As text: ``author``, ``container-title`` (the site, journal or book it
    stands in), ``publisher``, ``issued``, ``accessed``, ``DOI`` (gives the address where there is no *url*),
    ``note``, ``archived`` (the address of a copy that may be linked), ``quote`` (the passage relied on).
    Keys we do not know are kept as they are."""
    href: str | None = field(init=False, compare=False)
    """Where a marker leads: an http(s) address; empty for a source without one (a book); None for a
    source whose address must not be linked, so that its markers stay text."""

    def __post_init__(self) -> None:
        address = self.url
        if not address and self.fields:
            doi = self.get("DOI")
            address = doi and f"https://doi.org/{doi}"
        object.__setattr__(self, "href", urls.linkable(address) if address else "")

    def get(self, key: str) -> str:
        """One of the other keys as text, empty where there is none."""
        value = self.fields.get(key, "")
        return value if isinstance(value, str) else ""

    @property
    def label(self) -> str:
        """The title on one line, or the address (secrets redacted) where there is none."""
        return " ".join(self.title.split()) or written.redacted(self.url or self.href or "")

    def to_dict(self) -> dict[str, Any]:
        """The entry as plain data, in the keys of a ``sources`` block; empty fields are left out."""
        own = (("number", self.number), ("title", self.title), ("url", self.url))
        return {**{key: value for key, value in own if value}, **self.fields}


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

    def with_shared(self, shared: Sources) -> Sources:
        """These as a page's own, and *shared* for the numbers that they leave."""
        if not self._by_number:
            return shared
        return Sources(self.values(), shared.values()) if shared else self

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
        self._keyed: set[int] = set()
        self._numbers: set[int] = set()
        self._urls: dict[str, int] = {}

    def problem(self, code: ProblemCode, place: object, name: str, message: str) -> None:
        path = " ".join(f"{self.path}[{place}]{f'.{name}' if name else ''}"[:_MAX_PATH].split())
        self.problems.append(Problem(code, f"{path}: {message}", path=path))

    def read(self, value: object) -> None:
        if value is None:
            return
        if isinstance(value, (Mapping, Pairs)):
            for key, entry in value.items():
                keyed = _number(key)
                if keyed is None:
                    expected = f"expected a number from 1 to {MAX_NUMBER} before the colon"
                    self.problem(
                        ProblemCode.INVALID_SOURCE, key, "", f"{expected}, found {shown(key)}"
                    )
                elif keyed in self._keyed:
                    message = f"number {keyed} is taken already"
                    self.problem(ProblemCode.DUPLICATE_NUMBER, key, "", message)
                else:
                    self._keyed.add(keyed)
                    self.entry(key, entry, keyed, given=True)
        elif isinstance(value, (list, tuple)):
            number = 0
            for place, entry in enumerate(value):
                number = self.entry(place, entry, number + 1, given=False)
        else:
            message = f"expected a list or a mapping of sources, found {shown(value)}"
            self.problems.append(
                Problem(ProblemCode.INVALID_SOURCES, f"{self.path}: {message}", path=self.path)
            )

    def entry(self, place: object, entry: object, number: int, *, given: bool) -> int:
        """Read one entry; its number, which it has even when nothing else of it can be used."""
        title = url = ""
        fields: dict[str, Any] = {}
        if isinstance(entry, str):
            url = entry.strip()
        elif isinstance(entry, Mapping):
            for name, item in entry.items():
                key = _ALIASES.get(name, name)
                if key != name and key in entry:
                    message = f"expected one of {key} and {name}, found both; {key} counts"
                    self.problem(ProblemCode.INVALID_SOURCE, place, name, message)
                elif key in _TEXT_FIELDS:
                    text = item.strip() if isinstance(item, str) else self.text(place, name, item)
                    if key == "title":
                        title = text
                    elif key == "url":
                        url = text
                    elif text:
                        fields[key] = text
                elif key != "number":
                    fields[str(name)] = item
                elif (own := _number(item)) is None or (given and own != number):
                    expected = number if given else f"a whole number from 1 to {MAX_NUMBER}"
                    message = f"expected {expected}, found {shown(item)}"
                    self.problem(ProblemCode.INVALID_SOURCE, place, name, message)
                    if not given:
                        return number
                else:
                    number = own
        else:
            message = f"expected an address or a mapping, found {shown(entry)}"
            self.problem(ProblemCode.INVALID_SOURCE, place, "", message)
            return number
        if fields:
            self.check(place, fields)
        if not (title or url or not _TEXT_FIELDS.isdisjoint(fields)):
            message = f"expected at least a title or a url, found {_names(entry)}"
            self.problem(ProblemCode.INVALID_SOURCE, place, "", message)
        elif number > MAX_NUMBER:
            self.problem(ProblemCode.INVALID_SOURCE, place, "", f"numbers end at {MAX_NUMBER}")
        elif number in self._numbers:
            message = f"number {number} is taken already"
            self.problem(ProblemCode.DUPLICATE_NUMBER, place, "", message)
        else:
            self.add(place, Source(number, title, url, fields))
        return number

    def text(self, place: object, name: str, item: object) -> str:
        """A field's value as text: CSL's structured names and dates are written out."""
        if item is None:
            return ""
        text = name_or_date(item)
        if text is None:
            message = f"expected text, found {shown(item)}"
            self.problem(ProblemCode.INVALID_SOURCE, place, name, message)
        return text or ""

    def check(self, place: object, fields: dict[str, Any]) -> None:
        """Take out of *fields* what must not be used."""
        if doi := fields.get("DOI"):
            if match := _DOI.fullmatch(doi):
                fields["DOI"] = match[1]
            else:
                del fields["DOI"]
                message = f"expected 10.…/…, found {shown(doi)}"
                self.problem(ProblemCode.INVALID_SOURCE, place, "DOI", message)
        if archived := fields.get("archived"):
            if href := urls.linkable(archived):
                fields["archived"] = href
            else:
                del fields["archived"]
                self.unsafe(place, "archived", archived)

    def unsafe(self, place: object, name: str, url: str) -> None:
        expected = "expected an http or https address without credentials"
        message = f"{expected}, found {shown(written.redacted(url))}; it is not linked"
        self.problem(ProblemCode.UNSAFE_URL, place, name, message)

    def add(self, place: object, source: Source) -> None:
        self._numbers.add(source.number)
        self.sources.append(source)
        if source.href:
            first = self._urls.setdefault(source.href, source.number)
            if first != source.number:
                message = f"same address as source {first}: {source.href}"
                self.problem(ProblemCode.DUPLICATE_URL, place, "", message)
        elif source.href is None:
            self.unsafe(place, "url" if source.url else "DOI", source.url or source.get("DOI"))


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


def _names(entry: object) -> str:
    """The keys of an entry that has neither title nor address, as a message shows them."""
    names = entry if isinstance(entry, Mapping) else ()
    wrong = [str(name) for name in names if _ALIASES.get(name, name) not in {"title", "url"}]
    return shown(", ".join(wrong))[1:-1] or "nothing"
