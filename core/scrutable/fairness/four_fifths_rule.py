"""The four-fifths ratio: the lowest approval rate among groups divided by the highest.

The four-fifths rule is a guideline of employment law (29 CFR 1607.4(D)), not of lending law: "A selection rate for any
race, sex, or ethnic group which is less than four-fifths (4/5) (or eighty percent) of the rate for the group with the
highest rate will generally be regarded by the Federal enforcement agencies as evidence of adverse impact". It divides
by the highest rate, where the adverse impact ratio divides by that of a reference which somebody has chosen.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import numpy as np

from scrutable.data.array_checks import Floats, favourable
from scrutable.data.attribute import ProtectedAttribute
from scrutable.data.groups import Groups
from scrutable.data.sample_weights import weights
from scrutable.data.sizes import MIN_GROUP_SIZE, is_small
from scrutable.fairness.rates import cell_rates, group_cells
from scrutable.fairness.results import FourFifths
from scrutable.measures.comparing import effective_sizes
from scrutable.measures.resampling import Interval, percentile_interval


def four_fifths_ratios(
    decision: Any, groups: Groups, *, sample_weight: Any = None, min_group_size: float = MIN_GROUP_SIZE
) -> tuple[FourFifths, ...]:
    """The ratio of each protected attribute, without intervals; an intersection is an attribute like any other.

    Parameters
    ----------
    decision : (n,) booleans, True where the decision is favourable.
    groups : protected groups of the same n rows; membership probabilities count as weights.
    sample_weight : (n,) weights; None means 1 each.
    min_group_size : groups of fewer effective rows are not compared: among few, the lowest and the highest rate are
        those of chance.

    Raises
    ------
    InputError : lengths that differ, or negative weights.
    KindError : decisions that are not booleans.

    Examples
    --------
    >>> groups = Groups.from_frame({"race": ["a"] * 100 + ["b"] * 50 + ["c"] * 50})
    >>> approved = [True] * 60 + [False] * 40 + [True] * 36 + [False] * 14 + [True] * 27 + [False] * 23
    >>> [found] = four_fifths_ratios(approved, groups)
    >>> round(found.ratio, 9), found.title, groups["race"].reference
    (0.75, 'race: c / b', 'a')
    """
    Groups.check(groups)
    approved = favourable(decision, "decision", groups.rows)
    weight = weights(sample_weight, groups.rows)
    return tuple(
        four_fifths(
            attribute,
            cell_rates(group_cells(approved, approved, attribute, weight))["approval_rate"],
            effective_sizes(attribute, weight),
            min_group_size=min_group_size,
        )
        for attribute in groups.attributes
    )


def four_fifths(
    attribute: ProtectedAttribute,
    rates: Floats,
    sizes: Floats,
    *,
    drawn: Floats | None = None,
    confidence: float = 0.95,
    min_group_size: float = MIN_GROUP_SIZE,
    among: Collection[str] | None = None,
) -> FourFifths:
    """The ratio of one attribute.

    Which group is lowest and which is highest is chosen by the data, so each draw chooses anew: the low end of the
    interval is the percentile of that figure. Noise can only lower it, so the high end is that of the two groups that
    were chosen, where it lies higher, and at most 1.

    Parameters
    ----------
    rates, sizes : (g,) approval rate and effective rows of each group.
    drawn : (n_boot, g) replicates of the rates; without them there is no interval.
    confidence : share of the replicates that the interval covers.
    among : the groups that are looked at; all where None.
    """
    known = [label for label in attribute.known if among is None or label in among]
    small = {label: is_small(size, min_group_size) for label, size in zip(attribute.labels, sizes, strict=True)}
    places = [place for place, label in enumerate(attribute.labels) if label in known and not small[label]]
    told: dict[str, Any] = {
        "attribute": attribute.name,
        "groups": tuple(attribute.labels[place] for place in places),
        "too_small": tuple(label for label in known if small[label]),
        "min_group_size": min_group_size,
    }
    if len(places) < 2 or not rates[places].max() > 0:
        return FourFifths(ratio=math.nan, **told)
    lowest = min(places, key=lambda place: rates[place])
    highest = max(reversed(places), key=lambda place: rates[place])
    ratio = float(rates[lowest] / rates[highest])
    chosen = [places.index(lowest), places.index(highest)]
    few = any(is_small(sizes[place]) for place in places)
    return FourFifths(
        ratio=ratio,
        interval=(math.nan, math.nan)
        if drawn is None or few
        else _interval(drawn[:, places], chosen, ratio, confidence),
        lowest=attribute.labels[lowest],
        highest=attribute.labels[highest],
        **told,
    )


def _interval(drawn: Floats, chosen: list[int], ratio: float, confidence: float) -> Interval:
    """Of replicates (n_boot, groups compared); `chosen` are the places of the lowest and the highest of the data."""
    lowest, highest = chosen
    anew = drawn.min(axis=1) / drawn.max(axis=1)
    low, high = percentile_interval(np.column_stack([anew, drawn[:, lowest] / drawn[:, highest]]), confidence)
    return min(float(low[0]), ratio), max(float(high[0]), min(float(high[1]), 1.0), ratio)
