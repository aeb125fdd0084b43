"""Tree processors: the one after everything that changes text and before ``toc``, and one that comes last.

The first settles all tokens and adds the list. A heading that is nothing but markers stays text until all
others have read it, since it would have no name; so the second gives it its superscripts.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor

from mdit_citations.listing import PLACEHOLDER, build_listing
from mkdocs_citations import zensical
from mkdocs_citations.document import Document
from mkdocs_citations.elements import list_element
from mkdocs_citations.walk import Walk

_PARAGRAPHS = frozenset({"p", "li", "dd"})


class CitationTreeprocessor(Treeprocessor):
    """Settles every token, and adds the list."""

    document: Document

    def __init__(self, md: Markdown) -> None:
        """The document is set anew for each conversion."""
        super().__init__(md)

    def run(self, root: Element) -> None:
        """Walk the page."""
        document = self.document
        Walk(self.md, document).run(root)
        citations, options = document.citations, document.options
        for text, marker in document.shadowed:
            written = text[marker.start : marker.end]
            citations.report_shadowed(
                written, *document.places.find(text, marker.start, marker.end)
            )
        citations.sort_problems()
        zensical.log_problems(self.md, citations)
        listing = build_listing(citations, options, document.language)
        if listing is None:
            return
        element = list_element(listing, document)
        place = next(filter(self._is_place, root.iter()), None)
        if place is None:
            root.append(element)
        elif place.tag == "p":
            parent = next(parent for parent in root.iter() if place in parent)
            parent[list(parent).index(place)] = element
        else:
            place.text = "\n"
            place.insert(0, element)

    def _is_place(self, element: Element) -> bool:
        """Whether the author wants the list there: a paragraph, or an item that begins with one."""
        text = element.text
        return (
            text is not None
            and element.tag in _PARAGRAPHS
            and text.strip() == PLACEHOLDER
            and (not len(element) or self.md.is_block_level(element[0].tag))
        )


class HeadingTreeprocessor(Treeprocessor):
    """Last of all: gives headings that are nothing but markers their superscripts."""

    document: Document

    def run(self, root: Element) -> None:  # noqa: ARG002
        """Settle what the walk has put off."""
        self.document.written.update(self.document.deferred)
