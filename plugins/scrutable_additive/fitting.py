"""A card of a problem: screened, fitted, merged along a path, chosen, rounded and told of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, Protocol, get_args

import numpy as np
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from scrutable import registry
from scrutable.binning import BentTrends, Trend
from scrutable.data import SpecialCodes, TrainingRows
from scrutable.errors import InputError, did_you_mean
from scrutable.model import POINT_INTERVALS, FrozenMapping, Json, PointIntervals, RegressionScorecard, Scorecard, freeze
from scrutable.plugins import CARD_PATH
from scrutable.plugins.bases import Binner
from scrutable_additive.asked_pairs import NO_PAIRS, AskedPairs
from scrutable_additive.attributes import Attributes
from scrutable_additive.choice import Choice
from scrutable_additive.copies import without_copies
from scrutable_additive.intervals import intervals
from scrutable_additive.levels import Levels
from scrutable_additive.nested import nested
from scrutable_additive.pairing import paired
from scrutable_additive.problem import Problem
from scrutable_additive.proof import prove_trends
from scrutable_additive.scale import Scale
from scrutable_additive.screening import ABOUT_CHANCE, price_of, screened
from scrutable_additive.solution import Solution
from scrutable_additive.story import about_pairs, rounding, told
from scrutable_additive.turning import shapes_told
from scrutable_additive.whole import Whole


class Options(Protocol):
    """What learners of additive cards have in common; see `AdditiveClassifier`."""

    keep: float
    steps: int | None
    max_steps: int | None
    max_characteristics: int | None
    shape: Literal["auto", "free"]
    trends: BentTrends | None
    must: Sequence[str]
    min_count: float
    binner: str | Binner
    special_codes: SpecialCodes | None
    categorical: Sequence[str]


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A card, and what the evidence tells of it.

    Parameters
    ----------
    solution : what the card was made of.
    card : its attributes, in the order of the features.
    base : score where all values are 0.
    whole : its points in the smallest differences that there are.
    sides : by feature, the 95 % interval of the points of each attribute.
    story : the entry of the evidence, plain values.
    """

    solution: Solution
    card: Attributes
    base: float
    whole: Whole
    sides: dict[str, list[list[float] | None]]
    story: dict[str, Any]

    @property
    def audit(self) -> tuple[Any, ...]:
        """What the user's cuts, merges and edits did to the pre-bins."""
        return self.solution.problem.audit

    def entries(self, model: Scorecard | RegressionScorecard, learner: str) -> FrozenMapping[Json]:
        """The metrics of the evidence of a model that has the points of the card.

        Parameters
        ----------
        learner : the name by which the learner is created.

        Raises
        ------
        PluginError : its points do not keep a trend.
        """
        solution = self.solution
        prove_trends(model, {each.feature.name: each.trend for each in self.card.tables if each.trend})
        sure = PointIntervals.about(model, self.sides)
        entries = {"additive": freeze(self.story), POINT_INTERVALS: sure.to_json()}
        if not solution.problem.pairs:  # a path of attributes has no cells
            along = nested(solution.problem, solution.path, solution.card, self.story["path"], learner)
            entries[CARD_PATH] = along.to_json()
        return FrozenMapping(entries)


def fitted(
    problem: Problem,
    options: Options,
    scale: Scale,
    names: Sequence[str],
    *,
    asked: AskedPairs = NO_PAIRS,
    least: float = ABOUT_CHANCE,
) -> Fitted:
    """The card of a problem.

    Parameters
    ----------
    names : of the features, in their order.
    asked : pairs of features that are looked at.
    least : what each parameter of a feature has to gain, as in `screened`.
    """
    by_hand = options.steps
    choice = Choice(
        scale.kept(options.keep), options.max_steps, options.max_characteristics, None if asked.most else by_hand
    )
    solved = partial(Solution.of, choice=choice, free=options.shape == "free", min_count=options.min_count)
    with threadpool_limits(limits=1, user_api="blas"):
        every, copies = without_copies(problem, asked.features, asked.standing)
        problem, dense, left_out = screened(every, asked.features, price_of(len(every.features), least))
        solution = without = solved(problem, dense)
        if asked.most:
            problem, dense, search = paired(without, asked, names, every)
            solution = solved(problem, dense) if problem.pairs else without
            solution = solution.chosen(replace(choice, steps=by_hand))
        levels, whole = scale.steps(solution, replace(choice, steps=by_hand), options.min_count)
        card = _card(problem, levels, whole, from_zero=scale.from_zero)
        base = _base(solution, card)
        story = told(solution, shapes_told(solution, card), left_out, copies, card.on_card)
        if asked.most:
            story["pairs"] = about_pairs(search, without, card)
        sides = intervals(levels, solution.layouts, card, scale.factor(whole))
        if scale.rounds:
            lost = rounding(problem, card, scale.held(base, whole), whole, solution.metric.total)
            story["rounding"] = lost | {"point": scale.worth(whole)}
    return Fitted(solution, card.in_order(names), base, whole, sides, story)


def fine_binner(options: Options) -> Binner:
    """The binner of the fine bins, told what the learner is told."""
    chosen = options.binner
    own: Binner = clone(chosen) if isinstance(chosen, Binner) else registry().create("binner", chosen)
    if options.trends:
        own.set_params(trends={name: trend for name, trend in options.trends.items() if trend in get_args(Trend)})
    asked = {"special_codes": options.special_codes, "categorical": options.categorical}
    own.set_params(**{name: option for name, option in asked.items() if option is not None and len(option)})
    return own


def refuse_unknown_must(must: Sequence[str], data: TrainingRows, pairs: Sequence[str] = ()) -> None:
    """Refuse names of what has to stay on the card where there is no such feature or pair.

    Parameters
    ----------
    pairs : names of those that are asked for.

    Raises
    ------
    InputError : says which name.
    """
    known = [*(feature.name for feature in data.features), *pairs]
    for name in must:
        if name not in known:
            raise InputError("unknown column", where="must", got=name, fix=did_you_mean(name, known))


def _card(problem: Problem, levels: Levels, whole: Whole, *, from_zero: bool) -> Attributes:
    """The attributes, with values that are multiples of a point's."""
    card = Attributes.of(problem, np.append(whole.values(levels), 0.0)[levels.of_bin])
    return card.in_multiples(whole.worth, from_zero=from_zero)


def _base(solution: Solution, card: Attributes) -> float:
    """The score where all values are 0, with which the rows as they are have what is expected of them."""
    problem, metric, values = solution.problem, solution.metric, card.by_bin()
    averages = [np.average(values[each.bins], weights=metric.weight[each.bins]) for each in problem.layouts]
    about = metric.intercept - float(sum(averages))
    return about + problem.as_they_are.levelled(values, about)
