"""The live server, as an author has it: each saved file changes the page that it serves."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.mkdocs.test_builds import ROOT, write

pytestmark = pytest.mark.slow

PATIENCE = 60
"""Seconds after which the server is given up."""


class Server:
    """A server that is running, what it serves and what it says."""

    def __init__(self, process: subprocess.Popen[bytes], address: str, log: Path) -> None:
        self.process = process
        self.address = address
        self._log = log

    @property
    def log(self) -> str:
        return self._log.read_text("utf-8")

    def page(self) -> str:
        try:
            with urlopen(self.address, timeout=PATIENCE) as answer:
                return str(answer.read().decode("utf-8"))
        except URLError:
            return ""

    def wait(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            assert self.process.poll() is None, self.log
            assert time.monotonic() < end, self.log
            time.sleep(0.05)

    def wait_for(self, text: str) -> None:
        self.wait(lambda: text in self.page())


@contextmanager
def serving(command: str, folder: Path) -> Iterator[Server]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    path = f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}".rstrip(os.pathsep)
    environment = {**os.environ, "PYTHONPATH": path, "NO_MKDOCS_2_WARNING": "1", "NO_COLOR": "1"}
    log = folder / "server.log"
    arguments = ["serve", "--livereload", "-f", "mkdocs.yml", "-a", f"127.0.0.1:{port}"]
    with (
        log.open("wb") as output,
        subprocess.Popen(
            [sys.executable, "-m", command, *arguments],
            cwd=folder, env=environment, stdout=output, stderr=output,
        ) as process,
    ):  # fmt: skip
        try:
            yield Server(process, f"http://127.0.0.1:{port}/", log)
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()
    assert "Traceback" not in log.read_text("utf-8")


@pytest.mark.skipif(os.name == "nt", reason="a server is stopped in another way there")
@pytest.mark.parametrize("command", ["mkdocs", "properdocs"])
def test_each_change_is_served_and_each_problem_logged_once(tmp_path: Path, command: str) -> None:
    theme = "material" if command == "properdocs" else "mkdocs"
    for module in {command, theme}:
        pytest.importorskip(module)
    page = "---\nsources: [https://one.example/]\n---\n\n# A\n\nSee [1], [2] and [9].\n"
    write(
        tmp_path,
        mkdocs_yml=(
            f"site_name: S\ntheme: {{name: {theme}}}\n"
            "plugins:\n  - citations: {sources_file: shared.yml}\n"
        ),
        index=page,
    )
    shared = tmp_path / "shared.yml"
    shared.write_text("- {number: 2, url: https://shared.example/}\n", "utf-8")
    with serving(command, tmp_path) as server:
        server.wait_for("https://one.example/")
        assert "https://shared.example/" in server.page()
        assert server.log.count("index.md:7:18: [9] names no source (sources: 1-2)") == 1

        write(tmp_path, index=page.replace("one.example/]", "new.example/, javascript:x]"))
        server.wait_for("https://new.example/")
        assert "https://one.example/" not in server.page()
        assert server.log.count("index.md:2:") == 1
        assert server.log.count("index.md:7:18: [9]") == 2

        write(tmp_path, index=page)
        server.wait_for("https://one.example/")
        shared.write_text("- {number: 2, url: https://moved.example/}\n- 3\n", "utf-8")
        server.wait_for("https://moved.example/")
        assert "https://shared.example/" not in server.page()
        assert server.log.count("shared.yml:2:3: ") == 1

        write(tmp_path, index=page.replace("# A\n", "# A\n\nRain [1].\n"))
        server.wait_for("Rain <sup")
        assert server.log.count("index.md:9:18: [9]") == 1
        assert server.log.count("names no source") == 5
