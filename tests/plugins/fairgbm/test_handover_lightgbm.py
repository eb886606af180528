"""Every row takes the leaf that LightGBM sends it to, and scores what LightGBM's leaves add up to."""

from __future__ import annotations

import itertools
import re
from typing import Any

import lightgbm
import numpy as np
import pytest

from scrutable.data.frames import as_table
from scrutable.errors import InputError
from scrutable.model import Categories, Feature, Interval, Special
from scrutable.model.evaluator import evaluate
from scrutable.model.trees import Leaf, Split, splits
from scrutable.proof.edges import edge_rows
from scrutable_fairgbm.handover import lightgbm_trees
from scrutable_fairgbm.handover.check import misrouted_by_lightgbm
from scrutable_fairgbm.handover.inputs import booster_inputs
from scrutable_fairgbm.handover.lightgbm_trees import from_lightgbm

from .hostile import TINY, ZERO, Sample, complete, ensemble, lightgbm_booster, one_column, sample

OPTIONS: list[dict[str, Any]] = [
    {},
    {"zero_as_missing": True, "max_bin": 15},
    {"use_missing": False, "objective": "binary"},
    {"objective": "binary", "num_leaves": 2},
    {"max_bin": 63, "max_cat_to_onehot": 32, "boosting": "dart"},
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_no_row_is_misrouted(options: dict[str, Any], seed: int) -> None:
    rows = sample(seed, min_share=0.1 if seed else 0.0)
    booster = lightgbm_booster(rows, **options)
    model = ensemble(from_lightgbm(booster, rows.inputs), rows.inputs)
    for each in (complete(edge_rows(model, n_random=3000, seed=seed), rows), rows.table):
        assert misrouted_by_lightgbm(booster, rows.inputs, each).tolist() == []
        score = evaluate(model, each).score
        theirs = booster.predict(rows.inputs.encode(each), raw_score=True)
        assert np.abs(score - theirs).max() <= booster.num_trees() * 2.0**-31


def test_rows_tell_a_careless_handover_from_an_exact_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = sample(0)
    booster = lightgbm_booster(rows)
    table = complete(edge_rows(ensemble(from_lightgbm(booster, rows.inputs), rows.inputs)), rows)
    assert len(misrouted_by_lightgbm(booster, rows.inputs, table)) == 0

    def as_written(threshold: float, decision: int) -> tuple[list[Interval], bool]:
        return [Interval(upper=threshold, closed="right")], bool(decision & 2)

    monkeypatch.setattr(lightgbm_trees, "_left", as_written)
    assert len(misrouted_by_lightgbm(booster, rows.inputs, table)) > 0


def test_every_threshold_with_every_missing_type() -> None:
    """The text of a stump is edited, so that LightGBM asks what it would seldom come to ask in training."""
    rows = one_column(np.linspace(0, 1, 101))
    text = re.sub(r"tree_sizes=.*\n", "", lightgbm_booster(rows, rounds=1, num_leaves=2).model_to_string())
    assert text.count("\ndecision_type=") == 1
    cuts = [*TINY, 0.5, -0.5, 1e300, -1e300, 1000.1, 2 * ZERO, -2 * ZERO]
    cuts += [float(np.nextafter(cut, side)) for cut in cuts for side in (np.inf, -np.inf)]
    values = np.unique([*cuts, np.inf, -np.inf, *np.nextafter(cuts, np.inf), *np.nextafter(cuts, -np.inf)])
    table = as_table({"x": [*values.tolist(), -0.0, None]})
    for cut, missing_type, default_left in itertools.product(cuts, range(3), range(2)):
        edited = re.sub(r"\nthreshold=.*", f"\nthreshold={float(cut)!r}", text)
        edited = re.sub(r"\ndecision_type=.*", f"\ndecision_type={2 * default_left + 4 * missing_type}", edited)
        booster = lightgbm.Booster(model_str=edited)
        assert misrouted_by_lightgbm(booster, rows.inputs, table).tolist() == [], (cut, missing_type, default_left)


def test_special_codes_stay_on_the_side_of_their_numbers() -> None:
    rows = sample(1)
    booster = lightgbm_booster(rows, rounds=30)
    found = {"months": 0, "job": 0, "region": 0}
    for tree in from_lightgbm(booster, rows.inputs).trees:
        for split in splits(tree):
            for condition in split.when.any_of:
                found[split.when.feature] = found.get(split.when.feature, 0) + isinstance(condition, Special)
    assert all(found[name] for name in ("months", "job", "region"))
    assert sum(found.values()) == found["months"] + found["job"] + found["region"]


def test_a_rare_category_goes_where_others_go() -> None:
    """Rare categories share a number, on whichever side it is; the clause names the categories of the other side."""
    jobs = ["clerk"] * 40 + ["cook"] * 40 + ["smith", "judge"] * 3
    label = np.array([1.0] * 40 + [0.0] * 40 + [1.0] * 6)
    table = as_table({"job": jobs})
    inputs = booster_inputs([Feature(name="job", kind="categorical")], {"job": table.column("job")}, min_share=0.1)
    rows = Sample(table, inputs, inputs.encode(table), label)
    booster = lightgbm_booster(rows, rounds=1, num_leaves=2, objective="binary", max_cat_to_onehot=1)
    (tree,) = from_lightgbm(booster, inputs).trees
    assert isinstance(tree, Split)
    (named, *_) = tree.when.any_of
    assert named == Categories(("cook",))
    later = as_table({"job": [*jobs, "never seen", "", None]})
    assert misrouted_by_lightgbm(booster, inputs, later).tolist() == []


def test_a_tree_without_a_split_is_a_leaf() -> None:
    rows = one_column(np.zeros(50))
    rows.label[:] = np.arange(50) % 2
    booster = lightgbm_booster(rows, rounds=2, objective="binary")
    assert from_lightgbm(booster, rows.inputs).trees == (Leaf(0.0),) * booster.num_trees()
    assert misrouted_by_lightgbm(booster, rows.inputs, rows.table).tolist() == []


def test_the_first_trees_and_an_initial_score() -> None:
    rows = sample(2)
    booster = lightgbm_booster(rows)
    whole = from_lightgbm(booster, rows.inputs)
    part = from_lightgbm(booster, rows.inputs, base_score=0.25, n_trees=4)
    assert part.trees == whole.trees[:4]
    assert (whole.base_score, part.base_score) == (0.0, 0.25)
    score = evaluate(ensemble(part, rows.inputs), rows.table).score
    theirs = booster.predict(rows.matrix, raw_score=True, num_iteration=4)
    assert np.abs(score - 0.25 - theirs).max() <= 4 * 2.0**-31


@pytest.mark.parametrize(
    ("options", "got"),
    [
        ({"objective": "multiclass", "num_class": 2}, "several scores"),
        ({"objective": "binary", "boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.5}, "averaged trees"),
        ({"objective": "regression", "linear_tree": True}, "linear models in the leaves"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_other_boosters_are_refused(options: dict[str, Any], got: str) -> None:
    rows = one_column(np.linspace(0, 1, 200))
    booster = lightgbm_booster(rows, rounds=1, **options)
    with pytest.raises(InputError, match=f"booster: not a sum of trees with constant leaves; got {got!r}"):
        from_lightgbm(booster, rows.inputs)
