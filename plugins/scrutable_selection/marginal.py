"""Marginal information value: what a characteristic tells beside those that are chosen already."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import BinTable
from scrutable.measures.numerics import weight_of_evidence
from scrutable.plugins.bases import Candidate, ClassTallies, Pool
from scrutable_selection.maximum import maximum

Floats = NDArray[np.float64]


def marginal_iv(candidate: Candidate, expected: Floats) -> float:
    """Σ (good share − bad share) · (WoE − expected WoE) over attributes.

    Parameters
    ----------
    expected : (attributes,) weight of favourable rows that a model without the characteristic expects.

    References
    ----------
    Scallan, G. (2011). Building better scorecards. Section on marginal information value.
    """
    table = cast(BinTable, candidate.table)
    good, bad = table.counts
    total = good + bad
    expected = np.clip(expected, 0.0, total)
    pseudo = 0.5 * table.lightest
    woe, other = (
        weight_of_evidence(np.stack([total - each, each], axis=1), smoothing=pseudo) for each in (good, expected)
    )
    return float(((good / good.sum() - bad / bad.sum()) * (woe - other)).sum())


def by_marginal_iv(pool: Pool, least: float | None) -> None:
    """Take in one characteristic after another, that of the largest marginal information value; drop what is left.

    Parameters
    ----------
    least : marginal information value that one has to have to be taken in.
    """
    if least is None or not pool.names:
        return
    chosen = [name for name in pool.names if pool.must(name)] or [pool.ranked()[0]]
    tallies = cast(ClassTallies, pool.tallies)
    while True:
        fit = maximum(pool.tallies.likelihood(chosen), nonnegative=True)
        expected = tallies.expected(chosen, fit.intercept, fit.coefficients)
        others = [name for name in pool.names if name not in chosen]
        telling = {name: marginal_iv(pool[name], expected[name]) for name in others}
        best = max(telling, key=lambda name: telling[name], default="")
        if not best or telling[best] < least:
            break
        chosen.append(best)
    for name, value in telling.items():
        reason = f"beside those that stay its information value is {value:.3g}, below {least:g}"
        pool.drop(name, step="marginal", reason=reason, figure=value, threshold=least)
