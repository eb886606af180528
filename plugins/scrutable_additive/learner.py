"""The learner `additive`: all characteristics fitted as one problem, then merged to few steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal, get_args

import numpy as np
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from scrutable import registry
from scrutable.binning import BentTrends, Trend, build_scorecard
from scrutable.data import SpecialCodes, TrainingData, read_training
from scrutable.errors import InputError, did_you_mean
from scrutable.model import POINT_INTERVALS, Evidence, FrozenMapping, PointIntervals, Scaling, Scorecard, freeze
from scrutable.plugins import CARD_PATH, Count, Limits, NotNegative
from scrutable.plugins.bases import Binner, Explainer, Learner, estimator
from scrutable_additive.asked_pairs import AskedPairs
from scrutable_additive.attributes import Attributes
from scrutable_additive.choice import Choice
from scrutable_additive.dense import levelled
from scrutable_additive.intervals import intervals
from scrutable_additive.levels import Levels
from scrutable_additive.metric import Metric
from scrutable_additive.nested import nested
from scrutable_additive.pairing import paired
from scrutable_additive.problem import Problem
from scrutable_additive.proof import prove_trends
from scrutable_additive.scale import Scale
from scrutable_additive.screening import screened
from scrutable_additive.sentences import about_each, about_path
from scrutable_additive.solution import Solution
from scrutable_additive.story import about_pairs, rounding, told
from scrutable_additive.turning import shapes_told
from scrutable_additive.whole import Whole


@estimator
class AdditiveClassifier(Learner):
    """A scorecard of few steps that is fitted as one problem.

    First every feature has a value for each of many small bins, and all of them are fitted at once: a logistic
    regression in which values of neighbouring bins are drawn together (a random walk), and those of categories, special
    codes and missing values towards 0, as strongly as restricted maximum likelihood says (no cross-validation). Then
    two neighbouring steps are put together, again and again, those whose values differ least for what is known of them,
    and all values move to where they are then best by the curvature of the loss: a path of nested cards from many steps
    to none. One of these is the model; nothing is fitted again.

    Parameters
    ----------
    keep : share of the variance of the dense fit's scores that the card keeps at least; more with few `max_points`,
        before rounding, which puts steps together itself.
    steps : the card of so many steps, chosen by hand from the path that `keep` makes; it goes before the limits, and
        `scrutable path` shows which there are.
    max_steps, max_characteristics : most attributes with points of their own, and most characteristics; the card then
        keeps less where it has to.
    shape : "auto" makes a numeric characteristic rise or fall throughout where that loses at most a thousandth of the
        variance; "free" leaves it to the data, but for `trends`.
    trends : how points move as the value of a feature rises: "ascending", "descending", "convex", which is that what is
        gained from one step to the next never falls, "concave", that it never rises, or both, as "ascending concave".
        Intervals of the same points are one step. Those of `binner` where None or empty.
    special_codes, categorical : as in `Binner`; those of `binner` where None or empty.
    must : features that stay on the card, and pairs by name, such as "age x debts".
    pairs : most pairs of features whose cells have points of their own, looked for among the features of the card; or
        the pairs that are looked at, by the names of both. Of either only those are fitted that gain more than chance
        would give to one of so many, but those of `must`.
    min_count : least rows of a step, by weight.
    binner : what makes the fine bins, as a name or a binner. Features of which it is told cuts, groups or edits keep
        exactly these attributes.
    max_points : for a card that is added up by hand: points of every attribute are whole numbers from 0 to this, base
        points 0, and the scaling says what a point is worth. None for points by `scaling`.
    scaling : as in the learner `scorecard`. With `decimals` the points are rounded together, so that they lose least.
    cutoff, approval_rate, explainer, favourable, allow_protected : as in `Learner`.

    References
    ----------
    Wood, S., Fasiolo, M. (2017). A generalized Fellner-Schall method for smoothing parameter optimization with
    application to Tweedie location, scale and shape models. Biometrics 73(4). Equation (4).

    Examples
    --------
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(2000, seed=1)
    >>> learner = AdditiveClassifier(max_steps=30, favourable=data.favourable).fit(data.X, data.y)
    >>> learner.evidence_.metrics["additive"]["chosen"]["steps"] <= 30
    True
    """

    keep: Annotated[float, Limits(0, 1)] = 0.995
    steps: Count | None = None
    max_steps: Count | None = None
    max_characteristics: Count | None = None
    shape: Literal["auto", "free"] = "auto"
    trends: BentTrends | None = None
    must: Sequence[str] = ()
    pairs: Annotated[int, Limits(0)] | Sequence[tuple[str, str]] = 0
    min_count: NotNegative = 10
    binner: str | Binner = "fine"
    special_codes: SpecialCodes | None = None
    categorical: Sequence[str] = ()
    max_points: Count | None = None
    scaling: Scaling | Mapping[str, Any] | None = None
    cutoff: float | None = None
    approval_rate: float | None = None
    explainer: str | Explainer | None = "reason-codes"
    favourable: Any = None
    allow_protected: Sequence[str] = ()

    def read(self, X: Any, y: Any, *, sensitive_features: Any, sample_weight: Any) -> TrainingData:
        binner = self._binner()
        return read_training(
            X,
            y,
            sensitive_features=sensitive_features,
            sample_weight=sample_weight,
            special_codes=binner.special_codes,
            categorical=binner.categorical,
            favourable=binner.favourable if self.favourable is None else self.favourable,
            allow_protected=self.allow_protected,
        )

    def learn(self, data: TrainingData) -> tuple[Scorecard, Evidence]:
        asked = self._asked_pairs(data)
        self._check_must(data, asked)
        scale = Scale.of(self.scaling, self.max_points)
        choice = Choice(
            scale.kept(self.keep), self.max_steps, self.max_characteristics, None if asked.most else self.steps
        )
        solved = partial(Solution.of, choice=choice, free=self.shape == "free", min_count=self.min_count)
        with threadpool_limits(limits=1, user_api="blas"):
            problem, dense, left_out = screened(
                Problem.of(data, self._binner(), self.must, self.trends), asked.features
            )
            solution = solved(problem, dense)
            if asked.most:
                without = solution
                problem, dense, search = paired(without, asked)
                solution = solved(problem, dense) if problem.pairs else without
                solution = solution.chosen(replace(choice, steps=self.steps))
            levels = Levels.of(solution.path, solution.card)
            whole = scale.whole(levels)
            card = _card(problem, levels, whole, from_zero=scale.from_zero)
            base = _base(problem, card, solution.metric)
            scaling = scale.at(base, whole)
            shapes = shapes_told(problem, solution.path, solution.card, card, solution.shapes)
            story = told(problem, dense, solution.path, solution.card, shapes, left_out)
            if asked.most:
                story["pairs"] = about_pairs(search, without, card)
            sides = intervals(levels, solution.layouts, card, scaling.factor)
            if scale.rounds:
                story["rounding"] = rounding(problem.rows, card, base, whole, solution.metric.total)
        card = card.in_order([feature.name for feature in data.features])
        model = build_scorecard(data.outcome, card.tables, base, card.values, scaling)
        model = replace(model, interactions=card.interactions(scaling.points))
        prove_trends(model, {each.feature.name: each.trend for each in card.tables if each.trend})
        sure = PointIntervals.about(model, sides)
        entries = {"additive": freeze(story), POINT_INTERVALS: sure.to_json()}
        if not problem.pairs:  # a path of attributes has no cells
            entries[CARD_PATH] = nested(problem, solution.path, solution.card, story["path"]).to_json()
        return model, Evidence(model_sha256="", binning=card.binning.to_json(), metrics=FrozenMapping(entries))

    @classmethod
    def about_learning(cls, evidence: Evidence) -> Iterable[str]:
        return about_path(evidence)

    @classmethod
    def about_characteristics(cls, evidence: Evidence) -> Mapping[str, str]:
        return about_each(evidence)

    def versions(self) -> dict[str, str]:
        return self._binner().versions()

    def _binner(self) -> Binner:
        """The binner of the fine bins, told what this learner is told."""
        own: Binner = (
            clone(self.binner) if isinstance(self.binner, Binner) else registry().create("binner", self.binner)
        )
        straight = {name: trend for name, trend in (self.trends or {}).items() if trend in get_args(Trend)}
        own.set_params(**({"trends": straight} if self.trends else {}))
        told = {"special_codes": self.special_codes, "categorical": self.categorical}
        own.set_params(**{name: option for name, option in told.items() if option is not None and len(option)})
        return own

    def _asked_pairs(self, data: TrainingData) -> AskedPairs:
        asked = AskedPairs.of(self.pairs, self.must)
        asked.check(
            [feature.name for feature in data.features], {**(self.trends or {}), **self._binner().asked_trends()}
        )
        return asked

    def _check_must(self, data: TrainingData, asked: AskedPairs) -> None:
        known = [*(feature.name for feature in data.features), *asked.names]
        for name in self.must:
            if name not in known:
                raise InputError("unknown column", where="must", got=name, fix=did_you_mean(name, known))


def _card(problem: Problem, levels: Levels, whole: Whole, *, from_zero: bool) -> Attributes:
    """The attributes, with log-odds that are multiples of a point's."""
    card = Attributes.of(problem, np.append(whole.values(levels), 0.0)[levels.of_bin])
    return card.in_multiples(whole.worth, from_zero=from_zero)


def _base(problem: Problem, card: Attributes, metric: Metric) -> float:
    """The log-odds where all points are 0."""
    values = card.by_bin()
    averages = [np.average(values[each.bins], weights=metric.weight[each.bins]) for each in problem.layouts]
    return levelled(problem.rows, values, metric.intercept - float(sum(averages)))
