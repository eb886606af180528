"""`scrutable path`: a table, JSON and a picture of the cards; evidence of other models is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scrutable import create
from scrutable.cli.app import app
from scrutable.data.datasets import load_german_credit
from scrutable.model import dump, dump_evidence

GERMAN = load_german_credit()


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Path:
    learner = create("learner", "additive").fit(GERMAN.X, GERMAN.y)
    file = tmp_path_factory.mktemp("path") / "evidence.json"
    dump_evidence(learner.evidence_, file)
    return file


def test_cards_are_shown_and_drawn(evidence: Path) -> None:
    picture = evidence.with_name("path.svg")
    shown = CliRunner().invoke(app, ["path", str(evidence), "-o", str(picture)])
    assert shown.exit_code == 0, shown.output
    assert "→" in shown.output
    assert picture.read_text().startswith("<?xml")
    told = json.loads(CliRunner().invoke(app, ["path", str(evidence), "--json"]).output)
    assert [card["steps"] for card in told["cards"]][-1] == 0
    assert sum(card["chosen"] for card in told["cards"]) == 1


def test_a_rounded_card_may_have_other_steps_and_show_says_what_fit_said(tmp_path: Path) -> None:
    learner = create("learner", "additive", max_points=5, max_steps=12).fit(GERMAN.X, GERMAN.y)
    dump(learner.model_, tmp_path / "model.json")
    dump_evidence(learner.evidence_, tmp_path / "evidence.json")
    shown = CliRunner().invoke(app, ["path", str(tmp_path / "evidence.json")])
    assert "before its points were rounded" in " ".join(shown.output.split())
    read = CliRunner().invoke(
        app, ["show", str(tmp_path / "model.json"), "--evidence", str(tmp_path / "evidence.json")]
    )
    assert read.exit_code == 0, read.output
    said = " ".join(read.output.split())
    assert all(" ".join(line.split()) in said for line in learner.about_learning(learner.evidence_))


def test_other_evidence_is_refused(tmp_path: Path) -> None:
    learner = create("learner", "scorecard").fit(GERMAN.X, GERMAN.y)
    dump_evidence(learner.evidence_, tmp_path / "evidence.json")
    refused = CliRunner().invoke(app, ["path", str(tmp_path / "evidence.json")])
    assert refused.exit_code == 2
    assert "there is no path of cards" in refused.output
