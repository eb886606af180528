"""`scrutable plot`: a scorecard as a picture, or as the numbers that the picture shows."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrutable.data.outcome import Calibration
from scrutable.model import Interval, Leaf, Outcome, Scorecard, TreeEnsemble, dump, load
from scrutable.model.codec import decode
from scrutable.plots import plot_model, render
from scrutable.plots.effects import importance
from scrutable.plots.figures import plot_importance, plot_main_effects

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def card(model: Path) -> Scorecard:
    loaded = load(model)
    assert isinstance(loaded, Scorecard)
    return loaded


def test_a_picture_of_everything(run: Run, model: Path, card: Scorecard, tmp_path: Path) -> None:
    result = run("plot", model, "-o", tmp_path / "all.svg")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "wrote" in result.stdout
    content = (tmp_path / "all.svg").read_bytes()
    ElementTree.fromstring(content)
    assert content == render(plot_model(card), "svg")


def test_one_part_of_it_in_the_format_of_the_ending(run: Run, model: Path, card: Scorecard, tmp_path: Path) -> None:
    assert run("plot", model, "-o", tmp_path / "i.PNG", "--what", "importance").exit_code == 0
    assert (tmp_path / "i.PNG").read_bytes() == render(plot_importance(card), "png")
    first, second = (characteristic.feature for characteristic in card.characteristics[:2])
    options = ["--what", "effects", "--feature", first, "--feature", second]
    assert run("plot", model, "-o", tmp_path / "e.svg", *options).exit_code == 0
    assert (tmp_path / "e.svg").read_bytes() == render(plot_main_effects(card, [first, second]), "svg")


def test_json_says_what_the_picture_shows(
    run: Run, model: Path, card: Scorecard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # scripts need no pictures
    said = json.loads(run("plot", model, "--json").stdout)
    assert list(said) == ["importance", "effects"]
    assert said["importance"] == importance(card)
    for characteristic in card.characteristics:
        steps = said["effects"][characteristic.feature]
        assert [step["points"] for step in steps] == [a.points for a in characteristic.attributes]
        for step, attribute in zip(steps, characteristic.attributes, strict=True):
            figures = {"points", "log_odds", "share", "woe", "event_rate", "interval"}
            assert set(step) == {"condition", "title", *figures}
            seen = attribute.statistics
            assert (step["woe"], step["event_rate"]) == ((seen.woe, seen.bad_rate) if seen.count else (None, None))
            assert step["interval"] is None
            if isinstance(attribute.condition, Interval):
                given = {key: value for key, value in step["condition"].items() if key != "type"}
                assert decode(Interval, given, "condition") == attribute.condition
    name = card.characteristics[0].feature
    assert list(json.loads(run("plot", model, "--json", "--what", "effects", "--feature", name).stdout)) == ["effects"]
    assert list(json.loads(run("plot", model, "--json", "--what", "importance").stdout)) == ["importance"]


def test_json_beside_a_picture_names_the_file(run: Run, model: Path, tmp_path: Path) -> None:
    said = json.loads(run("plot", model, "-o", tmp_path / "p.svg", "--what", "importance", "--json").stdout)
    assert list(said) == ["written", "importance"]
    assert said["written"] == str(tmp_path / "p.svg")
    assert (tmp_path / "p.svg").exists()


def test_files_are_kept_unless_told_otherwise(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "p.svg").write_text("mine")
    refused = run("plot", model, "-o", tmp_path / "p.svg", "--what", "importance")
    assert refused.exit_code == 2
    assert "exists already" in refused.stderr
    assert (tmp_path / "p.svg").read_text() == "mine"
    assert run("plot", model, "-o", tmp_path / "p.svg", "--what", "importance", "--overwrite").exit_code == 0
    assert (tmp_path / "p.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("options", "texts"),
    [
        ([], ["there is nowhere to draw", "-o model.svg"]),
        (["-o", "p.pdf"], ["the ending says no format", "'.pdf'", ".svg or .png"]),
        (["-o", "svg"], ["the ending says no format", ".svg or .png"]),
        (["-o", "p.svg", "--what", "importance", "--feature", "duration"], ["--feature", "leave --feature out"]),
        (["--json", "--feature", "duratoin_months"], ["no such characteristic", "did you mean 'duration_months'?"]),
        (["-o", "no/such/p.svg"], ["its folder does not exist"]),
    ],
)
def test_what_cannot_be_drawn_is_said(run: Run, model: Path, options: list[str], texts: list[str]) -> None:
    result = run("plot", model, *options)
    assert result.exit_code == 2
    assert [text for text in texts if text not in result.stderr] == []


def test_the_model_file_is_never_overwritten(run: Run, model: Path, tmp_path: Path) -> None:
    copy = tmp_path / "model.svg"
    copy.write_bytes(model.read_bytes())
    result = run("plot", copy, "-o", copy, "--overwrite")
    assert (result.exit_code, "two uses" in result.stderr) == (2, True)
    assert copy.read_bytes() == model.read_bytes()


def test_only_scorecards(run: Run, tmp_path: Path) -> None:
    trees = TreeEnsemble(
        outcome=Outcome(classes=("bad", "good"), favourable="good"),
        features=(),
        trees=(Leaf(1.0),),
        base_score=0.0,
        cutoff=0.0,
        calibration=Calibration(slope=1.0),
    )
    dump(trees, tmp_path / "trees.json")
    result = run("plot", tmp_path / "trees.json", "-o", tmp_path / "p.svg")
    assert result.exit_code == 2
    assert "only scorecards have main effects" in result.stderr
    assert not (tmp_path / "p.svg").exists()


def test_a_missing_library_is_named(run: Run, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = run("plot", model, "-o", tmp_path / "p.svg")
    assert result.exit_code == 2
    assert "pip install 'scrutable[plots]'" in result.stderr
    assert list(tmp_path.iterdir()) == []
