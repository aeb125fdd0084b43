"""Postprocessor, after raw HTML has been put back: tokens become what the tree processor has settled.

What it has never seen (text that another extension keeps to itself) becomes the characters as written.
"""

from __future__ import annotations

from markdown import Markdown
from markdown.postprocessors import Postprocessor

from mkdocs_citations.document import Document


class CitationPostprocessor(Postprocessor):
    """Writes the tokens out. Other extensions run it over pieces of a page, so it changes only text."""

    document: Document

    def __init__(self, md: Markdown) -> None:
        """The document is set anew for each conversion."""
        super().__init__(md)

    def run(self, text: str) -> str:
        """*text* without tokens."""
        document = self.document
        if document.opening not in text:
            return text
        written, runs = document.written, document.runs
        return document.replaced(
            text, lambda index: written[index] if index in written else runs[index].raw
        )
