"""Explainers: one explanation an applicant, read from the model itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

from scrutable.errors import InputError, PluginError
from scrutable.model import DecisionModel, Model, ReasonPolicy, SegmentedModel
from scrutable.model.segmented.coding import agreeing
from scrutable.model.segmented.routing import in_segment, parts
from scrutable.model.segments import SingleModel
from scrutable.plugins.bases.answers import policy_by
from scrutable.plugins.bases.capable import REASONS, producers
from scrutable.plugins.bases.explanation import Agreement, Summary
from scrutable.plugins.bases.where_rows_live import Needs


class Explainer(ABC):
    """Explains decisions of a model. Options are the constructor's keyword arguments.

    Explanations have `approved`, `describe()` and `to_dict()`, which the command line shows, and may have `plot()`. An
    explainer that takes its time has an `explain_each` of its own.
    """

    #: Whether `explain` takes a `Table` of columns as it takes a frame, so that no frame is made for it.
    takes_columns: ClassVar[bool] = False
    #: What `policy` asks of the rows that a model is learned from; unless it is "rows", a learner hands them over as
    #: `scrutable.data.LabelledRows`, wherever they live.
    needs: ClassVar[Needs] = "rows"
    #: Methods that its reason policies name, if it takes policies anew.
    methods: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def explain(self, model: Model, X: Any, *, reference: Any = None) -> list[Any]:
        """One typed explanation for each of n rows.

        Parameters
        ----------
        model : the model that decided.
        X : the applicants, n rows.
        reference : the population that explanations compare with, where the method needs one.
        """

    def explain_each(self, model: Model, X: Any, *, reference: Any = None) -> Iterator[Any]:
        """The explanations of `explain`, one after another."""
        return iter(self.explain(model, X, reference=reference))

    def summarise(self, explanations: Sequence[Any], groups: Any = None) -> Summary:
        """What explanations have in common, over all applicants and in each protected group.

        Parameters
        ----------
        explanations : n of them, as `explain` gives them.
        groups : protected attributes of the same rows, a frame or `Groups`.

        Raises
        ------
        PluginError : the explainer sums nothing up.
        """
        raise self._cannot("sums nothing up")

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
        raise PluginError(
            "the explainer gives no reason codes",
            where=type(self).__name__,
            fix=f"use {' or '.join(map(repr, producers('explainer', REASONS)))}",
        )

    @classmethod
    def like(cls, policy: ReasonPolicy, model: SingleModel, *, population: str) -> Self:
        """The explainer with the options that make a policy of one of its `methods` as it is, for other baselines.

        Parameters
        ----------
        model : whose policy it is to be.
        population : the reference that baselines are to be taken from, in words.

        Raises
        ------
        PluginError : the explainer takes no policies anew.
        """
        raise PluginError("the explainer takes no policies anew", where=cls.__name__)

    def with_words(self, model: Model, *, by_segment: Mapping[str, Any] | None = None) -> DecisionModel:
        """The model with its own policy, or those of its segments, in the words that the options of this explainer say.

        Raises
        ------
        PluginError : the explainer has no words for policies.
        """
        raise self._cannot("has no words for policies")

    def compare(self, model: Model, X: Any, *, reference: Any, weight: Any = None) -> Sequence[Agreement]:
        """Every method of choosing reasons beside the model's own policy, on the declined among n applicants.

        Raises
        ------
        PluginError : the explainer compares no methods.
        """
        raise self._cannot("compares no methods")

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
        for segment, rows, weights in parts(model, reference, weight):
            with in_segment(segment):
                if rows is not None and not rows.n_rows:
                    raise InputError(
                        "nobody to take baselines from", where="reference", fix="name some of its applicants"
                    )
                policy = policy_by((by_segment or {}).get(segment.name, self), segment.model, rows, weight=weights)
            models[segment.name] = replace(segment.model, reasons=policy)
        agreed = agreeing(models)
        return replace(model, segments=tuple(replace(each, model=agreed[each.name]) for each in model.segments))

    def _cannot(self, what: str) -> PluginError:
        return PluginError(f"the explainer {what}", where=type(self).__name__)
