"""The list of sources, composed once for every host.

`build_listing` says what stands in the list; `listing_html` writes it as HTML. A host that has no use for
HTML (docutils, tokens) walks the `Listing` itself.
"""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from mdit_citations import urls
from mdit_citations.citations import Citations
from mdit_citations.labels import Labels, quoted
from mdit_citations.options import Options
from mdit_citations.sources import Source

PLACEHOLDER = "[SOURCES]"
"""What a paragraph says that stands where the list is to go."""


class CitationLink(NamedTuple):
    """One number of a superscript."""

    number: int
    href: str
    """An http(s) address, ``#id`` for the entry on the page, empty where there is neither."""
    title: str
    """The source's title and site, on one line."""
    html: str
    """The link as HTML (well-formed XML too)."""


class Part(NamedTuple):
    """A piece of an entry."""

    kind: str
    """``number``, ``title``, ``text`` (punctuation), ``details``, ``archived``, ``note``, or ``quote``."""
    text: str
    href: str = ""
    marked: str = ""
    """A quote in quotation marks, which HTML has from the style sheet."""

    @property
    def plain(self) -> str:
        """The text for an output that has no style sheet of ours."""
        return clean(self.marked or self.text)


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

    *language* is the host's, for pages that do not name theirs.
    """
    numbers = listed(citations, options)
    if not numbers:
        return None
    language = citations.language or language
    words = options.words(language)
    most = max(map(len, citations.occurrences.values()), default=0)
    labels = [words.back.replace("{n}", str(n + 1)) for n in range(min(most, options.back_links))]
    entries = [_entry(citations, number, words, labels, language) for number in numbers]
    return Listing(
        title=words.sources if options.list_title is None else options.list_title,
        title_id=citations.make_id("sources"),
        level=options.list_level,
        collapsed=options.list == "details",
        entries=tuple(entries),
        link_attributes=link_attributes(options),
    )


def listed(citations: Citations, options: Options) -> list[int]:
    """The numbers in the list of a document, empty where it has none.

    The cited sources in number order, and those that markers name but must not link; where nothing is cited,
    the document's own (unless ``streaming``).
    """
    if not options.list:
        return []
    if citations.cited:
        return sorted({*citations.cited, *citations.unlinked})
    return [] if options.streaming else sorted(citations.sources.own)


def link_attributes(options: Options) -> tuple[tuple[str, str], ...]:
    """The attributes that the options add to links to sources."""
    pairs = (("rel", options.rel), ("target", options.target))
    return tuple((name, value) for name, value in pairs if value)


class Linker:
    """Makes the links of one document's superscripts, each number's once."""

    def __init__(self, citations: Citations, options: Options, *, has_list: bool = True) -> None:
        """*has_list* is false where no list will be made, whatever the options say."""
        self._citations = citations
        self._to_list = options.link_to == "list"
        self._has_list = has_list and bool(options.list)
        self._attributes = _html_attributes(link_attributes(options))
        self._links: dict[int, CitationLink] = {}
        self._groups: dict[tuple[int, ...], tuple[CitationLink, ...]] = {}

    def group(self, numbers: tuple[int, ...]) -> tuple[CitationLink, ...]:
        """The links of a superscript that names *numbers*."""
        links = self._groups.get(numbers)
        if links is None:
            links = self._groups[numbers] = tuple([self._link(number) for number in numbers])
        return links

    def _link(self, number: int) -> CitationLink:
        link = self._links.get(number)
        if link is None:
            link = self._links[number] = self._made(number)
        return link

    def _made(self, number: int) -> CitationLink:
        source = self._citations.sources[number]
        href = source.href
        title = source_title(source)
        shown = f'title="{escape(clean(title))}"'
        if self._has_list and (self._to_list or not href):
            href = f"#{self._citations.make_id('source', number)}"
            classes = 'class="citation-link footnote-ref" role="doc-biblioref"'
            html = f'<a {classes} href="{href}" {shown}>{number}</a>'
        elif href:
            attributes = f'href="{escape(href)}" {shown}{self._attributes}'
            html = f'<a class="citation-link" {attributes}>{number}</a>'
        else:
            html = f'<span class="citation-link" {shown}>{number}</span>'
        return CitationLink(number, href or "", title, html)


def superscript_html(links: tuple[CitationLink, ...], element_id: str) -> str:
    """One superscript group as HTML (well-formed XML too)."""
    html = links[0].html if len(links) == 1 else " ".join([link.html for link in links])
    return f'<sup class="citation" id="{element_id}">{html}</sup>'


def _html_attributes(pairs: tuple[tuple[str, str], ...]) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in pairs)


def source_title(source: Source) -> str:
    """A source on one line, for a tip: ``Title – site``."""
    site = urls.site(source.href or "")
    return f"{source.label} – {site}" if source.title and site else source.label


def _entry(
    citations: Citations, number: int, words: Labels, labels: list[str], language: str
) -> Entry:
    """One entry; *labels* are those of its first back links, second ones and so on."""
    places = citations.occurrences.get(number, ())
    arrow = len(places) == 1
    links = [
        BackLink(
            "↩" if arrow else _letter(index), f"#{citations.make_id('citation', place)}", label
        )
        for index, (place, label) in enumerate(zip(places, labels), 1)  # noqa: B905 (as far as they go)
    ]
    return Entry(
        number,
        citations.make_id("source", number),
        _parts(citations.sources[number], words, language),
        tuple(links),
        len(places) - len(links) if links else 0,
    )


def _letter(index: int) -> str:
    """1 is a, 26 z, 27 aa, 28 ab …, as in a spreadsheet."""
    letters = ""
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(97 + rest) + letters
    return letters


def _parts(source: Source, words: Labels, language: str) -> tuple[Part, ...]:
    head = (
        Part("number", f"[{source.number}]", source.href or ""),
        Part("title", source.label),
    )
    if not source.fields:
        return head
    parts = list(head)
    get = source.get
    where = map(get, ("author", "container-title", "publisher", "issued"))
    if details := ", ".join(filter(None, where)):
        parts.append(Part("details", f" – {details}"))
    accessed, archived = get("accessed"), get("archived")
    if accessed or archived:
        read = words.accessed.replace("{date}", accessed) if accessed else ""
        parts.append(Part("text", f" ({read}{'; ' if accessed and archived else ''}"))
        if archived:
            parts.append(Part("archived", words.archived, archived))
        parts.append(Part("text", ")"))
    if note := get("note"):
        parts.append(Part("note", f". {note}"))
    if quote := " ".join(get("quote").split()):
        parts += (Part("text", " "), Part("quote", quote, marked=quoted(quote, language)))
    return tuple(parts)


def listing_html(listing: Listing) -> str:
    """The list as HTML."""
    before, behind = listing_frame(listing)
    return f"{before}{entries_html(listing)}{behind}"


def listing_frame(
    listing: Listing, *, xml: bool = False, classes: str = "sources"
) -> tuple[str, str]:
    """What stands before the entries of `listing_html`, and behind them.

    With *xml* it is well-formed XML, for a host that builds elements. A host may want further *classes*.
    """
    hidden = ' data-search-exclude=""' if xml else " data-search-exclude"
    title = escape(clean(listing.title))
    if listing.collapsed:
        head = f'<details>\n<summary id="{listing.title_id}">{title}</summary>\n'
    elif listing.level:
        head = f'<h{listing.level} id="{listing.title_id}"{hidden}>{title}</h{listing.level}>\n'
    else:
        head = f'<p class="sources-title" id="{listing.title_id}">{title}</p>\n'
    section = (
        f'class="{classes}" role="doc-bibliography" aria-labelledby="{listing.title_id}"{hidden}'
    )
    details = "</details>\n" if listing.collapsed else ""
    return f"<section {section}>\n{head}<ul>\n", f"</ul>\n{details}</section>\n"


def entries_html(listing: Listing) -> str:
    """The entries of `listing_html`."""
    attributes = listing.link_attributes
    return "".join(["".join(entry_pieces(entry, attributes)) for entry in listing.entries])


def entry_pieces(entry: Entry, link_attributes: tuple[tuple[str, str], ...]) -> list[str]:
    """An entry of `listing_html` in pieces: every second one is the link of a part that has an ``href``."""
    attributes = _html_attributes(link_attributes)
    pieces: list[str] = []
    html = f'<li id="{entry.id}"><p>'
    for part in entry.parts:
        text = escape(clean(part.text))
        if part.href:
            link = (
                f'<a class="source-{part.kind}" href="{escape(part.href)}"{attributes}>{text}</a>'
            )
            pieces += (html, link)
            html = ""
        elif part.kind == "title":
            html += f' <cite class="source-title">{text}</cite>'
        elif part.kind == "text":
            html += text
        elif part.kind == "quote":
            html += f'<q class="source-quote">{text}</q>'
        else:
            html += f'<span class="source-{part.kind}">{text}</span>'
    if entry.back_links:
        html += f" {back_links_html(entry)}"
    return [*pieces, f"{html}</p></li>\n"]


def back_links_html(entry: Entry) -> str:
    """The back links of an entry: an arrow for one, letters for several, "+n" for what is over.

    The arrow before letters is the style sheet's, so that it is neither read out nor copied.
    """
    links = [
        f'<a role="doc-backlink" href="{link.href}" aria-label="{escape(clean(link.label))}">{link.text}</a>'
        for link in entry.back_links
    ]
    if len(links) + entry.more == 1:
        return links[0]
    if entry.more:
        links.append(f"+{entry.more}")
    return f'<span class="source-back-links">{" ".join(links)}</span>'


_CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127, 0xFFFE, 0xFFFF])
_CONTROLS.update(dict.fromkeys(range(0xD800, 0xE000), "\ufffd"))


def clean(text: str) -> str:
    """*text* without the characters that neither HTML nor XML may hold."""
    return text if text.isprintable() else text.translate(_CONTROLS)
