"""Nothing is told of fewer rows than a stated number, and no total gives them away."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable import create
from scrutable.binning.disclosed import Pools, common_groups
from scrutable.data.disclosure.groups import pooled_groups
from scrutable.data.disclosure.smallest_count import MIN_CELL, VARIABLE, min_cell
from scrutable.data.groups import SmallGroupWarning
from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.model import Categories, Interval, Missing, Otherwise, Special
from scrutable.model.conditions import AttributeCondition
from scrutable.writing.settings import PLACE
from scrutable_review import Review

_QUICK = settings(max_examples=300, deadline=None, derandomize=True, database=None)
_NUMBERS: tuple[AttributeCondition, ...] = (Interval(upper=1), Interval(1, 2), Interval(2, 3), Interval(3), Missing())
_TEXTS: tuple[AttributeCondition, ...] = (Categories(("a",)), Categories(("b", "c")), Special(("?",)), Otherwise())


@_QUICK
@given(rows=st.lists(st.integers(0, 9), min_size=5, max_size=5), least=st.integers(1, 8), numeric=st.booleans())
def test_no_attribute_of_few_rows_is_counted_alone(rows: list[int], least: int, numeric: bool) -> None:
    conditions = _NUMBERS if numeric else _TEXTS
    count = np.array(rows[: len(conditions)])
    pools = Pools.of(conditions, count, least)
    together = pools.together(np.stack([count * 2.0, count * 3.0], axis=1))
    assert together.sum(axis=0).tolist() == [2 * count.sum(), 3 * count.sum()]
    told = together[:, 0] > 0
    assert (together[told, 0] >= 2 * least).all() or told.sum() <= 1
    enough = np.flatnonzero(count >= least)
    assert all(pools.at(int(place)) == place for place in enough if conditions[place] not in _NUMBERS[:4])
    for place, host in pools.resembled:
        assert isinstance(conditions[place], Interval)
        assert isinstance(conditions[host], Interval)
        assert together[host, 0] >= 2 * least
        between = count[min(place, host) : max(place, host) + 1]
        assert (np.sort(between)[:-1] < least).sum() >= len(between) - 2


@_QUICK
@given(codes=st.lists(st.integers(0, 5), min_size=2, max_size=60), least=st.integers(1, 8))
def test_no_group_of_few_rows_is_left(codes: list[int], least: int) -> None:
    labels = np.array(["a", "b", "c", "d", "e", None], dtype=object)[codes]
    if len(set(codes)) < 2:
        return
    groups = Groups.from_frame({"faith": labels}, min_group_size=0)
    pooled = pooled_groups(groups, least=least)
    if pooled is None:
        return
    sizes = pooled["faith"].sizes
    assert all(size >= least for size in sizes.values())
    assert sum(sizes.values()) == len(codes), "what the groups leave of the whole is nobody"
    before = groups["faith"].sizes
    changed = {label for label, size in sizes.items() if before.get(label) != size}
    assert len(changed) <= 1
    assert changed <= {"(missing)", *(label for label, n in before.items() if n >= least)}


def test_one_uncertain_row_hides_no_group_of_one() -> None:
    a = [1.0] * 60 + [0.0] * 40 + [0.0, 0.5]
    c = [0.0] * 100 + [1.0, 0.0]
    b = [1 - one - other for one, other in zip(a, c, strict=True)]
    groups = Groups.from_probabilities({"race": {"a": a, "b": b, "c": c}}, min_group_size=0)
    pooled = pooled_groups(groups)
    assert pooled is not None
    assert pooled["race"].sizes == {"a": 60.5, "b": 41.5}


@pytest.mark.parametrize("seed", range(10))
def test_probabilities_of_small_groups_never_add_up_to_more_than_one(seed: int) -> None:
    few = np.random.default_rng(seed).dirichlet(np.ones(3), 4)
    membership = np.block([[np.ones((96, 1)), np.zeros((96, 3))], [np.zeros((4, 1)), few]])
    groups = Groups.from_probabilities({"race": dict(zip("abcd", membership.T, strict=True))}, min_group_size=0)
    pooled = pooled_groups(groups, least=5)
    assert pooled is not None
    assert pooled["race"].labels == ("a", "(missing)")
    np.testing.assert_allclose(pooled["race"].membership, np.repeat([[1, 0], [0, 1]], [96, 4], axis=0))


def test_rows_that_weigh_nothing_make_no_group_large() -> None:
    groups = Groups.from_frame({"faith": ["a"] * 20 + ["b"] * 10 + ["q"] * 6}, min_group_size=0)
    weight = np.array([1.0] * 30 + [1.0] + [0.0] * 5)
    assert (pooled := pooled_groups(groups, weight)) is not None
    assert pooled["faith"].labels == ("a", "b")


def test_another_reference_than_was_named_is_told() -> None:
    groups = Groups.from_frame({"s": ["m"] * 19 + ["f"] * 8 + ["q"] * 2}, reference={"s": "q"}, min_group_size=0)
    with pytest.warns(SmallGroupWarning, match="the reference of 's' has too few rows .*compared with 'm'"):
        pooled_groups(groups)


def test_values_that_nobody_has_stay_and_what_is_mostly_rare_stays_together() -> None:
    assert common_groups([("a", "z")], ["a", "b"], np.array([9, 1]), 5) == [("a", "z")]
    assert common_groups([("a", "b", "c")], ["a", "b", "c"], np.array([5, 4, 4]), 5) == []
    assert common_groups([("a", "b")], ["a", "b"], np.array([5, 4]), 5) == [("a",)]


@pytest.mark.parametrize("binner", ["optimal", "quantile", "xgb1", "optbinning"])
def test_a_model_names_no_rare_value_and_gives_it_no_points(binner: str) -> None:
    place = np.arange(600)
    job = np.array(["clerk", "cook", "smith"], dtype=object)[place % 3]
    job[:3] = "envoy"
    y = (np.random.default_rng(1).random(600) < 0.3 + 0.2 * (place % 3)).astype(int)
    conditions = []
    for outcome in (0, 1):
        y[:3] = outcome
        table = create("binner", binner).fit({"job": job}, y).binning_["job"]
        conditions.append(table.conditions)
        assert "envoy" not in repr(table)
        assert table.woe[table.conditions.index(Otherwise())] == 0
        assert sum(s.count for s in table.statistics) == 600
    assert conditions[0] == conditions[1]


@pytest.mark.parametrize("encoding", ["woe", "one-hot"])
def test_an_interval_of_few_rows_has_its_neighbours_points(encoding: str) -> None:
    """And a code of few rows has none: the outcomes of its rows are nobody's to learn."""
    rng = np.random.default_rng(2)
    x = np.concatenate([rng.integers(0, 3, 900).astype(float), [9.0, 9.0, -1.0, -1.0]])
    y = (rng.random(904) < 0.8 - 0.25 * np.clip(x, 0, 2)).astype(int)
    binner = create("binner", "manual", cuts={"x": [1, 2, 5]}, special_codes={"x": [-1]})
    for outcome in (0, 1):
        y[-4:] = outcome
        learner = create("learner", "scorecard", encoding=encoding, binner=binner, favourable=1)
        (characteristic,) = learner.fit({"x": x}, y).model_.characteristics
        points = {each.condition: each.points for each in characteristic.attributes}
        high = points[next(each for each in points if isinstance(each, Interval) and each.upper == np.inf)]
        assert high == min(points.values()) < 0
        assert points[Special((-1,))] == 0


def test_small_samples_are_learned_from() -> None:
    """Forty rows in ten bins of four: neighbours are put together, and none is lost."""
    x = np.arange(40.0)
    table = create("binner", "quantile", max_bins=10).fit({"x": x}, (x > 19).astype(int)).binning_["x"]
    told = [s.count for s in table.statistics if s.count]
    assert min(told) >= 5
    assert sum(told) == 40
    assert table.iv > 3


@pytest.mark.parametrize("treated", ["neutral", "worst", "with"])
def test_a_policy_leaves_intervals_of_few_rows_with_their_neighbours(treated: str) -> None:
    rng = np.random.default_rng(3)
    x = np.concatenate([rng.uniform(20, 100, 600), [500.0] * 3, [np.nan] * 40])
    y = (rng.random(643) < np.where(np.nan_to_num(x) > 60, 0.9, 0.4)).astype(int)
    edit = {"feature": "x", "action": "missing", "policy": treated, "who": "ana", "why": "so"}
    edit |= {"bin": 500.0} if treated == "with" else {}
    table = create("binner", "manual", cuts={"x": [40, 60, 100]}, edits=[edit]).fit({"x": x}, y).binning_["x"]
    assert table.woe[3] == table.woe[2] > 0
    if treated == "with":
        assert table.woe[4] == table.woe[2]
        assert table.counts_pooled[2] == sum(x > 60) + 40


def test_bins_by_group_tell_of_nobody() -> None:
    age = 30.0 + np.arange(400.0) * 7 % 41
    sex = np.array(["f", "m"])[np.arange(400) % 2]
    age[0] = np.nan
    y = (np.arange(400) % 3 > 0).astype(int)
    review = Review({"age": age}, y, binner="quantile", sensitive_features={"sex": sex})
    table = review.table("age").to_dict()
    missing = table["attributes"][-1]["groups"]["sex"]
    assert [(each["count"], each["bad_rate"]) for each in missing.values()] == [(0, None), (0, None)]
    assert all(value is not None for value in table["fiv"].values())


def test_the_number_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    file = tmp_path / "settings.toml"
    monkeypatch.setenv(PLACE, str(file))
    file.write_text("min_cell = 10")
    assert min_cell() == 10
    file.write_text("")
    assert min_cell() == MIN_CELL == 5
    monkeypatch.setenv(VARIABLE, "3")
    assert min_cell() == 3
    for wrong in ("0", "few", "2.5"):
        monkeypatch.setenv(VARIABLE, wrong)
        with pytest.raises(InputError, match=r"SCRUTABLE_MIN_CELL: not a number of rows.*from 1 on"):
            min_cell()
    monkeypatch.delenv(VARIABLE)
    file.write_text("min_cell = true")
    with pytest.raises(InputError, match=r"settings.toml', min_cell: not a number of rows"):
        min_cell()
