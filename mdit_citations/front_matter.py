"""The sources in a page's front matter, or in a YAML or JSON file of their own.

Front matter is untrusted: nothing in it makes these functions raise, and nothing but our keys is read.
"""

from __future__ import annotations

import re
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import NamedTuple

import yaml

from mdit_citations.problems import Problem, ProblemCode
from mdit_citations.sources import Sources, parse_sources
from mdit_citations.yaml_events import read_block, read_keys
from mdit_citations.yaml_places import Places, located, yaml_problem

_OPENING = re.compile(r"-{3,}[ \t]*\r?\n")
_OFF = frozenset(("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"))


class FrontMatterBlock(NamedTuple):
    """Where the front matter of a text stands."""

    yaml: str
    """What stands between the fences."""
    start: int
    """Offset of its first character."""
    lines: int
    """How many lines it takes, fences included."""
    end: int
    """Offset of the first character after it."""
    spans: tuple[tuple[str, int, int], ...] = ()
    """Our keys, each with the offsets in the text between which it and its value stand, whole lines. Empty
    where they are not to be had: in a flow mapping, or where it is no YAML."""


class FrontMatter(NamedTuple):
    """What a front matter says about citations."""

    sources: Sources
    problems: list[Problem]
    enabled: bool = True
    """False where ``citations: false`` switches the page off."""
    language: str = ""
    """The page's ``lang`` (or ``language``), empty when it names none."""
    block: FrontMatterBlock | None = None
    """Where it stands; None for one that says nothing of citations, which is not ours."""


def read_front_matter(
    text: str,
    *,
    key: str = "sources",
    own: bool = True,
    shared: bool = False,
    complete: bool = True,
) -> FrontMatter:
    """What the front matter at the very start of *text* says about citations.

    It is read if a line of it begins with the key or ``citations:``. Unless it may bring *own* sources,
    only ``citations: false`` and its language count then, and it stays with the host. One that says nothing
    of citations is read for its language where the page may cite *shared* sources. A text that is not
    *complete* is not said to lack the end of its front matter. Never raises: what can't be read is a problem.
    """
    nothing = FrontMatter(Sources(), [])
    block = find_front_matter(text)
    if block is None:
        problem = _unclosed(text, key) if own and complete else None
        return nothing._replace(problems=[problem]) if problem else nothing
    if _names(block, key, "citations"):
        front = _parse(block.yaml, key, 2, block)
        return front if own else nothing._replace(enabled=front.enabled, language=front.language)
    if shared and _names(block, "lang", "language"):
        return nothing._replace(language=_parse(block.yaml, key, 2).language)
    return nothing


def _names(block: FrontMatterBlock, *keys: str) -> bool:
    """Whether a line of the block begins with one of the keys."""
    return bool(re.search(rf"\n(?:{'|'.join(map(re.escape, keys))})[ \t]*:", f"\n{block.yaml}"))


def find_front_matter(text: str) -> FrontMatterBlock | None:
    """The front matter at the very start of *text*.

    Fences are those of mdit-py-plugins' ``front_matter``: at least three dashes, closed by as many or
    by ``...``.
    """
    if not text.startswith("---") or not (opening := _OPENING.match(text)):
        return None
    fence = len(opening[0].rstrip())
    # A line break first rather than `^`, which would be tried at each character.
    closing = re.compile(rf"\n(?:-{{{fence},}}|\.\.\.)[ \t]*\r?$", re.MULTILINE)
    if not (close := closing.search(text, opening.end() - 1)):
        return None
    block = text[opening.end() : close.start() + 1]
    end = min(close.end() + 1, len(text))
    return FrontMatterBlock(block, opening.end(), text.count("\n", 0, close.end()) + 1, end)


def _unclosed(text: str, key: str) -> Problem | None:
    """What is wrong with a *text* that begins a block of sources as front matter and never ends it.

    Markdown makes a rule and a paragraph of that, so only a block with entries, before the first blank
    line, is reported.
    """
    if not text.startswith("---") or not (opening := _OPENING.match(text)):
        return None
    paragraph = text[opening.end() :].replace("\r\n", "\n").partition("\n\n")[0]
    block = rf"^{re.escape(key)}[ \t]*:[ \t]*\n[ \t]*(?:-[ \t]|[0-9]+[ \t]*:)"
    if not re.search(block, paragraph, re.MULTILINE):
        return None
    message = f"{key}: expected a line {opening[0].rstrip()} that ends the front matter, found none"
    return Problem(ProblemCode.INVALID_FRONT_MATTER, message, 1, 1)


def parse_front_matter(block: str, *, key: str = "sources", first_line: int = 2) -> FrontMatter:
    """Read what stands between the fences; *first_line* is the line of the text it begins on.

    Never raises: what cannot be read is a problem with line and column.
    """
    return _parse(block, key, first_line)


def _parse(
    text: str, key: str, first_line: int, block: FrontMatterBlock | None = None
) -> FrontMatter:
    """The same; where *text* is that of a *block*, the result has that block."""
    try:
        found = read_keys(text, {key, "citations", "lang", "language"})
    except (yaml.YAMLError, ValueError) as error:
        problem = yaml_problem(error, text, first_line)
        return FrontMatter(Sources(), [problem], block=block)
    if block:
        before = block.start
        spans = [(name, start + before, end + before) for name, start, end in found.spans]
        block = block._replace(spans=tuple(span for span in spans if span[0] in {key, "citations"}))
    values = found.values
    switch = values.get("citations")
    if isinstance(switch, str) and switch in _OFF:
        return FrontMatter(Sources(), [], enabled=False, block=block)
    sources, problems = parse_sources(values.get(key), path=key)
    if problems:
        problems = located(problems, text, first_line)
    for name, mark in found.repeated:
        if name == key:
            message = f"{key}: expected once, found again; the first counts"
            line, column = Places(text, first_line).of(mark)
            problems.append(Problem(ProblemCode.INVALID_SOURCES, message, line, column, key))
    language = values.get("lang") or values.get("language")
    language = language if isinstance(language, str) else ""
    return FrontMatter(sources, problems, language=language, block=block)


def load_sources_file(
    path: str | PathLike[str], *, key: str = "sources"
) -> tuple[Sources, list[Problem]]:
    """Read shared sources from a YAML or JSON file: a block, or a mapping that has one under *key*.

    Raises ``OSError`` when the file can't be read. Everything else is a problem that names the file.
    """
    raw = Path(path).read_bytes()
    name, text = str(path), ""
    try:
        text = raw.decode("utf-8-sig")
        block = read_block(text, key)
    except (yaml.YAMLError, ValueError) as error:
        problem = replace(yaml_problem(error, text, 1), code=ProblemCode.INVALID_SOURCES, file=name)
        return Sources(), [problem]
    sources, problems = parse_sources(block, path=key)
    if problems:
        problems = located(problems, text, 1)
    return Sources(shared=sources.values()), [replace(problem, file=name) for problem in problems]
