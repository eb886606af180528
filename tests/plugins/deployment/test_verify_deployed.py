"""What is deployed is what is certified: every planted difference is found, and nothing else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy

from scrutable.errors import InputError
from scrutable.model import dump
from scrutable_deployment import deploy, verify_deployed

from .conftest import Bank
from .planted import all_planted, model, view

ALL = ("postgres", "duckdb", "sqlite", "clickhouse", "mariadb")


@pytest.mark.parametrize("bank", ALL, indirect=True)
def test_what_is_right_passes(bank: Bank) -> None:
    bank.applicants()
    bank.deployed()
    certificate = verify_deployed(model(), bank.url, "score", rows=200)
    assert certificate.passed, [check for run in certificate.runs for check in run.columns if check.differing]
    edges, table = certificate.runs
    assert (edges.n_rows > 200, table.n_rows) == (True, 40)
    assert edges.attested


@pytest.mark.parametrize("bank", ["postgres", "duckdb", "sqlite"], indirect=True)
def test_planted_differences_are_found(bank: Bank) -> None:
    """Some of them, those of columns' types among them; benchmarks/producing/deployed.py tries them all."""
    every = all_planted(bank.dialect)
    assert len(every) >= 50
    planted = [*every[::9], *(one for one in every if one.column is not None)]
    unseen = []
    for one in planted:
        bank.execute("DROP VIEW IF EXISTS score")
        bank.applicants(changed=one.column)
        bank.deployed(one if one.column is None else None)
        try:
            certificate = verify_deployed(model(), bank.url, "score", rows=100)
        except InputError:
            continue
        if certificate.passed:
            unseen.append(one.label)
    assert unseen == []


def test_values_of_another_kind_in_sqlite_are_as_the_text_reads_them(bank_of_sqlite: Bank) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    bank.deployed()
    bank.execute(
        "INSERT INTO applicants VALUES (100, 'old', 10, 'own'), (101, 30, x'41', 'own'), (102, 30, 10, x'42'),"
        " (103, '30', 10, 'own')"
    )
    assert len(bank.rows("SELECT id FROM score WHERE score IS NULL")) == 3, "a column of numbers makes one of '30'"
    certificate = verify_deployed(model(), bank.url, "score", rows=20)
    assert certificate.passed, [check for run in certificate.runs for check in run.columns if check.differing]
    bank.execute("DROP VIEW score", view("sqlite").replace("readable = 1", "readable > -1"))
    certificate = verify_deployed(model(), bank.url, "score", rows=20)
    [score] = [check for check in certificate.runs[1].columns if check.name == "score"]
    assert score.differing == 3


@pytest.mark.parametrize("bank", ALL, indirect=True)
def test_rows_without_a_key_are_told(bank: Bank) -> None:
    bank.applicants(changed=("id", "Nullable(Int64)") if bank.dialect == "clickhouse" else None)
    bank.deployed()
    bank.execute("INSERT INTO applicants VALUES (NULL, 30, 10, 'own')")
    with pytest.raises(InputError, match=r"key id: it names no row where it is NULL; got '1 rows without a key'"):
        verify_deployed(model(), bank.url, "score", rows=20)


def test_rows_that_are_not_deployed_and_shared_keys_are_told(bank_of_sqlite: Bank) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    bank.execute("CREATE TABLE scored AS SELECT 1 AS id, 500.0 AS score, 1 AS approved")
    with pytest.raises(InputError, match="name the table"):
        verify_deployed(model(), bank.url, "scored")
    certificate = verify_deployed(model(), bank.url, "scored", table="applicants")
    [run] = certificate.runs
    counts = {check.name: (check.differing, check.note) for check in run.columns}
    assert counts["rows"] == (39, "40 rows in the table, 1 deployed")
    assert counts["score"][0] > 0
    assert all(check.first == () for check in run.columns), "applicants are counted, never told one by one"
    bank.deployed()
    bank.execute("INSERT INTO applicants SELECT * FROM applicants WHERE id = 3")
    with pytest.raises(InputError, match="rows share a key"):
        verify_deployed(model(), bank.url, "score", rows=0)


@pytest.mark.parametrize(
    "columns",
    [
        "NULL AS id, score, approved",
        "'row ' || id AS id, score, approved",
        "id, 'high' AS score, approved",
        "id, score, 'yes' AS approved",
        "id, score, approved + 0.5 AS approved",
        "id, score, 9e999 AS approved",
        "id, score, 1e300 AS approved",
        "id, score, 1 - approved AS approved, CASE approved WHEN 1 THEN 'approved' ELSE 'declined' END AS decision",
        "id, score, approved, CASE approved WHEN 0 THEN 'approved' ELSE 'declined' END AS decision",
        "id, score",
        "id, score, approved, 1 AS grade",
    ],
)
def test_columns_that_were_changed_differ(bank_of_sqlite: Bank, columns: str) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    bank.execute(view("sqlite", None, "base"), f"CREATE VIEW score AS SELECT {columns} FROM base")
    certificate = verify_deployed(model(), bank.url, "score", rows=10)
    assert certificate.passed == ("grade" in columns)


def test_views_on_views_are_read_to_their_source(bank_of_sqlite: Bank) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    bank.execute("CREATE VIEW applicants_v AS SELECT id AS id, age, income, housing FROM applicants")
    bank.execute(view("sqlite", None, "base", "applicants_v"))
    bank.execute("CREATE VIEW score AS SELECT id, score, approved FROM base")
    for table in (None, "applicants_v", "applicants"):
        certificate = verify_deployed(model(), bank.url, "score", rows=50, table=table)
        assert certificate.passed
        assert len(certificate.runs) == 2
    bank.execute("DROP VIEW score", "CREATE VIEW score AS SELECT id, score + 1 AS score, approved FROM base")
    assert not verify_deployed(model(), bank.url, "score", rows=50).passed


@pytest.mark.parametrize("bank", ["postgres"], indirect=True)
def test_it_needs_select_alone_and_says_what_is_missing(bank: Bank) -> None:
    bank.applicants()
    bank.deployed()
    own = sqlalchemy.make_url(bank.url).database
    bank.execute(f"REVOKE TEMPORARY ON DATABASE {own} FROM PUBLIC", "CREATE ROLE checker LOGIN")
    bank.execute("GRANT SELECT ON score TO checker")
    theirs = sqlalchemy.make_url(bank.url).set(username="checker").render_as_string(False)
    with pytest.raises(InputError, match="SELECT on applicants") as refused:
        verify_deployed(model(), theirs, "score", rows=10)
    assert theirs not in str(refused.value)
    bank.execute("GRANT SELECT ON applicants TO checker")
    assert verify_deployed(model(), theirs, "score", rows=10).passed
    bank.execute("REVOKE SELECT ON score FROM checker")
    with pytest.raises(InputError, match="SELECT on"):
        verify_deployed(model(), theirs, "score", rows=10)


@pytest.mark.parametrize("bank", ["postgres"], indirect=True)
def test_schemas_are_told_apart(bank: Bank) -> None:
    bank.execute('CREATE SCHEMA "Risk"')
    bank.applicants('"Risk".applicants')
    bank.execute(view("postgres", None, ("Risk", "score"), ("Risk", "applicants")))
    assert verify_deployed(model(), bank.url, ("Risk", "score"), rows=10, table=("Risk", "applicants")).passed
    with pytest.raises(InputError, match="no view or table of that name"):
        verify_deployed(model(), bank.url, "Risk.score")
    with pytest.raises(InputError, match=r"does not read|no view or table"):
        verify_deployed(model(), bank.url, ("Risk", "score"), table=("risk", "applicants"))


def test_the_command_certifies_what_is_deployed(run: Callable[..., Any], bank_of_sqlite: Bank, tmp_path: Path) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    bank.deployed()
    dump(model(), tmp_path / "model.json")
    asked = ("verify", tmp_path / "model.json", "--engine", bank.url, "--deployed", "score", "--rows", 50)
    result = run(*asked, "-o", tmp_path / "certificate.html", "--json")
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)
    [digest] = said["runs"][0]["files"].values()
    [(text,)] = bank.rows("SELECT sql FROM sqlite_master WHERE name = 'score'")
    assert digest == hashlib.sha256(text.encode()).hexdigest()
    bank.deployed(all_planted("sqlite")[0])
    failed = run(*asked)
    assert (failed.exit_code, "FAILED" in failed.stdout) == (1, True)
    for wrong in (["--data", "x.csv"], ["--option", "reasons=1"], ["--engine", "duckdb"]):
        assert run(*asked, *wrong).exit_code == 2


def test_a_dotted_option_has_to_say_which_name_it_is(run: Callable[..., Any], tmp_path: Path) -> None:
    dump(model(), tmp_path / "model.json")
    asked = ("verify", tmp_path / "model.json", "--engine", "sqlite", "--rows", 5)
    result = run(*asked, "--option", "table=Risk.applicants_v")
    assert (result.exit_code, "--table Risk.applicants_v" in result.stderr) == (2, True), result.output
    for right in (["--table", "Risk.applicants_v"], ["--option", 'table="Risk.applicants_v"']):
        assert run(*asked, *right).exit_code == 0


@pytest.mark.parametrize("bank", ["postgres", "sqlite"], indirect=True)
def test_a_view_that_followed_its_table_to_another_name_fails(bank: Bank) -> None:
    """The view goes on reading the table of before, while applicants come into the new one."""
    bank.applicants()
    deploy(model(), "score", url=bank.url, key=["id"], run=True)
    deploy(model(), "score", url=bank.url, key=["id"], run=True, shadow=True, anew=True)
    every = ("score", "score_v1", "score_v2", "score_shadow")
    assert all(verify_deployed(model(), bank.url, each, rows=20).passed for each in every)
    bank.execute("ALTER TABLE applicants RENAME TO applicants_old")
    bank.applicants(n_rows=5)
    for each in every:
        certificate = verify_deployed(model(), bank.url, each, rows=20)
        [wrong] = [check for run in certificate.runs for check in run.columns if check.differing]
        assert (wrong.name, certificate.passed) == ("table that is read", False)
        assert "applicants_old, and the registry says applicants" in wrong.note
    deploy(model(), "score", url=bank.url, key=["id"], run=True, anew=True)
    certificate = verify_deployed(model(), bank.url, "score", rows=20)
    assert (certificate.passed, certificate.runs[1].n_rows) == (True, 5)


def test_a_table_that_is_called_like_a_registry_is_none(bank_of_sqlite: Bank) -> None:
    bank_of_sqlite.applicants()
    bank_of_sqlite.deployed()
    bank_of_sqlite.execute("CREATE TABLE score_versions (entry INTEGER)")
    assert verify_deployed(model(), bank_of_sqlite.url, "score", rows=20).passed
