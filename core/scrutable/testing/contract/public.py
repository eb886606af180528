"""The check of third parties' components that keeps them to names that stay."""

from __future__ import annotations

import ast
import functools
import importlib.util
from pathlib import Path

from scrutable.plugins.component import Component
from scrutable.testing.contract.check import check, require
from scrutable.testing.contract.subject import Subject
from scrutable.testing.public_names import packages_of, private_names, sources_of


@functools.cache
def _first_party() -> frozenset[str]:
    return frozenset(packages_of("scrutable") - {"scrutable"})


def _of_others(component: Component) -> bool:
    """That it is no part of Scrutable, whose own plugins are released with it."""
    return component.path.partition(":")[0].partition(".")[0] not in _first_party()


@check(
    of=_of_others,
    of_descriptor=True,
    hint="use the names that docs/plugins/compatibility.md lists, and other components by scrutable.create",
)
def it_uses_public_names_only(subject: Subject) -> None:
    """Its package uses public names of Scrutable, and imports no other plugin."""
    places: dict[str, str] = {}
    for path, is_test in _sources(subject.package):
        source = path.read_text(encoding="utf-8")
        for name in (*private_names(source, tests=is_test), *_plugins_imported(source)):
            places.setdefault(name, path.name)
    named = ", ".join(f"{name} (in {place})" for name, place in places.items())
    require(not places, "it uses what is not public", got=named)


def _sources(package: str) -> list[tuple[Path, bool]]:
    """The files of a package, or the one of a module, and whether each is a test."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        return [(Path(spec.origin), False)] if spec and spec.origin else []
    return [each for folder in spec.submodule_search_locations for each in sources_of(Path(folder))]


def _plugins_imported(source: str) -> list[str]:
    """First-party packages of plugins that a source imports."""
    modules = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            modules.append(node.module or "")
    return [name for name in modules if name.partition(".")[0] in _first_party()]
