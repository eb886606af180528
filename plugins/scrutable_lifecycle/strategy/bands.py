"""Score bands: who is in each range of the score, how they paid, and what a cutoff at its lower end would mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scrutable.data import Cohort, scores
from scrutable.fairness import Groups
from scrutable.measures import band_edges, band_of
from scrutable.writing import number, plain_fields
from scrutable_lifecycle.strategy.counts import CountedPart, in_play, parts_of, read_knocked_out
from scrutable_lifecycle.strategy.decided import Decided, decided


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Applicants with a score in [lower, upper), and what the cutoff `lower` would mean.

    Parameters
    ----------
    lower, upper : points; infinite where the band is open.
    part : its applicants, overall and by group. Shares are of all applicants, those knocked out included.
    from_here : the decision that approves this band and all above it.
    """

    lower: float
    upper: float
    part: CountedPart
    from_here: Decided

    @property
    def title(self) -> str:
        """The range in words, with every digit: whoever copies an end of it decides alike."""
        return self.in_words(number)

    def in_words(self, write: Callable[[float], str]) -> str:
        """The range, its ends written by the function."""
        if self.lower == -np.inf:
            return "every score" if self.upper == np.inf else f"below {write(self.upper)}"
        return f"from {write(self.lower)}" if self.upper == np.inf else f"{write(self.lower)} to {write(self.upper)}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for an open end and for what is undefined."""
        ends = {name: end if np.isfinite(end) else None for name, end in (("lower", self.lower), ("upper", self.upper))}
        return {**ends, **self.part.to_dict(), "from_here": self.from_here.to_dict()}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreBands:
    """Bands by ascending score, as the field writes them, and the applicants that no band holds.

    Parameters
    ----------
    knocked_out : applicants that are declined whatever their score.
    everybody : all applicants, those knocked out included.
    """

    bands: tuple[Band, ...]
    knocked_out: CountedPart
    everybody: CountedPart

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return plain_fields(self)


def score_bands(
    score: Any,
    good: Any = None,
    *,
    bands: int | None = None,
    edges: Sequence[float] | None = None,
    width: float | None = None,
    groups: Groups | None = None,
    sample_weight: Any = None,
    knocked_out: Any = None,
) -> ScoreBands:
    """Count applicants and outcomes by ranges of the score.

    Bands are ranges [lower, upper), ascending. Those of equal shares never put equal scores apart: a band ends where at
    least its share lies below, so that there may be fewer of them than asked for.

    Parameters
    ----------
    score : (n,) points; more are better for the applicant.
    good : (n,) booleans, True for a good payer, None or NaN where that is not known; None: nowhere known.
    bands : so many bands of equal shares; 10 if neither this nor the next two are given.
    edges : inner ends of the bands.
    width : width of the bands in points; they begin at multiples of it.
    groups : protected groups of the same rows; membership probabilities count as weights.
    sample_weight : (n,) weights; None means 1 each.
    knocked_out : (n,) booleans; those applicants are in no band, and no cutoff approves them.

    Raises
    ------
    InputError : lengths that differ, missing scores, no applicant that the score decides about, unusable bands.
    KindError : outcomes that are not booleans.

    Examples
    --------
    >>> scored = score_bands([480, 495, 500, 512], [False, True, True, True], edges=[500])
    >>> [(band.title, band.part.counts.bad_rate, band.from_here.approval_rate) for band in scored.bands]
    [('below 500', 0.5, 1.0), ('from 500', 0.0, 0.5)]
    """
    points = scores(score)
    cohort = Cohort.read(points.size, good, groups=groups, sample_weight=sample_weight)
    out = read_knocked_out(knocked_out, points.size)
    inside = in_play(cohort, out)
    ends = band_edges(points[inside], cohort.weight[inside], bands=bands, edges=edges, width=width)
    index = np.where(out, -1, band_of(points, ends))
    parts = parts_of(cohort, index, len(ends) - 1)
    cut = [
        Band(lower=ends[i], upper=ends[i + 1], part=part, from_here=decided(cohort, index >= i))
        for i, part in enumerate(parts)
    ]
    [everybody] = parts_of(cohort, np.zeros(cohort.rows, dtype=np.intp), 1)
    [declined] = parts_of(cohort, np.where(out, 0, -1), 1)
    return ScoreBands(bands=tuple(cut), everybody=everybody, knocked_out=declined)
