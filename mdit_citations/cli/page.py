"""From Markdown to a stand-alone page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, NamedTuple

import yaml
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from mdit_citations import Citations, Options, Problem, citations_plugin
from mdit_citations.provenance import provenance, provenance_script

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STYLE_SHEETS = ("page.css", "citations.css")
_SCRIPT = "citations.js"
_RIGHT_TO_LEFT = frozenset(("ar", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"))


class Page(NamedTuple):
    """A rendered text."""

    body: str
    title: str
    """Of the front matter, else the first heading; empty where there is neither."""
    language: str
    citations: Citations

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with the page's citations."""
        return self.citations.problems


def make_parser(options: Options, *, html: bool) -> MarkdownIt:
    """CommonMark with what long texts need, tables to footnotes; raw HTML only with *html*."""
    md = MarkdownIt("commonmark", {"html": html}).enable(["table", "strikethrough"])
    for plugin in (front_matter_plugin, footnote_plugin, deflist_plugin, tasklists_plugin):
        md.use(plugin)
    md.use(dollarmath_plugin, allow_space=False, allow_labels=False)
    md.add_render_rule("math_block", _formula)
    md.use(citations_plugin, options)
    # By the next rule, markers in a heading may have become ordinary links.
    md.core.ruler.before("citations_list", "page_title", _find_title)
    return md


def render_page(md: MarkdownIt, text: str) -> Page:
    """Render one text with a parser of `make_parser`."""
    env: dict[str, Any] = {}
    # The front matter, which renders as nothing, leaves an empty line.
    body = md.render(text, env).lstrip("\n")
    words = env["page_words"]
    title = words.get("title") or env.get("page_title", "")
    language = words.get("lang") or words.get("language") or ""
    return Page(body, title, language, env["citations"])


def page_provenance(page: Page) -> str:
    """What the page cites as JSON-LD, empty where it cites nothing."""
    if not page.citations.cited:
        return ""
    return provenance_script(provenance(page.citations, title=page.title))


def whole_page(page: Page, name: str, assets: Assets) -> str:
    """The page as an HTML document, called *name* where it has no title."""
    language = page.language or "en"
    primary = language.lower().replace("_", "-").partition("-")[0]
    return _template().substitute(
        language=escape(language),
        direction="rtl" if primary in _RIGHT_TO_LEFT else "ltr",
        title=escape(page.title or name),
        assets=assets.html,
        body=page.body,
    )


class Assets(NamedTuple):
    """The style sheets and the script of a page."""

    cards: bool = False
    """Whether there is a script."""
    address: str = ""
    """The directory they are linked in; without it they are part of the page."""

    @property
    def html(self) -> str:
        """The elements of the head."""
        if not self.address:
            style = f"<style>\n{_texts(*_STYLE_SHEETS)}</style>\n"
            return style + (f"<script>\n{_texts(_SCRIPT)}</script>\n" if self.cards else "")
        base = escape(f"{self.address.rstrip('/')}/")
        links = [f'<link rel="stylesheet" href="{base}{name}">\n' for name in _STYLE_SHEETS]
        if self.cards:
            links.append(f'<script src="{base}{_SCRIPT}" defer></script>\n')
        return "".join(links)


def _formula(_: object, tokens: Sequence[Token], index: int, *__: object) -> str:
    # Shown as written: typesetting takes a script, and a page of ours runs none.
    return f'<pre class="math">{escape(tokens[index].content.strip())}</pre>\n'


def _find_title(state: StateCore) -> None:
    tokens = state.tokens
    front = tokens[0].content if tokens and tokens[0].type == "front_matter" else ""
    state.env["page_words"] = _scalars(front)
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            kept = ("text", "code_inline", "math_inline")
            children = tokens[index + 1].children or ()
            parts = [child.content if child.type in kept else " " for child in children]
            state.env["page_title"] = " ".join("".join(parts).split())
            return


def _scalars(front_matter: str) -> dict[str, str]:
    """The top-level scalars, as written. What is wrong with the rest is said elsewhere."""
    try:
        node = yaml.compose(front_matter, Loader=_LOADER)
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}
    if not isinstance(node, yaml.MappingNode):
        return {}
    return {
        key.value: " ".join(value.value.split())
        for key, value in node.value
        if isinstance(key, yaml.ScalarNode) and isinstance(value, yaml.ScalarNode)
    }


@cache
def _template() -> Template:
    return Template(files("mdit_citations.cli").joinpath("page.html").read_text("utf-8"))


@cache
def _texts(*names: str) -> str:
    assets = files("mdit_citations") / "assets"
    return "\n".join((assets / name).read_text("utf-8") for name in names)
