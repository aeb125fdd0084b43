"""What the core writes as HTML, as elements: for texts that other extensions read, and for the list.

The list's heading is in the table of contents, and the host's check of anchors sees its entries.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET

from markdown.util import AMP_SUBSTITUTE

from mdit_citations.listing import Listing, listing_html
from mkdocs_citations import raised
from mkdocs_citations.document import Document

_AMPERSAND = f"{AMP_SUBSTITUTE}amp;"
"""Python-Markdown takes ``&lt;`` in an element's text for an entity, so ampersands are written out for it."""


def element_of(xml: str) -> ET.Element:
    """The element that *xml* is, with text that the host's serializer writes as the same characters."""
    root = ET.fromstring(xml)  # noqa: S314 (our own output, without entities of its own)
    if "&amp;" in xml:
        for element in root.iter():
            element.text = element.text and element.text.replace("&", _AMPERSAND)
            element.tail = element.tail and element.tail.replace("&", _AMPERSAND)
            for name, value in element.attrib.items():
                element.set(name, value.replace("&", _AMPERSAND))
    return root


def list_element(listing: Listing, document: Document) -> ET.Element:
    """The list: elements for what others look for, the heading and the ids, and tokens for the rest."""
    if document.options.superscript == "unicode":
        root = element_of(raised.listing_html(listing))
    else:
        root = element_of(listing_html(listing._replace(entries=()), xml=True))
        items = next(root.iter("ul"))
        contents = _contents(listing_html(listing), listing)
        for entry, content in zip(listing.entries, contents, strict=True):
            item = ET.SubElement(items, "li", {"id": entry.id})
            item.text, item.tail = document.written_token(content), "\n"
    root.tail = "\n"
    return root


def _contents(html: str, listing: Listing) -> list[str]:
    """What stands in each item of the list, whose text is escaped, so that no tag can stand in it."""
    contents = []
    end = html.find("<ul>")
    for entry in listing.entries:
        opening = f'<li id="{entry.id}">'
        start = html.index(opening, end) + len(opening)
        end = html.index("</li>", start)
        contents.append(html[start:end])
    return contents
