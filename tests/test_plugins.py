"""Beside other plugins of markdown-it-py, whatever the order of ``use``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.tasklists import tasklists_plugin
from mdit_py_plugins.wordcount import wordcount_plugin

from mdit_citations import citations_plugin, parse_sources
from tests.reading import read

PLUGINS: dict[str, Callable[[MarkdownIt], Any]] = {
    "admon": lambda md: md.use(admon_plugin),
    "anchors": lambda md: md.use(anchors_plugin, max_level=3, permalink=True),
    "attrs": lambda md: md.use(attrs_plugin, spans=True).use(attrs_block_plugin),
    "container": lambda md: md.use(container_plugin, "note"),
    "deflist": lambda md: md.use(deflist_plugin),
    "dollarmath": lambda md: md.use(dollarmath_plugin),
    "footnote": lambda md: md.use(footnote_plugin),
    "front_matter": lambda md: md.use(front_matter_plugin),
    "tasklists": lambda md: md.use(tasklists_plugin),
    "wordcount": lambda md: md.use(wordcount_plugin),
    "typography": lambda md: md.enable(["smartquotes", "replacements"]),
}
PAGE = """\
---
sources:
  - {title: First, url: https://first.example/}
  - {title: Second, url: https://second.example/}
---

# A heading [1]

"Rain" [1][2] -- 'sun'[^2] and $a[1]$... a remark[^note], [span]{.x} and [2]{.y}.

!!! note Title [1]
    In an admonition [2].

::: note
In a container [1].
:::

Term [1]
: Its definition [2].

- [ ] A task [1]
- [x] Another[^1]

{.block}
A paragraph [1, 2].

[^note]: A footnote [1].
[^1]: First, https://first.example/
"""
READS = """\
A heading {1}
“Rain” {1 2} – ‘sun’{2} and a[1]… a remark[1], span and 2.
Title {1}
In an admonition {2}.
In a container {1}.
Term {1}
Its definition {2}.
A task {1}
Another{1}
A paragraph {1 2}.
A footnote {1}. ↩︎"""


def render(preset: str, *, first: bool, names: list[str]) -> tuple[str, dict[str, Any]]:
    md = MarkdownIt(preset, {"typographer": True, "html": True})
    if first:
        md.use(citations_plugin)
    for name in names:
        PLUGINS[name](md)
    if not first:
        md.use(citations_plugin)
    env: dict[str, Any] = {}
    return md.render(PAGE, env), env


@pytest.mark.parametrize("preset", ["commonmark", "default", "js-default", "gfm-like"])
def test_all_of_them_in_either_order(preset: str) -> None:
    html, env = render(preset, first=True, names=list(PLUGINS))
    assert read(html).text.replace(" ¶", "") == READS
    assert env["citations"].problems == []
    assert env["citations"].cited == [1, 2]
    for first, names in (
        (False, list(PLUGINS)),
        (True, list(PLUGINS)[::-1]),
        (False, list(PLUGINS)[::-1]),
    ):
        other, _ = render(preset, first=first, names=names)
        assert read(other).text == read(html).text
        assert read(other).titles == ["[1] First", "[2] Second"]


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("name", PLUGINS)
def test_each_alone(name: str, first: bool) -> None:
    html, env = render("commonmark", first=first, names=[name])
    reading = read(html)
    assert reading.cited == [1, 2]
    assert env["citations"].problems == []
    assert len(set(reading.ids)) == len(reading.ids)
    assert html.rindex("</section>") > html.rindex("A paragraph")


@pytest.mark.parametrize("first", [True, False])
def test_slugs_and_counts_know_nothing_of_markers(first: bool) -> None:
    html, env = render("commonmark", first=first, names=["anchors", "wordcount", "front_matter"])
    assert '<h1 id="a-heading">A heading <sup' in html
    plain = MarkdownIt("commonmark").use(front_matter_plugin).use(wordcount_plugin)
    without: dict[str, Any] = {}
    plain.render("---\n---\n# A heading\n", without)
    with_marker: dict[str, Any] = {"sources": ["https://first.example/"]}
    plain.use(citations_plugin).render("---\n---\n# A heading [1]\n", with_marker)
    assert with_marker["wordcount"]["words"] == without["wordcount"]["words"]
    assert env["wordcount"]["words"] > 0


def test_zero_with_rules_enabled() -> None:
    md = MarkdownIt("zero").enable(["heading", "emphasis"]).use(citations_plugin)
    html = md.render("# A [1]\n\n*b* [2](x) `[1]`", {"sources": ["https://first.example/"]})
    assert read(html).text == "A {1}\nb [2](x) `{1}`"


def test_inline_mode() -> None:
    md = MarkdownIt("commonmark").use(citations_plugin)
    env: dict[str, Any] = {"sources": ["https://first.example/"]}
    assert md.renderInline("Rain [1] [9]", env).count("<sup") == 1
    assert [str(problem) for problem in env["citations"].problems] == [
        "1:10: [9] names no source (sources: 1) [unknown-source]"
    ]


def test_one_env_for_several_documents() -> None:
    md = MarkdownIt("commonmark").use(citations_plugin)
    env: dict[str, Any] = {"sources": ["https://first.example/", "https://second.example/"]}
    first = md.render("Rain [1].", env)
    md.render("Sun [2].", env)
    assert md.render("Rain [1].", env) == first


def test_a_document_in_pieces() -> None:
    md = MarkdownIt("commonmark").use(citations_plugin, list=False)
    env: dict[str, Any] = {"sources": ["https://first.example/", "https://second.example/"]}
    md.render("Rain [1].", env)
    env["citations"].continues = True
    assert 'id="fnref_cite_2"' in md.render("Sun [2].", env)
    assert env["citations"].cited == [1, 2]


def test_tokens_are_few_and_say_what_they_are() -> None:
    md = MarkdownIt("commonmark").use(citations_plugin)
    tokens = md.parse("Rain [1][2].", {"sources": {1: "https://first.example/", 2: "A book"}})
    assert [token.type for token in tokens][-1] == "sources_list"
    (citation,) = [child for child in tokens[1].children or () if child.type == "citation"]
    assert (citation.tag, citation.nesting, citation.content) == ("sup", 0, "[1]")
    assert citation.meta["numbers"] == (1,)
    assert citation.meta["links"][0].href == "https://first.example/"
    assert (tokens[1].content[citation.meta["offset"] :]).startswith(citation.content)


def test_wrong_options_are_refused() -> None:
    for options, message in [
        ({"lst": False}, "unknown option 'lst'"),
        ({"list": True}, "option list: expected one of section, details, false, found True"),
        ({"list_level": 7}, "option list_level: expected one of 0, 1, 2, 3, 4, 5, 6, found 7"),
        ({"list_level": True}, "option list_level"),
        ({"link_to": "moon"}, "option link_to: expected one of source, list, found 'moon'"),
        ({"ranges": 1}, "option ranges: expected true or false, found 1"),
        ({"back_links": -1}, "option back_links: expected 0 or more, found -1"),
        ({"back_links": "3"}, "option back_links: expected a whole number, found '3'"),
        ({"key": ""}, "option key: expected the name of a front-matter key"),
        ({"rel": '" onclick="x'}, "option rel: expected a value for the HTML attribute rel"),
        ({"target": "a b"}, "option target"),
        ({"labels": "tlh"}, "option labels: expected a language"),
        ({"labels": {"sauces": "x"}}, "option labels: expected text for sources, back"),
        ({"id_prefix": 3}, "option id_prefix: expected text, found 3"),
        ({"sources_file": 3}, "option sources_file: expected the path of a file, found 3"),
        ({"list_level": 2.0}, "option list_level"),
        ({"list": 0}, "option list"),
    ]:
        with pytest.raises(ValueError, match=message.replace("(", r"\(")):
            MarkdownIt().use(citations_plugin, **options)


def test_a_file_of_sources(tmp_path: Any) -> None:
    path = tmp_path / "sources.yml"
    for text, reads in [
        ("- https://first.example/", "Rain {1}."),
        ("sources:\n  1: {title: T, url: 'https://first.example/'}", "Rain {1}."),
        ("1: https://first.example/", "Rain {1}."),
        ('[{"index": 1, "url": "https://first.example/"}]', "Rain {1}."),
        ("\ufeff- https://first.example/", "Rain {1}."),
        (
            '{"sources": [{"title": "\\ud83d\\ude00", "url": "https://first.example/"}]}',
            "Rain {1}.",
        ),
        ('[\n\t{"url": "https://first.example/"}\n]', "Rain {1}."),
        ("", "Rain [1]."),
        ("- [unclosed", "Rain [1]."),
        ("just text", "Rain [1]."),
    ]:
        path.write_text(text, "utf-8")
        env: dict[str, Any] = {}
        html = MarkdownIt().use(citations_plugin, sources_file=path).render("Rain [1].", env)
        assert read(html).text == reads, text
        for problem in env["citations"].problems:
            assert problem.file == str(path)
            assert problem.line
    path.write_bytes(b"- \xff")
    assert MarkdownIt().use(citations_plugin, sources_file=path).render("Rain [1].", env)
    assert str(env["citations"].problems[0].code) == "invalid-sources"
    with pytest.raises(OSError, match="nowhere"):
        MarkdownIt().use(citations_plugin, sources_file=tmp_path / "nowhere.yml")


def test_addresses_that_the_host_links_are_the_hosts() -> None:
    md = MarkdownIt("gfm-like").use(citations_plugin, list=False)
    env: dict[str, Any] = {"sources": {1: "https://first.example/", 2: "https://second.example/"}}
    for text, reads in [
        ("www.x.com/a[1]", "www.x.com/a[1]"),
        ("www.x.com/a[1]b[2]", "www.x.com/a[1]b[2]"),
        ("www.x.com/a[9][2] [1]", "www.x.com/a[9][2] {1}"),
        ("https://x.com/a[1] and [2]", "https://x.com/a[1] and {2}"),
        ("See example.com[1].", "See example.com{1}."),
        ("www.x.com/" + "a" * 3000 + "[1]", "www.x.com/" + "a" * 3000 + "[1]"),
    ]:
        assert read(md.render(text, env)).text == reads
        assert env["citations"].problems == []


def test_values_that_python_itself_refuses_to_write() -> None:
    huge = 10**5000
    for value in (huge, [huge], [{"title": huge}], [{"number": huge, "url": "https://x.example/"}],
                  [{"title": "T", "issued": {"date-parts": [[huge]]}}]):  # fmt: skip
        env: dict[str, Any] = {"sources": value}
        MarkdownIt().use(citations_plugin).render("[1]", env)
        assert env["citations"].problems


def test_using_it_twice_changes_nothing() -> None:
    once = MarkdownIt("commonmark").use(citations_plugin)
    twice = MarkdownIt("commonmark").use(citations_plugin).use(citations_plugin)
    env = {"sources": ["https://first.example/"]}
    assert twice.render("Rain [1].", dict(env)) == once.render("Rain [1].", dict(env))


def test_a_render_rule_may_render_captions() -> None:
    md = MarkdownIt("commonmark").use(citations_plugin, list=False)

    def caption(self: Any, tokens: Any, index: int, options: Any, env: Any) -> str:
        return md.renderInline("sun [2]", env)

    md.add_render_rule("hr", caption)
    env: dict[str, Any] = {"sources": ["https://first.example/", "https://second.example/"]}
    reading = read(md.render("Rain [1] [9].\n\n---\n", env))
    assert reading.text == "Rain {1} [9].\nsun {2}"
    assert reading.ids == ["fnref_cite_1", "fnref_cite_2"]
    assert env["citations"].cited == [1, 2]
    assert len(env["citations"].problems) == 1


def test_inline_mode_makes_no_link_to_a_list() -> None:
    md = MarkdownIt("commonmark").use(citations_plugin, link_to="list")
    html = md.renderInline("[1] [2]", {"sources": ["https://first.example/", {"title": "A book"}]})
    assert 'href="https://first.example/"' in html
    assert 'href="#' not in html


def test_parsers_of_other_plugins_have_an_env_of_their_own() -> None:
    md = MarkdownIt("js-default", {"typographer": True}).use(citations_plugin)
    assert md.inline.parse("[1]", md, {}, [])
    assert md.block.parse("[^1]: x y", md, {}, [])
    md.core.ruler.disable(["citations_sources"])
    assert md.render("[1] --", {}) == "<p>[1] –</p>\n"


@pytest.mark.parametrize("preset", ["commonmark", "js-default"])
def test_the_language_counts_without_sources_of_the_page(preset: str) -> None:
    md = MarkdownIt(preset).use(front_matter_plugin)
    md.use(citations_plugin, sources=["https://first.example/"])
    assert ">Quellen<" in md.render("---\nlang: de\n---\n\nRegen [1].")
    assert ">Sources<" in md.render("---\nlang: [\n---\n\nRegen [1].")


def test_shadowed_markers_in_inline_footnotes_are_reported() -> None:
    md = MarkdownIt("commonmark").use(footnote_plugin).use(citations_plugin)
    env: dict[str, Any] = {"sources": ["https://first.example/"]}
    md.render("Rain ^[see [1]] and ![a [1]](x.png).\n\n[1]: https://elsewhere.example/", env)
    assert [(str(p.code), p.line, p.column) for p in env["citations"].problems] == [
        ("shadowed-by-reference", 1, 12)
    ]


def test_data_nested_too_deep_is_a_problem() -> None:
    date: Any = [2024]
    for _ in range(2000):
        date = [date]
    _, problems = parse_sources([{"title": "A", "issued": {"date-parts": [date]}}])
    assert [problem.code for problem in problems] == ["invalid-source"]
