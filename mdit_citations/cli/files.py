"""Reading and writing, for all commands. What goes wrong is a `Refused`: exit status 2."""

from __future__ import annotations

import os
import secrets
import stat
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any

import click

from mdit_citations.problems import Problem


class Refused(click.ClickException):
    """The command cannot be carried out as asked."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:  # noqa: ARG002 - click's signature
        """Say why, on standard error."""
        say(f"mdit-citations: {self.message}")


def say(line: str) -> None:
    """Write one line to standard error, with nothing in it that a terminal would obey."""
    shown = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in line)
    print(shown, file=sys.stderr)  # noqa: T201 - click's echo fails on names that are not UTF-8


def say_problems(name: str, problems: Iterable[Problem]) -> None:
    """Write problems as ``path:line:column: message [code]``."""
    for problem in problems:
        place = (problem.file or name, problem.line, problem.column)
        where = ":".join(str(part) for part in place if part is not None)
        say(f"{where}: {problem.message} [{problem.code}]")


def read_text(path: Path | None) -> str:
    """The text of a file, or of standard input for None; a byte order mark is passed over."""
    name = str(path) if path else "standard input"
    try:
        data = path.read_bytes() if path else sys.stdin.buffer.read()
    except (OSError, AttributeError) as error:
        raise Refused(f"cannot read {name}: {_reason(error)}") from error
    try:
        return data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        found = f"expected UTF-8, found byte 0x{data[error.start]:02x} at offset {error.start}"
        raise Refused(f"cannot read {name}: {found}") from error


def check_outputs(outputs: Mapping[Path, Path | None], *, make_directories: bool = False) -> None:
    """Refuse, before anything is written, outputs that cannot be; they map to their inputs."""
    inputs = {os.path.realpath(source) for source in outputs.values() if source}
    for output in outputs:
        if output.is_dir():
            raise Refused(f"cannot write {output}: it is a directory")
        if os.path.realpath(output) in inputs:
            raise Refused(f"cannot write {output}: it is one of the inputs")
        parent = output.parent
        if make_directories:
            while not os.path.lexists(parent) and parent != parent.parent:
                parent = parent.parent
        if not parent.is_dir():
            found = "is not a directory" if os.path.lexists(parent) else "does not exist"
            raise Refused(f"cannot write {output}: {parent} {found}")
        for ancestor in output.parents:
            if ancestor in outputs:
                raise Refused(f"cannot write {output}: {ancestor} is to be a file")


def write_text(path: Path, text: str) -> None:
    """Put *text* into a file, all of it or nothing."""
    path = Path(os.path.realpath(path))
    data = text.encode("utf-8", "replace")
    try:
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
        if mode is not None and not path.is_file():
            # A device or a pipe must not be replaced by a file.
            path.write_bytes(data)
            return
        temporary = path.with_name(f".{secrets.token_hex(6)}.tmp")
        try:
            # Not by `tempfile`, whose files nobody else may read.
            with temporary.open("xb") as file:
                file.write(data)
            if mode is not None:
                temporary.chmod(mode)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise Refused(f"cannot write {path}: {error.strerror}") from error


def write_output(text: str) -> None:
    """Write *text* to standard output, as UTF-8 wherever we are."""
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.flush()
    except BrokenPipeError:
        # Else the interpreter flushes once more when it ends, and complains.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # What the shell shows of a program that ends by SIGPIPE.
        raise SystemExit(141) from None
    except (OSError, AttributeError) as error:
        raise Refused(f"cannot write standard output: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    # A standard stream that was closed before the start is None, so that it has no `buffer`.
    return getattr(error, "strerror", None) or "it is closed"
