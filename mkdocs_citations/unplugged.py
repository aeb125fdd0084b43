"""MkDocs with the extension but without the plugin: it takes the front matter off, and with it the sources.

The processor that MkDocs registers for links knows the page and the configuration (``relpath``, read in
MkDocs 1.6.1 and ProperDocs 1.6.7). Nothing of MkDocs is imported.
"""

from __future__ import annotations

import logging
import weakref
from collections.abc import Mapping
from typing import Any

from markdown import Markdown

_log = logging.getLogger("mkdocs.plugins.citations")
_warned: list[weakref.ref[Any]] = []
"""The configuration of the build that has been warned."""


def warn(md: Markdown, key: str) -> None:
    """Say once in a build that sources under *key* have no effect, and what would help."""
    if "relpath" not in md.treeprocessors:
        return
    relpath: Any = md.treeprocessors["relpath"]
    file: Any = getattr(relpath, "file", None)
    config: Any = getattr(relpath, "config", None)
    meta = getattr(getattr(file, "page", None), "meta", None)
    if config is None or not isinstance(meta, Mapping):
        return
    if meta.get(key) is None or meta.get("citations") is False:
        return
    # With the plugin there, but not enabled, it is meant so.
    if "citations" in config.plugins or any(warned() is config for warned in _warned):
        return
    _warned[:] = [weakref.ref(config)]
    _log.warning(
        "citations: %s: `%s` has no effect: add `citations` to `plugins:`, "
        "since MkDocs keeps front matter from extensions",
        file.src_uri,
        key,
    )
