"""Names of Scrutable that plugins may use, and what a package uses beside them.

`docs/plugins/compatibility.md` lists the same facades, and promises what becomes of them.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

#: The facades, of which plugins may use what each lists in its `__all__`.
FOR_PLUGINS = (
    "scrutable",
    "scrutable.errors",
    "scrutable.errors.checks",
    "scrutable.writing",
    "scrutable.data",
    "scrutable.data.frames",
    "scrutable.data.datasets",
    "scrutable.model",
    "scrutable.model.evaluator",
    "scrutable.model.program",
    "scrutable.model.rulesets",
    "scrutable.model.segmented",
    "scrutable.measures",
    "scrutable.measures.numerics",
    "scrutable.fairness",
    "scrutable.binning",
    "scrutable.plugins",
    "scrutable.plugins.bases",
    "scrutable.plots",
    "scrutable.plots.style",
    "scrutable.plots.group_panels",
    "scrutable.proof",
    "scrutable.testing.contract",
    "scrutable.cli",
    "scrutable.cli.options",
)

#: The facades that tests of plugins, and programs beside them, use more.
FOR_TESTS = ("scrutable.testing", "scrutable.testing.strategies")


def is_public(module: str, name: str, *, tests: bool = False) -> bool:
    """Whether a plugin, or else its tests, may use a name of a module.

    >>> is_public("scrutable.plugins.bases", "Binner"), is_public("scrutable.binning.sample", "Sample")
    (True, False)
    """
    return _is_listed(module, tests) and name in importlib.import_module(module).__all__


def private_names(source: str, *, tests: bool = False) -> list[str]:
    """What a source uses of Scrutable that is not public, each once: imported names, modules, and attributes of these.

    Parameters
    ----------
    source : the text of a module.
    tests : whether it is a test, or a program beside a plugin.

    Examples
    --------
    >>> private_names("import scrutable\\nfrom scrutable.binning.sample import Sample\\nscrutable.model.codec.tag()")
    ['scrutable.binning.sample.Sample', 'scrutable.model.codec']
    """
    tree = ast.parse(source)
    names = [*_imported(tree, tests), *_reached(tree, tests)]
    return list(dict.fromkeys(names))


def sources_of(folder: Path) -> Iterator[tuple[Path, bool]]:
    """The Python files of a package, and whether each is a test."""
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).parts
        yield path, "tests" in parts or parts[-1].startswith(("test_", "conftest"))


def packages_of(distribution: str) -> set[str]:
    """The packages that the entry points of a distribution name as plugins."""
    try:
        points = metadata.distribution(distribution).entry_points
    except (metadata.PackageNotFoundError, ValueError):  # no name, or none that is installed
        return set()
    return {point.value.partition(":")[0].partition(".")[0] for point in points if point.group == "scrutable"}


def _imported(tree: ast.AST, tests: bool) -> Iterator[str]:
    """Imports of names, and of whole modules, that are not public."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and _is_ours(node.module or ""):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                if not (is_public(str(node.module), alias.name, tests=tests) or _is_listed(whole, tests)):
                    yield whole
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if _is_ours(alias.name) and not _is_listed(alias.name, tests):
                    yield alias.name
        elif isinstance(node, ast.Call) and _function(node) in ("import_module", "__import__"):
            for argument in node.args[:1]:
                if isinstance(argument, ast.Constant) and _is_ours(str(argument.value)):
                    yield str(argument.value)


def _reached(tree: ast.AST, tests: bool) -> Iterator[str]:
    """Attributes of imported modules that are not public."""
    modules = dict(_modules(tree))
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            root, *names = _chain(node)
            if root in modules:
                yield from _private_of(modules[root], names, tests)


def _private_of(module: str, names: list[str], tests: bool) -> Iterator[str]:
    while names:
        if is_public(module, names[0], tests=tests):
            return
        module = f"{module}.{names.pop(0)}"
        if not _leads_to_listed(module, tests):
            yield module
            return


def _modules(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """What imported modules of ours are called in a source."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _is_ours(alias.name):
                    yield (alias.asname, alias.name) if alias.asname else ("scrutable", "scrutable")
        elif isinstance(node, ast.ImportFrom) and not node.level and _is_ours(node.module or ""):
            for alias in node.names:
                if _is_listed(f"{node.module}.{alias.name}", True):
                    yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _chain(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Attribute):
        return [*_chain(node.value), node.attr]
    return [node.id] if isinstance(node, ast.Name) else [""]


def _function(node: ast.Call) -> str:
    return _chain(node.func)[-1]


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == "scrutable"


def _is_listed(module: str, tests: bool) -> bool:
    return module in FOR_PLUGINS or (tests and module in FOR_TESTS)


def _leads_to_listed(module: str, tests: bool) -> bool:
    listed = (*FOR_PLUGINS, *(FOR_TESTS if tests else ()))
    return any(each == module or each.startswith(f"{module}.") for each in listed)
