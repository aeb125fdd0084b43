# ruff: noqa: T201, PLC0415 (a script that prints; each build imports what it needs, in its own process)
"""Compare a real site, built with and without: ``python -m tests.sites.compare_public mkdocs.yml``.

Builds without the plugin, with it (without the style sheet, whose link is all it would add), and with
sources 1 to 9 forced on every page. The second must be the first byte for byte; the third, once each
superscript is the characters that it was written with, too. Run it where the site's own requirements are
installed; nothing in the site's folder is written, but for what its own plugins write.
"""

from __future__ import annotations

import difflib
import logging
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

SOURCES = [f"https://source{number}.example/" for number in range(1, 10)]
BUILDS: dict[str, dict[str, Any] | None] = {
    "without": None,
    "again": None,
    "with": {"css": False},
    "forced": {"css": False, "sources": SOURCES, "list": False},
}


def build(config_file: str, site: str, options: dict[str, Any] | None) -> None:
    """One build, in a process of its own."""
    from mkdocs.commands.build import build as mkdocs_build
    from mkdocs.config import load_config

    from mkdocs_citations import walk
    from mkdocs_citations.plugin import CitationsPlugin

    logging.basicConfig(level=logging.ERROR)
    config = load_config(config_file, site_dir=site, strict=False)
    if options is not None:
        plugin = CitationsPlugin()
        errors, warnings = plugin.load_config(options, config_file)
        assert not errors, errors
        assert not warnings, warnings
        config.plugins["citations"] = plugin
    count = 0

    def as_written(self: Any, index: int) -> str:
        nonlocal count
        count += 1
        run = self.document.runs[index]
        self.citations.cite(run.numbers)
        return f"<sup-raw>{run.raw}</sup-raw>"

    walk.Walk._superscript = as_written  # type: ignore[method-assign]
    config.plugins.on_startup(command="build", dirty=False)
    mkdocs_build(config)
    print(f"{count} superscripts" if options else "")


def pages(site: Path) -> dict[str, str]:
    found = {}
    for path in sorted(site.rglob("*.html")):
        text = re.sub(r"</?sup-raw>", "", path.read_text("utf-8", errors="replace"))
        found[str(path.relative_to(site))] = re.sub(r"Build Date.*", "", text)
    return found


def main() -> int:
    if sys.argv[1] == "--build":
        _, _, name, config_file, site = sys.argv
        build(config_file, site, BUILDS[name])
        return 0
    config_file = sys.argv[1]
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        sites = {}
        for name in BUILDS:
            site = Path(folder, name)
            command = [sys.executable, "-m", "tests.sites.compare_public", "--build", name]
            result = subprocess.run(
                [*command, config_file, str(site)], capture_output=True, text=True, check=False
            )
            if result.returncode:
                print(result.stderr)
                return 2
            sites[name] = pages(site)
            print(f"{name}: {len(sites[name])} pages {result.stdout.strip()}")
        plain = sites["without"]
        # Some sites differ from one build to the next by themselves.
        stable = [name for name in plain if plain[name] == sites["again"].get(name)]
        print(f"{len(stable)} pages are the same in two builds without the plugin")
        for kind in ("with", "forced"):
            missing = set(plain) ^ set(sites[kind])
            changed = [name for name in stable if plain[name] != sites[kind].get(name)]
            print(
                f"{kind}: {len(changed)} of {len(stable)} pages differ, {len(missing)} missing or new"
            )
            for name in changed[:10]:
                before, after = plain[name].splitlines(), sites[kind].get(name, "").splitlines()
                lines = list(difflib.unified_diff(before, after, name, kind, lineterm="", n=0))
                print("\n".join(line[:300] for line in lines[:12]))
            different += len(changed) + len(missing)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
