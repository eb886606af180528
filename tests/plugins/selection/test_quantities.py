"""Selection for a quantity: what leaves and what stays, what is refused, and where it is told."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from scrutable import create
from scrutable.binning import BinEdit
from scrutable.cli.app import app
from scrutable.errors import InputError
from scrutable.model import load_evidence
from scrutable.plugins import Selection


def invoke(*arguments: object) -> Any:
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, [str(each) for each in arguments])


NAMES = ["strong", "middle", "copy", "weak"]


def drawn(noise: int = 8, rows: int = 2_000, seed: int = 0) -> tuple[pd.DataFrame, Any]:
    """A loss that four characteristics tell, one of them a copy of another, and noise does not."""
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame({name: draw.integers(0, 6, rows).astype(float) for name in NAMES})
    frame["copy"] = frame["middle"] * 10
    for at in range(noise):
        frame[f"noise{at}"] = draw.normal(size=rows)
    loss = 0.2 * frame["strong"] + 0.1 * frame["middle"] + 0.05 * frame["weak"] + draw.normal(0, 0.5, rows)
    return frame, loss.clip(lower=0.0)


def fitted(select: Any, X: pd.DataFrame, y: Any, *edits: BinEdit) -> Any:
    binner = create("binner", "optimal", edits=edits)
    return create("learner", "scorecard-regressor", select=select, binner=binner).fit(X, y)


def selected(select: Any, X: pd.DataFrame, y: Any, *edits: BinEdit) -> Selection:
    chosen = Selection.of(fitted(select, X, y, *edits).evidence_)
    assert chosen is not None
    return chosen


@pytest.mark.parametrize("select", ["standard", "stepwise", "best-subset:most=3", "group-penalty"])
def test_what_tells_stays_and_copies_and_noise_leave(select: str) -> None:
    chosen = selected(select, *drawn())
    assert {"strong", "middle", "weak"} <= {*chosen.kept}
    assert "copy" not in chosen.kept
    [copy] = [entry for entry in chosen.log if entry.feature == "copy"]
    assert (copy.step, copy.other) == ("copy", "middle")


def test_columns_of_noise_alone_leave() -> None:
    kept = []
    for seed in range(4):
        X, _ = drawn(noise=30, seed=seed)
        y = np.random.default_rng(100 + seed).exponential(size=len(X))
        kept.append(len(selected("standard", X.drop(columns=NAMES), y).kept))
    assert np.median(kept) <= 2, kept


def test_the_best_subset_is_that_of_all_sets() -> None:
    X, y = drawn(noise=3)
    X = X.drop(columns="copy")
    chosen = selected("best-subset:most=2,positive=true", X, y)
    explained = {
        pair: fitted(None, X[list(pair)], y).score(X[list(pair)], y) for pair in itertools.combinations(X.columns, 2)
    }
    assert chosen.kept == max(explained, key=lambda pair: explained[pair])


def test_lists_and_decisions_by_hand_hold() -> None:
    X, y = drawn(noise=2)
    by_hand = BinEdit(feature="strong", action="select", stays="never", who="ana", why="volatile")
    learner = fitted("standard:must=noise0,never=weak", X, y, by_hand)
    chosen = Selection.of(learner.evidence_)
    assert chosen is not None
    assert chosen.kept == ("middle", "noise0")
    steps = {entry.feature: entry.step for entry in chosen.dropped}
    assert (steps["strong"], steps["weak"]) == ("by hand", "never")
    assert {each.feature for each in learner.model_.characteristics} <= {*chosen.kept}
    trail = [(each["feature"], each["action"]) for each in learner.evidence_.binning["audit"]]
    assert ("strong", "select") in trail
    assert ("weak", "left out") in trail
    assert set(learner.evidence_.metrics["coefficients"]) == {*chosen.kept}


def test_what_needs_classes_is_refused() -> None:
    X, y = drawn(noise=0)
    with pytest.raises(InputError, match=r"the selector needs two classes; got 'iv'.*standard"):
        fitted("iv", X, y)
    for option in ("floor=0.1", "ceiling=2", "marginal=0.01"):
        with pytest.raises(InputError, match="a quantity has no information values"):
            fitted(f"standard:{option}", X, y)


def test_none_keeps_all_and_tells_of_no_selection() -> None:
    learner = fitted(None, *drawn(noise=1))
    assert Selection.of(learner.evidence_) is None
    assert len(learner.model_.characteristics) == 5


def test_a_fit_tells_the_selection_as_for_classes(tmp_path: Path) -> None:
    X, y = drawn(noise=3)
    X.assign(loss=y).to_csv(tmp_path / "losses.csv", index=False)
    model, beside, page = (tmp_path / name for name in ("model.json", "evidence.json", "report.html"))
    options = ("--learner", "scorecard-regressor", "--option", "select=standard", "-o", model, "--evidence", beside)
    result = invoke("fit", tmp_path / "losses.csv", "--target", "loss", *options)
    assert result.exit_code == 0, result.output
    assert "Selection by standard: " in result.output
    assert Selection.of(load_evidence(beside)) is not None
    shown = invoke("show", model, "--evidence", beside)
    assert "Selection by standard: " in shown.output
    report = invoke("report", model, "--evidence", beside, "-o", page)
    assert report.exit_code == 0, report.output
    assert "Selection of characteristics" in page.read_text()
