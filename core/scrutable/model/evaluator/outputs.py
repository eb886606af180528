"""What a model says of each row: the evaluator's arrays, and the fixed columns that every engine must return."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.outcome import Outcome, Quantity

Floats = NDArray[np.float64]
Codes = NDArray[np.object_]

_NAMED = 6  # columns that a repr names
#: Columns of texts, and of whole numbers, beside reasons.
_TEXTS = ("knock_out", "override", "grade", "rules", "segment", "status")
_WHOLE = ("approved", "predicted", "unseen_inputs", "out_of_range_inputs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What the evaluator found for n rows.

    Parameters
    ----------
    outcome : what the model decides about.
    predicted : (n,) index of the predicted class.
    class_probability : (n, classes).
    score : (n,) points to the favourable class; None with more than two classes.
    class_scores : (n, classes) votes; rule sets only.
    knock_out : (n,) code of the knock-out that applies, else None.
    points : points per characteristic; scorecards only.
    attribute : position of the attribute per characteristic; scorecards only.
    reasons : (n, k) reason codes, None where fewer than k apply; models with a reason policy only.
    shortfalls : (n, k) by how much each reason falls short, in points or votes, NaN for a knock-out and no reason.
    rules : (n,) positions of the rules that apply, from 1 and with blanks between, "F1" or so where only a rule of the
        fallback does; rule sets only.
    segment : (n,) name of the segment; segmented models only.
    override : (n,) code of the override that decides, else None; models with overrides only.
    adjustment : (n,) points of the score adjustments that apply; models with adjustments only.
    grade : (n,) the grade of the score; models with grades only.
    """

    outcome: Outcome
    predicted: NDArray[np.intp]
    class_probability: Floats
    knock_out: Codes
    score: Floats | None = None
    class_scores: Floats | None = None
    points: Mapping[str, Floats] = field(default_factory=dict)
    attribute: Mapping[str, NDArray[np.intp]] = field(default_factory=dict)
    reasons: Codes | None = None
    shortfalls: Floats | None = None
    rules: Codes | None = None
    segment: Codes | None = None
    override: Codes | None = None
    adjustment: Floats | None = None
    grade: Codes | None = None

    @property
    def approved(self) -> NDArray[np.bool_]:
        """Rows with the favourable decision."""
        approved: NDArray[np.bool_] = self.predicted == self.outcome.favourable_index
        return approved

    @property
    def knocked_out(self) -> NDArray[np.bool_]:
        """(n,) rows that a knock-out or an override declines, whatever their score."""
        return _told(self.knock_out) | (self._overridden & ~self.approved)

    @property
    def let_in(self) -> NDArray[np.bool_]:
        """(n,) rows that an override approves, whatever their score."""
        return self._overridden & self.approved

    @property
    def _overridden(self) -> NDArray[np.bool_]:
        return np.zeros(len(self.predicted), dtype=bool) if self.override is None else _told(self.override)

    def of_segment(self, name: str) -> NDArray[np.bool_]:
        """(n,) rows that belong to a segment; segmented models only."""
        assert self.segment is not None
        return np.asarray(self.segment == np.array(name, dtype=object), dtype=bool)

    @property
    def probability(self) -> Floats:
        """Probability of the favourable class."""
        return self.class_probability[:, self.outcome.favourable_index]

    @property
    def ranking(self) -> Floats:
        """(n,) what says of any two applicants who is the better one, for a model of two classes.

        It is the score, and of segments, whose scores may be on scales of their own, the calibrated probability of the
        favourable outcome, which means the same in all of them.
        """
        if self.segment is not None:
            return self.probability
        assert self.score is not None
        return self.score

    def frame(self) -> OutputFrame:
        """The fixed columns that exporters return too."""
        columns: dict[str, NDArray[np.generic]] = {}
        if self.segment is not None:
            columns["segment"] = self.segment
        if self.score is None:
            columns |= self._class_columns()
        else:
            columns |= {"score": self.score, "probability": self.probability}
            columns["approved"] = self.approved.astype(np.int64)
            columns["knock_out"] = self.knock_out
            of_policy = {"override": self.override, "adjustment": self.adjustment, "grade": self.grade}
            columns |= {name: values for name, values in of_policy.items() if values is not None}
        columns |= _points_columns(self.points)
        if self.reasons is not None:
            columns |= {f"reason_{i + 1}": self.reasons[:, i] for i in range(self.reasons.shape[1])}
        if self.shortfalls is not None:
            columns |= {f"short_{i + 1}": self.shortfalls[:, i] for i in range(self.shortfalls.shape[1])}
        if self.rules is not None:
            columns["rules"] = self.rules
        return OutputFrame(columns)

    def _class_columns(self) -> dict[str, NDArray[np.generic]]:
        columns: dict[str, NDArray[np.generic]] = {}
        if self.class_scores is not None:
            columns |= {f"score_{i}": self.class_scores[:, i] for i in range(self.class_scores.shape[1])}
        columns |= {f"probability_{i}": self.class_probability[:, i] for i in range(self.class_probability.shape[1])}
        columns["predicted"] = self.predicted.astype(np.int64)
        return columns


@dataclass(frozen=True, slots=True, kw_only=True)
class RegressionEvaluation:
    """What the evaluator found for n rows of a regression scorecard.

    Parameters
    ----------
    outcome : what the model predicts.
    score : (n,) the predictions.
    points : points per characteristic.
    attribute : position of the attribute per characteristic.
    """

    outcome: Quantity
    score: Floats
    points: Mapping[str, Floats]
    attribute: Mapping[str, NDArray[np.intp]]

    def frame(self) -> OutputFrame:
        """The fixed columns that exporters return too."""
        return OutputFrame({"score": self.score, **_points_columns(self.points)})


@dataclass(frozen=True, slots=True)
class OutputFrame(Mapping[str, NDArray[np.generic]]):
    """Columns by name: doubles for scores, points and probabilities, integers for decisions, texts or None for codes.

    With two classes `score`, `probability` (of the favourable class), `approved` (1 or 0) and `knock_out`; with more
    `score_<class index>`, `probability_<class index>` and `predicted` (a class index). Policies add `override`,
    `adjustment` and `grade` where they have such, scorecards `points_<characteristic>` and `points_<interaction>`, rule
    sets `rules`. Models with a reason policy add `reason_1` to `reason_<k>`, and `short_1` to `short_<k>`: by how much
    each falls short, NaN where that cannot be said. Regression scorecards have `score` and points only.

    >>> OutputFrame({"score": np.array([510.0, 540.0]), "approved": np.array([0, 1])})
    OutputFrame(2 rows: score, approved)
    """

    columns: Mapping[str, NDArray[np.generic]]

    def __repr__(self) -> str:
        rows = len(next(iter(self.columns.values()), ()))
        names = list(self.columns)
        further = f", … {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        return f"OutputFrame({rows:,} rows: {', '.join(names[:_NAMED])}{further})"

    def __getitem__(self, key: str) -> NDArray[np.generic]:
        return self.columns[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)


def kind_of(name: str) -> type[np.object_ | np.int64 | np.float64]:
    """What a column of an `OutputFrame` holds, by its name: objects (texts and None), integers or doubles.

    >>> [kind_of(name).__name__ for name in ("reason_1", "approved", "points_age")]
    ['object_', 'int64', 'float64']
    """
    if name in _TEXTS or name.startswith(("reason_", "declined_reason_")):
        return np.object_
    return np.int64 if name in _WHOLE or name.startswith("attribute_") else np.float64


def differences(ours: OutputFrame, theirs: OutputFrame, *, ulp: int = 2) -> dict[str, NDArray[np.intp]]:
    """Rows on which two results differ, per column, without the columns that agree everywhere.

    Everything must be equal to the last bit, the sign of zero included, except probabilities, which may differ by `ulp`
    units in the last place since exp is not the same on every engine. Where two exps are a unit apart, so are the sums
    1 + exp at most (exp is below 2^52, see `scrutable.data.outcome.CLAMP`), and quotients of those are two apart at
    most: a quotient loses at most one binary place, and rounding keeps to whole units.

    Raises
    ------
    KeyError : a column of `ours` is not in `theirs`.
    """
    differing = {}
    for name, mine in ours.items():
        other = theirs[name]
        equal = ulps(mine, other) <= ulp if name.startswith("probability") else _equal(mine, other)
        if not np.all(equal):
            differing[name] = np.flatnonzero(~np.asarray(equal))
    return differing


def ulps(mine: NDArray[Any], other: NDArray[Any]) -> NDArray[np.int64]:
    """How many doubles lie between two that are not negative; a huge number where one is no such number.

    None lies between two that are NaN, which is no probability on either side.

    >>> ulps(np.array([0.5, np.nan]), np.array([np.nextafter(0.5, 1), np.nan])).tolist()
    [1, 0]
    """
    a, b = np.asarray(mine, dtype=float), np.asarray(other, dtype=float)
    usable = (a >= 0) & (b >= 0) & np.isfinite(a) & np.isfinite(b)
    steps = np.abs(np.abs(a).view(np.int64) - np.abs(b).view(np.int64))
    none = np.isnan(a) & np.isnan(b)
    return np.where(none, 0, np.where(usable, steps, np.iinfo(np.int64).max))


def _told(codes: Codes) -> NDArray[np.bool_]:
    return np.asarray(codes != np.array(None), dtype=bool)


def _points_columns(points: Mapping[str, Floats]) -> dict[str, Floats]:
    return {f"points_{feature}": values for feature, values in points.items()}


def _equal(mine: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
    if mine.dtype == other.dtype == np.float64:
        nothing = np.isnan(mine) & np.isnan(other)
        bits = [np.ascontiguousarray(values).view(np.int64) for values in (mine, other)]
        return np.asarray(nothing | (bits[0] == bits[1]), dtype=bool)
    return np.asarray(mine == other, dtype=bool)
