"""The command `score-range`."""

from __future__ import annotations

import json
from pathlib import Path

import typer
from scrutable import dump
from scrutable.testing import card
from typer.testing import CliRunner

from scrutable_house_rules import scrutable_commands
from scrutable_house_rules.command import score_range


def test_the_range_is_that_of_the_model(tmp_path: Path) -> None:
    model = card()
    dump(model, tmp_path / "model.json")
    app = typer.Typer()
    app.command()(score_range)
    shown = CliRunner().invoke(app, [str(tmp_path / "model.json")])
    told = json.loads(CliRunner().invoke(app, [str(tmp_path / "model.json"), "--json"]).stdout)
    assert (told["lowest"], told["highest"]) == model.score_range
    assert f"approved from {model.cutoff:g}" in shown.stdout


def test_the_descriptor_says_what_the_command_does() -> None:
    [command] = scrutable_commands()
    assert command.load() is score_range
    assert command.summary == str(score_range.__doc__).splitlines()[0]
