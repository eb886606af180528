"""What is deployed is what is certified: every planted difference is found, and nothing else."""

from __future__ import annotations

import pytest

from scrutable.errors import InputError
from scrutable_deployment import verify_deployed

from .conftest import Bank
from .planted import all_planted, model

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


@pytest.mark.parametrize("bank", ("postgres", "duckdb", "sqlite"), indirect=True)
def test_every_planted_difference_is_found(bank: Bank) -> None:
    planted = all_planted(bank.dialect)
    assert len(planted) >= 50
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
