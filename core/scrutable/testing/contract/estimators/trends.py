"""Checks of trends on data that goes against them: they hold in every score, or are refused."""

from __future__ import annotations

from typing import Any

import numpy as np

from scrutable.errors import InputError
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.examples.data import fit, learns_classes
from scrutable.testing.contract.examples.known_payers import (
    EACH,
    LABELS,
    X,
    frame_of,
    has_option,
    options_for,
    rows_with,
    sample_of,
    worth,
    worths,
)
from scrutable.testing.contract.subject import Subject

_VALUES = [1.0, 2.0, 3.0, 4.0]
#: Shares of good rows, by value, that no trend fits: rising, falling, to and fro.
_SHARES = ((0.1, 0.3, 0.7, 0.9), (0.9, 0.7, 0.3, 0.1), (0.2, 0.9, 0.1, 0.8))
_TRENDS = ("ascending", "descending")
_GRID = [-np.inf, -1e9, *np.linspace(0.5, 4.5, 41).tolist(), 1e9, np.inf]
_CORRELATED = 900
_CUTS = {X: [2.0, 3.0, 4.0]}


@deciding(
    "learner",
    hint="bring values of neighbouring intervals in line with the trend of the BinTable, or refuse what is against it",
)
def trends_hold_against_the_rows(subject: Subject) -> None:
    """A trend holds in the scores where the rows, on cuts that the user fixes, go the other way; or fit refuses it."""
    for cuts in ({}, {"cuts": _CUTS}):
        for trend in _TRENDS:
            options = options_for(subject, trends={X: trend}, **cuts)
            if options is not None:
                _holds(subject, trend, options)
    for trend in _TRENDS:
        options = options_for(subject, edits=[{"feature": X, "action": "trend", "trend": trend}])
        if options is not None:
            _holds(subject, trend, options)


@deciding("learner", hint="bring every characteristic in line with the trend of its own table")
def each_of_several_trends_holds(subject: Subject) -> None:
    """Of trends on several characteristics each holds, the last as well as the first; or fit refuses them."""
    values = _VALUES * EACH
    columns = {name: values[place:] + values[:place] for place, name in enumerate("abc")}
    good = [value <= 2.0 for value in columns["b"]]
    for trends in ({"a": "ascending", "b": "ascending"}, {"b": "ascending", "c": "descending"}, {"b": "ascending"}):
        options = options_for(subject, trends=trends, cuts=dict.fromkeys(columns, _CUTS[X]))
        for given in [] if options is None else [options, options_for(subject, trends=trends) or {}]:
            try:
                learner = fit(subject.make(**given), sample_of(subject, columns, good))
            except InputError:
                continue
            for name, trend in trends.items():
                usual = frame_of({each: [2.0] * len(_GRID) for each in columns})
                steps = np.diff(worths(learner, usual.assign(**{name: _GRID}))) * (1 if trend == "ascending" else -1)
                require((steps >= 0).all(), f"of the trends {trends} that of {name!r} does not hold")


@deciding("learner", hint="constrain the points themselves: beside others a coefficient may turn its sign")
def trends_hold_beside_columns_that_go_along(subject: Subject) -> None:
    """A trend that each column follows alone holds in the scores, too, where another column turns it round."""
    low, noise = np.random.default_rng(2).integers(1, 5, (2, _CORRELATED))
    along = np.clip(low + noise % 3 - 1, 1, 4)
    for sign, trend in ((1, "ascending"), (-1, "descending")):
        odds = sign * (2.2 * (along - 2.5) - 1.1 * (low - 2.5))
        good = np.random.default_rng(4).uniform(size=_CORRELATED) < 1 / (1 + np.exp(-odds))
        columns = {"a": low.astype(float).tolist(), "b": along.astype(float).tolist()}
        for order in (columns, dict(reversed(columns.items()))):
            for trends in ({"a": trend}, {"a": trend, "b": trend}):
                options = options_for(subject, trends=trends)
                if options is None:
                    return
                try:
                    learner = fit(subject.make(**options), sample_of(subject, order, good))
                except InputError:
                    continue
                usual = frame_of({name: [2.0] * len(_GRID) for name in order})
                for name in trends:
                    steps = sign * np.diff(worths(learner, usual.assign(**{name: _GRID})))
                    fault = f"the trend {trend!r} of {name!r} does not hold beside a column that goes along with it"
                    require((steps >= 0).all(), fault, got=steps[steps < 0])


def _holds(subject: Subject, trend: str, options: dict[str, Any]) -> None:
    both = has_option(subject, "favourable") and learns_classes(subject)
    for shares in _SHARES:
        for favourable in LABELS if both else (None,):
            given = {} if favourable is None else {"favourable": favourable}
            sample = rows_with(subject, dict(zip(_VALUES, shares, strict=True)))
            try:
                learner = fit(subject.make(**options, **given), sample)
            except InputError:  # it refuses what goes against the trend
                continue
            score = np.array(worth(learner, _GRID))
            steps = np.diff(score if trend == "ascending" else -score)
            where = f"where the shares of good rows are {shares}"
            require((steps >= 0).all(), f"scores are not {trend} {where}", got=worth(learner, _VALUES))
            along = np.all(np.diff(shares) > 0) if (trend == "ascending") == (favourable != LABELS[0]) else False
            require(not along or score[0] != score[-1], f"a trend that the rows follow leaves nothing of them {where}")
