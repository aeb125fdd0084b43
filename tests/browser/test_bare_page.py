"""What `render` puts around a page for its reader, and for machines."""

from __future__ import annotations

import json
import re

import pytest

pytest.importorskip("click")
pytest.importorskip("rich")

from mdit_citations.cli import main

PAGE = """\
---
sources:
  - {title: First </script>, url: "https://first.example/"}
---

Rain [1].
"""


@pytest.fixture
def render(tmp_path):
    def run(*flags, text=PAGE):
        (tmp_path / "page.md").write_text(text, "utf-8")
        target = tmp_path / "page.html"
        assert main(["render", str(tmp_path / "page.md"), "-o", str(target), *flags]) == 0
        return target.read_text("utf-8")

    return run


def test_one_file(render):
    assert "<script" not in render()
    html = render("--cards")
    assert html.count("<script>") == html.count("</script>") == 1
    assert "<link" not in html


def test_linked_assets(render):
    html = render("--cards", "--assets", "/a&b/")
    assert "<style" not in html
    assert re.findall(r"(?:href|src)=\"(/[^\"]+)\"", html) == [
        "/a&amp;b/page.css",
        "/a&amp;b/citations.css",
        "/a&amp;b/citations.js",
    ]
    assert "<script" not in render("--assets", "/")


def test_provenance(render):
    for flags in ((), ("--fragment",)):
        (data,) = re.findall(
            r"<script type=\"application/ld\+json\">(.*)</script>", render("--provenance", *flags)
        )
        assert json.loads(data)["citation"][0]["name"] == "First </script>"
    assert "<script" not in render("--provenance", text="Rain.\n")
