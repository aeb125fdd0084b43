"""Where in a YAML text something stands that is wrong: lines and columns for problems."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import yaml

from mdit_citations.problems import Problem, ProblemCode
from mdit_citations.yaml_events import LOADER

_STEP = re.compile(r"\[([^\]]*)\]|\.([^.\[]+)|^([^.\[]+)")


def yaml_problem(error: Exception, text: str, first_line: int) -> Problem:
    """The *error* of the YAML parser about *text*, which begins on *first_line*, as a problem."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    found = getattr(error, "problem", None) or getattr(error, "reason", None) or "it is not YAML"
    context = getattr(error, "context", None)
    found = f"{context}, {found}" if context else str(found)
    line, column = Places(text, first_line).of(mark) if mark else (first_line, 1)
    message = f"expected YAML: {' '.join(found.split())}"
    if "mapping values are not allowed" in found:
        message += "; quote a text that contains a colon"
    elif mark and text[mark.index : mark.index + 1] == "\t" and _begins_line(text, mark.index):
        message += "; a tab cannot indent YAML"
    return Problem(ProblemCode.INVALID_FRONT_MATTER, message, line, column)


def _begins_line(text: str, index: int) -> bool:
    return not text[text.rfind("\n", 0, index) + 1 : index].strip()


class Places:
    """Lines and columns of YAML's marks in a text whose first line is *first_line*."""

    def __init__(self, text: str, first_line: int) -> None:
        self.text = text
        self.first_line = first_line
        # YAML breaks lines at characters where Markdown does not; only then are they counted again.
        self.recount = any(char in text for char in "\x85\u2028\u2029")

    def of(self, mark: Any) -> tuple[int, int]:
        """Line and column, from 1."""
        line = self.text.count("\n", 0, mark.index) if self.recount else mark.line
        return line + self.first_line, mark.index - self.text.rfind("\n", 0, mark.index)


def located(problems: list[Problem], text: str, first_line: int) -> list[Problem]:
    """The problems with the line and column of what their path names, as near as the text has it."""
    try:
        root: Any = yaml.compose(text, Loader=LOADER)
    except (yaml.YAMLError, ValueError, RecursionError):
        # The composer is stricter than the events, and its Python form recurses.
        return [replace(problem, line=first_line, column=1) for problem in problems]
    places, children = Places(text, first_line), _Children()
    again: dict[str, int] = {}
    found = []
    for problem in problems:
        path = problem.path or ""
        node = place = root
        for step in _STEP.finditer(path):
            ordinal = 0
            if problem.code == ProblemCode.DUPLICATE_NUMBER and step.end() == len(path):
                # In a mapping it is the same key again that is taken already.
                ordinal = again[path] = again.get(path, 0) + 1
            child = children.of(node, step[1] or step[2] or step[3], ordinal)
            if child is not None:
                node = place = child
            elif step.start():
                break
        line, column = places.of(place.start_mark)
        found.append(replace(problem, line=line, column=column))
    return found


class _Children:
    """Finds the children of nodes by name, going through each node once."""

    def __init__(self) -> None:
        self._by_name: dict[int, dict[str, list[Any]]] = {}

    def of(self, node: Any, name: str, ordinal: int) -> Any:
        if isinstance(node, yaml.SequenceNode):
            return (
                node.value[int(name)] if name.isdecimal() and int(name) < len(node.value) else None
            )
        if not isinstance(node, yaml.MappingNode):
            return None
        if (named := self._by_name.get(id(node))) is None:
            named = self._by_name[id(node)] = {}
            for key, value in node.value:
                if isinstance(key.value, str):
                    named.setdefault(key.value, []).append(value)
        values = named.get(name, ())
        return values[min(ordinal, len(values) - 1)] if values else None
