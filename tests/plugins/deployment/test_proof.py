"""Scripts that prove a statement elsewhere: right ones pass, planted differences are found, foreign results refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlglot
from cards import card, ladder
from sqlglot import exp

from scrutable import create, registry
from scrutable.errors import InputError
from scrutable.model import dump
from scrutable.proof import Certificate
from scrutable_deployment import Returned, attested, proof_script, read_returned

from .conftest import Bank
from .planted import all_planted, model, view

ALL = ("postgres", "duckdb", "sqlite", "clickhouse", "mariadb")
COLUMNS = ("proof", "model", "engine", "rows_compared", "differences", "digest")
SALT = "5a17c0de" * 4


def returned(bank: Bank, text: str) -> Returned:
    [(name, of_model, engine, *numbers)] = bank.rows(text.rstrip().rstrip(";"))
    return Returned(**dict(zip(COLUMNS, (name, of_model, engine, *map(int, numbers)), strict=True)))


def certified(bank: Bank, **options: Any) -> Certificate:
    proof = proof_script(model(), bank.dialect, salt=SALT, **options)
    return attested(model(), returned(bank, proof.text), proof.text)


@pytest.mark.parametrize("bank", ALL, indirect=True)
def test_a_script_passes_where_nothing_is_planted(bank: Bank) -> None:
    certificate = certified(bank, rows=500)
    [run] = certificate.runs
    assert certificate.passed, [check for check in run.columns if check.differing]
    assert (run.n_rows, run.attested, run.returned) == (500, False, True)
    assert run.engine


@pytest.mark.parametrize("bank", ["postgres", "duckdb", "sqlite"], indirect=True)
@pytest.mark.parametrize("names", [("expected_1", "Proof_Row"), ("proof_weight", "expected_")])
def test_features_may_be_called_like_the_columns_of_a_script(bank: Bank, names: tuple[str, ...]) -> None:
    whole = card(*(ladder(name, 25.0) for name in names))
    proof = proof_script(whole, bank.dialect, rows=60, salt=SALT)
    assert attested(whole, returned(bank, proof.text), proof.text).passed


@pytest.mark.parametrize("bank", ["postgres", "duckdb", "sqlite"], indirect=True)
def test_planted_differences_are_found(bank: Bank) -> None:
    """Some of them; benchmarks/producing/deployed.py tries them all."""
    text = {"text": view(bank.dialect), "table": "applicants", "key": "id"}
    assert certified(bank, rows=300, **text).passed
    unseen = []
    for one in all_planted(bank.dialect)[::7]:
        if one.column is not None:
            continue
        certificate = certified(bank, rows=300, text=view(bank.dialect, one), table="applicants", key="id")
        if certificate.passed or not certificate.runs[0].columns[1].differing:
            unseen.append(one.label)
    assert unseen == []


def test_what_is_planted_in_the_script_itself_is_found(bank_of_sqlite: Bank) -> None:
    proof = proof_script(model(), "sqlite", rows=200, salt=SALT)
    altered = proof.text.replace('WHEN "x_age" < 40.5', 'WHEN "x_age" <= 40.5')
    assert altered != proof.text
    certificate = attested(model(), returned(bank_of_sqlite, altered), proof.text)
    rows, results, digest = certificate.runs[0].columns
    assert (certificate.passed, rows.differing, digest.differing) == (False, 0, 1)
    assert results.differing > 0


def test_results_of_another_script_or_salt_are_refused(bank_of_sqlite: Bank) -> None:
    ours = proof_script(model(), "sqlite", rows=50, salt=SALT)
    others = [
        proof_script(model(), "sqlite", rows=50, salt="f" * 32),
        proof_script(model(), "sqlite", rows=51, salt=SALT),
        proof_script(model(), "sqlite", rows=50, salt=SALT, seed=1),
    ]
    for other in others:
        with pytest.raises(InputError, match="of another script or salt"):
            attested(model(), returned(bank_of_sqlite, other.text), ours.text)
    with pytest.raises(InputError, match="was changed since it was made"):
        attested(model(), returned(bank_of_sqlite, ours.text), ours.text.replace("40.5", "40.25"))
    with pytest.raises(InputError, match="of another model"):
        attested(replace(model(), base_points=501.0), returned(bank_of_sqlite, ours.text), ours.text)


def test_a_result_under_a_foreign_name_has_another_digest(bank_of_sqlite: Bank) -> None:
    """Whoever writes this script's name into a result of another salt, or a count of his own, does not pass."""
    ours = proof_script(model(), "sqlite", rows=50, salt=SALT)
    other = returned(bank_of_sqlite, proof_script(model(), "sqlite", rows=50, salt="f" * 32).text)
    assert not attested(model(), replace(other, proof=ours.name), ours.text).passed
    right = returned(bank_of_sqlite, ours.text)
    assert not attested(model(), replace(right, digest=right.digest + 1), ours.text).passed
    assert not attested(model(), replace(right, rows_compared=49), ours.text).passed


@pytest.mark.parametrize("dialect", [name for name in registry().names("dialect") if name not in ALL])
def test_scripts_of_other_dialects_are_whole(dialect: str) -> None:
    """All rows that were asked for, in parts that a parser takes, over no table that the script does not make."""
    proof = proof_script(model(), dialect, rows=450, salt=SALT)
    assert len(proof.rows.frame) == 450
    assert proof.rows.covered == proof.rows.held
    spoken = create("exporter", "sql", dialect=dialect).target.sqlglot
    [tree] = sqlglot.parse(proof.text, dialect=spoken)
    assert tree is not None
    made = {each.alias.casefold() for each in tree.find_all(exp.CTE)}
    read = {each.name.casefold() for each in tree.find_all(exp.Table)}
    assert read - made <= {"dual", "product_component_version"}
    assert max(map(len, proof.text.splitlines())) < 2_400, "SQL*Plus takes no longer lines"
    assert "\n\n" not in proof.text, "SQL*Plus ends a statement at an empty line"


def test_a_salt_of_zeros_is_one_like_any_other(bank_of_sqlite: Bank) -> None:
    proof = proof_script(model(), "sqlite", rows=20, salt="0" * 32)
    assert attested(model(), returned(bank_of_sqlite, proof.text), proof.text).passed


def test_the_same_salt_gives_the_same_bytes_and_none_a_new_one() -> None:
    first, again = (proof_script(model(), "tsql", rows=20, salt=SALT).text for _ in range(2))
    assert first == again
    assert proof_script(model(), "tsql", rows=20).name != proof_script(model(), "tsql", rows=20).name
    assert "20 rows with" in first


@pytest.mark.parametrize("read", ["bank..applicants", "bank.risk.applicants"])
def test_a_text_of_sql_server_may_name_the_database_of_its_table(read: str) -> None:
    text = view("tsql", table="applicants").replace("[applicants]", read)
    assert read in text
    proof = proof_script(model(), "tsql", rows=50, salt=SALT, text=text, table="applicants", key="id")
    assert read not in proof.text


@pytest.mark.parametrize("between", [",", ";", "\t", "|"])
def test_a_result_may_be_written_as_clients_write_it(tmp_path: Path, between: str) -> None:
    row = ["a" * 32, "b" * 64, "Microsoft SQL Server 16.0", "50", "0", "17"]
    ruled = between.join("-" * len(cell) for cell in row)
    path = tmp_path / "result.csv"
    path.write_text("\n".join([between.join(COLUMNS).upper(), ruled, between.join(row), ""]))
    assert read_returned(path).digest == 17
    path.write_text(between.join(COLUMNS))
    with pytest.raises(InputError, match="not one row"):
        read_returned(path)
    path.write_text("\n".join([between.join(COLUMNS), between.join([*row[:5], "1.7E+18"])]))
    with pytest.raises(InputError, match="not a whole number"):
        read_returned(path)


def test_the_commands_write_a_script_and_check_its_result(
    run: Callable[..., Any], bank_of_sqlite: Bank, tmp_path: Path
) -> None:
    dump(model(), tmp_path / "model.json")
    script, result = tmp_path / "proof.sql", tmp_path / "result.csv"
    said = run("proof", tmp_path / "model.json", "--dialect", "sqlite", "--rows", 60, "-o", script)
    assert (said.exit_code, "60 rows with" in said.stdout) == (0, True), said.output
    [row] = bank_of_sqlite.rows(script.read_text().rstrip().rstrip(";"))
    result.write_text("\n".join([",".join(COLUMNS), ",".join(map(str, row))]))
    asked = ("verify", tmp_path / "model.json", "--returned", result, "--script", script)
    passed = run(*asked, "-o", tmp_path / "certificate.html")
    assert (passed.exit_code, "as returned" in passed.stdout) == (0, True), passed.output
    assert "the word of whoever ran the script" in (tmp_path / "certificate.html").read_text()
    result.write_text("\n".join([",".join(COLUMNS), ",".join(map(str, [*row[:4], 3, row[5]]))]))
    assert run(*asked).exit_code == 1
    result.write_text("\n".join([",".join(COLUMNS), ",".join(map(str, row))]))
    for option in ("--deployed", "--data", "--engine", "--key", "--table"):
        refused = run(*asked, option, script)
        assert (refused.exit_code, option in refused.stderr) == (2, True), refused.output


@pytest.mark.parametrize("option", [["--script", "proof.sql"], ["--key", "id"], ["--column", "age=years"]])
def test_options_that_would_do_nothing_are_refused(run: Callable[..., Any], tmp_path: Path, option: list[str]) -> None:
    dump(model(), tmp_path / "model.json")
    refused = run("verify", tmp_path / "model.json", "--engine", "sqlite", "--rows", 5, *option)
    assert (refused.exit_code, option[0] in refused.stderr) == (2, True), refused.output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("SELECT id, age FROM a", "none of its columns is a score or a decision"),
        ("SELECT id, NULL AS knock_out FROM a", "none of its columns is a score or a decision"),
        ("SELECT id, 500.0 AS score FROM a; DROP TABLE applicants; SELECT (1", "its text cannot be read; got 'several"),
    ],
)
def test_texts_that_are_no_statement_of_a_model_are_refused(text: str, said: str) -> None:
    whole = f"WITH a AS (SELECT * FROM applicants) {text}"
    with pytest.raises(InputError, match=said):
        proof_script(model(), "sqlite", rows=20, text=whole, table="applicants", key="id")
