"""Bounds and gaps are read from counts: as from the rows, whatever their order and however they are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.data.datasets import make_credit
from scrutable.fairness import Groups
from scrutable.measures.numerics import information_value
from scrutable.model import dumps
from scrutable_lda_xgb1.contrast import contrasts_of
from scrutable_lda_xgb1.learner import LDAXGB1Classifier
from scrutable_lda_xgb1.options import MergeOptions
from scrutable_lda_xgb1.study import Study

DATA = make_credit(3000, seed=5)


def probable_groups(rows: Any = slice(None)) -> Groups:
    share = np.random.default_rng(0).integers(0, 1025, len(DATA.y))[rows] / 1024
    return Groups.from_probabilities({"race": pd.DataFrame({"a": share, "b": 1 - share})})


@pytest.mark.parametrize("rows", ["all", "events"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("probable", [False, True])
def test_sides_of_a_contrast_are_sums_over_rows(rows: str, weighted: bool, probable: bool) -> None:
    weight = np.random.default_rng(1).uniform(0.2, 3, len(DATA.y)) if weighted else None
    groups = probable_groups() if probable else DATA.sensitive_features.iloc[:, :1]
    learner = LDAXGB1Classifier(special_codes=DATA.special_codes, favourable=DATA.favourable)
    data = learner.read(DATA.X, DATA.y, sensitive_features=groups, sample_weight=weight)
    widest = create("constraint", "fairness-information-value", bound=1e300, rows=rows)
    contrasts = contrasts_of(learner.bounds(widest, data), data)
    assert contrasts
    merged = Study.of(data, create("binner", "xgb1", n_estimators=60), contrasts, MergeOptions(max_bins=4)).merged()
    attribute = data.groups.attributes[0]
    counted = data.weight * data.good if rows == "events" else data.weight
    for binned in merged.binned:
        index = binned.table.index(data.columns[binned.table.feature.name])
        for contrast in contrasts:
            sides = [attribute.labels.index(label.strip()) for label in contrast.name.split(":")[1].split("/")]
            naive = [np.bincount(index, counted * attribute.membership[:, at], len(index)) for at in sides]
            for side, expected in zip(contrast.sides(binned.counted), naive, strict=True):
                assert side == pytest.approx(expected[: len(side)], abs=1e-9)
            assert contrast.fiv(binned.counted) == pytest.approx(information_value(*naive, zero="inf"), rel=1e-9)


@pytest.mark.parametrize("probable", [False, True])
def test_order_and_copies_of_rows_change_no_bit(probable: bool) -> None:
    rng = np.random.default_rng(2)
    weight = rng.integers(1, 4, len(DATA.y))
    copies = rng.permutation(np.repeat(np.arange(len(DATA.y)), weight))
    models = []
    for rows, weights in ((np.arange(len(DATA.y)), weight), (copies, None)):
        bound = create("constraint", "fairness-information-value", bound=0.05)
        learner = LDAXGB1Classifier(constraints=bound, special_codes=DATA.special_codes, favourable=DATA.favourable)
        X, y, groups = (each.iloc[rows].reset_index(drop=True) for each in (DATA.X, DATA.y, DATA.sensitive_features))
        groups = probable_groups(rows) if probable else groups
        models.append(learner.fit(X, y, sensitive_features=groups, sample_weight=weights).model_)
    told = [
        [(c.feature, [(a.condition, a.points) for a in c.attributes]) for c in each.characteristics] for each in models
    ]
    assert told[0] == told[1]
    assert len(told[0]) > 3


def test_every_order_of_rows_gives_the_same_search() -> None:
    order, made = np.random.default_rng(3).permutation(len(DATA.y)), []
    sweep = {"bounds": [0.05], "budgets": [0.1], "gap_shares": [1.0, 0.4]}
    for rows in (np.arange(len(DATA.y)), order):
        learner = LDAXGB1Classifier(sweep=sweep, special_codes=DATA.special_codes, favourable=DATA.favourable)
        X, y, groups = (each.iloc[rows].reset_index(drop=True) for each in (DATA.X, DATA.y, DATA.sensitive_features))
        made.append([dumps(each.model) for each in learner.alternatives(X, y, sensitive_features=groups)])
    assert made[0] == made[1]
