"""Draws of groups' rates, from which all their intervals are taken.

Each row gets a random weight, exponentially distributed (the Bayesian bootstrap: Rubin, Annals of Statistics 9, 1981),
and each rate half a row with the event and half a row without it. A share of x among n whole rows is then drawn from
Beta(x + 1/2, n - x + 1/2), so that its interval is Jeffreys' (Brown, Cai and DasGupta, Statistical Science 16, 2001):
that of 2 approved out of 2 begins near 0.3, where rows drawn with replacement would all be approved. It ends at 1, as
theirs does: an interval does not leave out the figure that it is of.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scrutable.data.array_checks import Bools, Floats
from scrutable.data.attribute import ProtectedAttribute
from scrutable.data.sizes import is_small
from scrutable.fairness.rates import GAPS, RATIO, Rates, cell_rates, cells_of, compared, group_cells, shares
from scrutable.measures.resampling import MAX_PACKETS, dealt, gamma_of, percentile_interval, row_weights


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
        *,
        count: npt.NDArray[Any] | None = None,
    ) -> Replicates:
        """Draws for n rows.

        With known groups the sums of exponential weights themselves are drawn: exactly where no more than
        `MAX_PACKETS` kinds of rows differ in their cell or their weight, else by `of_sums`, at a cost that does not
        depend on n. A row that may belong to several groups counts in all of them with one weight, so there rows are
        weighed, in packets where there are many of them.

        Parameters
        ----------
        count : (n,) how many rows each of these stands for; 1 each if None.

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
        often = np.ones(y.size, dtype=np.int64) if count is None else count
        cells, squares = (group_cells(y, decision, attribute, each * often) for each in (unit, unit**2))
        cell, membership = 2 * y + decision, attribute.membership
        if attribute.hard:
            if weights is None:
                return cls.of_counts(cells, n_boot, generator)
            cell, membership, unit, often = _kinds(cell, membership, unit, often)
            if cell.size > MAX_PACKETS:
                return cls.of_sums(cells, squares, n_boot, generator)
        per_packet, packed = _packets(cell, membership, unit, often, generator)
        flat = per_packet.reshape(len(per_packet), -1)
        blocks = [drawn @ flat for drawn in row_weights(packed, n_boot, generator)]
        return cls._smoothed(np.concatenate(blocks).reshape(n_boot, *cells.shape), cells, squares, generator)

    @classmethod
    def of_counts(cls, cells: Floats, n_boot: int, generator: np.random.Generator) -> Replicates:
        """Draw replicates for (g, 2, 2) whole counts of rows by group, outcome and decision."""
        return cls.of_sums(cells, cells, n_boot, generator)

    @classmethod
    def of_sums(cls, cells: Floats, squares: Floats, n_boot: int, generator: np.random.Generator) -> Replicates:
        """Draw replicates for (g, 2, 2) sums of weights by group, outcome and decision, and of their squares.

        The sum of a cell has the gamma distribution where its rows weigh the same; where they do not, it is drawn from
        that with the mean and the variance of the sum.
        """
        shape, scale = gamma_of(cells, squares)
        return cls._smoothed(generator.gamma(shape, scale, size=(n_boot, *cells.shape)), cells, squares, generator)

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


def _kinds(
    cell: npt.NDArray[np.intp], membership: Floats, weight: Floats, count: npt.NDArray[Any]
) -> tuple[npt.NDArray[np.intp], Floats, Floats, npt.NDArray[Any]]:
    """Cells, memberships, weights and numbers of rows that are alike, in an order that is not that of the rows."""
    alike = np.column_stack([membership, cell, weight])
    _, first, inverse = np.unique(alike, axis=0, return_index=True, return_inverse=True)
    return cell[first], membership[first], weight[first], np.bincount(inverse.ravel(), count)


def _packets(
    cell: npt.NDArray[np.intp],
    membership: Floats,
    weight: Floats,
    count: npt.NDArray[Any],
    generator: np.random.Generator,
) -> tuple[Floats, npt.NDArray[Any]]:
    """(packets, g, 2, 2) weights, and how many rows of one kind each packet holds; see `dealt`."""
    if cell.size <= MAX_PACKETS:
        return cells_of(4 * np.arange(cell.size) + cell, cell.size, membership, weight), count
    total = np.zeros((MAX_PACKETS, membership.shape[1], 2, 2))
    for kind, packet in dealt(count, generator):
        total += cells_of(4 * packet + cell[kind], MAX_PACKETS, membership[kind], weight[kind])
    return total, np.ones(MAX_PACKETS)
