"""Models, binning tables, searches and validations in notebooks."""

from __future__ import annotations

from typing import Any

import pytest
from notebook_pages import ELEMENTS, Cells

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.model import Scorecard
from scrutable.testing.contract.examples.models import models_named
from scrutable_lifecycle.search import LDASearch
from scrutable_lifecycle.validation import validate
from scrutable_review import Review

GERMAN = load_german_credit()
HOSTILE = "</td></tr></table><img src=x onerror=alert(1)>"


@pytest.mark.parametrize(("name", "model"), models_named().items())
def test_every_kind_of_model_is_shown(name: str, model: Any) -> None:
    read = Cells(model._repr_html_())
    assert read.cells
    assert read.elements <= ELEMENTS


def test_hostile_names_of_data_stay_text_in_models_bins_and_validations() -> None:
    text = HOSTILE
    X = GERMAN.X[["duration_months", "purpose"]].rename(columns={"duration_months": text})
    X["purpose"] = X["purpose"].astype(object).where(X.index % 3 > 0, text)
    learner = create("learner", "scorecard", binner="quantile", favourable="good").fit(X, GERMAN.y)
    review = Review(X, GERMAN.y, favourable="good")
    validation = validate(learner.model_, X, GERMAN.y)
    binning = create("binner", "quantile", favourable="good").fit(X, GERMAN.y).binning_
    shown = [learner.model_, review.table(text), review.table("purpose"), binning, binning["purpose"]]
    for each in (*shown, validation):
        page = each._repr_html_()
        assert "<img" not in page
        assert Cells(page).cells
    assert isinstance(learner.model_, Scorecard)
    attributes = sum(len(each.attributes) for each in learner.model_.characteristics)
    assert len(Cells(learner.model_._repr_html_()).cells) == 6 * attributes
    assert f"{validation.discrimination.auc:.4f}".rstrip("0") in validation._repr_html_()


def test_a_search_shows_its_frontier_with_the_pick() -> None:
    few = {"bounds": [0.1], "budgets": [], "gap_shares": []}
    search = LDASearch(create("learner", "lda-xgb1", favourable="good", sweep=few), required_ratio=0.5, n_boot=20)
    result = search.fit(GERMAN.X, GERMAN.y, sensitive_features=GERMAN.sensitive_features[["sex"]]).result_
    page = result._repr_html_()
    assert "picked" in page
    assert f"{result.picked.auc:.4f}" in page
