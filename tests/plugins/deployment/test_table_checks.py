"""The table of the inputs before a switch: columns and key are refused, unusual rows told."""

from __future__ import annotations

from typing import Any

import pytest

from scrutable.errors import InputError
from scrutable_deployment import deploy

from .conftest import Bank
from .planted import model

BANKS = ("postgres", "duckdb", "sqlite", "clickhouse", "mariadb")


def done(bank: Bank, **options: Any) -> Any:
    return deploy(model(), "score", url=bank.url, **{"key": ["id"], "run": True, **options})


@pytest.mark.parametrize("bank", BANKS, indirect=True)
def test_a_table_that_the_model_cannot_read_is_refused(bank: Bank) -> None:
    bank.applicants()
    bank.applicants("texts", changed=("age", "Nullable(String)" if bank.dialect == "clickhouse" else "VARCHAR(20)"))
    with pytest.raises(InputError, match=r"(?i)table texts.*column 'age': type that cannot be read: .*convert"):
        done(bank, table="texts")
    with pytest.raises(InputError, match="column 'years': missing column"):
        done(bank, columns={"age": "years"})


@pytest.mark.parametrize("bank", BANKS, indirect=True)
def test_a_key_that_names_several_rows_is_refused(bank: Bank) -> None:
    bank.applicants()
    with pytest.raises(InputError, match="rows share a key"):
        done(bank, key=["housing"])
    with pytest.raises(InputError, match="lacks columns of the key"):
        done(bank, key=["customer"])
    with pytest.raises(InputError, match="no table or view of the inputs"):
        done(bank, table="elsewhere")


def test_rows_that_are_unusual_are_told(bank_of_sqlite: Bank) -> None:
    bank_of_sqlite.applicants()
    told = done(bank_of_sqlite)
    assert len(told.warnings) == 1
    assert "column 'housing': unseen category" in told.warnings[0]
    assert done(bank_of_sqlite).warnings == ()


@pytest.mark.parametrize("option", ["texts", "checks", "form", "ids", "version", "details"])
def test_options_that_do_nothing_here_are_refused(bank_of_sqlite: Bank, option: str) -> None:
    bank_of_sqlite.applicants()
    with pytest.raises(InputError, match=f"option {option}.*leave it out"):
        done(bank_of_sqlite, options={option: "x"})
