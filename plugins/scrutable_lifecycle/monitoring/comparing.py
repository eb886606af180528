"""Monitoring: a model on new applicants beside a baseline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scrutable.data import Cohort
from scrutable.errors import InputError
from scrutable.errors.checks import check_whole, options_or_default
from scrutable.fairness import Groups, Thresholds
from scrutable.measures import check_bootstrap
from scrutable.model import DecisionModel, Model, RuleSet, fingerprint
from scrutable.plugins.bases import Progress
from scrutable.writing import tracked_in_notebooks
from scrutable_lifecycle.monitoring.characteristics import without_points
from scrutable_lifecycle.monitoring.columns import Columns
from scrutable_lifecycle.monitoring.model_drift import compared_parts, decision_model, segment_stability
from scrutable_lifecycle.monitoring.outcomes import Measuring
from scrutable_lifecycle.monitoring.periods import PeriodKind
from scrutable_lifecycle.monitoring.reasons import reason_drift
from scrutable_lifecycle.monitoring.result import Monitoring
from scrutable_lifecycle.monitoring.sample import Sample
from scrutable_lifecycle.monitoring.sources import OUTCOMES, samples_of
from scrutable_lifecycle.monitoring.tallying import tallied
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
    progress: Progress = tracked_in_notebooks,
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
    progress : gives the blocks of rows as they come, of about how many there are in a sample.

    Rows are scored and tallied block by block, those of large files as they are read. Neither the size of blocks nor
    the order of rows changes a bit of what comes out.

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
    Monitoring(alert: 2 of 13 checks an alert, 2,000 new applicants beside 2,000)
    >>> told.frame()["figure"].unique().tolist()
    ['psi', 'csi', 'calibration']
    """
    limits = options_or_default(thresholds, Thresholds, "thresholds")
    check_whole(bands, "bands", 2, 100)
    check_bootstrap(n_boot, seed)
    decider = decision_model(model)
    if columns is None:
        _check_groups(groups_baseline, groups)
        outcome, where = decider.outcome, OUTCOMES
        told = Cohort.read(
            baseline,
            y_baseline,
            outcome=outcome,
            groups=groups_baseline,
            sample_weight=weight_baseline,
            where=where[0],
        )
        asked = Cohort.read(new, y, outcome=outcome, groups=groups, sample_weight=sample_weight, where=where[1])
        before = tallied(decider, told, progress=progress)
        now = tallied(decider, asked, dates=dates, period=period, progress=progress)
    else:
        _refuse_apart(
            y_baseline=y_baseline,
            y=y,
            dates=dates,
            groups_baseline=groups_baseline,
            groups=groups,
            weight_baseline=weight_baseline,
            sample_weight=sample_weight,
        )
        before, now = samples_of(decider, baseline, new, columns, period=period, progress=progress)
    measuring = Measuring(
        calibrated=_gives_pd(decider),
        confidence=limits.confidence,
        n_boot=n_boot,
        seed=seed,
        smallest_group=limits.smallest_group,
    )
    timeline = Timeline.of(decider, before, now, measuring, bands)
    reasons = reason_drift(before, now)
    parts = tuple(compared_parts(before, now, bands))
    return Monitoring(
        model_kind=decider.kind,
        model_sha256=fingerprint(decider),
        target=decider.outcome.target,
        favourable=str(decider.outcome.favourable),
        thresholds=limits,
        ranked_by=before.profiles.ranked_by,
        baseline=timeline.baseline(),
        new=timeline.all_new(),
        periods=timeline.periods(),
        segments=segment_stability(decider, before, now),
        parts=parts,
        reasons=reasons,
        missing=(
            *_missing(decider, before, now, explained=reasons is not None),
            *(f"Nobody of a sample is in the segment {part.segment!r}." for part in parts if part.score is None),
            *map(_no_reasons, now.reasons.left_out),
        ),
        kind=now.kind,
    )


def _refuse_apart(**given: Any) -> None:
    """Refuse arrays of what columns say."""
    for name, value in given.items():
        if value is not None:
            fix = "name its column in `columns`, or give all of these apart"
            raise InputError("`columns` says what the columns are, so it can not be given apart", where=name, fix=fix)


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


def _missing(model: DecisionModel, before: Sample, now: Sample, *, explained: bool) -> Iterator[str]:
    if not now.profiles.known.any():
        yield "No outcomes of the new applicants were given: bad rates, AUC and calibration need them (y, --target)."
    elif not before.profiles.known.any():
        yield "No outcomes of the baseline were given: whether the AUC fell needs them (y_baseline, --target)."
    if not _gives_pd(model):
        yield "The votes of rules are no probabilities, so expected bad rates are not compared with observed ones."
    if now.profiles.groups is None:
        yield "No protected groups were given: approval rates by group, and their ratios, need them."
    if now.periods is None:
        yield "No dates were given: the new applicants are one period (dates, --date)."
    if idle := without_points(model):
        yield f"Not watched, for the same points for everybody move no score: {', '.join(idle)}."
    if not now.reasons.texts:
        yield "The model has no reason policy, so there is no drift of reasons; `scrutable reasons` makes one."
    elif not explained:
        yield "Nobody was declined in one of the samples, so there is no drift of reasons."
