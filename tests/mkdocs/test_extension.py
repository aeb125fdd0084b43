"""The Python-Markdown extension: options, problems and their places, and what stands around markers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

markdown = pytest.importorskip("markdown")

from markdown_it import MarkdownIt  # noqa: E402

from mdit_citations import Citations, citations_plugin  # noqa: E402
from mkdocs_citations.extension import CitationsExtension, makeExtension  # noqa: E402
from tests.reading import read  # noqa: E402

FRONT = """---
sources:
- {title: First, url: https://first.example/}
- {title: Second, url: https://second.example/}
- {title: A book}
---

"""


def convert(text: str, *extensions: Any, **options: Any) -> tuple[str, Any]:
    md = markdown.Markdown(extensions=[*extensions, CitationsExtension(**options)])
    return md.convert(FRONT + text), md


def problems(md: Any) -> list[tuple[str, int | None, int | None]]:
    return [(str(problem.code), problem.line, problem.column) for problem in md.citations.problems]


def test_the_same_superscripts_and_list_as_through_markdown_it() -> None:
    text = "Rain [1][2], a book [3].\n\nSun **[1, 2]**."

    def normal(html: str) -> str:
        html = re.sub(r'="([^"]*)"', lambda found: f"={found[1]}=", html)
        tags = (" ".join(sorted(tag.split())) for tag in re.split(r"[<>\n]+", html))
        return "\n".join(tag for tag in tags if tag).replace(
            "data-search-exclude==", "data-search-exclude"
        )

    html, _ = convert(text)
    expected = MarkdownIt().use(citations_plugin).render(FRONT + text)
    assert normal(html) == normal(expected)


def test_by_name_and_with_options_of_python_markdown() -> None:
    md = markdown.Markdown(
        extensions=["mkdocs_citations.extension"],
        extension_configs={"mkdocs_citations.extension": {"sources": ["https://first.example/"]}},
    )
    assert read(md.convert("Rain [1].")).text == "Rain {1}."
    assert isinstance(md.citations, Citations)
    assert makeExtension(list="details").options().list == "details"


@pytest.mark.parametrize(
    ("option", "value"), [("list", "maybe"), ("ranges", "yes"), ("nothing", 1), ("list_level", 9)]
)
def test_a_wrong_option_says_what_was_expected(option: str, value: object) -> None:
    with pytest.raises(ValueError, match=r"expected one of|true or false|unknown option"):
        CitationsExtension(**{option: value})


def test_a_sources_file_that_is_not_there_is_a_problem_with_its_name(tmp_path: Path) -> None:
    md = markdown.Markdown(extensions=[CitationsExtension(sources_file=str(tmp_path / "none.yml"))])
    assert md.convert("Rain [1].") == "<p>Rain [1].</p>"
    (problem,) = md.citations.problems
    assert problem.file.endswith("none.yml")
    assert str(problem.code) == "invalid-sources"


def test_shared_sources_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "shared.yml"
    file.write_text("- https://shared.example/\n", "utf-8")
    md = markdown.Markdown(extensions=[CitationsExtension(sources_file=str(file))])
    assert read(md.convert("Rain [1].")).hrefs == {1: {"https://shared.example/"}}
    assert "sources" not in md.convert("Rain.")


def test_problems_have_their_line_and_column() -> None:
    text = (
        "```\nSee [9].\n```\n\n> A quote [8],\n> See [9].\n\n| a | b |\n|---|---|\n| x | **y** [7] |\n\n"
        "[^2]: says something else\n\nSee `x` [1, 6].\n"
    )
    _, md = convert(text, "fenced_code", "tables", "smarty")
    assert problems(md) == [
        ("unknown-source", 12, 11),
        ("unknown-source", 13, 7),
        ("unknown-source", 17, 13),
        ("definition-differs", 19, 1),
        ("unknown-source", 21, 9),
    ]


def test_problems_in_links_and_code_are_none() -> None:
    _, md = convert("[see [9]](x) `[9]` <code>[9]</code> [9](x) [2024]\n\n[9]: text")
    assert problems(md) == []


def test_a_raw_element_across_blocks_encloses_what_stands_between_its_tags() -> None:
    html, md = convert("Rain [1] <code>x\n\n[9] [2]\n\n- y [9]</code> [3]\n\n[9]", list=False)
    assert read(html).text == "Rain {1} x\n[9] [2]\ny [9] {3}\n[9]"
    assert problems(md) == [("unknown-source", 14, 1)]


def test_no_definition_begins_a_heading_or_a_cell() -> None:
    text = "# [1]: Rain\n\n| a | b |\n|---|---|\n| [2]: x | [9]: y |\n\nText\n[1]: Sun [2]:\n*x* [8]: z\n"
    html, md = convert(text, "tables", list=False)
    assert read(html).text.startswith(
        "{1}: Rain\na\nb\n{2}: x\n[9]: y\nText [1]: Sun {2}: x [8]: z"
    )
    assert problems(md) == [("unknown-source", 12, 12), ("unknown-source", 16, 5)]


def test_a_shadowed_marker_is_reported_where_it_stands() -> None:
    html, md = convert("Rain.\n\nSun [1].\n\n[1]: https://elsewhere.example/")
    assert '<a href="https://elsewhere.example/">1</a>' in html
    assert problems(md) == [("shadowed-by-reference", 10, 5)]


STRUCTURES = {
    "admonition": ('!!! note "Title [1]"\n    Text [2].', "Title {1}\nText {2}."),
    "pymdownx.details": ('??? note "Title [1]"\n    Text [2].', "Title {1}\nText {2}."),
    "pymdownx.tabbed": ('=== "Tab [1]"\n    Text [2].', "Tab {1}\nText {2}."),
    "pymdownx.tasklist": ("- [x] Rain [1]\n- [ ] Sun [2]", "Rain {1}\nSun {2}"),
    "tables": ("| a | b |\n|---|---|\n| [1] | x [2] |", "a\nb\n{1}\nx {2}"),
    "def_list": ("Term [1]\n: Text [2]", "Term {1}\nText {2}"),
    "md_in_html": ('<div markdown="1">\nRain [1].\n</div>', "Rain {1}."),
    "abbr": ("HTML [1] rain.\n\n*[HTML]: Hypertext", "HTML {1} rain."),
    "attr_list": ("# Rain [1] {: #rain .c }\n\n*sun*{: .d } [2]", "Rain {1}\nsun {2}"),
    "nl2br": ("Rain [1]\nSun [2]", "Rain {1} Sun {2}"),
    "sane_lists": ("1. Rain [1]\n2. Sun [2]", "Rain {1}\nSun {2}"),
    "smarty": ('"Rain" [1] -- "[2]" it\'s', "“Rain” {1} – “{2}” it’s"),
    "wikilinks": ("[[Rain]] [1]", "Rain {1}"),
    "pymdownx.caret": ("H^2^O [^1][^2] ^[1, 2]^ ^[1]^", "H2O {1 2} ^{1 2}^ {1}"),
    "pymdownx.magiclink": ("https://x.example/a[1] and [2]", "https://x.example/a[1] and {2}"),
    "pymdownx.superfences": ("``` x\n[1]\n```\n\n[2]", "[1]\n{2}"),
    "pymdownx.arithmatex": ("$a[1]$ [2]\n\n$$\nb[1]\n$$", "\\(a[1]\\) {2}\n\\[\nb[1]\n\\]"),
    "pymdownx.keys": ("++ctrl+1++ [1]", "Ctrl+1 {1}"),
    "pymdownx.inlinehilite": ("`#!python a[1]` [2]", "a[1] {2}"),
    "pymdownx.snippets": ("Rain [1].", "Rain {1}."),
    "pymdownx.critic": ("{++ Rain [1] ++} [2]", "Rain {1} {2}"),
    "pymdownx.escapeall": ("\\[1\\] \\^[1]", "[1] ^{1}"),
}


@pytest.mark.parametrize("extension", STRUCTURES)
def test_structures_read_as_they_should(extension: str) -> None:
    if extension.startswith("pymdownx"):
        pytest.importorskip("pymdownx")
    text, expected = STRUCTURES[extension]
    configs = {
        "pymdownx.tabbed": {"alternate_style": True},
        "pymdownx.arithmatex": {"generic": True},
    }
    md = markdown.Markdown(
        extensions=[extension, CitationsExtension(list=False)], extension_configs=configs
    )
    text = read(md.convert(FRONT + text)).text
    assert [" ".join(line.split()) for line in text.split("\n")] == [
        " ".join(line.split()) for line in re.split(r"\n(?!b\[)(?!\\\])", expected)
    ]


@pytest.mark.parametrize(
    ("text", "address", "expected"),
    [
        ("https://x.example/a[1]([2]", "https://x.example/a[1]([2]", []),
        ("www.x.example/[1]([1][2] [2]", "www.x.example/[1]([1][2]", [2]),
        ("https://x.example/a[b](c)[1]", "https://x.example/a", [1]),
        ("https://x.example/a[n][1]\n\n[n]: /z", "https://x.example/a", [1]),
        ("https://x.example/a![1](c)[1]", "https://x.example/a", [1]),
        ("[b](c)https://x.example/a[1]", "https://x.example/a[1]", []),
        ("[^n]https://x.example/a[1]\n\n[^n]: z", "https://x.example/a[1]", []),
        ("https://x.example/<b>[1]</b>", "https://x.example/", [1]),
    ],
)
def test_an_address_that_the_host_links_goes_as_far_as_without_us(
    text: str, address: str, expected: list[int]
) -> None:
    pytest.importorskip("pymdownx")
    extensions = ["pymdownx.magiclink", "footnotes"]
    html, _ = convert(text, *extensions, list=False)
    for result in (html, markdown.markdown(text, extensions=extensions)):
        assert f">{address}</a>" in result
    assert read(html).cited == expected


def test_headings_slugs_and_the_table_of_contents_have_no_marker() -> None:
    html, md = convert("# Rain [1]\n\n## Sun [^2] and more\n\nText.", "toc")
    names = [md.toc_tokens[0]["name"], *(child["name"] for child in md.toc_tokens[0]["children"])]
    assert [" ".join(name.split()) for name in names] == ["Rain", "Sun and more", "Sources"]
    assert {"rain", "sun-and-more", "cite_sources"} < set(read(html).ids)
    html, md = convert("# Rain *and **sun [1]** [2]*", "toc", list=False)
    assert [(one["id"], one["name"]) for one in md.toc_tokens] == [("rain-and-sun", "Rain and sun")]
    assert read(html).text == "Rain and sun {1} {2}"


@pytest.mark.parametrize("options", [{}, {"anchorlink": True}, {"permalink": True}])
def test_a_heading_of_nothing_but_markers_has_the_name_it_has_without_us(
    options: dict[str, Any],
) -> None:
    text = "# [1]\n\n## 1\n\n## *[1][2]* [3]\n\n### ![x](y) <b>[1]</b>\n\nText [1]."
    plain = markdown.Markdown(extensions=["toc"], extension_configs={"toc": options})
    plain.convert(text)
    ours = markdown.Markdown(
        extensions=["toc", CitationsExtension(list=False)], extension_configs={"toc": options}
    )
    html = ours.convert(FRONT + text)
    # The tokens are those of the plain parser: their HTML too, which has no superscript yet.
    assert ours.toc_tokens == plain.toc_tokens
    assert ours.toc == plain.toc
    heads = [line for line in read(html.replace("&para;", "")).text.split("\n") if line]
    assert heads == ["{1}", "1", "{1 2} {3}", "{1}", "Text {1}."]
    ids = read(html).ids
    assert [name for name in ids if "fnref" in name] == [f"fnref_cite_{n}" for n in range(1, 6)]
    if "anchorlink" in options:
        for heading in re.findall(r"<h[1-6].*?</h", html):
            assert heading.count("<a ") == 1


def test_a_heading_that_is_a_link_has_no_link_in_it() -> None:
    md = markdown.Markdown(
        extensions=["toc", CitationsExtension()], extension_configs={"toc": {"anchorlink": True}}
    )
    html = md.convert(FRONT + "# Rain [1]\n\nSun [1].")
    heading = html[: html.index("</h1>")]
    assert heading.count("<a") == 1
    assert '<span class="citation-link"' in heading


def test_a_list_level_of_zero_is_not_in_the_table_of_contents() -> None:
    _, md = convert("# Rain [1]", "toc", list_level=0)
    assert md.toc_tokens[0]["children"] == []


def test_the_list_stands_after_the_footnotes_or_where_it_is_wanted() -> None:
    html, _ = convert("Rain [1][^n].\n\n[^n]: A note.", "footnotes")
    assert html.index('class="footnote"') < html.index('class="sources"')
    html, _ = convert("Rain [1].\n\n[SOURCES]\n\nSun.\n\n[SOURCES]")
    assert html.index('class="sources"') < html.index("Sun.")
    assert html.count("[SOURCES]") == 1
    html, _ = convert("- Rain [1].\n- [SOURCES]\n    - Sun.\n\nText")
    assert html.index("Rain") < html.index('class="sources"') < html.index("Sun.")
    html, _ = convert("Rain [1]\n:   [SOURCES]\n\nText", "def_list")
    assert html.index('class="sources"') < html.index("Text")


def test_ampersands_and_controls_in_titles_stay_what_they_are() -> None:
    front = '---\nsources:\n- {title: "&lt;b&gt; & \\x02wzxhzdk:0\\x03", url: "https://a.example/?x&lt;y"}\n---\n'
    md = markdown.Markdown(extensions=["toc", CitationsExtension()])
    html = md.convert(front + "# Rain [1]\n\nText <br> [1].")
    assert read(html).titles == ["[1] &lt;b&gt; & wzxhzdk:0"]
    assert read(html).hrefs == {1: {"https://a.example/?x&lt;y"}}


def test_front_matter_that_python_markdown_reads_keeps_its_other_keys() -> None:
    text = "---\ntitle: A page\nsources:\n- https://first.example/\ndate: today\n---\n\nRain [1]."
    md = markdown.Markdown(extensions=["meta", CitationsExtension()])
    assert read(md.convert(text)).text == "Rain {1}."
    assert md.Meta == {"title": ["A page"], "date": ["today"]}


def test_unicode_superscripts_are_ordinary_links() -> None:
    html, _ = convert("Rain [1][2], a book [3].", superscript="unicode")
    assert "<sup" not in html
    assert '<a href="https://first.example/" title="First – first.example">¹</a> <a ' in html
    assert "³" in html
    assert ">Sources</h2>" in html


@pytest.mark.parametrize(
    ("language", "quote"), [("", "“It rains.”"), ("fr", "«\u00a0It rains.\u00a0»")]
)
def test_quotes_in_the_marks_of_the_page_s_language(language: str, quote: str) -> None:
    front = f"---\nlang: {language}\nsources: [{{title: First, quote: It rains.}}]\n---\n\n"
    md = markdown.Markdown(extensions=[CitationsExtension(superscript="unicode")])
    assert f"<li>[1] First {quote}</li>" in md.convert(f"{front}Rain [1].")
    # There they are the style sheet's.
    md = markdown.Markdown(extensions=[CitationsExtension()])
    assert '<q class="source-quote">It rains.</q>' in md.convert(f"{front}Rain [1].")


def test_inline_off_keeps_the_list() -> None:
    html, _ = convert("Rain [1].", inline=False)
    assert "<p>Rain [1].</p>" in html
    assert len(read(html).titles) == 3


def test_definitions_all_and_none() -> None:
    text = "Rain [^1].\n\n[^1]: something else altogether\n\nSun."
    assert read(convert(text, definitions="all")[0]).text == "Rain {1}.\nSun."
    assert "something else" in read(convert(text, definitions="none")[0]).text


def test_nested_deeper_than_python_recurses() -> None:
    html, _ = convert("> " * 60 + "Rain [1].")
    assert read(html).text == "Rain {1}."


def test_deduplicated_ids_where_an_extension_shows_a_text_twice() -> None:
    html, _ = convert("Rain [1] and sun [1].\n\n## H [2]\n\n[TOC]", "toc")
    ids = read(html).ids
    assert len(set(ids)) == len(ids)


def test_plugin_and_extension_together_do_no_harm() -> None:
    md = markdown.Markdown(extensions=[CitationsExtension(), CitationsExtension()])
    assert read(md.convert(FRONT + "Rain [1].")).text == "Rain {1}."


def test_attributes_without_a_value_are_left_alone() -> None:
    class Empty(markdown.treeprocessors.Treeprocessor):
        def run(self, root: Any) -> None:
            root[0].attrib["hidden"] = None

    class Mend(markdown.treeprocessors.Treeprocessor):
        def run(self, root: Any) -> None:
            # Early versions of Python-Markdown can't write such an attribute.
            del root[0].attrib["hidden"]

    class EmptyExtension(markdown.Extension):
        def extendMarkdown(self, md: Any) -> None:  # noqa: N802
            md.treeprocessors.register(Empty(md), "empty", 15)
            md.treeprocessors.register(Mend(md), "mend", 5.2)

    html, _ = convert("Rain [1].", EmptyExtension(), list=False)
    assert read(html).text == "Rain {1}."


@pytest.mark.parametrize(
    "block",
    [
        "sources: [\n  https://a.example/,\n]",
        "sources:\n  - title: 'A\n\n      b'\n    url: https://a.example/",
        "sources:\n- https://a.example/\n# end",
        '"sources": [https://a.example/]\nsources: []',
    ],
)
def test_meta_keeps_all_but_our_lines(block: str) -> None:
    md = markdown.Markdown(extensions=["meta", CitationsExtension()])
    html = md.convert(f"---\ntitle: T\n{block}\nauthor: Me\n---\n\nRain [1]\n")
    assert md.Meta == {"title": ["T"], "author": ["Me"]}
    assert html.startswith("<p>Rain <sup")
