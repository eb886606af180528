"""Plugins, ours and those that we write for others to read, use names that the listed facades list, and no others."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from scrutable.plugins.component import KINDS
from scrutable.testing.public_names import FOR_PLUGINS, FOR_TESTS, is_public, private_names, sources_of
from scrutable.testing.scaffold import Names
from scrutable.testing.scaffold.rendering import render

PLUGINS = Path(__file__).parents[2] / "docs" / "plugins"
EXAMPLES = PLUGINS.parent / "examples"
#: Code on a page.
CODE = re.compile(r"^```python\n(.*?)^```", re.S | re.M)
_, PLUGIN_TABLE, TEST_TABLE = re.split(r"^\| facade \| .* \|$", (PLUGINS / "compatibility.md").read_text(), flags=re.M)


ROOT = PLUGINS.parents[1]
OURS = [path for folder in ("exporters", "plugins") for path in sorted((ROOT / folder).glob("scrutable_*"))]


def test_the_page_lists_what_the_checks_go_by() -> None:
    for table, facades in ((PLUGIN_TABLE, FOR_PLUGINS), (TEST_TABLE, FOR_TESTS)):
        assert tuple(re.findall(r"^\| `(scrutable[\w.]*)` \|", table, re.M)) == facades


@pytest.mark.parametrize("package", OURS, ids=lambda path: path.name)
def test_our_packages_use_what_others_may(package: Path) -> None:
    used = {
        name: str(path.relative_to(package))
        for path, is_test in sources_of(package)
        for name in private_names(path.read_text(), tests=is_test)
    }
    assert used == {}


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
    assert private_names(text, tests=not plugin) == []
    for module in _modules(ast.parse(text)):
        assert not module.startswith("scrutable_") or module.split(".")[0] in own, f"{module} is another plugin's"


@pytest.mark.parametrize("module", [*FOR_PLUGINS, *FOR_TESTS])
def test_what_a_facade_lists_is_there(module: str) -> None:
    facade = importlib.import_module(module)
    for submodule in pkgutil.iter_modules(getattr(facade, "__path__", ())):
        if submodule.name in facade.__all__:  # which hides the name from then on, unless the facade is eager
            importlib.import_module(f"{module}.{submodule.name}")
    values = {name: getattr(facade, name) for name in facade.__all__}
    assert values
    assert not [name for name, value in values.items() if isinstance(value, ModuleType)], "a module has that name"


def test_the_rule_refuses_what_is_not_listed() -> None:
    assert is_public("scrutable.plugins.bases", "Binner")
    assert not is_public("scrutable.plugins.bases", "binner")
    assert not is_public("scrutable.binning.sample", "Sample")
    assert not is_public("scrutable.binning.trends", "Trends", tests=True)
    assert not is_public("scrutable.model", "*")
    assert is_public("scrutable.testing", "BinnerSuite", tests=True)
    assert not is_public("scrutable.testing", "BinnerSuite")


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import scrutable\nscrutable.create('binner', 'quantile')", []),
        ("import scrutable.model as m\nm.Scorecard", []),
        ("from scrutable.model import evaluator\nevaluator.evaluate", []),
        ("import scrutable.plugins.registry", ["scrutable.plugins.registry"]),
        ("from scrutable.model import *", ["scrutable.model.*"]),
        ("from scrutable.model import contents", ["scrutable.model.contents"]),
        ("import scrutable\nscrutable.model.contents.texts_of()", ["scrutable.model.contents"]),
        ("def f():\n    from scrutable.model.trees import paths", ["scrutable.model.trees.paths"]),
        ("import importlib\nimportlib.import_module('scrutable.plugins.registry')", ["scrutable.plugins.registry"]),
        ("from scrutable.testing import BinnerSuite", ["scrutable.testing.BinnerSuite"]),
        ("from scrutable.proof.certificate import certify", ["scrutable.proof.certificate.certify"]),
        ("from .registry import registry\nimport scrutables", []),
    ],
)
def test_what_is_not_public_is_found(source: str, found: list[str]) -> None:
    assert private_names(source) == found


def _modules(tree: ast.AST) -> Iterator[str]:
    """Each imported module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
