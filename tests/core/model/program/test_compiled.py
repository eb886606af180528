"""Compiled loops give the bits of the reference, whatever the program."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from drawn import of_every_kind

from scrutable.model import Clause, Feature, Interval, Leaf, Model, Split, TreeEnsemble
from scrutable.model.evaluator import OutputFrame, differences, read_inputs
from scrutable.model.program import added_up, lowered, run, running
from scrutable.model.program.compiled import CompiledRows
from scrutable.model.program.preparing import Grid
from scrutable.model.program.reference import Rows
from scrutable.proof.edges import edge_rows
from scrutable.testing.contract.examples.models import models_named


def assert_same(model: Model, rows: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    columns, n_rows = read_inputs(model, rows)
    for program in (lowered(model), added_up(lowered(model))):
        expected = OutputFrame(run(program, columns, n_rows))
        with monkeypatch.context() as many:
            many.setattr(running, "_MANY", 1)
            assert not differences(expected, OutputFrame(run(program, columns, n_rows)), ulp=0)
            many.setattr(CompiledRows, "BLOCK", 7)
            assert not differences(expected, OutputFrame(run(program, columns, n_rows, threads=2)), ulp=0)


def test_every_kind_of_model(monkeypatch: pytest.MonkeyPatch) -> None:
    for model in of_every_kind(12):
        assert_same(model, edge_rows(model, n_random=20).head(200), monkeypatch)


def test_many_trees_with_many_cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)

    def tree(depth: int) -> Any:
        if not depth:
            return Leaf(float(rng.integers(-99, 99)) / 64)
        closed = ("left", "right")[int(rng.integers(2))]
        when = Clause(f"x{rng.integers(3)}", (Interval(upper=round(float(rng.normal()), 2), closed=closed),))
        return Split(when, tree(depth - 1), tree(int(rng.integers(depth))))

    stumps = models_named()["stumps"]
    features = tuple(Feature(name=f"x{i}", kind="numeric") for i in range(3))
    model = TreeEnsemble(
        outcome=stumps.outcome, features=features, trees=tuple(tree(4) for _ in range(60)), base_score=1, cutoff=0,
        calibration=stumps.calibration,
    )  # fmt: skip
    rows = pd.DataFrame({feature.name: rng.normal(size=500).round(2) for feature in features})
    rows.iloc[::9, 0], rows.iloc[::7, 1], rows.iloc[::5, 2] = np.nan, np.inf, -np.inf
    assert_same(model, rows, monkeypatch)


def test_grids_count_cuts_exactly_or_are_not_made() -> None:
    from scrutable.model.program import kernels

    rng = np.random.default_rng(1)
    for cuts in (
        np.unique(rng.normal(size=200)),
        np.arange(30.0),
        np.array([0.0, 5e-324, 1.0]),
        np.array([-1e308, 1e308]),
    ):
        grid = Grid.over(tuple(cuts))
        if grid is None:
            continue
        values = np.concatenate([cuts, np.nextafter(cuts, np.inf), np.nextafter(cuts, -np.inf), rng.normal(size=1000)])
        values = np.concatenate([values, [np.inf, -np.inf, np.nan, sys.float_info.max, -sys.float_info.max]])
        out = np.zeros(len(values), dtype=np.uint8)
        kernels.count_by_grid(values, grid.low, grid.scale, grid.first, grid.cuts, grid.within, out)
        assert out.tolist() == [int((value >= cuts).sum()) for value in values]
    assert Grid.over((0.0, 1e-300, 1.0)) is not None
    assert Grid.over((-1e308, 1e308)) is None
    assert Grid.over((0.0, 1e-9, 2e-9, 3e-9, 4e-9, 1.0)) is None


def test_few_rows_do_without_numba() -> None:
    assert running._rows(10) is Rows
    assert running._rows(running._MANY) is CompiledRows
