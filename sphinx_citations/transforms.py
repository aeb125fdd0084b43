"""Counting the citations of a page when it has been read, and making superscripts and list for a builder.

Counting needs the whole page in reading order, after translation and after footnotes have found their
place. What a superscript and the list look like depends on the builder, so they are made when a page is
written, from marks that every builder shares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import groupby
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from mdit_citations.listing import PLACEHOLDER, listed
from mdit_citations.markers import Marker, grammar
from sphinx_citations.composing import HIDE_IN_CONTENTS, Composer, is_heading
from sphinx_citations.nodes import citation_mark, made_later, sources_place
from sphinx_citations.page import Page, block_of, current_page, log_hints
from sphinx_citations.records import record, records_of
from sphinx_citations.settings import settings_of

_NO_PROSE = (
    nodes.reference,
    nodes.literal,
    nodes.literal_block,
    nodes.math,
    nodes.math_block,
    nodes.raw,
    addnodes.pending_xref,
    addnodes.download_reference,
)
_OUTPUT = "cell_output"
"""The class that MyST-NB gives to what a notebook's code has written."""


class SourcesDirective(SphinxDirective):
    """``{sources}``: the list of sources stands here, as at a paragraph ``[SOURCES]``."""

    def run(self) -> list[nodes.Node]:
        """A place for the list; nothing on a page that has no sources."""
        page = current_page(self.env)
        if page is None or not page.citations.sources:
            return []
        place = sources_place(docname=page.docname)
        self.set_source_info(place)
        page.places.append((place, None))
        return [place]


class KeepMarkersInMessages(SphinxTransform):
    """Give texts that have no source, such as a field's name, one with markers in it.

    Sphinx would ask them for their text to have it translated, and a mark has none.
    """

    # Before Sphinx does (`ApplySourceWorkaround`, 10).
    default_priority = 5

    def apply(self, **_kwargs: Any) -> None:
        """Set the ``rawsource`` of what the marks stand in."""
        page = current_page(self.env)
        for mark in page.without_source if page is not None else ():
            block = block_of(mark)
            if block is not None and not block.rawsource:
                block.rawsource = "".join(block.findall(nodes.Text))


class FindPlaces(SphinxTransform):
    """Take paragraphs ``[SOURCES]`` out of the text before anything is translated."""

    default_priority = 15

    def apply(self, **_kwargs: Any) -> None:
        """Put a `sources_place` for each."""
        page = current_page(self.env)
        if page is None or not page.citations.sources or not page.asks_for_place:
            return
        for paragraph in list(self.document.findall(nodes.paragraph)):
            if paragraph.rawsource == PLACEHOLDER and paragraph.astext() == PLACEHOLDER:
                place = sources_place(docname=page.docname)
                place.line, place.source = paragraph.line, paragraph.source
                paragraph.replace_self(place)
                page.places.append((place, paragraph))


class TakeTitleSpaces(SphinxTransform):
    """Keep the space before a citation in a translated title with it, as when reading a heading."""

    default_priority = 22

    def apply(self, **_kwargs: Any) -> None:
        """Move the spaces."""
        page = current_page(self.env)
        if page is None or not page.citations.sources or not page.translated:
            return
        for mark in self.document.findall(citation_mark):
            parent = mark.parent
            index = parent.index(mark)
            before = parent[index - 1] if isinstance(parent, nodes.title) and index else None
            if isinstance(before, nodes.Text) and (text := before.rstrip(" ")) != before:
                mark["space"] = before[len(text) :] + mark["space"]
                parent[index - 1] = nodes.Text(text)


class FindFootnotes(SphinxTransform):
    """Give markers ``[^1]`` back to a footnote that stood in a directive, and was found after them."""

    # Before docutils resolves footnotes (620).
    default_priority = 600

    def apply(self, **_kwargs: Any) -> None:
        """Put references to footnotes for the marks that are meant for one."""
        page = current_page(self.env)
        if page is None or not page.citations.sources or not self.document.footnotes:
            return
        references = {f"[^{name}]" for note in self.document.footnotes for name in note["names"]}
        options = settings_of(self.config).options
        find = grammar(ranges=options.ranges, lenticular=options.lenticular).find
        for mark in list(self.document.findall(citation_mark)):
            if any(reference in mark.rawsource for reference in references):
                space = [nodes.Text(mark["space"])] if mark["space"] else []
                parts = self._parts(mark, find(mark.rawsource), references)
                mark.replace_self([*space, *parts])

    def _parts(
        self, mark: citation_mark, markers: Iterable[Marker], references: set[str]
    ) -> Iterator[nodes.Element]:
        """The nodes for *mark*, which stands for *markers*: those among *references* are footnotes'."""
        text = mark.rawsource
        runs = groupby(markers, lambda marker: text[marker.start : marker.end] in references)
        for is_note, run in runs:
            made: list[nodes.Element] = []
            if is_note:
                for marker in run:
                    name = marker.label[1:]
                    reference = nodes.footnote_reference(f"[^{name}]", name, refname=name)
                    self.document.note_footnote_ref(reference)
                    made.append(reference)
            else:
                cited = list(run)
                numbers = tuple(number for marker in cited for number in marker.numbers)
                part = text[cited[0].start : cited[-1].end]
                made.append(citation_mark(part, part, numbers=numbers, space=""))
            for node in made:
                node.line, node.source = mark.line, mark.source
            yield from made


class CountCitations(SphinxTransform):
    """Count the citations in reading order, and find the place of the list."""

    # Behind Sphinx's `doctree-read` (880), where collectors take titles: up to there a mark has no text.
    default_priority = 885

    def apply(self, **_kwargs: Any) -> None:
        """Settle all marks and places, and note the page in the environment."""
        page = current_page(self.env)
        if page is None or not page.citations.sources:
            return
        superscripts = []
        in_titles = False
        for mark in list(self.document.findall(citation_mark)):
            around = _kind_of_place(mark)
            if around is _Around.CONTENTS:
                mark.parent.remove(mark)
            elif around is _Around.NO_PROSE:
                mark.replace_self(nodes.Text(mark["space"] + mark.rawsource))
            else:
                page.citations.cite(mark["numbers"])
                superscripts.append(tuple(mark["numbers"]))
                mark["place"] = page.citations.superscripts
                mark["docname"] = page.docname
                # Quotes have been looked at; Sphinx keeps the trees of all pages until they are written.
                mark.clear()
                mark.rawsource = ""
                in_titles = in_titles or around is _Around.TITLE
        if in_titles:
            _clean_titles(self.env, page.docname)
        settings = settings_of(self.config)
        if settings.verbose:
            log_hints(page)
        numbers = listed(page.citations, settings.options)
        _settle_places(self.document, page, has_list=bool(numbers))
        if superscripts or numbers:
            records_of(self.env)[page.docname] = record(page.citations, superscripts, numbers)


class MakeCitations(SphinxPostTransform):
    """Make superscripts and lists for the builder."""

    # Before references are resolved, and before link checkers and address printers look for them.
    default_priority = 4

    def run(self, **_kwargs: Any) -> None:
        """Put superscripts for the marks and lists for the places."""
        records = records_of(self.env)
        settings = settings_of(self.config)
        if not records or not (settings.joins or self.env.docname in records):
            return
        composers: dict[str, Composer] = {}

        def composer(docname: str) -> Composer:
            if docname not in composers:
                composers[docname] = Composer(settings, docname, records[docname])
            return composers[docname]

        if settings.latex:
            self._hide_in_table_of_contents()
        for node in list(self.document.findall(made_later)):
            if isinstance(node, citation_mark):
                # A mark has none of the attributes that `replace_self` would hand on.
                node.parent.replace(node, composer(node["docname"]).superscript(node))
            elif isinstance(node, sources_place):
                if settings.joins:
                    _move_before_other_documents(node)
                made = composer(node["docname"]).sources_list()
                for each in made:
                    # Where Sphinx looks for the line of a link that has none.
                    each.line, each.source = node.line, node.source
                node.replace_self(made)

    def _hide_in_table_of_contents(self) -> None:
        """Have what `Composer` puts in titles left out of LaTeX's table of contents."""
        if any(is_heading(mark.parent) for mark in self.document.findall(citation_mark)):
            self.document.insert(0, nodes.raw("", HIDE_IN_CONTENTS, format="latex"))


class _Around(Enum):
    """What a mark stands in."""

    PROSE = "prose"
    TITLE = "title"
    CONTENTS = "contents"
    """A copy of a title, made for a table of contents."""
    NO_PROSE = "no prose"


def _kind_of_place(mark: citation_mark) -> _Around:
    around = _Around.PROSE
    node = mark.parent
    while node is not None:
        if isinstance(node, nodes.topic) and "contents" in node["classes"]:
            return _Around.CONTENTS
        if isinstance(node, _NO_PROSE) or _OUTPUT in node.attributes["classes"]:
            around = _Around.NO_PROSE
        elif around is _Around.PROSE and isinstance(node, nodes.title):
            around = _Around.TITLE
        node = node.parent
    return around


def _clean_titles(env: BuildEnvironment, docname: str) -> None:
    """Take the marks out of the copies of titles that Sphinx keeps for tables of contents and ``<title>``.

    They stay, as text, where a title would be empty: a page must have a name, and search relies on it.
    """
    for titles in (env.titles, env.longtitles, env.tocs):
        tree = titles.get(docname)
        if tree is not None:
            marks = list(tree.findall(citation_mark))
            blocks = map(block_of, marks)
            nameless = [block is not None and not block.astext().strip() for block in blocks]
            for mark, kept in zip(marks, nameless, strict=True):
                if kept:
                    mark.replace_self(nodes.Text(mark["space"] + mark.rawsource))
                else:
                    mark.parent.remove(mark)


def _settle_places(document: nodes.document, page: Page, *, has_list: bool) -> None:
    """Keep the first place, or make one; the others become the text that they were."""
    found = document.findall(sources_place) if page.places else ()
    order = {id(place): index for index, place in enumerate(found)}
    places = sorted(
        (pair for pair in page.places if id(pair[0]) in order), key=lambda pair: order[id(pair[0])]
    )
    for index, (place, paragraph) in enumerate(places):
        if has_list and index == 0:
            continue
        if paragraph is None:
            place.parent.remove(place)
        else:
            place.replace_self(paragraph)
    if has_list and not places:
        end = _end_of(document)
        place = sources_place(docname=page.docname)
        place.line, place.source = _last_line(end), document["source"]
        end.append(place)


def _end_of(document: nodes.document) -> nodes.Element:
    """The last top-level section, or the document where footnotes have been gathered behind that."""
    sections = [child for child in document.children if isinstance(child, nodes.section)]
    if not sections or isinstance(document.children[-1], nodes.footnote):
        return document
    return sections[-1]


def _last_line(node: nodes.Element) -> int:
    """The line of the last thing in *node* that has one."""
    for child in reversed(node.children):
        if child.line:
            return child.line
    return node.line or 1


def _move_before_other_documents(place: nodes.Element) -> None:
    """Put the list of a page before the pages that its table of contents has brought in."""
    parent = place.parent
    end = parent.index(place)
    while True:
        before = (child for child in parent.children[:end] if _brings_in_documents(child))
        child = next(before, None)
        if child is None:
            return
        if not isinstance(child, nodes.section):
            place.parent.remove(place)
            parent.insert(parent.index(child), place)
            return
        parent, end = child, len(child.children)


def _brings_in_documents(node: nodes.Node) -> bool:
    return any(node.findall(addnodes.start_of_file))
