"""Average points of each characteristic over rows, the same in whatever order they come."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from scrutable.data import ExactSums, Limbs
from scrutable.model import Characteristic, Scorecard
from scrutable.model.evaluator import evaluate
from scrutable_reason_codes.population import Part


def averages(card: Scorecard, parts: Iterable[Part]) -> dict[str, float]:
    """By characteristic and interaction, the average of the points that rows have of it, by weight.

    Parameters
    ----------
    parts : rows and their weights, some at a time.
    """
    values: dict[str, dict[float, int]] = {name: {} for name in card.terms}  # of each number of points a cell
    sums = {name: ExactSums() for name in card.terms}
    total = ExactSums()
    for table, weight in parts:
        limbs = Limbs.of(weight) if (weight != 1).any() else None
        said = evaluate(card, table, reasons=False)
        _add(total, np.zeros(len(weight), dtype=np.intp), limbs)
        for name, term in card.terms.items():
            if isinstance(term, Characteristic):
                points, place = [each.points for each in term.attributes], said.attribute[name]
            else:
                different, place = np.unique(said.points[name], return_inverse=True)
                points = different.tolist()
            cells = values[name]
            cell = np.array([cells.setdefault(each, len(cells)) for each in points], dtype=np.intp)
            _add(sums[name], cell[place], limbs)
    [whole] = total.exact(1)
    return {name: float(_sum(values[name], sums[name]) / whole) for name in card.terms}


def _add(sums: ExactSums, cell: NDArray[np.intp], limbs: Limbs | None) -> None:
    if limbs is None:
        sums.add(cell)
    else:
        sums.add_limbs(cell, limbs)


def _sum(cells: dict[float, int], weights: ExactSums) -> Fraction:
    """The exact sum of points times the weights of their rows."""
    exact = weights.exact(len(cells))
    return sum((Fraction(points) * exact[cell] for points, cell in cells.items()), Fraction(0))
