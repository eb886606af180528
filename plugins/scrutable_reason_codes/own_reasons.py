"""The models that have reasons of their own, and their policies."""

from __future__ import annotations

from scrutable.errors import ModelError, UnsupportedModel
from scrutable.model import Model, ReasonPolicy, RuleSet, Scorecard, SingleModel, TreeEnsemble

_VOTES = "leave --explainer out, or use scrutable.model.rulesets.row_votes: it gives the rules that voted"
_WHOLE = "use with_policy or with_words: they give the model of each segment a policy of its own"


def single_model(model: Model) -> SingleModel:
    """A model that decides between two classes and has no segments.

    Raises
    ------
    UnsupportedModel : any other.
    """
    if isinstance(model, Scorecard | TreeEnsemble) or (isinstance(model, RuleSet) and model.cutoff is not None):
        return model
    raise UnsupportedModel(
        "reason codes are for a decision between two classes by a single model",
        where="reason codes",
        got=repr(model),
        fix=_VOTES if isinstance(model, RuleSet) else _WHOLE,
    )


def own_policy(model: SingleModel, where: str = "reason codes") -> ReasonPolicy:
    """The policy that a model holds.

    Raises
    ------
    ModelError : it holds none.
    """
    if model.reasons is None:
        fix = "give a reference population (--reference FILE, in Python reference=)"
        if isinstance(model, RuleSet):
            fix += f"; or {_VOTES}"
        raise ModelError("the model holds no reason policy", where=where, fix=fix)
    return model.reasons
