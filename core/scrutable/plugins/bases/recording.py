"""What is recorded of how a model was learned: options, versions and the data."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, get_args

import numpy as np
from sklearn.base import BaseEstimator

from scrutable.data.disclosure.smallest_count import min_cell
from scrutable.data.training import QuantityData
from scrutable.data.training_rows import LabelledRows, TrainingRows
from scrutable.data.values import Json, freeze
from scrutable.errors import PluginError
from scrutable.model import (
    DecisionModel,
    Evidence,
    FrozenMapping,
    Outcome,
    Provenance,
    Quantity,
    RegressionScorecard,
    fingerprint,
)
from scrutable.plugins.bases.alternative import Alternative
from scrutable.plugins.bases.component_names import advice_on, called
from scrutable.plugins.bases.observing import with_observed
from scrutable.plugins.claims import qualified
from scrutable.plugins.libraries import version_of
from scrutable.plugins.recorded_options import lasting
from scrutable.plugins.registry import registry

M = TypeVar("M", DecisionModel, RegressionScorecard)


def check_learned(learned: object, learner: object) -> None:
    """That `learn` returned a model and its evidence.

    Raises
    ------
    PluginError : it returned something else.
    """
    models = (*get_args(DecisionModel), RegressionScorecard)
    if not isinstance(learned, tuple) or len(learned) != 2:
        wrong = learned
    elif not isinstance(learned[0], models):
        wrong = learned[0]
    elif not isinstance(learned[1], Evidence):
        wrong = learned[1]
    else:
        return
    raise PluginError(
        "learn must return a model and its evidence",
        where=called(learner),
        got=type(wrong).__name__,
        allowed=f"a tuple: {', '.join(model.__name__ for model in models)}; and Evidence",
        fix=advice_on(learner),
    )


def check_orientation(
    model: DecisionModel | RegressionScorecard, data: LabelledRows | QuantityData, asked: Any, learner: object
) -> None:
    """That a model decides about the outcome of its data, and favours the class that it was asked to favour.

    Parameters
    ----------
    asked : the learner's option `favourable`; None where it has none, or nothing was asked.

    Raises
    ------
    PluginError : the learner reads or makes another orientation, so that its model would approve the wrong applicants.
    """
    learned, given = model.outcome, data.outcome
    if isinstance(learned, Outcome) and isinstance(given, Outcome):
        wanted = given.favourable if asked is None else asked
        if learned.favourable != wanted:
            raise PluginError(
                "the learner's model favours another class than it was asked to",
                where=called(learner),
                got=learned.favourable,
                allowed=repr(wanted),
                fix="in the learner, hand favourable on to what reads the data, and data.outcome on to the model",
            )
    if isinstance(learned, Quantity) and isinstance(given, Quantity):
        given = replace(given, unit=learned.unit)  # which data do not say
    if learned != given:
        raise PluginError(
            "the learner's model is about another outcome than its data",
            where=called(learner),
            got=learned,
            allowed=repr(given),
            fix="in the learner, hand data.outcome on to the model",
        )


def finished(model: M, evidence: Evidence, provenance: Provenance, data: TrainingRows) -> tuple[M, Evidence]:
    """What was learned with where it comes from and what its data held, and evidence that names the model."""
    whole = with_observed(replace(model, provenance=provenance), data)
    stated = with_metrics(evidence, {"inputs_checked_against_groups": data.groups is not None, "min_cell": min_cell()})
    return whole, replace(stated, model_sha256=fingerprint(whole))


def with_metrics(evidence: Evidence, metrics: Mapping[str, Json]) -> Evidence:
    """Evidence with these metrics, too."""
    return replace(evidence, metrics=FrozenMapping({**evidence.metrics, **metrics}))


def finished_alternative(alternative: Alternative, origin: Provenance, data: TrainingRows) -> Alternative:
    """An alternative, finished as the model of a fit is."""
    parameters = FrozenMapping({**origin.parameters, "alternative": alternative.recipe})
    model, evidence = finished(alternative.model, alternative.evidence, replace(origin, parameters=parameters), data)
    return replace(alternative, model=model, evidence=evidence)


def core_versions() -> dict[str, str]:
    """Versions of what every model is learned with."""
    versions = {name: version_of(name) for name in ("scrutable", "numpy", "scikit-learn")}
    return {**versions, "python": platform.python_version()}


def recorded_class(cls: type) -> str:
    """The name of a class as provenance holds it: a third party's has its distribution before it."""
    origin = registry().origin_of_class(cls)
    if origin is None or origin.first_party or not origin.distribution:
        return cls.__name__
    return qualified(origin.distribution, cls.__name__)


def recorded_parameters(parameters: Mapping[str, Any]) -> FrozenMapping[Json]:
    """Options as provenance holds them; names of components are those that mean the same one day."""
    return FrozenMapping({key: recordable(value) for key, value in lasting(parameters).items()})


def recordable(value: Any) -> Json:
    """An option's value as provenance holds it."""
    if isinstance(value, BaseEstimator):
        return _named(value, value.get_params(deep=False))
    if is_dataclass(value):
        return _named(value, {field.name: getattr(value, field.name) for field in fields(value)})
    if isinstance(value, list | tuple):
        return tuple(recordable(item) for item in value)
    try:
        return freeze(value.item() if isinstance(value, np.generic) else value)
    except ValueError:
        return repr(value)


def _named(value: Any, parameters: dict[str, Any]) -> Json:
    return FrozenMapping({"class": recorded_class(type(value)), "parameters": recorded_parameters(parameters)})
