"""Boosted stumps are handed over as a scorecard that says the same, bit for bit, in every row."""

from __future__ import annotations

from itertools import pairwise

import pytest

from scrutable.certificate.edge_rows import edge_rows
from scrutable.model import Interval
from scrutable.model.evaluator import differences, evaluate
from scrutable.stepwise import scorecard_of
from scrutable_fairgbm.handover.lightgbm_trees import from_lightgbm
from scrutable_fairgbm.handover.xgboost_trees import from_xgboost

from .hostile import ensemble, lightgbm_booster, sample, xgboost_booster


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
