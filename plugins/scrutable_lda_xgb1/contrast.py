"""What a divergence bound compares: how the protected and the reference rows fall into the bins of a feature."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.data import LabelledRows
from scrutable.errors import InputError
from scrutable.fairness import Bound, DivergenceBound
from scrutable.measures.numerics import information_value
from scrutable_lda_xgb1.counted import Counted

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contrast:
    """Two groups of rows whose distributions over bins may differ by `bound` at most (equation 6).

    Parameters
    ----------
    name : attribute and groups, such as "sex: f / m".
    attribute : position of the protected attribute.
    protected, reference : positions of the groups; a reference of None is everyone.
    events : whether rows with the favourable outcome alone are compared.
    """

    name: str
    bound: float
    attribute: int
    protected: int
    reference: int | None
    events: bool

    @classmethod
    def of(cls, bound: DivergenceBound, data: LabelledRows) -> Contrast:
        """The contrast that a bound asks for in the training rows."""
        assert data.groups is not None
        attribute, everyone = data.groups[bound.attribute], bound.reference is None
        contrast = cls(
            name=f"{bound.attribute}: {bound.group} / {'everyone' if everyone else bound.reference}",
            bound=bound.bound,
            attribute=data.groups.names.index(bound.attribute),
            protected=attribute.labels.index(bound.group),
            reference=None if bound.reference is None else attribute.labels.index(bound.reference),
            events=bound.rows == "events",
        )
        counts = data.counts(data.features[0])
        every = Counted(outcomes=counts.outcomes, rows=counts.rows.sum(axis=1), groups=counts.groups)
        for label, weight in zip((bound.group, bound.reference), contrast.sides(every), strict=True):
            if not weight.sum() > 0:
                raise InputError(
                    "the group has no rows that the bound compares", where=f"attribute {bound.attribute!r}", got=label
                )
        return contrast

    def sides(self, counted: Counted) -> tuple[Floats, Floats]:
        """Weight of protected and of reference rows in each bin."""
        groups = counted.groups[self.attribute]
        by_group = groups.rows - groups.bad if self.events else groups.rows
        everyone = counted.outcomes[:, 1] if self.events else counted.outcomes.sum(axis=1)
        return by_group[:, self.protected], everyone if self.reference is None else by_group[:, self.reference]

    def fiv(self, counted: Counted) -> float:
        """Fairness information value of a feature with these bins."""
        return information_value(*self.sides(counted), zero="inf")


def contrasts_of(bounds: Iterable[Bound], data: LabelledRows) -> list[Contrast]:
    """The contrasts that divergence bounds ask for."""
    return [Contrast.of(b, data) for b in bounds if isinstance(b, DivergenceBound) and data.groups]
