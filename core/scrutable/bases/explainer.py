"""Explainers: one explanation an applicant, read from the model itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scrutable.bases.answers import policy_by
from scrutable.errors import InputError, PluginError
from scrutable.model import DecisionModel, Model, ReasonPolicy, SegmentedModel
from scrutable.segments.coding import agreeing
from scrutable.segments.parts import in_segment, parts


class Explainer(ABC):
    """Explains decisions of a model. Options are the constructor's keyword arguments.

    Explanations have `approved`, `describe()` and `to_dict()`, which the command line shows. An explainer that takes
    its time may have `explain_each` too, which yields them one after another.
    """

    @abstractmethod
    def explain(self, model: Model, X: Any, *, reference: Any = None) -> list[Any]:
        """One typed explanation for each of n rows.

        Parameters
        ----------
        model : the model that decided.
        X : the applicants, n rows.
        reference : the population that explanations compare with, where the method needs one.
        """

    def policy(self, model: Model, reference: Any, *, weight: Any = None) -> ReasonPolicy:
        """The reason policy that this explainer stands for, to be stored in the model.

        Parameters
        ----------
        reference : the population that baselines are taken from, m rows; None where nobody names one.
        weight : (m,) weights of its rows.

        Raises
        ------
        InputError : baselines are taken from a reference, and there is none; where="reference".
        PluginError : the explainer gives no reason codes.
        """
        raise PluginError("the explainer gives no reason codes", where=type(self).__name__, fix="use 'reason-codes'")

    def with_policy(
        self,
        model: DecisionModel,
        reference: Any = None,
        *,
        weight: Any = None,
        by_segment: Mapping[str, Any] | None = None,
    ) -> DecisionModel:
        """The model with the policy of `policy` in place of its own; in a model of segments, in each one's model.

        A segment's policy is made of its own applicants. Where two segments would call different reasons by one code,
        codes are numbered anew.

        Parameters
        ----------
        reference, weight : as in `policy`.
        by_segment : explainers of segments that have other options than this one.

        Raises
        ------
        InputError, PluginError : as of `policy`, or it gives something else; the message names the segment.
        InputError : the reference holds nobody of a segment.
        """
        if not isinstance(model, SegmentedModel):
            return replace(model, reasons=policy_by(self, model, reference, weight=weight))
        models = {}
        for segment, rows, its in parts(model, reference, weight):
            with in_segment(segment):
                if rows is not None and not rows.n_rows:
                    raise InputError(
                        "nobody to take baselines from", where="reference", fix="name some of its applicants"
                    )
                policy = policy_by((by_segment or {}).get(segment.name, self), segment.model, rows, weight=its)
            models[segment.name] = replace(segment.model, reasons=policy)
        agreed = agreeing(models)
        return replace(model, segments=tuple(replace(each, model=agreed[each.name]) for each in model.segments))
