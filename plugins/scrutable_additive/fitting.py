"""A card of a problem: screened, fitted, merged along a path, chosen, rounded and told of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from scrutable import registry
from scrutable.binning import Trends
from scrutable.data import SpecialCodes, TrainingRows
from scrutable.errors import InputError, did_you_mean
from scrutable.plugins.bases import Binner
from scrutable_additive.attributes import Attributes
from scrutable_additive.choice import Choice
from scrutable_additive.copies import without_copies
from scrutable_additive.dense import levelled
from scrutable_additive.intervals import intervals
from scrutable_additive.levels import Levels
from scrutable_additive.metric import Metric
from scrutable_additive.path import path_from
from scrutable_additive.problem import Problem
from scrutable_additive.scale import Scale
from scrutable_additive.screening import ABOUT_CHANCE, screened
from scrutable_additive.shapes import shaped
from scrutable_additive.steps import first_steps
from scrutable_additive.story import rounding, told
from scrutable_additive.whole import Whole


class Options(Protocol):
    """What learners of additive cards have in common; see `AdditiveClassifier`."""

    keep: float
    max_steps: int | None
    max_characteristics: int | None
    shape: Literal["auto", "free"]
    trends: Trends | None
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
    card : its attributes, in the order of the features.
    base : score where all values are 0.
    whole : its points, where these are rounded.
    story : the entry of the evidence, plain values.
    """

    card: Attributes
    base: float
    whole: Whole | None
    story: dict[str, Any]


def fitted(
    problem: Problem, options: Options, scale: Scale, names: Sequence[str], *, least: float = ABOUT_CHANCE
) -> Fitted:
    """The card of a problem.

    Parameters
    ----------
    names : of the features, in their order.
    least : what each parameter of a feature has to gain, as in `screened`.
    """
    with threadpool_limits(limits=1, user_api="blas"):
        problem, copies = without_copies(problem)
        problem, dense, left_out = screened(problem, least)
        metric = Metric.at(dense, problem.rows)
        layouts, shapes = shaped(metric, problem.layouts, free=options.shape == "free")
        choice = Choice(options.keep, options.max_steps, options.max_characteristics)
        first = first_steps(metric, layouts, choice.loss(metric))
        path = path_from(first, metric, layouts, options.min_count)
        chosen = choice.card(path)
        levels = Levels.of(path, chosen, layouts)
        whole = scale.whole(levels)
        card = _card(problem, levels, whole, from_zero=scale.from_zero)
        base = _base(problem, card, metric)
        story = told(problem, dense, path, chosen, shapes, left_out, copies)
        story["intervals"] = intervals(levels, layouts, card, scale.factor(whole))
        if whole is not None:
            story["rounding"] = rounding(problem, card, base, whole, metric.total) | {"point": scale.worth(whole)}
    return Fitted(card.in_order(names), base, whole, story)


def fine_binner(options: Options) -> Binner:
    """The binner of the fine bins, told what the learner is told."""
    chosen = options.binner
    own: Binner = clone(chosen) if isinstance(chosen, Binner) else registry().create("binner", chosen)
    asked = {"trends": options.trends, "special_codes": options.special_codes, "categorical": options.categorical}
    own.set_params(**{name: option for name, option in asked.items() if option is not None and len(option)})
    return own


def refuse_unknown_must(must: Sequence[str], data: TrainingRows) -> None:
    """Refuse names of features that have to stay on the card where there are none of these.

    Raises
    ------
    InputError : names the feature.
    """
    known = [feature.name for feature in data.features]
    for name in must:
        if name not in known:
            raise InputError("unknown column", where="must", got=name, fix=did_you_mean(name, known))


def _card(problem: Problem, levels: Levels, whole: Whole | None, *, from_zero: bool) -> Attributes:
    """The attributes, with values that are multiples of a point's where points are whole."""
    values = levels.values if whole is None else whole.values(levels)
    card = Attributes.of(problem, np.append(values, 0.0)[levels.of_bin])
    return card if whole is None else card.in_multiples(whole.worth, from_zero=from_zero)


def _base(problem: Problem, card: Attributes, metric: Metric) -> float:
    """The score where all values are 0, with which the rows as they are have what is expected of them."""
    values = card.by_bin()
    averages = [np.average(values[each.bins], weights=metric.weight[each.bins]) for each in problem.layouts]
    return levelled(problem.as_they_are, values, metric.intercept - float(sum(averages)))
