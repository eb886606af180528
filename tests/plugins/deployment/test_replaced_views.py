"""Views that somebody replaced, moved or took away are told, refused or made anew."""

from __future__ import annotations

import uuid
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import sqlalchemy

from scrutable import create
from scrutable.errors import InputError
from scrutable_deployment import deploy, roll_back
from scrutable_deployment.catalogues import find_deployed
from scrutable_deployment.database import opened
from scrutable_deployment.deployed_text import query_of

from .conftest import Bank
from .planted import model
from .versions import ALL, actions, done, read, second, third


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
        view = find_deployed(database, "score")
    assert view is not None
    given = ", ".join("NULL AS decision" if each == "decision" else each for each in view.columns)
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
