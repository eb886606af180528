"""The domain of each feature of a scorecard, cut into cells, with the points of each cell and what kind it is of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Column
from scrutable.model import (
    Attribute,
    Categories,
    Cells,
    Characteristic,
    Clause,
    Feature,
    Interval,
    Missing,
    Otherwise,
    RegressionScorecard,
    Scorecard,
    Special,
    cells_of,
)
from scrutable_counterfactual.arrays import Flags, Floats, Positions

#: A scorecard whose answers can be searched for.
Card = Scorecard | RegressionScorecard


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Domain:
    """One feature's cells.

    Parameters
    ----------
    cells : as cut for the model; 0 is missing.
    points : (cells,) zero for a feature that only knock-outs read.
    special, ordinary : (cells,) the special codes; the cells that are neither those nor missing nor values that
        training never saw.
    meaning : (cells,) equal where two cells have one attribute and meet the same clauses of knock-outs.
    worth : (cells,) equal where two cells have the same points and meet the same clauses, so that nothing in the model
        tells them apart.
    texts : (cells,) the texts of each, in the model's order.
    turns : what points do as the number rises, where they neither rise nor fall throughout.
    open : whether texts that the model does not name are ordinary too, since no attribute says what they are.
    """

    feature: Feature
    cells: Cells
    points: Floats
    special: Flags
    ordinary: Flags
    meaning: Positions
    worth: Positions
    texts: tuple[tuple[str, ...], ...]
    turns: str | None
    open: bool

    def locate(self, column: Column) -> Positions:
        """(n,) cell of each value."""
        return self.cells.locate(column)


def domains_of(card: Card) -> tuple[Domain, ...]:
    """The domain of each feature, characteristics first."""
    clauses = knock_out_clauses(card)
    scored = {item.feature for item in card.characteristics}
    items = [*card.characteristics, *(_unscored(feature) for feature in card.features if feature.name not in scored)]
    cells = cells_of(card.features, items, clauses)
    features = {feature.name: feature for feature in card.features}
    return tuple(_domain(item, features[item.feature], cells[item.feature], clauses) for item in items)


def _unscored(feature: Feature) -> Characteristic:
    """What only knock-outs read, as a characteristic without points that tells values, codes and missing apart."""
    ordinary = Interval() if feature.kind == "numeric" else Otherwise()
    conditions = (ordinary, *(Special((code,)) for code in feature.special_codes), Missing())
    attributes = tuple(Attribute(condition=condition, points=0) for condition in conditions)
    return Characteristic(feature=feature.name, attributes=attributes)


def knock_out_clauses(card: Card) -> tuple[Clause, ...]:
    """Every clause of the knock-outs."""
    if isinstance(card, RegressionScorecard):
        return ()
    return tuple(clause for rule in card.policy.knock_outs for clause in rule.when)


def _domain(item: Characteristic, feature: Feature, cells: Cells, clauses: Sequence[Clause]) -> Domain:
    conditions = [each.condition for each in item.attributes]
    attribute = cells.attributes(conditions)
    points = np.array([each.points for each in item.attributes])[attribute]
    truths = [cells.truth(clause) for clause in dict.fromkeys(clauses) if clause.feature == feature.name]
    is_open = not any(isinstance(condition, Categories | Interval) for condition in conditions)
    never = Missing | Special if is_open else Missing | Special | Otherwise
    return Domain(
        feature=feature,
        cells=cells,
        points=points,
        special=np.array([isinstance(condition, Special) for condition in conditions])[attribute],
        ordinary=np.array([not isinstance(condition, never) for condition in conditions])[attribute],
        meaning=_alike(attribute, *truths),
        worth=_alike(points, *truths),
        texts=_texts(cells, len(attribute)),
        turns=item.trend_in_words if item.trend == "neither" else None,
        open=is_open,
    )


def _texts(cells: Cells, count: int) -> tuple[tuple[str, ...], ...]:
    texts: list[list[str]] = [[] for _ in range(count)]
    for text, cell in cells.groups.items():
        texts[cell].append(text)
    return tuple(map(tuple, texts))


def _alike(*answers: NDArray[Any]) -> Positions:
    """(cells,) the same number where all answers are the same."""
    alike: Positions = np.unique(np.stack(answers, axis=1), axis=0, return_inverse=True)[1].reshape(-1)
    return alike
