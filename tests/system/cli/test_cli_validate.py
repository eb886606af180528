"""`scrutable validate`, and how `scrutable fit` splits by time and leaves out whom nobody knows the outcome of."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import evaluate
from scrutable.data.datasets import load_german_credit, make_credit
from scrutable.model import Scorecard, load, load_evidence
from scrutable_lifecycle.validation import validate

Run = Callable[..., Any]
DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture(scope="module")
def applications(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Simulated applications with dates, some declined earlier and some neither good nor bad."""
    path = tmp_path_factory.mktemp("applications") / "applications.csv"
    data = make_credit(2000, seed=3)
    generator = np.random.default_rng(0)
    frame = data.frame.drop(columns=["default", "group"])
    booked = ((frame["bureau_score"] > 600) | (generator.random(2000) < 0.25)).to_numpy()
    outcome = data.y.map({0: "yes", 1: "no"}).astype(object).to_numpy(copy=True)
    outcome[np.flatnonzero(booked)[:60]] = "late once"
    outcome[~booked] = None
    frame.assign(
        paid=outcome,
        booked=booked.astype(int),
        issued=[f"2019-{month:02d}" for month in generator.integers(1, 13, 2000)],
    ).to_csv(path, index=False)
    return path


def fit(run: Run, data: Path, output: Path, *arguments: object) -> Any:
    roles = ["--target", "paid", "--favourable", "yes", "--protected", "sex", "--binner", "quantile"]
    roles += ["--binner-option", 'special_codes={"bureau_score": [-9]}']
    return run("fit", data, *roles, "--indeterminate", "late once", "--accepted", "booked", "-o", output, *arguments)


# --- validate -----------------------------------------------------------------------------------------------


def test_the_figures_are_those_of_the_function(run: Run, loans: Path, model: Path, tmp_path: Path) -> None:
    result = run(
        "validate", model, loans, "--target", "credit_risk", "--protected", "sex", "--protected", "age_group",
        "--intersection", "sex, age_group", "--reference-data", loans, "-o", tmp_path / "v.json",
        "--picture", tmp_path / "v.svg", "--json",
    )  # fmt: skip
    assert (result.exit_code, result.stderr) == (0, "")
    said = json.loads(result.stdout)
    assert said["written"] == [str(tmp_path / "v.json"), str(tmp_path / "v.svg")]
    written = json.loads((tmp_path / "v.json").read_text())
    assert {**written, "written": said["written"]} == said
    german = load_german_credit()
    its = validate(load(model), german.frame, german.y).to_dict()
    assert said["discrimination"] == its["discrimination"]
    assert said["calibration"]["overall"] == its["calibration"]["overall"]
    assert {each["attribute"] for each in said["disparity"]} == {"sex", "age_group", "sex & age_group"}
    assert {each["index"] for each in said["drift"]} == {0.0}


def test_two_rows_have_no_interval(run: Run, loans: Path, model: Path, tmp_path: Path) -> None:
    frame = pd.read_csv(loans)
    two = frame.groupby("credit_risk").head(1)
    two.to_csv(tmp_path / "two.csv", index=False)
    arguments = ["validate", model, tmp_path / "two.csv", "--target", "credit_risk"]
    shown = run(*arguments).stdout
    assert re.search(r"AUC +[01]\.[05]00 \(few rows\)", shown)
    assert "nan" not in shown.lower()
    said = json.loads(run(*arguments, "--json").stdout)["discrimination"]
    assert (said["auc_interval"], said["ks_interval"], said["small"]) == ([None, None], [None, None], True)


def test_the_development_sample_needs_the_weights_too(run: Run, loans: Path, model: Path, tmp_path: Path) -> None:
    pd.read_csv(loans).assign(row_weight=2).to_csv(tmp_path / "weighted.csv", index=False)
    arguments = ["validate", model, tmp_path / "weighted.csv", "--target", "credit_risk", "--weight", "row_weight"]
    refused = run(*arguments, "--reference-data", loans)
    assert refused.exit_code == 2
    assert "row_weight" in refused.stderr


@pytest.mark.parametrize(
    ("weight", "got"),
    [
        (-2, "a number like -9.9"),
        ("", "nan"),
        ("inf", "inf"),
        ("2,5", "a text like '9,9'"),
        ("=1+1", "a text like '=9+9'"),
    ],
)
def test_a_weight_that_cannot_be_used_is_named_by_file_column_row_and_form(
    run: Run, loans: Path, model: Path, tmp_path: Path, weight: Any, got: str
) -> None:
    frame = pd.read_csv(loans).assign(row_weight=1)
    frame.to_csv(tmp_path / "fine.csv", index=False)
    frame["row_weight"] = frame["row_weight"].astype(object)
    frame.loc[7, "row_weight"] = weight
    bad = tmp_path / "bad.csv"
    frame.to_csv(bad, index=False)
    option = ["--weight", "row_weight"]
    commands: list[list[Any]] = [
        ["validate", model, bad, "--target", "credit_risk"],
        ["validate", model, tmp_path / "fine.csv", "--target", "credit_risk", "--reference-data", bad],
        ["monitor", model, bad, loans],
        ["monitor", model, loans, bad],
        ["reasons", model, "--reference", bad],
        ["fit", bad, "--target", "credit_risk", "-o", tmp_path / "m.json"],
    ]
    for command in commands:
        result = run(*command, *option)
        assert result.exit_code == 2, command
        assert f"file {str(bad)!r}, column 'row_weight', row 7 got: {got}" in " ".join(result.stderr.split()), command


def test_the_tables_can_be_read(run: Run, loans: Path, model: Path) -> None:
    arguments = ["--protected", "sex", "--min-group-size", 400, "--reference-data", loans]
    result = run("validate", model, loans, "--target", "credit_risk", *arguments)
    assert result.exit_code == 0, result.stderr
    for text in (
        "AUC",
        "calibration slope",
        "adverse impact ratio",
        "mean difference",
        "p (Fisher)",
        "PSI may lie above it",
        "(small)",
    ):
        assert text in result.stdout


def test_indeterminates_are_counted(run: Run, applications: Path, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    assert fit(run, applications, path, "--drop", "issued").exit_code == 0
    arguments = ["validate", path, applications, "--target", "paid", "--favourable", "yes"]
    said = json.loads(run(*arguments, "--indeterminate", "late once", "--json").stdout)
    frame = pd.read_csv(applications)
    assert said["known"] == frame["paid"].isin(["yes", "no"]).sum()
    refused = run(*arguments)
    assert refused.exit_code == 2
    assert "more than two classes" in refused.stderr


def test_a_group_that_does_not_exist_is_bad_input(run: Run, loans: Path, model: Path) -> None:
    arguments = ["--target", "credit_risk", "--protected", "sex", "--intersection", "sex,race"]
    result = run("validate", model, loans, *arguments)
    assert result.exit_code == 2
    assert "there is no such protected attribute" in result.stderr
    result = run("validate", model, loans, "--target", "credit_risk", "--intersection", "sex,age_group")
    assert result.exit_code == 2
    assert "there is no protected attribute to cross" in result.stderr


# --- fit: splits by time ------------------------------------------------------------------------------------


def test_the_rows_held_out_are_the_later_ones_and_the_date_is_no_input(
    run: Run, applications: Path, tmp_path: Path
) -> None:
    arguments = ["--date", "issued", "--out-of-time", "2019-10", "--json", "--save-config", tmp_path / "run.toml"]
    result = fit(run, applications, tmp_path / "model.json", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    said = json.loads(result.stdout)
    frame = pd.read_csv(applications)
    known = frame["paid"].isin(["yes", "no"])
    later = (frame["issued"] >= "2019-10") & known
    assert said["rows"] == {"fit": int((known & ~later).sum()), "held_out": int(later.sum())}
    assert {"issued", "booked"}.isdisjoint(said["inputs"])
    from scrutable.fairness import auc

    score = evaluate(load(tmp_path / "model.json"), frame[later]).score
    assert said["held_out"]["performance"]["auc"] == auc((frame["paid"][later] == "yes").to_numpy(), score)
    config = tomllib.loads((tmp_path / "run.toml").read_text())
    assert (config["data"]["date"], config["split"]["out_of_time"]) == ("issued", "2019-10")
    again = run("fit", tmp_path / "run.toml", "--overwrite", "--json")
    assert json.loads(again.stdout)["model_sha256"] == said["model_sha256"]


def test_the_latest_share_can_be_held_out(run: Run, applications: Path, tmp_path: Path) -> None:
    said = json.loads(
        fit(run, applications, tmp_path / "m.json", "--date", "issued", "--out-of-time", "0.25", "--json").stdout
    )
    assert 0.18 < said["rows"]["held_out"] / sum(said["rows"].values()) < 0.32


# --- fit: whom nobody knows the outcome of ------------------------------------------------------------------


def test_what_the_population_means_is_said_and_kept_in_the_evidence(
    run: Run, applications: Path, tmp_path: Path
) -> None:
    arguments = ["--evidence", tmp_path / "evidence.json", "--drop", "issued"]
    result = fit(run, applications, tmp_path / "model.json", *arguments)
    assert result.exit_code == 0, result.stderr
    words = " ".join(result.stdout.split())
    assert "Indeterminate, not learned from nor measured on: 60 rows, 3.0% of all; the model approves" in words
    assert "Learned from accepted applicants: how the declined would have paid is not known." in words
    entry = load_evidence(tmp_path / "evidence.json").metrics["population"]
    frame = pd.read_csv(applications)
    declined = frame[frame["booked"] == 0]
    assert entry["declined"]["rows"] == len(declined)
    assert entry["declined"]["approved"] == evaluate(load(tmp_path / "model.json"), declined).approved.mean()
    assert entry["measured_on"] == "accepted rows only"
    assert entry["reject_inference"] is None


@pytest.mark.parametrize("method", ["fuzzy", "parcelling"])
def test_rejects_are_inferred_by_name_and_repeated_from_the_config(
    run: Run, applications: Path, tmp_path: Path, method: str
) -> None:
    arguments = ["--reject-inference", method, "--reject-factor", 2, "--drop", "issued"]
    result = fit(run, applications, tmp_path / "m.json", *arguments, "--save-config", tmp_path / "run.toml", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    said = json.loads(result.stdout)
    assert said["population"]["reject_inference"] == {"method": method, "factor": 2.0}
    plain = json.loads(fit(run, applications, tmp_path / "p.json", "--drop", "issued", "--json").stdout)
    assert said["rows"] == plain["rows"]
    alike = ["--reject-inference", method, "--drop", "issued", "--json"]
    no_worse = json.loads(fit(run, applications, tmp_path / "a.json", *alike).stdout)
    assert said["population"]["declined"]["approved"] < no_worse["population"]["declined"]["approved"] - 0.05
    config = tomllib.loads((tmp_path / "run.toml").read_text())
    assert config["reject_inference"] == {"method": method, "factor": 2.0}
    again = run("fit", tmp_path / "run.toml", "--overwrite", "--json")
    assert json.loads(again.stdout)["model_sha256"] == said["model_sha256"]


@pytest.mark.parametrize("method", ["fuzzy", "parcelling"])
def test_nothing_is_learned_from_rejects_of_the_time_held_out(
    run: Run, applications: Path, tmp_path: Path, method: str
) -> None:
    frame = pd.read_csv(applications)
    later = (frame["booked"] == 0) & (frame["issued"] >= "2019-10")
    frame[~later].to_csv(tmp_path / "earlier.csv", index=False)
    found = []
    for name, data in (("all", applications), ("earlier", tmp_path / "earlier.csv")):
        arguments = ["--date", "issued", "--out-of-time", "2019-10", "--reject-inference", method]
        result = fit(run, data, tmp_path / f"{name}.json", *arguments)
        assert result.exit_code == 0, result.stderr
        model = load(tmp_path / f"{name}.json")
        assert isinstance(model, Scorecard)
        found.append((model.characteristics, model.base_points, model.cutoff))
    assert found[0] == found[1]
    frame[(frame["booked"] == 1) | later].to_csv(tmp_path / "later.csv", index=False)
    refused = fit(run, tmp_path / "later.csv", tmp_path / "m.json", *arguments)
    assert refused.exit_code == 2
    assert "there is no declined applicant before 2019-10" in " ".join(refused.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--date", "issued", "--out-of-time", "2019-10", "--test-size", 0.2], "the rows held out are said twice"),
        (["--out-of-time", "2019-10"], "there is no column to split by"),
        (["--date", "issued", "--out-of-time", "2030"], "there would be no rows to hold out"),
        (["--date", "purpose", "--out-of-time", "2019"], "Error: not a date\n"),
        (["--reject-factor", 2], "nothing is inferred"),
        (["--reject-inference", "guess"], "--reject-inference"),
        (["--indeterminate", "maybe"], "no row has the class that is called indeterminate"),
        (["--accepted", "region"], "cannot tell who was accepted"),
    ],
)
def test_bad_input_of_fit(run: Run, applications: Path, tmp_path: Path, arguments: list[Any], message: str) -> None:
    result = fit(run, applications, tmp_path / "m.json", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize("booked", [0, 1])
def test_a_date_that_cannot_be_put_in_order_is_named_by_its_row_in_the_file(
    run: Run, applications: Path, tmp_path: Path, booked: int
) -> None:
    frame = pd.read_csv(applications)
    row = int(frame.index[(frame["booked"] == booked) & (frame["paid"] != "late once")][-1])
    frame.loc[row, "issued"] = "31.12.2019"
    frame.to_csv(tmp_path / "dates.csv", index=False)
    arguments = ["--date", "issued", "--out-of-time", "2019-10", "--reject-inference", "fuzzy"]
    result = fit(run, tmp_path / "dates.csv", tmp_path / "m.json", *arguments)
    assert result.exit_code == 2
    assert f"dates, row {row}\n" in result.stderr.replace(":", "\n")


def test_without_anybody_declined_nothing_can_be_inferred(
    run: Run, loans: Path, fit_options: list[str], tmp_path: Path
) -> None:
    result = run("fit", loans, *fit_options, "--reject-inference", "fuzzy", "-o", tmp_path / "m.json")
    assert result.exit_code == 2
    assert "there is no declined applicant" in result.stderr


def test_an_accepted_row_without_an_outcome_is_bad_input(run: Run, applications: Path, tmp_path: Path) -> None:
    frame = pd.read_csv(applications)
    frame.loc[frame.index[frame["booked"] == 1][-1], "paid"] = None
    frame.to_csv(tmp_path / "gaps.csv", index=False)
    result = fit(run, tmp_path / "gaps.csv", tmp_path / "m.json", "--drop", "issued")
    assert result.exit_code == 2
    assert "the outcome is missing" in result.stderr


def test_outcomes_in_whole_numbers_stay_whole_beside_gaps(run: Run, applications: Path, tmp_path: Path) -> None:
    frame = pd.read_csv(applications)
    frame = frame[frame["paid"] != "late once"].assign(paid=lambda its: its["paid"].map({"yes": 1, "no": 0}))
    frame.drop(columns=["issued", "sex"]).to_csv(tmp_path / "numbers.csv", index=False)
    options = ["--target", "paid", "--favourable", 1, "--accepted", "booked", "-o", tmp_path / "m.json"]
    result = run("fit", tmp_path / "numbers.csv", *options)
    assert result.exit_code == 0, result.stderr
    assert load(tmp_path / "m.json").outcome.classes == (0, 1)


# --- docs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["probability", "validation"])
def test_the_examples_and_command_lines_of_the_page_work(
    page: str, tmp_path: Path, applications: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (DOCS / f"{page}.md").read_text()
    monkeypatch.chdir(tmp_path)
    pd.read_csv(applications).to_csv("applications.csv", index=False)
    data = make_credit(2000, seed=2)
    frame = data.frame.assign(paid=data.y.map({0: "yes", 1: "no"})).drop(columns=["default", "group"])
    frame["issued"] = [f"2019-{1 + row % 12:02d}" for row in range(2000)]
    for name in ("loans", "train", "recent", "later"):
        frame.to_csv(f"{name}.csv", index=False)
    names: dict[str, Any] = {}
    for code in re.findall(r"```python\n(.*?)```", text, re.S):
        exec(compile(code, page, "exec"), names)
    lines = re.findall(r"^    scrutable (.*)$", text.replace("\\\n", ""), re.M)
    assert lines
    for line in lines:
        result = run(*shlex.split(line))
        assert result.exit_code == 0, f"{line}\n{result.stderr}"


def test_pictures_go_to_a_folder(run: Run, model: Path, loans: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    asked = ("validate", model, loans, "--target", "credit_risk", "--reference-data", loans, "--pictures", folder)
    result = run(*asked, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    said = json.loads(result.stdout)
    assert said["written"] == [str(folder / f"{kind}.svg") for kind in ("roc", "cap", "gains", "ks", "reliability")]
    assert all(Path(each).read_text().startswith("<?xml") for each in said["written"])
    assert said["curves"]["measured"] == said["curves"]["development"]
    assert "exists already" in run(*asked).output
    of_groups = json.loads(run(*asked, "--protected", "sex", "--overwrite", "--json").stdout)["written"]
    assert of_groups == [*said["written"], str(folder / "groups.svg")]
