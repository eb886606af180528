"""Boosted stumps are handed over as a scorecard that says the same, bit for bit, in every row."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.model import Interval
from scrutable.model.evaluator import differences, evaluate
from scrutable.model.stepwise import scorecard_of
from scrutable.proof.edges import edge_rows
from scrutable_fairgbm.handover.lightgbm_trees import from_lightgbm
from scrutable_fairgbm.handover.xgboost_trees import from_xgboost

from .hostile import ensemble, lightgbm_booster, sample, sample_of, xgboost_booster


def test_stumps_between_odd_values_have_intervals_of_one_kind_and_the_digits_of_the_sql() -> None:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"x": rng.integers(0, 60, 400) / 7, "whole": rng.integers(0, 20, 400).astype(float)})
    rows = sample_of(frame, (frame["x"] + frame["whole"] / 4 + rng.normal(size=400) > 6).to_numpy())
    boosted = from_lightgbm(lightgbm_booster(rows, rounds=60, num_leaves=2), rows.inputs)
    card = scorecard_of(ensemble(boosted, rows.inputs))
    sql = "".join(create("exporter", "sql").export(card).files.values())
    kinds = {}
    for item in card.characteristics:
        titles = item.titles[:-1]
        assert len(titles) > 3
        [kinds[item.feature]] = {words[0] + words[-1] for words in titles[1:-1]}
        assert titles[0].startswith("<=") == (kinds[item.feature] == "(]") == (not titles[-1].startswith(">="))
        for words, condition in zip(titles[:-1], item.conditions, strict=False):
            assert isinstance(condition, Interval)
            assert words in sql
            assert f"{condition.upper!r}" in sql
            assert kinds[item.feature] == "(]" or f"{condition.upper!r}" in words
    assert kinds == {"x": "[)", "whole": "(]"}


@pytest.mark.parametrize("seed", range(3))
def test_boosted_stumps_are_the_scorecard(seed: int) -> None:
    rows, finite = sample(seed), sample(seed, infinite=False)
    ours = from_lightgbm(lightgbm_booster(rows, rounds=60, num_leaves=2), rows.inputs, base_score=-0.3)
    theirs = from_xgboost(xgboost_booster(finite, rounds=60, max_depth=1), finite.inputs)
    for boosted, its in ((ours, rows), (theirs, finite)):
        forest = ensemble(boosted, its.inputs)
        card = scorecard_of(forest)
        for found in (its.table, edge_rows(forest, seed=seed)):
            assert differences(evaluate(forest, found).frame(), evaluate(card, found).frame(), ulp=0) == {}
        assert len(card.characteristics) > 4
        for characteristic in card.characteristics:
            intervals = [a for a in characteristic.attributes if isinstance(a.condition, Interval)]
            assert all(a.points != b.points for a, b in pairwise(intervals))
