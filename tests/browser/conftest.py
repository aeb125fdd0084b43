"""A browser, and the pages of every host behind a server of this machine."""

from __future__ import annotations

import functools
import http.server
import importlib.util
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.building import HOSTS, leave_out

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Heard before any script of the page runs.
LISTEN = """
window.shifts = [];
window.refusals = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const nodes = entry.sources.map(({ node }) => node?.parentElement?.outerHTML.slice(0, 200));
    window.shifts.push({ value: entry.value, time: entry.startTime, nodes });
  }
}).observe({ type: "layout-shift", buffered: true });
document.addEventListener("securitypolicyviolation", ({ sourceFile, violatedDirective, blockedURI }) =>
  window.refusals.push(`${violatedDirective} ${blockedURI} ${sourceFile}`));
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Forbids everything from elsewhere, and everything inline, for the bare pages."""

    def end_headers(self) -> None:
        header = "Content-Security-Policy"
        if not self.path.startswith("/bare/"):
            # Themes have inline scripts of their own.
            header += "-Report-Only"
        self.send_header(header, "default-src 'self'")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """The address of a host's site, built when it is first asked for."""
    root = tmp_path_factory.mktemp("sites")
    built: set[str] = set()
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, directory=str(root))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"

    def address(host: str) -> str:
        if host not in built:
            shutil.rmtree(root / host, ignore_errors=True)
            (root / host).mkdir()
            HOSTS[host](root / host, f"{base}/{host}/site/")
            built.add(host)
        return f"{base}/{host}/site"

    yield address
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    program = os.environ.get("MDIT_CITATIONS_CHROMIUM") or shutil.which("chromium")
    if not program or not Path(program).exists():
        leave_out("chromium is missing (on Debian: apt-get install chromium)")
    if importlib.util.find_spec("playwright") is None:
        leave_out("playwright is not installed")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - it may be missing

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


def is_ours(said: str, host: str) -> bool:
    """Whether a message is about something of ours."""
    if host != "bare":
        return "citations.js" in said or "citations.css" in said
    # The examples have an image of another site's, and tables with aligned columns.
    return "chart.png" not in said and "inline style" not in said and "style-src-attr" not in said


@pytest.fixture
def visit(chromium: Any, sites: Callable[[str], str]) -> Iterator[Callable[..., Any]]:
    """Open a page of a host; at the end nothing of ours may have gone wrong there."""
    contexts = []
    pages: list[tuple[str, Any, list[str]]] = []

    def open_page(host: str, name: str = "reader", **options: Any) -> Any:
        address = sites(host)
        context = chromium.new_context(
            **{"viewport": {"width": 1100, "height": 700}, "locale": "en-US", **options}
        )
        contexts.append(context)
        context.add_init_script(LISTEN)
        page = context.new_page()
        page.set_default_timeout(10_000)
        said: list[str] = []
        page.on("console", lambda message: said.append(f"{message.text} {message.location}"))
        page.on("pageerror", lambda error: said.append(f"{error} {error.stack}"))
        page.route(
            lambda url: not url.startswith("http://127.0.0.1"),
            lambda route: route.fulfill(body="<title>Elsewhere</title>", content_type="text/html"),
        )
        page.goto(f"{address}/{name}.html")
        pages.append((host, page, said))
        return page

    yield open_page
    try:
        for host, page, said in pages:
            here = page.url.startswith("http://127.0.0.1")
            refused = page.evaluate("window.refusals ?? []") if here else []
            assert not [text for text in said + refused if is_ours(text, host)]
    finally:
        for context in contexts:
            context.close()
