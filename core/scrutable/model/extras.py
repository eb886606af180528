"""What a model has beside characteristics, trees, rules and knock-outs, for those that have no place for it."""

from __future__ import annotations

from scrutable.errors import UnsupportedModel
from scrutable.model.additive import Additive
from scrutable.model.regression import RegressionScorecard
from scrutable.model.segments import SingleModel


def refuse_extras(model: SingleModel | RegressionScorecard, *, but: tuple[str, ...] = (), by: str) -> None:
    """Refuse a model with interactions, score adjustments, overrides or grades.

    Parameters
    ----------
    but : of these, what there is a place for.
    by : what has no place for the others, in words.

    Raises
    ------
    UnsupportedModel : the first of them that the model has.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> refuse_extras(models_named()["scorecard"], by="a points table")
    """
    parts: dict[str, list[str]] = {}
    if isinstance(model, Additive):
        parts["interactions"] = [each.name for each in model.interactions]
    if not isinstance(model, RegressionScorecard):
        policy = model.policy
        parts["score adjustments"] = [each.code for each in policy.adjustments]
        parts["overrides"] = [each.code for each in policy.overrides]
        parts["grades"] = [each.name for each in policy.grades]
    for name, held in parts.items():
        if held and name not in but:
            fix = "take them out of the model, or choose what has a place for them"
            raise UnsupportedModel(f"{by} has no place for {name}", where=name, got=held, fix=fix)
