"""What a model asks of the columns, as nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scrutable.data.features import Feature
from scrutable.model.characteristics import Characteristic
from scrutable.model.conditions import Clause, Conjunction
from scrutable.model.interactions import Axis
from scrutable.model.program import ladders
from scrutable.model.program.nodes import All, Bucket, Column, Node, Ref, Test
from scrutable.model.program.program import Builder


@dataclass(frozen=True, slots=True)
class Asking:
    """The features of one model, and the program that asks for them."""

    builder: Builder
    features: dict[str, Feature]

    @classmethod
    def of(cls, builder: Builder, features: Iterable[Feature]) -> Asking:
        """For the features of a model."""
        return cls(builder, {feature.name: feature for feature in features})

    def add(self, node: Node) -> Ref:
        """Write a node down."""
        return self.builder.add(node)

    def column(self, name: str) -> Ref:
        """The values of a feature."""
        return self.add(Column(name, self.features[name].kind))

    def attribute(self, cut: Characteristic | Axis) -> Ref:
        """The position of the condition that the row has."""
        ladder = ladders.of_attributes(cut.conditions, self.features[cut.feature])
        titles = cut.titles if self.builder.words else ()
        return self.add(Bucket(self.column(cut.feature), ladder, titles))

    def clause(self, clause: Clause) -> Ref:
        """Whether a clause holds."""
        feature = self.features[clause.feature]
        ladder = ladders.of_clause(clause, feature)
        titles = ("", clause.describe(feature.title)) if self.builder.words else ()
        return self.add(Bucket(self.column(feature.name), ladder, titles))

    def negated(self, truth: Ref) -> Ref:
        """Whether a truth does not hold."""
        return self.add(Test(truth, (0,)))

    def conjunction(self, clauses: Conjunction) -> Ref:
        """Whether every clause holds."""
        return self.every([self.clause(clause) for clause in clauses])

    def every(self, truths: Sequence[Ref]) -> Ref:
        """Whether all of several hold; one alone stands for itself."""
        distinct = tuple(dict.fromkeys(truths))
        return distinct[0] if len(distinct) == 1 else self.add(All(distinct))
