"""Average points of each characteristic over applicants, the same in whatever order they come."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from scrutable.data import LabelledRows, exact_sum
from scrutable.data.frames import Table
from scrutable.model import Feature, Interaction, Scorecard
from scrutable.model.evaluator import evaluate

Floats = NDArray[np.float64]


def averages_of_counts(card: Scorecard, rows: LabelledRows) -> dict[str, float]:
    """By characteristic and interaction, the average of the points that training rows have of it, by weight.

    Points of attributes are weighed with the rows that have them, and those of interactions with the rows that have
    both attributes; no row is looked at by itself.
    """
    from scrutable.binning import AttributeCoding, summed  # which explaining needs not

    features = {feature.name: feature for feature in card.features}
    weighed = {}
    for each in card.characteristics:
        conditions = tuple(own.condition for own in each.attributes)
        coding = AttributeCoding.of(features[each.feature], conditions)
        counts = rows.counts_between(coding.feature, coding.ends)
        outcomes = summed(coding.codes(counts.column), counts.outcomes, coding.size)
        weighed[each.feature] = np.array([own.points for own in each.attributes]) * outcomes.sum(axis=1)
    for name, term in card.terms.items():
        if isinstance(term, Interaction):
            weighed[name] = (np.array(term.points) * _pairs(term, features, rows)).ravel()
    return {name: exact_sum(weighed[name]) / rows.every.weight for name in card.terms}


def averages_of_rows(card: Scorecard, parts: Iterable[tuple[Table, Floats]]) -> dict[str, float]:
    """Those of any applicants.

    Parameters
    ----------
    parts : rows and their weights, some at a time.
    """
    weighed: dict[str, list[Floats]] = {name: [] for name in card.terms}
    weights = []
    for table, weight in parts:
        points = evaluate(card, table, reasons=False).points
        weights.append(weight)
        for name, own in weighed.items():
            own.append(points[name] * weight)
    total = exact_sum(np.concatenate(weights))
    return {name: exact_sum(np.concatenate(own)) / total for name, own in weighed.items()}


def _pairs(term: Interaction, features: dict[str, Feature], rows: LabelledRows) -> Floats:
    """(conditions of the one, conditions of the other) weight of the rows that satisfy both."""
    from scrutable.binning import AttributeCoding

    coded = rows.coded([AttributeCoding.of(features[axis.feature], axis.conditions) for axis in term.axes])
    sums = coded.pair_sums()
    coded.add_up([sums], lambda chunk: [chunk.weight])
    weights: Floats = sums.values[np.ix_(*(range(own.start, own.stop) for own in coded.slices))]
    return weights
