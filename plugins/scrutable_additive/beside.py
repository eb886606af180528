"""What an improved scorecard is as a whole, beside the one that it was."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import with_statistics
from scrutable.data import TrainingData
from scrutable.model import Characteristic, Interval, Scorecard, fingerprint, rounded
from scrutable_additive.families import Bernoulli
from scrutable_additive.measuring import Measure
from scrutable_additive.standing import Standing
from scrutable_additive.tallies import Rows
from scrutable_additive.turning import turns_along

Floats = NDArray[np.float64]


def levelled_card(card: Scorecard, data: TrainingData) -> Scorecard:
    """The scorecard with the base points with which its mean probability is the rows' share of good outcomes."""
    rows, values, intercept = _scored(card, data)
    lacking = rows.levelled(values, intercept) / card.calibration.slope
    decimals = None if card.scaling is None else card.scaling.decimals
    return replace(card, base_points=rounded(card.base_points + lacking, decimals))


def about_whole(before: Scorecard, whole: Scorecard, data: TrainingData, added: Collection[str]) -> dict[str, Any]:
    """The entry `improves` of what the evidence tells, plain values.

    `fingerprint` is that of the scorecard that was improved. `before` and `whole` have the steps (different points that
    somebody has), characteristics and pairs of either, and how good both are on the training rows as they stand;
    `log_loss_level` is what the log-loss before would be if base points were set anew and nothing else. `changed` are
    characteristics whose points are no more what they were, `new` those that were not on it, and `unchanged` the rest.
    `turns` has, of the numeric characteristics that it had, the directions in which the sums of the points move.

    Parameters
    ----------
    before, whole : without and with what was learned.
    added : features and pairs of which points were learned.
    """
    had = [each.feature for each in before.characteristics]
    numbers = {each.feature: turns for each in whole.characteristics if (turns := _turns(each)) is not None}
    then, now = _measure(before, data), _measure(whole, data)
    level = then.measured(then.level())["log_loss"]
    return {
        "fingerprint": fingerprint(before),
        "before": {**_size(with_statistics(before, data)), **then.measured(), "log_loss_level": level},
        "whole": {**_size(whole), **now.measured()},
        "changed": [name for name in had if name in added],
        "new": [each.feature for each in whole.characteristics if each.feature not in had and not each.is_constant],
        "unchanged": [name for name in had if name not in added],
        "turns": {name: turns for name, turns in numbers.items() if name in had},
    }


def _measure(card: Scorecard, data: TrainingData) -> Measure:
    """How good the log-odds of a scorecard are on the training rows."""
    rows, values, intercept = _scored(card, data)
    [measure] = rows.measures([(values, intercept)])
    return measure


def _scored(card: Scorecard, data: TrainingData) -> tuple[Rows, Floats, float]:
    """Training rows by what a scorecard reads, with the weights that they have, and its log-odds."""
    standing = Standing.of(card)
    return Rows(data.coded(standing.codings), standing.blocks, Bernoulli()), standing.values, standing.intercept


def _size(card: Scorecard) -> dict[str, int]:
    levels = [{a.points for a in each.attributes if _had(a.statistics)} for each in card.characteristics]
    cells = [{*table.cells} for table in card.interactions]
    return {
        "steps": sum(len(each) for each in (*levels, *cells) if len(each) > 1),
        "characteristics": sum(len(each) > 1 for each in levels),
        "pairs": sum(len(each) > 1 for each in cells),
    }


def _had(statistics: Any) -> bool:
    """Whether any row has an attribute."""
    return statistics is not None and statistics.count > 0


def _turns(characteristic: Characteristic) -> list[dict[str, Any]] | None:
    """None of categories."""
    steps = [(a.condition, a.points) for a in characteristic.attributes if isinstance(a.condition, Interval)]
    ordered = sorted(((each, points) for each, points in steps), key=lambda step: step[0].lower)
    return turns_along(ordered) if ordered else None
