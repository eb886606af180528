"""Rows of the tables that notebooks show of models: what an attribute is worth, and what is known of it."""

from __future__ import annotations

from collections.abc import Sequence

from scrutable.data.features import Feature
from scrutable.model.characteristics import Characteristic, MeanStatistics, Statistics
from scrutable.model.interactions import Interaction
from scrutable.writing.decimals import in_digits, points_in_words
from scrutable.writing.notebooks import NotebookTable


def characteristics_table(
    characteristics: Sequence[Characteristic], features: Sequence[Feature], decimals: int | None
) -> NotebookTable:
    """A row for each attribute with its points, and with share and outcome where the model says them.

    Parameters
    ----------
    decimals : those that are declared for points; None for none.
    """
    titles = {feature.name: feature.title for feature in features}
    facts = ("share", "mean") if _of_quantities(characteristics) else ("share", "bad rate", "WoE")
    rows = []
    for each in characteristics:
        for attribute, title in zip(each.attributes, each.titles, strict=True):
            points = points_in_words(attribute.points, decimals, sign=True)
            rows.append([titles[each.feature], title, points, *told(attribute.statistics, len(facts))])
    headers = ("characteristic", "attribute", "points", *facts)
    return NotebookTable(headers=headers, rows=rows, numbers=frozenset(range(2, len(headers))))


def interactions_table(
    interactions: Sequence[Interaction], features: Sequence[Feature], decimals: int | None
) -> list[NotebookTable]:
    """A row for each cell; no table where there are no interactions."""
    by_name = {feature.name: feature for feature in features}
    rows = [
        [each.title(by_name), title, points_in_words(points, decimals, sign=True)]
        for each in interactions
        for title, points in zip(each.titles, each.cells, strict=True)
    ]
    headers = ("interaction", "attributes", "points")
    return [NotebookTable(headers=headers, rows=rows, numbers=frozenset({2}))] if rows else []


def told(seen: Statistics | MeanStatistics | None, cells: int) -> list[str]:
    """Share and outcome of an attribute, in so many cells; empty where nothing is known or nobody was seen."""
    if seen is None or not seen.count:
        return [""] * cells
    if isinstance(seen, MeanStatistics):
        return [f"{seen.share:.1%}", in_digits(seen.mean, 4), *[""] * (cells - 2)]
    return [f"{seen.share:.1%}", f"{seen.bad_rate:.1%}", f"{round(seen.woe, 2) + 0.0:+.2f}"]


def _of_quantities(characteristics: Sequence[Characteristic]) -> bool:
    attributes = (attribute for each in characteristics for attribute in each.attributes)
    return any(isinstance(attribute.statistics, MeanStatistics) for attribute in attributes)
