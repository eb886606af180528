"""AUC on rows held out of the scorecard learner with different binners: five folds, all rows scored once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from report import Row
from scipy.stats import rankdata
from sklearn.model_selection import StratifiedKFold

from bins.data import Problem, problem
from scrutable import create

Floats = NDArray[np.float64]

#: What is compared: binners with their options.
SETTINGS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "optimal": ("optimal", {}),
    "optbinning": ("optbinning", {}),
    "least share .05": ("optimal", {"min_share": 0.05, "min_count": 0}),
    "8 attributes": ("optimal", {"max_bins": 8}),
    "free": ("optimal", {"shape": "free"}),
}


def scores(given: Problem, binner: str, options: dict[str, Any]) -> list[tuple[Floats, NDArray[np.bool_]]]:
    """For each fold the scores of its rows under a card learned from the others, and which of them are good."""
    found = []
    for learned, held in StratifiedKFold(5, shuffle=True, random_state=0).split(given.X, given.y):
        made = create("binner", binner, **options)
        card = create("learner", "scorecard", binner=made, explainer=None).fit(given.X.iloc[learned], given.y[learned])
        found.append((card.evaluate(given.X.iloc[held]).score, given.y[held] == 1))
    return found


def compared(ours: Sequence[Any], theirs: Sequence[Any]) -> tuple[float, float, float, float]:
    """Mean AUC of both over the folds, the standard error of their difference, and that of the second AUC itself.

    The errors are by the placements of each row among those of the other class (DeLong, DeLong, Clarke-Pearson 1988),
    which are paired for the difference, added up over the folds.
    """
    one = [_placements(*fold) for fold in ours]
    other = [_placements(*fold) for fold in theirs]
    difference = [(good - b_good, bad - b_bad) for (good, bad), (b_good, b_bad) in zip(one, other, strict=True)]
    first, second = (float(np.mean([good.mean() for good, _ in folds])) for folds in (one, other))
    return first, second, _error(difference), _error(other)


def _error(folds: Sequence[tuple[Floats, Floats]]) -> float:
    """Standard error of the mean over folds of means of placements, of good and of bad rows."""
    variances = [np.var(side, ddof=1) / len(side) for fold in folds for side in fold]
    return float(np.sqrt(np.sum(variances)) / len(folds))


def _placements(score: Floats, good: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Share of bad rows below each good one, and share of good rows above each bad one; ties are half."""
    every, n_good, n_bad = rankdata(score), int(good.sum()), int((~good).sum())
    of_good = (every[good] - rankdata(score[good])) / n_bad
    of_bad = 1 - (every[~good] - rankdata(score[~good])) / n_good
    return of_good, of_bad


def table_of_auc(names: Sequence[str]) -> list[list[str]]:
    """For each set the AUC of every setting, and in brackets how far it is above `optbinning`, in standard errors."""
    found = []
    for name in names:
        every = {key: scores(problem(name), *setting) for key, setting in SETTINGS.items()}
        figures = [compared(each, every["optbinning"]) for each in every.values()]
        found.append([name, *(f"{one:.4f} ({(one - other) / (error or 1):+.1f})" for one, other, error, _ in figures)])
    return found


def rows_of_auc(names: Sequence[str]) -> Iterator[Row]:
    """With defaults: how many of the AUC's standard errors `optimal` is above `optbinning`, on each set."""
    for name in names:
        given = problem(name)
        ours, theirs = (scores(given, *SETTINGS[each]) for each in ("optimal", "optbinning"))
        first, second, paired, error = compared(ours, theirs)
        yield Row(
            name=f"{name}: AUC won on rows held out",
            value=(first - second) / error if error else 0.0,
            unit="s.e.",
            relation=">=",
            bound=-1.0,
            note=f"AUC {first:.4f}, with optbinning {second:.4f}; {(first - second) / (paired or 1):+.1f} paired s.e.",
        )
