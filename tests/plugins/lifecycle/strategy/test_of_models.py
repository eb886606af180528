"""Strategies of a model on applicants whose columns are named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from scrutable import create
from scrutable.data.config import DataConfig
from scrutable.data.datasets import load_german_credit
from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.measures.scored import score_rows
from scrutable.model import Clause, DecisionModel, Interval, Scorecard, Segment, SegmentedModel
from scrutable_lifecycle.strategy import (
    Profit,
    bands_of,
    choose_cutoff,
    cut_at,
    cutoff_of,
    gains_table,
    score_bands,
    swap_set,
)

GERMAN = load_german_credit()
GOOD = np.asarray(GERMAN.y == "good")
CONFIG = DataConfig(target="credit_risk", protected=("sex",))


@pytest.fixture(scope="module")
def model() -> Scorecard:
    made: Scorecard = create("learner", "scorecard", binner="quantile").fit(GERMAN.X, GERMAN.y).model_
    return made


def test_bands_are_those_of_the_score_with_their_gains(model: DecisionModel) -> None:
    banded = bands_of(model, pl.from_pandas(GERMAN.frame), CONFIG, bands=4)
    score, groups = score_rows(model, GERMAN.X).score, Groups.from_frame(GERMAN.frame[["sex"]])
    bands, gains = score_bands(score, GOOD, bands=4, groups=groups), gains_table(score, GOOD, bands=4, groups=groups)
    assert banded.to_dict() == {"basis": "score", **bands.to_dict(), "gains": gains.to_dict()}
    rows = banded.frame().filter(pl.col("group") == "female")
    female = [band.part.groups[0] for band in bands.bands]
    assert rows["bad_rate"].to_list() == [each.counts.bad_rate for each in female]
    assert rows["lift"].to_list() == [row.lift for row in gains.groups[0].rows]
    assert rows["approved_from_here"].to_list() == [band.from_here.groups[0].approval_rate for band in bands.bands]


def test_a_profit_of_columns_is_that_of_their_numbers(model: DecisionModel) -> None:
    amounts = {"approved_good": 900.0, "approved_bad": "-credit_amount"}
    chosen = cutoff_of(model, GERMAN.frame, CONFIG, profit=amounts)
    profit = Profit(approved_good=900, approved_bad=-GERMAN.frame["credit_amount"].to_numpy())
    apart = choose_cutoff(score_rows(model, GERMAN.X).score, GOOD, profit=profit)
    assert (chosen.choice.cutoff, chosen.choice.profit) == (apart.cutoff, apart.profit)
    assert chosen.recut().cutoff == apart.cutoff
    now = np.where(score_rows(model, GERMAN.X).approved, np.where(GOOD, 900, profit.approved_bad), 0)
    assert (chosen.profit, chosen.profit_per_applicant) == pytest.approx((now.sum(), now.mean()))
    assert "approved good 900, approved bad minus column 'credit_amount'" in chosen.choice.why
    assert chosen.plot().axes
    with pytest.raises(InputError, match=r"--profit, column 'purpose': amounts must be numbers; got 'text'"):
        cutoff_of(model, GERMAN.frame, CONFIG, profit={"approved_good": 1.0, "approved_bad": "purpose"})


def test_a_swap_set_tabulates_its_parts_and_groups(model: DecisionModel) -> None:
    swapped = swap_set(model, model, GERMAN.frame, CONFIG)
    rows = swapped.frame()
    assert rows.loc[rows["group"] == "", "applicants"].sum() == 1000
    assert rows["part"].unique().tolist() == list(swapped.parts)
    assert repr(swapped) == "SwapSet(1,000 rows: 70.0% to 70.0% approved, 0.0% swapped in, 0.0% swapped out)"


def test_segments_have_bands_and_cutoffs_of_score_minus_cutoff(model: Scorecard) -> None:
    bare = replace(model, reasons=None)
    small = Segment(name="small", model=bare, when=(Clause("credit_amount", (Interval(upper=3000),)),))
    routing = tuple(feature for feature in model.features if feature.name == "credit_amount")
    both = SegmentedModel(segments=(small, Segment(name="others", model=replace(bare, cutoff=480))), routing=routing)
    banded = bands_of(both, GERMAN.frame, CONFIG, edges=[-20, 0, 20])
    chosen = cutoff_of(both, GERMAN.frame, CONFIG, approval_rate=0.5)
    assert (banded.basis, chosen.basis) == ("score minus cutoff", "score minus cutoff")
    assert banded.bands.bands[2].from_here == chosen.before
    assert chosen.recut() == cut_at(both, chosen.choice.cutoff)
    assert score_rows(chosen.recut(), GERMAN.X).approved.sum() == chosen.choice.decided.approved.applicants
