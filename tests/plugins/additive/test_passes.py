"""Rows are read in passes: chunks change no bit, scores of a card are those of the evaluator, figures keep bounds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss, roc_auc_score
from tests.plugins.additive.problems import in_memory
from tests.plugins.additive.test_improving import CREDIT, X, Y, old
from tests.plugins.additive.test_improving import learned as improving
from tests.plugins.additive.test_pairs import CROSSED
from tests.plugins.additive.test_pairs import learned as pairing

from scrutable.data import CodedArrays, coded_rows, read_training, whole_sums
from scrutable.model import dumps
from scrutable.model.evaluator import evaluate
from scrutable_additive.learner import AdditiveClassifier
from scrutable_additive.measuring import OddsMeasure
from scrutable_additive.recoded import Coded, Crossed, Merged, recoded
from scrutable_additive.regressor import AdditiveRegressor
from scrutable_additive.standing import Standing

FITS = {
    "pairs": lambda: pairing(*CROSSED, pairs=3),
    "improves": lambda: improving(old("income", "bureau_score"), pairs=1),
    "small": lambda: AdditiveClassifier(favourable=CREDIT.favourable, max_points=3, max_steps=8).fit(X[:900], Y[:900]),
    "weights": lambda: AdditiveClassifier(favourable=CREDIT.favourable, class_weight="balanced").fit(X, Y),
    "quantity": lambda: AdditiveRegressor().fit(X.drop(columns="income")[:900], X["income"][:900].fillna(0)),
}


@pytest.mark.parametrize("fit", FITS)
def test_how_rows_are_shared_out_changes_no_bit(fit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = FITS[fit]()
    monkeypatch.setattr(coded_rows, "CHUNK", 173)
    again = FITS[fit]()
    assert dumps(first.model_) == dumps(again.model_)
    assert first.evidence_.metrics == again.evidence_.metrics


def test_standing_log_odds_are_those_of_the_evaluator() -> None:
    card: Any = pairing(*CROSSED, pairs=3).model_
    assert len(card.interactions) == 2
    frame, good = CROSSED
    odd: pd.DataFrame = frame.assign(job=frame["job"].where(frame["a"] > -1, "a smith").where(frame["a"] < 1, None))
    data = read_training(odd, good, special_codes={"code": [-9]}, favourable=1)
    score = np.asarray(evaluate(replace(card, reasons=None), odd).score)
    expected = card.calibration.intercept + card.calibration.slope * score
    for first in (0, 2):
        standing = Standing.of(card, first)
        [chunk] = data.coded([*standing.codings[:first], *standing.codings]).chunks()
        np.testing.assert_allclose(standing.scores(chunk.codes), expected, atol=1e-9)
    assert np.abs(expected).max() <= standing.farthest


def _tied(score: np.ndarray, target: np.ndarray, weight: np.ndarray, width: float) -> float:
    """The share of pairs of rows, one of each outcome, whose scores are at most so far apart."""
    order = np.argsort(score[target == 0])
    bad, below = score[target == 0][order], np.append(0.0, np.cumsum(weight[target == 0][order]))
    good, own = score[target == 1], weight[target == 1]
    ends = [below[np.searchsorted(bad, good + side * width, how)] for side, how in ((1, "right"), (-1, "left"))]
    return float(own @ (ends[0] - ends[1]) / (own.sum() * below[-1]))


@pytest.mark.parametrize("taken", [-(10**9), 10**9], ids=["numpy", "machine-code"])
@pytest.mark.parametrize("n_rows", [1000, 70_000])
def test_figures_of_few_and_many_rows_are_those_of_another_library(
    n_rows: int, taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_sums.add_by_bin, "_taken", taken)
    draw = np.random.default_rng(n_rows)
    score, weight = draw.normal(1, 2, n_rows), draw.integers(1, 4, n_rows).astype(float)
    target = (draw.random(n_rows) < 1 / (1 + np.exp(-score))).astype(float)
    farthest = float(np.abs(score).max())
    measure = OddsMeasure(CodedArrays([], [], target, weight), farthest)
    for own in np.array_split(np.arange(n_rows), 3):
        measure.add(score[own], target[own], weight[own])
    told, off = measure.measured(0.25), 2.0**-30 if n_rows == 1000 else 2.0**-17 * farthest
    p = 1 / (1 + np.exp(-score - 0.25))
    ties = _tied(score, target, weight, 2 * off)
    assert told["auc"] == pytest.approx(roc_auc_score(target, score, sample_weight=weight), abs=ties / 2 + 1e-12)
    assert ties < 1e-4
    assert told["log_loss"] == pytest.approx(log_loss(target, p, sample_weight=weight), abs=off)
    leveled = 1 / (1 + np.exp(-score - measure.level()))
    assert np.average(leveled, weights=weight) == pytest.approx(np.average(target, weights=weight), abs=off)


def test_many_rows_are_levelled_as_they_are() -> None:
    draw = np.random.default_rng(1)
    codes = [draw.integers(0, 40, 70_000) for _ in range(3)]
    values = draw.normal(0, 1, 120)
    rows = in_memory(codes, [40, 40, 40], (draw.random(70_000) < 0.2).astype(float), np.ones(70_000))
    moved = rows.levelled(values, 0.5)
    assert abs(rows.at(values, 0.5 + moved).upwards) <= 1e-9 * 70_000


def test_blocks_are_made_of_blocks() -> None:
    draw = np.random.default_rng(2)
    codes = np.stack([draw.integers(0, 3, 50), draw.integers(0, 200, 50)]).astype(np.uint8)
    table = draw.integers(0, 30, 200)
    block = Crossed(Coded(0, 3), Merged(Coded(1, 200), table))
    cells = codes[0].astype(int) * block.columns.size + table[codes[1]]
    narrow = Merged(block, draw.integers(0, 5, block.size))
    expected = [cells, narrow.table[cells], codes[1]]
    for made, own in zip(recoded([block, narrow, Coded(1, 200)], codes), expected, strict=True):
        np.testing.assert_array_equal(made, own)
