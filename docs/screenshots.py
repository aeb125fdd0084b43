"""Make the pictures of the documentation: ``python docs/screenshots.py``.

Needs Chromium (Debian's, or what MDIT_CITATIONS_CHROMIUM names) and, from PyPI, ``playwright`` and
``pillow``. The pages are the small one in the README and those of ``examples/``.
"""  # noqa: INP001 - a script

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
LIMIT = 200_000


def main() -> None:
    """Render the pages and photograph them."""
    program = os.environ.get("MDIT_CITATIONS_CHROMIUM") or shutil.which("chromium")
    if not program:
        sys.exit("chromium is missing (on Debian: apt-get install chromium)")
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        for path in (ROOT / "examples").glob("*.md"):
            shutil.copy(path, folder)
        (folder / "readme.md").write_text(_example_of_the_readme(), "utf-8")
        _render(folder)
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        _photograph(browser, folder / "readme.html", "readme", width=420, height=300, whole=True)
        report = folder / "report.html"
        _photograph(browser, report, "report-light", width=900, height=620, card=3)
        _photograph(browser, report, "report-dark", width=900, height=620, card=3, scheme="dark")
        _photograph(browser, report, "report-phone", width=375, height=620, card=3)
        browser.close()


def _example_of_the_readme() -> str:
    tokens = MarkdownIt("commonmark").parse((ROOT / "README.md").read_text("utf-8"))
    return next(token.content for token in tokens if token.info == "markdown")


def _render(folder: Path) -> None:
    program = "import sys; from mdit_citations.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "render", folder, "--output", folder, "--cards"]
    # Status 1 says that problems were found, and one of the examples is full of them.
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode not in {0, 1}:
        sys.exit(done.stderr)


def _photograph(
    browser: Browser,
    path: Path,
    name: str,
    *,
    width: int,
    height: int,
    whole: bool = False,
    card: int | None = None,
    scheme: Any = "light",
) -> None:
    """Save the top of a page, or the *whole* of it, with the card of its n-th citation open."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=2,
        color_scheme=scheme,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(path.as_uri())
    if card is not None:
        page.locator(".citation-link").nth(card).hover()
        page.wait_for_selector(".citation-card")
    if whole:
        # Room for reading is the README's.
        page.add_style_tag(content="body { padding: 0.75rem } p { margin-block-start: 0 }")
    picture = page.locator("body").screenshot() if whole else page.screenshot()
    context.close()
    target = IMAGES / f"{name}.png"
    colours = Image.open(io.BytesIO(picture)).convert("RGB").quantize(64, dither=Image.Dither.NONE)
    colours.save(target, optimize=True)
    if target.stat().st_size > LIMIT:
        sys.exit(f"{target} has {target.stat().st_size} bytes, more than {LIMIT}")


if __name__ == "__main__":
    main()
