"""Build a public site with the extension and without, and compare what comes out.

    python tests/roots/compare_public.py PATH [--docs DIRECTORY] [--theme THEME]

PATH is the root of a checkout; its ``docs`` (or DIRECTORY) holds ``conf.py``, or only Markdown. Extensions
of its configuration that are not installed are left out, in both builds. Nothing is fetched. The pages
have no sources, so that their doctrees (as text) and their HTML must be the same. Exit status 0 when
they are.
"""

# ruff: noqa: T201 - a command prints

from __future__ import annotations

import argparse
import os
import pickle
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Addresses of objects, and the ids that MyST gives to equations and other extensions to scripts.
_RANDOM = re.compile(r"0x[0-9a-f]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

_RUN = """
import os, runpy, sys
source, conf, ours = {source!r}, {conf!r}, {ours!r}
os.chdir(source)
sys.path.insert(0, source)
import importlib.util
found = runpy.run_path(conf) if os.path.exists(conf) else {{}}
def there(name):
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False
names = [name for name in found.get("extensions", []) if there(name)]
missing = [name for name in found.get("extensions", []) if name not in names]
if not any(name in ("myst_parser", "myst_nb") for name in names):
    names.append("myst_parser")
if ours:
    names.append("sphinx_citations")
print("left out:", ", ".join(missing) or "nothing")
from sphinx.application import Sphinx
overrides = dict(extensions=names, intersphinx_mapping={{}}, nb_execution_mode="off", html_theme={theme!r},
    html_theme_options={{}}, html_static_path=[], html_last_updated_fmt=None, suppress_warnings=["*"])
root = next((name for name in ("index", "intro", "README") if os.path.exists(name + ".md")), "index")
if not found:
    overrides["root_doc"] = root
app = Sphinx(source, source if found else None, {output!r}, {doctrees!r}, "html", overrides,
    status=None, warning=open({log!r}, "w"))
app.build()
"""


def build(source: Path, target: Path, theme: str, *, ours: bool) -> None:
    """Build in a process of its own."""
    code = _RUN.format(
        source=str(source),
        conf=str(source / "conf.py"),
        ours=ours,
        theme=theme,
        output=str(target / "html"),
        doctrees=str(target / "doctrees"),
        log=str(target) + ".log",
    )
    environment = {**os.environ, "PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "1700000000"}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


def doctree(file: Path) -> str:
    """A doctree as text."""
    return str(pickle.loads(file.read_bytes()).pformat())


def text_of(file: Path) -> str:
    """A page or a doctree as text, without what differs from build to build."""
    pickled = file.suffix == ".doctree"
    text = doctree(file) if pickled else file.read_text("utf-8")
    return _RANDOM.sub("", text)


def main() -> int:
    """Build twice, compare, and say how many files are alike."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("path", type=Path)
    parser.add_argument("--docs", default="docs")
    parser.add_argument("--theme", default="alabaster")
    arguments = parser.parse_args()
    source = (arguments.path / arguments.docs).resolve()
    differing = []
    with tempfile.TemporaryDirectory() as directory:
        work = Path(directory)
        for name, ours in (("without", False), ("with", True)):
            build(source, work / name, arguments.theme, ours=ours)
        counts = {}
        for kind, pattern in (("doctrees", "*.doctree"), ("html", "*.html")):
            folder = work / "without" / kind
            files = sorted(file.relative_to(folder) for file in folder.rglob(pattern))
            counts[kind] = len(files)
            for file in files:
                first, second = folder / file, work / "with" / kind / file
                if not second.exists() or text_of(first) != text_of(second):
                    differing.append(f"{kind}/{file}")
    print(f"{counts['doctrees']} doctrees, {counts['html']} pages, {len(differing)} differ")
    for name in differing:
        print(f"  {name}")
    return 1 if differing or not counts["doctrees"] else 0


if __name__ == "__main__":
    sys.exit(main())
