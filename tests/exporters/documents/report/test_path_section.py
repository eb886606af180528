"""The section on the path of cards: figures of the evidence, what learning says, and nothing of it as HTML."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.data.values import freeze
from scrutable.errors import ScrutableError
from scrutable.model import Evidence, FrozenMapping, fingerprint
from scrutable.plugins import CARD_CHOICE, CARD_PATH, CardPath
from scrutable_documents.common.sections import Paragraph, Picture, Section, Table
from scrutable_documents.report.cards import cards
from scrutable_documents.report.exporter import Report
from scrutable_documents.report.subject import read_subject

GERMAN = load_german_credit()
NASTY = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def fitted() -> Any:
    return create("learner", "additive", favourable="good").fit(GERMAN.X, GERMAN.y)


def section(model: Any, evidence: Evidence | None) -> Section | None:
    return cards(read_subject(model, evidence, Report()))


def with_metrics(evidence: Evidence, **entries: Any) -> Evidence:
    metrics = {**evidence.metrics, **{name: freeze(entry) for name, entry in entries.items()}}
    return replace(evidence, metrics=FrozenMapping(metrics))


def test_the_cards_are_those_of_the_evidence(fitted: Any) -> None:
    path = CardPath.of(fitted.evidence_)
    told = section(fitted.model_, fitted.evidence_)
    assert path is not None
    assert told is not None
    along, each = (block for block in told.blocks if isinstance(block, Table))
    assert [row[0] for row in along.rows] == [str(card.steps) for card in path.measured]
    assert [row[0] for row in along.rows if row[1]] == [str(path.model.steps)]
    pictures = [block for block in told.blocks if isinstance(block, Picture)]
    assert [picture.svg.count('r="3.5"') for picture in pictures] == [len(path.measured)] * 3
    assert [picture.caption.split()[0] for picture in pictures] == ["AUC", "Log-loss", "Characteristics"]
    words = " ".join(block.text for block in told.blocks if isinstance(block, Paragraph))
    fewer = next(card for card in path.measured if card.steps <= 0.8 * path.model.steps)
    assert f"{path.to(fewer.steps).describe()}." in words
    assert "by hand" not in words
    said = dict(each.rows)
    for name in fitted.evidence_.metrics["additive"]["left_out"]:
        assert said[name].startswith("Left ")


def test_a_quantity_has_its_own_figures() -> None:
    amount = GERMAN.X["credit_amount"]
    learner = create("learner", "additive-regressor").fit(GERMAN.X.drop(columns="credit_amount"), amount)
    told = section(learner.model_, learner.evidence_)
    assert told is not None
    along, each = (block for block in told.blocks if isinstance(block, Table))
    assert along.headers[-2:] == ("R²", "RMSE")
    captions = [block.caption.split()[0] for block in told.blocks if isinstance(block, Picture)]
    assert captions == ["R²", "RMSE", "Characteristics"]
    assert "R² and RMSE are of the training rows" in "".join(b.text for b in told.blocks if isinstance(b, Paragraph))
    assert each.rows


def test_who_chose_the_card_is_told(fitted: Any) -> None:
    choice = {"learner": "additive", "option": "steps", "steps": 52, "who": "ana", "why": "the board reads it"}
    told = section(fitted.model_, with_metrics(fitted.evidence_, **{CARD_CHOICE: choice}))
    assert told is not None
    assert "by hand: 52 steps by ana, since: the board reads it." in " ".join(
        block.text for block in told.blocks if isinstance(block, Paragraph)
    )


def test_without_a_path_there_is_no_section(fitted: Any) -> None:
    assert section(fitted.model_, None) is None
    assert section(fitted.model_, Evidence(model_sha256="")) is None


def test_names_and_reasons_become_no_html() -> None:
    frame = pd.DataFrame({NASTY: GERMAN.X["duration_months"], "noise": [0.0, 1.0] * 500})
    learner = create("learner", "additive", favourable="good").fit(frame, GERMAN.y)
    choice = {"learner": "additive", "option": "steps", "steps": 2, "who": NASTY, "why": NASTY}
    evidence = with_metrics(learner.evidence_, **{CARD_CHOICE: choice})
    evidence = replace(evidence, model_sha256=fingerprint(learner.model_))
    text = Report().export(learner.model_, evidence=evidence).text
    assert "Path of cards" in text
    assert "by hand: 2 steps by &lt;img" in text
    assert "<img" not in text


@pytest.mark.parametrize(
    "entries", [{CARD_PATH: {"cards": 3}}, {CARD_CHOICE: [1]}, {"additive": {"shapes": 3}}, {"additive": [1]}]
)
def test_evidence_that_was_tampered_with_is_refused_in_words(fitted: Any, entries: dict[str, Any]) -> None:
    with pytest.raises(ScrutableError):
        section(fitted.model_, with_metrics(fitted.evidence_, **entries))
