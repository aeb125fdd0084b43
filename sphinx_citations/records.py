"""What the environment keeps of each page: plain data, from which its citations can be told again."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Any, TypedDict

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from mdit_citations import Citations, Sources

_ATTRIBUTE = "sphinx_citations"


class Record(TypedDict):
    """The citations of one page."""

    sources: list[dict[str, Any]]
    """The sources that it cites and its list shows, as in a ``sources`` block."""
    superscripts: list[tuple[int, ...]]
    """The numbers of each superscript, in reading order."""
    language: str
    """The language it names, if any."""


def records_of(env: BuildEnvironment) -> dict[str, Record]:
    """The records by document name; pages without citations and sources have none."""
    records: dict[str, Record] | None = getattr(env, _ATTRIBUTE, None)
    if records is None:
        records = {}
        setattr(env, _ATTRIBUTE, records)
    return records


def pages_citing(env: BuildEnvironment, address: str) -> list[str]:
    """The names of the documents that cite the source at *address*, sorted."""
    found = []
    for docname, record in records_of(env).items():
        numbers = {number for numbers in record["superscripts"] for number in numbers}
        sources = Sources.from_json(record["sources"])
        if any(sources[number].href == address for number in numbers if number in sources):
            found.append(docname)
    return sorted(found)


def record(
    citations: Citations, superscripts: Iterable[tuple[int, ...]], listed: Iterable[int]
) -> Record:
    """The record of a page that has been read whole; *listed* are the numbers in its list."""
    shown = {*citations.cited, *listed}
    sources = [source.to_dict() for number, source in citations.sources.items() if number in shown]
    return Record(sources=sources, superscripts=list(superscripts), language=citations.language)


def citations_of(entry: Record, id_prefix: str) -> Citations:
    """The citations that the record is of, with *id_prefix* in the ids."""
    sources = Sources.from_json(entry["sources"])
    citations = Citations(sources, id_prefix=id_prefix, language=entry["language"])
    citations.unlinked.update(sources.keys() - citations.citable.keys())
    for numbers in entry["superscripts"]:
        citations.cite(numbers)
    return citations


def purge(_app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget a page that is read again or gone (``env-purge-doc``)."""
    records_of(env).pop(docname, None)


def merge(
    _app: Sphinx, env: BuildEnvironment, docnames: AbstractSet[str], other: BuildEnvironment
) -> None:
    """Take over what another process has read (``env-merge-info``)."""
    theirs = records_of(other)
    records_of(env).update({name: theirs[name] for name in docnames if name in theirs})
