"""What can be wrong with a page, as values.

Every stage returns problems; only a host or the command line shows them. Nothing here prints or logs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


class ProblemCode(str, Enum):
    """The name of a kind of problem, the same in every host (MkDocs log, Sphinx warnings, command line)."""

    UNKNOWN_SOURCE = "unknown-source"
    """A marker names a number that no source has."""
    UNCITED_SOURCE = "uncited-source"
    """A source of the page's own that no marker names, although others are cited (a hint)."""
    UNSAFE_URL = "unsafe-url"
    """An address that is not published as a link."""
    DUPLICATE_NUMBER = "duplicate-number"
    """Two entries of one block claim the same number; the first keeps it."""
    DUPLICATE_URL = "duplicate-url"
    """Two entries of one block have the same address."""
    INVALID_SOURCE = "invalid-source"
    """An entry, or a field of it, is not of a shape that can be read."""
    INVALID_SOURCES = "invalid-sources"
    """The whole block is not of a shape that can be read."""
    INVALID_FRONT_MATTER = "invalid-front-matter"
    """The front matter is not YAML."""
    DEFINITION_DIFFERS = "definition-differs"
    """A line ``[^n]: …`` says something else than source n."""
    SHADOWED_BY_REFERENCE = "shadowed-by-reference"
    """A marker that a link reference definition makes an ordinary link to another page."""
    QUOTE_NOT_FOUND = "quote-not-found"
    """A quoted passage does not stand in its source (reserved; nothing raises it yet)."""
    QUOTE_AMBIGUOUS = "quote-ambiguous"
    """A quoted passage stands in its source more than once (reserved; nothing raises it yet)."""

    def __str__(self) -> str:
        return self.value

    def __format__(self, format_spec: str) -> str:
        return format(self.value, format_spec)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, and where."""

    code: ProblemCode
    """What kind of problem it is."""
    message: str
    """One line: what was expected and what was found, with the fragment."""
    line: int | None = None
    """Line in the text, from 1; None where the value did not come from a text (an option, ``env``)."""
    column: int | None = None
    """Column in that line, from 1, in characters."""
    path: str | None = None
    """Place in the sources block, such as ``sources[2].url`` (list entries count from 0)."""
    file: str | None = None
    """The file, where it is not the page itself (``sources_file``)."""

    def __str__(self) -> str:
        place = [str(part) for part in (self.file, self.line, self.column) if part is not None]
        return ":".join([*place, f" {self.message} [{self.code}]"]).lstrip()

    def to_dict(self) -> dict[str, str | int | None]:
        """The problem as plain data."""
        return {
            "code": self.code.value,
            "message": self.message,
            "line": self.line,
            "column": self.column,
            "path": self.path,
            "file": self.file,
        }


def shown(value: object, limit: int = 60) -> str:
    """A value as a message shows it: on one line, quoted, at most about *limit* characters."""
    if isinstance(value, str):
        text = " ".join(value[: limit * 4].split())
        text = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)
        return f'"{text}"' if len(text) <= limit else f'"{text[: limit - 1]}…"'
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, Scalar):
        return value.text[:limit]
    if isinstance(value, int) and value.bit_length() > limit:
        return "a huge number"
    return repr(value) if isinstance(value, (int, float)) else f"a {type(value).__name__}"


@dataclass(frozen=True, slots=True)
class Scalar:
    """A plain scalar of YAML that is no text (a number, a truth value, a date), as written."""

    text: str
