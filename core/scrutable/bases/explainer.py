"""Explainers: one explanation an applicant, read from the model itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scrutable.errors import PluginError, UnsupportedModel
from scrutable.model import DecisionModel, Model, ReasonPolicy, SegmentedModel


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
        reference : the population that baselines are taken from, m rows.
        weight : (m,) weights of its rows.

        Raises
        ------
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
        """The model with the policy of `policy` in place of its own.

        Parameters
        ----------
        reference, weight : as in `policy`.
        by_segment : explainers of segments that have other options than this one.

        Raises
        ------
        PluginError : as of `policy`.
        UnsupportedModel : the model has segments; an explainer that gives each a policy of its own overrides this.
        """
        if isinstance(model, SegmentedModel):
            raise UnsupportedModel(
                "the explainer gives the segments of a model no policies of their own",
                where=type(self).__name__,
                got=repr(model),
                fix="give the segments' models their policies before they are combined, or use 'reason-codes'",
            )
        return replace(model, reasons=self.policy(model, reference, weight=weight))
