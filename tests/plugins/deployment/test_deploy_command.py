"""`scrutable deploy`: what it prints, runs and asks for."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from scrutable.errors import InputError
from scrutable.model import dump
from scrutable.proof import Approval, approve, sha256
from scrutable_deployment import deploy
from scrutable_deployment.database import Database

from .conftest import Bank
from .planted import model
from .versions import done, second


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
