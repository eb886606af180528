"""Alternative: one of the models that a learner makes of the same rows, for a search to choose from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scrutable.data.values import Json, freeze
from scrutable.errors import InputError
from scrutable.model import DecisionModel, Evidence, FrozenMapping

#: Method of the alternative that comes first: what `fit` gives without a bound on any group.
BASELINE = "baseline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """A candidate model, and how it was made.

    Parameters
    ----------
    method : name of the technique, "baseline" for the unconstrained model.
    parameters : what the technique was told, any values that JSON holds; none is called "method".

    Raises
    ------
    InputError : a parameter called "method".

    Examples
    --------
    >>> import scrutable
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(200, seed=1)
    >>> learner = scrutable.create("learner", "scorecard", binner="quantile").fit(data.X, data.y)
    >>> made = Alternative(
    ...     method="fiv-bound", parameters={"bound": 0.5}, model=learner.model_, evidence=learner.evidence_
    ... )
    >>> made.name, dict(made.recipe)
    ('fiv-bound bound=0.5', {'bound': 0.5, 'method': 'fiv-bound'})
    """

    method: str
    model: DecisionModel
    evidence: Evidence
    parameters: FrozenMapping[Json] = field(default_factory=FrozenMapping)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", freeze(self.parameters, "parameters"))
        if "method" in self.parameters:
            raise InputError(
                "the name is taken by the method itself", where="parameters", got="method", fix="rename it"
            )

    @property
    def name(self) -> str:
        """Method and parameters in a line, such as "fiv-bound bound=0.5"."""
        return " ".join([self.method, *(f"{key}={_short(value)}" for key, value in self.parameters.items())])

    @property
    def recipe(self) -> FrozenMapping[Json]:
        """Method and parameters in one mapping, as provenance and search log hold them."""
        return FrozenMapping({"method": self.method, **self.parameters})


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return value if isinstance(value, str) else json.dumps(_plain(value), ensure_ascii=False)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
