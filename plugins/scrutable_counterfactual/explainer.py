"""Counterfactual explanations of scorecards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from scrutable.errors import InputError, UnsupportedModel
from scrutable.errors.checks import check_mapping, check_whole
from scrutable.model import Model, RegressionScorecard, Scorecard, TreeEnsemble, refuse_extras, scorecard_of
from scrutable.model.evaluator import evaluate
from scrutable.plugins.bases import Explainer
from scrutable_counterfactual.answering import Answering
from scrutable_counterfactual.checking import flag, names, number
from scrutable_counterfactual.domains import Card
from scrutable_counterfactual.explanation import Counterfactuals
from scrutable_counterfactual.goal import Wanted
from scrutable_counterfactual.joint import Diversity
from scrutable_counterfactual.measuring import TOGETHER, Anchor, Measure, Measured, Norm, Objective
from scrutable_counterfactual.reading import Applicants, actions_of
from scrutable_counterfactual.reference import Scaling
from scrutable_counterfactual.solving import Task
from scrutable_counterfactual.summary import Summary, summarise

Diverse = Literal["features", "values", "both"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterfactualExplainer(Explainer):
    """For each applicant the smallest changes of a few features that reach a wanted outcome, or a proof of none.

    Answers are exact: found by branch and bound over the attributes of the scorecard, and scored again by the
    evaluator. What the applicant cannot do is left out before the search.

    Parameters
    ----------
    wanted : the outcome: "approval", "decline", or `Wanted`, or a mapping of its parameters, such as
        {"kind": "probability", "at_least": 0.8} or {"kind": "points", "at_least": 620}.
    max_changes : features that may change at most; None for no limit.
    number : of answers.
    diverse : how several answers differ: "features" (no two change the same set of features), "values" (no two change a
        feature to the same attribute), "both".
    weights : by objective: "proximity", "closeness" (both 1 if none is given and there is a reference; without one
        proximity alone), "sparsity" (each change costs), "outcome" (distance from `near`), "feature-diversity",
        "value-diversity".
    priorities : objectives in the order in which they are minimised, instead of weights.
    tolerance : by how much of its best an objective may be worse for the sake of those after it.
    norm : of proximity, "l1", "l2" or "huber".
    scaling : what proximity divides by: the "range" of what is measured, its "mad" (median absolute deviation), "none".
    measured : what proximity measures, "points" of the characteristics or "values" of the features.
    closeness_from : what closeness measures the whitened distance from: the reference's "mean", or the "applicant".
    needed : whether answers are left out that would do without one of their changes; not where a target is aimed at.
    immutable : features that cannot change.
    actions : `Action` by feature, or its change ("up", "down", "none"), or a mapping of its parameters.
    together : pairs of features: if the first changes, the second must.
    one_of : lists of 0/1 features that stand for one choice: one of them is 1.
    seconds, nodes : what the search may take for an applicant; the best answer found and its gap come back then.

    References
    ----------
    Optimal Counterfactual Explanations for Scorecard modelling (Navas-Palencia, 2021), arXiv:2104.08619.

    Examples
    --------
    >>> import scrutable
    >>> from scrutable.data.datasets import load_german_credit
    >>> german = load_german_credit()
    >>> learner = scrutable.create("learner", "scorecard", binner="quantile").fit(german.X, german.y)
    >>> explainer = CounterfactualExplainer(max_changes=2)
    >>> [explanation] = explainer.explain(learner.model_, german.X.iloc[[1]], reference=german.X)
    >>> explanation.status, len(explanation.answers[0].changes), explanation.answers[0].approved
    ('optimal', 1, True)
    """

    wanted: Wanted | str | Mapping[str, Any] = "approval"
    max_changes: int | None = 4
    number: int = 1
    diverse: Diverse | None = None
    weights: Mapping[str, float] | None = None
    priorities: Sequence[str] = ()
    tolerance: float = 0.1
    norm: Norm = "l1"
    scaling: Scaling = "range"
    measured: Measured = "points"
    closeness_from: Anchor = "applicant"
    needed: bool = True
    immutable: Sequence[str] = ()
    actions: Mapping[str, Any] | None = None
    together: Sequence[Sequence[str]] = ()
    one_of: Sequence[Any] = ()
    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        check_whole(self.number, "number", 1)
        for name in ("max_changes", "nodes"):
            if getattr(self, name) is not None:
                check_whole(getattr(self, name), name, 1)
        if self.seconds is not None and not number(self.seconds, "seconds") > 0:
            raise InputError("expected a number above 0", where="seconds", got=self.seconds)
        if self.diverse is not None and self.diverse not in get_args(Diverse):
            allowed = f"{', '.join(map(repr, get_args(Diverse)))} or None"
            raise InputError("unknown kind of difference", where="diverse", got=self.diverse, allowed=allowed)
        flag(self.needed, "needed")
        self._objective(False)
        self._measure()
        self._wanted()
        actions_of(self.immutable, self.actions or {}, self.together, self.one_of)

    def explain(self, model: Model, X: Any, *, reference: Any = None) -> list[Counterfactuals]:
        """The answers for each of n rows.

        Parameters
        ----------
        model : a scorecard, a regression scorecard, or an ensemble of stumps.
        reference : the population that closeness, spreads and nearest values are taken from; the training data, say.

        Raises
        ------
        UnsupportedModel : the model is no scorecard and no sum of stumps, or decides nothing where a decision is
            wanted.
        InputError : an option names a feature that the model does not read, or needs a reference.
        """
        return list(self.explain_each(model, X, reference=reference))

    def explain_each(self, model: Model, X: Any, *, reference: Any = None) -> Iterator[Counterfactuals]:
        """Explain each applicant in turn, as `explain` does, as soon as the answers are known."""
        card, wanted, objective = _card(model), self._wanted(), self._objective(reference is not None)
        refuse_extras(card, but=("grades",), by="the search for changes")
        if isinstance(card, RegressionScorecard) and wanted.kind != "points":
            fix = "wanted={'kind': 'points', 'at_most': ...}: the score is the value that it predicts"
            raise UnsupportedModel("a regression scorecard decides nothing", where="wanted", got=wanted.kind, fix=fix)
        if wanted.kind == "decline" and isinstance(card, Scorecard) and card.policy.knock_outs:
            fix = "ask for points: wanted={'kind': 'points', 'at_most': ...}"
            raise UnsupportedModel("a knock-out declines too, which is not searched for", where="wanted", fix=fix)
        if not card.features:
            raise UnsupportedModel("a scorecard that reads no feature says the same of everybody", where="model")
        if reference is None and "closeness" in objective.names:
            raise InputError("closeness compares with a population", where="objective", fix="give a reference")
        if "outcome" in objective.names and wanted.near is None:
            raise InputError("no outcome is aimed at", where="objective 'outcome'", fix="give wanted a value near")
        actions = actions_of(self.immutable, self.actions or {}, self.together, self.one_of)
        most = self.max_changes or len(card.features)
        applicants = Applicants(
            card,
            X,
            wanted=wanted,
            actions=actions,
            measure=self._measure(),
            max_changes=most,
            needed=self.needed,
            reference=reference,
        )
        diversity = Diversity(features=self.diverse in ("features", "both"), values=self.diverse in ("values", "both"))
        task = Task(objective=objective, number=self.number, diversity=diversity)
        return Answering(applicants, evaluate(card, X), task, self.seconds, self.nodes).explanations()

    def summarise(self, explanations: Sequence[Counterfactuals], groups: Any = None) -> Summary:
        """What would have to change over all applicants without the wanted outcome, and in each protected group.

        Parameters
        ----------
        explanations : as `explain` gives it.
        groups : protected attributes of the same rows, a frame or `Groups`.
        """
        return summarise(explanations, groups)

    def _objective(self, has_reference: bool) -> Objective:
        check_mapping(self.weights or {}, "weights", "{'proximity': 1}")
        weights = dict(self.weights or {})
        if not self.priorities and not set(weights) - set(TOGETHER):
            weights = {"proximity": 1.0, **({"closeness": 1.0} if has_reference else {}), **weights}
            if self._wanted().near is not None:
                weights["outcome"] = 1.0
        return Objective(weights=weights, priorities=names(self.priorities, "priorities"), tolerance=self.tolerance)

    def _measure(self) -> Measure:
        return Measure(norm=self.norm, scaling=self.scaling, measured=self.measured, closeness_from=self.closeness_from)

    def _wanted(self) -> Wanted:
        return Wanted.of(self.wanted)


def _card(model: Model) -> Card:
    if isinstance(model, Scorecard | RegressionScorecard):
        return model
    if isinstance(model, TreeEnsemble):
        return _sum_of_stumps(model)
    raise UnsupportedModel(
        "counterfactuals need a scorecard",
        where="counterfactual",
        got=type(model).__name__,
        allowed="a scorecard, a regression scorecard, an ensemble of trees that ask for one feature each",
    )


def _sum_of_stumps(model: TreeEnsemble) -> Scorecard:
    try:
        return scorecard_of(model)
    except InputError as error:
        raise UnsupportedModel(error.what, where=error.where, allowed=error.allowed, fix=error.fix) from error
