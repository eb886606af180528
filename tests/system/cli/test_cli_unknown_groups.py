"""Protected groups given by probability on the command line: no inputs, but weights in every figure."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable.data.datasets import load_german_credit
from scrutable.data.splits import hold_out
from scrutable.fairness import Groups, fairness_report
from scrutable.model import load
from scrutable.model.evaluator import evaluate

Run = Callable[..., Any]

FLAG = "--protected-probabilities"
PROBABLE = [FLAG, "sex:female=p_female,male=p_male"]
ROLES = ["--target", "credit_risk", "--favourable", "good"]
ROLES += [f"--drop={name}" for name in ("age", "sex", "personal_status", "marital_status", "foreign_worker")]
QUICK = ["--binner", "quantile", "--binner-option", "max_bins=4"]


def applicants() -> pd.DataFrame:
    """German credit with probabilities of the sex; those of the last ten rows are missing."""
    frame = load_german_credit().frame
    noise = np.random.default_rng(0).uniform(-0.15, 0.15, len(frame))
    frame["p_female"] = (np.where(frame["sex"] == "female", 0.8, 0.2) + noise).round(3)
    frame["p_male"] = (1 - frame["p_female"]).round(3)
    frame.loc[frame.index[-10:], ["p_female", "p_male"]] = np.nan
    return frame


@pytest.fixture(scope="module")
def probable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("probable") / "loans.csv"
    applicants().to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def fitted(run: Run, probable: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what a fit wrote and said; what is there is not changed."""
    folder = tmp_path_factory.mktemp("fitted")
    options = [*ROLES, *QUICK, *PROBABLE, "--protected", "age_group", "--reference", "sex=female"]
    files = ["-o", folder / "model.json", "--save-config", folder / "run.toml", "--evidence", folder / "evidence.json"]
    done = run("fit", probable, *options, *files, "--json")
    assert done.exit_code == 0, done.output
    assert "groups smaller than 30: '(missing)' of 'sex' has 10 rows" in re.sub(r"\s+", " ", done.stderr)
    (folder / "said.json").write_text(done.stdout)
    return folder


def test_figures_by_group_are_weighted_and_the_columns_are_no_inputs(fitted: Path) -> None:
    said = json.loads((fitted / "said.json").read_text())
    assert {"p_female", "p_male", "age_group"}.isdisjoint(said["inputs"])
    frame = applicants()
    _, held = hold_out(frame["credit_risk"].astype(str).to_numpy(), 0.3, 0, where="", fix="")
    rest, model = frame.iloc[held], load(fitted / "model.json")
    known = rest["p_female"].notna().to_numpy()
    approved = evaluate(model, rest).approved
    rates = [np.average(approved[known], weights=rest.loc[known, name]) for name in ("p_female", "p_male")]
    groups = said["held_out"]["at_cutoff"]["groups"]
    found = {each["group"]: each for each in groups if each["attribute"] == "sex"}
    assert set(found) == {"female", "male", "(missing)"}
    assert found["female"]["approval_rate"] == pytest.approx(rates[0], abs=1e-9)
    assert found["male"]["adverse_impact_ratio"] == pytest.approx(rates[1] / rates[0], abs=1e-9)
    assert found["(missing)"]["size"] == pytest.approx((~known).sum())
    assert {each["attribute"] for each in groups} == {"sex", "age_group"}


def test_a_config_repeats_the_run(run: Run, fitted: Path) -> None:
    text = (fitted / "run.toml").read_text()
    data = tomllib.loads(text)["data"]
    assert data["protected_probabilities"] == {"sex": {"female": "p_female", "male": "p_male"}}
    (fitted / "again.toml").write_text(text.replace("model.json", "again.json").replace("evidence.json", "other.json"))
    done = run("fit", fitted / "again.toml")
    assert done.exit_code == 0, done.output
    assert (fitted / "again.json").read_bytes() == (fitted / "model.json").read_bytes()
    assert "protected, and no input: age_group, sex (probabilities)" in re.sub(r"\s+", " ", done.stdout)


def test_a_table_in_a_config_will_do(run: Run, probable: Path, tmp_path: Path) -> None:
    lines = [
        "[data]",
        f"path = {json.dumps(str(probable))}",
        'target = "credit_risk"',
        'drop = ["age", "sex", "personal_status", "marital_status", "foreign_worker", "age_group"]',
        "[data.protected_probabilities.sex]",
        'female = "p_female"',
        'male = "p_male"',
        "[output]",
        'model = "m.json"',
    ]
    (tmp_path / "run.toml").write_text("\n".join(lines))
    done = run("fit", tmp_path / "run.toml", "--json")
    assert done.exit_code == 0, done.output
    assert {each["group"] for each in json.loads(done.stdout)["held_out"]["at_cutoff"]["groups"]} == {
        "female",
        "male",
        "(missing)",
    }


def test_a_constraint_and_a_search_take_them(run: Run, probable: Path, tmp_path: Path) -> None:
    options = [*ROLES, "--drop", "age_group", *PROBABLE]
    bound = ["--learner", "fairgbm", "--option", "n_estimators=20", "--constraint", "demographic-parity:slack=0.2"]
    done = run("fit", probable, *options, *bound, "-o", tmp_path / "m.json", "--json")
    assert done.exit_code == 0, done.output
    [kept] = json.loads(done.stdout)["constraints"]
    assert {kept["fit"]["group"], kept["fit"]["reference"]} == {"female", "male"}
    sweep = [
        "--option",
        'sweep={"bounds": [0.05], "budgets": [], "gap_shares": []}',
        "--require",
        "0.5",
        "--margin",
        "0",
    ]
    done = run("search", probable, *options, *QUICK, *sweep, "-o", tmp_path / "found", "--no-picture", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["picked"]["at_cutoff"]["ratio"]["attribute"] == "sex"


def test_the_document_compares_them(run: Run, probable: Path, fitted: Path, tmp_path: Path) -> None:
    data = ["--data", probable, "--target", "credit_risk"]
    done = run("report", fitted / "model.json", *data, *PROBABLE, "--protected", "age_group", "-o", tmp_path / "r.html")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "r.html").read_text()
    frame = applicants()
    columns = {"sex": {"female": frame["p_female"], "male": frame["p_male"]}}
    model, good = load(fitted / "model.json"), (frame["credit_risk"] == "good").to_numpy()
    score = evaluate(model, frame).score
    found = fairness_report(
        good, score, model.cutoff, Groups.from_probabilities(columns, min_group_size=0), n_boot=10
    ).at_cutoff
    [ratio] = [each.adverse_impact_ratio for each in found.groups if each.group == "female"]
    assert f"{ratio:.3f}" in page
    assert "age_group: at the cutoff" in page


def test_the_document_takes_a_reference_group(run: Run, probable: Path, fitted: Path, tmp_path: Path) -> None:
    """`--reference` is a file there; the group is named by an option of its own, of either kind of attribute."""
    data = ["--data", probable, "--target", "credit_risk"]
    page = tmp_path / "r.html"
    for roles, group in ((PROBABLE, "female"), (["--protected", "sex"], "female"), (["--protected", "sex"], "male")):
        options = [*roles, "--reference-group", f"sex={group}", "-o", page, "--overwrite"]
        done = run("report", fitted / "model.json", *data, *options)
        assert done.exit_code == 0, done.output
        other = {"female": "male", "male": "female"}[group]
        lines = [re.sub("<[^>]*>", " ", row) for row in re.findall(r"<tr>.*?</tr>", page.read_text(), re.S)]
        told = {line.split()[0]: line for line in lines if re.search(r"\b(fe)?male\b", line)}
        assert "reference" in told[group]
        assert "reference" not in told[other]
    done = run("report", fitted / "model.json", *data, "--reference-group", "sex=male", "-o", tmp_path / "x.html")
    assert (done.exit_code, (tmp_path / "x.html").exists()) == (2, False)
    assert "there is no protected attribute to compare the groups of" in re.sub(r"\s+", " ", done.stderr)


def test_a_summary_of_explanations_compares_them(run: Run, probable: Path, fitted: Path) -> None:
    asked = ["--explainer", "counterfactual", "--summary", "--row", "1", "--row", "2", "--row", "3", "--json"]
    done = run("explain", fitted / "model.json", probable, *asked, *PROBABLE, SCRUTABLE_MIN_CELL="1")
    assert done.exit_code == 0, done.output
    frame = applicants().iloc[:3]
    groups = {each["group"]: each for each in json.loads(done.stdout)["groups"]}
    assert set(groups) == {"female", "male"}
    assert groups["female"]["applicants"] <= frame["p_female"].sum() + 1e-9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([FLAG, "sex"], "an attribute and its groups are needed where: --protected-probabilities got: 'sex'"),
        ([FLAG, "sex:p_female"], "not a pair of names where: --protected-probabilities got: 'p_female'"),
        ([FLAG, "sex:f=p_female,f=p_male"], "a group of 'sex' is given twice"),
        ([*PROBABLE, *PROBABLE], "the attribute is given twice"),
        ([FLAG, "sex:f=p_femal,m=p_male"], "got: 'p_femal' allowed: did you mean 'p_female'"),
        ([FLAG, "sex:f=p_female"], "two groups or more, each with a column of its own"),
        ([FLAG, "sex:f=p_female"], "name the other group's column, too: sex:f=p_female,OTHER=COLUMN"),
        ([FLAG, "sex:f=p_female,m=p_female"], "a column is the probability of two groups"),
        (["--reference", "sex=m"], "there is no protected attribute to compare the groups of where: --reference"),
        (
            [FLAG, "sex:f=p_female,m=duration_months"],
            "outside its range where: protected attribute 'sex', row 0, group 'm'",
        ),
        (
            [FLAG, "sex:f=p_female,m=housing"],
            "are numbers where: protected attribute 'sex', group 'm' got: 'a column that",
        ),
        (
            [*PROBABLE, "--reference", "sex=women"],
            "the reference is not one of the groups where: protected attribute 'sex'",
        ),
        ([*PROBABLE, "--reference", "age=young"], "there is no such protected attribute"),
        ([*PROBABLE, "--protected", "age_group", "--reference", "race=a"], "there is no such protected attribute"),
        ([*PROBABLE, "--target", "p_male"], "the target cannot be a protected attribute"),
    ],
)
def test_what_does_not_name_groups_is_refused(
    run: Run, probable: Path, tmp_path: Path, options: list[str], message: str
) -> None:
    done = run("fit", probable, *ROLES, *QUICK, *options, "-o", tmp_path / "m.json")
    assert done.exit_code == 2
    assert message in re.sub(r"\s+", " ", done.stderr)
    assert not (tmp_path / "m.json").exists()


def test_a_copy_of_a_probability_is_no_input(run: Run, tmp_path: Path) -> None:
    frame = applicants().dropna(subset=["p_female"]).assign(copy=lambda each: each["p_female"] * 100)
    frame.to_csv(tmp_path / "loans.csv", index=False)
    done = run("fit", tmp_path / "loans.csv", *ROLES, *QUICK, *PROBABLE, "-o", tmp_path / "m.json")
    assert done.exit_code == 2
    assert "an input tells the protected attribute 'sex' where: column 'copy'" in re.sub(r"\s+", " ", done.stderr)


def test_a_summary_is_needed_to_explain_by_group(run: Run, probable: Path, fitted: Path) -> None:
    done = run("explain", fitted / "model.json", probable, *PROBABLE)
    assert done.exit_code == 2
    assert "only a summary compares groups" in done.stderr
