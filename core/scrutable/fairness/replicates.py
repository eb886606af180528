"""Draws of groups' rates, from which all their intervals are taken.

Each row gets a random weight, exponentially distributed (the Bayesian bootstrap: Rubin, Annals of Statistics 9, 1981),
and each rate half a row with the event and half a row without it. A share of x among n whole rows is then drawn from
Beta(x + 1/2, n - x + 1/2), so that its interval is Jeffreys' (Brown, Cai and DasGupta, Statistical Science 16, 2001):
that of 2 approved out of 2 begins near 0.3, where rows drawn with replacement would all be approved. It ends at 1, as
theirs does: an interval does not leave out the figure that it is of.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrutable.data.array_checks import Bools, Floats
from scrutable.data.attribute import ProtectedAttribute
from scrutable.data.sizes import is_small
from scrutable.fairness.rates import GAPS, RATIO, Rates, cell_rates, cells_of, compared, group_cells, shares
from scrutable.measures.resampling import packets_of, percentile_interval, row_weights


@dataclass(frozen=True, slots=True, eq=False)
class Replicates:
    """Draws of each rate of each group.

    Parameters
    ----------
    observed : by name, (g,) the rate itself; NaN where it is undefined.
    rates : by name, (n_boot, g); NaN where the rate is undefined.
    sizes : by name, (g,) the effective number of rows that the rate is a share of.
    """

    observed: Rates
    rates: Rates
    sizes: Rates

    @classmethod
    def draw(
        cls,
        y: Bools,
        decision: Bools,
        attribute: ProtectedAttribute,
        weights: Floats | None,
        n_boot: int,
        generator: np.random.Generator,
    ) -> Replicates:
        """Draws for n rows.

        With known groups and no weights sums of exponential weights are gamma distributed, and drawn themselves, at a
        cost that does not depend on n. Else rows are weighed, in packets where there are many of them.

        Examples
        --------
        >>> from scrutable.fairness import Groups
        >>> groups = Groups.from_frame({"sex": ["f", "f", "m", "m", "m"]}, min_group_size=0)
        >>> y = np.array([True, True, True, False, False])
        >>> found = Replicates.draw(y, y, groups["sex"], None, 1000, np.random.default_rng(0))
        >>> found.sizes["approval_rate"].tolist(), bool(found.rates["approval_rate"][:, 0].min() < 0.5)
        ([2.0, 3.0], True)
        """
        unit = np.ones(y.size) if weights is None else weights
        cells, squares = (group_cells(y, decision, attribute, each) for each in (unit, unit**2))
        if attribute.hard and weights is None:
            return cls.of_counts(cells, n_boot, generator)
        packet = packets_of(y.size, generator)
        packets = int(packet.max()) + 1
        per_packet = cells_of(4 * packet + 2 * y + decision, packets, attribute, unit).reshape(packets, -1)
        blocks = [drawn @ per_packet for drawn in row_weights(packets, n_boot, generator)]
        return cls._smoothed(np.concatenate(blocks).reshape(n_boot, *cells.shape), cells, squares, generator)

    @classmethod
    def of_counts(cls, cells: Floats, n_boot: int, generator: np.random.Generator) -> Replicates:
        """Draw replicates for (g, 2, 2) whole counts of rows by group, outcome and decision."""
        return cls._smoothed(generator.gamma(cells, size=(n_boot, *cells.shape)), cells, cells, generator)

    @classmethod
    def _smoothed(cls, drawn: Floats, cells: Floats, squares: Floats, generator: np.random.Generator) -> Replicates:
        """The draws with half a row, of the group's mean weight, on either side of each rate."""
        total = cells.sum(axis=(1, 2))
        row = np.divide(squares.sum(axis=(1, 2)), total, out=np.zeros(len(cells)), where=total > 0)
        rates, sizes = {}, {}
        among = zip(shares(drawn).items(), shares(cells).values(), shares(squares).values(), strict=True)
        for (name, (event, whole)), (_, weight), (_, square) in among:
            here, there = generator.gamma(0.5, size=(2, *event.shape)) * row
            sizes[name] = np.divide(weight**2, square, out=np.zeros(len(cells)), where=square > 0)
            rates[name] = np.full(event.shape, np.nan)
            np.divide(event + here, whole + here + there, out=rates[name], where=weight > 0)
        return cls(cell_rates(cells), rates, sizes)

    def intervals(self, reference: int, confidence: float) -> dict[str, tuple[Floats, Floats]]:
        """Low and high ends, each (g,), of every rate, gap and ratio; NaN where one is undefined.

        Where the figure itself lies outside, as a rate of 0 or 1 does, the interval reaches to it.

        What compares a group with its reference has none where either has fewer than `MIN_GROUP_SIZE` rows to tell.

        Parameters
        ----------
        reference : position of the reference among the groups.
        """
        own = compared(self.observed, reference)
        ends = {}
        for name, values in compared(self.rates, reference).items():
            low, high = percentile_interval(values, confidence)
            ends[name] = np.minimum(low, own[name]), np.maximum(high, own[name])
        for name, rate in {**GAPS, RATIO: "approval_rate"}.items():
            few = np.array([is_small(size) for size in self.sizes[rate]])
            for end in ends[name]:
                end[few | few[reference]] = np.nan
        return ends
