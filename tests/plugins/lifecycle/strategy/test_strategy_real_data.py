"""Strategies on HELOC: every figure against pandas and scikit-learn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_curve

from scrutable import create
from scrutable.fairness import approval_threshold, ks
from scrutable_lifecycle.strategy import (
    Profit,
    choose_cutoff,
    gains_table,
    rounding_effect,
    score_bands,
    score_rows,
    swap_set,
)

pytestmark = [pytest.mark.real_data, pytest.mark.filterwarnings("ignore:.*may stand for no information")]


@pytest.fixture(scope="module")
def heloc(data_dir: Path) -> tuple[pd.DataFrame, pd.Series]:
    table = pd.read_csv(data_dir / "heloc.csv.gz", sep=r"\s+", header=None)
    return table.drop(columns=0).rename(columns=lambda column: f"x{column}").astype(float), table[0]


def test_heloc(heloc: tuple[pd.DataFrame, pd.Series]) -> None:
    X, y = heloc
    paid = (y == 0).to_numpy()
    models = [
        create("learner", "scorecard", binner=create("binner", "quantile", max_bins=bins), favourable=0)
        .fit(X[columns], y)
        .model_
        for bins, columns in ((4, X.columns[:6]), (6, X.columns))
    ]
    score = score_rows(models[1], X).score

    bands = score_bands(score, paid)
    frame = pd.DataFrame({"band": pd.cut(score, [-np.inf, *(b.lower for b in bands.bands[1:]), np.inf], right=False)})
    table = frame.assign(bad=~paid).groupby("band", observed=False)["bad"].agg(["size", "mean"])
    assert [band.part.counts.applicants for band in bands.bands] == table["size"].tolist()
    assert [band.part.counts.bad_rate for band in bands.bands] == pytest.approx(table["mean"].tolist())
    assert len(bands.bands) == 10
    assert table["mean"].iloc[0] > 0.8
    assert table["mean"].iloc[-1] < 0.15

    gains = gains_table(score, paid)
    assert gains.ks == pytest.approx(ks(paid, score))
    false, true, cutoffs = roc_curve(paid, score, drop_intermediate=False)
    assert gains.ks_at == cutoffs[np.argmax(true - false)]

    assert choose_cutoff(score, paid, approval_rate=0.4).cutoff == approval_threshold(score, 0.4)
    profit = choose_cutoff(score, paid, profit=Profit(approved_good=100, approved_bad=-300))
    totals = 100 * paid.sum() * true[1:] - 300 * (~paid).sum() * false[1:]
    assert profit.profit == pytest.approx(totals.max())
    assert profit.cutoff == cutoffs[1:][np.argmax(totals)]

    swapped = swap_set(*models, X, paid, at="approval rate")
    assert 0 <= swapped.change < 0.001
    assert swapped.swapped_in.counts.bad_rate < swapped.swapped_out.counts.bad_rate
    assert swapped.challenger.bad_rate < swapped.champion.bad_rate

    rounded = rounding_effect(models[1], X, paid)
    assert rounded.largest_change <= rounded.bound
    assert abs(rounded.auc[0] - rounded.auc[1]) < 0.001
    assert rounded.same_approval_rate.flipped < 0.02
