"""A shadow version beside the present one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scrutable.errors import InputError
from scrutable_deployment import swap_report

from .conftest import Bank
from .planted import model
from .versions import ALL, done, read, second


@pytest.mark.parametrize("bank", ALL, indirect=True)
def test_a_shadow_is_scored_beside_and_compared(bank: Bank) -> None:
    bank.applicants()
    done(bank, model())
    before = read(bank)
    assert done(bank, second(), shadow=True).version == 2
    assert done(bank, second(), shadow=True).steps == ()
    assert read(bank) == before
    report = swap_report("score", url=bank.url)
    assert (report.rows, report.unmatched, report.mean_shift) == (40, 0, 20.0)
    assert sum(report.decisions.values()) == 40
    assert report.decisions["declined, approved"] > 0
    assert report.decisions["approved, declined"] == 0
    assert report.psi is not None
    assert report.psi > 0
    assert done(bank, second()).version == 2


@pytest.mark.parametrize("bank", ["duckdb", "sqlite"], indirect=True)
def test_applicants_of_the_shadow_alone_are_counted(bank: Bank) -> None:
    bank.applicants()
    bank.applicants("others", n_rows=60)
    bank.execute("DELETE FROM others WHERE id < 10")
    done(bank, model())
    done(bank, model(), table="others", shadow=True)
    report = swap_report("score", url=bank.url)
    assert (report.rows, report.unmatched) == (30, 30)
    assert report.psi == 0.0, "applicants that one version does not have are none whose score moved"


def test_a_swap_report_says_which_versions_and_refuses_one_beside_itself(bank_of_sqlite: Bank) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    done(bank, model())
    done(bank, second(), shadow=True)
    told = swap_report("score", url=bank.url).to_dict()
    assert (told["version_now"], told["version_next"]) == (1, 2)
    done(bank, second())
    with pytest.raises(InputError, match="the shadow is the version that is read"):
        swap_report("score", url=bank.url)


def test_counts_of_few_applicants_are_not_told(
    run: Callable[..., Any], bank_of_sqlite: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank = bank_of_sqlite
    bank.applicants(n_rows=1)
    rows = [f"({i}, {17 if i < 10 else 30 if i < 40 else 'NULL'}, 3000, 'own')" for i in range(1, 42)]
    bank.execute("DELETE FROM applicants", f"INSERT INTO applicants VALUES {', '.join(rows)}")
    done(bank, model())
    done(bank, replace(model(), base_points=480.0), shadow=True)
    decisions = {"approved, approved": 30, "declined, approved": 0}
    told = swap_report("score", url=bank.url)
    assert told.decisions == {**decisions, "approved, declined": None, "declined, declined": None}
    swap = run("deploy", "--url", bank.url, "--name", "score", "--swap")
    assert swap.stdout.count("not told, since it is a count of few") == 2
    monkeypatch.setenv("SCRUTABLE_MIN_CELL", "1")
    whole = swap_report("score", url=bank.url)
    assert whole.decisions == {**decisions, "approved, declined": 2, "declined, declined": 9}
