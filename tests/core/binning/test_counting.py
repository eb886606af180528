"""Tables from counts by bucket are those of the rows, wherever the cuts are."""

from __future__ import annotations

import numpy as np
import pytest

from scrutable import create
from scrutable.binning import Bins
from scrutable.data.groups import Groups
from scrutable.model import Feature
from scrutable.model.evaluator import assign

N = 40_000


@pytest.fixture(scope="module")
def rows() -> dict[str, np.ndarray]:
    draw = np.random.default_rng(11)
    income = np.where(draw.random(N) < 0.03, np.nan, draw.lognormal(10, 1, N))
    income[draw.random(N) < 0.02] = -9.0
    return {"income": income, "good": draw.random(N) < 0.7, "weight": draw.integers(0, 3, N) / 4, "sex": draw.random(N)}


@pytest.mark.parametrize("cuts", [(10_000.0, 20_000.0), (9_912.123, 10_000.001, 51_234.5), ()])
def test_tables_of_any_cuts_are_those_of_the_rows(rows: dict[str, np.ndarray], cuts: tuple[float, ...]) -> None:
    binner = create("binner", "quantile", special_codes={"income": [-9.0]})
    sex = Groups.from_frame({"sex": np.where(rows["sex"] < 0.4, "f", "m")})
    data = binner.read({"income": rows["income"]}, rows["good"], sample_weight=rows["weight"], sensitive_features=sex)
    counter = binner.started(data).counters["income"]
    table = counter.table(
        Bins(feature=Feature(name="income", kind="numeric", special_codes=(-9.0,)), nominal=False, cuts=cuts)
    )
    place = assign(table.conditions, table.feature, data.columns["income"])
    for at, statistics in enumerate(table.statistics):
        inside = place == at
        assert statistics.count == rows["weight"][inside].sum()
        assert statistics.good == rows["weight"][inside & rows["good"]].sum()
    assert (counter.attributes(table) == place).all()
    (groups,) = counter.by_group(table)
    for group, label in enumerate(groups.attribute.labels):
        own = rows["weight"] * ((rows["sex"] < 0.4) == (label == "f"))
        assert groups.rows[:, group].tolist() == np.bincount(place, own, len(table.conditions)).tolist()
        bad = np.bincount(place, own * ~rows["good"], len(table.conditions))
        assert groups.bad[:, group].tolist() == bad.tolist()
