"""Options by column: trends, cuts and merges name columns that exist and are of the right kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from scrutable.binning.tables import BentTrend, Trend
from scrutable.binning.trend_words import trend_meant
from scrutable.data.training import is_nominal
from scrutable.data.training_rows import TrainingRows
from scrutable.errors import InputError, did_you_mean
from scrutable.errors.checks import check_mapping

_EXAMPLES = {
    "trends": "{'age': 'ascending'}",
    "cuts": "{'age': [25, 40]}",
    "merges": "{'region': [['north', 'west'], ['south']]}",
}

#: How points may move as the value of a numeric feature rises, by feature.
Trends = Mapping[str, Trend]
#: What a learner may keep that fits the points of all attributes itself.
BentTrends = Mapping[str, BentTrend]


def check_trends(trends: BentTrends, data: TrainingRows, categorical: Iterable[str], *, bent: bool = False) -> None:
    """Refuse trends of columns that do not exist or have no order, and trends that are none.

    Parameters
    ----------
    bent : whether convex and concave are trends, too.
    """
    check_columns("trends", trends, data, categorical, nominal=False)
    known = get_args(BentTrend if bent else Trend)
    for name, trend in trends.items():
        if trend not in known:
            where = f"trends, column {name!r}"
            allowed = " or ".join(map(repr, known))
            raise InputError("unknown trend", where=where, got=trend, allowed=allowed, fix=trend_meant(trend, known))


def check_columns(
    option: str, named: Mapping[str, Any], data: TrainingRows, categorical: Iterable[str], *, nominal: bool
) -> None:
    """Refuse an option that is no mapping, or names a column that does not exist or is of the other kind."""
    check_mapping(named, option, _EXAMPLES[option])
    known = {feature.name: feature for feature in data.features}
    for name in named:
        if name not in known:
            raise InputError("unknown column", where=option, got=name, fix=did_you_mean(name, known))
        if is_nominal(known[name], data.columns[name], categorical) != nominal:
            raise InputError(
                f"the column is {'numeric' if nominal else 'categorical'}",
                where=option,
                got=name,
                fix="use cuts and trends for numbers, merges for categories",
            )
