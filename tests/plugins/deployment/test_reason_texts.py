"""Reasons in words beside the view that others read: of the version that decided, through switch and rollback."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scrutable.errors import InputError, PluginError
from scrutable.model import FrozenMapping, Model, fingerprint
from scrutable.model.evaluator import evaluate
from scrutable_deployment import deploy, roll_back, verify_deployed
from scrutable_deployment.database import TRANSACTIONAL

from .conftest import Bank
from .planted import model

ALL = ("postgres", "duckdb", "sqlite", "clickhouse", "mariadb")


def worded(words: str = "is low", base_points: float = 500.0) -> Model:
    """A model with texts of its own, in two languages."""
    policy = model().reasons
    assert policy is not None
    texts = FrozenMapping({code: f"{code} {words}" for code in policy.order})
    german = FrozenMapping({**{code: f"{code} fehlt, {words}" for code in policy.order}, "K1": "zu jung"})
    reasons = replace(policy, texts=texts, translations=FrozenMapping({"de": german}))
    return replace(model(), base_points=base_points, reasons=reasons)


def done(bank: Bank, whole: Model, **options: Any) -> Any:
    return deploy(whole, "score", url=bank.url, key=["id"], run=True, **options)


def told(bank: Bank) -> list[tuple[Any, ...]]:
    rows = bank.rows("SELECT id, place, code, language, reason FROM score_reasons")
    return sorted((int(row), int(place), *map(str, rest)) for row, place, *rest in rows)


def expected(bank: Bank, whole: Model) -> list[tuple[Any, ...]]:
    """What the view of reasons is to give: a row for each reason of each declined applicant, in each language."""
    rows = bank.rows("SELECT id, age, income, housing FROM applicants")
    ids, *columns = zip(*rows, strict=True)
    frame = evaluate(whole, dict(zip(("age", "income", "housing"), map(list, columns), strict=True))).frame()
    assert whole.reasons is not None
    words = {
        "default": {**whole.policy.reasons, **whole.reasons.texts},
        **{language: dict(texts) for language, texts in whole.reasons.translations.items()},
    }
    return sorted(
        (ids[i], place, code, language, texts[code])
        for i in range(len(ids))
        for place in (1, 2)
        for language, texts in words.items()
        if frame["approved"][i] == 0 and (code := frame[f"reason_{place}"][i]) is not None
    )


@pytest.mark.parametrize("bank", ALL, indirect=True)
@pytest.mark.parametrize("whom", ["declined", "all"])
def test_declines_have_the_words_of_the_version_that_decided(bank: Bank, whom: str) -> None:
    bank.applicants()
    one, other = worded(), worded("lacks", 505.0)
    done(bank, one, options={"reasons_for": whom})
    assert 0 < len(expected(bank, one)) < 40 * 4
    assert told(bank) == expected(bank, one)
    done(bank, other, options={"reasons_for": whom})
    assert told(bank) == expected(bank, other) != expected(bank, one)
    roll_back("score", url=bank.url, run=True)
    assert told(bank) == expected(bank, one)
    assert done(bank, one, options={"reasons_for": whom}).steps == ()


@pytest.mark.parametrize("bank", ["duckdb", "clickhouse"], indirect=True)
def test_texts_that_somebody_changed_are_not_switched_to(bank: Bank) -> None:
    bank.applicants()
    done(bank, worded())
    done(bank, worded("lacks", 505.0))
    delete = "ALTER TABLE score_texts DELETE" if bank.dialect == "clickhouse" else "DELETE FROM score_texts"
    wait = " SETTINGS mutations_sync = 2" if bank.dialect == "clickhouse" else ""
    bank.execute(f"{delete} WHERE reason = 'R age is low'{wait}")
    for going in (lambda: roll_back("score", url=bank.url, run=True), lambda: done(bank, worded())):
        with pytest.raises(InputError, match="the texts of reasons of version 1 are not as they were written"):
            going()
    assert told(bank) == expected(bank, worded("lacks", 505.0))
    bank.execute(f"{delete} WHERE model_fingerprint = '{fingerprint(worded())}'{wait}")
    with pytest.raises(InputError, match="got 'no row'"):
        roll_back("score", url=bank.url, run=True)


def test_texts_that_are_gone_are_written_anew(bank_of_sqlite: Bank) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    done(bank, worded())
    bank.execute("DROP TABLE score_texts")
    done(bank, worded())
    assert told(bank) == expected(bank, worded())
    assert done(bank, worded()).steps == ()


@pytest.mark.parametrize("bank", ["postgres", "sqlite", "mariadb"], indirect=True)
def test_rows_of_texts_stay(bank: Bank) -> None:
    bank.applicants()
    done(bank, worded())
    before = told(bank)
    for text in ("UPDATE score_texts SET reason = 'none'", "DELETE FROM score_texts"):
        with pytest.raises(PluginError):
            bank.execute(text)
    assert told(bank) == before


@pytest.mark.parametrize("bank", ALL, indirect=True)
def test_a_view_of_reasons_that_is_gone_or_replaced_is_made_anew(bank: Bank) -> None:
    bank.applicants()
    done(bank, worded())
    bank.execute("DROP VIEW score_reasons")
    done(bank, worded())
    assert told(bank) == expected(bank, worded())
    bank.execute(
        "DROP VIEW score_reasons",
        "CREATE VIEW score_reasons AS SELECT s.id, 1 AS place, t.code, t.language, t.reason"
        " FROM score AS s CROSS JOIN score_texts AS t",
    )
    if bank.dialect in TRANSACTIONAL:  # elsewhere a run that was stopped may have left it
        with pytest.raises(InputError, match=r"score_reasons is not as it was left.*--anew"):
            done(bank, worded())
    done(bank, worded(), anew=True)
    assert told(bank) == expected(bank, worded())
    assert done(bank, worded()).steps == ()


def test_what_else_has_their_names_is_refused(bank_of_sqlite: Bank) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    for name, kind in (("texts", "table of texts"), ("reasons", "view of reasons")):
        bank.execute(f"CREATE TABLE score_{name} (taken INTEGER)")
        with pytest.raises(InputError, match=f"something else has the name of the {kind}"):
            done(bank, worded())
        bank.execute(f"DROP TABLE score_{name}")
    done(bank, worded())


def test_a_model_without_reasons_has_no_texts(bank_of_sqlite: Bank) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    done(bank, replace(model(), reasons=None))
    assert bank.rows("SELECT name FROM sqlite_master WHERE name IN ('score_texts', 'score_reasons')") == []
    assert done(bank, replace(model(), reasons=None)).steps == ()


def test_a_dry_run_prints_texts_and_view(bank_of_sqlite: Bank) -> None:
    script = deploy(worded(), "score", dialect="sqlite", key=["id"]).text
    for text in ('CREATE TABLE IF NOT EXISTS "score_texts"', 'CREATE VIEW "score_reasons"', "'R age is low'"):
        assert text in script


@pytest.mark.parametrize("bank", ALL, indirect=True)
@pytest.mark.parametrize("whom", ["declined", "all"])
def test_verification_compares_reasons_in_words(bank: Bank, whom: str) -> None:
    bank.applicants()
    done(bank, worded(), options={"reasons_for": whom})
    certificate = verify_deployed(worded(), bank.url, "score", rows=20)
    assert certificate.passed, certificate.runs[-1].columns
    assert certificate.runs[-1].subject == "view score_reasons, its rows"
    assert certificate.runs[-1].n_rows == 40


#: What may be changed, by what is named; with the text of the view of reasons where that is replaced.
CHANGED = {
    "another text": ("UPDATE score_texts SET reason = 'none' WHERE code = 'R age'", "reason_1, default, words"),
    "a text more": (
        "INSERT INTO score_texts SELECT model_fingerprint, 'fr', code, reason FROM score_texts WHERE code = 'R age'",
        "texts",
    ),
    "rows twice": ("INSERT INTO score_texts SELECT * FROM score_texts", "reason_rows"),
    "another row's": (
        "CREATE OR REPLACE VIEW score_reasons AS SELECT s.id, r.place, r.code, r.language, r.reason"
        " FROM score AS s JOIN kept AS r ON r.id = (s.id + 1) % 40",
        "reason_1, default, code",
    ),
    "nobody's": (
        "CREATE OR REPLACE VIEW score_reasons AS SELECT * FROM kept"
        " UNION ALL SELECT 1000, 1, 'R age', 'default', 'R age is low'",
        "rows of reasons",
    ),
}


@pytest.mark.parametrize("bank", ["duckdb"], indirect=True)
@pytest.mark.parametrize("what", CHANGED)
def test_verification_names_reasons_in_words_that_differ(bank: Bank, what: str) -> None:
    bank.applicants()
    done(bank, worded())
    bank.execute("CREATE TABLE kept AS SELECT * FROM score_reasons", CHANGED[what][0])
    certificate = verify_deployed(worded(), bank.url, "score", rows=20)
    assert not certificate.passed
    assert [run.passed for run in certificate.runs] == [True, True, False]
    differing = {check.name: check for check in certificate.runs[-1].columns if check.differing}
    assert CHANGED[what][1] in differing
    assert not any(check.first for check in differing.values())
