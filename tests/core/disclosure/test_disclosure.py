"""Nothing is told of fewer rows than a stated number, and no total gives them away."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable import create
from scrutable.disclosure.cells import common_groups, pooled_counts
from scrutable.disclosure.groups import pooled_groups
from scrutable.disclosure.least import MIN_CELL, VARIABLE, min_cell
from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.model import Categories, Interval, Missing, Otherwise, Special
from scrutable.model.conditions import AttributeCondition
from scrutable.settings import PLACE

_QUICK = settings(max_examples=300, deadline=None, derandomize=True, database=None)
_NUMBERS: tuple[AttributeCondition, ...] = (Interval(upper=1), Interval(1, 2), Interval(2, 3), Interval(3), Missing())
_TEXTS: tuple[AttributeCondition, ...] = (Categories(("a",)), Categories(("b", "c")), Special(("?",)), Otherwise())


@_QUICK
@given(rows=st.lists(st.integers(0, 9), min_size=5, max_size=5), least=st.integers(1, 8), numeric=st.booleans())
def test_no_attribute_of_few_rows_is_counted_alone(rows: list[int], least: int, numeric: bool) -> None:
    conditions = _NUMBERS if numeric else _TEXTS
    count = np.array(rows[: len(conditions)])
    sums = np.stack([count * 2.0, count * 3.0], axis=1)
    pooled, resembled = pooled_counts(conditions, sums, count, least)
    assert pooled.sum(axis=0).tolist() == sums.sum(axis=0).tolist()
    told = pooled[:, 0] > 0
    assert (pooled[told, 0] >= 2 * min(least, count.sum())).all() or told.sum() == 1
    assert not (told & (count < least)).any() or count.max() < least
    for place, other in resembled:
        assert isinstance(conditions[place], Interval)
        assert isinstance(conditions[other], Interval)
        assert 0 < count[place] < least <= count[other]


@_QUICK
@given(codes=st.lists(st.integers(0, 5), min_size=2, max_size=60), least=st.integers(1, 8))
def test_no_group_of_few_rows_is_left(codes: list[int], least: int) -> None:
    labels = np.array(["a", "b", "c", "d", "e", None], dtype=object)[codes]
    if len(set(codes)) < 2:
        return
    groups = Groups.from_frame({"faith": labels}, min_group_size=0)
    pooled = pooled_groups(groups, least)
    if pooled is None:
        return
    sizes = pooled["faith"].sizes
    assert all(size >= least for size in sizes.values())
    assert sum(sizes.values()) == len(codes), "what the groups leave of the whole is nobody"
    before = groups["faith"].sizes
    changed = {label for label, size in sizes.items() if before.get(label) != size}
    assert len(changed) <= 1
    assert changed <= {"(missing)", min((n, label) for label, n in before.items() if n >= least)[1]} or not changed


def test_probabilities_name_nobody() -> None:
    groups = Groups.from_probabilities({"race": {"a": [0.9, 0.2], "b": [0.1, 0.8]}}, min_group_size=0)
    assert pooled_groups(groups, 5) is not None


def test_values_that_nobody_has_stay() -> None:
    assert common_groups([("a", "z")], ["a", "b"], np.array([9, 1]), 5) == [("a", "z")]


@pytest.mark.parametrize("binner", ["optimal", "quantile", "xgb1", "optbinning"])
def test_a_model_names_no_rare_value_and_learns_nothing_of_it(binner: str) -> None:
    """The value's own outcomes change neither conditions nor the weights of evidence of other attributes."""
    place = np.arange(600)
    job = np.array(["clerk", "cook", "smith"], dtype=object)[place % 3]
    job[:3] = "envoy"
    y = (np.random.default_rng(1).random(600) < 0.3 + 0.2 * (place % 3)).astype(int)
    for outcome in (0, 1):
        y[:3] = outcome
        table = create("binner", binner).fit({"job": job}, y).binning_["job"]
        assert "envoy" not in repr(table)
        assert table.woe[table.conditions.index(Otherwise())] == 0
        assert sum(s.count for s in table.statistics) == 600


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
