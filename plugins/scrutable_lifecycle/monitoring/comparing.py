"""Monitoring: a model on new applicants beside a baseline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scrutable.data import Cohort
from scrutable.errors import InputError
from scrutable.errors.checks import check_whole, options_or_default
from scrutable.fairness import Groups, Thresholds
from scrutable.measures import Scored, check_bootstrap, score_sparingly
from scrutable.model import DecisionModel, Model, Quantity, RegressionScorecard, RuleSet, fingerprint
from scrutable_lifecycle.monitoring.characteristics import without_points
from scrutable_lifecycle.monitoring.columns import Columns, samples_of
from scrutable_lifecycle.monitoring.model_drift import compared_parts, segment_stability
from scrutable_lifecycle.monitoring.outcomes import Measuring
from scrutable_lifecycle.monitoring.periods import PeriodKind
from scrutable_lifecycle.monitoring.reasons import reason_drift, reason_texts, unexplained_segments
from scrutable_lifecycle.monitoring.result import Monitoring
from scrutable_lifecycle.monitoring.timeline import Timeline


def monitor(
    model: Model,
    baseline: Any,
    new: Any,
    *,
    columns: Columns | None = None,
    y_baseline: Any = None,
    y: Any = None,
    dates: Any = None,
    period: PeriodKind = "month",
    groups_baseline: Groups | None = None,
    groups: Groups | None = None,
    weight_baseline: Any = None,
    sample_weight: Any = None,
    thresholds: Thresholds | None = None,
    bands: int = 10,
    n_boot: int = 1000,
    seed: int = 0,
) -> Monitoring:
    """Compare new applicants with a baseline: score, inputs, reasons, and over time performance and disparity.

    Parameters
    ----------
    model : decides between two classes.
    baseline, new : frames of n and m applicants, with the columns that the model reads; with `columns` also paths. The
        baseline may be the rows that the model was developed on. Its performance then flatters the model, so rows held
        out are better.
    columns : which columns are the outcomes, weights, dates and protected groups, in place of these as arrays.
    y_baseline, y : (n,) and (m,) classes of the outcome, None or NaN where it is not known, as for the declined.
    dates : (m,) dates of the new applicants; see `periods_of`.
    period : "month", "quarter", "year", or "values" for a period for each different value.
    groups_baseline, groups : protected groups of the rows, with the same references; known or probabilities.
    weight_baseline, sample_weight : (n,) and (m,) weights; a row given twice equals a weight of 2.
    thresholds : what is an alert; also a mapping of them.
    bands : bands of the score, of equal share in the baseline as far as ties allow; 2 or more.
    n_boot, seed : replicates and seed of the bootstrap.

    Raises
    ------
    InputError : a model of more than two classes or of a quantity, inputs that do not fit together, an option out of
        its range.
    KindError : a column of another kind than the model reads.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(2000, seed=1)
    >>> learner = create("learner", "scorecard", binner="quantile", favourable=0).fit(data.X, data.y)
    >>> same = monitor(learner.model_, data.X, data.X)
    >>> same.status, same.new.psi
    ('ok', None)
    >>> worse = data.X.assign(bureau_score=data.X["bureau_score"] - 60)
    >>> for alert in monitor(learner.model_, data.X, worse, n_boot=100).alerts:
    ...     print(alert.title, "of", alert.subject, round(alert.value, 2))
    CSI of Bureau score 0.47
    >>> worse = worse.assign(outcome=data.y)
    >>> told = monitor(learner.model_, data.X, worse, columns=Columns(target="outcome"), n_boot=100)
    >>> told
    Monitoring(alert: 2 of 14 checks an alert, 2,000 new applicants beside 2,000)
    >>> told.frame()["figure"].unique().tolist()
    ['psi', 'csi', 'calibration']
    """
    limits = options_or_default(thresholds, Thresholds, "thresholds")
    check_whole(bands, "bands", 2, 100)
    check_bootstrap(n_boot, seed)
    decider = _decision_model(model)
    if columns is not None:
        baseline, new = samples_of(decider, baseline, new, columns)
        dates = new.dates if dates is None else dates
    _check_groups(groups_baseline, groups)
    before = _read(decider, baseline, y_baseline, groups_baseline, weight_baseline, "y of the baseline")
    now = _read(decider, new, y, groups, sample_weight, "y of the new applicants")
    measuring = Measuring(
        calibrated=_gives_pd(decider),
        confidence=limits.confidence,
        n_boot=n_boot,
        seed=seed,
        smallest_group=limits.smallest_group,
    )
    timeline = Timeline.of(decider, before, now, measuring, bands)
    reasons = reason_drift(decider, before, now)
    parts = tuple(compared_parts(timeline.inside, bands))
    return Monitoring(
        model_kind=decider.kind,
        model_sha256=fingerprint(decider),
        target=decider.outcome.target,
        favourable=str(decider.outcome.favourable),
        thresholds=limits,
        ranked_by=before.ranked_by,
        baseline=timeline.baseline(),
        new=timeline.all_new(),
        periods=() if dates is None else timeline.periods(dates, period),
        segments=segment_stability(decider, before, now),
        parts=parts,
        reasons=reasons,
        missing=(
            *_missing(decider, before, now, dated=dates is not None, explained=reasons is not None),
            *(f"Nobody of a sample is in the segment {part.segment!r}." for part in parts if part.score is None),
            *map(_no_reasons, unexplained_segments(decider)),
        ),
        kind=now.cohort.kind,
    )


def _decision_model(model: Model) -> DecisionModel:
    if not isinstance(model, RegressionScorecard) and model.outcome.binary:
        return model
    quantity = isinstance(model.outcome, Quantity)
    raise InputError(
        "the model does not decide between two classes",
        where="model",
        got="a model of a quantity" if quantity else "a model of more than two classes",
        allowed="a model with a score and a cutoff",
        fix="`scrutable report --data FILE --reference FILE` shows the stability of its inputs",
    )


def _read(model: DecisionModel, X: Any, y: Any, groups: Groups | None, weight: Any, where: str) -> Scored:
    cohort = Cohort.read(X, y, outcome=model.outcome, groups=groups, sample_weight=weight, where=where)
    return score_sparingly(model, cohort)


def _gives_pd(model: DecisionModel) -> bool:
    """Whether the model's probabilities are meant as such; the votes of rules are not."""
    return not any(isinstance(each, RuleSet) for each in model.parts)


def _check_groups(baseline: Groups | None, new: Groups | None) -> None:
    """Ratios can only be compared with those of the same reference."""
    if baseline is None or new is None:
        return
    before = {each.name: each.reference for each in baseline.attributes}
    now = {each.name: each.reference for each in new.attributes}
    for name in sorted(before.keys() & now.keys()):
        if before[name] != now[name]:
            raise InputError(
                "the reference group differs from the baseline's",
                where=f"groups, protected attribute {name!r}",
                got=now[name],
                allowed=repr(before[name]),
                fix="name it when the groups are made: Groups.from_frame(frame, reference={...})",
            )


def _no_reasons(segment: str) -> str:
    return f"The segment {segment!r} has no reason policy: its declined are left out of the drift of reasons."


def _missing(model: DecisionModel, before: Scored, now: Scored, *, dated: bool, explained: bool) -> Iterator[str]:
    if not now.cohort.known.any():
        yield "No outcomes of the new applicants were given: bad rates, AUC and calibration need them (y, --target)."
    elif not before.cohort.known.any():
        yield "No outcomes of the baseline were given: whether the AUC fell needs them (y_baseline, --target)."
    if not _gives_pd(model):
        yield "The votes of rules are no probabilities, so expected bad rates are not compared with observed ones."
    if now.cohort.groups is None:
        yield "No protected groups were given: approval rates by group, and their ratios, need them."
    if not dated:
        yield "No dates were given: the new applicants are one period (dates, --date)."
    if idle := without_points(model):
        yield f"Not watched, for the same points for everybody move no score: {', '.join(idle)}."
    if not reason_texts(model):
        yield "The model has no reason policy, so there is no drift of reasons; `scrutable reasons` makes one."
    elif not explained:
        yield "Nobody was declined in one of the samples, so there is no drift of reasons."
