"""What the plugin costs, as ratios from one run: ``python -m benchmarks.core [pages]``.

Plain is markdown-it-py with mdit-py-plugins' ``front_matter``; footnotes is that with its ``footnote``
too. All render to HTML. ``same text`` compares with plain on the very same pages, front matter skipped and
definitions as text; ``body alone`` with plain on the prose only, which has neither.

How they are timed stands in ``timing.py``.
"""

from __future__ import annotations

import sys
import tracemalloc
from functools import partial

from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from benchmarks.pages import pages
from benchmarks.timing import best
from mdit_citations import citations_plugin

ROUNDS = 7


def plain() -> MarkdownIt:
    return MarkdownIt("commonmark").use(front_matter_plugin)


def ours() -> MarkdownIt:
    return MarkdownIt("commonmark").use(citations_plugin)


def notes() -> MarkdownIt:
    return plain().use(footnote_plugin)


def ratios(contenders: dict[str, tuple[MarkdownIt, list[str]]]) -> dict[str, float]:
    """Each contender's time divided by the first one's.

    ``again`` is a second plain parser on the first one's texts: how far it is from 1 is the noise.
    """
    texts = next(iter(contenders.values()))[1]
    found = best(
        {
            name: [partial(md.render, text) for text in texts]
            for name, (md, texts) in {**contenders, "again": (plain(), texts)}.items()
        },
        ROUNDS,
    )
    first = found[next(iter(contenders))]
    return {name: seconds / first for name, seconds in found.items()}


def peak(md: MarkdownIt, texts: list[str]) -> float:
    """Peak memory in MB while each text is parsed and rendered, one after the other."""
    tracemalloc.start()
    for text in texts:
        md.render(text)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 1e6


def token_bytes(text: str, markers: int) -> float:
    """Memory that the tokens of a page keep for each marker, against the plain parser's."""
    kept = []
    for md in (plain(), ours()):
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        tokens = md.parse(text)
        kept.append(tracemalloc.get_traced_memory()[0] - before)
        tracemalloc.stop()
        del tokens
    return (kept[1] - kept[0]) / markers


def ratio(found: dict[str, float]) -> str:
    return f"citations {found['citations']:.3f} x plain (again {found['again']:.3f})"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    made = pages(count)
    size = sum(len(page.copied) for page in made) / 1e6
    print(f"{count} pages, {size:.1f} MB, Python {sys.version.split()[0]}, {ROUNDS} rounds")

    bare = [page.unmarked for page in made]
    found = ratios({"plain": (plain(), bare), "citations": (ours(), bare)})
    print(f"(a) pages without sources or markers   {ratio(found)}")
    text = [page.body for page in made]
    found = ratios({"plain": (plain(), text), "citations": (ours(), text)})
    print(f"(a) markers but no sources             {ratio(found)}")

    found = ratios(
        {
            "plain": (plain(), text),
            "same text": (plain(), [page.answer for page in made]),
            "same text, copies": (plain(), [page.copied for page in made]),
            "citations": (ours(), [page.answer for page in made]),
            "copies": (ours(), [page.copied for page in made]),
            "footnotes": (notes(), [page.footnotes for page in made]),
        }
    )
    print(f"(b) answer pages (again {found['again']:.3f})")
    print("                                       same text   body alone   footnotes")
    for name, says in (
        ("citations", "front matter, ids and list"),
        ("copies", "and copied definitions"),
    ):
        same = found["same text" if name == "citations" else "same text, copies"]
        cost = found[name]
        print(f"    {says:<34} {cost / same:9.3f} {cost:12.3f} {cost / found['footnotes']:11.3f}")
    print(f"    {'footnotes, with definitions':<34} {'':9} {found['footnotes']:12.3f}")
    few = made[:50]
    peaks = {
        "plain": peak(plain(), [page.body for page in few]),
        "citations": peak(ours(), [page.copied for page in few]),
        "footnotes": peak(notes(), [page.footnotes for page in few]),
    }
    print(
        "    peak memory  " + ", ".join(f"{name} {value:.2f} MB" for name, value in peaks.items())
    )
    page = "---\nsources: [https://first.example/]\n---\n\n" + "word word word word [1] " * 2000
    print(f"    tokens       {token_bytes(page, 2000):.0f} bytes for each marker")


if __name__ == "__main__":
    main()
