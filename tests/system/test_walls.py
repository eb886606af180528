"""No file imports what imports it, only commands import the shell, and nothing in the core names a component."""

from __future__ import annotations

import ast
import importlib

import pytest
from structure import (
    CHOOSING,
    CORE,
    MEANING_ELSE,
    NAMES,
    ROOTS,
    USERS,
    between_files,
    circles,
    component_names,
    imported,
    imports_in,
    imports_of,
    modules,
    named,
    strings,
)

from scrutable.testing.public_names import FOR_PLUGINS

#: Names of variables that would fit everywhere.
VAGUE = ("found", "its")
#: Files and folders that the core's folder holds at most.
ENTRIES = 14


def test_no_component_is_named_in_the_core() -> None:
    assert component_names() == {}


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


def test_no_file_imports_what_imports_it() -> None:
    assert [file for file, names in imported().items() if any(name.startswith(".") for name in names)] == []
    assert circles(between_files(imported())) == []


def test_circles_are_found_however_long() -> None:
    imports = {"a": {"b.f"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e.x.y"}, "e": {"e", "d"}, "f": {"a"}}
    assert between_files(imports)["d"] == set()
    assert circles(between_files(imports)) == [{"a", "b", "c"}]
    assert circles({"a": {"b"}, "b": {"a"}, "c": {"a", "d"}, "d": {"c"}}) == [{"a", "b"}, {"c", "d"}]
    source = "import a\ndef f():\n    from b import c\nif TYPE_CHECKING:\n    from d.e import f as g"
    assert set(imports_of(source)) == {"a", "b.c", "d.e.f"}


def test_what_is_imported_from_a_facade_is_there() -> None:
    """Facades load their names when asked for, so that no type checker misses one that is gone."""
    missing = [
        f"{file}: {name}"
        for file, names in (imported() | imports_in(USERS)).items()
        for name in names
        if (facade := name.rpartition(".")[0]) in FOR_PLUGINS and name not in imported()
        if not hasattr(importlib.import_module(facade), name.rpartition(".")[2])
    ]
    assert missing == []


def test_only_commands_import_the_shell() -> None:
    shell = "scrutable.cli"
    outside = {file: names for file, names in imported().items() if not file.startswith("scrutable.")}
    assert len(outside) > 100
    users = [file for file, names in outside.items() if any(f"{name}.".startswith(f"{shell}.") for name in names)]
    assert users
    assert [file for file in users if "commands" not in file.split(".")] == []


def test_variables_are_called_what_they_hold() -> None:
    vague = [
        f"{path.relative_to(CORE.parents[1])}:{node.lineno}"
        for root in ROOTS
        for path in sorted(root.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if (isinstance(node, ast.Name) and node.id in VAGUE) or (isinstance(node, ast.arg) and node.arg in VAGUE)
    ]
    assert vague == []


def test_the_folder_of_the_core_stays_small() -> None:
    entries = [path for path in CORE.iterdir() if path.name != "__pycache__"]
    assert len(entries) <= ENTRIES, sorted(path.name for path in entries)
