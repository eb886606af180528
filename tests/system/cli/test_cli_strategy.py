"""`scrutable strategy`: bands, cutoff, swap and rounding on a file, and the page that describes them."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.data.datasets import Dataset, make_credit
from scrutable.data.outcome import Outcome, Quantity
from scrutable.fairness import Groups
from scrutable.model import Clause, Interval, KnockOut, Policy, RegressionScorecard, Scorecard, dump, load
from scrutable.writing.decimals import number
from scrutable_lifecycle.commands.wording import figure
from scrutable_lifecycle.strategy import (
    Profit,
    choose_cutoff,
    gains_table,
    rounding_effect,
    score_bands,
    score_rows,
    swap_set,
    with_cutoff,
)

Run = Callable[..., Any]

PAGE = Path(__file__).parents[3] / "docs" / "strategy.md"


@pytest.fixture(scope="module")
def credit() -> Dataset:
    return make_credit(1200, seed=2)


@pytest.fixture(scope="module")
def folder(credit: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models, applicants with yes and no, weights, margins and losses, and some without an outcome."""
    made = tmp_path_factory.mktemp("strategy")
    for name, bins in (("champion", 3), ("challenger", 6)):
        binner = create("binner", "quantile", max_bins=bins)
        labels = credit.y.map({0: "yes", 1: "no"}).rename("paid")
        dump(
            create("learner", "scorecard", binner=binner, favourable="yes").fit(credit.X, labels).model_,
            made / f"{name}.json",
        )
    (made / "model.json").write_bytes((made / "challenger.json").read_bytes())
    frame = credit.frame.drop(columns=["default"]).assign(
        paid=credit.y.map({0: "yes", 1: "no"}),
        coded=1 - credit.y,
        weight=np.arange(len(credit.y)) % 3,
        margin=np.arange(len(credit.y)) % 50 + 50.0,
        loss=400.0,
        p_female=np.where(credit.frame["sex"] == "female", 0.75, 0.25),
    )
    frame["p_male"] = 1 - frame["p_female"]
    frame.to_csv(made / "loans.csv", index=False)
    frame.assign(paid=frame["paid"].where(frame.index % 3 > 0)).to_csv(made / "some.csv", index=False)
    return made


@pytest.fixture(scope="module")
def known(credit: Dataset) -> dict[str, Any]:
    return {"groups": Groups.from_frame(credit.sensitive_features[["sex"]])}


@pytest.fixture(scope="module")
def good(credit: Dataset) -> Any:
    return (credit.y == 0).to_numpy()


def card(folder: Path, name: str = "model") -> Scorecard:
    model = load(folder / f"{name}.json")
    assert isinstance(model, Scorecard)
    return model


def json_of(run: Run, *arguments: object) -> dict[str, Any]:
    result = run("strategy", *arguments, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_bands(run: Run, folder: Path, credit: Dataset, good: Any, known: dict[str, Any], tmp_path: Path) -> None:
    roles = [folder / "model.json", folder / "loans.csv", "--target", "paid", "--protected", "sex"]
    said = json_of(run, "bands", *roles, "--width", 20, "--picture", tmp_path / "bands.svg")
    score = score_rows(card(folder), credit.X).score
    expected = score_bands(score, good, width=20, **known).to_dict()
    assert {name: said[name] for name in expected} == expected
    assert said["gains"] == gains_table(score, good, width=20, **known).to_dict()
    assert said["basis"] == "score"
    assert (tmp_path / "bands.svg").read_bytes().startswith(b"<?xml")
    shown = run("strategy", "bands", *roles, "--edges", "500,540", "--safest-first")
    assert (shown.exit_code, shown.stderr) == (0, "")
    for words in ("below 500", "500 to 540", "knocked out", "Gains, the safest first", "KS is", "sex: female"):
        assert words in shown.stdout


def test_weights_and_membership_probabilities(run: Run, folder: Path, credit: Dataset, good: Any) -> None:
    options = ["--weight", "weight", "--protected-probabilities", "sex:female=p_female,male=p_male"]
    options += ["--reference", "sex=male"]
    said = json_of(run, "bands", folder / "model.json", folder / "loans.csv", "--target", "paid", *options)
    female = np.where(credit.frame["sex"] == "female", 0.75, 0.25)
    groups = Groups.from_probabilities({"sex": {"female": female, "male": 1 - female}}, reference={"sex": "male"})
    weight = np.arange(len(good)) % 3
    score = score_rows(card(folder), credit.X).score
    expected = score_bands(score, good, groups=groups, sample_weight=weight).to_dict()
    assert {name: said[name] for name in expected} == expected


def test_the_outcome_may_be_coded_otherwise(run: Run, folder: Path) -> None:
    data = [folder / "model.json", folder / "loans.csv"]
    first = json_of(run, "bands", *data, "--target", "paid")
    assert json_of(run, "bands", *data, "--target", "coded", "--favourable", "1") == first
    swapped = json_of(run, "bands", *data, "--target", "coded", "--favourable", "0")
    assert swapped["everybody"]["good"] == first["everybody"]["bad"]
    refused = run("strategy", "bands", *data, "--target", "coded")
    assert refused.exit_code == 2
    assert "no such class in the target" in refused.stderr
    words = " ".join(refused.stderr.split())
    assert "column 'coded' got: ['0', '1'] allowed: 'no' or 'yes'" in words
    assert "--favourable CLASS" in words
    many = run("strategy", "bands", *data, "--target", "margin")
    assert "the outcome has more than two classes" in many.stderr


def test_the_models_own_classes_keep_their_meaning(run: Run, folder: Path, tmp_path: Path) -> None:
    model = folder / "model.json"
    commands: list[list[Any]] = [
        ["strategy", "bands", model],
        ["strategy", "cutoff", model, "--approval-rate", "0.5"],
        ["strategy", "rounding", model],
        ["strategy", "swap", folder / "champion.json", model],
        ["compare", folder / "champion.json", model, "--protected", "sex", "-o", tmp_path / "compared", "--data"],
        ["calibrate", model, "-o", tmp_path / "calibrated.json"],
        ["validate", model],
    ]
    for command in commands:
        refused = run(*command, folder / "loans.csv", "--target", "paid", "--favourable", "no")
        words = " ".join(refused.stderr.split())
        assert refused.exit_code == 2, command
        assert "calls the other class of these data favourable where: --favourable, column 'paid'" in words, command
        assert "got: 'no' allowed: 'yes'" in words, command
        assert "leave --favourable out" in words, command


@pytest.mark.parametrize("favourable", ["1", "1.0", "True"])
def test_a_class_is_the_models_however_it_is_written(run: Run, folder: Path, tmp_path: Path, favourable: str) -> None:
    dump(replace(card(folder), outcome=Outcome(classes=(0, 1), favourable=0)), tmp_path / "numbers.json")
    frame = pd.read_csv(folder / "loans.csv")
    if favourable == "1.0":
        frame["coded"] = frame["coded"].astype(float)
    if favourable == "True":
        frame["coded"] = frame["coded"].astype(bool)
    frame.to_csv(tmp_path / "loans.csv", index=False)
    roles = ["bands", tmp_path / "numbers.json", tmp_path / "loans.csv", "--target", "coded"]
    refused = run("strategy", *roles, "--favourable", favourable)
    assert (refused.exit_code, "calls the other class of these data" in refused.stderr) == (2, True)
    assert json_of(run, *roles)["everybody"] == json_of(run, *roles, "--favourable", "0")["everybody"]


@pytest.mark.parametrize("outcome", ["yes", "no"])
def test_all_may_have_paid_or_nobody(run: Run, folder: Path, tmp_path: Path, outcome: str) -> None:
    frame = pd.read_csv(folder / "loans.csv")
    frame[frame["paid"] == outcome].to_csv(tmp_path / "one.csv", index=False)
    roles = ["bands", folder / "model.json", tmp_path / "one.csv", "--target", "paid"]
    said = json_of(run, *roles, "--favourable", "yes")
    assert said == json_of(run, *roles)
    assert said["everybody"]["bad_rate"] == {"yes": 0.0, "no": 1.0}[outcome]
    refused = run("strategy", *roles, "--favourable", "yess")
    assert (refused.exit_code, "no such class in the target" in refused.stderr) == (2, True)


@pytest.mark.parametrize(
    ("option", "aim"),
    [
        (["--approval-rate", "0.6"], {"approval_rate": 0.6}),
        (["--max-bad-rate", "0.1"], {"max_bad_rate": 0.1}),
        (["--profit", "approved-good=100,approved-bad=-500"], {"profit": Profit(approved_good=100, approved_bad=-500)}),
    ],
)
def test_cutoff(
    run: Run,
    folder: Path,
    credit: Dataset,
    good: Any,
    known: dict[str, Any],
    tmp_path: Path,
    option: list[str],
    aim: dict[str, Any],
) -> None:
    roles = [folder / "model.json", folder / "loans.csv", "--target", "paid", "--protected", "sex"]
    outputs = ["-o", tmp_path / "recut.json", "--curve", tmp_path / "curve.csv", "--picture", tmp_path / "c.png"]
    said = json_of(run, "cutoff", *roles, *option, *outputs)
    model = card(folder)
    expected = choose_cutoff(score_rows(model, credit.X).score, good, **aim, **known)
    assert {name: said[name] for name in expected.to_dict(curve=False)} == expected.to_dict(curve=False)
    assert said["before"]["cutoff"] == model.cutoff
    assert load(tmp_path / "recut.json") == with_cutoff(model, expected.cutoff)
    curve = pd.read_csv(tmp_path / "curve.csv")
    assert curve["cutoff"].tolist() == expected.curve.cutoff.tolist()
    assert curve["approval_rate (sex: female)"].tolist() == expected.curve.groups[0].approval_rate.tolist()
    assert (tmp_path / "c.png").exists()
    shown = run("strategy", "cutoff", *roles, *option)
    assert f"Cutoff {number(expected.cutoff)}:" in shown.stdout
    assert "adverse impact ratio, sex: female / male" in shown.stdout


def test_the_profit_of_the_cutoff_of_now_stands_beside_that_of_the_new_one(run: Run, folder: Path) -> None:
    roles = ["cutoff", folder / "model.json", folder / "loans.csv", "--target", "paid", "--weight", "weight"]
    option = ["--profit", "approved-good=100,approved-bad=-500"]
    said = json_of(run, *roles, *option)
    now = said["before"]
    assert now["profit"] == 100 * now["approved"]["good"] - 500 * now["approved"]["bad"] < said["profit"]
    weight = pd.read_csv(folder / "loans.csv")["weight"].sum()
    assert now["profit_per_applicant"] == now["profit"] / weight
    lines = run("strategy", *roles, *option, COLUMNS="200").stdout.splitlines()
    for name in ("profit", "profit_per_applicant"):
        [line] = [line for line in lines if line.strip().startswith(name.replace("_", " ") + "  ")]
        assert line.split()[-2:] == [figure(now[name]), figure(said[name])]
    without = json_of(run, *roles, "--approval-rate", "0.5")["before"]
    assert (without["profit"], without["profit_per_applicant"]) == (None, None)


def test_a_profit_names_the_row_of_the_users_column_that_has_no_outcome(run: Run, folder: Path, tmp_path: Path) -> None:
    frame = pd.read_csv(folder / "loans.csv")
    frame.loc[[4, 9], "paid"] = None  # row 9 weighs nothing
    frame.to_csv(tmp_path / "gap.csv", index=False)
    roles = ["cutoff", folder / "model.json", tmp_path / "gap.csv", "--target", "paid"]
    option = ["--profit", "approved-good=100,approved-bad=-500"]
    refused = run("strategy", *roles, *option)
    words = " ".join(refused.stderr.split())
    assert refused.exit_code == 2
    assert "column 'paid', row 5 below the header got: '2 of 1,200 rows without an outcome'" in words
    assert "allowed: an outcome in every row with weight, because a profit needs it" in words
    assert "drop these rows, or choose by --approval-rate or --max-bad-rate" in words
    assert run("strategy", *roles, "--approval-rate", "0.5").exit_code == 0
    frame.assign(weight=(frame.index != 4) * frame["weight"]).to_csv(tmp_path / "gap.csv", index=False)
    assert frame.loc[9, "weight"] == 0
    assert json_of(run, *roles, *option, "--weight", "weight")["profit"] > 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "give one aim"),
        (["--approval-rate", "0.5", "--max-bad-rate", "0.1"], "give one aim"),
        (["--approval-rate", "1.5"], "expected a share"),
        (["--profit", "approved-good=1"], "a part of the profit is missing"),
        (["--profit", "approved-good=1,approved-bat=2"], "did you mean 'approved-bad'"),
        (["--profit", "approved-good=1,approved-bad=lost"], "did you mean 'loss'"),
        (["--profit", "approved-good=sex,approved-bad=1"], "amounts must be numbers"),
        (["--approval-rate", "0.5", "--picture", "c.pdf"], "no format of a picture"),
    ],
)
def test_unusable_aims_are_bad_input(run: Run, folder: Path, options: list[str], words: str) -> None:
    result = run("strategy", "cutoff", folder / "model.json", folder / "loans.csv", "--target", "paid", *options)
    assert result.exit_code == 2
    assert words in result.stderr


def test_swap(run: Run, folder: Path, credit: Dataset, good: Any, known: dict[str, Any], tmp_path: Path) -> None:
    both = [folder / "champion.json", folder / "challenger.json"]
    unknown = np.where(np.arange(len(good)) % 3 > 0, good, None)
    ats: list[Any] = ["cutoff", "approval rate"]
    for at in ats:
        picture = tmp_path / f"{at}.svg"
        roles = [folder / "some.csv", "--target", "paid", "--protected", "sex", "--at", at.replace(" ", "-")]
        said = json_of(run, "swap", *both, *roles, "--picture", picture)
        models = card(folder, "champion"), card(folder, "challenger")
        expected = swap_set(*models, credit.X, unknown, at=at, **known).to_dict()
        assert said == expected | {"written": [str(picture)]}
    assert sum(said[name]["unknown"] for name in ("both_approve", "swapped_in", "swapped_out", "both_decline")) == 400
    shown = run("strategy", "swap", *both, folder / "some.csv", "--target", "paid", "--protected", "sex")
    for words in ("swapped in", "swapped out", "unknown", "adverse impact ratio, sex: female / male"):
        assert words in shown.stdout


@pytest.mark.parametrize("favourable", [[], ["--favourable", "yes"]])
def test_no_outcome_needs_to_be_known(run: Run, folder: Path, tmp_path: Path, favourable: list[str]) -> None:
    empty = tmp_path / "empty.csv"
    pd.read_csv(folder / "loans.csv").assign(paid=None).to_csv(empty, index=False)
    roles = [folder / "model.json", empty, "--target", "paid", "--protected", "sex", *favourable]
    said = json_of(run, "bands", *roles, "--picture", tmp_path / "bands.svg")
    assert said["everybody"]["unknown"] == said["everybody"]["applicants"] == 1200
    assert (said["gains"]["ks"], said["gains"]["ks_at"], said["gains"]["groups"][0]["ks"]) == (None, None, None)
    shown = run("strategy", "bands", *roles)
    assert (shown.exit_code, shown.stderr, "KS is" in shown.stdout) == (0, "", False)
    assert json_of(run, "cutoff", *roles, "--approval-rate", "0.5")["bad_rate"] is None
    rounded = json_of(run, "rounding", *roles)
    assert (rounded["auc"], rounded["ks"]) == ([None, None], [None, None])
    assert run("strategy", "rounding", *roles).exit_code == 0
    refused = run("strategy", "cutoff", *roles, "--max-bad-rate", "0.1")
    assert (refused.exit_code, "no outcome is known" in refused.stderr) == (2, True)


def test_a_printed_cutoff_decides_alike_when_it_is_copied(run: Run, folder: Path) -> None:
    roles = [folder / "model.json", folder / "loans.csv", "--target", "paid"]
    said = json_of(run, "bands", *roles, "--bands", "4")
    shown = run("strategy", "bands", *roles, "--bands", "4", COLUMNS="200").stdout
    for band in said["bands"][1:]:
        assert f"from {number(band['lower'])}" in shown or f"{number(band['lower'])} to " in shown
    assert f"at the cutoff {number(said['gains']['ks_at'])}." in shown
    both = [folder / "champion.json", folder / "challenger.json", folder / "loans.csv", "--target", "paid"]
    swapped = json_of(run, "swap", *both, "--at", "approval-rate")
    shown = run("strategy", "swap", *both, "--at", "approval-rate", COLUMNS="200").stdout
    assert f"challenger, {number(swapped['challenger']['cutoff'])}" in shown


def test_models_of_different_outcomes_need_the_favourable_class(run: Run, folder: Path, tmp_path: Path) -> None:
    model = card(folder)
    other = replace(model, outcome=Outcome(classes=(0, 1), favourable=0))
    dump(other, tmp_path / "other.json")
    both = ["swap", folder / "model.json", tmp_path / "other.json", folder / "loans.csv", "--target", "paid"]
    refused = run("strategy", *both)
    assert refused.exit_code == 2
    assert "the models call different outcomes favourable" in refused.stderr
    assert json_of(run, *both, "--favourable", "yes")["swapped_in"]["applicants"] == 0


def test_rounding(run: Run, folder: Path, credit: Dataset, good: Any, known: dict[str, Any], tmp_path: Path) -> None:
    roles = [folder / "model.json", folder / "loans.csv", "--target", "paid", "--protected", "sex"]
    words = "all applicants of loans.csv"
    expected = rounding_effect(card(folder), credit.X, good, population=words, **known)
    said = json_of(run, "rounding", *roles, "-o", tmp_path / "rounded.json")
    assert said == expected.to_dict() | {"written": [str(tmp_path / "rounded.json")]}
    assert load(tmp_path / "rounded.json") == expected.same_cutoff.model
    kept = ["--keep", "approval-rate", "-o", tmp_path / "rounded.json", "--overwrite"]
    shown = run("strategy", "rounding", *roles, *kept)
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert load(tmp_path / "rounded.json") == expected.same_approval_rate.model
    for words in ("rows per distinct score", "approved, now declined", "same approval rate"):
        assert words in shown.stdout


def test_knocked_out_applicants_are_told_apart(run: Run, folder: Path, credit: Dataset, tmp_path: Path) -> None:
    model = card(folder)
    income = next(feature for feature in model.features if feature.name == "income")
    rule = KnockOut(code="K", reason="low income", when=(Clause(income.name, (Interval(upper=1000),)),))
    dump(replace(model, policy=Policy(knock_outs=(rule,))), tmp_path / "strict.json")
    out = int((credit.frame["income"] < 1000).sum())
    assert out
    said = json_of(run, "bands", tmp_path / "strict.json", folder / "loans.csv", "--target", "paid")
    assert said["knocked_out"]["applicants"] == out
    assert sum(band["applicants"] for band in said["bands"]) == len(credit.y) - out
    both = [tmp_path / "strict.json", folder / "model.json", folder / "loans.csv", "--target", "paid"]
    assert "Knock-outs or overrides of the champion decline" in run("strategy", "swap", *both).stdout


def test_no_output_replaces_a_file_or_an_input(run: Run, folder: Path, tmp_path: Path) -> None:
    roles = [folder / "model.json", folder / "loans.csv", "--target", "paid", "--approval-rate", "0.5"]
    (tmp_path / "mine.json").write_text("mine")
    assert "exists already" in run("strategy", "cutoff", *roles, "-o", tmp_path / "mine.json").stderr
    assert (tmp_path / "mine.json").read_text() == "mine"
    twice = run("strategy", "cutoff", *roles, "-o", folder / "model.json", "--overwrite")
    assert (twice.exit_code, "the file has two uses" in twice.stderr) == (2, True)


def test_a_prediction_approves_nobody(run: Run, folder: Path, tmp_path: Path) -> None:
    model = card(folder)
    quantity = RegressionScorecard(
        outcome=Quantity(target="lgd"),
        features=model.features,
        characteristics=tuple(
            replace(each, attributes=tuple(replace(its, statistics=None) for its in each.attributes))
            for each in model.characteristics
        ),
        base_points=0,
    )
    dump(quantity, tmp_path / "lgd.json")
    refused = run("strategy", "bands", tmp_path / "lgd.json", folder / "loans.csv", "--target", "paid")
    assert refused.exit_code == 2
    assert "a model that decides between two classes is needed" in refused.stderr


def test_help_shows_the_commands_and_their_examples(run: Run) -> None:
    assert all(name in run("strategy", "--help").stdout for name in ("bands", "cutoff", "swap", "rounding"))
    for name in ("bands", "cutoff", "swap", "rounding"):
        assert f"scrutable strategy {name} " in run("strategy", name, "--help").stdout


def test_the_command_starts_without_numeric_libraries() -> None:
    code = "import sys, scrutable.cli.app; print(sorted({'numpy', 'pandas', 'sklearn'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_command_lines_of_the_page_work(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    lines = re.findall(r"^    scrutable (.*)$", PAGE.read_text(), re.M)
    assert len(lines) == 7
    for line in lines:
        result = run(*shlex.split(line), "--overwrite")
        assert (result.exit_code, result.stderr) == (0, ""), line
    assert load(folder / "recut.json") != load(folder / "model.json")


def test_the_examples_of_the_page_run() -> None:
    names: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    assert len(blocks) == 4
    for code in blocks:
        exec(compile(code, PAGE.name, "exec"), names)
    assert names["rounded"].scaling.decimals == 0
