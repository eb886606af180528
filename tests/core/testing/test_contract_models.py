"""The models that exporters and explainers are checked on tell careless engines apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scrutable.model import Missing, Policy, Scorecard
from scrutable.model.evaluator import evaluate
from scrutable.plugins.registry import Listing, registry
from scrutable.testing.contract import Subject
from scrutable.testing.contract.examples.altered import altered
from scrutable.testing.contract.examples.models import (
    applicants_of,
    models_accepted,
    models_named,
    ordinary_applicants_of,
)
from scrutable.testing.contract.examples.scorecards import tied_scorecard, with_codes_of_their_own


@pytest.mark.parametrize("card", [tied_scorecard(), with_codes_of_their_own(tied_scorecard())], ids=["shared", "own"])
def test_ties_go_against_the_order_of_the_file(card: Scorecard) -> None:
    assert card.reasons is not None
    rows = ordinary_applicants_of(card, 200)
    found = evaluate(card, rows).frame()
    assert (found["score"] == card.cutoff).any()
    assert {0, 1} == set(found["approved"].tolist())
    turned = replace(card, reasons=replace(card.reasons, order=card.reasons.order[::-1]))
    differing = evaluate(turned, rows).frame()["reason_1"] != found["reason_1"]
    tied = found["short_1"] == found["short_2"]
    assert differing.any()
    assert not (differing & ~tied).any()
    assert any("R4" in found[f"reason_{rank}"] for rank in (1, 2, 3))


def test_no_sum_of_points_is_a_short_decimal() -> None:
    for name, model in models_named().items():
        score = evaluate(model, applicants_of(model)).frame()["score"]
        scores = score[np.isfinite(score)].tolist()
        if name != "rule-set":
            assert [each for each in scores if each == round(each, 6)] == []


@pytest.mark.parametrize("name", models_named())
def test_another_model_of_the_same_features_scores_otherwise(name: str) -> None:
    model = models_named()[name]
    other, rows = altered(model), ordinary_applicants_of(model)
    assert other.features == model.features
    assert (evaluate(other, rows).frame()["score"] != evaluate(model, rows).frame()["score"]).any()


def test_ordinary_rows_have_missing_special_and_unseen_values() -> None:
    card = tied_scorecard()
    rows = ordinary_applicants_of(card)
    attribute = evaluate(card, rows).attribute
    for characteristic in card.characteristics:
        conditions = [each.condition for each in characteristic.attributes]
        assert set(attribute[characteristic.feature].tolist()) == set(range(len(conditions)))
        assert Missing() in conditions
    assert not np.isinf(rows.select_dtypes("number")).any().any()
    assert not rows["job"].isin(["", " "]).any()


@pytest.mark.parametrize("listing", registry().listings("exporter"), ids=lambda each: each.component.name)
def test_our_exporters_hold_the_scorecard_as_it_is(listing: Listing) -> None:
    held = tied_scorecard()
    if listing.component.name == "points-table":  # attributes and points alone have a place in such a table
        held = replace(held, reasons=None, policy=Policy())
    assert models_accepted(Subject(listing))["scorecard"] == held
