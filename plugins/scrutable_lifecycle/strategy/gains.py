"""The gains table: how many of the bad and the good payers a part of the applicants holds, and where KS lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from scrutable.data import Cohort, Floats, scores
from scrutable.fairness import Groups
from scrutable.measures import band_edges, band_of, separation_curve
from scrutable.writing import plain
from scrutable_lifecycle.strategy.counts import in_play, quotient, read_knocked_out


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """One band with all bands before it.

    Parameters
    ----------
    lower, upper : the band, [lower, upper) points; infinite where it is open.
    share, goods, bads : the shares of all payers, the good and the bad that the bands up to here hold.
    lift : of the riskiest first, `bads` over what as many at random would hold of the bad payers; of the safest
        first, the same of the good ones.
    ks : difference of `goods` and `bads`, without its sign.
    """

    lower: float
    upper: float
    share: float
    goods: float
    bads: float
    lift: float
    ks: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for an open end and for what is undefined."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: plain(value) if abs(value) < np.inf else None for name, value in values.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class GainsTable:
    """Bands in the order asked for, and the largest distance over all scores.

    Parameters
    ----------
    riskiest_first : the order of the rows.
    ks : Kolmogorov-Smirnov distance over every score, not over the bands alone; NaN without outcomes of both kinds.
    ks_at : the score that as a cutoff has it, the lowest of several; None without one.
    attribute, group : whose table it is; None for everybody's.
    groups : the same table for each group.
    """

    rows: tuple[Gain, ...]
    riskiest_first: bool
    ks: float
    ks_at: float | None
    attribute: str | None = None
    group: str | None = None
    groups: tuple[GainsTable, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        whose = {} if self.group is None else {"attribute": self.attribute, "group": self.group}
        figures = {"riskiest_first": self.riskiest_first, "ks": plain(self.ks), "ks_at": self.ks_at}
        tables = {"groups": [each.to_dict() for each in self.groups]} if self.group is None else {}
        return {**whose, **figures, "rows": [row.to_dict() for row in self.rows], **tables}


def gains_table(
    score: Any,
    good: Any,
    *,
    bands: int | None = None,
    edges: Sequence[float] | None = None,
    width: float | None = None,
    riskiest_first: bool = True,
    groups: Groups | None = None,
    sample_weight: Any = None,
    knocked_out: Any = None,
) -> GainsTable:
    """Cumulative gains by score band.

    Knocked-out applicants are left out, because the score does not order them, and so are those whose outcome is not
    known: a gain is a share of known outcomes.

    Parameters
    ----------
    riskiest_first : start at the lowest scores; else at the highest.
    score, good, bands, edges, width, groups, sample_weight, knocked_out : as in `score_bands`, and errors too.

    Examples
    --------
    >>> gains = gains_table([1, 2, 3, 4], [False, True, False, True], edges=[3])
    >>> [(row.share, row.bads, row.goods, row.lift) for row in gains.rows]
    [(0.5, 0.5, 0.5, 1.0), (1.0, 1.0, 1.0, 1.0)]
    >>> gains.ks, gains.ks_at
    (0.5, 2.0)
    """
    points = scores(score)
    cohort = Cohort.read(points.size, good, groups=groups, sample_weight=sample_weight)
    inside = in_play(cohort, read_knocked_out(knocked_out, points.size))
    ends = band_edges(points[inside], cohort.weight[inside], bands=bands, edges=edges, width=width)
    counted = replace(cohort, weight=np.where(inside, cohort.weight, 0.0))
    by_group = tuple(
        _table(points, member.cohort, ends, riskiest_first, member.attribute, member.group)
        for member in counted.by_group()
    )
    return _table(points, counted, ends, riskiest_first, groups=by_group)


def _table(
    points: Floats,
    cohort: Cohort,
    ends: tuple[float, ...],
    riskiest_first: bool,
    attribute: str | None = None,
    group: str | None = None,
    groups: tuple[GainsTable, ...] = (),
) -> GainsTable:
    """The table of the rows with weight."""
    cells = cohort.tally(band_of(points, ends), len(ends) - 1)[:, [Cohort.GOOD, Cohort.BAD]]
    order = np.arange(len(cells)) if riskiest_first else np.arange(len(cells))[::-1]
    sums = np.cumsum(cells[order], axis=0)
    goods, bads = sums[-1].tolist()
    rows = []
    for band, (so_far_good, so_far_bad) in zip(order.tolist(), sums.tolist(), strict=True):
        share = quotient(so_far_good + so_far_bad, goods + bads)
        captured = quotient(so_far_good, goods), quotient(so_far_bad, bads)
        rows.append(
            Gain(
                lower=ends[band],
                upper=ends[band + 1],
                share=share,
                goods=captured[0],
                bads=captured[1],
                lift=quotient(captured[1 if riskiest_first else 0], share),
                ks=abs(captured[0] - captured[1]),
            )
        )
    curve = separation_curve(points, cohort)
    return GainsTable(
        rows=tuple(rows),
        riskiest_first=riskiest_first,
        ks=float("nan") if curve is None else curve.ks,
        ks_at=None if curve is None else curve.ks_at,
        attribute=attribute,
        group=group,
        groups=groups,
    )
