"""What `scrutable fit` tells of columns: each once, with a fix that can be pasted."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import Result

Run = Callable[..., Result]


@pytest.fixture
def unlike(tmp_path: Path) -> Path:
    """Applicants with a constant, a copy of a column, noise, and -9 in three columns of the same rows."""
    chance, n = np.random.default_rng(0), 1500
    frame = pd.DataFrame({"age": chance.normal(45, 10, n).round(), "debt": chance.normal(50, 9, n).round()})
    frame["noise"] = chance.integers(0, 9, n)
    frame["twice"] = frame["age"] * 2
    frame["fixed"] = 1
    paid = (frame["age"] - frame["debt"] + chance.normal(0, 9, n)) > -9
    for name in ("length", "amount", "lines"):
        frame[name] = np.where(np.arange(n) % 20 == 0, -9, chance.integers(0, 50, n))
    frame["paid"] = np.where(paid, "paid", "default")
    path = tmp_path / "unlike.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.mark.parametrize("learner", ["additive", "scorecard"])
def test_columns_that_are_left_out_are_named_once(run: Run, unlike: Path, tmp_path: Path, learner: str) -> None:
    done = run("fit", unlike, "--target", "paid", "--learner", learner, "--test-size", 0, "-o", tmp_path / "m.json")
    assert done.exit_code == 0, done.output
    said = " ".join(done.stdout.split())
    left = {"additive": ["twice", "fixed"], "scorecard": ["fixed", "noise", "length", "amount"]}[learner]
    for name in left:
        assert len(re.findall(rf"\b{name}\b", said)) == 1, name
    assert "8 inputs, of which the model reads" in said


def test_codes_are_one_note_whose_option_ends_it(run: Run, unlike: Path, tmp_path: Path) -> None:
    fit = ["fit", unlike, "--target", "paid", "--test-size", 0, "--overwrite", "-o", tmp_path / "m.json"]
    told = " ".join(run(*fit).stderr.split())
    assert told.count("-9 of 'length' (75 rows), -9 of 'amount' (75 rows), -9 of 'lines' (75 rows) may stand for") == 1
    assert told.count("-9 stands in the same 75 rows of 3 columns") == 1
    assert "special_codes={" not in told
    option = re.search(r"--binner-option ('.*?') \(", told)
    assert option is not None
    again = run(*fit, "--binner-option", *shlex.split(option[1]))
    assert again.exit_code == 0, again.output
    assert "may stand for" not in again.stderr


def test_a_card_of_a_quantity_has_no_picture_and_evidence_is_not_blamed(run: Run, unlike: Path, tmp_path: Path) -> None:
    model, evidence = tmp_path / "m.json", tmp_path / "e.json"
    options = ["--target", "debt", "--drop", "paid", "--test-size", 0, "-o", model, "--evidence", evidence]
    assert run("fit", unlike, *options, "--learner", "additive-regressor").exit_code == 0
    for further in ([], ["--evidence", evidence]):
        done = run("plot", model, "-o", tmp_path / "m.svg", *further)
        assert done.exit_code == 2
        said = " ".join(done.stderr.split())
        assert "cards of a quantity have no picture" in said
        assert "`scrutable show` prints its points" in said
    done = run("path", model)
    said = " ".join(done.stderr.split())
    assert "this is a model file, where the evidence of a model is asked for" in said
    assert "scrutable fit … --evidence" in said
    assert run("path", evidence).exit_code == 0


def test_a_path_without_so_many_steps_says_what_it_has(run: Run, unlike: Path, tmp_path: Path) -> None:
    roles = ["--target", "paid", "--test-size", 0, "-o", tmp_path / "m.json"]
    said = " ".join(run("fit", unlike, *roles, "--option", "steps=500").stderr.split())
    assert "the path has no card of 500 steps; its largest card has " in said
    assert "max_steps=500" in said
