"""The arrows go one way: who may import whom, and what the core keeps its hands off."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

import pytest

import mdit_citations

LAYERS = [
    {"problems", "urls", "csl", "markers", "raw_elements"},
    {"written"},
    {"sources"},
    {"source_list", "yaml_events", "definitions"},
    {"yaml_places"},
    {"front_matter"},
    {"citations", "labels"},
    {"options"},
    {"listing"},
    {"provenance"},
    {"rules"},
    {"plugin"},
    {"__init__"},
    {"cli"},
]
PACKAGES = ["mdit_citations", "mkdocs_citations", "sphinx_citations"]
HOST_LIBRARIES = {
    "markdown",
    "mkdocs",
    "sphinx",
    "docutils",
    "myst_parser",
    "myst_nb",
    "click",
    "rich",
    "zensical",
}
CORE_LIBRARIES = {"markdown_it", "mdit_py_plugins", "yaml"}
FORBIDDEN = {"logging", "socket", "urllib.request", "http", "asyncio", "subprocess", "warnings"}


def root(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def modules(package: str) -> dict[str, ast.Module]:
    """The syntax trees of a package, by module name within it."""
    base = root(package)
    return {
        ".".join(path.relative_to(base).with_suffix("").parts): ast.parse(path.read_text("utf-8"))
        for path in sorted(base.rglob("*.py"))
    }


def imports(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def layer(name: str) -> int:
    top = name.split(".", maxsplit=1)[0]
    return next(index for index, names in enumerate(LAYERS) if top in names)


@pytest.mark.parametrize("name", modules("mdit_citations"))
def test_the_core_imports_only_from_its_left(name: str) -> None:
    for imported in imports(modules("mdit_citations")[name]):
        parts = imported.split(".")
        if parts[0] == "mdit_citations":
            # The package itself, for the command line, stands for its public names.
            target = (
                parts[1] if len(parts) > 1 and (root("mdit_citations") / parts[1]).exists() else ""
            )
            target = target or (
                parts[1] if (root("mdit_citations") / f"{parts[1]}.py").exists() else "__init__"
            )
            same = target == name.split(".", maxsplit=1)[0] and target in {"rules", "cli"}
            assert same or layer(target) < layer(name), f"{name} imports {imported}"
        else:
            assert parts[0] not in {"mkdocs_citations", "sphinx_citations"}
            if not name.startswith("cli"):
                assert parts[0] not in HOST_LIBRARIES
                assert parts[0] not in CORE_LIBRARIES or name.split(".", maxsplit=1)[0] in {
                    "rules",
                    "plugin",
                    "front_matter",
                    "yaml_events",
                    "yaml_places",
                }


@pytest.mark.parametrize("package", ["mkdocs_citations", "sphinx_citations"])
def test_no_host_knows_another(package: str) -> None:
    others = set(PACKAGES) - {package, "mdit_citations"}
    for name, tree in modules(package).items():
        found = imports(tree)
        assert not {imported.split(".", 1)[0] for imported in found} & others, name
        assert not {
            imported for imported in found if imported.startswith("mdit_citations.rules")
        }, name


def test_the_core_neither_prints_nor_logs_nor_reads_the_network() -> None:
    for name, tree in modules("mdit_citations").items():
        if name.startswith("cli"):
            continue
        assert not {i for i in imports(tree) if i in FORBIDDEN or i.split(".")[0] in FORBIDDEN}, (
            name
        )
        calls = {
            node.func.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert "print" not in calls, name


def test_public_names_are_sorted() -> None:
    assert mdit_citations.__all__ == sorted(mdit_citations.__all__)
    for name in mdit_citations.__all__:
        assert getattr(mdit_citations, name) is not None
