"""What holds for every document, whatever stands in it (markdown-it-py)."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from mdit_citations import citations_plugin
from mdit_citations.listing import superscript_html
from tests.strategies import DEFINITIONS, REFERENCES, documents

URLS = {
    1: "https://first.example/",
    2: "https://second.example/a?b=1&c=2",
    3: "https://third.example/",
    12: "https://twelfth.example/",
}
SOURCES = [{"number": n, "title": f"Source {n}", "url": url} for n, url in URLS.items()]


def commonmark(**_: Any) -> MarkdownIt:
    return MarkdownIt("commonmark")


def typographer() -> MarkdownIt:
    md = MarkdownIt("js-default", {"typographer": True, "html": True, "linkify": False})
    return md.enable(["smartquotes", "replacements"])


def gfm() -> MarkdownIt:
    return MarkdownIt("gfm-like", {"html": True})


def everything() -> MarkdownIt:
    md = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for plugin in (
        front_matter_plugin,
        footnote_plugin,
        deflist_plugin,
        dollarmath_plugin,
        tasklists_plugin,
    ):
        md.use(plugin)
    return md.use(attrs_plugin, spans=True).use(attrs_block_plugin).use(container_plugin, "note")


def zero() -> MarkdownIt:
    return MarkdownIt("zero").enable(
        ["link", "image", "backticks", "emphasis", "list", "fence", "reference"]
    )


PARSERS = [commonmark, typographer, gfm, everything, zero]


def spec_examples() -> list[str]:
    """CommonMark's own examples, where ``.ci/run`` has put them."""
    path = os.environ.get("MDIT_CITATIONS_SPEC")
    if path:
        return [example["markdown"] for example in json.loads(Path(path).read_text("utf-8"))]
    if os.environ.get("MDIT_CITATIONS_REQUIRE_ALL"):
        raise RuntimeError("MDIT_CITATIONS_SPEC must name CommonMark's examples as JSON")
    return []


SPEC = spec_examples()


def put_back(md: MarkdownIt, plain: MarkdownIt, text: str, env: dict[str, Any]) -> str:
    """Our rendering with the raw text of each superscript in its place."""
    tokens = md.parse(text, env)
    html = md.renderer.render(tokens, md.options, env)
    for token in tokens:
        for child in token.children or ():
            if child.type == "citation":
                written = superscript_html(child.meta["links"], child.meta["id"])
                assert html.count(written) == 1
                # A line break in a marker may be a hard one to the host.
                html = html.replace(written, plain.renderInline(child.content))
    return html


def check_reversible(make: Callable[[], MarkdownIt], text: str) -> None:
    md = make().use(citations_plugin, list=False, definitions="none")
    assert put_back(md, make(), text, {"sources": SOURCES}) == make().render(text)


@pytest.mark.parametrize("make", PARSERS)
@given(text=documents(DEFINITIONS, REFERENCES))
def test_without_sources_nothing_changes(make: Callable[[], MarkdownIt], text: str) -> None:
    plain, ours = make(), make().use(citations_plugin)
    assert ours.parse(text) == plain.parse(text)
    assert ours.render(text) == plain.render(text)


@pytest.mark.parametrize("make", PARSERS)
@given(text=documents([line for line in DEFINITIONS if "https" not in line]))
def test_with_sources_only_markers_change(make: Callable[[], MarkdownIt], text: str) -> None:
    check_reversible(make, text)


@pytest.mark.parametrize("make", PARSERS)
@given(text=documents(DEFINITIONS, REFERENCES))
def test_only_sources_are_linked(make: Callable[[], MarkdownIt], text: str) -> None:
    md = make().use(citations_plugin)
    env: dict[str, Any] = {"sources": SOURCES}
    html = md.render(text, env)
    for href in re.findall(r'<a class="citation-link"[^>]* href="([^"]*)"', html):
        assert href.replace("&amp;", "&") in URLS.values()
    assert set(env["citations"].cited) <= set(URLS)
    assert "citation_refused" not in html
    ids = re.findall(r' id="((?:fnref_)?cite_[^"]*)"', html)
    assert len(ids) == len(set(ids))
    assert env["citations"].superscripts == html.count('<sup class="citation"')
    json.dumps(env["citations"].to_dict())


@pytest.mark.parametrize("make", PARSERS)
@given(first=documents(DEFINITIONS, REFERENCES), second=documents(DEFINITIONS, REFERENCES))
def test_documents_know_nothing_of_each_other(
    make: Callable[[], MarkdownIt], first: str, second: str
) -> None:
    md = make().use(citations_plugin)
    page = f"---\nsources:\n  - https://first.example/\n  - {{title: T, url: 'https://b.example/'}}\n---\n{second}"
    fresh = make().use(citations_plugin).render(page)
    env: dict[str, Any] = {"sources": SOURCES}
    md.render(first, env)
    assert md.render(page) == fresh
    assert md.render(page) == fresh


@given(block=st.text(max_size=60), body=documents())
def test_front_matter_never_raises(block: str, body: str) -> None:
    md = MarkdownIt("commonmark").use(citations_plugin)
    env: dict[str, Any] = {}
    md.render(f"---\nsources: {block}\n---\n{body}", env)
    md.render(f"---\nsources:\n{block}\n---\n{body}", env)


YAML = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(list(URLS.values())),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["number", "index", "title", "url", "author", "issued", "DOI", "archived", "x"]
            )
            | st.text(max_size=5)
            | st.integers(),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(value=YAML)
def test_no_value_of_sources_raises(value: Any) -> None:
    env: dict[str, Any] = {"sources": value}
    MarkdownIt("commonmark").use(citations_plugin).render("Rain [1] and [2].", env)
    for problem in env["citations"].problems:
        assert problem.message
        assert "\n" not in problem.message
    assert list(env["citations"].sources) == sorted(env["citations"].sources)


@pytest.mark.skipif(not SPEC, reason="CommonMark's examples are not here; .ci/run gets them")
@pytest.mark.parametrize("make", PARSERS)
def test_commonmark_examples(make: Callable[[], MarkdownIt]) -> None:
    assert len(SPEC) > 600
    for text in SPEC:
        plain, ours = make(), make().use(citations_plugin)
        assert ours.parse(text) == plain.parse(text)
        assert ours.render(text) == plain.render(text)
        marked = re.sub(r"foo|bar", "foo [1]", text)
        for document in (text, marked):
            check_reversible(make, document)
