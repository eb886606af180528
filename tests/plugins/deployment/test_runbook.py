"""The runbook's page, statement by statement and command by command, in PostgreSQL and by the roles that it makes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest
import sqlalchemy

from scrutable import create, dump
from scrutable.data.datasets import make_credit
from scrutable.model.evaluator import results
from scrutable_deployment.database import opened

from .conftest import Bank, own_database

PAGE = Path(__file__).parents[3] / "docs" / "runbook.md"
#: A statement of SQL by its role, or a command and the code that it ends with.
_STEP = re.compile(
    r"```sql\n-- as (\w+)\n(.*?)```"
    r"|^ +psql -v ON_ERROR_STOP=1 \S+//(\w+)@\S+ -f (\S+)$"
    r"|^ +scrutable ([^#\n]*?)(?:  # exits with (\d))?$",
    re.S | re.M,
)
_ROLES = ("deployer", "verifier", "reader")


@dataclass(frozen=True)
class Site:
    """A bank whose roles are found by their names in the page's URLs."""

    bank: Bank

    def url(self, role: str) -> str:
        url = sqlalchemy.make_url(self.bank.url)
        return (url if role == "owner" else url.set(username=role)).render_as_string(False)

    def execute(self, role: str, text: str) -> list[tuple[Any, ...]]:
        """What the last of some statements gives."""
        with psycopg.connect(self.url(role)) as connection:
            cursor = connection.execute(text)
            return cursor.fetchall() if cursor.description else []

    def refuses(self, role: str, text: str) -> bool:
        try:
            self.execute(role, text)
        except psycopg.errors.InsufficientPrivilege:
            return True
        return False


@pytest.fixture
def site(postgres_url: str) -> Any:
    bank = own_database("postgres", postgres_url)
    yield Site(bank)
    owner = Site(bank)
    for role in _ROLES:
        if owner.execute("owner", f"SELECT 1 FROM pg_roles WHERE rolname = '{role}'"):
            owner.execute("owner", f"DROP OWNED BY {role} CASCADE; DROP ROLE {role}")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., Any]) -> Any:
    """The folder in which the page's commands are typed, with the files that they name, and the applicants."""
    monkeypatch.chdir(tmp_path)
    data = make_credit(300, seed=2)
    learner = create("learner", "scorecard", binner="quantile", favourable=0).fit(data.X, data.y)
    model = learner.model_
    dump(model, "model.json")
    dump(replace(model, cutoff=model.cutoff + 10), "next.json")
    Path("models").mkdir()
    dump(model, "models/model.json")
    data.X.to_csv("loans.csv", index=False)
    first = next(each.name for each in model.features if each.kind == "numeric")
    data.X.assign(**{first: data.X[first] * 3}).to_csv("new.csv", index=False)
    decided = data.X.head(20).assign(loan_id=[f"L{i}" for i in range(20)], decided_at="2026-11-01T10:00:00")
    said = results(model, decided, ["score", "approved", "knock_out", *(f"reason_{k}" for k in range(1, 5))])
    decided = decided.assign(**said)
    decided["score"] += np.arange(20) == 3
    decided.to_csv("decided.csv", index=False)
    decided[~decided["approved"].astype(bool)].head(1).to_csv("again.csv", index=False)
    Path("sent.csv").write_text("record,letter\n4,N-17\n")
    Path("gone.txt").write_text("L5\n")
    Path("lender.toml").write_text(run("notices", "--example-lender").stdout)
    return data.X.reset_index(names="id")


def replaced(site: Site) -> None:
    """Somebody changes the version that is read."""
    [(text,)] = site.execute("deployer", "SELECT pg_get_viewdef('risk.score_v1'::regclass)")
    named = "SELECT attname FROM pg_attribute WHERE attrelid = 'risk.score_v1'::regclass AND attnum > 0 ORDER BY attnum"
    names = [name for (name,) in site.execute("deployer", named)]
    columns = ", ".join("score + 1 AS score" if name == "score" else f'"{name}"' for name in names)
    inner = text.strip().rstrip(";")
    site.execute("deployer", f"CREATE OR REPLACE VIEW risk.score_v1 AS SELECT {columns} FROM ({inner}) AS was")


def test_the_runbook_is_what_can_be_typed(site: Site, files: Any, run: Callable[..., Any]) -> None:
    site.execute("owner", "CREATE SCHEMA risk")
    engine = sqlalchemy.create_engine(site.bank.url.replace("postgresql:", "postgresql+psycopg:"))
    kinds: dict[Any, Any] = {name: sqlalchemy.Double() for name in files.select_dtypes("number") if name != "id"}
    files.to_sql("applicants", engine, schema="risk", index=False, dtype=kinds)
    engine.dispose()
    unseen = "UPDATE risk.applicants SET housing = 'houseboat' WHERE id = 0"
    before: dict[str, Callable[[], Any]] = {
        "A difference is reported": lambda: replaced(site),
        "Monitoring raises an alert": lambda: site.execute("owner", unseen),
    }
    commands, unusual = 0, list[tuple[Any, ...]]()
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        before.get(section.partition("\n")[0], lambda: None)()
        for step in _STEP.finditer(section):
            role, statements, reader, file, command, code = step.groups()
            if role:
                site.execute(role, statements)
                continue
            if reader:
                unusual = site.execute(reader, Path(file).read_text())
                continue
            typed = re.sub(r"postgresql://(\w+)@db/risk", lambda named: site.url(named[1]), command)
            done = run(*shlex.split(typed))
            assert done.exit_code == int(code or 0), f"{command}: {done.output}"
            commands += 1
    assert commands > 20
    assert ("unseen category", "housing", 1) in [row[:3] for row in unusual]

    reads = "SELECT * FROM risk."
    assert site.execute("reader", f"{reads}score LIMIT 1")
    assert all(site.refuses("reader", reads + name) for name in ("applicants", "score_v1", "score_versions"))
    changing = (
        "UPDATE risk.applicants SET id = 1",
        "DELETE FROM risk.score_versions",
        "CREATE TABLE risk.t (x INTEGER)",
    )
    assert all(site.refuses("verifier", text) for text in changing)
    assert site.refuses("deployer", changing[0])
    with pytest.raises(psycopg.errors.RaiseException):
        site.execute("deployer", changing[1])
    with opened(site.url("reader")) as database:
        assert database.rows("SELECT MAX(model_version) FROM risk.score", "testing", "all")


def test_who_lacks_a_grant_is_told_which(site: Site, files: Any, run: Callable[..., Any]) -> None:
    site.execute("owner", "CREATE SCHEMA risk; CREATE TABLE risk.applicants (id INTEGER)")
    site.execute("owner", "".join(f"CREATE ROLE {role} LOGIN;" for role in _ROLES))
    deploy = ("deploy", "model.json", "--name", "risk.score", "--table", "risk.applicants", "--key", "id", "--run")
    done = run(*deploy, "--url", site.url("deployer"))
    assert done.exit_code == 2
    assert "lacks a right" in done.output
