"""Every document of ``fixtures/conformance``, through every host, in one run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from mdit_citations.front_matter import parse_front_matter
from tests.hosts import Host, hosts

FIXTURES = Path(__file__).parent / "fixtures" / "conformance"
HOSTS = hosts()


def load(name: str) -> list[dict[str, Any]]:
    data = yaml.safe_load((FIXTURES / f"{name}.yaml").read_text("utf-8"))
    return [{**data.get("defaults", {}), **case} for case in data["cases"]]


def document(case: dict[str, Any]) -> str:
    if "front_matter" in case:
        return f"---\n{case['front_matter']}\n---\n\n{case.get('markdown', '')}\n"
    sources = [
        {"number": number, "title": f"Source {number}", "url": url}
        for number, url in case["sources"].items()
    ]
    if not sources:
        return str(case["markdown"])
    block = yaml.safe_dump({"sources": sources}, allow_unicode=True)
    return f"---\n{block}---\n\n{case['markdown']}\n"


def folded(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))


def params(name: str) -> list[Any]:
    return [
        pytest.param(host, case, id=f"{host.name}: {case['id']}")
        for case in load(name)
        for host in HOSTS
        if host.kind in case.get("hosts", [host.kind])
    ]


@pytest.mark.parametrize(("host", "case"), params("markers") + params("definitions"))
def test_text(host: Host, case: dict[str, Any]) -> None:
    """Markers, and the lines that look like definitions of them."""
    result = host.render(document(case), frozenset(case.get("with", ())))
    check_text(host, case, result)


def check_text(host: Host, case: dict[str, Any], result: Any) -> None:
    reading = result.reading
    if "reads" in case:
        assert reading.text == folded(case["reads"])
    for part in case.get("reads_contains", ()):
        assert part in reading.text
    if "cited" in case:
        assert sorted(reading.cited) == sorted(case["cited"])
    if "problems" in case:
        assert result.problems == sorted(case["problems"])
    assert len(set(reading.ids)) == len(reading.ids)
    addresses = case.get("sources", {})
    for number, hrefs in reading.hrefs.items():
        if number in addresses:
            assert hrefs == {addresses[number]}


@pytest.mark.parametrize(("host", "case"), params("sources"))
def test_sources(host: Host, case: dict[str, Any]) -> None:
    """The sources block, and the list under the text."""
    result = host.render(document(case))
    check_text(host, case, result)
    entries = result.reading.entries
    if "list" in case:
        assert result.reading.titles == case["list"]
    for part in case.get("list_contains", ()):
        assert any(part in entry for entry in entries)
    for part in case.get("list_excludes", ()):
        assert part not in result.html
    if "links" in case:
        assert len(result.reading.hrefs) + len(result.reading.entry_hrefs) == case["links"]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in load("sources")])
def test_numbers(case: dict[str, Any]) -> None:
    """The numbers that a block yields, and their addresses."""
    if "numbers" in case:
        sources = parse_front_matter(case["front_matter"]).sources
        assert {n: source.href for n, source in sources.items()} == case["numbers"]
