"""Attributes exactly as the user lists them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from scrutable.binning import Sample, distinct
from scrutable.model import Value
from scrutable.plugins.bases import Binner, Needs


class ManualBinner(Binner):
    """Fixed cuts and merges, and nothing else.

    A numeric feature without `cuts` stays in one piece; every category that no merge names keeps an attribute of its
    own. Parameters as in `Binner`.

    Examples
    --------
    >>> X = {"age": [19, 30, 70, 41] * 5, "home": ["own", "rent", "free", "rent"] * 5}
    >>> binner = ManualBinner(cuts={"age": [25, 65]}, merges={"home": [["own", "free"]]}).fit(X, [0, 1, 1, 0] * 5)
    >>> binner.binning_["home"].words
    ["'own' or 'free'", "'rent'", 'any other value', 'missing']
    >>> binner.binning_.audit[0].detail
    'cuts at 25, 65'
    """

    needs: ClassVar[Needs] = "values"

    def find_cuts(self, sample: Sample) -> Sequence[float]:
        return []

    def find_groups(self, sample: Sample) -> Sequence[Sequence[Value]]:
        return [(value,) for value in distinct(sample)]
