"""What is recorded of how a model was learned: options, versions and the data."""

from __future__ import annotations

import platform
from dataclasses import fields, is_dataclass, replace
from importlib import metadata
from typing import Any, TypeVar, get_args

import numpy as np
from sklearn.base import BaseEstimator

from scrutable.bases.alternative import Alternative
from scrutable.errors import PluginError
from scrutable.model import DecisionModel, Evidence, FrozenMapping, Provenance, RegressionScorecard, fingerprint
from scrutable.model.values import Json, freeze
from scrutable.training import TrainingRows

M = TypeVar("M", DecisionModel, RegressionScorecard)


def check_learned(found: object, learner: str) -> None:
    """That `learn` returned a model and its evidence.

    Raises
    ------
    PluginError : it returned something else.
    """
    models = (*get_args(DecisionModel), RegressionScorecard)
    if not isinstance(found, tuple) or len(found) != 2:
        wrong = found
    elif not isinstance(found[0], models):
        wrong = found[0]
    elif not isinstance(found[1], Evidence):
        wrong = found[1]
    else:
        return
    raise PluginError(
        "learn must return a model and its evidence",
        where=learner,
        got=type(wrong).__name__,
        allowed=f"a tuple: {', '.join(model.__name__ for model in models)}; and Evidence",
    )


def finished(model: M, evidence: Evidence, provenance: Provenance, data: TrainingRows) -> tuple[M, Evidence]:
    """What was learned with where it comes from, and evidence that names the model."""
    whole = replace(model, provenance=provenance)
    metrics = FrozenMapping({**evidence.metrics, "inputs_checked_against_groups": data.groups is not None})
    return whole, replace(evidence, model_sha256=fingerprint(whole), metrics=metrics)


def finished_alternative(found: Alternative, origin: Provenance, data: TrainingRows) -> Alternative:
    """An alternative, finished as the model of a fit is."""
    parameters = FrozenMapping({**origin.parameters, "alternative": found.recipe})
    model, evidence = finished(found.model, found.evidence, replace(origin, parameters=parameters), data)
    return replace(found, model=model, evidence=evidence)


def core_versions() -> dict[str, str]:
    """Versions of what every model is learned with."""
    found = {name: metadata.version(name) for name in ("scrutable", "numpy", "scikit-learn")}
    return {**found, "python": platform.python_version()}


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
    inner = FrozenMapping({key: recordable(item) for key, item in parameters.items()})
    return FrozenMapping({"class": type(value).__name__, "parameters": inner})
