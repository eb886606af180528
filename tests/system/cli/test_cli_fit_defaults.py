"""What commands ask for instead of guessing, and what `fit` says first: its cutoff, leaks, and missing values."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import Result

from scrutable import load
from scrutable.data.datasets import load_german_credit
from scrutable.data.orientation import said_or_asked
from scrutable.errors import InputError

Run = Callable[..., Result]

NUMBERS: list[Any] = [1 - each for each in ([0] * 3 + [1]) * 15]
#: 100 rows of the bad outcome and no other have the flag.
FLAG = [float(outcome == "bad" and row % 3 == 0) for row, outcome in enumerate(load_german_credit().y)]


def _second_line(result: Result) -> str:
    """All that follows the heading, on one line."""
    return " ".join(result.stdout.split("\n", 1)[1].split())


@pytest.mark.parametrize("target", ["default", "bad", "delinq"])
@pytest.mark.parametrize("command", [["fit"], ["search", "--protected", "sex"], ["bins"], ["review", "--no-browser"]])
def test_a_target_of_numbers_asks_which_one_is_good(
    run: Run, tiny: Callable[..., Path], tmp_path: Path, command: list[str], target: str
) -> None:
    name, *further = command
    output = ["-o", tmp_path / ("edits.toml" if name == "review" else "out")]
    result = run(name, tiny(**{target: NUMBERS}), "--target", target, *further, *output)
    assert result.exit_code == 2
    assert "which outcome is good for the applicant is not said" in result.stderr
    assert f"column '{target}'" in result.stderr
    assert "--favourable 0 or --favourable 1" in result.stderr


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        (["--option", "min_count=1e9"], "--option min_count may ask too much"),
        (
            ["--learner", "scorecard", "--binner-option", "min_count=1e9"],
            "--binner-option min_share or --binner-option min_count or",
        ),
        (["--learner", "fcca-tree", "--option", "leaf_penalty=1"], "--option leaf_penalty may ask too much"),
    ],
)
def test_a_model_without_inputs_names_the_options_that_it_has(
    run: Run, loans: Path, fit_options: list[str], tmp_path: Path, options: list[str], asked: str
) -> None:
    roles = fit_options[: fit_options.index("--binner")]
    said = run("fit", loans, *roles, *options, "--test-size", 0, "-o", tmp_path / "m.json").stdout
    assert f"The model reads no input: it says the same for everybody; {asked}" in " ".join(said.split())


def test_inputs_that_tell_nothing_are_said_to(run: Run, tmp_path: Path) -> None:
    row = np.arange(600)
    outcome = np.where(row // 15 % 2 == 0, "no", "yes")
    data, roles = tmp_path / "even.csv", ["--target", "paid", "--favourable", "yes", "--test-size", 0]
    pd.DataFrame({"fifth": row % 5, "third": row % 3, "paid": outcome}).to_csv(data, index=False)
    done = run("fit", data, *roles, "-o", tmp_path / "m.json")
    assert done.exit_code == 0, done.output
    said = " ".join(done.stdout.split())
    assert "or no input tells more than chance would" in said
    assert "Left out, since they tell no more than chance would: 'fifth', 'third'" in said


def test_labels_that_say_it_are_believed(run: Run, tiny: Callable[..., Path], tmp_path: Path) -> None:
    data = tiny(status=["denied" if each else "approved" for each in NUMBERS])
    said = run("fit", data, "--target", "status", "--binner", "quantile", "-o", tmp_path / "m.json")
    assert said.exit_code == 0, said.output
    assert "the favourable outcome is 'approved', as the labels say; --favourable names another" in said.stdout
    assert load(tmp_path / "m.json").outcome.favourable == "approved"


@pytest.mark.parametrize(
    ("classes", "good"),
    [
        (["bad", "good"], "good"),
        (["default", "paid"], "paid"),
        (["Charged-Off", "Fully_Paid"], "Fully_Paid"),
        (["late", "on time"], "on time"),
        (["accepted", "declined"], "accepted"),
        (["no", "yes"], None),
        ([0, 1], None),
        (["0", "1"], None),
        ([False, True], None),
        (["a", "b"], None),
    ],
)
def test_which_words_tell(classes: list[Any], good: str | None) -> None:
    if good is None:
        with pytest.raises(InputError, match="numbers and yes/no never tell"):
            said_or_asked(classes, "column 'y'")
    else:
        assert said_or_asked(classes, "column 'y'") == said_or_asked(classes[::-1], "column 'y'") == good


def test_the_decision_is_said_first(run: Run, loans: Path, fit_options: list[str], tmp_path: Path) -> None:
    arguments = [loans, *fit_options, "--test-size", 0, "--overwrite", "-o", tmp_path / "m.json"]
    first = _second_line(run("fit", *arguments))
    assert first.startswith("The cutoff ")
    assert "approves 70.0% of the training applicants, the share of good outcomes; --option approval_rate" in first
    found = json.loads(run("fit", *arguments, "--json").stdout)["decision"]
    assert (found["by"], found["approved"], found["good"]) == ("good-share", 0.7, 0.7)
    asked = _second_line(run("fit", *arguments, "--option", "approval_rate=0.5"))
    assert "approves 50.0% of the training applicants; 50.0% were asked for" in asked


def test_a_decision_that_was_learned_is_said_first(
    run: Run, loans: Path, fit_options: list[str], tmp_path: Path
) -> None:
    roles = fit_options[: fit_options.index("--binner")]
    result = run("fit", loans, *roles, "--learner", "fcca-tree", "--test-size", 0, "-o", tmp_path / "m.json")
    assert result.exit_code == 0, result.output
    assert _second_line(result).startswith("Decided by the classes of its leaves, which the tree was grown for: ")


def test_applicants_of_whom_nothing_is_known(run: Run, loans: Path, fit_options: list[str], tmp_path: Path) -> None:
    arguments = [loans, *fit_options, "-o", tmp_path / "m.json"]
    result = run("fit", *arguments)
    said = result.stdout
    assert "every input is missing" not in result.stderr
    said = " ".join(said.split())
    assert "An applicant of whom every input is missing would be approved, with a score of " in said
    assert "The model was left as it is. Nothing is needed where no such application reaches it; otherwise" in said
    assert "--refuse-missing all declines them" in said
    config = tmp_path / "run.toml"
    refused = run("fit", *arguments, "--overwrite", "--refuse-missing", "all", "--save-config", config)
    assert refused.exit_code == 0, refused.output
    assert "every input is missing" not in refused.stdout + refused.stderr
    [rule] = load(tmp_path / "m.json").policy.knock_outs
    assert rule.reason == "Credit application incomplete"
    assert tomllib.loads(config.read_text())["missing"] == {"refuse": "all"}
    before = (tmp_path / "m.json").read_bytes()
    assert run("fit", config, "--overwrite").exit_code == 0
    assert (tmp_path / "m.json").read_bytes() == before
    wrong = run("fit", *arguments, "--overwrite", "--refuse-missing", "some")
    assert wrong.exit_code == 2
    assert "'all' or 'unseen'" in wrong.stderr


def test_a_leak_is_named_in_every_place(run: Run, loans: Path, fit_options: list[str], tmp_path: Path) -> None:
    data = tmp_path / "flagged.csv"
    pd.read_csv(loans).assign(written_off=FLAG).to_csv(data, index=False)
    named = "Leak or knock-out? 'written_off': all "
    fitted = run("fit", data, *fit_options, "-o", tmp_path / "m.json", "--evidence", tmp_path / "e.json")
    assert named in " ".join(fitted.stderr.split())
    assert "written_off" in json.loads((tmp_path / "e.json").read_text())["metrics"]["leak_or_knock_out"]
    roles = fit_options[: fit_options.index("--binner")]
    binned = run("bins", data, *roles, "--json")
    assert list(json.loads(binned.stdout)["leak_or_knock_out"]) == ["written_off"]
    assert named in " ".join(binned.stderr.split())
    report = run("report", tmp_path / "m.json", "--evidence", tmp_path / "e.json", "-o", tmp_path / "r.html")
    assert report.exit_code == 0, report.output
    assert "Leak or knock-out?" in (tmp_path / "r.html").read_text()
    measured = run("report", tmp_path / "m.json", "--data", data, "--target", "credit_risk", "-o", tmp_path / "d.html")
    assert measured.exit_code == 0, measured.output
    assert "Leak or knock-out? &#39;written_off&#39;: all " in (tmp_path / "d.html").read_text()


@pytest.mark.parametrize(("learner", "own"), [([], "fine"), (["--learner", "scorecard"], "optimal")])
def test_options_of_a_binner_that_is_not_named_are_for_the_learners_own(
    run: Run, loans: Path, tmp_path: Path, learner: list[str], own: str
) -> None:
    roles = ["--target", "credit_risk", "--favourable", "good", "--drop", "loan"]
    options = [*roles, *learner, "--binner-option", "max_bins=2"]
    for name, binner in (("default", []), ("named", ["--binner", own])):
        fitted = run("fit", loans, *options, *binner, "-o", tmp_path / f"{name}.json")
        assert fitted.exit_code == 0, fitted.output
    default, named = (load(tmp_path / f"{name}.json") for name in ("default", "named"))
    assert default == named


@pytest.mark.parametrize(
    ("options", "where"),
    [(["--option", "min_share=0.1"], "learner 'additive'"), (["--binner-option", "min_share=0.1"], "binner 'fine'")],
)
def test_an_option_of_the_binner_for_woe_names_that_binner(
    run: Run, loans: Path, fit_options: list[str], tmp_path: Path, options: list[str], where: str
) -> None:
    roles = fit_options[: fit_options.index("--binner")]
    result = run("fit", loans, *roles, *options, "-o", tmp_path / "m.json")
    assert result.exit_code == 2
    for text in ("an option of the binner 'optimal'", where, "--binner optimal --binner-option min_share=…"):
        assert text in result.stderr
    assert run("fit", loans, *roles, "--binner", "optimal", *options[:-2], "-o", tmp_path / "m.json").exit_code == 0
