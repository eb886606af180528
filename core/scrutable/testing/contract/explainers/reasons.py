"""Checks of explainers whose explanations are ranked reasons, as a model's reason policy gives them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from scrutable.errors import ScrutableError, UnsupportedModel
from scrutable.model import Model, ReasonPolicy, RuleSet, Scorecard, TreeEnsemble
from scrutable.model.evaluator import Evaluation, evaluate, shortfalls_by_feature
from scrutable.model.segments import SingleModel
from scrutable.testing.contract.check import Fault, check, require
from scrutable.testing.contract.estimators.stated_reasons import misnamed
from scrutable.testing.contract.examples.models import random_models_accepted
from scrutable.testing.contract.examples.random_models import drawn_rows
from scrutable.testing.contract.explainers.explaining import (
    explained,
    moved,
    near,
    population,
    producing,
    scores_of,
    told,
)
from scrutable.testing.contract.explainers.moves import moves, parts_of
from scrutable.testing.contract.subject import Subject

_OF = producing("reasons")
_ROWS, _REPLACED = 40, 3
#: Points by which a cutoff is raised.
_HIGHER = 10


@check("explainer", of=_OF, hint="explain by the policy: evaluate(replace(model, reasons=policy), X) ranks the reasons")
def reasons_are_those_of_its_policy(subject: Subject) -> None:
    """explain gives each row the codes and shortfalls that the model with the policy of `policy` gives, in order."""
    for name, model in _single_models(subject):
        rows, reference = drawn_rows(model, _ROWS), population(model)
        policy = _policy(subject, model, reference)
        if policy is None:
            continue
        explanations = subject.make().explain(model, rows, reference=reference)
        _check_reasons(name, evaluate(replace(model, reasons=policy), rows), explanations)


@check("explainer", of=_OF, hint="without a reference use model.reasons, or ask for a reference")
def without_a_reference_the_models_reasons_count(subject: Subject) -> None:
    """Without a reference, explain gives the reasons of the model's own policy, or refuses."""
    for name, model in random_models_accepted(subject).items():
        rows = drawn_rows(model, _ROWS)
        says = evaluate(model, rows)
        if not isinstance(says, Evaluation) or says.reasons is None:
            continue
        _check_reasons(name, says, explained(subject, model, rows) or [])


@check("explainer", of=_OF, hint="take each feature's baseline from the rows of the reference, by their weights")
def shortfalls_are_what_the_score_loses(subject: Subject) -> None:
    """Beside applicants who are all alike, somebody with one other value falls short by what the score loses by it."""
    for name, model in _single_models(subject):
        rows = drawn_rows(model, _ROWS)
        best = np.argsort(-scores_of(model, rows))[:_REPLACED]
        for place in (int(each) for each in best):
            policy = _policy(subject, model, rows.iloc[[place] * 3])
            if policy is None or isinstance(model, RuleSet):
                continue
            if policy.baselines == getattr(_policy(subject, model, rows.iloc[[place - 1] * 3]), "baselines", None):
                _check_range(name, model, policy)
                continue
            _check_shortfalls(name, replace(model, reasons=policy), rows, place)


@check("explainer", of=_OF, hint="hand weight on to whatever averages over the reference")
def weights_of_the_reference_count(subject: Subject) -> None:
    """Rows of the reference that weigh nothing are as if they were not there, heavy ones as if they were several."""
    for name, model in _single_models(subject):
        rows = drawn_rows(model, _ROWS)
        alone = np.arange(_ROWS) == int(np.argmax(scores_of(model, rows)))
        copies = pd.concat([rows, *[rows[::2]] * 3], ignore_index=True)
        weights = np.where(np.arange(_ROWS) % 2, 0.25, 1.0)
        for weight, counted in ((np.where(alone, 2.0, 0.0), rows[alone]), (weights, copies)):
            weighed, due = _policy(subject, model, rows, weight=weight), _policy(subject, model, counted)
            if weighed is None or due is None:
                continue
            wrong = [key for key in due.baselines if not near(due.baselines[key], weighed.baselines[key])]
            require(not wrong, f"weights of the reference are lost in baselines of the random {name}", got=wrong)


@check("explainer", of=_OF, hint="give each feature's code the text of that feature, and the policy the model's cutoff")
def codes_say_what_they_stand_for(subject: Subject) -> None:
    """No feature's code has the text of another feature, and the policy is for the model's cutoff."""
    for name, model in _single_models(subject):
        policy = _policy(subject, model, population(model))
        if policy is None:
            continue
        for feature, text in misnamed(policy, model):
            raise Fault(f"the reason of {feature!r} in a random {name} names another feature", got=text)
        require(
            policy.cutoff == model.cutoff, f"the policy for a random {name} is for another cutoff", got=policy.cutoff
        )


@check("explainer", of=_OF, hint="say in near of the ReasonPolicy that baselines are those near the cutoff")
def baselines_of_a_cutoff_stay_with_it(subject: Subject) -> None:
    """Where baselines depend on the cutoff, a model of another cutoff refuses the policy."""
    for name, model in _single_models(subject):
        bare = replace(model, reasons=None)
        if bare.cutoff is None:
            continue
        other = replace(bare, cutoff=bare.cutoff + _HIGHER)
        try:
            here, there = (_policy(subject, each, population(model)) for each in (bare, other))
        except ScrutableError:
            continue
        if here is None or there is None or here.baselines == there.baselines:
            continue
        try:
            replace(replace(bare, reasons=here), cutoff=bare.cutoff + _HIGHER)
        except ScrutableError:
            continue
        raise Fault(f"baselines for the cutoff of a random {name} are kept where it has another one")


def _single_models(subject: Subject) -> Iterator[tuple[str, SingleModel]]:
    """The random models that can hold reasons."""
    for name, model in random_models_accepted(subject).items():
        if isinstance(model, Scorecard | TreeEnsemble | RuleSet) and model.reasons is not None:
            yield name, model


def _policy(subject: Subject, model: Model, reference: Any, weight: Any = None) -> ReasonPolicy | None:
    """Its policy; None where it says that it has none for the model."""
    try:
        policy: ReasonPolicy = subject.make().policy(model, reference, weight=weight)
    except UnsupportedModel:
        return None
    return policy


def _check_reasons(name: str, says: Evaluation, explanations: list[Any]) -> None:
    assert says.reasons is not None
    assert says.shortfalls is not None
    for row, each in enumerate(explanations):
        ranked = zip(says.reasons[row].tolist(), says.shortfalls[row].tolist(), strict=True)
        due = [(code, None if short != short else short) for code, short in ranked if code is not None]
        given = [(reason.code, reason.points_short) for reason in told(each, "reasons")]
        require(given == due, f"row {row} of the random {name} gets other reasons than {due}", got=given)


def _check_shortfalls(name: str, explained: SingleModel, rows: pd.DataFrame, place: int) -> None:
    row, named = rows.iloc[[place]], set(parts_of(explained, rows))
    for feature, others in moved(rows, place):
        won = moves(explained, feature, pd.concat([row, others], ignore_index=True), named)
        for key, short in shortfalls_by_feature(explained, others).items():
            due = 0.0 - won[key][1:] if key in won else np.zeros(len(others))
            fault = f"another value of {feature!r} takes {due.round(3).tolist()} points of {key!r} in a random {name}"
            require(near(short, due), fault, got=f"it falls short by {short.round(3).tolist()}")


def _check_range(name: str, model: Model, policy: ReasonPolicy) -> None:
    """A baseline that no reference changes is between the least and the most that its part of the score gives."""
    for part, each in getattr(model, "terms", {}).items():
        low, high = each.points_range
        inside = low - 1e-6 <= policy.baselines[part] <= high + 1e-6
        fault = f"the baseline of {part!r} in a random {name} is outside of its points"
        require(inside, fault, got=policy.baselines[part])
