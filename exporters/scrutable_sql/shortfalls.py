"""Reasons of trees and rules: how far each feature falls short is a sum of doubles, which then becomes a key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scrutable.model import Feature, ReasonPolicy
from scrutable_sql.query import Column, Step
from scrutable_sql.quoting import comment
from scrutable_sql.ranking import Ranking


@dataclass(frozen=True, slots=True)
class FallingShort:
    """Columns from shortfalls of features, one each, to keys of codes.

    Parameters
    ----------
    carried : features by the code that they carry, in the policy's order; none where no reasons are asked for.
    features : those, and what they are called.
    """

    ranking: Ranking
    carried: Mapping[str, tuple[str, ...]]
    features: Mapping[str, Feature]

    @classmethod
    def of(cls, policy: ReasonPolicy | None, ranking: Ranking, features: Mapping[str, Feature]) -> FallingShort:
        """Those of the ranking's codes."""
        carried = {} if policy is None else policy.features()
        return cls(ranking, {code: names for code, names in carried.items() if code in ranking.texts}, features)

    def shortfall(self, feature: str, expression: str) -> Column:
        """The column that says by how much a feature falls short."""
        title = self.features[feature].title
        return Column(expression, self._gap(feature), self._double, comment(f"{self.ranking.about} for {title}"))

    def steps(self) -> list[Step]:
        """The key of each feature, of each code that several carry, and the ranking."""
        keys = [
            Column(self.ranking.key_of(self._gap(feature), code), f"key_{self._number(feature)}", note=comment(code))
            for code, features in self.carried.items()
            for feature in features
        ]
        names = {code: [f"key_{self._number(each)}" for each in features] for code, features in self.carried.items()}
        several = {code: f"code_{self.ranking.place(code)}" for code, keys in names.items() if len(keys) > 1}
        merged = [
            Column(self.ranking.greatest(names[code]), column, note=comment(code)) for code, column in several.items()
        ]
        columns = {code: several.get(code, names[code][0]) for code in names}
        return [
            Step("shortfalls", "what falls short, and the reason" + self.ranking.words, tuple(keys)),
            Step("codes", "the largest of what carries the same code", tuple(merged)),
            *self.ranking.steps(Step("reason_1", "the first reason", ()), columns),
        ]

    @property
    def _double(self) -> str:
        return self.ranking.options.target.double

    def _gap(self, feature: str) -> str:
        return f"gap_{self._number(feature)}"

    def _number(self, feature: str) -> int:
        return [each for features in self.carried.values() for each in features].index(feature) + 1
