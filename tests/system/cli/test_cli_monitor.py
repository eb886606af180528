"""`scrutable monitor`: exit codes, files and what the terminal says."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from dataclasses import asdict
from inspect import signature
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

from scrutable.model import fingerprint, load
from scrutable_lifecycle.commands.monitor import monitor
from scrutable_lifecycle.monitoring import Thresholds

Run = Callable[..., Any]
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def files(loans: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The loans with dates and probabilities of groups; the same drifted; and with some outcomes not yet known."""
    folder = tmp_path_factory.mktemp("monitor")
    frame = pd.read_csv(loans, keep_default_na=False).assign(
        issued=[f"2026-{1 + row % 6:02d}-15" for row in range(1000)],
        weight=np.arange(1000) % 3 + 1.0,
    )
    frame["p_female"] = (frame["sex"] == "female").map({True: 1.0, False: 0.0})
    frame["p_male"] = 1 - frame["p_female"]
    frame["paid"] = frame["credit_risk"].map({"good": "yes", "bad": "no"})
    drifted = frame.assign(duration_months=frame["duration_months"] + 24, savings="under the <b>mattress</b>")
    young = frame.assign(credit_risk=frame["credit_risk"].where(frame.index % 4 > 0, ""))
    paths = {}
    for name, its in {"base": frame, "drifted": drifted, "young": young}.items():
        paths[name] = folder / f"{name}.csv"
        its.to_csv(paths[name], index=False)
    return paths


def test_no_alert_is_exit_code_0(run: Run, model: Path, files: dict[str, Path]) -> None:
    result = run("monitor", model, files["base"], files["base"])
    assert (result.exit_code, result.stderr) == (0, "")
    assert "No figure is beyond its threshold." in result.stdout
    assert "Status: ok; 0 alerts" in result.stdout
    assert "Note: No outcomes of the new applicants were given" in result.stdout


def test_an_alert_is_exit_code_1(run: Run, model: Path, files: dict[str, Path], tmp_path: Path) -> None:
    page = tmp_path / "monitor.html"
    result = run("monitor", model, files["base"], files["drifted"], "-o", page)
    assert result.exit_code == 1
    assert re.search(r"ALERT\s+CSI\s+Savings\s+new", result.stdout)
    assert re.search(r"ALERT\s+CSI\s+Duration months\s+new", result.stdout)
    assert "Status: ALERT" in result.stdout
    assert f"wrote {page}" in result.stdout
    assert page.read_text().startswith("<!DOCTYPE html>")
    again = run("monitor", model, files["base"], files["drifted"], "-o", page)
    assert (again.exit_code, "exists already" in again.stderr) == (2, True)


def test_everything_as_json_and_page(run: Run, model: Path, files: dict[str, Path], tmp_path: Path) -> None:
    roles = ["--target", "credit_risk", "--protected", "sex", "--reference", "sex=male"]
    times = ["--date", "issued", "--period", "quarter"]
    out = f"{tmp_path}/out/"
    result = run("monitor", model, files["base"], files["young"], *roles, *times, "--json", "-o", out)
    assert result.exit_code in (0, 1)
    found = json.loads(result.stdout)
    assert result.stdout == (tmp_path / "out" / "monitoring.json").read_text()
    assert found["model"]["sha256"] == fingerprint(load(model))
    assert (result.exit_code == 1) == bool(found["alerts"]) == (found["status"] == "alert")
    assert [period["name"] for period in found["periods"]] == ["2026 Q1", "2026 Q2"]
    assert (found["baseline"]["outcomes"], found["new"]["outcomes"]) == (1000, 750)
    assert {group["reference"] for group in found["new"]["groups"]} == {"male"}
    assert found["missing"] == []
    page = (tmp_path / "out" / "monitoring.html").read_text()
    for text in ("Decisions and outcomes", "sex: adverse impact ratio, reference male", "Reasons of declines"):
        assert text in page


def test_runs_are_the_same_to_the_byte(run: Run, model: Path, files: dict[str, Path], tmp_path: Path) -> None:
    for name in ("one", "two"):
        arguments = ["--target", "credit_risk", "--protected", "sex", "--date", "issued", "-o", f"{tmp_path / name}/"]
        run("monitor", model, files["base"], files["young"], *arguments)
    for name in ("monitoring.json", "monitoring.html"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_other_words_for_the_outcome_and_probable_groups(run: Run, model: Path, files: dict[str, Path]) -> None:
    pair = (model, files["base"], files["base"])
    known = json.loads(run("monitor", *pair, "--target", "credit_risk", "--protected", "sex", "--json").stdout)
    words = ["--target", "paid", "--favourable", "yes"]
    probable = ["--protected-probabilities", "sex:female=p_female,male=p_male"]
    same = json.loads(run("monitor", *pair, *words, *probable, "--json").stdout)
    assert same == known


def test_a_third_outcome_is_not_taken_for_a_bad_one(
    run: Run, model: Path, files: dict[str, Path], tmp_path: Path
) -> None:
    """The files are checked together: the third value may stand in either."""
    path = tmp_path / "third.csv"
    frame = pd.read_csv(files["base"])
    frame.assign(paid=frame["paid"].where(frame.index % 9 > 0, "indeterminate")).to_csv(path, index=False)
    words = ["--target", "paid", "--favourable", "yes"]
    for pair in ((files["base"], path), (path, files["base"])):
        result = run("monitor", model, *pair, *words)
        assert result.exit_code == 2
        said = re.sub(r"\s+", " ", result.stderr)
        assert "more than one other" in said
        assert "'no'" in said
        assert "'indeterminate'" in said
        assert "leave outcomes that are neither good nor bad empty" in said


def test_a_file_without_known_outcomes_runs(run: Run, model: Path, files: dict[str, Path], tmp_path: Path) -> None:
    path, bad = tmp_path / "unknown.csv", tmp_path / "bad.csv"
    frame = pd.read_csv(files["base"])
    frame.assign(paid="").to_csv(path, index=False)
    frame.assign(paid="no").to_csv(bad, index=False)
    words = ["--target", "paid", "--favourable", "yes", "--json"]
    for pair in ((files["base"], path), (files["base"], bad), (path, path)):
        result = run("monitor", model, *pair, *words)
        assert result.exit_code in (0, 1), result.stderr
    found = json.loads(run("monitor", model, files["base"], path, *words).stdout)
    assert (found["baseline"]["outcomes"], found["new"]["outcomes"]) == (1000, 0)
    found = json.loads(run("monitor", model, files["base"], bad, *words).stdout)
    assert found["new"]["bad_rate"] == 1


def test_few_outcomes_leave_gaps(run: Run, model: Path, files: dict[str, Path], tmp_path: Path) -> None:
    few = pd.read_csv(files["base"]).groupby("credit_risk").head(4)
    few.to_csv(tmp_path / "few.csv", index=False)
    arguments = ["monitor", model, files["base"], tmp_path / "few.csv", "--target", "credit_risk"]
    result = run(*arguments, "-o", tmp_path / "few.html")
    assert "nan" not in (result.stdout + (tmp_path / "few.html").read_text()).lower().replace("finance", "")


def test_errors_of_groups_name_the_file_and_its_row(
    run: Run, model: Path, files: dict[str, Path], tmp_path: Path
) -> None:
    path = tmp_path / "wrong.csv"
    frame = pd.read_csv(files["base"])
    frame.loc[7, "p_male"] = 3.0
    frame.to_csv(path, index=False)
    options = ["--protected-probabilities", "sex:female=p_female,male=p_male"]
    for pair in ((files["base"], path), (path, files["base"])):
        result = run("monitor", model, *pair, *options)
        assert result.exit_code == 2
        said = re.sub(r"\s+", "", result.stderr)
        assert f"file'{path}',row7," in said


def test_weights_count(run: Run, model: Path, files: dict[str, Path]) -> None:
    result = run("monitor", model, files["base"], files["base"], "--weight", "weight", "--json")
    assert json.loads(result.stdout)["new"]["weight"] == sum(row % 3 + 1 for row in range(1000))


@pytest.mark.parametrize(
    ("first", "last", "period"),
    [
        ("2026/3/31", "2026/4/1", "month"),
        ("2026-03-31T12:00:00Z", "2026-04-01T12:00:00Z", "quarter"),
        ("2026Q1", "2026Q2", "quarter"),
        ("2025", "2026", "year"),
    ],
)
def test_dates_are_those_that_fit_reads(
    run: Run,
    model: Path,
    loans: Path,
    fit_options: list[str],
    tmp_path: Path,
    first: str,
    last: str,
    period: str,
) -> None:
    path = tmp_path / "dated.csv"
    pd.read_csv(loans).assign(issued=[(first, last)[row % 4 == 0] for row in range(1000)]).to_csv(path, index=False)
    said = run("monitor", model, path, path, "--date", "issued", "--period", period, "--json")
    assert [each["rows"] for each in json.loads(said.stdout)["periods"]] == [750, 250]
    fitted = run(
        "fit", path, *fit_options, "--date", "issued", "--out-of-time", last, "--json", "-o", tmp_path / "m.json"
    )
    assert json.loads(fitted.stdout)["rows"] == {"fit": 750, "held_out": 250}


def test_a_date_longer_than_a_period_is_told_the_periods_that_it_fits(
    run: Run, model: Path, loans: Path, tmp_path: Path
) -> None:
    path = tmp_path / "quarters.csv"
    pd.read_csv(loans).assign(issued="2026Q1").to_csv(path, index=False)
    refused = run("monitor", model, path, path, "--date", "issued")
    assert refused.exit_code == 2
    said = " ".join(refused.stderr.split())
    assert "the date does not say which month it is in where: dates, row 0 got: a text like '9999a9'" in said
    assert "period 'quarter' or 'year'" in said


def test_thresholds_decide(run: Run, model: Path, files: dict[str, Path]) -> None:
    pair = (model, files["base"], files["drifted"])
    lenient = ["--psi-warn", 90, "--psi-alert", 99, "--csi-warn", 90, "--csi-alert", 99]
    assert run("monitor", *pair, *lenient).exit_code == 0
    assert run("monitor", *pair).exit_code == 1


def test_a_long_table_says_what_it_leaves_out_and_begins_with_alerts(
    run: Run, model: Path, files: dict[str, Path], tmp_path: Path
) -> None:
    path = tmp_path / "weeks.csv"
    pd.read_csv(files["drifted"]).assign(week=np.arange(1000) % 60).to_csv(path, index=False)
    times = ["--date", "week", "--period", "values", "--psi-warn", 0, "--csi-warn", 0]
    said = run("monitor", model, files["base"], path, *times).stdout
    checks = json.loads(run("monitor", model, files["base"], path, *times, "--json").stdout)["checks"]
    beyond = [check["status"] for check in checks if check["status"] != "ok"]
    assert beyond != sorted(beyond, key=["alert", "warn", "note"].index)
    assert f"Beyond a threshold, 48 of {len(beyond)} shown" in said
    shown = re.findall(r"^ *(ALERT|warn|note) ", said, re.M)
    assert shown == ["ALERT"] * min(beyond.count("alert"), 48) + ["warn"] * max(48 - beyond.count("alert"), 0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--target", "credit_risc"], "did you mean 'credit_risk'"),
        (["--target", "paid"], "none of the model's classes"),
        (["--target", "paid", "--favourable", "ja"], "no outcome is the favourable one"),
        (["--date", "when"], "no such column"),
        (["--date", "purpose"], "not a date"),
        (["--date", "issued", "--period", "week"], "unknown period"),
        (["--protected", "sexx"], "did you mean 'sex'"),
        (["--protected", "sex", "--reference", "sex=men"], "not one of the groups"),
        (["--weight", "wait"], "no such column"),
        (["--psi-warn", "0.5"], "the warning comes after the alert"),
        (["-o", "monitor.pdf"], "unknown kind of file"),
        (["--favourable", "yes"], "--favourable does nothing without --target"),
        (["--period", "year"], "--period does nothing without --date"),
        (
            ["--protected", "sex", "--reference", "sex=male", "--reference", "sex=female"],
            "the attribute is given twice",
        ),
        (["--reference", "sex=male"], "there is no protected attribute to compare the groups of"),
    ],
)
def test_bad_input_is_exit_code_2(
    run: Run, model: Path, files: dict[str, Path], options: list[str], message: str
) -> None:
    result = run("monitor", model, files["base"], files["base"], *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_thresholds_not_given_are_the_usual_ones() -> None:
    """The command repeats them, since its help tells them and may not load what monitors."""
    usual = {name: value for name, value in asdict(Thresholds()).items() if name != "confidence"}
    options = signature(monitor).parameters
    assert {name: options[name].default for name in usual} == usual


def test_a_missing_column_is_exit_code_2(run: Run, model: Path, files: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "less.csv"
    pd.read_csv(files["base"]).drop(columns="savings").to_csv(path, index=False)
    result = run("monitor", model, files["base"], path)
    assert result.exit_code == 2
    assert "where:   column 'savings'" in result.stderr


def test_the_pages_examples_work(
    run: Run, model: Path, files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Command lines and Python of docs/monitoring.md; what it says of the JSON's keys."""
    text = (ROOT / "docs" / "monitoring.md").read_text()
    for name, path in {"model.json": model, "train.csv": files["base"], "new.csv": files["young"]}.items():
        (tmp_path / name).write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    lines = re.findall(r"^    scrutable (monitor .*)$", text.replace("\\\n", ""), re.M)
    assert len(lines) >= 3
    for line in lines:
        assert run(*shlex.split(line)).exit_code in (0, 1), line
    for code in re.findall(r"```python\n(.*?)```", text, re.S):
        exec(compile(code, "monitoring.md", "exec"), {})
    found = json.loads((tmp_path / "monitor.json").read_text())
    assert re.findall(r"^\| `(\w+)` \| ", text.partition("## JSON")[2], re.M) == list(found)


def test_a_statement_tells_what_the_command_does(
    run: Run, model: Path, files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRUTABLE_MIN_CELL", "1")
    options = ["--protected", "sex", "--reference", "sex=male", "--target", "credit_risk", "--csi-alert", "0.2"]
    written = tmp_path / "statement.sql"
    result = run("monitor", model, files["base"], *options, "--sql", "duckdb", "-o", written)
    assert result.exit_code == 0, result.stderr
    alone = tmp_path / "statement_alerts.sql"
    assert [path.read_text().count("WHERE status = 'alert'") for path in (written, alone)] == [0, 1]

    said = json.loads(run("monitor", model, files["base"], files["young"], *options, "--json").stdout)
    with duckdb.connect() as connection:
        connection.register("applicants", pd.read_csv(files["young"]))
        rows = connection.sql(written.read_text()).df()
        alerts = connection.sql(alone.read_text()).df()
    index = rows[rows["level"].isna()].set_index(["measure", "subject"])
    checks = [check for check in said["checks"] if check["figure"] in ("psi", "csi")]
    assert len(checks) > 10
    for check in checks:
        row = index.loc[check["figure"], check["subject"]]
        assert row["value"] == pytest.approx(check["value"], rel=1e-12, abs=0)
        assert row["status"] == check["status"]
    assert len(alerts) == sum(check["figure"] != "calibration" for check in said["alerts"])
    printed = run("monitor", model, files["base"], *options, "--sql", "duckdb").stdout
    assert printed.strip() == written.read_text().strip()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "there are no new applicants to compare"),
        (["young", "--sql", "duckdb"], "a statement reads a table of new applicants, and no file"),
        (["young", "--table", "applicants"], "--table does nothing without --sql"),
        (["young", "--option", "raising=true"], "--option does nothing without --sql"),
        (["--sql", "duckdb", "--weight", "weight"], "not in SQL: a statement counts rows"),
        (["--sql", "duckdb", "--significant"], "no p-values"),
        (["--sql", "duck"], "unknown dialect"),
        (["--sql", "duckdb", "--option", "table=a.b"], "schema and name, or one name with a dot"),
    ],
)
def test_what_a_statement_cannot_do_is_exit_code_2(
    run: Run, model: Path, files: dict[str, Path], given: list[str], message: str
) -> None:
    result = run("monitor", model, files["base"], *(files.get(word, word) for word in given))
    assert result.exit_code == 2
    assert message in result.stderr
