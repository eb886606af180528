"""The constraint `priced-errors`, and the bound that it makes: a rate that Scrutable does not have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scrutable.data import Outcomes, favourable
from scrutable.errors.checks import check_number
from scrutable.fairness import Groups, ProtectedAttribute, RateBound
from scrutable.plugins.bases import FairnessConstraint

Weights = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class PricedRateBound(RateBound):
    """A bound on the share of errors in a group, where a bad payer counts as so many good ones.

    Parameters
    ----------
    price : what approving a bad payer costs, where declining a good one costs 1.

    Examples
    --------
    >>> groups = Groups.from_frame({"sex": ["f", "f", "m", "m"]}, min_group_size=0)
    >>> bound = PricedRateBound(rate="error", attribute="sex", group="f", reference="m", slack=0.1, price=3.0)
    >>> bound.contrast([True, False, True, False], groups).weights.tolist()
    [0.25, 0.75, -0.25, -0.75]
    """

    kind = "priced-rate"

    price: float

    def sides(self, y: Any, groups: Groups, sample_weight: Any = None) -> tuple[Weights, Weights]:
        """Weights of the rows of the group and of its reference, those of bad payers times the price."""
        good = favourable(y, "y", groups.rows)
        weight = np.ones(len(good)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        return super().sides(y, groups, np.where(good, weight, self.price * weight))

    def describe(self) -> str:
        """What is compared, with the price."""
        return f"{super().describe()}, at a price of {self.price:g}"


@dataclass(frozen=True)
class PricedErrors(FairnessConstraint):
    """Priced errors that differ by at most `slack` between each group and its reference.

    Parameters
    ----------
    slack : largest allowed difference, from 0 to 1.
    price : what approving a bad payer costs, where declining a good one costs 1.
    attributes, min_group_size : as in `FairnessConstraint`.

    References
    ----------
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI 17.
    """

    slack: float = 0.05
    price: float = 5.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number(self.slack, "slack", "from 0 to 1", high=1.0)
        check_number(self.price, "price", "0 or more")

    def bounds_for(self, attribute: ProtectedAttribute, group: str, y: Outcomes) -> Iterator[PricedRateBound]:
        """One bound, against the reference or everyone."""
        favourable(y, "y")
        yield PricedRateBound(
            rate="error",
            attribute=attribute.name,
            group=group,
            reference=self.reference_of(attribute),
            slack=self.slack,
            price=self.price,
        )
