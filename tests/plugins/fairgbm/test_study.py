"""One training run: what rows are weighed by, and what the booster draws."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scrutable.data.training import read_training
from scrutable.model.trees import Node
from scrutable_fairgbm.handover.inputs import booster_inputs
from scrutable_fairgbm.options import BoosterOptions, TreeOptions
from scrutable_fairgbm.row_sets import training_rows
from scrutable_fairgbm.study import Plan, run

PLAN = Plan(
    backend="lightgbm",
    method="signed",
    proxy="cross-entropy",
    multiplier_rate=0.1,
    n_rounds=1,
    operating=None,
    early_stopping=None,
    stopping_metric="log-loss",
    trees=TreeOptions(max_leaves=4, seed=2**31 - 1),
    verbose=0,
)


def data() -> Any:
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 3))
    return read_training(X, (X.sum(axis=1) + random.normal(size=400) > 0).astype(int))


def trees(plan: Plan) -> tuple[Node, ...]:
    rows = data()
    inputs = booster_inputs(rows.features, rows.columns)
    return run(plan, inputs, training_rows(rows, inputs, None), None, (), (1.0, 1.0), 0.0, {}).boosted.trees


@pytest.mark.parametrize("backend", ["lightgbm", "xgboost"])
@pytest.mark.parametrize("drawn", [{"subsample": 0.5}, {"colsample": 0.4}], ids=str)
def test_a_warm_start_does_not_draw_the_same_again(backend: str, drawn: dict[str, float]) -> None:
    plan = replace(PLAN, backend=backend, trees=replace(PLAN.trees, booster=BoosterOptions(**drawn)))
    after = [trees(replace(plan, trees_before=count)) for count in range(6)]
    assert after[0] == trees(plan)
    assert any(each != after[0] for each in after[1:])


@pytest.mark.parametrize("backend", ["lightgbm", "xgboost"])
def test_without_draws_it_is_the_same_tree(backend: str) -> None:
    plan = replace(PLAN, backend=backend)
    assert trees(plan) == trees(replace(plan, trees_before=5))
