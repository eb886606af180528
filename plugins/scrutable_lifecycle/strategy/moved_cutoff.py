"""Gives a model another cutoff, and reasons that belong to it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from scrutable.data import weights
from scrutable.data.frames import as_table
from scrutable.errors import InputError, ScrutableError
from scrutable.model import (
    LIMIT,
    UNIT,
    DecisionModel,
    Model,
    ReasonPolicy,
    RuleSet,
    Scorecard,
    Segment,
    SegmentedModel,
    SingleModel,
    TreeEnsemble,
    finite,
)
from scrutable.model.evaluator import evaluate
from scrutable.plugins.bases import explainer_of, policy_by


def with_cutoff(
    model: Model,
    cutoff: float,
    *,
    reference: Any = None,
    sample_weight: Any = None,
    population: str = "all applicants that the cutoff was chosen on",
) -> SingleModel:
    """The model with another cutoff.

    Baselines that are averages of all applicants, or read off the points, belong to any cutoff and stay. Baselines of
    applicants near the cutoff belong to one cutoff only: they are taken anew from the reference, and without it the
    model is refused rather than given reasons of another decision.

    Parameters
    ----------
    reference : applicants, the declined among them, to take such baselines from.
    sample_weight : their weights.
    population : what they are, in words; the reason policy keeps it.

    Raises
    ------
    InputError : a model of segments, which have cutoffs of their own, or one without a cutoff; baselines of another
        cutoff and no reference.
    ModelError : a cutoff that is no finite number, or at which a rule set would have no reasons.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(300, seed=1)
    >>> model = create("learner", "scorecard", binner="quantile", favourable=0).fit(data.X, data.y).model_
    >>> with_cutoff(model, 512).cutoff, with_cutoff(model, 512).reasons.cutoff
    (512.0, 512.0)
    """
    if not isinstance(model, Scorecard | RuleSet | TreeEnsemble) or model.cutoff is None:
        raise InputError(
            "the model has no cutoff of its own",
            where="with_cutoff",
            got=repr(model),
            allowed="a scorecard, trees, or a rule set of two classes",
            fix="of segments, move all cutoffs by the same points: scrutable_lifecycle.strategy.cut_at",
        )
    moved = finite(cutoff, "cutoff")
    policy = model.reasons
    if policy is None:
        return replace(model, cutoff=moved)
    if policy.near is None:
        return replace(model, cutoff=moved, reasons=replace(policy, cutoff=moved))
    if policy.cutoff == moved:
        return replace(model, cutoff=moved)
    if reference is None:
        raise InputError(
            "the reasons are those of applicants near another cutoff",
            where="reason policy",
            got=policy.cutoff,
            allowed=repr(moved),
            fix="give reference=applicants to take the baselines anew, or remove the policy first: "
            "dataclasses.replace(model, reasons=None)",
        )
    bare = replace(model, cutoff=moved, reasons=None)
    return with_reasons(bare, policy, reference, sample_weight, population)


def cut_at(
    model: Model,
    cutoff: float,
    *,
    reference: Any = None,
    sample_weight: Any = None,
    population: str = "all applicants that the cutoff was chosen on",
) -> DecisionModel:
    """The model that approves from a cutoff of its `score_rows` on.

    Scores of segments are read there as the score minus the cutoff. So every segment's cutoff moves by the same number
    of points, and baselines near it are taken anew from the segment's own applicants.

    Parameters
    ----------
    cutoff : as `choose_cutoff` gives it; of segments, by how many points all cutoffs move.
    reference, sample_weight, population : as in `with_cutoff`; of segments, applicants of all of them.

    Raises
    ------
    InputError, ModelError : as `with_cutoff`; of segments, the error names the one that it is about.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> model = models_named()["segmented-model"]
    >>> [round(segment.model.cutoff, 2) for segment in model.segments]
    [541.04, 520.0]
    >>> [round(segment.model.cutoff, 2) for segment in cut_at(model, 2).segments]
    [543.04, 522.0]
    """
    if not isinstance(model, SegmentedModel) or not model.outcome.binary:
        return with_cutoff(model, cutoff, reference=reference, sample_weight=sample_weight, population=population)
    by = finite(cutoff, "cutoff")
    moved = []
    for segment, rows, weight in _with_applicants(model, reference, sample_weight):
        assert segment.model.cutoff is not None  # the outcome is binary
        own = moved_cutoff(segment.model.cutoff, by)
        try:
            single = with_cutoff(segment.model, own, reference=rows, sample_weight=weight, population=population)
        except ScrutableError as error:
            error.where = f"segment {segment.name!r}" + (f", {error.where}" if error.where else "")
            raise
        moved.append(replace(segment, model=single))
    return replace(model, segments=tuple(moved))


def moved_cutoff(cutoff: float, by: float) -> float:
    """The cutoff from which on a score is at least so many points above an old one, in doubles.

    The sum of the two may round to beyond the score that it is meant to hit, and all applicants with that score would
    be decided otherwise. Scores are whole multiples of a unit, so that the lowest one that is enough can be looked up;
    where the sum tells the same scores apart, it is taken as it is.

    >>> 0.1 + (0.7 - 0.1), moved_cutoff(0.1, 0.7 - 0.1)
    (0.7, 0.7)
    """
    most = round(LIMIT / UNIT) + 2  # the next double above the limit, which no score reaches
    units = range(-most, most + 1)
    lowest = units[bisect_left(units, True, hi=2 * most, key=lambda place: place * UNIT - cutoff >= by)] * UNIT
    plain = cutoff + by
    return plain if lowest - UNIT < plain <= lowest else lowest


def _with_applicants(model: SegmentedModel, reference: Any, weight: Any) -> Iterator[tuple[Segment, Any, Any]]:
    """Each segment with its applicants and their weights, both None where no baselines are of applicants near."""
    policies = (segment.model.reasons for segment in model.segments)
    if reference is None or not any(policy is not None and policy.near is not None for policy in policies):
        yield from ((segment, None, None) for segment in model.segments)
        return
    table = as_table(reference)
    every = None if weight is None else weights(weight, table.n_rows)
    evaluation = evaluate(model, table, reasons=False)
    for segment in model.segments:
        rows = np.flatnonzero(evaluation.of_segment(segment.name))
        yield segment, table.subset(rows), None if every is None else every[rows]


def with_reasons(model: SingleModel, policy: ReasonPolicy, reference: Any, weight: Any, population: str) -> SingleModel:
    """The model with baselines of its own by the policy's method, and the policy's codes, texts and order.

    Parameters
    ----------
    model : without reasons.
    reference, weight, population : as in `with_cutoff`.

    Raises
    ------
    InputError : a method that no explainer here has, or that finds nobody to take baselines from.
    """
    cls = explainer_of(policy.method)
    if cls is None:
        raise InputError(
            "unknown method: no explainer here takes its policies anew",
            where="reason policy",
            got=policy.method,
            fix="install the explainer, or remove the policy first: dataclasses.replace(model, reasons=None)",
        )
    explainer = cls.like(policy, model, population=population)
    taken = policy_by(explainer, model, reference, weight=weight)
    own = replace(
        policy,
        population=taken.population,
        cutoff=taken.cutoff,
        near=taken.near,
        baselines=taken.baselines,
        effects=taken.effects,
    )
    return replace(model, reasons=own)
