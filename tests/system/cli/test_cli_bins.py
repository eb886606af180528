"""`scrutable bins`, and fits and searches with the edits of a review."""

from __future__ import annotations

import csv
import io
import json
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import Result

from scrutable.model import Interval, load

Run = Callable[..., Result]

EDITS = """
[[edit]]
feature = "housing"
action = "merge"
values = ["rented", "rent-free"]
who = "ana"
why = "few live \\"rent-free\\""

[[edit]]
feature = "duration_months"
action = "cuts"
cuts = [12, 24, 36]
who = "bo"
why = "the terms that are sold"
"""


@pytest.fixture
def edits(tmp_path: Path) -> Path:
    path = tmp_path / "review.toml"
    path.write_text(EDITS)
    return path


def ok(result: Result) -> str:
    assert result.exit_code == 0, result.output
    return result.stdout


def test_tables_groups_a_summary_and_decisions_are_printed(
    run: Run, loans: Path, fit_options: list[str], edits: Path
) -> None:
    out = ok(run("bins", loans, *fit_options, "--edits", edits, "--all", COLUMNS="220"))
    assert "housing: IV 0.0830 (weak), trend none, FIV sex: female / male 0.0647" in out
    assert "'rent-free' or 'rented'" in out
    assert "share of the group / bad rate" in out
    assert out.index("FIV sex: female / male") < out.index("housing: IV")
    assert "'rented' and 'rent-free' merged" in out
    assert 'few live "rent-free"' in out


def test_a_line_for_each_feature_comes_first_and_tables_where_they_are_asked_for(run: Run, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"x{place}": rng.normal(size=400).round(2) for place in range(30)})
    frame["debts"] = np.where(np.arange(400) % 10 == 0, -9, rng.integers(0, 20, 400))
    frame.loc[::8, "x0"] = None
    frame["paid"] = rng.choice(["yes", "no"], 400)
    frame.to_csv(tmp_path / "wide.csv", index=False)
    given = ["bins", tmp_path / "wide.csv", "--target", "paid", "--favourable", "yes", "--binner", "quantile"]
    given += ["--binner-option", 'special_codes={"debts": [-9]}']
    lines = ok(run(*given)).splitlines()
    assert len(lines) < 40
    [debts] = [line for line in lines if "debts" in line]
    assert "-9: 10.0%" in debts
    [gaps] = [line for line in lines if "x0 " in line]
    assert gaps.rstrip().endswith("12.5%")
    assert "of all of them: --all" in lines[-1]
    one = ok(run(*given, "--feature", "debts"))
    assert ("debts: IV" in one, "x1:" in one) == (True, False)
    assert ok(run(*given, "--all")).count(": IV ") == 31
    assert run(*given, "--all", "--feature", "debts").exit_code == 2


def test_one_feature_as_json(run: Run, loans: Path, fit_options: list[str], edits: Path) -> None:
    told = json.loads(ok(run("bins", loans, *fit_options, "--edits", edits, "--feature", "housing", "--json")))
    [feature] = told["features"]
    assert (feature["feature"], feature["kind"]) == ("housing", "categorical")
    assert [each["condition"] for each in feature["attributes"]][:2] == ["'owned'", "'rent-free' or 'rented'"]
    assert feature["attributes"][0]["groups"]["sex"]["female"]["share"] == pytest.approx(0.632, abs=0.001)
    assert [(e["action"], e["who"], e["why"]) for e in told["audit"]] == [
        ("merge", "ana", 'few live "rent-free"'),
        ("cuts", "bo", "the terms that are sold"),
    ]
    assert told["written"] == []


def test_csv_has_a_row_for_each_attribute_and_no_formula(run: Run, tmp_path: Path) -> None:
    data = tmp_path / "loans.csv"
    data.write_text("home,paid\n" + "=1+1,yes\n+2,no\nown,yes\nown,no\n" * 10)
    options = ["--target", "paid", "--favourable", "yes", "--binner", "manual"]
    rows = list(csv.DictReader(io.StringIO(ok(run("bins", data, *options, "--csv")))))
    assert [row["condition"] for row in rows] == ["'+2'", "'=1+1'", "'own'", "any other value", "missing"]
    assert all(not value.startswith(("=", "+", "@")) for row in rows for value in row.values())
    assert [row["bad_rate"] for row in rows] == ["1.0", "0.0", "0.5", "", ""]


def test_features_come_once_and_in_the_order_asked_for(run: Run, loans: Path, fit_options: list[str]) -> None:
    asked = [f"--feature={name}" for name in ("housing", "duration_months", "housing")]
    told = json.loads(ok(run("bins", loans, *fit_options, *asked, "--json")))
    rows = csv.DictReader(io.StringIO(ok(run("bins", loans, *fit_options, *asked, "--csv"))))
    assert [each["feature"] for each in told["features"]] == ["housing", "duration_months"]
    assert list(dict.fromkeys(row["feature"] for row in rows)) == ["housing", "duration_months"]


def test_pictures_are_written_whole_and_not_over_others(
    run: Run, loans: Path, fit_options: list[str], tmp_path: Path
) -> None:
    folder = tmp_path / "pictures"
    options = [*fit_options, "--feature", "housing", "--feature", "duration_months", "--output", folder]
    out = ok(run("bins", loans, *options))
    assert {path.name for path in folder.iterdir()} == {"housing.svg", "duration_months.svg"}
    assert out.count("wrote ") == 2
    for path in folder.iterdir():
        ElementTree.fromstring(path.read_bytes())
    again = run("bins", loans, *options)
    assert again.exit_code == 2
    assert "exists already" in again.stderr
    assert run("bins", loans, *options, "--overwrite").exit_code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--feature", "housin"], "no such column\n  where:   --feature\n"),
        (["--csv", "--json"], "the tables are written in one format"),
        (["--edits", "no.toml"], "cannot be read"),
        (["--favourable", "great"], "no such class in the target"),
        (["--binner", "optimla"], "optimal"),
    ],
)
def test_bad_usage_is_told(run: Run, loans: Path, fit_options: list[str], options: list[str], message: str) -> None:
    result = run("bins", loans, *fit_options, *options)
    assert result.exit_code == 2
    assert message in result.stderr


def test_an_edit_that_does_not_fit_ends_the_command(run: Run, loans: Path, fit_options: list[str], edits: Path) -> None:
    edits.write_text(EDITS.replace("rent-free", "castle"))
    for command in (["bins"], ["fit", "-o", edits.with_name("model.json")]):
        result = run(command[0], loans, *fit_options, "--edits", edits, *command[1:])
        assert result.exit_code == 2
        assert "the value is not in the data" in result.stderr
        assert "edit 1, merge, column 'housing'" in result.stderr
    assert not edits.with_name("model.json").exists()


def test_fit_replays_edits_and_its_config_repeats_them(
    run: Run, loans: Path, fit_options: list[str], edits: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(edits.parent)
    folder = Path("runs")
    folder.mkdir()
    written = ["-o", folder / "model.json", "--evidence", folder / "evidence.json"]
    ok(run("fit", loans, *fit_options, "--edits", edits.name, *written, "--save-config", folder / "run.toml"))
    config = tomllib.loads((folder / "run.toml").read_text())
    assert config["review"] == {"edits": "../review.toml"}
    evidence: Any = json.loads((folder / "evidence.json").read_text())
    [merge, cuts] = evidence["binning"]["audit"]
    assert (merge["who"], merge["why"]) == ("ana", 'few live "rent-free"')
    assert set(merge["fiv_after"]) == {"sex: female / male", "age_group: under 26 / 26 and over"}
    assert cuts["detail"] == "cuts at 12, 24, 36"
    model = (folder / "model.json").read_bytes()
    ok(run("fit", folder / "run.toml", "--overwrite"))
    assert (folder / "model.json").read_bytes() == model


def test_edits_reach_the_default_binner_of_a_learner(
    run: Run, loans: Path, fit_options: list[str], edits: Path, tmp_path: Path
) -> None:
    without = [each for each in fit_options if each not in ("--binner", "quantile", "--binner-option", "max_bins=4")]
    ok(run("fit", loans, *without, "--edits", edits, "-o", tmp_path / "model.json"))
    shown = json.loads((tmp_path / "model.json").read_text())
    assert '"upper": 12' in json.dumps(shown) or '"upper":12' in json.dumps(shown)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--binner-option", "edits=[]"], "edits are given twice"),
        (["--learner", "rug"], "the learner takes no binner"),
    ],
)
def test_edits_that_nothing_could_replay_are_refused(
    run: Run, loans: Path, fit_options: list[str], edits: Path, tmp_path: Path, options: list[str], message: str
) -> None:
    result = run("fit", loans, *fit_options, "--edits", edits, *options, "-o", tmp_path / "model.json")
    assert result.exit_code == 2
    assert message in result.stderr


def test_the_edits_are_no_target_of_writing(run: Run, loans: Path, fit_options: list[str], edits: Path) -> None:
    result = run("fit", loans, *fit_options, "--edits", edits, "-o", edits, "--overwrite")
    assert result.exit_code == 2
    assert "the file has two uses" in result.stderr
    assert edits.read_text() == EDITS


def test_a_search_replays_edits(run: Run, loans: Path, fit_options: list[str], edits: Path, tmp_path: Path) -> None:
    few = ["--require", "0.5", "--option", 'sweep={"bounds": [0.3], "budgets": [], "gap_shares": []}', "--no-picture"]
    ok(run("search", loans, *fit_options, "--edits", edits, *few, "-o", tmp_path / "s"))
    evidence: Any = json.loads((tmp_path / "s" / "evidence.json").read_text())
    assert [entry["action"] for entry in evidence["binning"]["audit"]] == ["merge", "cuts"]


def lent(loans: Path, folder: Path) -> Path:
    """The loans with years, some declined and some indeterminate."""
    frame = pd.read_csv(loans)
    places = np.arange(len(frame))
    frame["year"] = 2015 + places % 5
    frame["booked"] = np.where(places % 11 == 0, "no", "yes")
    frame["credit_risk"] = frame["credit_risk"].mask(places % 13 == 1, "open")
    path = folder / "lent.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.mark.parametrize(
    ("split", "whole"),
    [
        (["--test-size", "0.4", "--seed", "7"], False),
        (["--out-of-time", "2018"], False),
        (["--test-size", "0"], True),
    ],
)
def test_the_rows_are_those_that_a_fit_learns_from(
    run: Run, loans: Path, fit_options: list[str], edits: Path, tmp_path: Path, split: list[str], whole: bool
) -> None:
    data = lent(loans, tmp_path)
    options = [*fit_options, "--accepted", "booked", "--indeterminate", "open", "--date", "year", "--edits", edits]
    told = json.loads(ok(run("bins", data, *options, *split, "--json")))
    written = ["-o", tmp_path / "model.json", "--evidence", tmp_path / "evidence.json"]
    fitted = json.loads(ok(run("fit", data, *options, *split, *written, "--json")))
    rows = told["rows"]
    assert (rows["reviewed"], rows["held_out"]) == (fitted["rows"]["fit"], fitted["rows"]["held_out"])
    assert rows["indeterminate"] == fitted["population"]["indeterminate"]["rows"] > 0
    assert rows["declined"] == fitted["population"]["declined"]["rows"] == 91
    assert sum(rows.values()) == 1000
    assert (rows["held_out"] == 0) is whole
    audit = json.loads((tmp_path / "evidence.json").read_text())["binning"]["audit"]
    assert [each["iv_after"] for each in told["audit"]] == [each["iv_after"] for each in audit]
    if whole:
        assert told == json.loads(ok(run("bins", data, *options, "--json")))
    shown = ok(run("bins", data, *options, *split))
    assert f"Bins of {rows['reviewed']:,} rows; not among them: " in shown
    assert ("held out" in shown) is not whole


def test_a_split_by_time_needs_a_column_of_dates(run: Run, loans: Path, fit_options: list[str]) -> None:
    result = run("bins", loans, *fit_options, "--out-of-time", "0.2")
    assert (result.exit_code, "name it with --date" in result.stderr) == (2, True)
    assert "Bins of all 1,000 rows" in ok(run("bins", loans, *fit_options, "--feature", "housing"))


HEADER = """[review]
binner = "quantile"
favourable = "good"
options = { max_bins = 4 }
"""


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (HEADER.replace("quantile", "optimal"), "binner 'optimal' in the file, 'quantile' here"),
        (HEADER.replace("4", "9"), "max_bins 9 in the file, 4 here"),
        (HEADER.replace("4", "4, special_codes = [-9]"), "special_codes [-9] in the file, as by default here"),
        (HEADER.replace("good", "bad"), "favourable 'bad' in the file, 'good' here"),
        (HEADER, ""),
    ],
)
def test_a_review_of_other_bins_is_refused(
    run: Run, loans: Path, fit_options: list[str], edits: Path, header: str, message: str
) -> None:
    edits.write_text(header + EDITS)
    for command in (["bins", "--json"], ["fit", "-o", edits.with_name("model.json"), "--test-size", "0"]):
        result = run(command[0], loans, *fit_options, "--edits", edits, *command[1:], COLUMNS="2000")
        assert result.exit_code == (2 if message else 0), result.output
        assert message in result.stderr
        assert ("delete its table [review]" in result.stderr) is bool(message)


@pytest.mark.parametrize("learner", [[], ["--learner", "scorecard"]], ids=["default", "scorecard"])
def test_a_fit_takes_the_binner_that_was_reviewed(
    run: Run, loans: Path, fit_options: list[str], edits: Path, tmp_path: Path, learner: list[str]
) -> None:
    edits.write_text(HEADER + EDITS)
    roles = [*fit_options[: fit_options.index("--binner")], "--id", "loan", *learner, "--edits", edits]
    binner = ["--binner", "quantile", "--binner-option", "max_bins=4"]
    for name, named in (("found", []), ("options", binner[2:]), ("named", binner)):
        ok(run("fit", loans, *roles, *named, "-o", tmp_path / f"{name}.json"))
    found, options, named = ((tmp_path / f"{name}.json").read_bytes() for name in ("found", "options", "named"))
    assert found == options == named
    [duration] = [each for each in load(tmp_path / "found.json").characteristics if each.feature == "duration_months"]
    cuts = [each.condition.upper for each in duration.attributes if isinstance(each.condition, Interval)]
    assert cuts == [12, 24, 36, np.inf]
    other = run("fit", loans, *roles, "--binner-option", "max_bins=9", "-o", tmp_path / "m.json", COLUMNS="2000")
    assert (other.exit_code, "max_bins 4 in the file, 9 here" in other.stderr) == (2, True)
    edits.write_text(HEADER.replace("quantile", "HouseBinner") + EDITS)
    other = run("fit", loans, *roles, "-o", tmp_path / "m.json", COLUMNS="2000")
    assert other.exit_code == 2
    for text in ("unknown binner", "review.toml', [review]", "got:     'HouseBinner'"):
        assert text in other.stderr


def test_edits_without_who_or_why_are_refused(run: Run, loans: Path, fit_options: list[str], edits: Path) -> None:
    edits.write_text(EDITS.replace('who = "bo"\n', ""))
    for command in (["bins"], ["fit", "-o", edits.with_name("model.json")]):
        result = run(command[0], loans, *fit_options, "--edits", edits, *command[1:], COLUMNS="2000")
        assert result.exit_code == 2
        assert "an edit in a file says who decided, and why" in result.stderr
        assert "edit 2, cuts, column 'duration_months'" in result.stderr
        assert "add who to the edit" in result.stderr
