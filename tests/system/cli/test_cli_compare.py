"""`scrutable compare`: files in, a choice with its log out."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from scrutable.model import Clause, Interval, KnockOut, Policy, Scorecard, dump, fingerprint, load, load_evidence

Run = Callable[..., Any]
ROLES = ["--target", "credit_risk", "--protected", "sex", "--require", "0.5", "--margin", "0"]


@pytest.fixture(scope="module")
def challenger(run: Run, loans: Path, fit_options: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("challenger") / "challenger.json"
    small = ["--drop", "purpose", "--drop", "savings"]
    assert run("fit", loans, *fit_options, *small, "--output", path).exit_code == 0
    return path


def test_the_folder_holds_the_pick_and_the_log(
    run: Run, model: Path, challenger: Path, loans: Path, tmp_path: Path
) -> None:
    result = run("compare", model, challenger, "--data", loans, *ROLES, "-o", tmp_path / "out")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "Picked: model: the highest AUC" in " ".join(result.stdout.split())
    folder = tmp_path / "out"
    names = {"model.json", "evidence.json", "comparison.json", "frontier.csv", "frontier.svg"}
    assert {path.name for path in folder.iterdir()} == names
    log = json.loads((folder / "comparison.json").read_text())
    assert log["models"] == {"model": fingerprint(load(model)), "challenger": fingerprint(load(challenger))}
    assert load_evidence(folder / "evidence.json").model_sha256 == fingerprint(load(folder / "model.json"))


def test_json_is_the_log(run: Run, model: Path, challenger: Path, loans: Path, tmp_path: Path) -> None:
    options = [*ROLES, "--no-picture", "--json", "--at", "0.5", "--development", loans]
    result = run("compare", challenger, model, "--data", loans, *options, "-o", tmp_path / "out")
    assert (result.exit_code, result.stderr) == (0, "")
    said = json.loads(result.stdout)
    assert said.pop("written") == [
        str(tmp_path / "out" / name) for name in ("model.json", "evidence.json", "comparison.json", "frontier.csv")
    ]
    assert said == json.loads((tmp_path / "out" / "comparison.json").read_text())
    assert said["candidates"][0]["name"] == "challenger"


def test_files_of_one_name_are_called_by_their_paths(
    run: Run, model: Path, challenger: Path, loans: Path, tmp_path: Path
) -> None:
    other = tmp_path / "model.json"
    other.write_bytes(challenger.read_bytes())
    result = run("compare", model, other, "--data", loans, *ROLES, "--no-picture", "--json", "-o", tmp_path / "out")
    assert [each["name"] for each in json.loads(result.stdout)["candidates"]] == [str(model), str(other)]


def test_the_development_rows_need_the_weights_too(
    run: Run, model: Path, challenger: Path, loans: Path, tmp_path: Path
) -> None:
    weighted = tmp_path / "weighted.csv"
    pd.read_csv(loans).assign(weight=1).to_csv(weighted, index=False)
    options = [*ROLES, "--data", weighted, "--weight", "weight", "--no-picture"]
    assert run("compare", challenger, model, *options, "--development", weighted, "-o", tmp_path / "a").exit_code == 0
    refused = run("compare", challenger, model, *options, "--development", loans, "-o", tmp_path / "none")
    assert refused.exit_code == 2
    assert loans.name in refused.stderr
    assert "'weight'" in refused.stderr
    assert not list((tmp_path / "none").glob("*"))


def test_rows_without_an_outcome_are_refused_with_the_fix(
    run: Run, model: Path, challenger: Path, loans: Path, tmp_path: Path
) -> None:
    frame = pd.read_csv(loans)
    frame["credit_risk"] = frame["credit_risk"].where(frame.index % 10 != 3)
    frame.to_csv(tmp_path / "some.csv", index=False)
    result = run("compare", model, challenger, "--data", tmp_path / "some.csv", *ROLES, "-o", tmp_path / "out")
    assert result.exit_code == 2
    said = " ".join(result.stderr.split())
    assert "the outcome is missing where: column 'credit_risk', row 4 below the header" in said
    assert "100 of 1,000 rows without an outcome" in said
    assert "fix: drop these rows" in said
    assert "--accepted" not in said


def test_a_model_that_cannot_approve_as_many_is_aside(
    run: Run, model: Path, challenger: Path, loans: Path, tmp_path: Path
) -> None:
    card = load(challenger)
    assert isinstance(card, Scorecard)
    feature = next(each for each in card.features if each.name == "duration_months")
    long = KnockOut(code="LONG", reason="too long", when=(Clause(feature.name, (Interval(lower=12),)),))
    strict = tmp_path / "strict.json"
    dump(replace(card, policy=Policy(knock_outs=(long,))), strict)
    options = ["--data", loans, *ROLES, "--approval-rate", "0.8", "--at", "0.7"]
    result = run("compare", model, strict, *options, "-o", tmp_path / "out")
    assert (result.exit_code, result.stderr) == (0, "")
    said = " ".join(result.stdout.split())
    assert "aside: knock-outs or overrides leave too few, so that it cannot approve as many" in said
    assert "Picked: model" in said


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"--target": "purpose"}, "the outcome has more than two classes"),
        ({"--protected": "sax"}, "sex"),
        ({"--require": "2"}, "four-fifths rule"),
        ({"--evidence": "model=a.json", "--evidence=model=b.json": "--no-picture"}, "the model is given twice"),
        ({"--reference": "sex=male", "--reference=sex=female": "--no-picture"}, "the attribute is given twice"),
    ],
)
def test_bad_input_is_named_and_nothing_is_written(
    run: Run, model: Path, challenger: Path, loans: Path, tmp_path: Path, change: dict[str, str], text: str
) -> None:
    given = dict(zip(ROLES[::2], ROLES[1::2], strict=True)) | change
    options = [part for pair in given.items() for part in pair]
    result = run("compare", model, challenger, "--data", loans, *options, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert text in result.stderr
    assert not list((tmp_path / "out").glob("*"))


def test_without_protected_attributes_models_alone_are_compared(
    run: Run, model: Path, challenger: Path, loans: Path, tmp_path: Path
) -> None:
    given = [model, challenger, "--data", loans, "--target", "credit_risk", "--at", "0.5", "-o", tmp_path / "out"]
    result = run("compare", *given)
    assert (result.exit_code, result.stderr) == (0, "")
    said = " ".join(result.stdout.split())
    assert "Picked: model: the highest AUC" in said
    assert "swapped" in said
    assert " ratio" not in said
    names = {"model.json", "evidence.json", "comparison.json", "models.csv", "roc.svg"}
    assert {path.name for path in (tmp_path / "out").iterdir()} == names
    table = pd.read_csv(tmp_path / "out" / "models.csv")
    assert {"ks", "brier", "swapped_in", "swapped_in_bad_rate"} <= set(table)
    refused = run("compare", *given, "--overwrite", "--require", "0.8")
    assert (refused.exit_code, "no protected attribute is named" in refused.stderr) == (2, True)


def test_one_model_twice_is_refused(run: Run, model: Path, loans: Path, tmp_path: Path) -> None:
    result = run("compare", model, model, "--data", loans, *ROLES, "-o", tmp_path / "out")
    assert (result.exit_code, "a model is given twice" in result.stderr) == (2, True)
