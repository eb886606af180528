"""Choosing a card of a path on the page, from the first look to the model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrutable.model import Scorecard, load, load_evidence
from scrutable.plugins import CardChoice, CardPath, read_whole

from .page import AWKWARD, OPTIONS, Page, Start, ended

#: What a fit of the same applicants is told.
COLUMNS = OPTIONS[:8]
CODES = 'special_codes={"age": [-9]}'


@pytest.fixture
def evidence(applicants: Path, tmp_path: Path, run: Callable[..., Any]) -> Path:
    """The evidence of a model with a path of cards, beside it."""
    path = tmp_path / "evidence.json"
    model = ("--learner", "additive", "--option", "keep=1", "--option", "min_count=0", "--binner", "fine")
    further = ("--binner-option", CODES, "--test-size", 0, "-o", tmp_path / "model.json", "--evidence", path)
    result = run("fit", applicants, *COLUMNS, *model, *further)
    assert result.exit_code == 0, result.output
    return path


def choose(page: Page, steps: int) -> None:
    """Choose the card that is looked at, and say why."""
    page.find("#cards-choose").click()
    page.until(lambda: page.find("#ask").is_displayed())
    page.find("#ask-why").send_keys(f"can be read {AWKWARD}")
    page.find("#ask-record").click()
    page.until(lambda: f"card of {steps} steps, by ana, since: can be read {AWKWARD}" in page.said("#cards-choice"))


def test_another_card_is_looked_at_chosen_and_fitted(
    page: Page, start: Start, applicants: Path, evidence: Path, tmp_path: Path, run: Callable[..., Any]
) -> None:
    path = CardPath.of(load_evidence(evidence))
    assert path is not None
    steps = next(card.steps for card in reversed(path.cards) if card.steps > 2)
    change = path.to(steps)
    process, address = start("--evidence", str(evidence), "--binner", "fine")
    page.open(address, "home")
    page.find("#show-cards").click()
    page.until(lambda: page.find("#cards").is_displayed())
    assert page.texts("#cards-table tbody button") == [str(card.steps) for card in path.measured]
    assert not page.find("#cards-change").is_displayed()

    page.find(f'#cards-any option[value="{steps}"]').click()
    page.until(lambda: page.find("#cards-change").is_displayed())
    merges = page.texts("#cards-merges tbody tr", "[...each.children].map((part) => part.innerText)")
    assert [(feature, whole) for feature, _, whole in merges] == [(each.feature, each.whole) for each in change.merges]
    assert AWKWARD in " ".join(" ".join(each) for each in merges)
    assert page.all("img") == []
    assert page.said("#cards-said") == f"{change.describe()}."

    choose(page, steps)
    page.find("#cards-back").click()
    page.until(lambda: page.said("#cards-choice") == "No other card is chosen.")
    assert read_whole(tmp_path / "review.toml").choice is None
    choose(page, steps)
    spare = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    for width in (500, 800, 1280):
        page.driver.set_window_size(width, 800)
        page.until(lambda: page.driver.execute_script(spare) == 0)
    page.find('#features button[title="age"]').click()
    page.until(lambda: page.find("#bins").is_displayed() and not page.find("#cards").is_displayed())
    page.find("#finish").click()
    page.until(lambda: page.find("#end").is_displayed())
    code, last = ended(process)
    assert (code, last["said"]) == (0, f"0 edits and the card of {steps} steps in review.toml.")

    made, beside = tmp_path / "made.json", tmp_path / "made-evidence.json"
    model = ("--learner", "additive", "--option", "keep=1", "--option", "min_count=0", "--binner", "fine")
    further = ("--binner-option", CODES, "--test-size", 0, "--edits", tmp_path / "review.toml", "-o", made)
    result = run("fit", applicants, *COLUMNS, *model, *further, "--evidence", beside)
    assert result.exit_code == 0, result.output
    fitted, again = load(made), CardPath.of(load_evidence(beside))
    assert isinstance(fitted, Scorecard)
    assert again is not None
    assert again.model.steps == steps
    choice = CardChoice.of(load_evidence(beside))
    assert choice is not None
    assert choice.why == f"can be read {AWKWARD}"
    assert fitted.provenance is not None
    assert fitted.provenance.parameters["steps"] == steps


def test_the_choice_is_refused_where_it_cannot_hold(
    applicants: Path, evidence: Path, tmp_path: Path, run: Callable[..., Any]
) -> None:
    path = CardPath.of(load_evidence(evidence))
    assert path is not None
    edits = tmp_path / "review.toml"
    text = path.choice(path.cards[1].steps, who="ana", why="x").text()
    edits.write_text(text)
    output = ("--edits", edits, "-o", tmp_path / "m.json")
    twice = run("fit", applicants, *COLUMNS, "--learner", "additive", "--option", "steps=4", *output)
    assert (twice.exit_code, "the card is chosen twice" in twice.output) == (2, True)
    other = run("fit", applicants, *COLUMNS, "--learner", "scorecard", *output)
    assert (other.exit_code, "the card is one of another learner" in other.output) == (2, True)
    edits.write_text(text.replace("additive", "scorecard"))
    untaken = run("fit", applicants, *COLUMNS, "--learner", "scorecard", *output)
    assert (untaken.exit_code, "the learner takes no steps" in untaken.output) == (2, True)
    assert not (tmp_path / "m.json").exists()


def test_evidence_without_a_path_is_refused(applicants: Path, tmp_path: Path, run: Callable[..., Any]) -> None:
    other = tmp_path / "evidence.json"
    other.write_text(json.dumps({"schema_version": 2, "model_sha256": ""}))
    result = run("review", applicants, *OPTIONS, "--no-browser", "--evidence", other)
    assert result.exit_code == 2
    assert "there is no path of cards" in result.output
