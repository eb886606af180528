"""`scrutable fit` on constraints on rates, on more than two classes, and on scores with ties."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import train_test_split

from scrutable.cli.output import console
from scrutable.data.datasets import load_german_credit
from scrutable.fairness import RateBound
from scrutable.fairness.kept_bounds import MeasuredBound
from scrutable.model import load, load_evidence
from scrutable.model.evaluator import evaluate
from scrutable_lifecycle.commands.held_out import kept_table
from scrutable_lifecycle.development.bounds import KeptBound

Run = Callable[..., Any]

RUG = ["--learner", "rug", "--option", "max_depth=2", "--option", "iterations=2", "--option", "restarts=1"]
UNCALIBRATED = [*RUG, "--option", "calibration=0"]
DROP = [f"--drop={name}" for name in ("loan", "age", "age_group", "personal_status", "marital_status")]
CREDIT = ["--target", "credit_risk", "--favourable", "good", "--protected", "sex", "--drop=foreign_worker", *DROP]
HOUSING = ["--target", "housing", "--protected", "sex", "--drop=foreign_worker", *DROP]


def parts(target: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows learned from and those held out: sklearn's stratified split, done here on its own."""
    frame = load_german_credit().frame
    learn, rest = train_test_split(np.arange(len(frame)), test_size=0.3, random_state=0, stratify=frame[target])
    return frame.iloc[learn], frame.iloc[rest]


def predicted(model: Path, frame: pd.DataFrame) -> Any:
    rules = load(model)
    return np.array(rules.outcome.classes)[evaluate(rules, frame).predicted]


def rate_of(event: Any, frame: pd.DataFrame, sex: str) -> float:
    return float(event[(frame["sex"] == sex).to_numpy()].mean())


# --- bounds on rates ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bounded(run: Run, loans: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """What a fit with bounds that cannot all hold says in JSON, and its model."""
    path = tmp_path_factory.mktemp("bounded") / "model.json"
    wished = ["--constraint", "disparate-mistreatment:slack=0", "--constraint", "adverse-impact-ratio:ratio=0.5"]
    result = run("fit", loans, *CREDIT, *UNCALIBRATED, *wished, "-o", path, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout), path


def test_each_bound_is_measured_on_the_rows_learned_from_and_on_those_held_out(bounded: tuple[Any, Path]) -> None:
    said, path = bounded
    assert [(row["fit"]["rate"], row["fit"]["given"]) for row in said["constraints"]] == [
        ("error", False),
        ("error", True),
        ("approval", None),
    ]
    for part, frame in zip(("fit", "held_out"), parts("credit_risk"), strict=True):
        found, good = predicted(path, frame), (frame["credit_risk"] == "good").to_numpy()
        wrong = found != frame["credit_risk"].to_numpy()
        bad_payers, good_payers, approval = (row[part] for row in said["constraints"])
        for its, rows in ((bad_payers, ~good), (good_payers, good)):
            gap = rate_of(wrong[rows], frame[rows], "female") - rate_of(wrong[rows], frame[rows], "male")
            assert its["gap"] == pytest.approx(gap, abs=1e-12)
            assert its["kept"] is (abs(gap) <= 1e-12)
        ratio = rate_of(found == "good", frame, "female") / rate_of(found == "good", frame, "male")
        assert approval["ratio"] == pytest.approx(ratio, rel=1e-12)
        assert approval["kept"] is (ratio >= 0.5)


def test_the_learner_says_the_same_of_the_rows_learned_from(run: Run, loans: Path, tmp_path: Path) -> None:
    files = ["-o", tmp_path / "m.json", "--evidence", tmp_path / "e.json", "--json"]
    for options in ([], ["--reference", "sex=female"]):
        wished = ["--constraint", "opportunity:slack=0.05", *options, "--overwrite"]
        said = json.loads(run("fit", loans, *CREDIT, *RUG, *wished, *files).stdout)
        [its] = load_evidence(tmp_path / "e.json").metrics["constraints"]
        [ours] = said["constraints"]
        assert ours["fit"] == {key: its[key] for key in ours["fit"]}
        assert ours["fit"]["reference"] == ("female" if options else "male")


def test_the_table_of_bounds_and_the_note_on_those_not_kept(
    run: Run, loans: Path, bounded: tuple[Any, Path], tmp_path: Path
) -> None:
    wished = ["--constraint", "disparate-mistreatment:slack=0", "--constraint", "adverse-impact-ratio:ratio=0.5"]
    result = run("fit", loans, *CREDIT, *UNCALIBRATED, *wished, "-o", tmp_path / "m.json", COLUMNS="140")
    assert result.exit_code == 0, result.output
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    said = bounded[0]["constraints"]
    broken = [row for row in said if not row["fit"]["kept"]]
    assert broken
    for row, about, limit, key in (
        (said[0], "error among bad outcomes, sex: 'female' against 'male'", "gap at most 0", "gap"),
        (said[1], "error among good outcomes, sex: 'female' against 'male'", "gap at most 0", "gap"),
        (said[2], "approval, sex: 'female' against 'male'", "ratio at least 0.5", "ratio"),
    ):
        figures = " ".join(
            f"{key} {row[part][key]:.4f}, {'kept' if row[part]['kept'] else 'NOT kept'}" for part in ("fit", "held_out")
        )
        assert f"{about} {limit} {figures}" in lines
    assert f"{len(broken)} of 3 bounds are not kept on the rows learned from" in " ".join(result.stderr.split())


def test_bounds_that_are_kept_need_no_note_and_no_rows_held_out(run: Run, loans: Path, tmp_path: Path) -> None:
    wished = ["--constraint", "overall-mistreatment:slack=1", "--test-size", 0, "-o", tmp_path / "m.json"]
    result = run("fit", loans, *CREDIT, *RUG, *wished)
    assert result.exit_code == 0, result.output
    assert ", kept" in result.stdout
    assert "NOT kept" not in result.stdout
    assert "bounds are not kept" not in result.output
    [said] = json.loads(run("fit", loans, *CREDIT, *RUG, *wished, "--overwrite", "--json").stdout)["constraints"]
    assert (said["fit"]["kept"], said["held_out"]) == (True, None)


def test_bounds_that_are_not_on_rates_are_not_in_the_table(
    run: Run, loans: Path, fit_options: list[str], tmp_path: Path
) -> None:
    roles = fit_options[: fit_options.index("--binner")]
    chosen = ["--learner", "lda-xgb1", "--constraint", "fairness-information-value", "-o", tmp_path / "m.json"]
    assert json.loads(run("fit", loans, *roles, *chosen, "--json").stdout)["constraints"] == []
    assert "rows learned from  " not in run("fit", loans, *roles, *chosen, "--overwrite").stdout


def test_a_rate_that_is_undefined_is_neither_kept_nor_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "110")
    bound = RateBound(rate="error", attribute="sex", group="f", reference=None, given="late", slack=0.1)
    empty = MeasuredBound(bound=bound, group_rate=float("nan"), reference_rate=0.5)
    found = [KeptBound(fit=empty, held_out=empty)]
    out = console()
    with out.capture() as captured:
        out.print(kept_table(found))
    line = " ".join(captured.get().splitlines()[3].split())
    assert line == "error among class 'late', sex: 'f' against everyone gap at most 0.1 gap undefined gap undefined"


# --- several classes ----------------------------------------------------------------------------------------


def test_several_classes_are_measured_one_by_one(run: Run, loans: Path, tmp_path: Path) -> None:
    wished = ["--constraint", "disparate-mistreatment:slack=0.3", "-o", tmp_path / "m.json"]
    files = [*wished, "--evidence", tmp_path / "e.json"]
    result = run("fit", loans, *HOUSING, *RUG, *files, COLUMNS="140")
    assert result.exit_code == 0, result.output
    assert "housing: 3 classes, 'owned', 'rent-free', 'rented'" in result.stdout
    assert "favourable" not in result.stdout
    said = json.loads(run("fit", loans, *HOUSING, *RUG, *files, "--overwrite", "--json").stdout)
    assert (said["classes"], said["favourable"]) == (["owned", "rent-free", "rented"], None)
    learn, rest = parts("housing")
    right = predicted(tmp_path / "m.json", rest) == rest["housing"].to_numpy()
    assert said["held_out"]["accuracy"] == pytest.approx(right.mean(), rel=1e-12)
    assert load_evidence(tmp_path / "e.json").metrics["held_out"]["accuracy"] == said["held_out"]["accuracy"]
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert f"Right, of all 300 {right.mean():.1%}" in lines
    for its in said["held_out"]["classes"]:
        of_class = (rest["housing"] == its["class"]).to_numpy()
        assert its["rows"] == of_class.sum()
        assert its["recall"] == pytest.approx(right[of_class].mean(), rel=1e-12)
        assert f"of class {its['class']!r} {of_class.sum()} {right[of_class].mean():.1%}" in lines
    wrong = predicted(tmp_path / "m.json", learn) != learn["housing"].to_numpy()
    for row in said["constraints"]:
        rows = (learn["housing"] == row["fit"]["given"]).to_numpy()
        gap = rate_of(wrong[rows], learn[rows], "female") - rate_of(wrong[rows], learn[rows], "male")
        assert row["fit"]["gap"] == pytest.approx(gap, abs=1e-12)
        assert f"error among class {row['fit']['given']!r}, sex: 'female' against 'male'" in result.stdout


def test_a_favourable_class_of_several_is_named_where_the_user_named_it(run: Run, loans: Path, tmp_path: Path) -> None:
    named = [*HOUSING, "--favourable", "owned", *RUG, "-o", tmp_path / "m.json"]
    assert "housing: the favourable outcome is 'owned'\n" in run("fit", loans, *named).stdout
    assert json.loads(run("fit", loans, *named, "--overwrite", "--json").stdout)["favourable"] == "owned"


def test_weights_count_in_the_shares_of_classes(run: Run, tmp_path: Path) -> None:
    frame = load_german_credit().frame[["housing", "credit_amount", "property"]].copy()
    frame["w"] = np.arange(len(frame)) % 3
    frame.to_csv(tmp_path / "w.csv", index=False)
    roles = ["--target", "housing", "--weight", "w", "-o", tmp_path / "m.json", "--json"]
    said = json.loads(run("fit", tmp_path / "w.csv", *roles, *RUG).stdout)["held_out"]
    _, rest = train_test_split(frame, test_size=0.3, random_state=0, stratify=frame["housing"])
    right = predicted(tmp_path / "m.json", rest) == rest["housing"].to_numpy()
    assert said["rows"] == 300
    assert said["accuracy"] == pytest.approx(np.average(right, weights=rest["w"]), rel=1e-12)


# --- ties ---------------------------------------------------------------------------------------------------


def test_it_says_where_ties_of_the_score_approve_another_share(run: Run, tmp_path: Path) -> None:
    n = 400
    flag = np.arange(n) % 10 < 7
    paid = np.where(flag ^ (np.arange(n) % 7 == 0), "yes", "no")
    pd.DataFrame({"flag": np.where(flag, "a", "b"), "paid": paid}).to_csv(tmp_path / "ties.csv", index=False)
    chosen = ["--target", "paid", "--favourable", "yes", "--binner", "quantile", "--overwrite"]
    chosen += ["-o", tmp_path / "m.json"]
    said = json.loads(run("fit", tmp_path / "ties.csv", *chosen, "--json").stdout)["held_out"]
    share = said["at_cutoff"]["approval_rate"]
    for asked in (0.3, share):
        result = run("fit", tmp_path / "ties.csv", *chosen, "--approval-rate", asked)
        assert result.exit_code == 0, result.output
        [line] = [line for line in result.stdout.splitlines() if "At an approval rate of" in line]
        told = "" if asked == share else f" the score's ties approve {share:.1%} instead"
        assert " ".join(line.split()) == f"At an approval rate of {asked:.0%}{told}"


# --- how constraints are named ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("opportunity:slack=1,attributes=sex", ["sex"]),
        ("opportunity:attributes=sex,housing,slack=1", ["sex", "housing"]),
        ('opportunity:attributes=["sex"],slack=1', ["sex"]),
    ],
)
def test_attributes_are_a_list_however_written(
    run: Run, loans: Path, tmp_path: Path, text: str, names: list[str]
) -> None:
    options = [*CREDIT, "--protected", "housing", *UNCALIBRATED, "--constraint", text]
    files = ["-o", tmp_path / "m.json", "--save-config", tmp_path / "run.toml"]
    result = run("fit", loans, *options, *files, "--json")
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)
    assert said["bounds"][0]["options"]["attributes"] == names
    assert {each["fit"]["attribute"] for each in said["constraints"]} == set(names)
    again = run("fit", tmp_path / "run.toml", "--overwrite", "--json")
    assert json.loads(again.stdout)["model_sha256"] == said["model_sha256"]


def test_constraints_among_the_options_are_refused_with_the_right_flag(run: Run, loans: Path, tmp_path: Path) -> None:
    result = run("fit", loans, *CREDIT, *RUG, "--option", "constraints=opportunity", "-o", tmp_path / "m.json")
    assert result.exit_code == 2
    assert "for example --constraint NAME:slack=0.05" in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("opportunity slack=0.1", "options follow a colon"),
        ("opportunity=0.1", "options follow a colon"),
        ("opportunity:attributes=sex,", "allowed: a list of text or null"),
        ("opportunity:slack=0.1,0.2", "allowed: a number"),
    ],
)
def test_what_is_no_constraint_is_refused(run: Run, loans: Path, tmp_path: Path, text: str, message: str) -> None:
    result = run("fit", loans, *CREDIT, *RUG, "--constraint", text, "-o", tmp_path / "m.json")
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
