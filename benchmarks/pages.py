"""Generated pages, the same for every benchmark and every run."""

from __future__ import annotations

import random
from dataclasses import dataclass

from mdit_citations.markers import grammar

# fmt: off
WORDS = [
    "rain", "weather", "station", "gauge", "record", "measured", "north", "valley", "average",
    "season", "report", "model", "estimate", "river", "snow", "data", "study", "published", "yearly",
    "trend", "surface", "temperature", "method", "network", "daily", "error", "corrected", "series",
    "change", "region", "mountain", "coast", "wind", "pressure", "sample", "result", "however",
    "between", "during", "several", "according",
]
# fmt: on


@dataclass(frozen=True)
class Page:
    """One page in the forms that are compared."""

    body: str
    """Prose with markers of every shape, nothing else."""
    answer: str
    """Front matter with sources, then the body."""
    copied: str
    """The same with a definition line for each source under the body, as some models write them."""
    footnotes: str
    """The body with every marker as a footnote reference, and the definitions; no front matter."""
    unmarked: str
    """The same prose without markers, front matter or definitions."""


def pages(count: int, *, seed: int = 1) -> list[Page]:
    """*count* answer pages, one marker for 25 words, 5 to 100 sources each."""
    dice = random.Random(seed)
    return [_page(dice, dice.randint(5, 100)) for _ in range(count)]


def _page(dice: random.Random, sources: int) -> Page:
    paragraphs: list[str] = []
    marked: list[str] = []
    for _ in range(dice.randint(6, 16)):
        words: list[str] = []
        notes: list[str] = []
        for position in range(dice.randint(40, 160)):
            word = dice.choice(WORDS)
            if position % 40 == 5:
                word = dice.choice(
                    [
                        f"*{word}*",
                        f"**{word}**",
                        f"`{word}[1]`",
                        f"[{word}](https://w.example/{word})",
                    ]
                )
            marker = note = ""
            if position % 25 == 24:
                numbers = dice.sample(range(1, sources + 1), dice.choice([1, 1, 1, 2]))
                note = "".join(f"[^{n}]" for n in numbers)
                marker = dice.choice(
                    [f"[{', '.join(map(str, numbers))}]", "".join(f"[{n}]" for n in numbers), note]
                )
            words.append(word + marker)
            notes.append(word + note)
        paragraphs.append(" ".join(words) + ".")
        marked.append(" ".join(notes) + ".")
    titles = [" ".join(dice.choices(WORDS, k=6)).capitalize() for _ in range(sources)]
    urls = [
        f"https://site{n}.example/{'/'.join(dice.choices(WORDS, k=3))}"
        for n in range(1, sources + 1)
    ]
    entries = zip(titles, urls, strict=True)
    block = "".join(f"  - title: {title}\n    url: {url}\n" for title, url in entries)
    definitions = "\n".join(
        f"[^{n}]: {title}, {url}"
        for n, (title, url) in enumerate(zip(titles, urls, strict=True), 1)
    )
    front = f"---\ntitle: A page\nsources:\n{block}---\n\n"
    body = "\n\n".join(paragraphs)
    notes_body = "\n\n".join(marked)
    return Page(
        body=body,
        answer=f"{front}{body}\n",
        copied=f"{front}{body}\n\n{definitions}\n",
        footnotes=f"{notes_body}\n\n{definitions}\n",
        unmarked=_without_markers(body),
    )


def _without_markers(text: str) -> str:
    pieces, last = [], 0
    for marker in grammar().find(text):
        if text[marker.end] != "`":
            pieces.append(text[last : marker.start])
            last = marker.end
    return "".join(pieces) + text[last:]
