"""Explainers: one explanation an applicant, read from the model itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from scrutable.errors import PluginError
from scrutable.model import Model, ReasonPolicy


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
