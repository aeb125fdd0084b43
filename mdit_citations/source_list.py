"""A list that hands out numbers, for programs that gather sources while they work."""

from __future__ import annotations

from collections.abc import Iterable

from mdit_citations import written
from mdit_citations.sources import Source, Sources


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
        source = Source(number, title.strip() or written.redacted(address), address)
        self._sources[number] = source
        self._numbers[address] = number
        return number, source

    def sources(self) -> Sources:
        """What has been gathered so far."""
        return Sources(self._sources.values())
