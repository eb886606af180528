"""Deployments beside readers, and beside each other."""

from __future__ import annotations

import sqlite3
import threading

import pytest

from scrutable.errors import PluginError
from scrutable_deployment import deploy, one_by_one, roll_back
from scrutable_deployment.database import opened

from .conftest import Bank
from .planted import model
from .versions import READ, done, second


def test_a_database_that_is_locked_is_told(bank_of_sqlite: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *given, **options: connect(*given, **{**options, "timeout": 0}))
    with connect(bank.url.removeprefix("sqlite:///")) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(PluginError, match=r"beginning a transaction: others hold .*try again"):
            done(bank, model())


@pytest.mark.parametrize("bank", ["postgres", "mariadb"], indirect=True)
def test_a_deployment_waits_for_another_under_the_same_name(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    bank.applicants()
    done(bank, model())
    monkeypatch.setattr(one_by_one, "PATIENCE", 1)
    with opened(bank.url) as database, database.transaction():
        one_by_one.wait_for_others(database, "score")
        with pytest.raises(PluginError, match=r"others hold what is to be|somebody else deploys"):
            done(bank, second())
        assert deploy(second(), "other", url=bank.url, key=["id"], run=True).version == 1
    assert done(bank, second()).version == 2, "the lock goes with the connection that has it"


@pytest.mark.parametrize("bank", ["postgres"], indirect=True)
def test_every_read_comes_from_one_version(bank: Bank) -> None:
    """Switch and rollback under readers; benchmarks/producing/deployed.py has many more."""
    bank.applicants()
    done(bank, model())
    whole = {1: total(bank)}
    done(bank, second())
    whole[2] = total(bank)
    assert whole[1] != whole[2]
    seen: list[tuple[int, int, float]] = []

    def reader() -> None:
        with opened(bank.url) as database:
            for _ in range(10):
                seen.extend((int(n), int(version), float(sum_)) for n, version, sum_ in database.rows(READ, "", ""))

    readers = [threading.Thread(target=reader) for _ in range(6)]
    for each in readers:
        each.start()
    for _ in range(4):
        roll_back("score", url=bank.url, run=True)
        done(bank, second())
    for each in readers:
        each.join()
    assert len(seen) == 60
    assert {(n, sum_ == whole[version]) for n, version, sum_ in seen} == {(1, True)}


def total(bank: Bank) -> float:
    [(_, _, sum_)] = bank.rows(READ)
    return float(sum_)
