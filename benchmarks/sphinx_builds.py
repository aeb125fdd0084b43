"""What the extension costs a Sphinx build, as ratios from one run.

    python benchmarks/sphinx_builds.py [--pages 1000] [--rounds 3]

Every project is built in a process of its own, in turn, several times; the least processor time of each
counts. The projects have the same generated pages: without markers, without and with the extension; and with
markers, as text (the extension off), as MyST footnotes, and as citations.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

_RUN = """
import resource, sys, time
from sphinx.application import Sphinx
start = time.process_time()
app = Sphinx({source!r}, {source!r}, {output!r}, {output!r} + "/.doctrees", "html", status=None)
app.build()
assert not app._warncount, app._warncount
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
_PARAGRAPHS = 12
_SOURCES = 10
_WORDS = (
    "The *gauges* on the northern slope were read at noon, and again at `dusk`, by the "
    "[observers](https://observers.example/) of the **station**, whose notes say that it rained{} on most "
    "days of the month, that the wind came from the west{}, and that the river rose by a hand{}."
)


def page(number: int, style: str) -> str:
    """A page of some eight hundred words; *style* is ``none``, ``markers`` or ``footnotes``."""
    lines = []
    if style == "markers":
        lines = ["---", "sources:"]
        for n in range(1, _SOURCES + 1):
            lines += [
                f"  - title: Report {n} of page {number}",
                f"    url: https://s{n}.example/{number}",
            ]
        lines += ["---", ""]
    lines.append(f"# Page {number}")
    count = 0
    for paragraph in range(_PARAGRAPHS):
        if paragraph % 4 == 0:
            lines += ["", f"## Part {paragraph}"]
        marks = []
        for _ in range(3):
            n = count % _SOURCES + 1
            count += 1
            marks.append({"none": "", "markers": f" [{n}]", "footnotes": f" [^s{n}]"}[style])
        lines += ["", _WORDS.format(*marks)]
    if style == "footnotes":
        for n in range(1, _SOURCES + 1):
            lines += ["", f"[^s{n}]: [Report {n} of page {number}](https://s{n}.example/{number})"]
    return "\n".join(lines) + "\n"


def make(directory: Path, pages: int, style: str, *, ours: bool) -> None:
    """Write a project."""
    directory.mkdir()
    extensions = ["myst_parser", *(["sphinx_citations"] if ours else [])]
    conf = f'extensions = {extensions}\nhtml_theme = "basic"\nhtml_copy_source = False\n'
    (directory / "conf.py").write_text(conf, "utf-8")
    names = "\n".join(f"page{number}" for number in range(pages))
    (directory / "index.md").write_text(f"# Index\n\n```{{toctree}}\n{names}\n```\n", "utf-8")
    for number in range(pages):
        (directory / f"page{number}.md").write_text(page(number, style), "utf-8")


def build(source: Path, output: Path) -> tuple[float, int]:
    """Seconds, and the peak of memory in kB."""
    shutil.rmtree(output, ignore_errors=True)
    code = _RUN.format(source=str(source), output=str(output))
    result = subprocess.run(  # noqa: S603 - ours
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    if result.returncode:
        sys.exit(result.stderr)
    seconds, memory = result.stdout.split()
    return float(seconds), int(memory)


def main() -> None:
    """Build all, and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    projects = {
        "no markers": ("none", False),
        "no markers, extension on": ("none", True),
        "markers as text": ("markers", False),
        "MyST footnotes": ("footnotes", False),
        "citations": ("markers", True),
    }
    with tempfile.TemporaryDirectory() as directory:
        work = Path(directory)
        for name, (style, ours) in projects.items():
            make(work / name, arguments.pages, style, ours=ours)
        found: dict[str, list[tuple[float, int]]] = {name: [] for name in projects}
        for _ in range(arguments.rounds):
            for name in projects:
                found[name].append(build(work / name, work / "output"))
    best = {name: min(time for time, _ in runs) for name, runs in found.items()}
    memory = {name: min(kilobytes for _, kilobytes in runs) for name, runs in found.items()}
    print(f"{arguments.pages} pages, best of {arguments.rounds}")
    print(f"{'':28}{'seconds':>9}{'ratio':>8}{'peak MB':>9}")
    for name, seconds in best.items():
        ratio = seconds / best["no markers"]
        print(f"{name:28}{seconds:9.2f}{ratio:8.3f}{memory[name] / 1024:9.0f}")
    without = best["no markers, extension on"] / best["no markers"]
    cited = best["citations"] / best["markers as text"]
    print(f"without sources: {without:.3f} x the build without the extension (aim: at most 1.01)")
    print(
        f"with sources:    {cited:.3f} x the build that leaves markers as text (aim: at most 1.20)"
    )


if __name__ == "__main__":
    main()
