"""From the record of a page to docutils nodes: superscripts, and the list."""

from __future__ import annotations

from docutils import nodes

from mdit_citations.listing import (
    CitationLink,
    Entry,
    Linker,
    Listing,
    Part,
    build_listing,
    clean,
    entry_pieces,
    link_attributes,
    listing_frame,
    superscript_html,
)
from sphinx_citations.nodes import (
    Written,
    citation_digits,
    citation_mark,
    citation_superscript,
    source_entry,
    source_html,
    source_reference,
    source_title,
    sources_heading,
    sources_list,
)
from sphinx_citations.records import Record, citations_of
from sphinx_citations.settings import Settings

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

_IN_TITLE = r"\texorpdfstring{\citationintitle{", "}}{}"
"""Around a citation in a title: a bookmark is plain text, and a table of contents is no place to cite."""

HIDE_IN_CONTENTS = r"""
\DeclareRobustCommand{\citationintitle}[1]{#1}
\addtocontents{toc}{\string\let\string\citationintitle\string\@gobble}
"""
"""Belongs before the first title, when a title has a citation."""


def is_heading(node: nodes.Node) -> bool:
    """Whether *node* is the title of a section."""
    return isinstance(node, nodes.title) and isinstance(node.parent, nodes.section)


def _is_in_linked_title(node: nodes.Node) -> bool:
    """Whether the HTML of *node* will stand in a link: a title links back to a ``contents`` directive."""
    while node is not None and not isinstance(node, nodes.title):
        node = node.parent
    return node is not None and node.hasattr("refid")


class Composer:
    """Makes the nodes of one page for one builder."""

    def __init__(self, settings: Settings, docname: str, record: Record) -> None:
        """Where pages are joined, the ids carry *docname*."""
        self.settings = settings
        self.options = settings.list_options(record["language"])
        prefix = [self.options.id_prefix, docname if settings.joins else ""]
        self.citations = citations_of(record, "-".join(filter(None, prefix)))
        self.linker = Linker(self.citations, settings.link_options)
        self.attributes = dict(link_attributes(self.options))
        self._links: dict[int, Written] = {}

    def superscript(self, mark: citation_mark) -> list[nodes.Node]:
        """What stands for a mark: a superscript of links, and before it what has to be there."""
        result: list[nodes.Node] = [nodes.Text(mark["space"])] if mark["space"] else []
        numbers = mark["numbers"]
        if self.settings.plain:
            return [*result, nodes.Text(f"[{', '.join(map(str, numbers))}]")]
        if self.settings.texinfo and is_heading(mark.parent):
            # The title names the node of the Info file, where no reference may stand.
            return result
        unicode = self.options.superscript == "unicode"
        linked = self.settings.html and _is_in_linked_title(mark)
        kind: type[nodes.Element] = citation_digits if unicode else citation_superscript
        # The numbers are no words to search for.
        group = kind(classes=["citation", "no-search"])
        group.line, group.source = mark.line, mark.source
        links = self.linker.group(numbers)
        for link in links:
            if group.children:
                group += nodes.Text(" ")
            if linked:
                group += nodes.inline("", str(link.number), classes=["citation-link"])
            else:
                group += self._link(link, unicode=unicode)
        if self.settings.html:
            # Only HTML has back links.
            element_id = self.citations.make_id("citation", mark["place"])
            group["ids"].append(element_id)
            if isinstance(group, citation_superscript) and not linked:
                group.written = Written.of(group, superscript_html(links, element_id))
        result.append(group)
        if self.settings.latex and is_heading(mark.parent):
            before, behind = (nodes.raw("", part, format="latex") for part in _IN_TITLE)
            result = [before, *result, behind]
        return result

    def _link(self, link: CitationLink, *, unicode: bool) -> nodes.Element:
        text = str(link.number).translate(_RAISED) if unicode else str(link.number)
        if not link.href:
            return nodes.inline("", text, classes=["citation-link"])
        inside = link.href.startswith("#")
        node = source_reference(
            "",
            text,
            classes=["citation-link", "footnote-ref"] if inside else ["citation-link"],
            reftitle=clean(link.title),
            **self._html({"role": "doc-biblioref"} if inside else self.attributes.copy()),
            **({"refid": link.href[1:]} if inside else {"refuri": link.href}),
        )
        if self.settings.html and not unicode:
            if link.number not in self._links:
                self._links[link.number] = Written.of(node, link.html)
            node.written = self._links[link.number]
        return node

    def _html(self, attributes: dict[str, str]) -> dict[str, dict[str, str]]:
        """The argument of a node for HTML *attributes*: other formats have no use for them."""
        return {"html": attributes} if self.settings.html else {}

    def sources_list(self) -> list[nodes.Node]:
        """The list; no node where it has been switched off since."""
        listing = build_listing(self.citations, self.options, self.settings.language)
        if listing is None:
            return []
        if self.settings.html and not self.settings.epub:
            around = listing_frame(listing, xml=True, classes="sources no-search")
            entries = [self._linked_entry(entry, listing) for entry in listing.entries]
            return [sources_list("", *entries, classes=["sources", "no-search"], around=around)]
        title = clean(" ".join(listing.title.split()))
        heading = sources_heading(
            "", title, level=listing.level, collapsed=listing.collapsed, translatable=False
        )
        if not listing.level and not listing.collapsed:
            heading["classes"].append("sources-title")
        html = {
            "role": "doc-bibliography",
            "aria-labelledby": listing.title_id,
            "data-search-exclude": "",
        }
        section = sources_list(
            "", classes=["sources", "no-search"], collapsed=listing.collapsed, **self._html(html)
        )
        if self.settings.html:
            heading["ids"].append(listing.title_id)
        items = nodes.bullet_list(bullet="-")
        for entry in listing.entries:
            items += self._entry(entry, listing)
        section += [heading, items]
        return [section]

    def _linked_entry(self, entry: Entry, listing: Listing) -> source_entry:
        """An entry of which only the links are made: those are what others look for, and nodes cost."""
        first, *pieces = entry_pieces(entry, listing.link_attributes)
        attributes = dict(listing.link_attributes)
        node = source_entry("", "", source_html(html=first))
        linked = (part for part in entry.parts if part.href)
        for part, html, behind in zip(linked, pieces[::2], pieces[1::2], strict=True):
            link = self._part(part, attributes)
            if isinstance(link, source_reference):
                link.written = Written.of(link, html)
            node += [link, source_html(html=behind)]
        return node

    def _entry(self, entry: Entry, listing: Listing) -> nodes.list_item:
        paragraph = nodes.paragraph(translatable=False)
        item = nodes.list_item("", paragraph)
        if self.settings.html:
            item["ids"].append(entry.id)
        else:
            # Other writers make nothing of the id of an item.
            paragraph += nodes.target("", "", ids=[entry.id])
        for part in entry.parts:
            if part.kind == "title":
                paragraph += nodes.Text(" ")
            paragraph += self._part(part, dict(listing.link_attributes))
        number = entry.parts[0]
        if self.settings.plain and number.href:
            paragraph += nodes.Text(f" <{number.href}>")
        if self.settings.html and entry.back_links:
            paragraph += [nodes.Text(" "), self._back_links(entry)]
        return item

    def _part(self, part: Part, attributes: dict[str, str]) -> nodes.Node:
        text = part.plain
        if part.kind == "text" or (self.settings.plain and part.kind != "archived"):
            return nodes.Text(text)
        classes = [f"source-{part.kind}"]
        if part.href:
            return source_reference(
                "", text, classes=classes, refuri=part.href, **self._html(attributes)
            )
        kind = source_title if part.kind == "title" else nodes.inline
        return kind("", text, classes=classes)

    def _back_links(self, entry: Entry) -> nodes.Element:
        links: list[nodes.Node] = []
        for link in entry.back_links:
            html = {"role": "doc-backlink", "aria-label": link.label}
            if links:
                links.append(nodes.Text(" "))
            links.append(source_reference("", link.text, refid=link.href[1:], **self._html(html)))
        if len(entry.back_links) + entry.more == 1:
            return links[0]  # type: ignore[return-value]
        if entry.more:
            links.append(nodes.Text(f" +{entry.more}"))
        return nodes.inline("", "", *links, classes=["source-back-links"])
