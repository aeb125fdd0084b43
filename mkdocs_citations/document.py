"""What one conversion remembers, from the sources at its start to the list at its end."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from markdown.util import ETX, STX

from mdit_citations.citations import Citations
from mdit_citations.listing import Linker
from mdit_citations.markers import Grammar, Marker, grammar
from mdit_citations.options import Options
from mkdocs_citations.places import Places
from mkdocs_citations.registry import PageSources


class Run(NamedTuple):
    """Neighbouring markers that are citations, and so share a superscript."""

    raw: str
    """The characters they were written with, brackets included."""
    numbers: tuple[int, ...]


class Document:
    """The state of one conversion of one text that has sources.

    While the host goes on, a run of markers is a *token* in the text: a number between ``STX`` and ``ETX``,
    which no author can write (the host strips both characters) and no other extension looks for.
    """

    def __init__(
        self, citations: Citations, options: Options, text: str, page: PageSources
    ) -> None:
        """*text* is what is converted, front matter and all."""
        self.citations = citations
        self.options = options
        self.grammar: Grammar = grammar(ranges=options.ranges, lenticular=options.lenticular)
        self.language = page.language
        self.before = page.before
        self.mark = page.mark
        self.places = Places(page.text or (lambda: text))
        self.runs: list[Run] = []
        self.written: dict[int, str] = {}
        """The HTML of the tokens that are superscripts; the others are text."""
        self.deferred: dict[int, str] = {}
        """The HTML of those that are text until all other extensions have read them."""
        self.shadowed: list[tuple[str, Marker]] = []
        """Markers that a definition made ordinary links, with the text they stand in."""
        # Short, since the host reads what it has not understood again and again.
        name = "zq"
        while name in text:
            name += "x"
        self.opening = f"{STX}{name}"
        """How a token begins. The text does not hold the name, so that nothing can be made to split one."""
        self.tokens = re.compile(rf"{self.opening}(\d+){ETX}")
        self.links = Linker(citations, options)

    def token(self, run: Run) -> str:
        """A new token for *run*."""
        self.runs.append(run)
        return f"{self.opening}{len(self.runs) - 1}{ETX}"

    def replaced(self, text: str, write: Callable[[int], str]) -> str:
        """*text* with what *write* makes of each token's number, brackets shown around it included."""
        pieces: list[str] = []
        position = 0
        for found in self.tokens.finditer(text):
            start, end = dressed(text, found.start(), found.end())
            pieces += text[position:start], write(int(found[1]))
            position = end
        return "".join([*pieces, text[position:]]) if pieces else text

    def written_token(self, html: str) -> str:
        """A new token that stands for *html*."""
        self.written[len(self.runs)] = html
        return self.token(Run("", ()))


def dressed(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the token at *start* to *end* begins and ends with the brackets that were shown around it."""
    if text.startswith("]", end):
        before = text[max(0, start - 3) : start]
        if before in {"[1 ", "[. "}:
            return start - 3, end + 1
        if before.endswith(("[1", "[.")):
            return start - 2, end + 1
    return start, end
