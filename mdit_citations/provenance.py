"""What a page cites, for machines: schema.org's ``citation`` as JSON-LD.

Only what an entry says is said again. A work of unknown kind is a ``CreativeWork``, a date that is not
ISO 8601's is left out, and names stay one text, since nothing tells a person from an organisation.
"""

from __future__ import annotations

import json
import re
from typing import Any

from mdit_citations.citations import Citations
from mdit_citations.listing import clean
from mdit_citations.sources import Source

# CSL's names of kinds, and schema.org's (https://schema.org/CreativeWork, "more specific types").
_KINDS = {
    "article": "Article",
    "article-journal": "ScholarlyArticle",
    "article-magazine": "Article",
    "article-newspaper": "NewsArticle",
    "book": "Book",
    "chapter": "Chapter",
    "dataset": "Dataset",
    "map": "Map",
    "paper-conference": "ScholarlyArticle",
    "post-weblog": "BlogPosting",
    "report": "Report",
    "review": "Review",
    "software": "SoftwareSourceCode",
    "thesis": "Thesis",
    "webpage": "WebPage",
}
_DATE = re.compile(r"[0-9]{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)?", re.ASCII)

# A script element ends at the first `</script`, wherever that stands; U+2028 and U+2029 end a line of
# JavaScript.
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def provenance(citations: Citations, *, url: str = "", title: str = "") -> dict[str, Any]:
    """The page with the sources it cites, in number order, as JSON-LD of schema.org's vocabulary.

    *url* and *title* are the page's. A ``position`` is the source's number on the page. Sources that the page
    has but does not cite are left out.
    """
    members = {
        "@context": "https://schema.org",
        "@type": "WebPage",
        "url": url,
        "name": title,
        "inLanguage": citations.language,
        "citation": [_work(citations.sources[number]) for number in sorted(citations.cited)],
    }
    return _filled(members)


def provenance_script(data: dict[str, Any]) -> str:
    """*data* in the script element that JSON-LD travels in; no text in it can end the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)
    return f'<script type="application/ld+json">{text}</script>\n'


def _work(source: Source) -> dict[str, Any]:
    get = source.get
    doi, issued = get("DOI"), get("issued")
    container, quote = get("container-title"), get("quote")
    members = {
        "@type": _kind(source),
        "position": source.number,
        "name": " ".join(source.title.split()),
        "url": source.href or "",
        "identifier": doi and _thing("PropertyValue", propertyID="DOI", value=doi),
        "author": get("author"),
        "isPartOf": container and _thing("CreativeWork", name=container),
        "publisher": get("publisher"),
        "datePublished": issued if _DATE.fullmatch(issued) else "",
        "archivedAt": get("archived"),
        "hasPart": quote and _thing("Quotation", text=quote),
    }
    return _filled(members)


def _thing(kind: str, **members: str) -> dict[str, Any]:
    return _filled({"@type": kind, **members})


def _kind(source: Source) -> str:
    if kind := _KINDS.get(source.get("type")):
        return kind
    return "WebPage" if source.url and source.href and not source.get("DOI") else "CreativeWork"


def _filled(members: dict[str, Any]) -> dict[str, Any]:
    """*members* without the empty ones, their texts without characters that HTML may not hold."""
    return {
        name: clean(value) if isinstance(value, str) else value
        for name, value in members.items()
        if value
    }
