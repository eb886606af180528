"""Guesses at the outcomes of applicants who were declined, so that a learner sees the population that applies.

Names are imported on first use, so that `import scrutable.reject_inference` loads neither numpy nor pandas.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrutable.reject_inference.augmented import Augmented
    from scrutable.reject_inference.fuzzy import fuzzy_augmentation
    from scrutable.reject_inference.parcels import parcelling

__all__ = ["Augmented", "fuzzy_augmentation", "parcelling"]

_HOME = {"Augmented": "augmented", "fuzzy_augmentation": "fuzzy", "parcelling": "parcels"}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
