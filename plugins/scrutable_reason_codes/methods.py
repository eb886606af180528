"""Methods of choosing reasons: what an applicant's points are compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from scrutable.errors import InputError
from scrutable.model import (
    Characteristic,
    FrozenMapping,
    Interaction,
    LeafEffects,
    ReasonPolicy,
    RuleSet,
    Scorecard,
    SingleModel,
    Statistics,
    TreeEnsemble,
    scorecard_of,
    step_functions,
)
from scrutable.model.evaluator import ClauseMasks, read_inputs
from scrutable_reason_codes.population import Population
from scrutable_reason_codes.shapley import tree_effects

Method = Literal["below-average", "near-cutoff", "below-maximum", "below-neutral", "shapley", "votes-against"]

#: Methods whose baselines are read off the scorecard, without a population.
WITHOUT_POPULATION: tuple[Method, ...] = ("below-maximum", "below-neutral", "votes-against")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What shortfalls are measured from: baselines by feature, and what leaves add in trees of several features."""

    baselines: Mapping[str, float] = field(default_factory=dict)
    effects: tuple[tuple[LeafEffects, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What a method measures from, and whom it takes it from.

    Parameters
    ----------
    near : points above the cutoff within which the population's scores are, where these are near it.
    """

    method: Method
    measure: Measure
    population: str = "none: read off the model"
    near: float | None = None

    def in_place_of(self, policy: ReasonPolicy) -> ReasonPolicy:
        """A policy with these baselines and the codes and texts that it has."""
        return replace(
            policy,
            method=self.method,
            population=self.population,
            near=self.near,
            baselines=FrozenMapping(dict(self.measure.baselines)),
            effects=self.measure.effects,
        )


def methods_of(model: SingleModel) -> tuple[Method, ...]:
    """The methods that a kind of model has, the default first."""
    if isinstance(model, RuleSet):
        return ("votes-against",)
    if isinstance(model, TreeEnsemble) and step_functions(model).trees:
        return ("shapley",)
    return ("below-average", "near-cutoff", "below-maximum", "below-neutral", "shapley")


def method_for(model: SingleModel, asked: Method | None) -> Method:
    """The method asked for, or the one that the kind of model has by default.

    Raises
    ------
    InputError : a method that is not for this kind of model.
    """
    allowed = methods_of(model)
    if asked is None:
        return allowed[0]
    if asked not in allowed:
        raise InputError(
            f"no method for this model, {type(model).__name__}",
            where="method",
            got=asked,
            allowed=", ".join(map(repr, allowed)),
        )
    return asked


def measure(model: SingleModel, method: Method, population: Population | None, neutral: Mapping[str, float]) -> Measure:
    """Baselines, and effects where there are trees of several features.

    Parameters
    ----------
    population : of the methods that take averages.
    neutral : points that are neutral by characteristic, for the method "below-neutral".
    """
    if isinstance(model, RuleSet) or not model.features:
        return Measure()
    if isinstance(model, TreeEnsemble) and method == "shapley":
        assert population is not None
        table, weight = population.whole()
        columns, n_rows = read_inputs(model, table)
        average, effects = tree_effects(model, ClauseMasks(model.features, columns, n_rows), weight)
        return Measure(baselines=average, effects=effects)
    if isinstance(model, TreeEnsemble):
        return _of_stumps(model, method, population, neutral)
    return Measure(baselines=_of_scorecard(model, method, population, neutral))


def _of_stumps(
    model: TreeEnsemble, method: Method, population: Population | None, neutral: Mapping[str, float]
) -> Measure:
    """Trees of one feature each are a scorecard; a feature worth the same whatever its value never falls short."""
    of_card = _of_scorecard(scorecard_of(replace(model, reasons=None)), method, population, neutral)
    return Measure(baselines={**step_functions(model).constants, **of_card})


def _of_scorecard(
    card: Scorecard, method: Method, population: Population | None, neutral: Mapping[str, float]
) -> dict[str, float]:
    if method == "below-maximum":
        return {name: term.points_range[1] for name, term in card.terms.items()}
    if method == "below-neutral":
        return {name: _neutral(name, term, neutral) for name, term in card.terms.items()}
    assert population is not None
    return population.averages(card)


def _neutral(name: str, term: Characteristic | Interaction, given: Mapping[str, float]) -> float:
    """Points at a weight of evidence of 0, read off the attributes on a line between the two on either side.

    No points of an interaction, which only adds to what two characteristics say.
    """
    if name in given:
        return given[name]
    if isinstance(term, Interaction):
        return 0.0
    seen = sorted(
        (attribute.statistics.woe, attribute.points)
        for attribute in term.attributes
        if isinstance(attribute.statistics, Statistics) and attribute.statistics.count > 0
    )
    if not seen:
        raise InputError(
            "no neutral points, and no statistics of the attributes to read them off",
            where=f"neutral: characteristic {name!r}",
            fix="give its points: neutral={...}",
        )
    woe, points = zip(*seen, strict=True)
    return float(np.interp(0.0, woe, points))
