"""The text, run in R under both locales, equals the evaluator to the last bit over hostile models and rows."""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass, field

import numpy as np
import pytest
from cards import card, categories, ensemble, ladder, numbers
from drawn import KINDS, drawn

from scrutable.model import Clause, Interval, Leaf, Missing, Model, Outcome, Rule, RuleSet, Split, TreeEnsemble
from scrutable.model.evaluator import OutputFrame, differences, evaluate, read_inputs
from scrutable.proof.edges import edge_rows
from scrutable_r import engine
from scrutable_r.exporter import RExporter

pytestmark = pytest.mark.usefixtures("rscript")


@dataclass
class Batch:
    """Models with their jobs and the evaluator's results."""

    jobs: list[engine.Job] = field(default_factory=list)
    expected: list[OutputFrame] = field(default_factory=list)

    def add(self, model: Model) -> None:
        rows = edge_rows(model, n_random=20) if model.features else {"unread": [1.0, 2.0]}
        columns, n_rows = read_inputs(model, rows)
        values = {name: column.values for name, column in columns.items()}
        self.jobs.append(engine.Job(text=RExporter().export(model).text, columns=values, n_rows=n_rows))
        self.expected.append(evaluate(model, rows).frame())

    def check(self, locale: str) -> None:
        """Same columns in the same order, of the same types, with the same values."""
        for job, ours, theirs in zip(self.jobs, self.expected, engine.run(self.jobs, locale), strict=True):
            assert list(theirs) == list(ours)
            assert differences(ours, theirs) == {}, job.text
            assert {name: values.dtype for name, values in theirs.items()} == {n: v.dtype for n, v in ours.items()}


@functools.cache
def batch_of(kind: str) -> Batch:
    """Models of a kind, all to be run by one R process: starting one takes longer than running a model."""
    batch = Batch()
    for model in drawn(kind, 35):
        batch.add(model)
    return batch


@pytest.mark.parametrize("kind", KINDS)
def test_models_of_every_kind(kind: str, locale: str) -> None:
    batch_of(kind).check(locale)


def split(feature: str, cut: float, then: Split | Leaf, otherwise: Split | Leaf) -> Split:
    return Split(Clause(feature, (Interval(upper=cut, closed="right"), Missing())), then, otherwise)


def trees(*roots: Split) -> TreeEnsemble:
    return ensemble(features=numbers("x", "y"), trees=roots, base_score=0.1)


def chain(depth: int, *, first: bool) -> Split | Leaf:
    """A tree that goes on in one branch only, as deep as trees can be."""
    if depth == 0:
        return Leaf(0.3)
    end, rest = Leaf(float(depth)), chain(depth - 1, first=first)
    return split("xy"[depth % 2], depth / 3, *((rest, end) if first else (end, rest)))


def test_deep_and_many_trees(rscript: str) -> None:
    chance = random.Random(0)
    many = [
        split(f, chance.gauss(0, 1), Leaf(chance.random()), split(g, chance.gauss(0, 1), Leaf(1), Leaf(0)))
        for f, g in [("x", "y"), ("y", "x")] * 150
    ]
    deep = [chain(16, first=True), chain(16, first=False)]
    batch = Batch()
    batch.add(trees(*(tree for tree in deep if isinstance(tree, Split)), *many))
    batch.check("C")


def test_many_rules(rscript: str) -> None:
    """More than fit the bits of one integer."""
    rules = tuple(
        Rule(when=(Clause("x", (Interval(lower=i, upper=i + 5), Missing())),), outcome=i % 3, weight=1 + i / 7)
        for i in range(95)
    )
    model = RuleSet(
        outcome=Outcome(classes=(0, 1, 2), favourable=1),
        features=numbers("x"),
        rules=rules,
        fallback=(
            Rule(when=(Clause("x", (Interval(upper=0),)),), outcome=1),
            Rule(when=(Clause("x", (Interval(lower=0), Missing())),), outcome=2),
        ),
    )
    batch = Batch()
    batch.add(model)
    batch.check("C")


def test_one_row(locale: str) -> None:
    model = card(ladder("x", 1.0), categories("job", "cook"))
    rows = edge_rows(model).head(1)
    ours, theirs = evaluate(model, rows).frame(), RExporter(locale=locale).run(RExporter().export(model), rows)
    assert differences(ours, theirs) == {}


def test_a_package_runs_as_the_file_does(rscript: str) -> None:
    model = card(ladder("x", 1.0))
    exporter = RExporter(form="package", function_name="points.of")
    rows = {"x": np.array([0.5, 1.0, np.nan])}
    assert exporter.run(exporter.export(model), rows)["score"].tolist() == [500, 510, 495]
