"""What a divergence bound compares: how the protected and the reference rows fall into the bins of a feature."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.data import TrainingData
from scrutable.errors import InputError
from scrutable.fairness import Bound, DivergenceBound, Groups
from scrutable.measures.numerics import information_value

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contrast:
    """Two groups of rows whose distributions over bins may differ by `bound` at most (equation 6).

    Parameters
    ----------
    name : attribute and groups, such as "sex: f / m".
    protected, reference : (n,) weight of each row in either group.
    """

    name: str
    bound: float
    protected: Floats
    reference: Floats

    @classmethod
    def of(cls, bound: DivergenceBound, data: TrainingData, groups: Groups) -> Contrast:
        """The contrast that a bound asks for in the training rows."""
        attribute = groups[bound.attribute]
        counted = data.weight * data.good if bound.rows == "events" else data.weight
        weights = {label: counted * attribute.membership[:, i] for i, label in enumerate(attribute.labels)}
        protected = weights[bound.group]
        reference = counted if bound.reference is None else weights[bound.reference]
        for label, weight in ((bound.group, protected), (bound.reference, reference)):
            if not weight.sum() > 0:
                raise InputError(
                    "the group has no rows that the bound compares", where=f"attribute {bound.attribute!r}", got=label
                )
        name = f"{bound.attribute}: {bound.group} / {'everyone' if bound.reference is None else bound.reference}"
        return cls(name=name, bound=bound.bound, protected=protected, reference=reference)

    def counts(self, index: NDArray[np.intp], n_bins: int) -> tuple[Floats, Floats]:
        """Weight of protected and of reference rows in each bin."""
        return weighed(index, self.protected, n_bins), weighed(index, self.reference, n_bins)

    def fiv(self, index: NDArray[np.intp]) -> float:
        """Fairness information value of a feature with these bins."""
        return information_value(*self.counts(index, int(index.max()) + 1), zero="inf")


def contrasts_of(bounds: Iterable[Bound], data: TrainingData) -> list[Contrast]:
    """The contrasts that divergence bounds ask for."""
    return [Contrast.of(b, data, data.groups) for b in bounds if isinstance(b, DivergenceBound) and data.groups]


def weighed(index: NDArray[np.intp], weight: Floats, n_bins: int) -> Floats:
    """Weight in each bin; bins beyond the last of `n_bins` are left out."""
    return np.bincount(index, weight, minlength=n_bins)[:n_bins].astype(np.float64)
