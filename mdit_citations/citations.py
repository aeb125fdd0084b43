"""What one document cites: the numbers, where they occur, and what is wrong.

Every host makes one `Citations` for each document, asks it which markers are citations, and tells it of each
superscript in reading order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Literal

from mdit_citations import urls
from mdit_citations.definitions import folded, is_copy
from mdit_citations.markers import Marker
from mdit_citations.problems import Problem, ProblemCode, shown
from mdit_citations.sources import Source, Sources

_YEAR = re.compile(r"(?:1[0-9]|20|21)[0-9]{2}")
_MAX_KNOWN = 60
_NOT_IN_IDS = re.compile(r"[^A-Za-z0-9-]")


class Citations:
    """The result of reading a document; found under ``env["citations"]`` after a parse."""

    def __init__(
        self,
        sources: Sources | None = None,
        *,
        problems: Iterable[Problem] = (),
        id_prefix: str = "",
        language: str = "",
    ) -> None:
        """A document with these *sources* in which nothing has been cited yet."""
        self.sources = Sources() if sources is None else sources
        """All sources the document may cite."""
        self.cited: list[int] = []
        """The numbers cited, in order of first citation."""
        self.problems: list[Problem] = list(problems)
        """What is wrong, in order of line and column."""
        self._known = ""
        self._folded_titles: dict[int, str] = {}
        self.single_lines: set[int] = set()
        """Identities of texts in which nothing begins a line of its own: headings, cells."""
        self._reported: set[tuple[ProblemCode, int | None, int | None]] = set()
        self.occurrences: dict[int, list[int]] = {}
        """For each cited number, the superscripts that name it; the n-th of the document is n."""
        self.unlinked: set[int] = set()
        """Sources that markers name and that must not be linked, so that the markers stay text."""
        self.superscripts = 0
        """How many superscripts the document has."""
        self.language = language
        """The language the document names, if any."""
        self.continues = False
        """Whether later parses with the same ``env`` belong to this document (a host sets it)."""
        self.pending: list[tuple[str, Marker, str]] = []
        """Problems whose place is still to be found: a text, a marker in it, its kind."""
        self._prefix = ""
        if id_prefix:
            # Escaped rather than dropped, so that two documents never share an id.
            self._prefix = _NOT_IN_IDS.sub(lambda char: f"_{ord(char[0]):x}_", id_prefix) + "_"
        self.citable = {n: source for n, source in self.sources.items() if source.href is not None}
        """The sources that a marker may name."""

    def cites(self, marker: Marker) -> bool:
        """Whether every number of the marker is a source that it may name.

        Otherwise, sources that the reader will see named but must not be linked are noted for the list.
        """
        if all(map(self.citable.__contains__, marker.numbers)):
            return True
        self.unlinked.update(
            n for n in marker.numbers if n in self.sources and n not in self.citable
        )
        return False

    def is_unknown(self, marker: Marker) -> bool:
        """Whether the marker is to be reported: it names no source, and is not shaped like a year."""
        return any(number not in self.sources for number in marker.numbers) and not (
            _YEAR.fullmatch(marker.label)
        )

    def is_page_of(self, numbers: Sequence[int], address: str) -> bool:
        """Whether *numbers* are one source, and *address* is its page, canonically."""
        source = self.citable.get(numbers[0]) if len(numbers) == 1 else None
        return bool(source and source.href and urls.same_page(source.href, address))

    def is_copy(self, number: int, text: str) -> bool:
        """Whether *text*, behind ``[^n]:``, only repeats the entry of source *number*."""
        title = self._folded_titles.get(number)
        if title is None:
            title = self._folded_titles[number] = folded(self.sources[number].title)
        return is_copy(text, self.sources[number], title)

    def cite(self, numbers: Sequence[int]) -> str:
        """Count the next superscript of the document, naming *numbers*; returns its id."""
        self.superscripts += 1
        for number in numbers:
            places = self.occurrences.get(number)
            if places is None:
                self.cited.append(number)
                self.occurrences[number] = [self.superscripts]
            elif places[-1] != self.superscripts:
                places.append(self.superscripts)
        return self.make_id("citation", self.superscripts)

    def make_id(
        self, kind: Literal["citation", "source", "sources"], number: int | str = ""
    ) -> str:
        """The id of a ``citation``, of a ``source`` entry, or of the title of the ``sources``.

        Ids match ``[A-Za-z][A-Za-z0-9_-]*``. They have an underscore, so that no heading's slug meets
        them, and superscripts begin with ``fnref``, which Python-Markdown's ``toc`` leaves out of headings.
        """
        if kind == "citation":
            return f"fnref_{self._prefix}cite_{number}"
        return f"cite_{self._prefix}{kind}_{number}" if number else f"cite_{self._prefix}{kind}"

    def report(
        self,
        code: ProblemCode,
        message: str,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        """Add a problem, once for each place."""
        place = (code, line, column)
        if line is None or place not in self._reported:
            self._reported.add(place)
            self.problems.append(Problem(code, message, line, column))

    def report_unknown(
        self, marker: str, numbers: Sequence[int], line: int | None, column: int | None
    ) -> None:
        """Add ``unknown-source`` for a marker, as written, that stays text."""
        missing = [str(number) for number in numbers if number not in self.sources]
        subject = marker if len(numbers) == 1 else f"{', '.join(missing)} in {marker}"
        if not self._known:
            known = ranges(self.sources)
            self._known = known if len(known) <= _MAX_KNOWN else f"{known[:_MAX_KNOWN]}…"
        message = f"{' '.join(subject.split())} names no source (sources: {self._known})"
        self.report(ProblemCode.UNKNOWN_SOURCE, message, line, column)

    def report_definition(self, number: int, line: int | None, column: int | None) -> None:
        """Add ``definition-differs`` for a line ``[^n]: …`` that is no copy of source n."""
        source = self.sources[number]
        entry = f"source {number}, {shown(source.title or source.label)}"
        message = f"[^{number}]: says something else than {entry}, so it stays as it is"
        self.report(ProblemCode.DEFINITION_DIFFERS, message, line, column)

    def report_shadowed(self, marker: str, line: int | None, column: int | None) -> None:
        """Add ``shadowed-by-reference`` for a marker, as written, that is an ordinary link."""
        shown = " ".join(marker.split())
        message = f"{shown} is not a citation: a definition of that label names another page"
        self.report(ProblemCode.SHADOWED_BY_REFERENCE, message, line, column)

    def take_problems(self) -> list[Problem]:
        """Hand over the problems so far: for a host that parses a document in pieces, each with its lines."""
        self.sort_problems()
        problems, self.problems = self.problems, []
        self._reported.clear()
        return problems

    def sort_problems(self) -> None:
        """Bring the problems into the order of the text."""
        self.problems.sort(key=lambda problem: (problem.line or 0, problem.column or 0))

    @property
    def hints(self) -> list[Problem]:
        """What is worth a look without being wrong.

        Sources of the page's own that nothing cites although others are cited, and sources that are the
        same page by canonical address though not by the letter.
        """
        hints = []
        pages: dict[str, Source] = {}
        for number, source in self.sources.items():
            if number not in self.sources.own:
                continue
            if self.cited and number not in self.occurrences and number not in self.unlinked:
                message = f"source {number} is cited nowhere: {source.label}"
                hints.append(Problem(ProblemCode.UNCITED_SOURCE, message))
            if source.href:
                first = pages.setdefault(urls.canonical(source.href), source)
                if first.href != source.href:
                    message = f"source {number} is the same page as source {first.number}"
                    hints.append(Problem(ProblemCode.DUPLICATE_URL, message))
        return hints

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, fit for ``json.dumps``."""
        return {
            "sources": self.sources.to_json(),
            "cited": list(self.cited),
            "occurrences": {str(n): list(places) for n, places in self.occurrences.items()},
            "problems": [problem.to_dict() for problem in self.problems],
        }


def ranges(numbers: Iterable[int]) -> str:
    """Rising numbers as a reader writes them: ``1-3, 12``."""
    runs = groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])
    texts = []
    for _, run in runs:
        members = [number for _, number in run]
        texts.append(str(members[0]) if len(members) == 1 else f"{members[0]}-{members[-1]}")
    return ", ".join(texts)
