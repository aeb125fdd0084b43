"""The plugin's options: those of `Options`, by the same names and defaults, and a few of its own."""

from __future__ import annotations

import logging
from dataclasses import fields
from pathlib import Path
from typing import Any

from mkdocs.config.base import BaseConfigOption, Config, ValidationError

from mdit_citations.options import Options, check_switch
from mdit_citations.problems import ProblemCode

LEVELS = {
    "error": logging.ERROR,
    "warning": logging.WARNING,
    "info": logging.INFO,
    "debug": logging.DEBUG,
}


class Shared(BaseConfigOption[Any]):
    """One option of the core, checked by the core."""

    def __init__(self, name: str, default: Any) -> None:
        """The name and the default are those of the field of `Options`."""
        super().__init__()
        self.name = name
        self.default = default

    def run_validation(self, value: object) -> Any:
        """Raise ``ValidationError`` with the core's message."""
        try:
            given: dict[str, Any] = {self.name: value}
            Options.of(**given)
        except (TypeError, ValueError) as error:
            raise ValidationError(str(error)) from None
        return value


class Switch(Shared):
    """An option of the plugin's own that is true or false."""

    def run_validation(self, value: object) -> Any:
        """Raise ``ValidationError`` with the message of the core's switches."""
        try:
            check_switch(self.name, value)
        except ValueError as error:
            raise ValidationError(str(error)) from None
        return value


class File(Shared):
    """A file's path, which counts from the configuration file's folder."""

    folder = Path()

    def pre_validation(self, config: Config, key_name: str) -> None:  # noqa: ARG002
        """Learn where the configuration file is."""
        if config.config_file_path:
            self.folder = Path(config.config_file_path).parent

    def run_validation(self, value: object) -> str | None:
        """Raise ``ValidationError`` when *value* is no path. Whether there is a file is said later."""
        if value is None:
            return None
        if not isinstance(value, str) or not value:
            raise ValidationError(f"expected the path of a file, found {value!r}")
        return str(self.folder / value)


class Levels(BaseConfigOption[dict[str, int]]):
    """Log levels by problem code."""

    def __init__(self) -> None:
        """By default all are warnings, and what is only worth a look is an information."""
        super().__init__()
        self.default = {}

    def run_validation(self, value: object) -> dict[str, int]:
        """Raise ``ValidationError`` for an unknown code or level, and say which exist."""
        if not isinstance(value, dict):
            raise ValidationError(f"expected levels by problem code, found {value!r}")
        codes = [code.value for code in ProblemCode]
        levels = {}
        for code, level in value.items():
            if code not in codes:
                raise ValidationError(f"expected one of {', '.join(codes)}, found {code!r}")
            # YAML reads a bare `off` as false.
            name = "debug" if level is False or level == "off" else level
            if not isinstance(name, str) or name not in LEVELS:
                raise ValidationError(
                    f"{code}: expected {', '.join(LEVELS)} or off, found {level!r}"
                )
            levels[code] = LEVELS[name]
        return levels


class CitationsConfig(Config):  # type: ignore[no-untyped-call]
    """What may stand under ``citations:`` in ``plugins:``, next to the options of the core."""

    enabled = Switch("enabled", default=True)
    levels = Levels()
    css = Switch("css", default=True)
    cards = Switch("cards", default=False)
    provenance = Switch("provenance", default=False)

    def options(self) -> Options:
        """The options of the core."""
        return Options.of(**{field.name: self[field.name] for field in fields(Options)})


CitationsConfig._schema = (  # noqa: SLF001 (MkDocs fills it from class attributes, one line for each option)
    *CitationsConfig._schema,  # noqa: SLF001
    *(
        (field.name, (File if field.name == "sources_file" else Shared)(field.name, field.default))
        for field in fields(Options)
    ),
)
