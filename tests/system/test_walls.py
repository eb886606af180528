"""No file imports what imports it, only commands import the shell, and nothing in the core names a component."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

import scrutable
from scrutable.plugins.registry import registry

CORE = Path(scrutable.__file__).parent
ROOTS = [CORE.parents[1] / name for name in ("core", "plugins", "exporters")]
#: Circles of imports that are left.
CIRCLES = ({"scrutable.fairness.bounds", "scrutable.fairness.contrast"},)
#: Names of variables that would fit everywhere.
VAGUE = ("found", "its")
#: Files and folders that the core's folder holds at most.
ENTRIES = 14
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
    "plugins/bases/importer.py": {"report"},  # what an import tells
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


@cache
def imported() -> dict[str, set[str]]:
    """What each file imports, at its top, in functions or for type checkers alone, by the dotted name of the file."""
    return {_dotted(path, root): set(_imported(path.read_text())) for root in ROOTS for path in root.rglob("*.py")}


def _dotted(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def _imported(source: str) -> Iterator[str]:
    """Modules, and names of modules, that a source imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            assert not node.level
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def between_files(imports: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Which of the files each of them imports: a module itself, or names of one."""
    known = {name: name if name in imports else name.rpartition(".")[0] for names in imports.values() for name in names}
    return {file: {known[name] for name in names} & imports.keys() - {file} for file, names in imports.items()}


def circles(imports: Mapping[str, set[str]]) -> list[set[str]]:
    """The largest sets of files of which each imports every other, through however many files."""
    reached = {file: _reached(file, imports) for file in imports}
    listed: list[set[str]] = []
    for file in sorted(imports):
        circle = {each for each in reached[file] if file in reached[each]}
        if circle and circle not in listed:
            listed.append(circle)
    return listed


def _reached(file: str, imports: Mapping[str, set[str]]) -> set[str]:
    """All files that a file imports, through however many others."""
    reached: set[str] = set()
    waiting = [file]
    while waiting:
        new = imports[waiting.pop()] - reached
        reached |= new
        waiting += new
    return reached


def test_no_file_imports_what_imports_it() -> None:
    assert circles(between_files(imported())) == list(CIRCLES)


def test_circles_are_found_however_long() -> None:
    imports = {"a": {"b.f"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e.x.y"}, "e": {"e", "d"}, "f": {"a"}}
    assert between_files(imports)["d"] == set()
    assert circles(between_files(imports)) == [{"a", "b", "c"}]
    assert circles({"a": {"b"}, "b": {"a"}, "c": {"a", "d"}, "d": {"c"}}) == [{"a", "b"}, {"c", "d"}]
    source = "import a\ndef f():\n    from b import c\nif TYPE_CHECKING:\n    from d.e import f as g"
    assert set(_imported(source)) == {"a", "b.c", "d.e.f"}


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
