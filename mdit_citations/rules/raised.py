"""``superscript="unicode"``: ordinary link and list tokens, for renderers that know nothing of ours."""

from __future__ import annotations

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from mdit_citations.listing import CitationLink, Entry, Listing, clean, link_attributes
from mdit_citations.options import Options

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def replace_tokens(state: StateCore, options: Options) -> None:
    """Put links with raised digits for the citations, and a plain list for the list."""
    attributes = dict(link_attributes(options))
    blocks: list[Token] = []
    for token in state.tokens:
        if token.type == "sources_list":
            blocks.extend(_list(token.meta["listing"], token.level, attributes))
            continue
        if token.type == "inline" and token.children:
            children: list[Token] = []
            for child in token.children:
                if child.type == "citation":
                    children.extend(_links(child, attributes))
                else:
                    children.append(child)
            token.children = children
        blocks.append(token)
    state.tokens = blocks


def _links(citation: Token, attributes: dict[str, str]) -> list[Token]:
    tokens: list[Token] = []
    if space := citation.meta.get("space"):
        tokens.append(Token("text", "", 0, content=space, level=citation.level))
    for position, link in enumerate(citation.meta["links"]):
        if position:
            tokens.append(Token("text", "", 0, content=" ", level=citation.level))
        text = str(link.number).translate(_RAISED)
        tokens.extend(_link(text, link, citation.level, attributes))
    return tokens


def _link(text: str, link: CitationLink, level: int, attributes: dict[str, str]) -> list[Token]:
    # Nothing carries an id here, so a link to the entry would lead nowhere.
    if not link.href or link.href.startswith("#"):
        return [Token("text", "", 0, content=text, level=level)]
    attrs: dict[str, str | int | float] = {
        "href": link.href,
        "title": clean(link.title),
        **attributes,
    }
    return [
        Token("link_open", "a", 1, attrs=attrs, level=level),
        Token("text", "", 0, content=text, level=level + 1),
        Token("link_close", "a", -1, level=level),
    ]


def _list(listing: Listing, level: int, attributes: dict[str, str]) -> list[Token]:
    tag = f"h{listing.level}" if listing.level else "p"
    name = "heading" if listing.level else "paragraph"
    markup = "#" * listing.level
    title = clean(" ".join(listing.title.split()))
    tokens = [
        Token(f"{name}_open", tag, 1, level=level, markup=markup, block=True),
        _inline([Token("text", "", 0, content=title)], title, level + 1),
        Token(f"{name}_close", tag, -1, level=level, markup=markup, block=True),
        Token("bullet_list_open", "ul", 1, level=level, markup="-", block=True),
    ]
    for entry in listing.entries:
        children = _entry(entry, attributes)
        content = "".join(child.content for child in children)
        tokens += [
            Token("list_item_open", "li", 1, level=level + 1, markup="-", block=True),
            Token("paragraph_open", "p", 1, level=level + 2, block=True, hidden=True),
            _inline(children, content, level + 3),
            Token("paragraph_close", "p", -1, level=level + 2, block=True, hidden=True),
            Token("list_item_close", "li", -1, level=level + 1, markup="-", block=True),
        ]
    tokens.append(Token("bullet_list_close", "ul", -1, level=level, markup="-", block=True))
    return tokens


def _entry(entry: Entry, attributes: dict[str, str]) -> list[Token]:
    children: list[Token] = []
    for part in entry.parts:
        if part.kind == "title":
            children.append(Token("text", "", 0, content=" "))
        text = part.plain
        if part.href:
            attrs: dict[str, str | int | float] = {"href": part.href, **attributes}
            children.append(Token("link_open", "a", 1, attrs=attrs))
            children.append(Token("text", "", 0, content=text, level=1))
            children.append(Token("link_close", "a", -1))
        else:
            children.append(Token("text", "", 0, content=text))
    return children


def _inline(children: list[Token], content: str, level: int) -> Token:
    return Token("inline", "", 0, children=children, content=content, level=level, block=True)
