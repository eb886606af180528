"""Every row takes the leaf that XGBoost sends it to, and scores what XGBoost's leaves add up to."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest
import xgboost

from scrutable.data.frames import as_table
from scrutable.errors import InputError
from scrutable.model import Interval
from scrutable.model.evaluator import evaluate
from scrutable.model.trees import Leaf, Split, splits
from scrutable.proof.edges import edge_rows
from scrutable_fairgbm.handover import xgboost_trees
from scrutable_fairgbm.handover.check import misrouted_by_xgboost
from scrutable_fairgbm.handover.xgboost_trees import clipped, from_xgboost

from .hostile import as_dmatrix, complete, ensemble, one_column, sample, xgboost_booster

OPTIONS: list[dict[str, Any]] = [
    {},
    {"max_depth": 1},
    {"max_leaves": 15, "max_depth": 8, "grow_policy": "lossguide", "max_cat_to_onehot": 1},
    {"objective": "binary:logistic", "max_bin": 16, "max_cat_to_onehot": 32},
    {"base_score": 0.0, "num_parallel_tree": 2, "subsample": 0.5},
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_no_row_is_misrouted(options: dict[str, Any], seed: int) -> None:
    rows = sample(seed, infinite=False, min_share=0.1 if seed else 0.0)
    booster = xgboost_booster(rows, **options)
    boosted = from_xgboost(booster, rows.inputs)
    model = ensemble(boosted, rows.inputs)
    edges = complete(edge_rows(model, n_random=3000, seed=seed), rows)
    for table in (edges, rows.table):
        assert misrouted_by_xgboost(booster, rows.inputs, table).tolist() == []
        score = evaluate(model, table).score
        matrix = rows.inputs.encode(table)
        theirs = booster.inplace_predict(matrix, predict_type="margin")
        largest = abs(boosted.base_score) + len(model.trees)
        assert np.abs(score - theirs).max() <= len(model.trees) * (2.0**-31 + largest * 2.0**-24)


def test_rows_that_a_dmatrix_takes_are_in_the_leaves_it_names() -> None:
    """What stands beside single-precision neighbours of every cut, in XGBoost's own numbering of the leaves."""
    rows = sample(4, infinite=False)
    booster = xgboost_booster(rows, rounds=3)
    trees = json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]["model"]["trees"]
    model = ensemble(from_xgboost(booster, rows.inputs), rows.inputs)
    table = complete(edge_rows(model, n_random=2000), rows)
    matrix = rows.inputs.encode(table)
    taken = np.flatnonzero(~(np.abs(matrix) > np.finfo(np.float32).max).any(axis=1))
    assert len(taken) > 500
    leaves = booster.predict(as_dmatrix(rows.inputs, matrix[taken]), pred_leaf=True)
    values = [np.array(tree["split_conditions"]) for tree in trees]
    expected = sum(its[leaves[:, at].astype(int)] for at, its in enumerate(values)) + 0.5
    score = evaluate(model, table.subset(taken)).score
    assert np.abs(score - expected).max() <= len(trees) * (2.0**-31 + 2.0**-26)


def test_rows_tell_a_careless_handover_from_an_exact_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = sample(0, infinite=False)
    booster = xgboost_booster(rows)
    table = complete(edge_rows(ensemble(from_xgboost(booster, rows.inputs), rows.inputs)), rows)
    assert len(misrouted_by_xgboost(booster, rows.inputs, table)) == 0
    monkeypatch.setattr(xgboost_trees, "_below", lambda threshold: [Interval(upper=threshold)])
    assert len(misrouted_by_xgboost(booster, rows.inputs, table)) > 0
    assert len(misrouted_by_xgboost(booster, rows.inputs, rows.table)) > 0  # offsets are enough


@pytest.mark.parametrize("clips", [False, True])
def test_every_threshold_with_every_default_side(clips: bool) -> None:
    """The JSON of a stump is edited, so that XGBoost asks what it would seldom come to ask in training."""
    rows = one_column(np.linspace(0, 1, 101))
    text = json.loads(xgboost_booster(rows, rounds=1, max_depth=1).save_raw("json"))
    (tree,) = text["learner"]["gradient_booster"]["model"]["trees"]
    largest = float(np.finfo(np.float32).max)
    singles = np.array([0.0, 1e-45, -1e-45, 1e-38, 0.1, -0.1, 1000.1, 1e6 + 0.1, 16777217, largest, -largest])
    singles = singles.astype(np.float32)
    cuts = [*singles, *np.nextafter(singles[:-2], np.float32(np.inf)), np.float32(np.inf), np.float32(-np.inf)]
    near = np.array([float(cut) for cut in cuts if np.isfinite(cut)])
    halves = (near - np.nextafter(near.astype(np.float32), np.float32(0)).astype(float)) / 2
    values = np.concatenate([near, near + halves, near - halves, [np.inf, -np.inf, 2.0**128, 1.79e308, -1e300, 5e-324]])
    values = np.unique([values, np.nextafter(values, np.inf), np.nextafter(values, -np.inf)])
    table = as_table({"x": [*values.tolist(), -0.0, None]})
    matrix = clipped(rows.inputs.encode(table)) if clips else rows.inputs.encode(table)
    for cut, default_left in itertools.product(cuts, range(2)):
        tree["split_conditions"][0], tree["default_left"][0] = float(cut), default_left
        booster = xgboost.Booster(model_file=bytearray(json.dumps(text).encode()))
        boosted = from_xgboost(booster, rows.inputs, clips=clips)
        theirs = booster.inplace_predict(matrix, predict_type="margin")
        score = evaluate(ensemble(boosted, rows.inputs), table).score
        assert np.abs(score - theirs).max() <= 2.0**-23, (cut, default_left)


def test_a_split_that_no_number_passes_is_left_out() -> None:
    rows = one_column([*np.linspace(0, 1, 101)])
    text = json.loads(xgboost_booster(rows, rounds=1, max_depth=1).save_raw("json"))
    (tree,) = text["learner"]["gradient_booster"]["model"]["trees"]
    tree["split_conditions"][0] = -np.inf
    found = {}
    for default_left in (0, 1):
        tree["default_left"][0] = default_left
        booster = xgboost.Booster(model_file=bytearray(json.dumps(text).encode()))
        (found[default_left],) = from_xgboost(booster, rows.inputs).trees
    assert isinstance(found[0], Leaf)
    assert isinstance(found[1], Split)
    assert found[1].when.describe() == "x is missing"


def test_categories_of_each_kind_of_split_are_named() -> None:
    rows = sample(1, infinite=False)
    for most in (1, 32):  # a set of categories, or one against the others
        booster = xgboost_booster(rows, rounds=20, max_cat_to_onehot=most)
        clauses = [s.when for tree in from_xgboost(booster, rows.inputs).trees for s in splits(tree)]
        named = [len(clause.any_of[0].values) for clause in clauses if hasattr(clause.any_of[0], "values")]
        assert named
        assert max(named) == 1 if most == 32 else max(named) > 1


def test_the_first_trees_and_the_base_score() -> None:
    rows = sample(2, infinite=False)
    booster = xgboost_booster(rows, objective="binary:logistic", base_score=0.2)
    part = from_xgboost(booster, rows.inputs, n_trees=4)
    assert part.trees == from_xgboost(booster, rows.inputs).trees[:4]
    assert part.base_score == pytest.approx(np.log(0.25), abs=1e-6)
    assert from_xgboost(xgboost_booster(rows, base_score=-3.5), rows.inputs).base_score == -3.5


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (
            {"booster": "gblinear", "tree_method": None, "max_depth": None, "min_child_weight": None},
            "booster: not a sum of trees; got 'gblinear'",
        ),
        ({"booster": "dart"}, "booster: not a sum of trees; got 'dart'"),
        ({"objective": "multi:softprob", "num_class": 2}, "booster: several scores"),
        ({"objective": "count:poisson"}, "booster: the link of the objective is not known; got 'count:poisson'"),
    ],
)
def test_other_boosters_are_refused(options: dict[str, Any], error: str) -> None:
    rows = one_column(np.linspace(0, 1, 50))
    booster = xgboost_booster(rows, rounds=1, **options)
    with pytest.raises(InputError, match=error):
        from_xgboost(booster, rows.inputs)
