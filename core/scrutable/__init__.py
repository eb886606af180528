"""Credit models that a person can read, with bounded group disparity, true reasons and exact exports.

Names are imported when they are asked for, so that `import scrutable` is light.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.model import dump, dumps, load, loads
    from scrutable.model.evaluator import evaluate
    from scrutable.plugins.registry import registry

__version__ = "0.1.0"
__all__ = ["create", "dump", "dumps", "evaluate", "load", "loads", "registry"]


def create(kind: Any, name: str, /, **parameters: Any) -> Any:
    """A component by its registered name: a binner, learner, constraint, explainer or exporter.

    >>> create("binner", "quantile", max_bins=5)
    QuantileBinner(max_bins=5)
    """
    from scrutable.plugins.registry import registry

    return registry().create(kind, name, **parameters)


__getattr__ = lazily(__name__)
