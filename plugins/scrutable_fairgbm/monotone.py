"""Trends as the boosters take them: a direction for each column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scrutable.binning import Trends, check_trends
from scrutable.data import TrainingData
from scrutable.errors import InputError
from scrutable_fairgbm.handover.inputs import BoosterColumn

_DIRECTIONS = {"ascending": 1, "descending": -1}


def directions_of(
    trends: Trends, data: TrainingData, categorical: Iterable[str], columns: Sequence[BoosterColumn]
) -> tuple[int, ...]:
    """1, -1 or 0 of each column: whether scores may fall, rise, or both, as its numbers rise.

    Raises
    ------
    InputError : trends of columns that have no order; or that have special codes, which a booster takes for the
        numbers that they are, so that the trend would bind them, too.
    """
    check_trends(trends, data, categorical)
    for feature in data.features:
        if feature.name in trends and feature.special_codes:
            raise InputError(
                "boosters order special codes among the numbers, so a trend would bind them, too",
                where=f"trends, column {feature.name!r}",
                got=f"the special codes {', '.join(map(repr, feature.special_codes))}",
                fix="make them missing values, leave the trend out, or use the learner 'scorecard' or 'lda-xgb1'",
            )
    return tuple(_DIRECTIONS.get(trends.get(each.feature.name, ""), 0) for each in columns)
