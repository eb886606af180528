"""Versions behind a view: made once, switched to at once, shadowed, and back; the registry only grows."""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import replace

import pytest

from scrutable import create
from scrutable.errors import InputError, PluginError, UnsupportedModel
from scrutable.model import Model, fingerprint
from scrutable.model.evaluator import evaluate
from scrutable_deployment import deploy, roll_back, swap_report, verify_deployed
from scrutable_deployment.catalogues import find_deployed
from scrutable_deployment.database import Database, opened

from .conftest import Bank
from .planted import model
from .versions import ALL, COLUMNS, actions, done, read, second, third


@pytest.mark.parametrize("bank", ALL, indirect=True)
def test_versions_are_made_switched_to_and_left(bank: Bank) -> None:
    bank.applicants()
    first = done(bank, model(), by="J. Doe")
    assert (first.version, first.ran) == (1, True)
    table = bank.rows("SELECT id, age, income, housing FROM applicants ORDER BY id")
    columns = dict(zip(("age", "income", "housing"), list(zip(*table, strict=True))[1:], strict=True))
    scores = evaluate(model(), {name: list(values) for name, values in columns.items()}).score
    assert scores is not None
    assert [read(bank)[row[0]][0] for row in table] == scores.tolist()
    assert {row[-2:] for row in read(bank).values()} == {(1, fingerprint(model()))}
    assert {row[1] for row in read(bank).values()} == {"approved", "declined"}

    assert done(bank, model()).steps == ()
    assert done(bank, second()).version == 2
    assert {row[-2:] for row in read(bank).values()} == {(2, fingerprint(second()))}
    assert verify_deployed(second(), bank.url, "score", rows=20).passed
    assert not verify_deployed(model(), bank.url, "score", rows=20).passed

    back = roll_back("score", url=bank.url, run=True)
    assert (back.version, {row[-2] for row in read(bank).values()}) == (1, {1})
    with pytest.raises(InputError, match="no version was read before"):
        roll_back("score", url=bank.url, run=True)
    assert done(bank, second()).version == 2, "a version that is there is only switched to"
    told = [(int(version), action) for version, action, _ in actions(bank)]
    assert told == [(1, "make"), (1, "switch"), (2, "make"), (2, "switch"), (1, "rollback"), (2, "switch")]
    assert bank.rows("SELECT entered_by FROM score_versions WHERE entry = 1") == [("J. Doe",)]


@pytest.mark.parametrize("bank", ["postgres", "sqlite", "mariadb"], indirect=True)
def test_rows_of_the_registry_stay(bank: Bank) -> None:
    bank.applicants()
    done(bank, model())
    again = "INTO score_versions (entry, version, action) VALUES (1, 9, 'make')"
    instead = (
        [f"REPLACE {again}"]
        if bank.dialect != "postgres"
        else [f"INSERT {again} ON CONFLICT (entry) DO UPDATE SET version = 9"]
    )
    for text in ("UPDATE score_versions SET action = 'none'", "DELETE FROM score_versions", *instead):
        with pytest.raises(PluginError):
            bank.execute(text)
    assert len(actions(bank)) == 2


@pytest.mark.parametrize("bank", ["postgres", "duckdb", "sqlite"], indirect=True)
def test_a_refusal_leaves_all_as_it_was(bank: Bank) -> None:
    bank.applicants()
    done(bank, model())
    before = read(bank), actions(bank)
    bank.execute("CREATE TABLE score_shadow (taken INTEGER)")
    with pytest.raises(PluginError):
        done(bank, second(), shadow=True)
    assert (read(bank), actions(bank)) == before
    with pytest.raises(PluginError, match=r"refuses|not there"):
        bank.rows("SELECT * FROM score_v2")


@pytest.mark.parametrize("bank", ["sqlite"], indirect=True)
def test_what_others_read_stays(bank: Bank) -> None:
    bank.applicants()
    bank.execute("UPDATE applicants SET age = 1 WHERE age IS NULL")
    done(bank, model())
    with pytest.raises(InputError, match="another key"):
        deploy(second(), "score", url=bank.url, key=["id", "age"], run=True)
    assert second().reasons is not None
    fewer = replace(second(), reasons=replace(second().reasons, k=1))
    done(bank, fewer)
    assert {row[3] for row in read(bank).values()} == {None}
    more = replace(second(), reasons=replace(second().reasons, k=3))
    with pytest.raises(InputError, match="fewer reasons"):
        done(bank, more)
    assert done(bank, more, options={"reasons": 2}).version == 3


@pytest.mark.parametrize("bank", ["duckdb", "sqlite"], indirect=True)
def test_views_that_are_gone_are_made_again(bank: Bank) -> None:
    bank.applicants()
    done(bank, model())
    before = read(bank)
    bank.execute("DROP VIEW score")
    with pytest.raises(InputError, match="score: the view is gone"):
        roll_back("score", url=bank.url, to=1, run=True)
    assert done(bank, model()).version == 1
    assert read(bank) == before
    done(bank, second())
    bank.execute("DROP VIEW score_v1")
    with pytest.raises(InputError, match="score_v1: the view is gone"):
        roll_back("score", url=bank.url, run=True)
    assert done(bank, model()).version == 3
    assert {row[-2] for row in read(bank).values()} == {3}
    done(bank, second(), shadow=True)
    bank.execute("DROP VIEW score_shadow")
    assert done(bank, second(), shadow=True).steps != ()
    assert swap_report("score", url=bank.url).rows == 40


def test_a_key_that_is_called_like_a_reason_is_none(bank_of_sqlite: Bank) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    bank.execute("ALTER TABLE applicants RENAME COLUMN id TO reason_code")
    for whole in (model(), second()):
        deploy(whole, "score", url=bank.url, key=["reason_code"], run=True)
    with opened(bank.url) as database:
        columns = list(find_deployed(database, "score").columns)
    assert columns == ["reason_code", *COLUMNS[1:3], "knock_out", "override", "grade", *COLUMNS[3:]]


def test_a_name_cannot_end_the_comments_of_the_script() -> None:
    script = deploy(model(), "a\nDROP TABLE b; --", dialect="postgres", key=["id"]).text
    assert not [line for line in script.splitlines() if line.startswith("DROP TABLE")]


def test_a_dry_run_changes_nothing_and_prints_what_would_run(bank_of_sqlite: Bank) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    planned = deploy(model(), "score", url=bank.url, key=["id"])
    assert not planned.ran
    assert bank.rows("SELECT name FROM sqlite_master WHERE name LIKE 'score%'") == []
    assert planned.text == deploy(model(), "score", dialect="sqlite", key=["id"]).text
    with sqlite3.connect(bank.url.removeprefix("sqlite:///")) as connection:
        connection.executescript(planned.text)
    assert done(bank, model()).steps == ()


def test_models_and_names_that_do_not_fit_are_refused(bank_of_sqlite: Bank, rule_set: Model) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    bank.execute("CREATE VIEW score AS SELECT 1 AS taken")
    with pytest.raises(InputError, match="something else has this name"):
        done(bank, model())
    with pytest.raises(InputError, match="no key"):
        deploy(model(), "other", url=bank.url, key=[])
    with pytest.raises(InputError, match="no database"):
        deploy(model(), "other", key=["id"])
    quantity = create("exporter", "sql", dialect="sqlite").export(rule_set)
    if "score" not in (quantity.results or ()):
        with pytest.raises(UnsupportedModel, match="two classes"):
            deploy(rule_set, "other", url=bank.url, key=["id"])


@pytest.mark.parametrize("bank", ["clickhouse", "mariadb"], indirect=True)
@pytest.mark.parametrize("stopped", range(7))
def test_a_command_that_was_stopped_is_run_again(bank: Bank, monkeypatch: pytest.MonkeyPatch, stopped: int) -> None:
    bank.applicants()
    ran: list[str] = []
    run = Database.run

    def until(self: Database, text: str, doing: str, right: str) -> None:
        if len(ran) == stopped:
            raise KeyboardInterrupt
        if doing not in ("beginning a transaction", "keeping what was done"):
            ran.append(text)
        run(self, text, doing, right)

    monkeypatch.setattr(Database, "run", until)
    with contextlib.suppress(KeyboardInterrupt):
        done(bank, model())
    monkeypatch.undo()
    version = done(bank, model()).version
    assert {row[-2:] for row in read(bank).values()} == {(version, fingerprint(model()))}
    assert [(int(number), action) for number, action, _ in actions(bank)] == [(version, "make"), (version, "switch")]


@pytest.mark.parametrize("bank", ["duckdb", "sqlite"], indirect=True)
def test_a_version_that_was_left_by_going_back_is_not_gone_back_to(bank: Bank) -> None:
    bank.applicants()
    done(bank, model())
    done(bank, second())
    roll_back("score", url=bank.url, run=True)
    assert done(bank, third()).version == 3
    assert roll_back("score", url=bank.url, run=True).version == 1
    assert roll_back("score", url=bank.url, to=3, run=True).version == 3, "it was read once"
    assert roll_back("score", url=bank.url, run=True).version == 1


def test_a_version_that_was_never_read_is_not_gone_back_to(bank_of_sqlite: Bank) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    done(bank, model())
    done(bank, second(), shadow=True)
    with pytest.raises(InputError, match="never read"):
        roll_back("score", url=bank.url, to=2, run=True)
    with pytest.raises(InputError, match="no such version"):
        roll_back("score", url=bank.url, to=7, run=True)
    assert {row[-2] for row in read(bank).values()} == {1}


@pytest.mark.parametrize("bank", ["duckdb", "sqlite"], indirect=True)
@pytest.mark.parametrize("whom", ["declined", "all"])
def test_reasons_are_those_of_the_declined_unless_all_are_asked_for(bank: Bank, whom: str) -> None:
    bank.applicants()
    done(bank, model(), options={} if whom == "declined" else {"reasons_for": "all"})
    reasons = {decision: set() for decision in ("approved", "declined")}
    for _, decision, reason, *_ in read(bank).values():
        reasons[decision].add(reason)
    assert reasons["declined"] - {None}
    assert bool(reasons["approved"] - {None}) == (whom == "all")
    assert verify_deployed(model(), bank.url, "score", rows=20).passed


@pytest.mark.parametrize("bank", ["postgres"], indirect=True)
def test_a_column_that_is_not_there_is_told(bank: Bank) -> None:
    for text, told in (("SELECT 1 FROM nothing", "a table or view"), ("SELECT nothing", "a column")):
        with pytest.raises(PluginError, match=f"{told} that the statement reads is not there"):
            bank.rows(text)
