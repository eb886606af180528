"""Curves of a validation, and the pictures that show them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from scrutable import create, evaluate
from scrutable.data import Cohort, DataConfig
from scrutable.data.datasets import make_credit
from scrutable.data.datasets.dataset import Dataset
from scrutable.errors import InputError
from scrutable.model import Scorecard
from scrutable.plots import render
from scrutable_lifecycle.plots.separation import SeparationKind
from scrutable_lifecycle.validation import Validation, validate


@pytest.fixture(scope="module")
def credit() -> Dataset:
    return make_credit(2000, seed=5)


@pytest.fixture(scope="module")
def card(credit: Dataset) -> Scorecard:
    model: Scorecard = create("learner", "scorecard", binner="quantile", favourable=0).fit(credit.X, credit.y).model_
    return model


@pytest.fixture(scope="module")
def found(card: Scorecard, credit: Dataset) -> Validation:
    development = Cohort.read(credit.X[:1000], credit.y[:1000], outcome=card.outcome)
    return validate(card, credit.X[1000:], credit.y[1000:], reference=development)


def test_samples_stand_beside_each_other_where_their_outcomes_are_known(
    found: Validation, card: Scorecard, credit: Dataset
) -> None:
    score, good = evaluate(card, credit.X).score, credit.y.to_numpy() == 0
    assert list(found.curves) == ["measured", "development"]
    for curve, rows in zip(found.curves.values(), (slice(1000, None), slice(0, 1000)), strict=True):
        assert curve.auc == pytest.approx(roc_auc_score(good[rows], score[rows]))
    assert found.curves["measured"].auc == pytest.approx(found.discrimination.auc)
    assert found.curves["measured"].ks == pytest.approx(found.discrimination.ks)
    without = validate(card, credit.X[1000:], credit.y[1000:], reference=credit.X[:1000])
    assert list(without.curves) == ["measured"]
    assert without.drift == found.drift


def test_a_config_reads_the_outcomes_of_both_files(card: Scorecard, credit: Dataset, tmp_path: Any) -> None:
    frame = credit.X.assign(default=credit.y, w=np.arange(2000) % 3 + 1)
    frame[:1000].to_csv(tmp_path / "train.csv", index=False)
    config = DataConfig(target="default", weight="w")
    found = validate(card, frame[1000:], config, reference=tmp_path / "train.csv")
    score = evaluate(card, credit.X[:1000]).score
    weighted = roc_auc_score(credit.y[:1000] == 0, score, sample_weight=frame["w"][:1000])
    assert found.curves["development"].auc == pytest.approx(weighted)
    of_another = replace(config, target="paid")
    renamed = frame[1000:].rename(columns={"default": "paid"})
    assert list(validate(card, renamed, of_another, reference=tmp_path / "train.csv").curves) == ["measured"]


def test_the_pictures_draw_the_curves(found: Validation) -> None:
    curve = found.curves["measured"]
    axes = {kind: found.plot(kind).axes for kind in get_args(SeparationKind)}
    line = axes["roc"][0].lines[1]
    np.testing.assert_array_equal(line.get_xdata(), curve.goods[curve.shown])
    np.testing.assert_array_equal(line.get_ydata(), curve.bads[curve.shown])
    perfect, profile = axes["cap"][0].lines[1:3]
    assert list(perfect.get_xdata()) == [0, curve.bad_rate, 1]
    np.testing.assert_array_equal(profile.get_xdata(), curve.everybody[curve.shown])
    heights = [bar.get_height() for bar in axes["gains"][1].patches]
    assert heights == [each.lift for sample in found.curves.values() for each in sample.tenths]
    marks = [line for line in axes["ks"][0].lines if line.get_gid() == "the largest distance"]
    ends = np.abs(np.diff([mark.get_ydata() for mark in marks])).ravel()
    assert ends == pytest.approx([sample.ks for sample in found.curves.values()])
    legend = [text.get_text() for text in axes["roc"][0].get_legend().get_texts()]
    assert legend == [f"{name}: AUC {sample.auc:.3f}" for name, sample in found.curves.items()]


def test_pictures_are_the_same_bytes_every_time_and_others_are_refused(found: Validation) -> None:
    assert render(found.plot("cap"), "svg") == render(found.plot("cap"), "svg")
    with pytest.raises(InputError, match=r"kind: unknown choice.*'lift'.*'roc'"):
        found.plot("lift")  # type: ignore[arg-type]  # no such picture


def test_the_curves_are_told_as_plain_values(found: Validation) -> None:
    told = found.to_dict()["curves"]["development"]
    assert (told["rows"], len(told["tenths"])) == (1000, len(found.curves["development"].tenths))
    assert told["tenths"][-1]["upper"] is None
    assert isinstance(pd.DataFrame(told["tenths"]).bads.iloc[-1], float)
