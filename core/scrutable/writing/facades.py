"""Packages whose names are imported when they are asked for, so that importing the package itself is light."""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def lazily(package: str) -> Callable[[str], Any]:
    """The `__getattr__` of a package that imports its names under `if TYPE_CHECKING`, each when it is first asked for.

    What type checkers read is what is imported: the names stand once. `dir` of the package, and so completion in
    notebooks, has them before they are imported.

    Parameters
    ----------
    package : its `__name__`.

    Examples
    --------
    >>> import scrutable.fairness
    >>> lazily("scrutable.fairness")("auc")([True, False], [2.0, 1.0])
    1.0
    >>> {"evaluate", "registry", "create"} <= {*dir(scrutable)}
    True
    """
    facade = sys.modules[package]

    def names() -> list[str]:
        return sorted({*vars(facade), *_homes(package)})

    def imported(name: str) -> Any:
        home = None if name.startswith("__") else _homes(package).get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(home), name)

    vars(facade)["__dir__"] = names
    return imported


def named(module: str, name: str) -> Any:
    """What has a name in a module, imported when it is asked for; for methods that only hand themselves to a function.

    >>> named("math", "sqrt")(9.0)
    3.0
    """
    return getattr(importlib.import_module(module), name)


@functools.cache
def _homes(package: str) -> Mapping[str, str]:
    """The module of each name that the package imports for type checkers."""
    import ast
    import linecache

    facade = sys.modules[package]
    tree = ast.parse("".join(linecache.getlines(str(facade.__file__), vars(facade))))
    blocks = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    imports = [node for block in blocks for node in block.body if isinstance(node, ast.ImportFrom) and node.module]
    return {alias.asname or alias.name: str(node.module) for node in imports for alias in node.names}
