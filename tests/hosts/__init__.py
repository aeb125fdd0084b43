"""The hosts that must all read a document alike; each module here drives one, from text to HTML."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from tests.reading import Reading

MODULES = {
    "markdown-it": ("markdown_it", "tests.hosts.markdown_it_host"),
    "python-markdown": ("markdown", "tests.hosts.python_markdown_host"),
    "myst": ("myst_parser", "tests.hosts.myst_host"),
}


@dataclass
class Result:
    """What a host made of a document."""

    reading: Reading
    problems: list[str]
    """The codes, sorted."""
    html: str


class Host(Protocol):
    """Renders a document with citations switched on."""

    kind: str
    """``markdown-it``, ``python-markdown`` or ``myst``."""
    name: str

    def render(
        self, text: str, features: frozenset[str] = frozenset(), options: Mapping[str, Any] = {}
    ) -> Result:
        """Render *text*, front matter and all. *features* are ``footnotes``, ``tables``, ``math``."""


def hosts() -> list[Host]:
    """Every host that is installed."""
    found: list[Host] = []
    for package, module in MODULES.values():
        if importlib.util.find_spec(package) and importlib.util.find_spec(module):
            found.extend(importlib.import_module(module).HOSTS)
    return found
