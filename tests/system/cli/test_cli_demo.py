"""`scrutable demo`: end to end, and honest when something differs."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from scrutable.data.datasets import load_german_credit
from scrutable.model import load, load_evidence
from scrutable.model.evaluator import OutputFrame, evaluate
from scrutable_lifecycle import demonstration
from scrutable_lifecycle.commands.demo import FILES

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def shown(run: Run, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    folder = tmp_path_factory.mktemp("demo") / "out"
    result = run("demo", "--output", folder, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    return folder, json.loads(result.stdout)


def test_nothing_differs_on_applicants_and_edge_rows(shown: tuple[Path, Any]) -> None:
    certificate = shown[1]["certificate"]
    assert certificate["passed"] is True
    assert certificate["rows"]["data"] == 1000
    (found,) = certificate["runs"]
    kinds = ("score", "probability", "decision", "knock-out", "points", "reasons")
    assert found["differing"] == dict.fromkeys(kinds, 0)
    assert found["n_rows"] == sum(certificate["rows"][kind] for kind in ("edge", "drawn", "data"))


def test_the_sql_file_gives_python_s_scores_in_a_duckdb_of_our_own(shown: tuple[Path, Any]) -> None:
    model, german = load(shown[0] / "model.json"), load_german_credit()
    with duckdb.connect() as connection:
        applicants = german.X.convert_dtypes(dtype_backend="pyarrow")
        connection.register("applicants", applicants)
        found = connection.sql((shown[0] / "score.sql").read_text()).df()
    assert np.array_equal(found["score"].to_numpy(), evaluate(model, german.X).score)


def test_both_scorecards_are_measured_by_both_attributes_at_both_points(shown: tuple[Path, Any]) -> None:
    for name in ("plain", "bounded"):
        measured = shown[1]["held_out"][name]
        assert measured["rows"] == 300
        assert 0.5 < measured["performance"]["auc"] < 1
        assert measured["at_approval_rate"]["approval_rate"] == pytest.approx(0.7, abs=0.02)
        for point in ("at_cutoff", "at_approval_rate"):
            groups = {(group["attribute"], group["group"]): group for group in measured[point]["groups"]}
            assert set(groups) == {
                ("sex", "female"),
                ("sex", "male"),
                ("age_group", "under 26"),
                ("age_group", "26 and over"),
            }
            low, high = groups["sex", "female"]["intervals"]["adverse_impact_ratio"]
            assert low < groups["sex", "female"]["adverse_impact_ratio"] < high


def test_protected_columns_and_those_that_tell_them_are_no_inputs(shown: tuple[Path, Any]) -> None:
    kept_out = {"sex", "age", "age_group", "marital_status", "personal_status", "foreign_worker"}
    assert set(shown[1]["not_inputs"]) == kept_out
    for name in ("model.json", "plain.json"):
        assert kept_out & {feature.name for feature in load(shown[0] / name).features} == set()


def test_the_bound_holds_on_the_rows_that_were_learned_from(shown: tuple[Path, Any]) -> None:
    values = load_evidence(shown[0] / "evidence.json").metrics["fairness_information_value"]
    assert set(values) == {c.feature for c in load(shown[0] / "model.json").characteristics}
    assert max(values.values()) <= demonstration.BOUND


def test_three_declined_applicants_have_reasons(shown: tuple[Path, Any]) -> None:
    declined = shown[1]["declined"]
    assert len(declined) == 3
    for each in declined:
        assert each["score"] < each["cutoff"]
        assert each["reasons"]
        found = evaluate(load(shown[0] / "model.json"), load_german_credit().X.iloc[[each["row"]]])
        assert found.score[0] == each["score"]


def test_again_in_the_same_folder_gives_the_same_bytes_and_a_page(run: Run, shown: tuple[Path, Any]) -> None:
    folder = shown[0]
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert set(before) == set(FILES)
    result = run("demo", "--output", folder, "--overwrite")
    assert result.exit_code == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    for text in ("plain", "bounded", "AUC", "KS", "Gini", "adverse impact ratio, sex: female / male", "Not inputs:"):
        assert text in result.stdout
    assert len(re.findall(r"different from Python: +0$", result.stdout, re.M)) == 6
    assert result.stdout.count("declined: score") == 3
    assert f"Wrote to {folder}: {', '.join(FILES)}" in result.stdout
    assert max(len(line) for line in result.stdout.splitlines() if "Wrote to" not in line) <= 110


def test_the_picture_is_an_svg_that_fetches_nothing(shown: tuple[Path, Any]) -> None:
    text = (shown[0] / "demo.svg").read_text()
    root = ET.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "url(http" not in text
    assert "href" not in text
    assert "on\u00a01,000\u00a0applicants" in "".join(root.itertext())


def test_a_difference_of_one_bit_fails(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from scrutable.plugins.registry import registry

    exporter = registry().load("exporter", "sql")
    honest = exporter.run

    def off_by_one_bit(self: Any, export: Any, X: Any) -> OutputFrame:
        columns = dict(honest(self, export, X))
        columns["score"] = columns["score"].copy()
        columns["score"][7] = np.nextafter(columns["score"][7], np.inf)
        return OutputFrame(columns)

    monkeypatch.setattr(exporter, "run", off_by_one_bit)
    result = run("demo", "--output", tmp_path)
    assert result.exit_code == 1
    assert re.search(r"score different from Python: +1\n", result.stdout)
    assert "FAILED" in (tmp_path / "certificate.html").read_text()


@pytest.mark.parametrize("name", FILES)
def test_a_file_in_the_way_is_kept(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("precious")
    result = run("demo", "--output", tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{name}'" in result.stderr
    assert "pass --overwrite" in result.stderr
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {name: "precious"}


def test_a_file_is_no_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious")
    result = run("demo", "--output", tmp_path / "file")
    assert result.exit_code == 2
    assert "is not a folder" in result.stderr
    assert (tmp_path / "file").read_text() == "precious"
    assert "the path is empty" in run("demo", "--output", "").stderr
