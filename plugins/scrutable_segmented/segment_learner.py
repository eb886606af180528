"""The learner of a segment, with its options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sklearn.base import clone

from scrutable import registry
from scrutable.errors import InputError, did_you_mean
from scrutable.plugins.bases import Binner, Learner


def learner_within(chosen: str | Learner | None, options: Mapping[str, Any], shared: Mapping[str, Any]) -> Learner:
    """The learner of a segment, not fitted.

    Parameters
    ----------
    chosen : the learner, or its name.
    options : its options.
    shared : options that it has from the whole, where it has them and none of its own.

    Raises
    ------
    InputError : no learner is given for the segment, or one that does not learn classes; options it does not have.
    """
    learner: Any = chosen
    if isinstance(chosen, str):
        learner = registry().create("learner", chosen, **options)
    elif isinstance(chosen, Learner):
        learner = clone(chosen)
        _refuse_unknown(options, learner.get_params())
        learner.set_params(**options)
    if not isinstance(learner, Learner):
        raise InputError(
            "a segment needs a learner of classes",
            where="learner",
            got=chosen,
            allowed="the name of a registered learner, or a Learner",
            fix="for example learner='scorecard'",
        )
    left = _set(learner, shared)
    binner = learner.get_params(deep=False).get("binner")
    if binner is not None and any(left.values()):  # such a learner reads rows as its binner says
        own: Binner = clone(binner) if isinstance(binner, Binner) else registry().create("binner", binner)
        _set(own, left)
        learner.set_params(binner=own)
    return learner


def _set(made: Any, shared: Mapping[str, Any]) -> dict[str, Any]:
    """Set the options that an estimator has and that say nothing yet; those that it does not have are returned."""
    own = made.get_params(deep=False)
    made.set_params(**{key: value for key, value in shared.items() if key in own and own[key] in (None, ())})
    return {key: value for key, value in shared.items() if key not in own}


def _refuse_unknown(options: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    for name in options:
        if name not in known:
            raise InputError("unknown option", where="options", got=name, fix=did_you_mean(name, known))
