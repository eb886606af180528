"""Refitting the calibration that a model stores: what its score means in probabilities, on given applicants."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import numpy as np

from scrutable.data import Bools, Cohort, Floats, share
from scrutable.data.frames import PANDAS, FrameKind
from scrutable.errors import InputError, did_you_mean
from scrutable.fairness import Groups
from scrutable.measures import (
    FAR,
    Levels,
    Reliability,
    Scored,
    likeliest_line,
    reliability_of,
    score_cohort,
    solve_shift,
)
from scrutable.model import Calibration, DecisionModel, Evidence, Scaling, Scorecard, SegmentedModel, carried_over
from scrutable.model.evaluator import probability
from scrutable_lifecycle.calibration.scale import CalibratedModel, refuse_uncalibrated
from scrutable_lifecycle.figures import calibration_figures, frame_of
from scrutable_lifecycle.measured_rows import in_roles

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

#: What is refitted: intercept and slope, or the intercept alone.
Method = Literal["logistic", "intercept"]

#: Parameters that each method fits.
_FITTED: dict[Method, int] = {"logistic": 2, "intercept": 1}
#: How near to 0 or 1 a mean PD may be set: nearer, what is left of 1 has too few digits.
_LEAST = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    """A model with another calibration, and how well the old and the new one hold on the rows that it was fitted on.

    Parameters
    ----------
    method, central_tendency : as they were asked for.
    kind : the kind of frame that went in.
    """

    model: DecisionModel
    before: Reliability
    after: Reliability
    method: Method
    central_tendency: float | None
    kind: FrameKind = field(default=PANDAS, repr=False)

    def __repr__(self) -> str:
        before, after = (each.overall.mean_pd for each in (self.before, self.after))
        observed = self.after.overall.bad_rate
        return f"Calibrated({self.method}: mean PD {before:.2%} before, {after:.2%} after, {observed:.2%} observed)"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return {
            "method": self.method,
            "central_tendency": self.central_tendency,
            "calibrations": [
                {"segment": name, "intercept": part.calibration.intercept, "slope": part.calibration.slope}
                for name, part in _parts(self.model)
            ],
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
        }

    def frame(self) -> Any:
        """A row for each figure, before and after; of the kind of frame that went in."""
        sides = {"before": self.before, "after": self.after}
        figures = [(side, each) for side, measured in sides.items() for each in calibration_figures(measured)]
        return frame_of([each._replace(basis=side) for side, each in figures], self.kind)

    def plot(self) -> Picture:
        """Predicted beside observed default rates after the calibration, of everybody and by group.

        Raises
        ------
        InputError : matplotlib is not installed.
        """
        from scrutable_lifecycle.plots.reliability import plot_reliability

        return plot_reliability(self.after)

    def evidence(self, old: Evidence) -> Evidence:
        """Evidence of the calibrated model, from that of the model as it was."""
        return carried_over(old, self.model, {"calibration": self.to_dict()}, same_decisions=True)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Rows:
    """Rows of one model: scores, outcomes and weights."""

    score: Floats
    good: Bools
    weight: Floats


def calibrate(
    model: DecisionModel,
    X: Any,
    y: Any = None,
    *,
    sample_weight: Any = None,
    method: Method = "logistic",
    central_tendency: float | None = None,
    groups: Groups | None = None,
) -> Calibrated:
    """Refit the calibration of a model by maximum likelihood, without touching its score, decisions or reasons.

    The log-odds of the favourable outcome are intercept + slope * score. Method "logistic" fits both, the slope being
    at least 0: a score that ranks applicants the wrong way round gets the slope 0. Method "intercept" keeps the slope.
    Each segment of a segmented model is fitted on its own applicants.

    With a central tendency the intercepts are moved afterwards, all by as much, until the weighted mean PD of the rows
    is that long-run default rate to within 1e-12. Without it the mean PD is the bad rate of the rows.

    The scaling that a scorecard states is changed to what its points mean then: the odds at the base score, and the
    points that double them.

    Parameters
    ----------
    X, y : n applicants that the model did not learn from, and their outcomes; rows whose outcome is None or NaN are
        left out. Or a frame or a path and a `DataConfig`, which says what each column is.
    sample_weight : (n,) weights; None means 1 each.
    central_tendency : mean PD, at least 1e-9 and at most 1 - 1e-9.
    groups : protected groups of the rows, to measure by. One calibration holds for everybody: a calibration by group
        would decide by group.

    Raises
    ------
    InputError : a rule set, which has vote shares and no calibration; outcomes of one class only, or separated by the
        score; an unusable option; rows that cannot be scored.

    Examples
    --------
    >>> from scrutable import create, evaluate
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(2000, seed=1)
    >>> learner = create("learner", "lda-xgb1", favourable=0).fit(data.X[:1000], data.y[:1000])
    >>> calibrated = calibrate(learner.model_, data.X[1000:], data.y[1000:], central_tendency=0.05)
    >>> pd = 1 - evaluate(calibrated.model, data.X[1000:]).probability
    >>> abs(float(pd.mean()) - 0.05) < 1e-12, calibrated.model.cutoff == learner.model_.cutoff
    (True, True)
    """
    _check_method(method)
    parts = dict(_parts(model))
    X, y = in_roles((model,), X, y)
    cohort = Cohort.read(X, y, outcome=model.outcome, groups=groups, sample_weight=sample_weight, where="y of the rows")
    cohort = replace(cohort, outcome=np.where(cohort.weight > 0, cohort.outcome, Cohort.UNKNOWN))
    if not cohort.known.any():
        raise InputError("no outcome is known", where="y", fix="give rows with outcomes and with weight")
    sample = score_cohort(model, cohort)
    rows = {name: _rows_of(sample, name) for name in parts}
    calibrations = {name: _fitted(part, rows[name], method, name) for name, part in parts.items()}
    if central_tendency is not None:
        calibrations = _moved(calibrations, rows, 1.0 - _tendency(central_tendency))
    model_after = _with_calibrations(model, calibrations)
    anew = score_cohort(model_after, cohort)
    return Calibrated(
        model=model_after,
        before=reliability_of(sample),
        after=reliability_of(anew, fitted=_FITTED[method] * len(parts)),
        method=method,
        central_tendency=central_tendency,
        kind=cohort.kind,
    )


def _check_method(method: str) -> None:
    if method not in get_args(Method):
        raise InputError(
            "unknown method of calibration",
            where="method",
            got=method,
            allowed=" or ".join(map(repr, get_args(Method))),
            fix=did_you_mean(method, get_args(Method)),
        )


def _tendency(central_tendency: float) -> float:
    tendency = share(central_tendency, "central_tendency")
    if not _LEAST <= tendency <= 1 - _LEAST:
        raise InputError(
            "a mean PD so near to 0 or 1 cannot be met in doubles",
            where="central_tendency",
            got=central_tendency,
            allowed=f"{_LEAST:g} to 1 - {_LEAST:g}",
            fix="0.05 is a long-run default rate of 5%",
        )
    return tendency


def _parts(model: DecisionModel) -> Iterator[tuple[str | None, CalibratedModel]]:
    """The models that a calibration is fitted for, by segment; None where there are no segments."""
    if isinstance(model, SegmentedModel):
        for segment in model.segments:
            yield segment.name, refuse_uncalibrated(segment.model, f"segment {segment.name!r}")
    else:
        yield None, refuse_uncalibrated(model, "model")


def _rows_of(sample: Scored, segment: str | None) -> _Rows:
    rows = sample.cohort.known if segment is None else sample.cohort.known & sample.evaluation.of_segment(segment)
    if not rows.any():
        raise InputError(
            "no applicant with a known outcome belongs to a segment",
            where=f"segment {segment!r}",
            fix="give rows of every segment",
        )
    score = sample.evaluation.score
    assert score is not None
    return _Rows(score=score[rows], good=sample.cohort.good[rows], weight=sample.cohort.weight[rows])


def _fitted(model: CalibratedModel, rows: _Rows, method: Method, segment: str | None) -> Calibration:
    try:
        levels = Levels.of(rows.score, rows.good, rows.weight)
        if method == "intercept":
            return _with_mean(model.calibration, rows, float(levels.events.sum() / levels.total.sum()))
        intercept, slope = likeliest_line(levels)
    except InputError as error:
        if segment is None:
            raise
        where = f"segment {segment!r}, {error.where}"
        raise InputError(error.what, where=where, allowed=error.allowed, fix=error.fix) from None
    if slope < 0:
        return _with_mean(Calibration(slope=0.0), rows, float(levels.events.sum() / levels.total.sum()))
    return Calibration(intercept=intercept, slope=slope)


def _with_mean(calibration: Calibration, rows: _Rows, mean_good: float) -> Calibration:
    if calibration.link != "logit":
        raise InputError(
            "a probability that is the score itself has no intercept to move on the log-odds",
            where="method",
            got="intercept",
            fix="refit both: method='logistic'",
        )
    return _moved({None: calibration}, {None: rows}, mean_good)[None]


def _moved(
    calibrations: dict[str | None, Calibration], rows: dict[str | None, _Rows], mean_good: float
) -> dict[str | None, Calibration]:
    """The calibrations with their intercepts moved alike, until the mean probability over all rows is this."""
    total = math.fsum(float(part.weight.sum()) for part in rows.values())

    def shifted(name: str | None, shift: float) -> Calibration:
        return replace(calibrations[name], intercept=calibrations[name].intercept + shift)

    def mean(shift: float) -> float:
        return math.fsum(
            float(part.weight @ probability(shifted(name, shift), part.score)) / total for name, part in rows.items()
        )

    odds = [
        np.abs(calibrations[name].intercept + calibrations[name].slope * part.score).max()
        for name, part in rows.items()
    ]
    shift = solve_shift(mean, mean_good, float(max(odds)) + FAR)
    return {name: shifted(name, shift) for name in calibrations}


def _with_calibrations(model: DecisionModel, calibrations: dict[str | None, Calibration]) -> DecisionModel:
    if isinstance(model, SegmentedModel):
        segments = tuple(
            replace(part, model=_recalibrated(cast(CalibratedModel, part.model), calibrations[part.name]))
            for part in model.segments
        )
        return replace(model, segments=segments)
    return _recalibrated(cast(CalibratedModel, model), calibrations[None])


def _recalibrated(model: CalibratedModel, calibration: Calibration) -> CalibratedModel:
    if not isinstance(model, Scorecard) or model.scaling is None:
        return replace(model, calibration=calibration)
    return replace(model, calibration=calibration, scaling=_stated(model.scaling, calibration))


def _stated(scaling: Scaling, calibration: Calibration) -> Scaling | None:
    """The odds at the base score, and the points that double them, as the calibration has them."""
    at_base = calibration.intercept + calibration.slope * scaling.base_score
    if not calibration.slope or abs(at_base) > FAR:
        return None
    return replace(scaling, pdo=math.log(2) / calibration.slope, base_odds=math.exp(at_base))
