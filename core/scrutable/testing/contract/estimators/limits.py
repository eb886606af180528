"""Checks of binners' limits and trends on data with gaps, and of trends that rows follow: limits are about all rows."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from scrutable.binning.tables import BinTable
from scrutable.model import Categories, Interval, Otherwise
from scrutable.testing.contract.check import deciding, enforcing, require
from scrutable.testing.contract.examples.data import TrainingSample, fit
from scrutable.testing.contract.examples.known_payers import EACH, LABELS, X, sample_of
from scrutable.testing.contract.subject import Subject

_ROWS = 1200
_CODE = -9.0
_VALUES = [1.0, 2.0, 3.0, 4.0, 5.0]
#: Rows of each pair of values.
_TIMES = 18
_TRENDS = ("ascending", "descending")


@deciding(
    "binner",
    of=enforcing("min-share", "max-bins"),
    hint="measure shares by Sample.total, the weight of all rows, and that of attributes of texts, too",
)
def limits_hold_among_all_rows(subject: Subject) -> None:
    """Least shares, of texts as well, are of all rows, missing and special ones too; limits are kept by weight."""
    for sample, weight in _with_gaps(subject):
        total = _ROWS if weight is None else weight.sum()
        if "min-share" in subject.component.enforces:
            for least in (0.02, 0.1, 0.2):
                for name, shares in _shares(subject, sample, weight, total, min_share=least):
                    few = min(shares)
                    fault = f"with min_share={least:g} a bin of {name!r} has a smaller share of all rows"
                    require(len(shares) == 1 or few >= least - 1e-9, fault, got=few)
        if "max-bins" in subject.component.enforces:
            for most in (1, 3, 5):
                shares = dict(_shares(subject, sample, weight, total, max_bins=most))[X]
                require(len(shares) <= most, f"a number has more bins than max_bins={most}", got=len(shares))


@deciding("binner", of=enforcing("trend"), hint="pool by Sample.trend, which is about the good rate")
def trends_leave_the_bins_that_follow_them(subject: Subject) -> None:
    """Trends that rows follow cost no bins, whichever class is favourable; against the rows no cut is left."""
    up, down = (list(each) for each in zip(*itertools.product(_VALUES, _VALUES), strict=True))
    columns = {"up": up * _TIMES, "down": down * _TIMES}
    share = (np.array(columns["up"]) - np.array(columns["down"]) + 4.5) / 9
    rows = sample_of(subject, columns, np.repeat(np.arange(_TIMES) + 0.5, len(up)) / _TIMES < share)
    for favourable in LABELS:
        along = dict(zip(columns, _TRENDS if favourable == LABELS[1] else _TRENDS[::-1], strict=True))
        against = dict(zip(columns, reversed(along.values()), strict=True))
        free, kept, turned = (
            fit(subject.make(favourable=favourable, trends=each), rows).binning_ for each in (None, along, against)
        )
        for name, trend in along.items():
            told = f"the trend {trend!r}, which the rows follow where {favourable!r} is favourable,"
            require(len(_counts(kept[name])) == len(_counts(free[name])), f"{told} costs bins", got=_counts(kept[name]))
            steps = np.diff([each.woe for each in _seen(kept[name])]) * (1 if trend == "ascending" else -1)
            require((steps > 0).all(), f"{told} is not what weights of evidence do", got=steps)
            left = len(_counts(turned[name]))
            require(left == 1, f"the trend {against[name]!r}, which no bins follow, leaves bins", got=left)


@deciding(
    "binner",
    of=enforcing("min-share"),
    hint="let a share above half of the ordinary rows leave one bin, whatever a library makes of it",
)
def few_ordinary_rows_leave_one_bin(subject: Subject) -> None:
    """Where half of the rows lack a value, no least share above a quarter of them leaves two bins, of texts neither."""
    for pair in ([1.0, 2.0], ["a", "b"]):
        good = [place < share * EACH for place in range(EACH) for share in (0.1, 0.9, 0.5, 0.5)]
        sample = sample_of(subject, {X: [*pair, None, None] * EACH}, good)
        for least in (0.26, 0.4):
            [(_, shares)] = _shares(subject, sample, None, 4 * EACH, min_share=least)
            require(
                len(shares) == 1, f"with min_share={least:g} there are bins of a smaller share of all rows", got=shares
            )


def _with_gaps(subject: Subject) -> Iterator[tuple[TrainingSample, Any]]:
    """Rows of which half lack a number and a fifth has a code, beside texts of which many are rare; then weighted."""
    chance = np.random.default_rng(5)
    number = chance.uniform(0, 10, _ROWS).round(2)
    kind = chance.permutation(_ROWS) % 10
    text = np.array(list("abcdefghij"), dtype=object)[np.minimum(chance.geometric(0.3, _ROWS), 10) - 1]
    good = chance.uniform(size=_ROWS) < 0.1 + 0.05 * number + 0.3 * np.isin(text, list("aceg"))
    numbers = [None if each < 5 else _CODE if each < 7 else value for each, value in zip(kind, number, strict=True)]
    texts = [None if each in (1, 3, 8) else value for each, value in zip(kind, text, strict=True)]
    sample = sample_of(subject, {X: numbers, "text": texts}, good)
    yield sample, None
    yield sample, np.where(number > 5, 3.0, 0.5)
    place = np.arange(_ROWS) % 100  # most values are all good or all bad, and a few rows lie between
    pure = np.where(place < 49, 1.0, np.where(place < 98, 3.0, 2.0))
    named = np.array(["good", "mixed", "bad"], dtype=object)[pure.astype(int) - 1]
    yield sample_of(subject, {X: pure.tolist(), "text": named.tolist()}, (place < 49) | (place == 98)), None


def _shares(
    subject: Subject, sample: TrainingSample, weight: Any, total: float, **options: Any
) -> Iterator[tuple[str, list[float]]]:
    """Shares of all rows in the attributes of ordinary values, by feature."""
    codes = {X: [_CODE]} if (sample.X[X] == _CODE).any() else None
    binner = fit(subject.make(special_codes=codes, **options), sample, sample_weight=weight)
    for table in binner.binning_.tables:
        yield table.feature.name, [each / total for each in _counts(table)]


def _counts(table: BinTable) -> list[float]:
    return [each.count for each in _seen(table)]


def _seen(table: BinTable) -> list[Any]:
    """Statistics of attributes of ordinary values that somebody has."""
    pairs = zip(table.conditions, table.statistics, strict=True)
    return [
        each for condition, each in pairs if isinstance(condition, Interval | Categories | Otherwise) and each.count
    ]
