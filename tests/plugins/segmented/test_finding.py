"""Segments are found where slopes differ, refused where they do not, and their conditions feed the learner."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable.data import DataConfig
from scrutable.errors import InputError
from scrutable_segmented.finding import FoundSegments, HeldOutGain, _chosen, find_segments
from scrutable_segmented.learner import SegmentedClassifier
from scrutable_segmented.tree import _fitted, _gain, grown, segments_of

CONFIG = DataConfig(target="bad", favourable=0)
QUICK: dict[str, Any] = {"splits": 3, "options": {"binner": "quantile"}, "leaves": 3}


def applicants(seed: int, *, apart: bool, n: int = 3000) -> pd.DataFrame:
    """Two kinds of applicants; where they are apart, a and b mean something else to either, and the odds are alike."""
    chance = np.random.default_rng(seed)
    new = chance.random(n) < 0.4
    a, b, c = chance.normal(size=(3, n))
    odds = -1.2 + np.where(new & apart, -1.5 * a + 0.2 * b, 0.6 * a + 1.2 * b)
    bad = chance.random(n) < 1 / (1 + np.exp(-odds))
    kind = np.where(new, 'new "to" us', "known")
    return pd.DataFrame({"a": a, "b": b, "a column": c, "kind": kind, "bad": bad.astype(int)})


def test_segments_are_found_where_characteristics_mean_something_else() -> None:
    found = find_segments(applicants(1, apart=True), CONFIG, **QUICK)
    assert len(found.segments) == 2
    assert list(found.segments.values())[-1] == "else"
    assert next(iter(found.segments.values())).startswith("kind = ")
    assert found.gains[0].clear
    assert found.gains[0].auc > 0.05
    assert "2 segments with cards of their own gain 0." in found.in_words()
    json.dumps(found.to_dict())


@pytest.mark.parametrize("seed", [2, 3])
def test_one_card_is_enough_where_they_mean_the_same(seed: int) -> None:
    found = find_segments(applicants(seed, apart=False), CONFIG, **QUICK)
    assert found.segments == {}
    assert found.in_words().startswith("one card is enough")


@pytest.mark.filterwarnings("ignore:column 'kind'. every value is")
def test_the_conditions_are_those_of_the_learner() -> None:
    frame = applicants(1, apart=True)
    good = (frame["bad"] == 0).to_numpy()
    X = frame.drop(columns="bad")
    trees = grown(X, good, np.ones(len(X)), frame["bad"].to_numpy(), 0, leaves=4, least=100)
    assert [len(tree) for tree in trees] == list(range(1, len(trees) + 1))
    assert len(trees) > 2
    segments = segments_of(trees[-1])
    cards = SegmentedClassifier(segments=segments, options={"binner": "quantile"}, favourable=0)
    told: Any = cards.fit(X, frame["bad"]).evidence_.metrics["segments"]
    assert list(told) == list(segments)
    assert sum(each["rows"] for each in told.values()) == len(X)
    for each in told.values():
        goods = each["good_rate"] * each["rows"]
        assert min(goods, each["rows"] - goods) >= 100 - 1e-6


def test_the_quick_gain_is_near_that_of_fits_of_either_side() -> None:
    chance = np.random.default_rng(5)
    x = np.column_stack([np.ones(20_000), chance.normal(size=20_000)])
    side = chance.random(20_000) < 0.5
    good = chance.random(20_000) < 1 / (1 + np.exp(-(0.5 + np.where(side, 0.6, 0.4) * x[:, 1])))
    weight = np.ones(len(good))
    left_over, curvature = _fitted(x, good, weight)
    quick = 0.0
    for part in (side, ~side):
        own = x[part]
        quick += _gain(own.T @ left_over[part], own.T @ (curvature[part][:, np.newaxis] * own))

    def likelihood(rows: Any) -> float:
        rest, _ = _fitted(x[rows], good[rows], weight[rows])
        return float(np.log(1 - np.abs(rest)).sum())

    exact = likelihood(side) + likelihood(~side) - likelihood(side | ~side)
    assert quick == pytest.approx(exact, rel=0.1)
    assert exact > 5


def test_fewest_leaves_within_an_error_of_the_best_are_chosen_and_none_without_a_clear_gain() -> None:
    def gain(leaves: int, auc: float, log_loss: float) -> HeldOutGain:
        return HeldOutGain(leaves=leaves, auc=auc, auc_error=0.01, log_loss=log_loss, log_loss_error=0.002)

    assert _chosen([gain(2, 0.02, 0.010), gain(3, 0.03, 0.011), gain(4, 0.03, 0.0125)]) == 3
    assert _chosen([gain(2, 0.02, 0.001), gain(3, 0.005, 0.011)]) is None


def test_numbers_that_are_none_are_refused() -> None:
    frame = applicants(1, apart=False, n=200)
    for option in ({"leaves": 1}, {"splits": 1}, {"least": 1}):
        with pytest.raises(InputError, match=next(iter(option))):
            find_segments(frame, CONFIG, **option)  # type: ignore[arg-type]


def test_the_same_rows_give_the_same_result() -> None:
    frame = applicants(4, apart=True, n=1500)
    one, two = (find_segments(frame, CONFIG, **QUICK) for _ in range(2))
    assert isinstance(one, FoundSegments)
    assert one.to_dict() == two.to_dict()


def coded(seed: int, n: int = 3000) -> pd.DataFrame:
    """Applicants without a file, whose months are -9, for whom `a` means something else."""
    frame = applicants(seed, apart=True, n=n)
    months = np.random.default_rng(seed).integers(1, 120, n)
    return frame.assign(months=np.where(frame.pop("kind") == "known", months, -9))


def test_special_codes_are_segments_and_no_numbers() -> None:
    found = find_segments(coded(1), CONFIG, special_codes={"months": [-9]}, **QUICK)
    assert next(iter(found.segments.values())) == "months is special [-9.0]"
    assert found.gains[0].clear
