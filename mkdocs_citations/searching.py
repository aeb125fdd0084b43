"""What a site's search reads of a page: neither the numbers nor the list of sources.

The search plugins have no option for it. So while one of them reads a page, the page has other content; no
other plugin sees that, and afterwards the page has its own again, whatever that is by then.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from mkdocs.plugins import PluginCollection

from mkdocs_citations.registry import LIST_MARK

_SUPERSCRIPT = re.compile(r'<sup class="citation" id="[\w-]+">[^<]*(?:<(?!/sup>)[^<]*)*</sup>')


def take_mark(html: str, value: str) -> tuple[str, str]:
    """*html* without the mark of this *value*, and the list that had it (empty where there is none)."""
    mark = f' {LIST_MARK}="{value}"'
    place = html.find(mark)
    if place < 0:
        return html, ""
    html = html[:place] + html[place + len(mark) :]
    start = html.rfind("<", 0, place)
    tag = re.match(r"\w+", html[start + 1 :])
    closing = f"</{tag[0] if tag else ''}>"
    # All texts in it are escaped, and none of its elements is of the same kind.
    return html, html[start : html.find(closing, place) + len(closing)]


def without_citations(content: str, listing: str) -> str:
    """*content* as search is to read it, without the spaces before numbers too."""
    *before, last = _SUPERSCRIPT.split(content.replace(listing, "", 1) if listing else content)
    return "".join([*(piece.rstrip(" ") for piece in before), last])


def hide_from_search(plugins: PluginCollection, read: Callable[[Any], str]) -> None:
    """Have the search among the *plugins* (MkDocs' own, Material's) *read* pages in this way."""
    # The list of handlers is no documented interface: read in MkDocs 1.6.1 and ProperDocs 1.6.7.
    handlers: list[Any] = plugins.events["page_context"]
    searches = [plugin for name, plugin in plugins.items() if name.rpartition("/")[2] == "search"]
    for place, handler in enumerate(handlers):
        owner = getattr(handler, "__self__", None)
        if any(owner is search for search in searches):
            handlers[place] = _reading(handler, read)


def _reading(handler: Callable[..., Any], read: Callable[[Any], str]) -> Callable[..., Any]:
    def on_page_context(*context: Any, page: Any, **more: Any) -> Any:
        content = page.content
        page.content = read(page)
        try:
            return handler(*context, page=page, **more)
        finally:
            page.content = content

    return on_page_context
