"""Thresholds and their selections, and how far these compress."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data.training import read_training
from scrutable.errors import InputError
from scrutable_fcca.changes import Changes
from scrutable_fcca.counterfactuals.problem import Costs, Counterfactuals, Plausibility
from scrutable_fcca.counterfactuals.search import Searched, SearchOptions, search
from scrutable_fcca.discretising.compression import compression_path, rates
from scrutable_fcca.discretising.thresholds import Thresholds, crossed_thresholds, gain_thresholds
from scrutable_fcca.inputs import Inputs
from scrutable_fcca.target import Trees
from scrutable_fcca.training import TargetOptions, train_target

RNG = np.random.default_rng(1)
X = {"a": np.round(RNG.random(300), 2), "b": np.round(RNG.random(300), 2)}
DATA = read_training(X, (X["a"] + X["b"] + RNG.normal(0, 0.2, 300) > 1).astype(int))
INPUTS = Inputs.of(DATA)
POINTS = INPUTS.encode(DATA.columns)
TRAINED = train_target(POINTS, DATA.good, DATA.weight, TargetOptions())


def thresholds(importance: Any) -> Thresholds:
    k = len(importance)
    return Thresholds(
        column=np.zeros(k, np.int64), value=np.linspace(0.1, 0.9, k), importance=np.array(importance, float)
    )


def pairs(found: Thresholds) -> set[tuple[int, float]]:
    return set(zip(found.column.tolist(), found.value.tolist(), strict=True))


@given(counts=st.lists(st.integers(1, 6), min_size=1, max_size=12), q=st.floats(0, 1))
@settings(deadline=None)
def test_a_quantile_keeps_what_counts_for_no_less(counts: list[int], q: float) -> None:
    found = thresholds(counts)
    kept = found.at(q)
    clear = np.abs(np.array(counts) - np.quantile(counts, q)) > 1e-6
    told = np.isin(found.value, kept.value)
    assert (told == (np.array(counts) >= np.quantile(counts, q)))[clear].all()
    assert len(kept) > 0


@given(counts=st.lists(st.integers(1, 6), min_size=1, max_size=12))
@settings(deadline=None)
def test_steps_are_all_selections_and_where_each_ends(counts: list[int]) -> None:
    found = thresholds(counts)
    selections = [pairs(found.at(q)) for q in found.steps()]
    assert len(selections) == len(set(counts))
    every = [pairs(found.at(q)) for q in np.linspace(0, 1, 101)]
    assert all(each in selections for each in every)
    assert [len(each) for each in selections] == sorted({sum(c >= least for c in counts) for least in counts})[::-1]
    for q, after in zip(found.steps()[:-1], selections[1:], strict=True):
        assert pairs(found.at(q + 1e-4)) == after
    for value, until in zip(found.value, found.kept_until(), strict=True):
        assert value in found.at(until).value
        assert until == 1 or value not in found.at(until + 1e-4).value


def test_the_largest_thresholds_come_in_their_order() -> None:
    found = thresholds([3, 1, 5, 3])
    assert found.largest(2).importance.tolist() == [3, 5]
    assert found.largest(3).importance.tolist() == [3, 5, 3]
    assert len(found.largest(9)) == 4


def test_multiplicities_are_the_weights_of_the_rows_that_cross() -> None:
    nan = np.nan
    crossed = np.array([[0.305, nan], [0.308, 0.5], [nan, nan], [nan, 0.5]])
    found = Counterfactuals(values=crossed, crossed=crossed, cost=np.ones(4), bound=np.ones(4))
    weight = np.ones(300)
    weight[[5, 6, 8]] = [2.0, 3.0, 7.0]
    got = crossed_thresholds(Searched(rows=np.array([5, 6, 7, 8]), counterfactuals=found), INPUTS, weight)
    assert got.column.tolist() == [0, 1]
    assert got.importance.tolist() == [5.0, 10.0]  # no training value lies between 0.305 and 0.308
    below, above = POINTS[:, 0] <= got.value[0], POINTS[:, 0] > got.value[0]
    assert POINTS[below, 0].max() <= 0.305
    assert POINTS[above, 0].min() > 0.308
    assert (got.binary(POINTS)[:, 1] == (POINTS[:, 1] > 0.5)).all()


def test_counterfactuals_cross_thresholds_of_the_target_and_turn_it() -> None:
    searched = search(TRAINED, POINTS, DATA.good, Plausibility.free(2))
    turned = TRAINED.target.score(searched.counterfactuals.values) > 0
    found = np.isfinite(searched.counterfactuals.cost)
    assert found.any()
    assert (turned != DATA.good[searched.rows])[found].all()
    ours = crossed_thresholds(searched, INPUTS, DATA.weight)
    assert pairs(ours) <= pairs(gain_thresholds(TRAINED, INPUTS))
    assert ours.importance.sum() == np.count_nonzero(~np.isnan(searched.counterfactuals.crossed))


@pytest.mark.parametrize(
    ("target", "margin"),
    [
        (TargetOptions(n_estimators=20, max_depth=2), 1e-4),
        (TargetOptions(kind="forest", n_estimators=10, max_depth=1), 1e-4),
        (TargetOptions(kind="forest", n_estimators=10, max_depth=3), 1e-4),
        (TargetOptions(kind="linear"), 1.0),
    ],
)
def test_counterfactuals_of_every_target_are_beyond_its_margin(target: TargetOptions, margin: float) -> None:
    trained = train_target(POINTS, DATA.good, DATA.weight, target)
    searched = search(trained, POINTS, DATA.good, Plausibility.free(2), options=SearchOptions(probability=(0.5, 0.7)))
    found = np.isfinite(searched.counterfactuals.cost)
    score = trained.target.score(searched.counterfactuals.values)
    assert found.any()
    assert (np.where(DATA.good[searched.rows], -score, score) >= margin - 1e-9)[found].all()
    moved = np.abs(searched.counterfactuals.values - POINTS[searched.rows]).sum(axis=1)
    assert (searched.counterfactuals.cost >= moved - 1e-12)[found].all()


def test_changes_of_a_linear_target_are_beyond_what_they_cross() -> None:
    """Also where a category is taken on or given up, and where a value goes to the end of its range."""
    kind = RNG.choice(["a", "b"], 300)
    data = read_training(X | {"kind": kind}, (X["a"] + X["b"] + (kind == "a") > 1.3).astype(int))
    inputs = Inputs.of(data)
    points = inputs.encode(data.columns)
    trained = train_target(points, data.good, data.weight, TargetOptions(kind="linear", C=10.0))
    options = SearchOptions(costs=Costs(changed=0.1, distance=0.1))
    plausible = Changes().plausible(inputs, data.columns)
    found = search(trained, points, data.good, plausible, options=options)
    crossed, values, own = found.counterfactuals.crossed, found.counterfactuals.values, points[found.rows]
    changed = ~np.isnan(crossed)
    assert ((values > crossed) != (own > crossed))[changed].all()
    assert {0.0, 1.0} == set(values[changed[:, 2], 2].tolist())
    assert set(crossed_thresholds(found, inputs, data.weight).column.tolist()) == {0, 1, 2}


def test_rows_that_take_part_are_correct_and_within_the_probabilities() -> None:
    searched = search(TRAINED, POINTS, DATA.good, Plausibility.free(2), options=SearchOptions(probability=(0.6, 0.8)))
    chance = TRAINED.probability(POINTS)
    own = np.where(DATA.good, chance, 1 - chance)
    expected = np.flatnonzero(((chance > 0.5) == DATA.good) & (own >= 0.6) & (own <= 0.8))
    assert searched.rows.tolist() == expected.tolist()


def test_what_is_fixed_in_a_row_does_not_change() -> None:
    fixed = np.zeros(POINTS.shape, np.bool_)
    fixed[::3, 0] = fixed[1::3, 1] = True
    searched = search(TRAINED, POINTS, DATA.good, Plausibility.free(2), fixed)
    changed = ~np.isnan(searched.counterfactuals.crossed)
    assert changed.any(axis=0).all()
    assert not (changed & fixed[searched.rows]).any()
    free = search(TRAINED, POINTS, DATA.good, Plausibility.free(2))
    assert (searched.counterfactuals.cost >= free.counterfactuals.cost - 1e-12).all()


def test_rows_in_parts_give_the_same_and_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    whole = search(TRAINED, POINTS, DATA.good, Plausibility.free(2))
    parts = search(TRAINED, POINTS, DATA.good, Plausibility.free(2), options=SearchOptions(verbose=100))
    assert np.array_equal(parts.counterfactuals.values, whole.counterfactuals.values)
    assert np.array_equal(parts.counterfactuals.crossed, whole.counterfactuals.crossed, equal_nan=True)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith(f"counterfactuals: 100 of {len(whole.rows)} rows, ")
    assert len(lines) == -(-len(whole.rows) // 100)


def test_no_row_in_the_range_of_probabilities() -> None:
    with pytest.raises(
        InputError, match=r"probability: .* no row correctly .* are 0\.\d{3} to 0\.\d{3}; got \(1\.0, 1\.0\)"
    ):
        search(TRAINED, POINTS, DATA.good, Plausibility.free(2), options=SearchOptions(probability=(1.0, 1.0)))


@pytest.mark.parametrize("probability", [(0.4, 1.0), (0.8, 0.7), (0.5, 1.1), (0.5,), "high", 0.5])
def test_probabilities_out_of_range(probability: Any) -> None:
    with pytest.raises(InputError, match="probability: unusable"):
        SearchOptions(probability=probability)


def test_gains_add_up_by_threshold() -> None:
    assert isinstance(TRAINED.target, Trees)
    found = gain_thresholds(TRAINED, INPUTS)
    assert found.importance.sum() == pytest.approx(TRAINED.gain.sum())
    inner = TRAINED.target.column >= 0
    assert len(found) <= len(set(zip(TRAINED.target.column[inner], TRAINED.target.threshold[inner], strict=True)))


# --- compression ----------------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 10**6), n=st.integers(1, 40), k=st.integers(0, 5))
@settings(deadline=None)
def test_rates_count_distinct_rows_and_minorities(seed: int, n: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    binary, label, weight = rng.random((n, k)) < 0.5, rng.random(n) < 0.5, rng.integers(1, 4, n).astype(float)
    counted: dict[tuple[bool, ...], list[float]] = {}
    for bits, good, heavy in zip(binary.tolist(), label.tolist(), weight.tolist(), strict=True):
        counted.setdefault(tuple(bits), [0.0, 0.0])[good] += heavy
    compression, inconsistency = rates(binary, label, weight)
    assert compression == pytest.approx(1 - len(counted) / n)
    assert inconsistency == pytest.approx(sum(map(min, counted.values())) / weight.sum())


def test_the_path_has_the_rates_of_each_selection() -> None:
    found = gain_thresholds(TRAINED, INPUTS)
    path = compression_path(found, POINTS, DATA.good, DATA.weight)
    assert path.quantile.tolist() == found.steps().tolist()
    for i, q in enumerate(path.quantile.tolist()):
        kept = found.at(q)
        assert path.n_thresholds[i] == len(kept)
        both = rates(kept.binary(POINTS), DATA.good, DATA.weight)
        assert (path.compression[i], path.inconsistency[i]) == pytest.approx(both)
    assert (np.diff(path.compression) >= 0).all()
    assert (np.diff(path.inconsistency) >= 0).all()


def test_costs_shape_what_is_crossed() -> None:
    """Where each change costs much, fewer columns change in one counterfactual."""
    cheap, dear = (
        search(TRAINED, POINTS, DATA.good, Plausibility.free(2), options=SearchOptions(costs=Costs(changed=changed)))
        for changed in (0.0, 5.0)
    )
    counts = [np.count_nonzero(~np.isnan(each.counterfactuals.crossed)) for each in (cheap, dear)]
    assert counts[1] < counts[0]
