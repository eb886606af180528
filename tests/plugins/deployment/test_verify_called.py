"""Functions that are deployed beside the model: their definition, calls with edge values, calls for a table's rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy

from scrutable import create
from scrutable.errors import InputError
from scrutable.model import Model, dump
from scrutable_deployment import verify_deployed

from .conftest import Bank
from .planted import model

BOTH = pytest.mark.parametrize("bank", ["postgres", "duckdb"], indirect=True)


def text_of(bank: Bank, whole: Model | None = None, form: str = "function", **options: Any) -> str:
    given = {"ids": ["id"], **options} if form == "set" else options
    exporter = create("exporter", "sql", dialect=bank.dialect, form=form, name="rate", **given)
    return str(exporter.export(whole or model()).text)


def verified(bank: Bank, whole: Model | None = None, **options: Any) -> Any:
    return verify_deployed(whole or model(), bank.url, "rate", rows=50, **options)


def named(certificate: Any) -> set[str]:
    return {check.name for run in certificate.runs for check in run.columns if check.differing}


@BOTH
@pytest.mark.parametrize("options", [{}, {"reasons": 1, "points": False}, {"status": True, "shortfalls": False}])
def test_a_function_that_is_exported_is_certified(bank: Bank, options: dict[str, Any]) -> None:
    bank.applicants()
    bank.execute(text_of(bank, **options))
    certificate = verified(bank, table="applicants")
    assert certificate.passed, named(certificate)
    assert [run.subject for run in certificate.runs] == [
        "function rate, calls with edge values",
        "function rate, calls for the rows of applicants",
    ]
    assert [run.n_rows for run in certificate.runs][1] == 40
    alone = verified(bank)
    assert alone.passed
    assert len(alone.runs) == 1


@pytest.mark.parametrize("bank", ["duckdb"], indirect=True)
def test_a_set_that_is_exported_is_certified(bank: Bank) -> None:
    bank.applicants()
    bank.execute(text_of(bank, form="set"))
    certificate = verified(bank, table="applicants")
    assert certificate.passed, named(certificate)
    assert certificate.runs[1].n_rows == 40
    with pytest.raises(InputError, match=r"function rate: it is called with the name of a table.*--table"):
        verified(bank)


@pytest.mark.parametrize(
    ("bank", "form"), [("postgres", "function"), ("duckdb", "function"), ("duckdb", "set")], indirect=["bank"]
)
def test_a_function_of_another_model_is_named(bank: Bank, form: str) -> None:
    bank.applicants()
    bank.execute(text_of(bank, replace(model(), base_points=501.0), form))
    certificate = verified(bank, table="applicants")
    assert {"definition", "score"} <= named(certificate)
    assert [run.passed for run in certificate.runs] == [False, False]
    assert not any(check.first for check in certificate.runs[1].columns), "applicants are counted only"


@BOTH
def test_a_definition_that_edge_values_do_not_tell_is_named(bank: Bank) -> None:
    """A score that somebody gets at one value between the edges."""
    bank.applicants()
    text = text_of(bank)
    column = 'CAST("income" AS DOUBLE PRECISION)' if bank.dialect == "postgres" else 'CAST("income" AS DOUBLE)'
    changed = text.replace(column, f"CASE WHEN {column} = 4321 THEN 0 ELSE {column} END", 1)
    assert changed != text
    bank.execute(changed)
    certificate = verified(bank, table="applicants")
    assert named(certificate) == {"definition"}


@pytest.mark.parametrize("bank", ["postgres"], indirect=True)
def test_what_a_function_is_beside_its_text_is_compared(bank: Bank) -> None:
    bank.execute(text_of(bank))
    for change, told in (("VOLATILE", "volatility v"), ("SECURITY DEFINER", "security definer True")):
        bank.execute(f"ALTER FUNCTION rate {change}")
        [check] = [check for check in verified(bank).runs[0].columns if check.name == "definition"]
        assert told in check.note
    bank.execute("ALTER FUNCTION rate STABLE SECURITY INVOKER", "ALTER FUNCTION rate SET search_path = pg_temp")
    [check] = [check for check in verified(bank).runs[0].columns if check.name == "definition"]
    assert "settings search_path=pg_temp" in check.note


@pytest.mark.parametrize("bank", ["postgres"], indirect=True)
def test_arguments_of_half_the_digits_are_named(bank: Bank) -> None:
    text = text_of(bank)
    bank.execute(text.replace('"income" DOUBLE PRECISION', '"income" REAL', 1))
    certificate = verified(bank)
    assert named(certificate) == {"type of income"}
    assert certificate.runs[0].subject == "function rate, not called"


@pytest.mark.parametrize("bank", ["postgres"], indirect=True)
def test_truth_values_are_arguments_too(bank: Bank) -> None:
    bank.execute(
        "CREATE TABLE applicants (id INTEGER, age FLOAT8, income BOOLEAN, housing TEXT)",
        "INSERT INTO applicants VALUES (1, 30, true, 'own'), (2, NULL, false, NULL), (3, 17, NULL, 'rent')",
        text_of(bank, booleans=["income"]),
    )
    certificate = verified(bank, table="applicants")
    assert certificate.passed, named(certificate)


@BOTH
def test_several_functions_of_a_name_and_other_arguments_are_refused(bank: Bank) -> None:
    whole = model()
    other = replace(whole, features=whole.features[:2], characteristics=whole.characteristics[:2], reasons=None)
    bank.execute(text_of(bank, other))
    with pytest.raises(InputError, match="function rate: it takes other arguments than the model has features"):
        verified(bank)
    if bank.dialect == "postgres":
        bank.execute(text_of(bank))
        with pytest.raises(InputError, match="several functions have this name"):
            verified(bank)


@pytest.mark.parametrize("bank", ["postgres"], indirect=True)
def test_the_right_that_is_missing_is_named(bank: Bank) -> None:
    bank.execute(
        text_of(bank),
        "REVOKE EXECUTE ON FUNCTION rate FROM PUBLIC",
        "DO 'BEGIN CREATE ROLE auditor LOGIN PASSWORD ''x''; EXCEPTION WHEN duplicate_object THEN NULL; END'",
    )
    url = sqlalchemy.make_url(bank.url).set(username="auditor", password="x").render_as_string(False)
    with pytest.raises(InputError, match="the user lacks a right; allowed: EXECUTE on function"):
        verify_deployed(model(), url, "rate", rows=5)


@pytest.mark.parametrize("bank", ["duckdb"], indirect=True)
def test_the_command_reads_functions(run: Callable[..., Any], bank: Bank, tmp_path: Any) -> None:
    bank.applicants()
    bank.execute(text_of(bank))
    dump(model(), tmp_path / "model.json")
    asked = ("verify", tmp_path / "model.json", "--engine", bank.url, "--deployed", "rate", "--rows", 20)
    done = run(*asked, "--table", "applicants")
    assert (done.exit_code, "function rate" in done.stdout) == (0, True), done.output
