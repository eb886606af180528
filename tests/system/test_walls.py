"""Nothing in the core knows a component by its name: components are found by what they declare."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import scrutable
from scrutable.plugins.registry import registry

CORE = Path(scrutable.__file__).parent
NAMES = {listing.component.name for listing in registry().listings()}
#: What models are called by, whoever learned them.
KINDS_OF_MODEL = {"scorecard"}
#: Names kept for plugins that cannot be imported, which nobody else can say then; and checks, which try others with
#: what is first-party.
CHOOSING = ("plugins/own_names.py", "testing")
#: Strings that mean something else than the component, by file.
MEANING_ELSE = {
    "plugins/bases/recording.py": {"python"},  # the interpreter, whose version is recorded
    "proof/certificate.py": {"python"},
    "fairness/rates.py": {"opportunity"},  # a rate, by the papers' name
    "model/codec.py": {"json"},  # what marks a field that holds any JSON
    "data/values.py": {"json"},
}


def strings(source: str) -> Iterator[tuple[int, str]]:
    """Line and value of each string of a module that is no docstring."""
    tree = ast.parse(source)
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in statements:
            yield node.lineno, node.value


def named(path: Path) -> dict[str, int]:
    """The components that a file of the core names, and a line that does."""
    return {text: line for line, text in strings(path.read_text()) if text in NAMES - KINDS_OF_MODEL}


def modules(place: str) -> list[Path]:
    """The files of a place: itself, or those of a folder."""
    path = CORE / place
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def test_no_component_is_named_in_the_core() -> None:
    choosing = {path for place in CHOOSING for path in modules(place)}
    found = {}
    for path in set(CORE.rglob("*.py")) - choosing:
        file = str(path.relative_to(CORE))
        if names := named(path).keys() - MEANING_ELSE.get(file, set()):
            found[file] = names
    assert found == {}


@pytest.mark.parametrize("place", CHOOSING)
def test_a_place_that_names_none_any_more_is_taken_off_the_list(place: str) -> None:
    texts = {text for path in modules(place) for _, text in strings(path.read_text())}
    assert texts & NAMES


@pytest.mark.parametrize("file", MEANING_ELSE)
def test_a_string_that_is_gone_is_taken_off_the_list(file: str) -> None:
    assert MEANING_ELSE[file] <= named(CORE / file).keys()


def test_docstrings_are_not_strings_of_the_core() -> None:
    source = '"""a"""\ndef f():\n    """b"""\n    return "c", f"{1}d"\n'
    assert [text for _, text in strings(source)] == ["c", "d"]
