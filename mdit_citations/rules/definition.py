"""Block rule, before ``fence``: lines ``[^n]: …`` that are copies of an entry are dropped."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from markdown_it.rules_block import StateBlock

from mdit_citations.citations import Citations
from mdit_citations.definitions import ANY_OPENING, OPENING, longest


def definition_rule(*, take_all: bool) -> Callable[[StateBlock, int, int, bool], bool]:
    """The rule; with *take_all*, definitions of sources are dropped whatever they say."""

    def citation_definition(
        state: StateBlock, start_line: int, end_line: int, silent: bool
    ) -> bool:
        src = state.src
        start = state.bMarks[start_line] + state.tShift[start_line]
        if not src.startswith("[^", start):
            return False
        citations: Citations | None = state.env.get("citations")
        opening = OPENING.match(src, start, state.eMarks[start_line])
        if citations is None or not opening or state.is_code_block(start_line):
            return False
        source = citations.citable.get(int(opening[1]))
        if source is None:
            return False
        most = None if take_all else longest(source)
        text, after = _extent(state, start_line, end_line, opening.end(), most, citation_definition)
        if not take_all and not citations.is_copy(source.number, text):
            if not silent:
                column = start - src.rfind("\n", 0, start)
                citations.report_definition(source.number, start_line + 1, column)
            return False
        if not silent:
            state.line = after
        return True

    return citation_definition


def _extent(
    state: StateBlock,
    start_line: int,
    end_line: int,
    start: int,
    most: int | None,
    ourselves: object,
) -> tuple[str, int]:
    """What a definition says, and the line after it; stops early past *most* characters.

    Its extent is that of mdit-py-plugins' ``footnote``: a paragraph, lazy continuation included, then
    whatever is indented by four.
    """
    ends = [rule for rule in state.md.block.ruler.getRules("paragraph") if rule is not ourselves]
    lines = [state.src[start : state.eMarks[start_line]]]
    length = len(lines[0])
    indent = state.blkIndent + 4
    line = after = start_line + 1
    in_paragraph = not lines[0].isspace()
    while line < end_line and (most is None or length <= most):
        if state.isEmpty(line):
            in_paragraph = False
        else:
            if state.sCount[line] < indent and (
                not in_paragraph or _ends_paragraph(state, line, end_line, ends)
            ):
                break
            in_paragraph = True
            lines.append(state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]])
            length += len(lines[-1])
            after = line + 1
        line += 1
    return "\n".join(lines), after


def _ends_paragraph(
    state: StateBlock, line: int, end_line: int, rules: Sequence[Callable[..., bool]]
) -> bool:
    if state.sCount[line] < 0:
        # A line that a block quote has claimed already, as the paragraph rule knows it.
        return False
    if ANY_OPENING.match(state.src, state.bMarks[line] + state.tShift[line]):
        return True
    parent, state.parentType = state.parentType, "paragraph"
    ended = any(rule(state, line, end_line, True) for rule in rules)
    state.parentType = parent
    return ended
