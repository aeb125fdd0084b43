"""``superscript="unicode"``: ordinary links with raised digits and a plain list, without classes or ids."""

from __future__ import annotations

from html import escape

from mdit_citations.listing import CitationLink, Listing, clean

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def links_html(links: tuple[CitationLink, ...], attributes: tuple[tuple[str, str], ...]) -> str:
    """One group of numbers; a source without an address has no link, since nothing here has an id."""
    more = "".join(f' {name}="{escape(value)}"' for name, value in attributes)
    written = []
    for link in links:
        digits = str(link.number).translate(_RAISED)
        if link.href and not link.href.startswith("#"):
            title = escape(clean(link.title))
            digits = f'<a href="{escape(link.href)}" title="{title}"{more}>{digits}</a>'
        written.append(digits)
    return f"<span>{' '.join(written)}</span>"


def listing_html(listing: Listing) -> str:
    """A heading and a list, as well-formed XML. An attribute keeps them out of a site's search."""
    more = "".join(f' {name}="{escape(value)}"' for name, value in listing.link_attributes)
    tag = f"h{listing.level}" if listing.level else "p"
    items = []
    for entry in listing.entries:
        html = ""
        for part in entry.parts:
            text = escape(part.plain)
            html += " " if part.kind == "title" else ""
            html += f'<a href="{escape(part.href)}"{more}>{text}</a>' if part.href else text
        items.append(f"<li>{html}</li>\n")
    title = escape(clean(listing.title))
    hidden = 'data-search-exclude=""'
    return f"<div {hidden}>\n<{tag} {hidden}>{title}</{tag}>\n<ul>\n{''.join(items)}</ul>\n</div>"
