"""What the core writes as HTML, as elements: for texts that other extensions read, and for the list.

The list's heading is in the table of contents.
"""

from __future__ import annotations

from copy import deepcopy
from functools import lru_cache
from xml.etree import ElementTree as ET

from markdown.util import AMP_SUBSTITUTE

from mdit_citations.listing import Listing, entries_html, listing_frame
from mkdocs_citations import raised
from mkdocs_citations.document import Document
from mkdocs_citations.registry import LIST_MARK

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


@lru_cache(maxsize=32)
def _frame(xml: str) -> ET.Element:
    """The list without its entries, which is the same on most pages; a parser of XML takes long to set up."""
    return element_of(xml)


def list_element(listing: Listing, document: Document) -> ET.Element:
    """The list: elements for what others look for, its heading, and a token for the rest."""
    if document.options.superscript == "unicode":
        root = element_of(raised.listing_html(listing))
    else:
        root = deepcopy(_frame("".join(listing_frame(listing, xml=True))))
        items = next(root.iter("ul"))
        items.text = f"\n{document.written_token(entries_html(listing))}"
    if document.mark:
        root.set(LIST_MARK, document.mark)
    root.tail = "\n"
    return root
