"""Guesses at the outcomes of applicants who were declined, so that a learner sees the population that applies.

Names are imported on first use, so that `import scrutable_lifecycle.reject_inference` loads neither numpy nor pandas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing import lazily

if TYPE_CHECKING:
    from scrutable_lifecycle.reject_inference.augmented import Augmented
    from scrutable_lifecycle.reject_inference.fuzzy import fuzzy_augmentation
    from scrutable_lifecycle.reject_inference.parcels import parcelling

__all__ = ["Augmented", "fuzzy_augmentation", "parcelling"]

_HOME = {"Augmented": "augmented", "fuzzy_augmentation": "fuzzy", "parcelling": "parcels"}

__getattr__ = lazily(__name__)
