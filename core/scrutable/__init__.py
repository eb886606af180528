"""Credit models that a person can read, with bounded group disparity, true reasons and exact exports.

Names are imported when they are asked for, so that `import scrutable` is light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrutable.model import dump, dumps, load, loads
    from scrutable.model.evaluator import evaluate
    from scrutable.registry import registry
    from scrutable.search import LDASearch

__version__ = "0.1.0"
__all__ = ["LDASearch", "create", "dump", "dumps", "evaluate", "load", "loads", "registry"]

_HOME = {
    **dict.fromkeys(("dump", "dumps", "load", "loads"), "scrutable.model"),
    "evaluate": "scrutable.model.evaluator",
    "registry": "scrutable.registry",
    "LDASearch": "scrutable.search",
}


def create(kind: Any, name: str, /, **parameters: Any) -> Any:
    """A component by its registered name: a binner, learner, constraint, explainer or exporter.

    >>> create("binner", "quantile", max_bins=5)
    QuantileBinner(max_bins=5)
    """
    from scrutable.registry import registry

    return registry().create(kind, name, **parameters)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)
