"""`scrutable fit`: what it writes and measures, how a run is repeated, and what it refuses."""

from __future__ import annotations

import json
import math
import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.datasets import load_german_credit
from scrutable.fairness.performance import auc
from scrutable.model import fingerprint, load, load_evidence
from scrutable.model.evaluator import evaluate
from scrutable.toml import toml_value

Run = Callable[..., Any]


@pytest.fixture
def tiny(tmp_path: Path) -> Callable[..., Path]:
    """Write a small data file; columns given replace those there."""

    def write(drop: str = "", **columns: list[Any]) -> Path:
        n = 60
        base: dict[str, list[Any]] = {
            "income": [1000 + 37 * (i * 7 % n) for i in range(n)],
            "job": [("clerk", "cook", "nurse")[i % 3] for i in range(n)],
            "sex": [("f", "m")[i * i % 7 < 3] for i in range(n)],
            "paid": [("no", "yes")[(i * 7 % n + i % 5 * 9) > 30] for i in range(n)],
        }
        path = tmp_path / "tiny.csv"
        pd.DataFrame({k: v for k, v in (base | columns).items() if k != drop}).to_csv(path, index=False)
        return path

    return write


def fit_tiny(run: Run, data: Path, *arguments: object) -> Any:
    return run("fit", data, "--target", "paid", "--binner", "quantile", "-o", data.with_name("m.json"), *arguments)


# --- what it does -------------------------------------------------------------------------------------------


def test_it_writes_the_model_and_measures_the_rows_held_out(
    run: Run, loans: Path, fit_options: list[str], tmp_path: Path
) -> None:
    written = [tmp_path / "model.json", tmp_path / "evidence.json"]
    result = run("fit", loans, *fit_options, "-o", written[0], "--evidence", written[1], "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    said = json.loads(result.stdout)
    model = load(written[0])
    assert said["model_sha256"] == fingerprint(model) == load_evidence(written[1]).model_sha256
    assert said["rows"] == {"fit": 700, "held_out": 300}
    assert said["written"] == [str(path) for path in written]
    german = load_german_credit()
    assert said["inputs"] == list(german.inputs)
    assert {feature.name for feature in model.features} <= set(german.inputs)
    metrics = load_evidence(written[1]).metrics["held_out"]
    assert metrics["performance"]["auc"] == said["held_out"]["performance"]["auc"]


def test_the_measures_are_those_of_the_rows_that_were_not_learned_from(
    run: Run, loans: Path, fit_options: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "model.json"
    held_out = json.loads(run("fit", loans, *fit_options, "-o", path, "--json").stdout)["held_out"]
    # A second reading: sklearn's stratified split, done here on its own.
    from sklearn.model_selection import train_test_split

    german = load_german_credit()
    _, rest = train_test_split(np.arange(1000), test_size=0.3, random_state=0, stratify=german.y)
    frame = german.frame.iloc[rest]
    score, good = evaluate(load(path), frame).score, frame["credit_risk"] == "good"
    assert math.isclose(held_out["performance"]["auc"], auc(good.to_numpy(), score), rel_tol=1e-12)
    approved = score >= load(path).cutoff
    female = (frame["sex"] == "female").to_numpy()
    ratio = approved[female].mean() / approved[~female].mean()
    [said] = [g for g in held_out["at_cutoff"]["groups"] if g["group"] == "female"]
    assert math.isclose(said["adverse_impact_ratio"], ratio, rel_tol=1e-12)
    assert said["intervals"]["adverse_impact_ratio"][0] < ratio < said["intervals"]["adverse_impact_ratio"][1]


def test_the_report_can_be_read(run: Run, loans: Path, fit_options: list[str], tmp_path: Path) -> None:
    result = run("fit", loans, *fit_options, "-o", tmp_path / "model.json", "--approval-rate", 0.6)
    assert result.exit_code == 0
    for text in (
        "700 rows to learn from, 300 held out",
        "AUC",
        "Gini",
        "KS",
        "At an approval rate of 60%",
        "adverse impact ratio, sex: female / male",
        "adverse impact ratio, age_group: under 26 / 26 and over",
        "protected, and no input: sex, age_group",
        "wrote ",
    ):
        assert text in result.stdout


def test_it_says_which_bounds_the_model_keeps_what_it_leaves_out_and_what_its_cutoff_approves(
    run: Run, loans: Path, fit_options: list[str], tmp_path: Path
) -> None:
    roles = fit_options[: fit_options.index("--binner")]
    path = tmp_path / "model.json"
    chosen = ["--learner", "lda-xgb1", "--test-size", 0, "-o", path]
    result = run("fit", loans, *roles, *chosen, "--constraint", "fairness-information-value")
    assert result.exit_code == 0, result.stderr
    assert "Bounds: fairness-information-value (bound 0.1, min_group_size 30, rows all)\n" in result.stdout
    german, model = load_german_credit(), load(path)
    left_out = [name for name in german.inputs if name not in {feature.name for feature in model.features}]
    assert f"Left out by the model: {', '.join(left_out)}\n" in result.stdout
    approved = (evaluate(model, german.X).score >= model.cutoff).mean()
    assert f"Cutoff {model.cutoff:.6g}: approves {approved:.1%} of the rows learned from\n" in result.stdout
    unbound = [*roles, *chosen, "--overwrite"]
    assert "Bounds: none; --constraint sets them" in run("fit", loans, *unbound).stdout
    said = json.loads(run("fit", loans, *unbound, "--constraint", "fairness-information-value", "--json").stdout)
    options = {"bound": 0.1, "min_group_size": 30, "rows": "all"}
    assert said["bounds"] == [{"name": "fairness-information-value", "options": options}]
    assert (said["left_out"], said["cutoff"]) == (left_out, {"score": model.cutoff, "approved": approved})


def test_the_reference_group_can_be_named_and_is_saved(
    run: Run, loans: Path, fit_options: list[str], tmp_path: Path
) -> None:
    outputs = ["-o", tmp_path / "model.json", "--save-config", tmp_path / "run.toml", "--json"]
    first = run("fit", loans, *fit_options, "--reference", "sex=female", *outputs)
    assert first.exit_code == 0, first.stderr
    again = run("fit", tmp_path / "run.toml", "--overwrite", "--json")
    for result in (first, again):
        groups = json.loads(result.stdout)["held_out"]["at_cutoff"]["groups"]
        assert {each["reference"] for each in groups if each["attribute"] == "sex"} == {"female"}
    assert tomllib.loads((tmp_path / "run.toml").read_text())["data"]["reference"] == {"sex": "female"}


def test_without_a_test_size_of_zero_nothing_is_held_out(run: Run, tiny: Callable[..., Path]) -> None:
    result = fit_tiny(run, tiny(), "--test-size", 0, "--json")
    assert json.loads(result.stdout)["rows"] == {"fit": 60, "held_out": 0}
    assert json.loads(result.stdout)["held_out"] is None


def test_without_protected_attributes_the_decisions_are_measured_all_the_same(
    run: Run, tiny: Callable[..., Path]
) -> None:
    held_out = json.loads(fit_tiny(run, tiny(), "--json").stdout)["held_out"]
    assert held_out["at_cutoff"]["groups"] == []
    assert 0 < held_out["at_cutoff"]["approval_rate"] <= 1
    assert 0 <= held_out["at_approval_rate"]["bad_rate_among_approved"] <= 1


def test_weights_and_a_favourable_number_are_understood(run: Run, tiny: Callable[..., Path]) -> None:
    data = tiny(paid=[i * 7 % 60 % 2 for i in range(60)], w=[1 + i % 2 for i in range(60)])
    result = fit_tiny(run, data, "--weight", "w", "--favourable", "0", "--json")
    assert result.exit_code == 0
    assert "w" not in json.loads(result.stdout)["inputs"]
    assert load(data.with_name("m.json")).outcome.favourable == 0


def test_options_reach_learner_and_constraint(run: Run, loans: Path, fit_options: list[str], tmp_path: Path) -> None:
    roles = fit_options[: fit_options.index("--binner")]
    chosen = ["--learner", "lda-xgb1", "--constraint", "fairness-information-value:bound=0.05,rows=all"]
    scaling = ["--option", 'scaling={"pdo": 40, "decimals": 0}', "--option", "approval_rate=0.6", "--option"]
    result = run("fit", loans, *roles, *chosen, *scaling, "explainer=null", "-o", tmp_path / "model.json")
    assert result.exit_code == 0, result.stderr
    model = load(tmp_path / "model.json")
    assert (model.scaling.pdo, model.scaling.decimals, model.reasons) == (40, 0, None)
    assert model.provenance.parameters["approval_rate"] == 0.6


# --- repeating a run ----------------------------------------------------------------------------------------


def test_a_saved_config_repeats_the_run_to_the_byte(
    run: Run, loans: Path, fit_options: list[str], tmp_path: Path
) -> None:
    (tmp_path / "configs").mkdir()
    model, evidence, config = tmp_path / "m.json", tmp_path / "e.json", tmp_path / "configs" / "run.toml"
    more = ["--option", "explainer=null", "--option", 'scaling={"pdo": 50.5}', "--seed", "3", "--test-size", "0.2"]
    outputs = ["-o", model, "--evidence", evidence, "--save-config", config]
    assert run("fit", loans, *fit_options, *more, *outputs).exit_code == 0
    first = model.read_bytes(), evidence.read_bytes()
    written = tomllib.loads(config.read_text())
    assert written["learner"] == {"name": "scorecard", "options": {"scaling": {"pdo": 50.5}}, "none": ["explainer"]}
    model.unlink()
    evidence.unlink()
    assert run("fit", config).exit_code == 0
    assert (model.read_bytes(), evidence.read_bytes()) == first


def test_paths_in_a_config_start_from_its_folder(
    run: Run, tiny: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tiny()
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path)
    options = ["--target", "paid", "--binner", "quantile", "-o", "m.json"]
    assert run("fit", data.name, *options, "--save-config", "sub/run.toml").exit_code == 0
    written = tomllib.loads(Path("sub/run.toml").read_text())
    assert (written["data"]["path"], written["output"]["model"]) == ("../tiny.csv", "../m.json")
    first = Path("m.json").read_bytes()
    monkeypatch.chdir(tmp_path.parent)
    assert run("fit", tmp_path / "sub" / "run.toml", "--overwrite").exit_code == 0
    assert (tmp_path / "m.json").read_bytes() == first


_VALUES = st.recursive(
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(_VALUES)
@settings(deadline=None, derandomize=True)
def test_every_option_survives_the_way_through_a_config(value: Any) -> None:
    assert tomllib.loads(f"v = {toml_value(value)}") == {"v": value}


# --- what it refuses ----------------------------------------------------------------------------------------

CONFIG = '[data]\npath = "tiny.csv"\ntarget = "paid"\n{}\n[output]\nmodel = "m.json"\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CONFIG.format('favorable = "yes"'), ["config 'run.toml', option 'data'", "did you mean 'favourable'?"]),
        (CONFIG.format("protected = 1"), ["option 'protected'", "got:     1", "a list of text"]),
        (CONFIG.format("[split]\ntest_size = 1.5"), ["test_size", "got:     1.5", "0 to below 1"]),
        (CONFIG.format("[learner]\nname = 'scorecrad'"), ["unknown learner", "did you mean 'scorecard'?"]),
        (CONFIG.format("[learner]\noptions = {}"), ["a value is missing", "name = …"]),
        ("[data]\npath = 'tiny.csv'", ["a value is missing", "target = …"]),
        ("[data\n", ["not valid TOML", "line 1"]),
    ],
)
def test_a_config_is_checked(
    run: Run, tiny: Callable[..., Path], tmp_path: Path, text: str, expected: list[str]
) -> None:
    tiny()
    (tmp_path / "run.toml").write_text(text)
    result = run("fit", tmp_path / "run.toml")
    assert result.exit_code == 2
    assert [each for each in expected if each not in result.stderr] == []
    assert not (tmp_path / "m.json").exists()


def test_options_beside_a_config_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(CONFIG.format(""))
    result = run("fit", tmp_path / "run.toml", "--seed", "1")
    assert result.exit_code == 2
    assert "--seed" in result.stderr
    assert "write it into the config" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--learner", "scorecardd"], ["unknown learner", "did you mean 'scorecard' or 'scorecard-regressor'?"]),
        (["--binner", "quantil"], ["unknown binner", "did you mean 'quantile'?"]),
        (["--protected", "sx"], ["no such column", "did you mean 'sex'?"]),
        (["--drop", "jbo"], ["no such column", "got:     'jbo'", "did you mean 'job'?"]),
        (["--favourable", "maybe"], ["favourable, column 'paid'", "got:     'maybe'", "'no' or 'yes'"]),
        (["--option", "rigde=1"], ["learner 'scorecard'", "unknown option", "did you mean 'ridge'?"]),
        (["--option", "ridge=much"], ["option 'ridge'", "got:     'much'", "a number"]),
        (["--option", "encoding=dummy"], ["option 'encoding'", "got:     'dummy'", "'woe' or 'one-hot'"]),
        (["--option", 'scaling={"pod": 3}'], ["option 'scaling'", "did you mean 'pdo'?"]),
        (["--option", "ridge"], ["not an option", "key=value"]),
        (["--option", "ridge=1", "--option", "ridge=2"], ["given twice", "'ridge'"]),
        (["--binner-option", "max_bins=2.5"], ["binner 'quantile', option 'max_bins'", "a whole number"]),
        (["--binner-option", 'cuts={"incme": [1]}'], ["cuts", "did you mean 'income'?"]),
        (["--constraint", "demographic-parity:slack=0.1"], ["needs protected attributes", "--protected"]),
        (
            ["--constraint", "demographic-parity:slack=0.1", "--protected", "sex"],
            ["learner 'scorecard'", "takes no constraints", "scrutable plugins"],
        ),
        (["--constraint", "parity", "--protected", "sex"], ["unknown constraint", "'demographic-parity'"]),
        (["--weight", "job"], ["weights must be numbers", "column 'job'", "got:     'text'"]),
        (["--test-size", "-1"], ["test_size", "got:     -1.0"]),
        (["--test-size", "0.999"], ["too few rows"]),
        (["--approval-rate", "7"], ["approval_rate", "7"]),
        (["--protected", "paid"], ["the target cannot be a protected attribute"]),
        (["--drop", "income", "--drop", "job", "--drop", "sex"], ["no column is left as an input"]),
    ],
)
def test_options_are_checked(run: Run, tiny: Callable[..., Path], arguments: list[str], expected: list[str]) -> None:
    data = tiny()
    result = fit_tiny(run, data, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert [each for each in expected if each not in result.stderr] == []
    assert not data.with_name("m.json").exists()


@pytest.mark.parametrize(
    ("columns", "arguments", "expected"),
    [
        ({"paid": ["yes"] * 60}, [], ["only one class", "got:     'yes'", "two classes"]),
        ({"paid": ["yes", None, "no"] * 20}, [], ["the outcome is missing", "row 2 below the header", "20 rows"]),
        ({"paid": ["a", "b", "c"] * 20}, [], ["multiclass", "two classes"]),
        ({"empty": [None] * 60}, [], ["column 'empty'", "every value is missing", "leave the column out"]),
        ({"sex": ["f"] * 60}, ["--protected", "sex"], ["'sex'", "one group"]),
        (
            {"title": ["Mr", "Ms"] * 30, "sex": ["m", "f"] * 30},
            ["--protected", "sex"],
            ["column 'title'", "tells the protected attribute 'sex'", "allow_protected"],
        ),
    ],
)
def test_data_that_cannot_be_used_are_refused(
    run: Run, tiny: Callable[..., Path], columns: dict[str, list[Any]], arguments: list[str], expected: list[str]
) -> None:
    data = tiny(**columns)
    result = fit_tiny(run, data, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert [each for each in expected if each not in result.stderr] == []
    assert not data.with_name("m.json").exists()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("income,income,paid\n1,2,yes\n", ["duplicate column names", "'income'"]),
        ("income,paid\n", ["no rows below the header"]),
        ("", ["the file is empty"]),
        ("income,paid\n1\n", ["another length than the header", "row 1 below the header"]),
    ],
)
def test_files_that_cannot_be_used_are_refused(run: Run, tmp_path: Path, text: str, expected: list[str]) -> None:
    (tmp_path / "tiny.csv").write_text(text)
    result = fit_tiny(run, tmp_path / "tiny.csv")
    assert result.exit_code == 2
    assert [each for each in expected if each not in result.stderr] == []


def test_a_protected_column_that_is_allowed_by_name_passes(run: Run, tiny: Callable[..., Path]) -> None:
    data = tiny(title=["Mr", "Ms"] * 30, sex=["m", "f"] * 30)
    refused = fit_tiny(run, data, "--protected", "sex").stderr
    assert """allow_protected=['title'] (here: --option 'allow_protected=["title"]')""" in refused
    for allowed in ('["title"]', "title", "title,income"):
        option = f"allow_protected={allowed}"
        result = fit_tiny(run, data, "--protected", "sex", "--option", option, "--json", "--overwrite")
        assert result.exit_code == 0, result.stderr
        assert "title" in json.loads(result.stdout)["inputs"]


def test_an_existing_output_keeps_its_bytes(run: Run, tiny: Callable[..., Path]) -> None:
    data = tiny()
    for name, arguments in {"m.json": [], "e.json": ["--evidence", data.with_name("e.json")]}.items():
        existing = data.with_name(name)
        existing.write_text("precious")
        result = fit_tiny(run, data, *arguments)
        assert result.exit_code == 2
        assert "exists already" in result.stderr
        assert "--overwrite" in result.stderr
        assert existing.read_text() == "precious"
        existing.unlink()
        assert {path.name for path in data.parent.iterdir()} == {"tiny.csv"}
    data.with_name("m.json").write_text("old")
    assert fit_tiny(run, data, "--overwrite").exit_code == 0
    load(data.with_name("m.json"))


def test_no_output_takes_the_place_of_an_input_or_of_another(run: Run, tiny: Callable[..., Path]) -> None:
    data = tiny()
    config = data.with_name("run.toml")
    config.write_text(CONFIG.format(""))
    before = {path.name: path.read_bytes() for path in data.parent.iterdir()}
    for arguments in (
        [data, "--target", "paid", "-o", "m.json", "--evidence", data],
        [data, "--target", "paid", "-o", data.with_name("m.json"), "--evidence", data.with_name("m.json")],
        [config, "--save-config", config],
    ):
        result = run("fit", *arguments, "--overwrite")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "the file has two uses" in result.stderr
    assert {path.name: path.read_bytes() for path in data.parent.iterdir()} == before


def test_no_output_is_left_where_another_fails(
    run: Run, tiny: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, synced = tiny(), []

    def full(handle: int) -> None:
        synced.append(handle)
        if len(synced) == 3:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = fit_tiny(run, data, "--save-config", data.with_name("r.toml"), "--evidence", data.with_name("e.json"))
    assert len(synced) >= 3
    assert (result.exit_code, result.stdout) == (2, "")
    assert "No space left on device" in result.stderr
    assert {path.name for path in data.parent.iterdir()} == {data.name}


def test_a_path_that_is_not_utf8(run: Run, tiny: Callable[..., Path]) -> None:
    data = tiny()
    output = data.with_name("\udcff.json")
    result = fit_tiny(run, data, "-o", output, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout_bytes)["written"] == [str(output)]
    config = data.with_name("run.toml")
    result = fit_tiny(run, data, "-o", output, "--overwrite", "--save-config", config)
    assert result.exit_code == 2
    assert "a TOML file cannot hold the value" in result.stderr
    assert not config.exists()


def test_paths_that_no_system_takes_are_bad_input(run: Run, tiny: Callable[..., Path], tmp_path: Path) -> None:
    data = tiny()
    for name in ('"a\\u0000.json"', f'"{"n" * 300}"', '""'):
        (tmp_path / "run.toml").write_text(CONFIG.format("").replace('"m.json"', name))
        assert run("fit", tmp_path / "run.toml").exit_code == 2
        (tmp_path / "run.toml").write_text(CONFIG.format("").replace('"tiny.csv"', name))
        assert run("fit", tmp_path / "run.toml").exit_code == 2
    assert run("fit", data, "--target", "paid", "-o", "").exit_code == 2
    assert {path.name for path in tmp_path.iterdir()} == {"tiny.csv", "run.toml"}


def test_the_longest_name_is_no_obstacle(run: Run, tiny: Callable[..., Path]) -> None:
    data = tiny()
    assert fit_tiny(run, data, "-o", data.with_name("n" * 250 + ".json")).exit_code == 0


def test_numbers_that_become_categories_are_said_once(run: Run, tiny: Callable[..., Path]) -> None:
    data = tiny(rate=[f"{i % 5},5" for i in range(60)])
    result = fit_tiny(run, data)
    assert result.exit_code == 0
    assert result.stderr.count("column 'rate': its values look like numbers, but for instance '0,5' is none") == 1
    assert len(result.stderr.splitlines()) == 1
