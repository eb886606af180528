"""`scrutable fit`: what it writes and measures."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from scrutable.data.datasets import load_german_credit
from scrutable.measures.separating_power import auc
from scrutable.model import fingerprint, load, load_evidence
from scrutable.model.evaluator import evaluate

Run = Callable[..., Any]


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
    first = (
        f"The cutoff {model.cutoff:.6g} approves {approved:.1%} of the training applicants, the share of good outcomes"
    )
    assert result.stdout.splitlines()[1].startswith(first)
    assert "--option approval_rate=… or --option cutoff=… changes it" in " ".join(result.stdout.split())
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


def test_without_a_test_size_of_zero_nothing_is_held_out(fit_tiny: Run, tiny: Callable[..., Path]) -> None:
    result = fit_tiny(tiny(), "--test-size", 0, "--json")
    assert json.loads(result.stdout)["rows"] == {"fit": 60, "held_out": 0}
    assert json.loads(result.stdout)["held_out"] is None


def test_without_protected_attributes_the_decisions_are_measured_all_the_same(
    fit_tiny: Run, tiny: Callable[..., Path]
) -> None:
    held_out = json.loads(fit_tiny(tiny(), "--json").stdout)["held_out"]
    assert held_out["at_cutoff"]["groups"] == []
    assert 0 < held_out["at_cutoff"]["approval_rate"] <= 1
    assert 0 <= held_out["at_approval_rate"]["bad_rate_among_approved"] <= 1


def test_weights_and_a_favourable_number_are_understood(fit_tiny: Run, tiny: Callable[..., Path]) -> None:
    data = tiny(paid=[i * 7 % 60 % 2 for i in range(60)], w=[1 + i % 2 for i in range(60)])
    result = fit_tiny(data, "--weight", "w", "--favourable", "0", "--json")
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
