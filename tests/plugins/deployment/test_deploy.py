"""Versions behind a view: made once, switched to at once, shadowed, and back; the registry only grows."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
import uuid
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import sqlalchemy

from scrutable import create
from scrutable.errors import InputError, PluginError, UnsupportedModel
from scrutable.model import Model, dump, fingerprint
from scrutable.model.evaluator import evaluate
from scrutable.proof import Approval, approve, sha256
from scrutable_deployment import deploy, roll_back, swap_report, verify_deployed
from scrutable_deployment.catalogues import find_deployed
from scrutable_deployment.database import Database, opened
from scrutable_deployment.deployed_text import query_of

from .conftest import Bank
from .planted import model

ALL = ("postgres", "duckdb", "sqlite", "clickhouse", "mariadb")
READ = "SELECT COUNT(DISTINCT model_version), MAX(model_version), SUM(score) FROM score"
COLUMNS = ["id", "score", "decision", "reason_1", "reason_2", "model_version", "model_fingerprint"]


def second() -> Model:
    return replace(model(), base_points=520.0)


def done(bank: Bank, whole: Model, **options: Any) -> Any:
    return deploy(whole, "score", url=bank.url, key=["id"], run=True, **options)


def read(bank: Bank) -> dict[int, tuple[Any, ...]]:
    rows = bank.rows(f"SELECT {', '.join(COLUMNS)} FROM score")
    return {row[0]: row[1:] for row in rows}


def actions(bank: Bank) -> list[tuple[Any, ...]]:
    return bank.rows("SELECT version, action, model_fingerprint FROM score_versions ORDER BY entry")


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


def test_a_database_that_is_locked_is_told(bank_of_sqlite: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *given, **options: connect(*given, **{**options, "timeout": 0}))
    with connect(bank.url.removeprefix("sqlite:///")) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(PluginError, match=r"beginning a transaction: others hold .*try again"):
            done(bank, model())


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


def test_the_command_runs_when_told_so(run: Callable[..., Any], bank_of_sqlite: Bank, tmp_path: Any) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    dump(model(), tmp_path / "model.json")
    dump(second(), tmp_path / "next.json")
    asked = ("--url", bank.url, "--name", "score", "--key", "id")
    dry = run("deploy", tmp_path / "model.json", *asked)
    assert (dry.exit_code, "CREATE VIEW" in dry.stdout, "nothing was changed" in dry.stderr) == (0, True, True), (
        dry.output
    )
    assert run("deploy", tmp_path / "model.json", *asked, "--run").exit_code == 0
    assert run("deploy", tmp_path / "next.json", *asked, "--shadow", "--run").exit_code == 0
    swap = run("deploy", *asked[:4], "--swap")
    assert "PSI of the score" in swap.stdout, swap.output
    assert run("deploy", tmp_path / "next.json", *asked, "--run").exit_code == 0
    back = run("deploy", *asked[:4], "--rollback", "--run", "--json")
    assert json.loads(back.stdout)["version"] == 1
    for wrong in ([], ["--rollback", tmp_path / "model.json"], ["--swap", "--run"]):
        assert run("deploy", *wrong, *asked).exit_code == 2


def test_the_state_that_a_setting_requires_is_asked_for(
    run: Callable[..., Any], bank_of_sqlite: Bank, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    (tmp_path / "settings.toml").write_text('requires_state = "approved"')
    monkeypatch.setenv("SCRUTABLE_SETTINGS", str(tmp_path / "settings.toml"))
    path = tmp_path / "model.json"
    dump(model(), path)
    asked = ("deploy", path, "--url", bank.url, "--name", "score", "--key", "id")
    dry = run(*asked, "--json")
    assert (dry.exit_code, "--run would be refused" in dry.stderr) == (0, True), dry.output
    assert [step["text"] for step in json.loads(dry.stdout)["steps"]]
    refused = run(*asked, "--run")
    assert (refused.exit_code, "nobody signed the model off" in refused.stderr) == (2, True), refused.output
    assert bank.rows("SELECT name FROM sqlite_master WHERE name LIKE 'score%'") == []
    digest = sha256(str(deploy(model(), "score", url=bank.url, key=["id"]).statement))
    for state, by, text in (("validated", "A", None), ("approved", "B", "0" * 64), ("approved", "B", digest)):
        approve(path, Approval(state=state, role="r", by=by, date="2026-01-01", deployed_sha256=text))
        assert run(*asked, "--run").exit_code == (0 if text == digest else 2)


def test_what_is_not_allowed_does_not_run(bank_of_sqlite: Bank) -> None:
    bank_of_sqlite.applicants()
    told = []

    def refuse(statement: str | None) -> None:
        told.append(statement)
        raise InputError("not this one")

    with pytest.raises(InputError, match="not this one"):
        done(bank_of_sqlite, model(), allow=refuse)
    assert bank_of_sqlite.rows("SELECT name FROM sqlite_master WHERE name LIKE 'score%'") == []
    assert told == [deploy(model(), "score", url=bank_of_sqlite.url, key=["id"]).statement]


def test_the_command_checks_the_table_once(
    run: Callable[..., Any], bank_of_sqlite: Bank, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank_of_sqlite.applicants()
    dump(model(), tmp_path / "model.json")
    told: list[str] = []
    rows = Database.rows

    def noted(self: Database, text: str, doing: str, right: str) -> Any:
        told.append(doing)
        return rows(self, text, doing, right)

    monkeypatch.setattr(Database, "rows", noted)
    asked = ("--url", bank_of_sqlite.url, "--name", "score", "--key", "id", "--run")
    assert run("deploy", tmp_path / "model.json", *asked).exit_code == 0
    checks = [doing for doing in told if doing.startswith("checking")]
    assert len(checks) == len(set(checks)) == 2


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


def third() -> Model:
    return replace(model(), base_points=480.0)


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


def replaced_version(bank: Bank, number: int) -> None:
    """A version's view with another score, under the same name and with the same columns."""
    text = create("exporter", "sql", dialect=bank.dialect, form="view", name=f"score_v{number}", ids=["id"])
    made = text.export(replace(model(), base_points=777.0)).text
    if bank.dialect == "sqlite":
        bank.execute(f"DROP VIEW score_v{number}", made)
    else:
        bank.execute(made.replace("CREATE VIEW", "CREATE OR REPLACE VIEW"))


@pytest.mark.parametrize("bank", ALL, indirect=True)
def test_a_version_that_somebody_replaced_is_not_switched_to(bank: Bank) -> None:
    bank.applicants()
    done(bank, model(), options={"reasons_for": "all"})
    done(bank, second())
    replaced_version(bank, 1)
    for going in (roll_back, partial(deploy, model(), key=["id"], options={"reasons_for": "all"})):
        with pytest.raises(InputError, match=r"version 1 is not as it was made.*--anew"):
            going("score", url=bank.url, run=True)
    assert {row[-2] for row in read(bank).values()} == {2}
    assert done(bank, model(), options={"reasons_for": "all"}, anew=True).version == 3
    assert done(bank, model(), options={"reasons_for": "all"}).steps == ()
    replaced_version(bank, 3)
    with pytest.raises(InputError, match="version 3 is not as it was made"):
        done(bank, model(), options={"reasons_for": "all"})


def of_views(told: Any) -> list[str]:
    """What warnings say of views, up to the colon."""
    return [words.partition(":")[0] for words in told.warnings if words.startswith("score")]


def replaced_view(bank: Bank) -> None:
    """What others read with another score, under the same name and with the same columns."""
    with opened(bank.url) as database:
        deployed = find_deployed(database, "score")
    assert deployed is not None
    query = query_of(str(deployed.text), bank.dialect)
    columns = ", ".join("score + 1 AS score" if each == "score" else each for each in deployed.columns)
    made = f"VIEW score AS SELECT {columns} FROM ({query}) AS was"
    if bank.dialect == "sqlite":
        bank.execute("DROP VIEW score", f"CREATE {made}")
    else:
        bank.execute(f"CREATE OR REPLACE {made}")


@pytest.mark.parametrize("bank", ["postgres", "duckdb", "sqlite"], indirect=True)
def test_a_view_of_the_name_that_somebody_replaced_is_refused_and_made_anew(bank: Bank) -> None:
    bank.applicants()
    done(bank, model())
    before = {number: row[:-2] for number, row in read(bank).items()}
    replaced_view(bank)
    assert done(bank, third(), shadow=True).version == 2, "which changes nothing that others read"
    entries = actions(bank)
    for whole in (model(), second(), third()):
        with pytest.raises(InputError, match=r"score is not as it was left: somebody replaced it.*--anew"):
            done(bank, whole)
    assert actions(bank) == entries
    mended = done(bank, model(), anew=True)
    assert of_views(mended) == ["score is not as it was left"]
    assert {number: row[:-2] for number, row in read(bank).items()} == before
    assert [(version, action) for version, action, _ in actions(bank)][4:] == [
        (3, "make"),
        (1, "replaced"),
        (3, "switch"),
    ]
    assert done(bank, model()).steps == ()
    replaced_view(bank)
    back = roll_back("score", url=bank.url, run=True)
    assert (back.version, of_views(back)) == (1, ["score is not as it was left"]), "the way back is open, and told"
    assert {number: row[:-2] for number, row in read(bank).items()} == before
    [(digests,)] = bank.rows("SELECT COUNT(DISTINCT held_sha256) FROM score_versions WHERE action = 'replaced'")
    assert digests == 2


@pytest.mark.parametrize("bank", ["clickhouse", "mariadb"], indirect=True)
def test_a_replaced_view_is_told_where_a_stopped_run_may_leave_one(bank: Bank) -> None:
    bank.applicants()
    done(bank, model())
    with opened(bank.url) as database:
        columns = list(find_deployed(database, "score").columns)  # type: ignore[union-attr]
    given = ", ".join("NULL AS decision" if each == "decision" else each for each in columns)
    bank.execute(
        f"CREATE OR REPLACE VIEW score AS SELECT {given} FROM (SELECT id, score, NULL AS knock_out, NULL AS override,"
        f" NULL AS grade, NULL AS reason_1, NULL AS reason_2, 1 AS model_version, 'a' AS model_fingerprint"
        " FROM score_v1) AS was"
    )
    assert of_views(done(bank, second())) == ["score is not as it was left"]
    assert "replaced" in [action for _, action, _ in actions(bank)]


@pytest.mark.parametrize("bank", ["postgres"], indirect=True)
def test_a_view_that_is_gone_is_told_to_have_lost_its_grants(bank: Bank) -> None:
    bank.applicants()
    assert of_views(done(bank, model())) == []
    bank.execute("DROP VIEW score CASCADE")
    again = done(bank, model())
    lost = " was gone, and is made anew; grants on it went with it"
    assert of_views(again) == [f"score{lost}", f"score_reasons{lost}"]


@pytest.mark.parametrize("bank", ["postgres"], indirect=True)
def test_another_role_than_the_owner_is_refused_before_anything_is_made(bank: Bank) -> None:
    bank.applicants()
    owner, other = (f"{each}_{uuid.uuid4().hex}" for each in ("owner", "other"))
    for role in (owner, other):
        bank.execute(f"CREATE ROLE {role} LOGIN", f"GRANT ALL ON SCHEMA public TO {role}")
        bank.execute(f"GRANT SELECT ON applicants TO {role}")
    url = sqlalchemy.make_url(bank.url)
    as_owner, as_other = (replace(bank, url=url.set(username=role).render_as_string(False)) for role in (owner, other))
    try:
        done(as_owner, model())
        before = actions(bank)
        for role in (bank, as_other):  # a superuser may do all of it, and its version would not be read
            with pytest.raises(InputError, match=f"view score, owner: .*present role.*allowed.*{owner}"):
                done(role, second())
        assert bank.rows("SELECT to_regclass('score_v2')") == [(None,)]
        assert actions(bank) == before
        bank.execute("DROP VIEW score CASCADE")
        with pytest.raises(InputError, match=f"view score_v1, owner: .*{owner}"):
            done(bank, model())
        acting = url.update_query_dict({"options": f"-crole={owner}"}).render_as_string(False)
        done(replace(bank, url=acting), model())
        assert read(as_owner)
    finally:
        bank.execute(*(f"DROP OWNED BY {role} CASCADE" for role in (owner, other)), f"DROP ROLE {owner}, {other}")


@pytest.mark.parametrize("bank", ["postgres"], indirect=True)
def test_the_digest_of_a_version_does_not_depend_on_the_search_path(bank: Bank) -> None:
    bank.execute("CREATE SCHEMA risk")
    bank.applicants("risk.applicants")
    name = ("risk", "score")
    deploy(model(), name, url=bank.url, table=("risk", "applicants"), key=["id"], run=True)
    url = f"{bank.url}{'&' if '?' in bank.url else '?'}options=-csearch_path%3Drisk"
    assert deploy(model(), name, url=url, table=("risk", "applicants"), key=["id"], run=True).steps == ()


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


@pytest.mark.parametrize("bank", ["postgres"], indirect=True)
def test_a_column_that_is_not_there_is_told(bank: Bank) -> None:
    for text, told in (("SELECT 1 FROM nothing", "a table or view"), ("SELECT nothing", "a column")):
        with pytest.raises(PluginError, match=f"{told} that the statement reads is not there"):
            bank.rows(text)
