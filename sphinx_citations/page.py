"""One page while it is read: its sources, its problems, and the rules for its Markdown parser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from docutils import nodes
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from mdit_citations import Citations, Problem, ProblemCode, Sources, citations_plugin, parse_sources
from mdit_citations.front_matter import FrontMatter, FrontMatterBlock, read_front_matter
from mdit_citations.listing import PLACEHOLDER
from sphinx_citations.myst import Prepare
from sphinx_citations.nodes import citation_mark, sources_place
from sphinx_citations.settings import Settings

logger = logging.getLogger(__name__)

_KEY = "sphinx_citations.page"
_TRANSLATED = ":<translated>"
_ANCHOR = re.compile(r"(?<![^\s\[{,])&\w")
_MOST_LINES = 5000
"""A longer block is MyST's too: it refuses what is too much for it, with a warning."""


@dataclass
class Page:
    """The page that Sphinx is reading."""

    docname: str
    citations: Citations
    blank_lines: int = 0
    """How many lines its front matter takes."""
    broken: bool = False
    """Whether that is not YAML."""
    md_env: MutableMapping[str, Any] = field(default_factory=dict)
    """What markdown-it knows of the page, such as its link reference definitions."""
    places: list[tuple[sources_place, nodes.paragraph | None]] = field(default_factory=list)
    """Where the author wants the list: our node, and the paragraph it stands for."""
    without_source: list[citation_mark] = field(default_factory=list)
    """Citations in a text that has no ``rawsource``."""
    asks_for_place: bool = False
    """Whether ``[SOURCES]`` stands anywhere in it."""
    translated: bool = False
    """Whether a message of it has been translated."""
    reported: set[tuple[object, ...]] = field(default_factory=set)


def current_page(env: BuildEnvironment) -> Page | None:
    """The page being read, when it is one of MyST's; one without sources has no citations."""
    page: Page | None = env.temp_data.get(_KEY)
    return page if page is not None and page.docname == env.docname else None


def begin(settings: Settings, document: nodes.document, text: str) -> tuple[str, Prepare]:
    """Begin to read *document*: the text for MyST, and what makes a Markdown parser ready for it.

    A page that has nothing to cite is left to MyST alone.
    """
    env: BuildEnvironment = document.settings.env
    page = current_page(env)
    translated = str(document["source"]).endswith(_TRANSLATED)
    if page is None:
        if translated:
            return text, _leave
        page, text = _read(settings, env, document, text)
        env.temp_data[_KEY] = page
        if settings.sources_file is not None:
            env.note_dependency(str(settings.sources_file))

    page.translated = translated

    def prepare(md: MarkdownIt) -> None:
        if page.broken and not translated:
            md.core.ruler.after("block", "citations_broken_front_matter", _drop_front_matter)
        if page.citations.sources:
            _add_rules(settings, md, page, translated=translated)

    return text, prepare


def _leave(_md: MarkdownIt) -> None:
    """Leave a parser as it is."""


def _read(
    settings: Settings, env: BuildEnvironment, document: nodes.document, text: str
) -> tuple[Page, str]:
    """The page at its beginning, and its text for MyST.

    What is wrong with its front matter is reported here.
    """
    key, own, shared = settings.options.key, settings.options.front_matter, bool(settings.shared)
    front = FrontMatter(Sources(), [])
    if text.startswith("---"):
        front = read_front_matter(text, key=key, own=own, shared=shared)
    elif text.lstrip()[:1] == "{" and any(f'"{k}"' in text for k in (key, "citations", "lang")):
        front = _notebook_metadata(text, key)
        if not own:
            front = FrontMatter(Sources(), [], language=front.language)
    citations = Citations(
        front.sources.with_shared(settings.shared) if front.enabled else Sources(),
        language=front.language,
    )
    citations.continues = True
    page = Page(env.docname, citations, front.block.lines if front.block else 0)
    page.broken = any(
        problem.code is ProblemCode.INVALID_FRONT_MATTER for problem in front.problems
    )
    _report(page, document, front.problems, 0)
    if front.sources and front.block and not page.broken:
        text = _without_sources(text, key, front.block)
    return page, text


def _without_sources(text: str, key: str, block: FrontMatterBlock) -> str:
    """*text* with blank lines for the sources in its front matter, where nothing else there needs them.

    MyST would read them twice with PyYAML's Python loader, which takes longer than all the rest of a page,
    and its first releases fail at a date in them.
    """
    spans = [(start, end) for name, start, end in block.spans if name == key]
    if len(spans) != 1:
        return text
    (start, end) = spans[0]
    lines = text.count("\n", start, end)
    if lines > _MOST_LINES or _ANCHOR.search(text, start, end):
        return text
    rest = text[block.start : start] + text[end : block.start + len(block.yaml)]
    alone = all(not line or line.startswith("#") for line in map(str.strip, rest.split("\n")))
    return text[:start] + "{}" * alone + "\n" * lines + text[end:]


def _notebook_metadata(text: str, key: str) -> FrontMatter:
    """What the metadata of an ``.ipynb`` notebook says about citations.

    There ``lang`` is the language; ``language`` is a word of notebooks for that of the code.
    """
    try:
        metadata = json.loads(text)["metadata"]
        block, switch, language = map(metadata.get, (key, "citations", "lang"))
    except (ValueError, TypeError, KeyError, AttributeError):
        return FrontMatter(Sources(), [])
    sources, problems = parse_sources(block, path=key)
    language = language if isinstance(language, str) else ""
    return FrontMatter(sources, problems, switch is not False, language)


def _add_rules(settings: Settings, md: MarkdownIt, page: Page, *, translated: bool) -> None:
    options = settings.options
    citations = _of_message(page, md) if translated else page.citations

    def start(state: StateCore) -> None:
        env = state.env
        page.asks_for_place = page.asks_for_place or PLACEHOLDER in state.src
        if "citations" in env:
            return
        env["citations"] = citations
        if translated:
            # The definitions of the page's footnotes are not in the message, so `[^1]` must be told.
            notes = page.md_env.get("footnotes", {}).get("refs", {})
            if notes:
                env["footnotes"] = {"refs": dict.fromkeys(notes, -1), "list": {}}
            return
        page.md_env = env
        # MyST as plain CommonMark or GFM knows no front matter.
        if page.blank_lines and "front_matter" not in state.md.block.ruler.get_active_rules():
            lines = state.src.split("\n")
            if lines[0].startswith("---"):
                state.src = "\n" * page.blank_lines + "\n".join(lines[page.blank_lines :])

    def hand_over(state: StateCore) -> None:
        # Lines of a piece (a directive's body) begin anew; MyST moves those of tokens, so a token it is.
        problems = citations.take_problems()
        if problems:
            # A text without blocks (the title of a directive) is moved a line too far.
            meta = {"problems": problems, "before": 2 if state.inlineMode else 1}
            state.tokens.append(
                Token("citations_problems", "", 0, map=[0, 1], meta=meta, block=True)
            )

    def render_problems(renderer: Any, token: SyntaxTreeNode) -> None:
        base = max(token.map[0] - token.meta["before"], 0) if token.map else 0
        _report(page, renderer.document, token.meta["problems"], base)

    def render_citation(renderer: Any, token: SyntaxTreeNode) -> None:
        mark = citation_mark(
            token.content,
            token.content,
            numbers=token.meta["numbers"],
            space=token.meta.get("space", ""),
        )
        renderer.add_line_and_source_path(mark, token)
        renderer.current_node.append(mark)
        block = block_of(mark)
        if block is None or not block.rawsource:
            page.without_source.append(mark)

    md.use(citations_plugin, options)
    # Counting and listing wait for the whole page: MyST parses the bodies of directives while rendering.
    md.disable("citations_list")
    md.core.ruler.before("citations_sources", "citations_start", start)
    md.core.ruler.after("block", "citations_block_problems", hand_over)
    if options.inline:
        md.core.ruler.after("citations_text", "citations_text_problems", hand_over)
    md.add_render_rule("render_citation", render_citation, fmt="docutils")
    md.add_render_rule("render_citations_problems", render_problems, fmt="docutils")


def _of_message(page: Page, md: MarkdownIt) -> Citations:
    """What a translated message may cite: all that the page may, but for labels that are links there."""
    citations = Citations(page.citations.sources, language=page.citations.language)
    citations.continues = True
    citations.citable = dict(citations.citable)
    references = page.md_env.get("references", {})
    for number in list(citations.citable):
        definition = references.get(str(number))
        if definition and not page.citations.is_page_of((number,), definition["href"]):
            del citations.citable[number]
    return citations


def _drop_front_matter(state: StateCore) -> None:
    """Take a block that has been reported already from MyST, which would report it without its line."""
    for token in state.tokens:
        if token.type == "front_matter":
            token.content = "{}"


def block_of(mark: citation_mark) -> nodes.Element | None:
    """The text that *mark* stands in, such as a paragraph."""
    node: Any = mark.parent
    while isinstance(node, nodes.Inline):
        node = node.parent  # type: ignore[attr-defined]
    return node  # type: ignore[no-any-return]


def _report(page: Page, document: nodes.document, problems: Iterable[Problem], base: int) -> None:
    """Log *problems*, each once, their lines counted from *base*."""
    source = str(document["source"])
    for problem in problems:
        line = None if problem.line is None else problem.line + base
        if source.endswith(_TRANSLATED):
            # A message is parsed twice, and says what the page says.
            place: tuple[object, ...] = (problem.code, problem.message)
            location: str | tuple[str, int | None] = source
        else:
            place = (problem.code, problem.message, source, line, problem.column)
            location = (page.docname, line)
            if source != str(document.settings.env.doc2path(page.docname)):
                location = f"{source}:{line}"
        if place in page.reported:
            continue
        page.reported.update({place, (problem.code, problem.message)})
        log_problem(problem, location)


def log_problem(problem: Problem, location: str | tuple[str, int | None]) -> None:
    """Log one problem as the warning ``citations.CODE``."""
    logger.warning(
        "%s", problem.message, type="citations", subtype=str(problem.code), location=location
    )


def log_hints(page: Page) -> None:
    """Show what is worth a look without being wrong (``sphinx-build -v``)."""
    for hint in page.citations.hints:
        logger.verbose("%s: %s [citations.%s]", page.docname, hint.message, hint.code)
