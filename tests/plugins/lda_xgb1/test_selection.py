"""Learner lda-xgb1 with a selector: what stays within bounds, in alternatives, and what is told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.binning import BinEdit
from scrutable.plugins import Selection

ROWS = 3_000


def drawn() -> tuple[pd.DataFrame, Any, pd.DataFrame]:
    draw = np.random.default_rng(2)
    sex = draw.choice(["f", "m"], ROWS)
    X = pd.DataFrame(draw.normal(size=(ROWS, 6))).add_prefix("noise")
    X["income"] = draw.normal(size=ROWS) + 0.5 * (sex == "m")
    X["debt"] = draw.normal(size=ROWS)
    odds = X["income"] - 0.7 * X["debt"]
    return X, np.where(draw.random(ROWS) < 1 / (1 + np.exp(-odds)), "paid", "unpaid"), pd.DataFrame({"sex": sex})


def fitted(select: Any, **options: Any) -> Any:
    X, y, groups = drawn()
    return create("learner", "lda-xgb1", select=select, **options).fit(X, y, sensitive_features=groups)


def selection(evidence: Any) -> Selection:
    chosen = Selection.of(evidence)
    assert chosen is not None
    return chosen


def test_noise_leaves_and_is_told_beside_what_bounds_leave_out() -> None:
    assert Selection.of(fitted(None).evidence_) is None
    bound = create("constraint", "fairness-information-value", bound=0.1)
    learner = fitted("standard", constraints=[bound])
    chosen = selection(learner.evidence_)
    assert {"income", "debt"} <= {*chosen.kept}
    assert len(chosen.kept) <= 4
    assert {each.feature for each in learner.model_.characteristics} == {*chosen.kept}
    metrics = learner.evidence_.metrics
    assert max(metrics["fairness_information_value"].values()) <= 0.1
    assert not {*metrics["left_out"]} & {entry.feature for entry in chosen.dropped}
    trail = {each["feature"] for each in learner.evidence_.binning["audit"] if each["action"] == "left out"}
    assert trail == {entry.feature for entry in chosen.dropped}


def test_every_alternative_is_of_what_was_selected() -> None:
    X, y, groups = drawn()
    sweep = {"bounds": (0.02,), "budgets": (), "gap_shares": (1.0, 0.5)}
    learner = create("learner", "lda-xgb1", select="iv:floor=0.1", sweep=sweep)
    made = list(learner.alternatives(X, y, sensitive_features=groups))
    assert {each.method for each in made} == {"baseline", "fiv-bound", "score-gap"}
    for each in made:
        assert {one.feature for one in each.model.characteristics} <= {"income", "debt"}
        assert selection(each.evidence).kept == ("income", "debt")


def test_lists_may_name_what_the_bounds_left_out() -> None:
    bound = create("constraint", "fairness-information-value", bound=0.02)
    learner = fitted("standard:never=income,must=noise1", constraints=[bound])
    assert "income" not in selection(learner.evidence_).kept
    assert "noise1" in selection(learner.evidence_).kept
    learner = fitted("standard:must=income", constraints=[bound])
    assert "income" not in selection(learner.evidence_).kept  # it breaks the bound, whoever asks for it


def test_noise_leaves_though_stumps_looked_for_its_cuts() -> None:
    kept = []
    for seed, columns in ((0, 8), (1, 8), (2, 40), (3, 40)):
        draw = np.random.default_rng(seed)
        X, y = pd.DataFrame(draw.normal(size=(ROWS, columns))).add_prefix("x"), draw.integers(0, 2, ROWS)
        learner = create("learner", "lda-xgb1", select="standard", favourable=1, explainer=None)
        kept.append(len(selection(learner.fit(X, y).evidence_).kept))
    assert np.mean(kept) <= 3, kept


@pytest.mark.parametrize(("stays", "there"), [("must", True), ("never", False)])
def test_decisions_by_hand_hold(stays: Any, there: bool) -> None:
    edit = BinEdit(feature="noise0", action="select", stays=stays, who="ana", why="asked for")
    for select in ("standard", None):
        chosen = selection(fitted(select, binner=create("binner", "xgb1", edits=[edit])).evidence_)
        assert ("noise0" in chosen.kept) is there
