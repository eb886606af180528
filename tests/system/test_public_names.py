"""Plugins that we write for others to read use the names that docs/plugins/compatibility.md lists, and no others."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from scrutable.component import KINDS
from scrutable.scaffold import Names
from scrutable.scaffold.rendering import render

PLUGINS = Path(__file__).parents[2] / "docs" / "plugins"
EXAMPLES = PLUGINS.parent / "examples"
#: Code on a page.
CODE = re.compile(r"^```python\n(.*?)^```", re.S | re.M)
_, PLUGIN_TABLE, TEST_TABLE = re.split(r"^\| module \| .* \|$", (PLUGINS / "compatibility.md").read_text(), flags=re.M)


def listed(table: str) -> dict[str, set[str]]:
    """Names by module of a table of the page."""
    rows = re.findall(r"^\| `(scrutable[\w.]*)` \| (.*) \|$", table, re.M)
    return {module: set(re.findall(r"`(\w+)`", names)) for module, names in rows}


FOR_PLUGINS, FOR_TESTS = listed(PLUGIN_TABLE), listed(TEST_TABLE)


def sources() -> Iterator[tuple[str, str, bool]]:
    """Path and text of each source, and whether it is part of a plugin, and not of its tests or pages."""
    for path in EXAMPLES.glob("*/**/*.py"):
        yield str(path.relative_to(EXAMPLES)), path.read_text(), "src" in path.parts
    for path in (PLUGINS / "own.md", *EXAMPLES.glob("*/README.md")):
        yield path.name, "\n".join(CODE.findall(path.read_text())), False
    for kind in KINDS:
        for name, text in render(Names(kind, "of-others"), "Jane Doe").items():
            if name.endswith((".py", ".md")):
                yield (
                    f"{kind}/{name}",
                    "\n".join(CODE.findall(text)) if name.endswith(".md") else text,
                    name.startswith("src/"),
                )


@pytest.mark.parametrize(("name", "text", "plugin"), [pytest.param(*each, id=each[0]) for each in sources()])
def test_only_public_names_are_imported(name: str, text: str, plugin: bool) -> None:
    own = {"scrutable_of_others", *(path.name.replace("-", "_") for path in EXAMPLES.iterdir())}
    for module, imported in _imports(ast.parse(text)):
        if module.split(".")[0] == "scrutable":
            assert is_public(module, imported, plugin), f"{module}.{imported} is not on the page"
        else:
            assert not module.startswith("scrutable_") or module.split(".")[0] in own, f"{module} is another plugin's"


def test_what_the_page_lists_is_there() -> None:
    for table in (FOR_PLUGINS, FOR_TESTS):
        assert len(table) > 5
        for module, names in table.items():
            assert names
            assert not [name for name in names if not hasattr(importlib.import_module(module), name)], module


def test_the_rule_refuses_what_is_not_listed() -> None:
    assert is_public("scrutable.bases", "Binner", True)
    assert not is_public("scrutable.bases", "binner", True)
    assert not is_public("scrutable.bases.sample", "Sample", True)
    assert not is_public("scrutable.trends", "Trends", False)
    assert not is_public("scrutable.model", "*", True)
    assert not is_public("scrutable.registry", "", True)
    assert is_public("scrutable.testing", "BinnerSuite", False)
    assert not is_public("scrutable.testing", "BinnerSuite", True)


def is_public(module: str, name: str, plugin: bool) -> bool:
    """Whether a plugin, or else its tests, may import a name."""
    return any(_lists(table, module, name) for table in ([FOR_PLUGINS] if plugin else [FOR_PLUGINS, FOR_TESTS]))


def _lists(table: Mapping[str, set[str]], module: str, name: str) -> bool:
    names = table.get(module, set())
    return name in names or ("__all__" in names and name in importlib.import_module(module).__all__)


def _imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Each imported module and the name taken from it; no name where the module itself is imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
