"""Markdown to try things with: pieces of every construct, put together at random."""

from __future__ import annotations

from hypothesis import strategies as st

INLINE = [
    "[1]", "[2]", "[3]", "[12]", "[^1]", "[^2]", "[1, 3]", "[1,3]", "[^1, ^3]", "[3,\n1]", "[1,  \n 3]", "[1, 1]",
    "[9]", "[^9]", "[1, 9]", "[1,,2]", "[1]--", "--[1]", "'[1]", "[1]'", "\"[1][2]\"", "[1,\n9]", "[1,  \n 9]", "[1 \n, 9]", "[2024]", "[0]", "[01]", "[ 1 ]", "[1", "1]", "[", "]", "[]", "[^]", "[^", "(", ")",
    "!", "![1]", "![2](pic.png)", "[1](https://x.example/)", "[a [1]](https://x.example/)", "[1][rain]", "[rain][1]",
    "[rain]", "[1][]", "[^note]", "^[inline [1]]", "\\[1\\]", "\\[1]", "[1\\]", "\\", "&#91;1&#93;", "&amp;",
    "`[1]`", "`` a`[1] ``", "`", "``", "*", "**", "_", "__", "~~", "<", ">", "<b>", "</b>", "<code>", "</code>", "<code>[1]</code>",
    "<a href='/x'>", "</a>", "<kbd>[2]</kbd>", "<!-- [1] -->", "<br>", "<span title='[1]'>", "</span>",
    "<https://x.example/a[1]>", "https://x.example/a[1]", "www.x.example/a[1]", "$a[1]$", "$$", "{.x}", "[1]{.x}", "[w]{.x}",
    '"', "'", "...", "--", "(c)", ":", "|", "a", "rain", "word ", " ", "  ", "\n", "  \n", "\\\n", "\t", "雨", "é", "\u00a0", "\u200b",
    ".", ",", "-", "+", "#", "1", "=", "~", "x[1]y", "😀", "\x00", "\r\n",
]  # fmt: skip
BLOCK = [
    "", "", "", "> ", "> > ", "- ", "- [ ] ", "* ", "1. ", "# ", "## ", "    ", "   ", "\t", "```\n", "~~~\n", "---\n", "***\n",
    "| a | b |\n|---|---|\n| ", "| ", "[^note]: ", "[^7]: ", "[rain]: https://x.example/ ", "Term\n: ", "<div>\n", "</div>\n",
    "<pre>\n", "</pre>\n", "<!--\n", "-->\n", "$$\n", "::: note\n", ":::\n", "!!! note\n    ", "===\n", "[SOURCES]\n",
]  # fmt: skip
DEFINITIONS = [
    "[^1]: Source 1, https://first.example/", "[^1]: https://first.example/", "[^2]: Something else", "[^1]:", "[^3]: source 3\n\n    more",
    "[^9]: Unknown", "[^2]: https://elsewhere.example/", "> [^1]: Source 1", "- [^1]: Source 1",
]  # fmt: skip
REFERENCES = [
    "[1]: https://first.example/", "[1]: https://elsewhere.example/", '[2]: https://second.example/a?b=1&c=2 "T"', "[3]: x",
    "[^1]: <https://elsewhere.example/>", "[1, 3]: https://elsewhere.example/", "[9]: https://elsewhere.example/",
]  # fmt: skip

inline = st.lists(st.sampled_from(INLINE), max_size=8).map("".join)


def line(blocks: list[str]) -> st.SearchStrategy[str]:
    """A line (or what looks like one) that begins with a block's marker, perhaps."""
    return st.tuples(st.lists(st.sampled_from(blocks), max_size=2).map("".join), inline).map(
        "".join
    )


def documents(*more: list[str]) -> st.SearchStrategy[str]:
    """Documents; *more* are further lines that may stand in them."""
    lines = line(BLOCK)
    for extra in more:
        lines = lines | st.sampled_from(extra)
    breaks = st.sampled_from(["\n", "\n\n"])
    return st.lists(st.tuples(lines, breaks).map("".join), max_size=8).map("".join)
