"""`scrutable dictionary`, and the dictionary in a fit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrutable.data.datasets import load_german_credit
from scrutable.model import load
from scrutable.plugins import DataDictionary, first_dictionary

USED = ["checking_status", "duration_months", "savings", "sex", "credit_risk"]
Run = Callable[..., Any]


@pytest.fixture(scope="module")
def loans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("loans") / "loans.csv"
    load_german_credit().frame[USED].to_csv(path, index=False)
    return path


def test_a_first_dictionary_of_a_file_fits(run: Callable[..., Any], loans: Path, tmp_path: Path) -> None:
    words, model, config = tmp_path / "loans.toml", tmp_path / "m.json", tmp_path / "run.toml"
    done = run("dictionary", loans, "--target", "credit_risk", "--favourable", "good", "-o", words)
    assert done.exit_code == 0, done.output
    assert DataDictionary.read(words) == first_dictionary(loans, target="credit_risk", favourable="good")
    words.write_text(words.read_text().replace("[columns.savings]\n", '[columns.savings]\nlabel = "Savings account"\n'))
    done = run("fit", loans, "--dictionary", words, "-o", model, "--save-config", config)
    assert done.exit_code == 0, done.output
    assert 'labels = { savings = "Savings account" }' in config.read_text()
    again = tmp_path / "again.json"
    config.write_text(config.read_text().replace(model.name, again.name))
    done = run("fit", config)
    assert done.exit_code == 0, done.output
    assert again.read_bytes() == model.read_bytes()
    assert "Savings account" in {each.title for each in load(model).features}


def test_the_dictionary_on_standard_output_reads_back(run: Run, loans: Path) -> None:
    text = run("dictionary", loans).stdout
    said = json.loads(run("dictionary", loans, "--json").stdout)
    assert "[columns.duration_months]" in text
    assert said["columns"]["credit_risk"] == {"role": "outcome", "type": "text"}


def test_how_a_file_is_written_is_said_once(run: Run, tmp_path: Path) -> None:
    path, words, model = tmp_path / "loans.csv", tmp_path / "loans.toml", tmp_path / "m.json"
    frame = load_german_credit().frame[USED]
    frame.insert(0, "rate", [f"{row % 97},{row % 10}" for row in range(len(frame))])
    written = frame.to_csv(sep="|", index=False, na_rep="k.A.")
    path.write_text(f"Loans of the year|||||\n{written}")
    options = ["--decimal", ",", "--missing", "k.A."]
    roles = ["--favourable", "good", "--target", "credit_risk"]
    assert run("dictionary", path, *options, *roles, "-o", words).exit_code == 0
    assert words.read_text().count('[file]\ndecimal = ","\nmissing = ["k.A."]\n') == 1
    done = run("fit", path, "--dictionary", words, "-o", model, "--learner", "scorecard", "--option", "select=null")
    assert done.exit_code == 0, done.output
    taken = "files are read as the dictionary says: decimal ',', missing 'k.A.'"
    assert " ".join(done.stderr.split()).count(taken) == 1
    assert {each.name: each.kind for each in load(model).features}["rate"] == "numeric"
    assert run("score", model, path, "--dictionary", words, "-o", tmp_path / "s.csv").exit_code == 0
    other = run("score", model, path, "--dictionary", words, "--decimal", ".", "-o", tmp_path / "t.csv")
    assert "--decimal says '.', and the dictionary ','; the option holds" in " ".join(other.stderr.split())


def test_an_outcome_that_is_not_guessed_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("kept,n\n" + "x,1\nz,2\n" * 20)
    said = "outcome: none was guessed; --target names it"
    assert said in run("dictionary", tmp_path / "a.csv", "-o", tmp_path / "a.toml").stdout
    assert said not in run("dictionary", tmp_path / "a.csv", "--target", "kept", "-o", tmp_path / "b.toml").stdout


def test_what_a_dictionary_says_wrongly_is_refused(run: Run, loans: Path, tmp_path: Path) -> None:
    words = tmp_path / "d.toml"
    words.write_text('[columns.savings]\nrolle = "feature"\n')
    refused = run("fit", loans, "--dictionary", words, "-o", tmp_path / "m.json")
    assert (refused.exit_code, "did you mean 'role'?" in refused.stderr) == (2, True)
    assert run("dictionary", loans, "--favourable", "good").exit_code == 2
