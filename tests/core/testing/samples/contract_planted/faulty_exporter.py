"""Exporters of every kind of model that do one thing wrong, and what the changes of models are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from contract_planted.fault import C, patched, planted
from scrutable.model import (
    Clause,
    Leaf,
    Policy,
    RegressionScorecard,
    RuleSet,
    SegmentedModel,
    Split,
    TreeEnsemble,
    dumps,
    loads,
)
from scrutable.model.evaluator import OutputFrame, evaluate
from scrutable.plugins.bases import Export, Exporter

KINDS = ("scorecard", "regression-scorecard", "rule-set", "tree-ensemble", "segmented-model")


def fault(check: str = "random-models-run-alike") -> Callable[[C], C]:
    """Plant an exporter of every kind of model, whose engine is its own."""
    return planted("exporter", check=check, accepts=KINDS, engines=("planted",))


class Faulty(Exporter):
    """The model file, which the evaluator runs: changed before, or its results after."""

    #: The rows that were run last.
    rows: ClassVar[Any] = None

    def export(self, model: Any, *, evidence: Any = None) -> Export:
        return Export(model=model, files={"model.json": dumps(model)})

    def run(self, export: Export, X: Any) -> OutputFrame:
        model, type(self).rows = loads(export.text), X
        found = dict(evaluate(each_part(model, self.changed), self.read(model, X)).frame())
        return OutputFrame(self.told(model, found))

    def engine(self) -> str:
        return "Planted 1.0"

    def changed(self, model: Any) -> Any:
        """What becomes of a model that has no segments."""
        return model

    def read(self, model: Any, X: Any) -> Any:
        """What becomes of the rows."""
        return X

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        """What becomes of the results."""
        return found


def patch(method: str, check: str = "random-models-run-alike") -> Callable[[Callable[..., Any]], type]:
    """Plant that exporter with one method replaced."""
    return patched(Faulty, method, check=check, accepts=KINDS, engines=("planted",))


def each_part(model: Any, change: Callable[[Any], Any]) -> Any:
    """The model, or the models of its segments, changed."""
    if not isinstance(model, SegmentedModel):
        return change(model)
    return replace(model, segments=tuple(replace(each, model=change(each.model)) for each in model.segments))


def each_attribute(card: Any, change: Callable[[Any], Any]) -> Any:
    """The scorecard with each attribute changed."""
    parts = (replace(each, attributes=tuple(map(change, each.attributes))) for each in card.characteristics)
    return replace(card, characteristics=tuple(parts))


def each_clause(model: Any, change: Callable[[Clause], Clause]) -> Any:
    """The model with other clauses in its knock-outs, rules and splits."""

    def grown(node: Any) -> Any:
        return node if isinstance(node, Leaf) else Split(change(node.when), grown(node.then), grown(node.otherwise))

    if isinstance(model, RegressionScorecard):
        return model
    knock_outs = tuple(replace(each, when=tuple(map(change, each.when))) for each in model.policy.knock_outs)
    model = replace(model, policy=Policy(knock_outs=knock_outs))
    if isinstance(model, TreeEnsemble):
        return replace(model, trees=tuple(map(grown, model.trees)))
    if isinstance(model, RuleSet):
        return replace(model, rules=tuple(replace(each, when=tuple(map(change, each.when))) for each in model.rules))
    return model


def numbers_of(model: Any) -> list[str]:
    return [feature.name for feature in model.features if feature.kind == "numeric"]


def texts_of(model: Any) -> list[str]:
    return [feature.name for feature in model.features if feature.kind == "categorical"]
