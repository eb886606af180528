"""What scorecards of all kinds have in common: they add up points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from scrutable.data.features import Feature
from scrutable.data.values import unique, within_limit
from scrutable.errors import ModelError
from scrutable.model.characteristics import Characteristic
from scrutable.model.interactions import Axis, Interaction
from scrutable.model.notebook_rows import characteristics_table, interactions_table
from scrutable.model.policy import Adjustment
from scrutable.model.single import Single
from scrutable.writing.notebooks import NotebookTable


class Additive(Single):
    """The score is the base points, those of each characteristic and interaction, and of adjustments that apply."""

    __slots__ = ()

    #: What helps where the sum of points could be inexact.
    too_large: ClassVar[str] = "use a smaller PDO or base score"

    features: tuple[Feature, ...]
    characteristics: tuple[Characteristic, ...]
    interactions: tuple[Interaction, ...]
    base_points: float

    @property
    def adjustments(self) -> tuple[Adjustment, ...]:
        """Score adjustments."""
        return ()

    @property
    def terms(self) -> dict[str, Characteristic | Interaction]:
        """What reasons and results name, by its name: characteristics by their features, then interactions."""
        return {c.feature: c for c in self.characteristics} | {each.name: each for each in self.interactions}

    @property
    def cuts(self) -> tuple[Characteristic | Axis, ...]:
        """Whatever cuts the values of a feature: characteristics, and both axes of each interaction."""
        return (*self.characteristics, *(axis for each in self.interactions for axis in each.axes))

    @property
    def decimals(self) -> int | None:
        """Decimals that are declared for points; None for none."""
        return None

    def notebook_tables(self) -> Iterator[NotebookTable]:
        """The attributes with their points, and the cells of interactions."""
        yield characteristics_table(self.characteristics, self.features, self.decimals)
        yield from interactions_table(self.interactions, self.features, self.decimals)

    @property
    def features_scored(self) -> set[str]:
        """Names of the features that have points."""
        return {cut.feature for cut in self.cuts}

    @property
    def summands(self) -> tuple[tuple[float, ...], ...]:
        """What is added to the base points: of each term, and each score adjustment, all points that it can give."""
        of_terms = (each.cells for each in self.terms.values())
        return (*of_terms, *((0.0, each.points) for each in self.adjustments))

    @property
    def score_range(self) -> tuple[float, float]:
        """Lowest and highest score that points can add up to."""
        return self.base_points + sum(map(min, self.summands)), self.base_points + sum(map(max, self.summands))

    @property
    def largest_sum(self) -> float:
        """No sum of some of the points, whatever the attributes, is further from 0 than this."""
        return sum(max(map(abs, points)) for points in self.summands) + abs(self.base_points)

    @property
    def counts(self) -> str:
        """How many characteristics, attributes and interactions there are, in words."""
        attributes = sum(len(characteristic.attributes) for characteristic in self.characteristics)
        told = f"{len(self.characteristics)} characteristics, {attributes} attributes"
        number = len(self.interactions)
        return f"{told}, {number} interaction{'s' if number > 1 else ''}" if number else told

    def check_terms(self, features: dict[str, Feature]) -> None:
        """Refuse terms that repeat, are of no feature or no partition of its values, or too many points."""
        names = (*(c.feature for c in self.characteristics), *(each.name for each in self.interactions))
        unique(names, "characteristics")
        for characteristic in self.characteristics:
            if characteristic.feature not in features:
                raise ModelError("unknown feature", where="characteristic", got=characteristic.feature)
            characteristic.check(features[characteristic.feature])
        for interaction in self.interactions:
            interaction.check(features)
            if interaction.name in features:
                fix = "give the interaction another name"
                raise ModelError("a feature has this name", where="interaction", got=interaction.name, fix=fix)
        within_limit(self.largest_sum, "scorecard", fix=self.too_large)
