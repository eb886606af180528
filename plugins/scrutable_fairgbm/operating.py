"""Where the decision stands: at even odds, at a ceiling of an error rate, or at a budget of approvals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from scrutable.data import share
from scrutable.errors import InputError
from scrutable.fairness import approval_threshold
from scrutable_fairgbm.gradients import Bools, Floats

Positive = Literal["favourable", "unfavourable"]

#: Rows that a threshold is read from in each round of training.
_SAMPLE = 20_000
#: Scores of a model and of its booster, which may add up singles, differ by far less, in log-odds or relative to them.
_ROUNDING = 1e-5


@dataclass(frozen=True, slots=True, kw_only=True)
class Operating:
    """A ceiling or a budget at which a model decides, and at which its constraints are looked at in training.

    Give one of these, each a number above 0 and below 1:

    Parameters
    ----------
    declined_good : most good payers that are declined, as a share of the good payers. As many bad payers as possible
        are declined.
    approved_bad : most bad payers that are approved, as a share of the bad payers. As many good payers as possible are
        approved.
    approval : share of all that are approved: a budget.
    fpr, fnr : the first two by the names of their papers, which need to know the class called `positive`: where that
        is the "unfavourable" one (a default or a fraud is detected) the FPR is the share of good payers that are
        declined, and the FNR that of bad payers approved; where it is the "favourable" one, the other way round.
    positive : see `fpr`; for nothing else.

    Raises
    ------
    InputError : none or several of them, a share out of range, or an FPR or FNR without the positive class.

    Examples
    --------
    >>> Operating(fpr=0.05, positive="unfavourable").ceiling
    ('declined_good', 0.05)
    """

    declined_good: float | None = None
    approved_bad: float | None = None
    approval: float | None = None
    fpr: float | None = None
    fnr: float | None = None
    positive: Positive | None = None

    def __post_init__(self) -> None:
        names = ("declined_good", "approved_bad", "approval", "fpr", "fnr")
        given = {name: value for name in names if (value := getattr(self, name)) is not None}
        if len(given) != 1:
            raise InputError("give one of them", where="Operating", got=given, allowed=", ".join(names))
        [(name, value)] = given.items()
        share(value, name)
        if (name in ("fpr", "fnr")) != (self.positive is not None):
            raise InputError(
                "an FPR or FNR goes with the class that is called positive, and nothing else does",
                where="Operating",
                got={name: value, "positive": self.positive},
                fix="say positive='unfavourable' where y = 1 is a default, or give declined_good or approved_bad",
            )
        if self.positive not in (None, "favourable", "unfavourable"):
            raise InputError(
                "unknown class", where="positive", got=self.positive, allowed="'favourable' or 'unfavourable'"
            )

    @property
    def ceiling(self) -> tuple[str, float]:
        """Which of `declined_good`, `approved_bad` and `approval` is meant, and how much of it."""
        if self.approval is not None:
            return "approval", self.approval
        if self.declined_good is not None:
            return "declined_good", self.declined_good
        if self.approved_bad is not None:
            return "approved_bad", self.approved_bad
        if self.fpr is not None:
            return ("declined_good" if self.positive == "unfavourable" else "approved_bad"), self.fpr
        assert self.fnr is not None
        return ("declined_good" if self.positive == "favourable" else "approved_bad"), self.fnr

    def cutoff(self, score: Floats, good: Bools, weight: Floats) -> float:
        """The score from which on these (n,) rows are to be approved.

        >>> score, good = np.array([1.0, 2.0, 3.0, 4.0]), np.array([False, True, False, True])
        >>> Operating(approval=0.75).cutoff(score, good, np.ones(4))
        2.0
        >>> Operating(approved_bad=0.5).cutoff(score, good, np.ones(4)) > 1.0
        True
        """
        kind, limit = self.ceiling
        counted = self.counted(good) & (weight > 0)
        score, weight = score[counted], weight[counted]
        if kind == "approval":
            return approval_threshold(score, limit, sample_weight=weight)
        if kind == "declined_good":
            return approval_threshold(score, 1.0 - limit, sample_weight=weight)
        levels, position = np.unique(score, return_inverse=True)
        approved = np.cumsum(np.bincount(position, weight)[::-1])[::-1] / weight.sum()
        beyond = np.flatnonzero(approved > limit)  # approving from one of these levels on is too much
        return math.nextafter(float(levels[beyond[-1]]), math.inf) if len(beyond) else float(levels[0])

    def cutoff_between(self, score: Floats, good: Bools, weight: Floats) -> float:
        """Nearly the same decisions, from midway between the scores that they part, so that rounding moves no row.

        Scores of which each is within `_ROUNDING` of the next are decided on alike: all as the ceiling asks, or for a
        budget as its last row is. Beyond the last of them it stands further away than rounding reaches.
        """
        cutoff = self.cutoff(score, good, weight)
        levels = np.unique(score)
        ends = np.flatnonzero(np.diff(levels) > _ROUNDING * np.maximum(1.0, np.abs(levels[1:])))
        starts = np.concatenate([levels[:1], levels[ends + 1]])
        lasts = np.concatenate([levels[ends], levels[-1:]])
        if self.ceiling[0] == "approved_bad":
            at = int(np.searchsorted(starts, cutoff))  # a cluster that the cutoff parts is declined
        else:
            at = int(np.searchsorted(lasts, cutoff))
        below = float(lasts[at - 1]) if at else float(starts[0]) - 1.0
        above = float(starts[at]) if at < len(starts) else float(lasts[-1]) + 1.0
        return (below + above) / 2

    def counted(self, good: Bools) -> Bools:
        """(n,) whether the ceiling is about each row."""
        kind, _ = self.ceiling
        return {"approval": np.ones(len(good), np.bool_), "declined_good": good, "approved_bad": ~good}[kind]


class RunningThreshold:
    """The threshold of each round, read from a sample of rows that stays the same.

    Parameters
    ----------
    operating : where the decision stands; None for even odds.
    good, weight : (n,) outcomes and sample weights of the rows.
    seed : of the sample.

    Raises
    ------
    InputError : no row of the class that the ceiling is about.
    """

    def __init__(self, operating: Operating | None, good: Bools, weight: Floats, seed: int) -> None:
        self._operating = operating
        if operating is None:
            return
        counted = np.flatnonzero(operating.counted(good) & (weight > 0))
        if not len(counted):
            raise InputError("no row of the class that the ceiling is about", where="operating", got=operating)
        if len(counted) > _SAMPLE:
            counted = np.sort(np.random.default_rng(seed).choice(counted, _SAMPLE, replace=False))
        self._at, self._good, self._weight = counted, good[counted], weight[counted]

    def at(self, score: Floats) -> float:
        """The threshold at (n,) scores."""
        if self._operating is None:
            return 0.0
        return self._operating.cutoff(score[self._at], self._good, self._weight)
