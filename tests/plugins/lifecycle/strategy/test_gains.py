"""The gains table: by hand, against scikit-learn's ROC curve, and against pandas."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from sklearn.metrics import roc_curve

from scrutable.data.datasets import Dataset
from scrutable.fairness import Groups, ks
from scrutable.model import Scorecard
from scrutable_lifecycle.strategy import gains_table, score_rows

from .rows import Drawn, drawn

SCORE = [400, 410, 420, 430, 440, 450, 460, 470]
GOOD = [False, False, True, False, True, True, True, True]


def test_gains_by_hand() -> None:
    found = gains_table(SCORE, GOOD, bands=4)
    assert [row.share for row in found.rows] == [0.25, 0.5, 0.75, 1.0]
    assert [row.bads for row in found.rows] == [2 / 3, 1.0, 1.0, 1.0]
    assert [row.goods for row in found.rows] == pytest.approx([0.0, 0.2, 0.6, 1.0])
    assert [row.lift for row in found.rows] == pytest.approx([8 / 3, 2.0, 4 / 3, 1.0])
    assert [row.ks for row in found.rows] == pytest.approx([2 / 3, 0.8, 0.4, 0.0])
    # Approving from 440 on approves 4 of 5 good payers and no bad one.
    assert (found.ks, found.ks_at) == (0.8, 440.0)


def test_the_safest_first() -> None:
    found = gains_table(SCORE, GOOD, bands=4, riskiest_first=False)
    assert [row.lower for row in found.rows] == [460, 440, 420, -math.inf]
    assert [row.goods for row in found.rows] == pytest.approx([0.4, 0.8, 1.0, 1.0])
    assert [row.lift for row in found.rows] == pytest.approx([1.6, 1.6, 4 / 3, 1.0])
    assert (found.ks, found.ks_at) == (0.8, 440.0)


@settings(deadline=None, derandomize=True, database=None)
@given(drawn())
def test_ks_is_that_of_scikit_learns_roc_curve(rows: Drawn) -> None:
    kept = ~rows.knocked_out & (rows.weight > 0) & np.array([each is not None for each in rows.good])
    good = np.array([each is True for each in rows.good])
    assume(good[kept].any() and (~good)[kept].any())
    found = gains_table(rows.score, rows.good, sample_weight=rows.weight, knocked_out=rows.knocked_out)
    score, weight, paid = rows.score[kept], rows.weight[kept], good[kept]
    false, true, _ = roc_curve(paid, score, sample_weight=weight, drop_intermediate=False)
    assert found.ks == pytest.approx(np.abs(true - false).max())
    assert found.ks == pytest.approx(ks(paid, score, sample_weight=weight))
    above = score >= found.ks_at
    rates = [(weight * above)[its].sum() / weight[its].sum() for its in (paid, ~paid)]
    assert found.ks == pytest.approx(abs(rates[0] - rates[1]))


def test_gains_are_those_of_pandas(credit: Dataset, champion: Scorecard) -> None:
    score, good = score_rows(champion, credit.X).score, (credit.y == 0).to_numpy()
    found = gains_table(score, good, width=20)
    frame = pd.DataFrame({"band": np.floor(score / 20), "good": good, "bad": ~good})
    sums = frame.groupby("band")[["good", "bad"]].sum().cumsum() / [good.sum(), (~good).sum()]
    full = sums.reindex(np.arange(frame.band.min(), frame.band.max() + 1)).ffill()
    assert [row.goods for row in found.rows] == pytest.approx(full["good"].tolist())
    assert [row.bads for row in found.rows] == pytest.approx(full["bad"].tolist())


def test_a_group_has_the_gains_of_its_rows_alone(credit: Dataset, champion: Scorecard) -> None:
    score, good = score_rows(champion, credit.X).score, (credit.y == 0).to_numpy()
    groups = Groups.from_frame(credit.sensitive_features)
    found = gains_table(score, good, edges=[500, 540], groups=groups)
    for table in found.groups:
        assert table.attribute is not None
        its = groups.labels_of(table.attribute) == table.group
        alone = gains_table(score[its], good[its], edges=[500, 540])
        assert (table.ks, table.ks_at) == (alone.ks, alone.ks_at)
        assert [row.to_dict() for row in table.rows] == [row.to_dict() for row in alone.rows]


def test_without_a_known_outcome_there_is_no_ks() -> None:
    found = gains_table([1, 2], None, edges=[2])
    assert (math.isnan(found.ks), found.ks_at) == (True, None)
    assert [math.isnan(row.bads) for row in found.rows] == [True, True]
    groups = Groups.from_frame({"sex": ["f", "f", "m", "m"]}, min_group_size=0)
    first, second = gains_table([1, 2, 1, 2], [None, None, False, True], edges=[2], groups=groups).groups
    assert (math.isnan(first.ks), first.ks_at, second.ks) == (True, None, 1.0)


def test_outcomes_of_one_kind_have_no_ks() -> None:
    found = gains_table([1, 2], [True, True], edges=[2])
    assert math.isnan(found.ks)
    assert found.ks_at is None
    said = found.to_dict()
    assert json.loads(json.dumps(said, allow_nan=False)) == said
    assert said["rows"][0]["bads"] is None
