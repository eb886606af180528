"""The validation of a model: what it does on applicants that it did not learn from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from scrutable.data import MIN_GROUP_SIZE, Cohort, DataConfig, Floats, is_small, pooled_groups
from scrutable.errors import InputError, warn_caller
from scrutable.errors.checks import check_number
from scrutable.fairness import FourFifths, Groups, OperatingPoint, SmallGroupWarning, decision_points, operating_point
from scrutable.measures import Scored, SeparationCurve, performance, reliability_of, score_cohort, separation_curve
from scrutable.model import DecisionModel
from scrutable_lifecycle.measured_rows import development_cohort, in_roles
from scrutable_lifecycle.monitoring.tallying import tallied
from scrutable_lifecycle.validation.intersections import with_intersections
from scrutable_lifecycle.validation.results import DEVELOPMENT, MEASURED, Disparity, Validation
from scrutable_lifecycle.validation.significance import impact_tests
from scrutable_lifecycle.validation.smd import mean_differences
from scrutable_lifecycle.validation.stability import drift_of


def validate(
    model: DecisionModel,
    X: Any,
    y: Any = None,
    *,
    groups: Groups | None = None,
    sample_weight: Any = None,
    reference: Any = None,
    reference_weight: Any = None,
    approval_rate: float | None = None,
    intersections: Iterable[Sequence[str]] = (),
    min_group_size: float = MIN_GROUP_SIZE,
    seed: int = 0,
) -> Validation:
    """Measure separation, calibration, stability and disparity, each with its uncertainty.

    Give rows that the model did not learn from, best of all later ones (`out_of_time`): on those that it did, every
    measure flatters it. And they should be of the population that it is to be used on: where only the accepted have an
    outcome, all that needs outcomes speaks of the accepted alone.

    Decisions are the model's own, knock-outs and the cutoffs of segments included. A second reading is at a fixed
    approval rate. What ranks applicants is the score, and of a segmented model, whose scores may be on scales of their
    own, the probability of the favourable outcome: see `scrutable.fairness.measuring.measure`.

    Parameters
    ----------
    X, y : n applicants, and their outcomes in the model's two classes; None or NaN where it is not known, as of
        indeterminates. Or a frame or a path and a `DataConfig`, which says what each column is: groups, weights, and
        those of `reference`, too.
    groups : protected groups of the rows; membership probabilities count as weights.
    sample_weight : (n,) weights; None means 1 each.
    reference : the m applicants that the model was developed on, for stability; a frame, or beside a config a path.
        Where their outcomes are known, too, curves have them beside the others: a `Cohort` may hold them, and beside a
        config their column is that of X.
    reference_weight : (m,) their weights; None means 1 each.
    approval_rate : of the second reading; the share of favourable outcomes when None.
    intersections : attributes to cross, such as [("sex", "age")].
    min_group_size : groups of fewer effective rows are flagged, and left out of four-fifths ratios.
    seed : of the bootstrap.

    Raises
    ------
    InputError : a model of more than two classes, rows without outcomes of both classes, intersections or weights of
        what is not given, and as in `evaluate`, `fairness_report` and `with_intersections`.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(2000, seed=1)
    >>> learn, rest = slice(0, 1000), slice(1000, 2000)
    >>> learner = create("learner", "lda-xgb1", favourable=0).fit(data.X[learn], data.y[learn])
    >>> groups = Groups.from_frame(data.sensitive_features[["sex"]][rest])
    >>> validation = validate(learner.model_, data.X[rest], data.y[rest], groups=groups, reference=data.X[learn])
    >>> validation.discrimination.auc > 0.7, [each.metrics.group for each in validation.disparity]
    (True, ['female', 'male'])
    >>> validation.drift[0].name, validation.drift[0].reading
    ('score', 'little change')
    >>> frame = data.X.assign(default=data.y, sex=data.sensitive_features["sex"])[rest]
    >>> validate(learner.model_, frame, DataConfig(target="default", protected=("sex",)))
    Validation(1,000 of 1,000 rows with an outcome, AUC 0..., expected / observed defaults ..., 2 groups)
    """
    check_number(min_group_size, "min_group_size", "0 or more")
    if not model.outcome.binary:
        raise InputError("a validation needs two classes", where="model", got=list(model.outcome.classes))
    if reference is None and reference_weight is not None:
        fix = "give reference, or leave the weights out"
        raise InputError("there is no development sample to weight", where="reference_weight", fix=fix)
    crossings = [tuple(names) for names in intersections]
    columns = y if isinstance(y, DataConfig) else None
    X, y = in_roles((model,), X, y)
    if columns is not None and reference is not None:
        reference = development_cohort(model, reference, columns, "--weight, ")
    cohort = Cohort.read(X, y, outcome=model.outcome, groups=groups, sample_weight=sample_weight, where="y of the rows")
    if cohort.groups is None and crossings:
        fix = "give groups (on the command line, --protected), or leave the intersections out"
        raise InputError("there is no protected attribute to cross", where="intersections", got=crossings, fix=fix)
    known = cohort.known
    if not known.any():
        raise InputError("no outcome is known", where="y", fix="give rows with outcomes")
    if cohort.groups is not None:
        cohort = replace(cohort, groups=with_intersections(cohort.groups, crossings))
    every, told = score_cohort(model, cohort), cohort.subset(known)
    crossed = None if told.groups is None else _told(told.groups, crossings, told.sample_weight)
    disparity, ratios = ((), ()) if crossed is None else _disparity(every, told, crossed, min_group_size, seed)
    unknown = ~known & (cohort.weight > 0)
    development = None if reference is None else Cohort.read(reference, sample_weight=reference_weight)
    return Validation(
        rows=cohort.rows,
        known=int(known.sum()),
        approval_rate_unknown=cohort.mean(every.approved, unknown) if unknown.any() else math.nan,
        discrimination=performance(told.good, every.ranking[known], seed=seed, sample_weight=told.sample_weight),
        calibration=reliability_of(every),
        decisions=tuple(_decisions(every, told, approval_rate)),
        disparity=disparity,
        four_fifths=ratios,
        drift=() if development is None else drift_of(tallied(model, development), tallied(model, cohort), seed),
        curves=_curves(model, every, development),
        min_group_size=float(min_group_size),
        seed=seed,
        kind=cohort.kind,
    )


def _told(groups: Groups, crossings: Sequence[tuple[str, ...]], weight: Floats | None) -> Groups | None:
    """Groups that may be told of, without intersections of which one may not: the others would give it away."""
    told = pooled_groups(groups, weight)
    names = {" & ".join(each) for each in crossings}
    attributes = [] if told is None else [each for each in told.attributes if each.name not in names]
    for name in sorted(names):
        if told is not None and name in told.names and told[name].labels == groups[name].labels:
            attributes.append(told[name])
        else:
            what = f"the intersection {name!r} is left out, since one of its groups has too few rows to be told of"
            warn_caller(f"{what}. Fix: merge groups first.", SmallGroupWarning)
    return Groups(tuple(attributes)) if attributes else None


def _decisions(every: Scored, told: Cohort, approval_rate: float | None) -> list[OperatingPoint]:
    good, weight = told.good, told.sample_weight
    rate = float(np.average(good, weights=weight)) if approval_rate is None else approval_rate
    readings = every.readings(rate, every.cohort.known)
    return [operating_point(basis, *each, good, weight) for basis, each in readings.items()]


def _disparity(
    every: Scored, told: Cohort, groups: Groups, smallest: float, seed: int
) -> tuple[tuple[Disparity, ...], tuple[FourFifths, ...]]:
    """Each group at the model's own decisions, and the ratio of each attribute."""
    known, weight = every.cohort.known, told.sample_weight
    approved, ranking = every.approved[known], every.ranking[known]
    decisions = {"decisions": (math.nan, approved)}
    [point] = decision_points(
        told.good, decisions, groups, score=ranking, seed=seed, sample_weight=weight, min_group_size=smallest
    )
    tests = {(each.attribute, each.group): each for each in impact_tests(approved, groups, sample_weight=weight)}
    means = {(each.attribute, each.group): each for each in mean_differences(ranking, groups, sample_weight=weight)}
    disparity = tuple(
        Disparity(
            size=metrics.size,
            small=is_small(metrics.effective_size, smallest),
            metrics=metrics,
            test=tests.get((metrics.attribute, metrics.group)),
            difference=means.get((metrics.attribute, metrics.group)),
        )
        for metrics in point.groups
    )
    return disparity, point.four_fifths


def _curves(model: DecisionModel, every: Scored, development: Cohort | None) -> dict[str, SeparationCurve]:
    """Of the rows that are measured, and of the development sample where outcomes of both classes are known."""
    samples = {MEASURED: every}
    if development is not None and development.known.any():
        samples[DEVELOPMENT] = score_cohort(model, development)
    curves = {name: separation_curve(each.ranking, each.cohort) for name, each in samples.items()}
    return {name: curve for name, curve in curves.items() if curve is not None}
