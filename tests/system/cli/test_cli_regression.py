"""The commands on a regression scorecard: what they write and say, and what about decisions they refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mean_absolute_error, r2_score, root_mean_squared_error

from scrutable.data.splits import hold_out
from scrutable.model import RegressionScorecard, fingerprint, load, load_evidence
from scrutable.model.evaluator import evaluate

Run = Callable[..., Any]
FIT = ["--target", "lgd", "--id", "loan", "--protected", "region", "--learner", "scorecard-regressor"]
FIT += ["--option", "unit=share of the exposure", "--binner", "quantile"]


@pytest.fixture(scope="module")
def losses(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Defaulted loans with what was lost, a share of the exposure."""
    path = tmp_path_factory.mktemp("data") / "losses.csv"
    rng = np.random.default_rng(0)
    n = 900
    ltv, kind = rng.uniform(0.2, 1.4, n), rng.choice(["flat", "house", "land"], n)
    lgd = np.clip(0.6 * (ltv - 0.6) + 0.2 * (kind == "land") + rng.normal(0, 0.08, n), 0, 1)
    ltv[rng.random(n) < 0.05] = np.nan
    region = rng.choice(["north", "south"], n)
    frame = pd.DataFrame({"loan": np.arange(n), "ltv": ltv, "kind": kind, "region": region, "lgd": lgd})
    frame.to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def lgd_model(losses: Path, run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "lgd.json"
    result = run("fit", losses, *FIT, "-o", path, "--evidence", path.with_name("evidence.json"))
    assert result.exit_code == 0, result.output
    return path


def loaded(path: Path) -> RegressionScorecard:
    model = load(path)
    assert isinstance(model, RegressionScorecard)
    return model


def refused(result: Any, *said: str) -> None:
    assert result.exit_code == 2, result.output
    for text in said:
        assert text in result.stderr


def test_fit_writes_a_model_and_measures_the_rows_held_out(run: Run, losses: Path, tmp_path: Path) -> None:
    written = [tmp_path / "lgd.json", tmp_path / "evidence.json"]
    result = run("fit", losses, *FIT, "-o", written[0], "--evidence", written[1], "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    said, model = json.loads(result.stdout), loaded(written[0])
    assert said["target"] == "lgd"
    assert said["unit"] == "share of the exposure"
    assert said["model_sha256"] == fingerprint(model)
    assert said["inputs"] == ["ltv", "kind"]
    assert said["cutoff"] is None
    assert "favourable" not in said
    frame = pd.read_csv(losses)
    _, rows = hold_out(np.zeros(len(frame)), 0.3, 0, where="", fix="")
    rest = frame.iloc[rows]
    predicted = evaluate(model, rest).score
    assert said["held_out"]["rows"] == len(rows) == 270
    assert said["held_out"]["r2"] == pytest.approx(r2_score(rest["lgd"], predicted))
    assert said["held_out"]["r2"] > 0.75
    assert said["held_out"]["mean_absolute_error"] == pytest.approx(mean_absolute_error(rest["lgd"], predicted))
    assert said["held_out"]["rmse"] == pytest.approx(root_mean_squared_error(rest["lgd"], predicted))
    held_out = load_evidence(written[1]).metrics["held_out"]
    assert held_out["r2"] == said["held_out"]["r2"]  # type: ignore[call-overload,index]  # JSON


def test_fit_says_what_is_predicted(run: Run, losses: Path, tmp_path: Path) -> None:
    result = run("fit", losses, *FIT, "-o", tmp_path / "lgd.json")
    assert "lgd, in share of the exposure: the score is the prediction" in result.stdout
    assert "2 inputs: ltv, kind; protected, and no input: region" in result.stdout
    assert "R², the share of the variance explained" in result.stdout
    assert "Predictions from " in result.stdout
    for word in ("favourable", "approve", "Cutoff", "Bounds"):
        assert word not in result.stdout
    unheld = run("fit", losses, *FIT, "-o", tmp_path / "all.json", "--test-size", "0")
    assert "Nothing was held out" in unheld.stdout


def test_a_config_repeats_a_fit(run: Run, losses: Path, tmp_path: Path) -> None:
    model, config = tmp_path / "lgd.json", tmp_path / "run.toml"
    assert run("fit", losses, *FIT, "-o", model, "--save-config", config).exit_code == 0
    before = model.read_bytes()
    again = run("fit", config, "--overwrite")
    assert again.exit_code == 0, again.output
    assert model.read_bytes() == before


def test_weights_count_in_the_measures(run: Run, losses: Path, tmp_path: Path) -> None:
    frame = pd.read_csv(losses).assign(w=lambda it: 1.0 + (it["kind"] == "land"))
    frame.to_csv(tmp_path / "weighted.csv", index=False)
    result = run("fit", tmp_path / "weighted.csv", *FIT, "--weight", "w", "-o", tmp_path / "m.json", "--json")
    said = json.loads(result.stdout)["held_out"]
    _, rows = hold_out(np.zeros(len(frame)), 0.3, 0, where="", fix="")
    rest = frame.iloc[rows]
    predicted = evaluate(loaded(tmp_path / "m.json"), rest).score
    assert said["r2"] == pytest.approx(r2_score(rest["lgd"], predicted, sample_weight=rest["w"]))


def test_show_prints_points_and_means(run: Run, lgd_model: Path) -> None:
    result = run("show", lgd_model)
    assert result.exit_code == 0
    assert "lgd, in share of the exposure: the score is the prediction" in result.stdout
    assert "mean" in result.stdout
    assert "bad rate" not in result.stdout
    assert "cutoff" not in result.stdout
    (kind,) = (item for item in loaded(lgd_model).characteristics if item.feature == "kind")
    for attribute in kind.attributes[:3]:
        assert f"{round(attribute.points, 4):+g}" in result.stdout
        assert f"{attribute.statistics.mean:.4g}" in result.stdout  # type: ignore[union-attr]  # a mean's


def test_score_gives_predictions_and_their_points(run: Run, lgd_model: Path, losses: Path, tmp_path: Path) -> None:
    result = run("score", lgd_model, losses, "--id", "loan", "--points", "--json")
    assert result.exit_code == 0, result.output
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert list(found[0]) == ["loan", "score", "points_ltv", "points_kind"]
    expected: Any = evaluate(load(lgd_model), pd.read_csv(losses)).score
    assert [row["score"] for row in found] == expected.tolist()
    said = run("score", lgd_model, losses, "-o", tmp_path / "scores.csv")
    assert said.stdout.startswith("900 rows; wrote ")


@pytest.mark.parametrize("engine", ["duckdb", "sqlite", "python", "onnxruntime"])
def test_verify_certifies_it(run: Run, lgd_model: Path, losses: Path, engine: str) -> None:
    result = run("verify", lgd_model, "--engine", engine, "--data", losses, "--rows", "200", "--json")
    assert result.exit_code == 0, result.output
    certificate = json.loads(result.stdout)
    assert certificate["model_kind"] == "regression-scorecard"
    assert certificate["target"] == "lgd"
    (found,) = certificate["runs"]
    assert [column["name"] for column in found["columns"]] == ["score", "points_ltv", "points_kind"]
    assert not any(column["differing"] for column in found["columns"])


def test_verify_prints_and_writes_the_certificate(run: Run, lgd_model: Path, tmp_path: Path) -> None:
    result = run("verify", lgd_model, "--rows", "50", "-o", tmp_path / "certificate.html")
    assert result.exit_code == 0, result.output
    assert "passed" in result.stdout
    assert "regression-scorecard" in (tmp_path / "certificate.html").read_text()


@pytest.mark.parametrize("exporter", ["sql", "python", "r", "onnx", "excel", "json"])
def test_every_exporter_writes_it(run: Run, lgd_model: Path, exporter: str, tmp_path: Path) -> None:
    result = run("export", lgd_model, "--to", exporter, "-o", f"{tmp_path}/out/")
    assert result.exit_code == 0, result.output
    assert list((tmp_path / "out").iterdir())


# --- what is about decisions ------------------------------------------------------------------------------------------


def test_reasons_are_refused(run: Run, lgd_model: Path, losses: Path) -> None:
    fix = "a prediction is no decision; --points shows what it is made of"
    refused(run("score", lgd_model, losses, "--reasons"), "--reasons", fix)
    refused(run("explain", lgd_model, losses), "a prediction is no decision", "scrutable score --points")
    named = run("explain", lgd_model, losses, "--explainer", "reason-codes")
    refused(named, "reason codes are for a decision between two classes by a single model", "RegressionScorecard")
    refused(run("export", lgd_model, "--to", "sql", "--reasons", "2", "-o", "-"), "option reasons", "no reason policy")


def test_pictures_of_decisions_are_refused(run: Run, lgd_model: Path, tmp_path: Path) -> None:
    refused(
        run("plot", lgd_model, "-o", tmp_path / "m.svg"), "cards of a quantity have no picture", "regression-scorecard"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--favourable", "1"], "the learner takes no favourable"),
        (["--approval-rate", "0.5"], "a prediction approves nobody"),
        (["--constraint", "demographic-parity:slack=0.1"], "the learner takes no constraints"),
        (["--option", "cutoff=3"], "cutoff"),
        (["--option", "ridge=-1"], "ridge"),
    ],
)
def test_fit_refuses_what_is_about_decisions(
    run: Run, losses: Path, tmp_path: Path, arguments: list[str], said: str
) -> None:
    refused(run("fit", losses, *FIT, "-o", tmp_path / "m.json", *arguments), said)
    assert not (tmp_path / "m.json").exists()


def test_a_search_refuses_it(run: Run, losses: Path, tmp_path: Path) -> None:
    arguments = ["--target", "lgd", "--protected", "region", "--learner", "scorecard-regressor", "-o", f"{tmp_path}/s/"]
    refused(run("search", losses, *arguments), "a search compares decisions, and this learner predicts a quantity")


def test_a_learner_of_classes_refuses_the_target(run: Run, losses: Path, tmp_path: Path) -> None:
    refused(
        run("fit", losses, "--target", "lgd", "--test-size", "0", "-o", tmp_path / "m.json"), "classes, not measurem"
    )
