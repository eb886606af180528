"""Depth 1 beside trees of 31 leaves: what a scorecard costs in accuracy, and that it leaves Python with its reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from report import Row

from boosting.data import Parts, Problem
from boosting.draws import Draw
from boosting.measures import measure
from boosting.ours import Ours
from boosting.targets import TARGETS
from scrutable import create
from scrutable.model import Scorecard
from scrutable.model.evaluator import differences, evaluate
from scrutable_fairgbm.learner import FairGBMClassifier

#: Trees of 31 leaves, and stumps with half as many splits in all: of 300 to 1500 at two rates, best on validation rows.
DEEP, FLAT = Draw(), Draw(n_estimators=1500, learning_rate=0.2, max_leaves=2)


def rows_of_stumps(parts: Sequence[Parts], n_rows: int) -> Iterator[Row]:
    """Both under the same constraint; the scorecard of the last split goes to SQL."""
    ours = Ours(options={"max_depth": 1})
    cards = [ours.fit(each.train, FLAT) for each in parts]
    deep = np.array([_accuracy(Ours(), each, Ours().fit(each.train, DEEP)) for each in parts])
    flat = np.array([_accuracy(ours, each, card) for each, card in zip(parts, cards, strict=True)])
    name = parts[0].train.name
    yield Row(
        name=f"{name}: accuracy lost by depth 1",
        value=float((deep - flat).mean()),
        unit="points",
        relation="<=",
        bound=TARGETS["stumps"]["cost"],
        note=f"{flat.mean():.2f} with {FLAT.n_estimators} stumps, {deep.mean():.2f} with {DEEP.n_estimators} trees of "
        f"{DEEP.max_leaves} leaves, means of {len(parts)} splits; worst split {(deep - flat).max():.2f}",
    )
    yield _in_sql(cards[-1], parts[-1].test, n_rows)


def _accuracy(ours: Ours, parts: Parts, fitted: FairGBMClassifier) -> float:
    return 100 * measure(parts.test, ours.score(fitted, parts.test) > 0).accuracy


def _in_sql(fitted: FairGBMClassifier, rows: Problem, count: int) -> Row:
    """The scorecard with its reasons in SQL: values of any column that differ from Python's."""
    card = fitted.model_
    assert isinstance(card, Scorecard)
    assert card.reasons is not None
    table = rows.frame.iloc[:count]
    exporter = create("exporter", "sql", dialect="duckdb", table="applicants")
    output = exporter.run(exporter.export(card), table)
    differing = sum(len(each) for each in differences(evaluate(card, table).frame(), output).values())
    attributes = sum(len(each.attributes) for each in card.characteristics)
    return Row(
        name=f"{rows.name}, scorecard with reasons: values that differ in SQL",
        value=differing,
        unit="",
        relation="<=",
        bound=0,
        note=f"{len(card.characteristics)} characteristics, {attributes} attributes, {card.reasons.k} reasons; "
        f"{len(table)} rows, DuckDB",
    )
