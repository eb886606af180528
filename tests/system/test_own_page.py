"""own.md and signatures.md: the plugins on the page keep the contract, and the signatures are those of the code."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from scrutable.plugins.component import Component
from scrutable.plugins.registry import Listing
from scrutable.testing.contract import Subject, checks_for, run_check

PLUGINS = Path(__file__).parents[2] / "docs" / "plugins"
CODE = re.findall(r"^```python\n(.*?)^```", (PLUGINS / "own.md").read_text(), re.S | re.M)
#: What descriptors would say of the classes on the page.
DESCRIBED: dict[str, dict[str, Any]] = {
    "BelowAverage": {"kind": "explainer", "accepts": ("scorecard",), "produces": ("reasons",)},
    "BoundedCutoff": {"kind": "learner", "accepts": ("rate",), "produces": ("scorecard",), "enforces": ("rate",)},
}
#: Checks that start other processes, or that the page's classes have no plugin for.
PASSED_OVER = ("it-is-found", "its-descriptor-imports-nothing-heavy", "another-process-gives-the-same")


def code_with(name: str) -> str:
    """The code on the page that defines a name."""
    [found] = [each for each in CODE if f" {name}(" in each]
    return found


@pytest.mark.parametrize("name", DESCRIBED)
def test_the_pages_components_keep_the_contract(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = f"page_{name.lower()}"
    (tmp_path / f"{module}.py").write_text(code_with(name))
    monkeypatch.syspath_prepend(tmp_path)
    component = Component(
        name=name.lower(), path=f"{module}:{name}", summary="On the page", reference="The page", **DESCRIBED[name]
    )
    subject = Subject(Listing(component, "page", "", ""))
    outcomes = [run_check(each, subject) for each in checks_for(component) if each.name not in PASSED_OVER]
    assert {each.check: each.reason for each in outcomes if each.status == "failed"} == {}
    assert len(outcomes) > 25


def test_the_pages_test_of_random_scorecards_passes() -> None:
    namespace: dict[str, Any] = {}
    exec(compile(code_with("test_any_scorecard_gives_the_same"), "own.md", "exec"), namespace)
    namespace["test_any_scorecard_gives_the_same"]()


def test_the_signatures_are_those_of_the_code() -> None:
    assert (PLUGINS / "signatures.md").read_text() == _generator().page(), "run: make signatures"


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("signatures", PLUGINS / "signatures.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found
