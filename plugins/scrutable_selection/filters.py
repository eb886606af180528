"""Filters: each drops from the pool what is beyond a threshold, and says so."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from scipy.stats import chi2

from scrutable.binning import MeanTable
from scrutable.measures.numerics import information_value
from scrutable.plugins.bases import Pool
from scrutable_selection.correlations import Correlations

Floats = NDArray[np.float64]

#: Correlation from which two characteristics may tell apart the same rows.
_MAY_BE_COPIES = 0.8
#: Share of the rows that near copies code alike.
_NEARLY_ALL = 0.99
#: Correlation of WoE from which two tell the same, though their attributes begin at other rows.
_MOVES_WITH = 0.995
#: Share of characteristics that do not move, which may seem to.
_RARE = 0.01
#: Information value of what is nothing.
_NOTHING = 1e-12


def by_information(pool: Pool, floor: float, ceiling: float | None) -> None:
    """Drop what tells nothing, less than the floor, or more than the ceiling.

    Parameters
    ----------
    floor, ceiling : of the information value.
    """
    for each in pool.there:
        if each.iv <= _NOTHING:
            alike = "mean" if isinstance(each.table, MeanTable) else "WoE"
            pool.drop(each.name, step="nothing told", reason=f"its attributes have the same {alike}", figure=0.0)
        elif each.iv < floor:
            reason = f"its information value is {each.iv:.3g}, below the floor of {floor:g}"
            pool.drop(each.name, step="floor", reason=reason, figure=each.iv, threshold=floor)
        elif ceiling is not None and each.iv > ceiling:
            reason = (
                f"its information value is {each.iv:.3g}, above the ceiling of {ceiling:g}: "
                "it may tell the outcome itself"
            )
            pool.drop(each.name, step="ceiling", reason=reason, figure=each.iv, threshold=ceiling)


def by_stability(pool: Pool, most: float | None) -> None:
    """Drop what moves between the first period and a later one, more than chance would have it.

    Parameters
    ----------
    most : population stability index, Σ (q − p) ln(q / p) of the shares of attributes, less what chance gives in so
        many rows in one of a hundred characteristics at the most: the index divided by 1 / rows of the one + 1 / rows
        of the other is about chi-squared with as many degrees as attributes but one.
    """
    for each in pool.there if most is not None else ():
        if each.periods is None:
            continue
        totals = each.periods.sum(axis=1)
        first, *others = np.flatnonzero(totals > 0).tolist()
        freedom = max(1, int(np.count_nonzero(each.table.counts_seen)) - 1)
        chance = float(chi2.isf(_RARE / max(1, len(others)), freedom))
        moves = [
            information_value(each.periods[first], each.periods[later], zero="half")
            - chance * (1.0 / totals[first] + 1.0 / totals[later])
            for later in others
        ]
        largest = float(max(moves, default=0.0))
        if most is not None and largest > most:
            reason = f"its stability index is {largest:.3g} above chance in one of the periods, more than {most:g}"
            pool.drop(each.name, step="stability", reason=reason, figure=largest, threshold=most)


def without_copies(pool: Pool, known: Correlations) -> None:
    """Drop what another one tells: its attributes, but for a row in a hundred, or WoE that moves with its."""
    ranked = pool.ranked()
    correlation = np.abs(known.only(ranked).matrix)
    for first, second in np.argwhere(np.triu(correlation >= _MAY_BE_COPIES, 1)).tolist():
        one, other = ranked[first], ranked[second]
        if one not in pool.names or other not in pool.names:
            continue
        cells = pool.tallies.pairs(one, other)
        told, tells = (float(cells.max(axis=axis).sum() / cells.sum()) for axis in (1, 0))
        left, stays = (one, other) if pool.must(other) and not pool.must(one) else (other, one)
        if max(told, tells) >= _NEARLY_ALL:
            same = "a copy of" if min(told, tells) == 1.0 else "nearly a copy of"
            if min(told, tells) < _NEARLY_ALL:
                same = "nested with"
            reason = f"it is {same} {stays}: {max(told, tells):.1%} of the rows are coded alike"
            pool.drop(left, step="copy", reason=reason, figure=max(told, tells), threshold=_NEARLY_ALL, other=stays)
        elif (moves := float(correlation[first, second])) >= _MOVES_WITH:
            reason = f"it is nearly a copy of {stays}: the correlation of their WoE is {moves:.3f}"
            pool.drop(left, step="copy", reason=reason, figure=moves, threshold=_MOVES_WITH, other=stays)


def by_correlation(pool: Pool, known: Correlations, most: float | None) -> None:
    """Drop of two that are correlated the one of lower rank, from the best on.

    Parameters
    ----------
    most : largest correlation of WoE, without its sign.
    """
    if most is None:
        return
    kept: list[str] = []
    for name in pool.ranked():
        other, correlation = known.closest(name, kept)
        if correlation > most:
            reason = f"its correlation with {other} is {correlation:.2f}, above {most:g}"
            if pool.drop(name, step="correlation", reason=reason, figure=correlation, threshold=most, other=other):
                continue
        kept.append(name)


def by_cluster(pool: Pool, known: Correlations, least: float | None) -> None:
    """Drop all but the best of each cluster.

    Clusters are those of average linkage by 1 − |correlation| of WoE, cut where it is 1 − `least`.
    """
    if least is None or len(pool.names) < 2:
        return
    names = pool.names
    apart = 1.0 - np.abs(known.only(names).matrix)
    np.fill_diagonal(apart, 0.0)
    numbers = fcluster(linkage(squareform(apart, checks=False), "average"), 1.0 - least, "distance")
    for number in dict.fromkeys(numbers.tolist()):
        cluster = [name for name, own in zip(names, numbers.tolist(), strict=True) if own == number]
        best = pool.best(cluster)
        for name in cluster:
            if name != best:
                correlation = abs(known.between(name, best))
                reason = f"{best} stands for its cluster of {len(cluster)}; their correlation is {correlation:.2f}"
                pool.drop(name, step="cluster", reason=reason, figure=correlation, threshold=least, other=best)


def by_vif(pool: Pool, known: Correlations, most: float | None) -> None:
    """Drop, as long as one is above, that with the largest variance inflation factor.

    Parameters
    ----------
    most : variance inflation factor, 1 / (1 − R²) of a characteristic's WoE by those of the others.
    """
    while most is not None and (worst := next(_inflated(pool, known, most), None)):
        name, factor, other = worst
        reason = f"its variance inflation factor is {factor:.3g}, above {most:g}; it goes most with {other}"
        pool.drop(name, step="vif", reason=reason, figure=factor, threshold=most, other=other)


def _inflated(pool: Pool, known: Correlations, most: float) -> Iterator[tuple[str, float, str]]:
    """Those that may leave, the most inflated first, with the one that each goes most with."""
    if len(pool.names) < 2:
        return
    factors = known.only(pool.names).inflation
    for at in np.argsort(-factors, kind="stable").tolist():
        name = pool.names[at]
        if factors[at] > most and not pool.must(name):
            yield name, float(factors[at]), known.closest(name, [each for each in pool.names if each != name])[0]
