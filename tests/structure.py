"""How the code hangs together: `python tests/structure.py` prints figures, tests/system/test_walls.py holds it."""

from __future__ import annotations

import ast
import importlib
import io
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import scrutable
from scrutable.plugins.registry import registry
from scrutable.testing.public_names import FOR_PLUGINS, private_names, sources_of

CORE = Path(scrutable.__file__).parent
ROOTS = [CORE.parents[1] / name for name in ("core", "plugins", "exporters")]
#: Folders of what uses the product.
USERS = [CORE.parents[1] / name for name in ("benchmarks", "docs/examples", "tests")]
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
    "data/frames/column.py": {"c"},  # NumPy's complex numbers
    "data/frames/convert.py": {"c"},
    "writing/__init__.py": {"javascript"},  # a function
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


def component_names() -> dict[str, set[str]]:
    """The components that the core's files name, by file, but where that is meant."""
    choosing = {path for place in CHOOSING for path in modules(place)}
    names = {
        str(path.relative_to(CORE)): named(path).keys() - MEANING_ELSE.get(str(path.relative_to(CORE)), set())
        for path in set(CORE.rglob("*.py")) - choosing
    }
    return {file: of_file for file, of_file in names.items() if of_file}


def modules(place: str) -> list[Path]:
    """The files of a place: itself, or those of a folder."""
    path = CORE / place
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


@cache
def imported() -> dict[str, set[str]]:
    """What each file of the product imports, by the dotted name of the file."""
    return imports_in(ROOTS)


def imports_in(roots: Iterable[Path]) -> dict[str, set[str]]:
    """What each file below folders imports, at its top, in functions or for type checkers alone."""
    return {_dotted(path, root): set(imports_of(path.read_text())) for root in roots for path in root.rglob("*.py")}


def _dotted(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def imports_of(source: str) -> Iterator[str]:
    """Modules, and names of modules, that a source imports; what is relative begins with a dot."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from (f"{module}.{alias.name}" for alias in node.names)
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


def lines(*folders: str) -> int:
    """Lines of Python in folders of the repository."""
    return sum(path.read_text().count("\n") for folder in folders for path in (CORE.parents[1] / folder).rglob("*.py"))


def lines_of_code(source: str) -> int:
    """Lines of a source but blank ones, comments and docstrings."""
    nothing = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    tokens = [each for each in tokenize.generate_tokens(io.StringIO(source).readline) if each.type not in nothing]
    coded = {line for each in tokens for line in range(each.start[0], each.end[0] + 1)}
    texts = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Expr)]
    told = [node for node in texts if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)]
    return len(coded - {line for node in told for line in range(node.lineno, (node.end_lineno or 0) + 1)})


def main() -> None:
    """Print the figures, one a line."""
    packages = [path for root in ROOTS[1:] for path in sorted(root.glob("scrutable_*"))]
    sources = [source for package in packages for source in sources_of(package)]
    private = [name for path, is_test in sources for name in private_names(path.read_text(), tests=is_test)]
    public = {(facade, name) for facade in FOR_PLUGINS for name in importlib.import_module(facade).__all__}
    for figure, value in (
        ("lines of the product", lines("core", "plugins", "exporters")),
        ("lines of its tests", lines("tests")),
        ("public names", len(public)),
        ("uses of names that are not public, by our packages", len(private)),
        ("circles of imports between files", len(circles(between_files(imported())))),
        ("names of components in the core", sum(map(len, component_names().values()))),
    ):
        print(f"{value:7,}  {figure}")


if __name__ == "__main__":
    main()
