"""Compiled loops give the bits of the reference, whatever the program."""

from __future__ import annotations

import gc
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from drawn import of_every_kind

from scrutable.data.frames import as_table
from scrutable.model import Clause, Feature, Interval, Leaf, Model, Split, TreeEnsemble
from scrutable.model.evaluator import OutputFrame, differences, read_inputs
from scrutable.model.program import Bucket, Column, Ladder, Points, Sum, added_up, lowered, run, running
from scrutable.model.program.compiled import CompiledRows
from scrutable.model.program.preparing import Grid, Small, prepared
from scrutable.model.program.program import Builder, Output
from scrutable.model.program.reference import Listed, Rows, Texts
from scrutable.proof.edges import edge_rows
from scrutable.testing.contract.examples.models import models_named


def uncoded(values: Any) -> Any:
    if isinstance(values, Texts):
        return values.objects()
    return np.array(values.table)[values.places] if isinstance(values, Listed) else values


def assert_same(model: Model, rows: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    columns, n_rows = read_inputs(model, rows)
    for program in (lowered(model), added_up(lowered(model))):
        expected = OutputFrame(run(program, columns, n_rows))
        with monkeypatch.context() as many:
            many.setattr(running, "_MANY", 1)
            assert not differences(expected, OutputFrame(run(program, columns, n_rows)), ulp=0)
            many.setattr(CompiledRows, "BLOCK", 7)
            assert not differences(expected, OutputFrame(run(program, columns, n_rows, threads=2)), ulp=0)
            coded = run(program, columns, n_rows, coded=True, threads=2)
        assert not differences(expected, OutputFrame({name: uncoded(each) for name, each in coded.items()}), ulp=0)


def test_every_kind_of_model(monkeypatch: pytest.MonkeyPatch) -> None:
    for model in of_every_kind(12):
        assert_same(model, edge_rows(model, n_random=20).head(200), monkeypatch)


def test_rows_are_let_go_without_waiting_for_a_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a streamed file would pile up until the collector comes by."""
    model = models_named()["scorecard"]
    columns, n_rows = read_inputs(model, edge_rows(model, n_random=20).head(50))
    for many in (n_rows + 1, 1):
        monkeypatch.setattr(running, "_MANY", many)
        gc.collect()
        gc.disable()
        try:
            run(lowered(model), columns, n_rows)
            left = [each for each in gc.get_objects() if isinstance(each, Rows)]
        finally:
            gc.enable()
        assert not left


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
        kernels.count_by_grid(values, grid.low, grid.scale, grid.first, grid.cuts, grid.within, np.uint8(0), out)
        assert out.tolist() == [int((value >= cuts).sum()) for value in values]
    assert Grid.over((0.0, 1e-300, 1.0)) is not None
    assert Grid.over((-1e308, 1e308)) is None
    assert Grid.over((0.0, 1e-9, 2e-9, 3e-9, 4e-9, 1.0)) is None


@pytest.mark.parametrize("n_places", [1, 2, 6, 7, 8, 12, 13, 200])
def test_small_integers_are_added_at_each_place(n_places: int) -> None:
    from scrutable.model.program import kernels

    rng = np.random.default_rng(n_places)
    table = rng.integers(-9999, 9999, n_places).astype(np.int16)
    places, total = rng.integers(0, n_places, 999).astype(np.uint8), rng.integers(-9999, 9999, 999).astype(np.int16)
    expected, small = total + table[places], Small.of(table)
    assert bool(small.steps) == (n_places <= 12)
    for first, steps, start in small.steps:
        kernels.add_few(places, first, steps, start, total)
    if small.steps:
        assert total.tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("points", "scale"),
    [((20.0, -3.0), 1.0), ((20.5, -3.25), 0.25), ((30_000.0, 2_767.0), 1.0), ((2**-30, 1.0), None), ((4e4, 0.0), None)],
)
def test_points_are_small_integers_or_stay_doubles(points: tuple[float, float], scale: float | None) -> None:
    builder = Builder()
    column = builder.add(Column("x", "numeric"))
    bucket = builder.add(Bucket(column, Ladder(kind="numeric", size=2, rungs=(0, 1), cuts=(0.0,), missing=0)))
    total = builder.add(Sum(0.5, (builder.add(Points(bucket, points)),)))
    program = builder.program((), (Output("score", total),))
    whole = prepared(program).whole.get((total - 1,))
    assert (None if whole is None else whole.scale) == scale
    values = np.array([-1.0, np.nan, 0.0, 1.0])
    rows = CompiledRows(program, {"x": as_table({"x": values}).column("x")}, slice(0, 4), 4)
    assert rows.value(total).tolist() == [0.5 + points[int(value >= 0)] for value in values]


def test_columns_that_most_rows_take_differ_from_block_to_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays of one block are written again by the next, of other lengths and other choices."""
    for model in of_every_kind(6):
        columns, n_rows = read_inputs(model, edge_rows(model, n_random=20).head(150))
        program = added_up(lowered(model))
        expected = OutputFrame(run(program, columns, n_rows))
        monkeypatch.setattr(running, "_MANY", 1)
        for block, share in ((3, 0.0), (40, 0.3), (64, 1.0)):
            monkeypatch.setattr(CompiledRows, "BLOCK", block)
            monkeypatch.setattr(CompiledRows, "NEARLY_ALL", share)
            assert not differences(expected, OutputFrame(run(program, columns, n_rows)), ulp=0)
        monkeypatch.undo()


def test_few_rows_do_without_numba() -> None:
    assert running._rows(10) is Rows
    assert running._rows(running._MANY) is CompiledRows
