"""schema.org's ``citation``: what is said of a page, and how it travels."""

from __future__ import annotations

import importlib.util
import json
import os
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mdit_citations import citations_plugin
from mdit_citations.provenance import provenance, provenance_script

PAGE = """\
---
lang: en
sources:
  - title: First
    url: https://first.example/?a=1&b=2
    author: [{family: Doe, given: Jane}, {literal: The Team}]
    container-title: A Journal
    publisher: A House
    issued: {date-parts: [[2024, 5, 1]]}
    accessed: 2025-01-02
    archived: https://archive.example/1
    quote: It rains.
  - {title: A book, type: book, issued: spring of 1998}
  - {title: An article, DOI: 10.1145/359545.359563, type: article-journal, issued: 1978}
  - {title: Not cited, url: "https://no.example/"}
  - {DOI: 10.1007/BF01784024}
---

[1] [2, 3] [5]
"""
SCHEMA = "https://schema.org/"
# As schema.org's own context has it, for the terms that are used.
CONTEXT = {
    "@vocab": SCHEMA,
    "url": {"@type": "@id"},
    "archivedAt": {"@type": "@id"},
    "datePublished": {"@type": "Date"},
}


def cited(text, **env):
    env = {**env}
    MarkdownIt().use(citations_plugin).render(text, env)
    return env["citations"]


def data_of(script):
    match = re.fullmatch(r'<script type="application/ld\+json">([^<>&]*)</script>\n', script)
    assert match
    return json.loads(match[1])


def test_a_page():
    data = provenance(cited(PAGE), url="https://page.example/", title="Rain")
    assert data == {
        "@context": "https://schema.org",
        "@type": "WebPage",
        "url": "https://page.example/",
        "name": "Rain",
        "inLanguage": "en",
        "citation": [
            {
                "@type": "WebPage",
                "position": 1,
                "name": "First",
                "url": "https://first.example/?a=1&b=2",
                "author": "Jane Doe, The Team",
                "isPartOf": {"@type": "CreativeWork", "name": "A Journal"},
                "publisher": "A House",
                "datePublished": "2024-05-01",
                "archivedAt": "https://archive.example/1",
                "hasPart": {"@type": "Quotation", "text": "It rains."},
            },
            {"@type": "Book", "position": 2, "name": "A book"},
            {
                "@type": "ScholarlyArticle",
                "position": 3,
                "name": "An article",
                "url": "https://doi.org/10.1145/359545.359563",
                "identifier": {
                    "@type": "PropertyValue",
                    "propertyID": "DOI",
                    "value": "10.1145/359545.359563",
                },
                "datePublished": "1978",
            },
            {
                "@type": "CreativeWork",
                "position": 5,
                "url": "https://doi.org/10.1007/BF01784024",
                "identifier": {
                    "@type": "PropertyValue",
                    "propertyID": "DOI",
                    "value": "10.1007/BF01784024",
                },
            },
        ],
    }
    assert data_of(provenance_script(data)) == data


def test_a_page_without_citations():
    assert provenance(cited("Rain.")) == {"@context": "https://schema.org", "@type": "WebPage"}


def test_an_address_that_is_not_linked_is_not_told():
    page = "---\nsources:\n  - {title: A, url: 'javascript:alert(1)'}\n---\n\n[1]\n"
    assert "citation" not in provenance(cited(page))


@given(st.text(st.characters(), max_size=40))
def test_no_text_ends_the_element(text):
    for title in (text, f"</script>{text}", f"<!--<script>{text}"):
        env = {"sources": [{"title": title, "url": "https://a.example/", "quote": title}]}
        data = provenance(cited("[1]", **env), title=title)
        script = provenance_script(data)
        assert data_of(script) == data
        script.encode()


def test_a_parser_of_json_ld():
    if importlib.util.find_spec("pyld") is None:
        if os.environ.get("MDIT_CITATIONS_REQUIRE_ALL"):
            pytest.fail("PyLD is not installed")
        pytest.skip("PyLD is not installed")
    from pyld import jsonld  # noqa: PLC0415 - it may be missing

    def load(url, _options=None):
        assert url == "https://schema.org"
        return {
            "contextUrl": None,
            "documentUrl": url,
            "document": {"@context": CONTEXT},
            "contentType": "application/ld+json",
        }

    data = data_of(provenance_script(provenance(cited(PAGE), title="Rain")))
    (page,) = jsonld.expand(data, {"documentLoader": load})
    assert page["@type"] == [f"{SCHEMA}WebPage"]
    works = page[f"{SCHEMA}citation"]
    assert [work["@type"][0].removeprefix(SCHEMA) for work in works] == [
        "WebPage",
        "Book",
        "ScholarlyArticle",
        "CreativeWork",
    ]
    assert works[0][f"{SCHEMA}url"] == [{"@id": "https://first.example/?a=1&b=2"}]
    triples = jsonld.to_rdf(data, {"documentLoader": load, "format": "application/n-quads"})
    assert triples.count("schema.org/citation>") == 4
