"""Exporters that change what stands around the score: knock-outs, score adjustments, overrides and grades."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from contract_planted.faulty_exporter import Faulty, fault, patch
from scrutable.model import Policy, RegressionScorecard


@fault()
class LastKnockOutWins(Faulty):
    """Where several knock-outs apply, the last one is told."""

    def changed(self, model: Any) -> Any:
        if isinstance(model, RegressionScorecard):
            return model
        return replace(model, policy=Policy(knock_outs=model.policy.knock_outs[::-1]))


@patch("told")
def dropped_policy(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Knock-outs do not decline."""
    if "knock_out" in found and hasattr(model, "cutoff"):
        found["approved"] = (found["score"] >= model.cutoff).astype(int)
    return found


@patch("changed", "every-field-counts")
def first_knock_out_clause(self: Any, model: Any) -> Any:
    """Of a knock-out that asks for several things only the first is asked."""
    rules = tuple(replace(each, when=each.when[:1]) for each in model.policy.knock_outs)
    return replace(model, policy=Policy(knock_outs=rules))


@patch("changed")
def one_clause_a_column(self: Any, model: Any) -> Any:
    """Of several clauses of a knock-out on one column the last one counts."""
    if isinstance(model, RegressionScorecard):
        return model
    rules = (replace(each, when=_last_of_each(each.when)) for each in model.policy.knock_outs)
    return replace(model, policy=Policy(knock_outs=tuple(rules)))


def _last_of_each(when: Any) -> Any:
    return tuple({clause.feature: clause for clause in when}.values())


@patch("changed")
def adjustments_count_twice(self: Any, model: Any) -> Any:
    """Points of score adjustments are added twice."""
    return _around(model, adjustments=lambda each: replace(each, points=2 * each.points))


@patch("changed")
def hidden_overrides_are_told(self: Any, model: Any) -> Any:
    """Overrides that may not be told are reasons."""
    return _around(model, overrides=lambda each: replace(each, explained=True))


@patch("changed")
def grades_begin_above_their_limit(self: Any, model: Any) -> Any:
    """A score at the lower end of a grade has the grade below."""
    return _around(model, grades=lambda each: replace(each, at_least=math.nextafter(each.at_least, math.inf)))


@patch("changed")
def the_last_override_decides(self: Any, model: Any) -> Any:
    """Of several overrides that apply, the last one decides."""
    policy = getattr(model, "policy", Policy())
    return replace(model, policy=replace(policy, overrides=policy.overrides[::-1])) if policy.overrides else model


def _around(model: Any, **changes: Any) -> Any:
    """The model with a change in each of some parts of its policy."""
    policy = getattr(model, "policy", Policy())
    parts = {name: tuple(map(change, getattr(policy, name))) for name, change in changes.items()}
    return replace(model, policy=replace(policy, **parts)) if any(parts.values()) else model
