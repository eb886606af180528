"""Models without the parts that some files and searches have no place for."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TypeVar, cast

from scrutable.model import FrozenMapping, Policy, Scorecard
from scrutable.model.contents import clauses_of
from scrutable.model.segments import SingleModel

S = TypeVar("S", bound=SingleModel)


def without_extras(model: S, *, but: str = "") -> S:
    """The model without interactions, score adjustments, overrides and grades.

    Parameters
    ----------
    but : the part of the policy that stays: "adjustments", "overrides" or "grades"; none if empty.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> scorecard = models_named()["scorecard"]
    >>> without_extras(scorecard) == scorecard
    True
    """
    if isinstance(model, Scorecard) and model.interactions:
        model = cast(S, _without_interactions(model))
    kept = {but: getattr(model.policy, but)} if but else {}
    return reading_no_more(model, Policy(knock_outs=model.policy.knock_outs, **kept))


def reading_no_more(model: S, policy: Policy) -> S:
    """The model with another policy, and the features that something still asks for."""
    asked = sum(len(rule.when) for rule in model.policy.rules)
    read = {clause.feature for clause in itertools.islice(clauses_of(model), asked, None)} | policy.features
    if isinstance(model, Scorecard):
        read |= model.features_scored
    features = tuple(feature for feature in model.features if feature.name in read)
    return replace(model, policy=policy, features=features)


def _without_interactions(card: Scorecard) -> Scorecard:
    names = {each.name for each in card.interactions}
    reasons = card.reasons and replace(
        card.reasons,
        baselines=FrozenMapping({name: each for name, each in card.reasons.baselines.items() if name not in names}),
        codes=FrozenMapping({name: code for name, code in card.reasons.codes.items() if name not in names}),
    )
    read = {each.feature for each in card.characteristics} | card.policy.features
    features = tuple(feature for feature in card.features if feature.name in read)
    return replace(card, interactions=(), reasons=reasons, features=features)
