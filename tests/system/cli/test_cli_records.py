"""The commands of the archive and of sign-off, from files to what they say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrutable import dump
from scrutable.testing.contract.examples.models import models_named

from .conftest import Invoke

ROWS = "loan,amount,job,age,region\nL-secret-1,1.0,x,10,1\nL-secret-2,9.0,cook,40,1\nL-secret-3,,,,\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an archived model and a file of applicants, the present one."""
    (tmp_path / "models").mkdir()
    dump(models_named()["scorecard"], tmp_path / "models" / "card.json")
    (tmp_path / "rows.csv").write_text(ROWS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SCRUTABLE_SETTINGS", str(tmp_path / "settings.toml"))
    return tmp_path


def test_an_archive_from_the_first_record_to_its_replay(run: Invoke, folder: Path) -> None:
    done = run("archive", "append", "dec", "models/card.json", "rows.csv", "--id", "loan", "--json")
    assert done.exit_code == 0, done.output
    head = json.loads(done.stdout)["head"]
    assert head in run("archive", "head", "dec").stdout
    (folder / "sent.csv").write_text("record,letter\n1,N-17\n")
    assert (
        "1 records added, 4 to 4"
        in run("archive", "amend", "dec", "sent.csv", "--record", "record", "--notice", "letter").stdout
    )
    (folder / "gone.txt").write_text("L-secret-2\n")
    erased = run("archive", "erase", "dec", "--ids", "gone.txt", "--by", "office", "--why", "request 17")
    assert "1 records erased: 2" in erased.stdout
    replayed = run("replay", "dec", "--models", "models", "--head", head)
    assert replayed.exit_code == 0, replayed.output
    assert "5 records, 3 decisions: 2 made anew alike, 1 records erased" in replayed.stdout
    assert run("archive", "export", "dec", "-o", "rows.parquet").exit_code == 0
    again = run("replay", "rows.parquet", "--models", "models", "--json")
    assert json.loads(again.stdout)["passed"] is True
    assert "CREATE TABLE risk.decisions" in run("archive", "table", "--name", "risk.decisions").stdout


@pytest.mark.parametrize("number", ["9" * 5000, "9" * 19, "5", "0"])
def test_a_record_that_is_not_there_is_refused_however_long_its_number(run: Invoke, folder: Path, number: str) -> None:
    run("archive", "append", "dec", "models/card.json", "rows.csv", "--id", "loan")
    (folder / "sent.csv").write_text(f"record,letter\n{number},N-17\n")
    done = run("archive", "amend", "dec", "sent.csv", "--record", "record", "--notice", "letter")
    assert done.exit_code == 2
    assert "not the number of a record" in done.output or "not the records that the rows are about" in done.output


def test_a_replay_names_what_differs_by_numbers_and_nothing_of_a_person(run: Invoke, folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    run("archive", "append", "dec", "models/card.json", "rows.csv", "--id", "loan")
    part = folder / "dec" / "part-000001.parquet"
    table = pq.read_table(part)
    rows = table.to_pylist()
    rows[1].update(input_job="clerk", score=1.0)
    pq.write_table(pa.Table.from_pylist(rows, table.schema), part)
    done = run("replay", "dec", "--models", "models")
    assert done.exit_code == 1
    assert "the model gives another score" in done.stdout
    for person in ("secret", "cook", "clerk"):
        assert person not in done.output
    said = json.loads(run("replay", "dec", "--models", "models", "--json").stdout)
    assert {each["what"] for each in said["differences"]} >= {"altered", "personal", "score"}
    assert {each["first"] for each in said["differences"]} == {2}


def test_results_as_production_gave_them_are_kept(run: Invoke, folder: Path) -> None:
    run("score", "models/card.json", "rows.csv", "--id", "loan", "--reasons", "-o", "scores.csv")
    import pandas as pd

    joined = pd.read_csv("rows.csv").merge(pd.read_csv("scores.csv"), on="loan")
    joined.to_csv("decided.csv", index=False)
    arguments = ("archive", "append", "dec", "models/card.json", "decided.csv", "--decided", "--id", "loan")
    untimed = run(*arguments)
    assert untimed.exit_code == 0
    assert "the present is recorded as when all of them were decided" in " ".join(untimed.stderr.split())
    again = run(*arguments, "--at", "2026-11-27")
    assert "3 records added, 4 to 6; 3 of the ids were there already" in again.stdout
    assert "decided when" not in again.stderr
    assert "secret" not in again.output
    assert run("replay", "dec", "--models", "models").exit_code == 0
    joined.assign(approved=1).to_csv("decided.csv", index=False)
    run(*arguments)
    assert "the model decides otherwise" in run("replay", "dec", "--models", "models").stdout


def test_what_is_refused_says_how_to_mend_it(run: Invoke, folder: Path) -> None:
    run("archive", "append", "dec", "models/card.json", "rows.csv")
    for arguments, said in (
        (("archive", "append", "models", "models/card.json", "rows.csv"), "holds other files and no archive"),
        (("archive", "head", "models"), "not a decision archive"),
        (("replay", "dec", "--models", "dec"), "no model file in it"),
        (("replay", "dec", "--models", "models", "--head", "3"), "not the head of an archive"),
        (("archive", "erase", "dec", "--by", "me", "--why", "x"), "nothing says which records"),
        (("archive", "erase", "dec", "--by", "me", "--why", "x", "--id", "a", "--before", "2020"), "in two ways"),
        (("archive", "export", "dec", "-o", "x.txt"), "unknown kind of file"),
        (("approve", "models/card.json", "--state", "blessed", "--role", "r", "--by", "b"), "no such state"),
    ):
        done = run(*arguments)
        assert (done.exit_code, said in done.output) == (2, True), done.output


def test_notices_ask_for_what_the_settings_require(run: Invoke, folder: Path) -> None:
    lender = run("notices", "--example-lender").stdout
    (folder / "lender.toml").write_text(lender)
    asked = ("notices", "models/card.json", "rows.csv", "--lender", "lender.toml", "--date", "2026-11-22", "-o", "out")
    (folder / "settings.toml").write_text('requires_state = "approved"\n')
    refused = run(*asked)
    assert (refused.exit_code, "nobody signed the model off" in refused.output) == (2, True), refused.output
    assert not (folder / "out").exists() or not list((folder / "out").iterdir())
    exported = ("export", "models/card.json", "--to", "sql", "-o", "-")
    told = run(*exported)
    assert (told.exit_code, "nobody signed the model off" in " ".join(told.stderr.split())) == (0, True), told.output
    assert "nobody signed" not in told.stdout
    for state, role, by in (("validated", "validator", "J. Doe"), ("approved", "committee", "R. Roe")):
        done = run("approve", "models/card.json", "--state", state, "--role", role, "--by", by)
        assert done.exit_code == 0, done.output
    assert "Sign-off: approved by R. Roe (committee)" in run("show", "models/card.json").stdout
    assert "nobody signed" not in run(*asked).output
    assert "signed" not in run(*exported).output


def test_files_of_approvals_are_no_models_to_a_replay(run: Invoke, folder: Path) -> None:
    run("archive", "append", "dec", "models/card.json", "rows.csv")
    run("approve", "models/card.json", "--state", "validated", "--role", "validator", "--by", "J. Doe")
    assert run("replay", "dec", "--models", "models").exit_code == 0
