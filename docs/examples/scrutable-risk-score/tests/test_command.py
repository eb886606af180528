"""The command `risk-card`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from scrutable import create, dump
from scrutable.data.datasets import load_german_credit
from scrutable.errors import UnsupportedModel
from typer.testing import CliRunner

from scrutable_risk_score import scrutable_commands
from scrutable_risk_score.command import lines_of, risk_card


def test_the_card_holds_what_counts(tmp_path: Path) -> None:
    german = load_german_credit()
    model = create("learner", "risk-score", max_characteristics=3).fit(german.X, german.y).model_
    dump(model, tmp_path / "model.json")
    app = typer.Typer()
    app.command()(risk_card)
    shown = CliRunner().invoke(app, [str(tmp_path / "model.json")])
    told = CliRunner().invoke(app, [str(tmp_path / "model.json"), "--json"])
    assert shown.exit_code == told.exit_code == 0
    points = [int(its.points) for item in model.characteristics for its in item.attributes if its.points]
    assert [line["points"] for line in json.loads(told.stdout)] == points
    assert all(item.feature in shown.stdout for item in model.characteristics)


def test_what_is_no_risk_score_is_refused() -> None:
    with pytest.raises(UnsupportedModel, match="only a scorecard has a card"):
        lines_of("a text", "model.json")
    german = load_german_credit()
    model = create("learner", "scorecard", binner="quantile").fit(german.X, german.y).model_
    with pytest.raises(UnsupportedModel, match="its points are not whole"):
        lines_of(model, "model.json")


def test_the_descriptor_says_what_the_command_does() -> None:
    [command] = scrutable_commands()
    assert command.load() is risk_card
    assert command.summary == str(risk_card.__doc__).splitlines()[0]
