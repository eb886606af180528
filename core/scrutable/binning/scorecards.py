"""From a binning and a value for every attribute to a scorecard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from scrutable.binning.counting import counted_table
from scrutable.binning.mean_binning import MeanTable
from scrutable.binning.tables import AttributeTable, BinTable
from scrutable.data.training import QuantityData
from scrutable.data.training_rows import LabelledRows
from scrutable.data.values import rounded
from scrutable.errors import InputError
from scrutable.model import (
    LIMIT,
    Attribute,
    Characteristic,
    Outcome,
    Quantity,
    RegressionScorecard,
    Scaling,
    Scorecard,
)

C = TypeVar("C", Scorecard, RegressionScorecard)

#: A quantity that varies less than this would be rounded away where points are multiples of 2^-30, about 1e-9.
_LEAST_SPREAD = 1e-5


def build_scorecard(
    outcome: Outcome,
    tables: Sequence[BinTable],
    intercept: float,
    values: Sequence[NDArray[np.float64]],
    scaling: Scaling,
) -> Scorecard:
    """A scorecard whose cutoff lies at even odds; `fit` of a learner moves it to where it is to decide.

    Parameters
    ----------
    intercept : log-odds of the favourable class where every value is 0.
    values : per table, (attributes,) log-odds of each attribute.
    """
    return Scorecard(
        outcome=outcome,
        features=tuple(table.feature for table in tables),
        characteristics=_characteristics(tables, values, scaling.points),
        base_points=scaling.round(scaling.offset + scaling.factor * intercept),
        cutoff=scaling.offset,
        calibration=scaling.calibration,
        scaling=scaling,
    )


def build_regression_scorecard(
    quantity: Quantity,
    tables: Sequence[MeanTable],
    intercept: float,
    values: Sequence[NDArray[np.float64]],
    decimals: int | None,
) -> RegressionScorecard:
    """A scorecard that predicts a quantity.

    Parameters
    ----------
    intercept : prediction where every value is 0.
    values : per table, (attributes,) what each attribute adds to the prediction.
    decimals : of the points; None for all of them.
    """
    return RegressionScorecard(
        outcome=quantity,
        features=tuple(table.feature for table in tables),
        characteristics=_characteristics(tables, values, lambda value: rounded(value, decimals)),
        base_points=rounded(intercept, decimals),
    )


def refuse_unit(data: QuantityData) -> None:
    """Refuse a quantity in a unit in which no points could hold its predictions.

    Raises
    ------
    InputError : it is too large, or varies too little.

    Examples
    --------
    >>> from scrutable.data.training import read_quantity_training
    >>> refuse_unit(read_quantity_training({"ltv": [0.5, 0.9]}, [1e7, 2e7]))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    scrutable.errors.InputError: y: the target is too large for points that add up exactly; got ...
    """
    values = data.values[data.weight > 0]
    largest, spread = float(np.abs(values).max()), float(np.ptp(values))
    if largest > LIMIT / 2:
        raise InputError(
            "the target is too large for points that add up exactly",
            where="y",
            got=largest,
            allowed=f"at most {LIMIT / 2:.0f}",
            fix="measure it in a larger unit, for example thousands",
        )
    if 0 < spread < _LEAST_SPREAD:
        raise InputError(
            "the target varies too little for points, which are multiples of 2^-30",
            where="y",
            got=spread,
            allowed=f"a range of at least {_LEAST_SPREAD:g}",
            fix="measure it in a smaller unit",
        )


def with_statistics(model: Scorecard, data: LabelledRows) -> Scorecard:
    """The model whose attributes say how many good and bad training rows they hold."""
    features = {feature.name: feature for feature in model.features}
    characteristics = []
    for each in model.characteristics:
        conditions = tuple(attribute.condition for attribute in each.attributes)
        counted = counted_table(features[each.feature], conditions, data)
        pairs = zip(each.attributes, counted.statistics, strict=True)
        attributes = tuple(replace(attribute, statistics=statistics) for attribute, statistics in pairs)
        characteristics.append(replace(each, attributes=attributes))
    return replace(model, characteristics=tuple(characteristics))


def without_constants(model: C) -> tuple[C, tuple[str, ...]]:
    """The scorecard without characteristics that give everybody the same points, and the names of these.

    Their points go to the base points, so that every score stays what it is, to the last bit. The features that
    interactions and the policy read stay.

    Parameters
    ----------
    model : without reasons, which belong to its characteristics.

    Examples
    --------
    >>> from scrutable.testing.cards import card
    >>> whole = replace(card(), reasons=None)
    >>> amount, job = whole.characteristics
    >>> same = tuple(replace(attribute, points=4) for attribute in job.attributes)
    >>> smaller, names = without_constants(replace(whole, characteristics=(amount, replace(job, attributes=same))))
    >>> names, smaller.base_points, [feature.name for feature in smaller.features]
    (('job',), 504.0, ['amount'])
    """
    constant = {each.feature: each.points_range[0] for each in model.characteristics if each.is_constant}
    if not constant:
        return model, ()
    kept = tuple(each for each in model.characteristics if each.feature not in constant)
    read = {each.feature for each in kept} | {name for table in model.interactions for name in table.features}
    if isinstance(model, Scorecard):
        read |= model.policy.features
    smaller = replace(
        model,
        features=tuple(feature for feature in model.features if feature.name in read),
        characteristics=kept,
        base_points=model.base_points + sum(constant.values()),
    )
    return smaller, tuple(constant)


def centred(
    values: Sequence[NDArray[np.float64]], tables: Sequence[AttributeTable], intercept: float
) -> tuple[float, list[NDArray[np.float64]]]:
    """Shift log-odds so that every characteristic is worth 0 on average, and attributes never seen are worth 0.

    So an attribute nobody had in training is neutral: it neither gains nor costs points. Intervals under a trend
    keep their place in it instead, and attributes under a policy the value that it says.
    """
    moved = []
    for own, table in zip(values, tables, strict=True):
        count = table.counts_seen
        mean = float(own @ count / count.sum())
        kept = count > 0
        if table.trend:
            kept[table.ordered] = True
        kept[[policy.position for policy in table.policies]] = True
        moved.append(np.where(kept, own - mean, 0.0))
        intercept += mean
    return intercept, moved


def _characteristics(
    tables: Sequence[AttributeTable], values: Sequence[NDArray[np.float64]], points: Callable[[float], float]
) -> tuple[Characteristic, ...]:
    return tuple(
        Characteristic(
            feature=table.feature.name,
            attributes=tuple(
                Attribute(condition=condition, points=points(value), statistics=statistics)
                for condition, statistics, value in zip(table.conditions, table.statistics, own.tolist(), strict=True)
            ),
        )
        for table, own in ((table, table.pools.alike(each)) for table, each in zip(tables, values, strict=True))
    )
