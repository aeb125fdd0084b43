"""The list of sources, composed once for every host.

`build_listing` says what stands in the list; `listing_html` writes it as HTML. A host that has no use for HTML
(docutils, tokens) walks the `Listing` itself.
"""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from mdit_citations import urls
from mdit_citations.citations import Citations
from mdit_citations.labels import Labels
from mdit_citations.options import Options
from mdit_citations.sources import Source


class CitationLink(NamedTuple):
    """One number of a superscript."""

    number: int
    href: str
    """An http(s) address, ``#id`` for the entry on the page, empty where there is neither."""
    title: str
    """The source's title and site, on one line."""


class Part(NamedTuple):
    """A piece of an entry."""

    kind: str
    """``number``, ``title``, ``text`` (punctuation), ``details``, ``archived``, or ``note``."""
    text: str
    href: str = ""


class BackLink(NamedTuple):
    """A link from an entry back to a superscript that names it."""

    text: str
    href: str
    label: str
    """What a screen reader says."""


class Entry(NamedTuple):
    """One source in the list."""

    number: int
    id: str
    parts: tuple[Part, ...]
    back_links: tuple[BackLink, ...]
    more: int
    """How many superscripts have no back link."""


class Listing(NamedTuple):
    """The whole list."""

    title: str
    title_id: str
    level: int
    """Of the heading, 1 to 6; 0 for a plain paragraph."""
    collapsed: bool
    entries: tuple[Entry, ...]
    link_attributes: tuple[tuple[str, str], ...]
    """``rel`` and ``target`` of links to sources, where set."""


def build_listing(citations: Citations, options: Options, language: str = "") -> Listing | None:
    """The list of a document, or None where it has none.

    It holds the cited sources in number order; where nothing is cited, the document's own (unless
    ``streaming``). *language* is the host's, for pages that do not name theirs.
    """
    if not options.list:
        return None
    numbers = sorted(citations.cited)
    if not numbers and not options.streaming:
        numbers = sorted(citations.sources.own)
    if not numbers:
        return None
    words = options.words(citations.language or language)
    return Listing(
        title=words.sources if options.list_title is None else options.list_title,
        title_id=citations.make_id("sources"),
        level=options.list_level,
        collapsed=options.list == "details",
        entries=tuple(_entry(citations, number, options.back_links, words) for number in numbers),
        link_attributes=link_attributes(options),
    )


def link_attributes(options: Options) -> tuple[tuple[str, str], ...]:
    """The attributes that the options add to links to sources."""
    pairs = (("rel", options.rel), ("target", options.target))
    return tuple((name, value) for name, value in pairs if value)


def citation_link(citations: Citations, number: int, options: Options) -> CitationLink:
    """Where *number* leads in a superscript of this document."""
    source = citations.sources[number]
    href = source.href or ""
    if options.list and (options.link_to == "list" or not href):
        href = f"#{citations.make_id('source', number)}"
    return CitationLink(number, href, source_title(source))


def source_title(source: Source) -> str:
    """A source on one line, for a tip: ``Title – site``."""
    site = urls.site(source.href or "")
    return f"{source.label} – {site}" if source.title and site else source.label


def _entry(citations: Citations, number: int, back_links: int, words: Labels) -> Entry:
    source = citations.sources[number]
    places = citations.occurrences.get(number, [])
    links = ()
    if places and back_links:
        links = tuple(
            BackLink(
                "↩" if len(places) == 1 else _letter(index),
                f"#{citations.make_id('citation', place)}",
                words.back.replace("{n}", str(index + 1)),
            )
            for index, place in enumerate(places[:back_links])
        )
    return Entry(
        number=number,
        id=citations.make_id("source", number),
        parts=_parts(source, words),
        back_links=links,
        more=len(places) - len(links) if links else 0,
    )


def _letter(index: int) -> str:
    """a … z, then aa, ab …, as in a spreadsheet."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(97 + rest) + letters
    return letters


def _parts(source: Source, words: Labels) -> tuple[Part, ...]:
    number = Part("number", f"[{source.number}]", source.href or "")
    title = Part("title", source.label)
    where = (source.author, source.container_title, source.publisher, source.issued)
    if not (any(where) or source.accessed or source.archived or source.note):
        return (number, title)
    parts = [number, title]
    if details := ", ".join(filter(None, where)):
        parts.append(Part("details", f" – {details}"))
    if source.accessed or source.archived:
        accessed = words.accessed.replace("{date}", source.accessed) if source.accessed else ""
        parts.append(Part("text", f" ({accessed}{'; ' if accessed and source.archived else ''}"))
        if source.archived:
            parts.append(Part("archived", words.archived, source.archived))
        parts.append(Part("text", ")"))
    if source.note:
        parts.append(Part("note", f". {source.note}"))
    return tuple(parts)


def listing_html(listing: Listing, *, xml: bool = False) -> str:
    """The list as HTML; with *xml*, the same as well-formed XML, for a host that builds elements."""
    hidden = ' data-search-exclude=""' if xml else " data-search-exclude"
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in listing.link_attributes)
    title = escape(clean(listing.title))
    if listing.collapsed:
        head = f'<details>\n<summary id="{listing.title_id}">{title}</summary>\n'
    elif listing.level:
        head = f'<h{listing.level} id="{listing.title_id}"{hidden}>{title}</h{listing.level}>\n'
    else:
        head = f'<p class="sources-title" id="{listing.title_id}">{title}</p>\n'
    items = "".join([_entry_html(entry, attributes) for entry in listing.entries])
    return (
        f'<section class="sources" role="doc-bibliography" aria-labelledby="{listing.title_id}"{hidden}>\n'
        f"{head}<ul>\n{items}</ul>\n{'</details>' + chr(10) if listing.collapsed else ''}</section>\n"
    )


def _entry_html(entry: Entry, attributes: str) -> str:
    number, title, *rest = entry.parts
    href = escape(number.href)
    html = (
        f'<a class="source-number" href="{href}"{attributes}>{number.text}</a>'
        if href
        else f'<span class="source-number">{number.text}</span>'
    )
    html += f' <cite class="source-title">{escape(clean(title.text))}</cite>'
    for part in rest:
        text = escape(clean(part.text))
        if part.kind == "archived":
            html += f'<a class="source-archived" href="{escape(part.href)}"{attributes}>{text}</a>'
        elif part.kind == "text":
            html += text
        else:
            html += f'<span class="source-{part.kind}">{text}</span>'
    if entry.back_links:
        html += f" {back_links_html(entry)}"
    return f'<li id="{entry.id}"><p>{html}</p></li>\n'


def back_links_html(entry: Entry) -> str:
    """The back links of an entry: an arrow for one, letters for several, "+n" for what is over.

    The arrow before letters is the style sheet's, so that it is neither read out nor copied.
    """
    links = " ".join(
        f'<a role="doc-backlink" href="{link.href}" aria-label="{escape(link.label)}">{link.text}</a>'
        for link in entry.back_links
    )
    if len(entry.back_links) + entry.more == 1:
        return links
    more = f" +{entry.more}" if entry.more else ""
    return f'<span class="source-back-links">{links}{more}</span>'


def superscript_html(
    links: tuple[CitationLink, ...], element_id: str, attributes: tuple[tuple[str, str], ...] = ()
) -> str:
    """One superscript group as HTML (well-formed XML too); *attributes* go on links to sources."""
    more = "".join(f' {name}="{escape(value)}"' for name, value in attributes)
    written = " ".join([_link_html(link, more) for link in links])
    return f'<sup class="citation" id="{element_id}">{written}</sup>'


def _link_html(link: CitationLink, attributes: str) -> str:
    number, href, title = link
    title = escape(clean(title))
    if href[:1] == "#":
        return (
            f'<a class="citation-link footnote-ref" role="doc-biblioref" href="{href}" '
            f'title="{title}">{number}</a>'
        )
    if not href:
        return f'<span class="citation-link" title="{title}">{number}</span>'
    return f'<a class="citation-link" href="{escape(href)}" title="{title}"{attributes}>{number}</a>'


_CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127, 0xFFFE, 0xFFFF])
_CONTROLS.update(dict.fromkeys(range(0xD800, 0xE000), "\ufffd"))


def clean(text: str) -> str:
    """*text* without the characters that neither HTML nor XML may hold."""
    return text if text.isprintable() else text.translate(_CONTROLS)
