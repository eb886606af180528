"""Texts of reasons as a table, and what was declined with its texts as a view."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sqlglot
from cards import card, categories, knocking_out, ladder, reason_policy

from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import FrozenMapping, fingerprint
from scrutable.model.evaluator import evaluate
from scrutable_sql.dialects import DIALECTS, EMITTED
from scrutable_sql.exporter import SQLExporter

from .conftest import QUICK, Make, Query

ENGINES = pytest.mark.parametrize("dialect", QUICK, indirect=True)
TABLE = {
    "duckdb": "(id BIGINT, age DOUBLE, job VARCHAR)",
    "sqlite": "(id INTEGER, age REAL, job TEXT)",
    "postgres": "(id BIGINT, age FLOAT8, job TEXT)",
    "mariadb": "(id BIGINT, age DOUBLE, job VARCHAR(9))",
    "mysql": "(id BIGINT, age DOUBLE, job VARCHAR(9))",
    "clickhouse": "(id Int64, age Nullable(Float64), job Nullable(String))",
}
ROWS: dict[str, list[Any]] = {
    "age": [17.0, 20.0, None, 50.0, 30.0],
    "job": ["cook", "it's", "cook", "it's", None],
}


def model(text: str = "It's how long you worked; really") -> Any:
    plain = card(
        ladder("age", 25.0, 40.5), categories("job", "cook", "it's"), policy=knocking_out("age", 18, reason="A minor")
    )
    policy = reason_policy(plain, k=2)
    texts = FrozenMapping({code: f"{text} {code}" for code in policy.order})
    german = {
        **{code: f"Wie lange {code}" for code in policy.order},
        **dict.fromkeys(plain.policy.reasons, "Minderjährig"),
    }
    return replace(
        plain, reasons=replace(policy, texts=texts, translations=FrozenMapping({"de": FrozenMapping(german)}))
    )


def made(make_exporter: Make, card: Any, **options: Any) -> dict[str, str]:
    exporter = make_exporter(form="view", name="scores", key="id", texts="reason_texts", **options)
    return {name: str(text) for name, text in exporter.export(card).files.items()}


@ENGINES
@pytest.mark.parametrize("reasons_for", ["all", "declined"])
def test_reasons_of_declined_rows_have_their_texts(
    query: Query, dialect: str, make_exporter: Make, reasons_for: str
) -> None:
    whole = model()
    query(f"CREATE TABLE applicants {TABLE[dialect]}")
    for i, (age, job) in enumerate(zip(ROWS["age"], ROWS["job"], strict=True)):
        text = "NULL" if job is None else "'" + job.replace("'", "''") + "'"
        query(f"INSERT INTO applicants VALUES ({i}, {'NULL' if age is None else age}, {text})")
    files = made(make_exporter, whole, reasons_for=reasons_for)
    for name in ("score.sql", "score_texts.sql", "score_texts_rows.sql", "score_reasons.sql"):
        query(files[name])
    query(files["score_texts.sql"])
    query(files["score_texts_rows.sql"])  # nothing is added twice
    frame: Any = evaluate(whole, ROWS).frame()
    wanted = []
    for row in range(5):
        codes = [frame[f"reason_{i}"][row] for i in (1, 2)] if not frame["approved"][row] else []
        for place, code in enumerate(codes, 1):
            for language in ("default", "de") if code is not None else ():
                default = {**whole.policy.reasons, **whole.reasons.texts}
                words = default[code] if language == "default" else whole.reasons.translations["de"][code]
                wanted.append((row, place, code, language, words))
    assert 0 < len({row[0] for row in wanted}) < 5
    assert sorted(query("SELECT * FROM scores_reasons")) == sorted(wanted)


@ENGINES
def test_each_model_has_texts_of_its_own(query: Query, dialect: str, make_exporter: Make) -> None:
    one, other = model(), model("Another text")
    for each in (one, other, one):
        files = made(make_exporter, each)
        query(files["score_texts.sql"])
        query(files["score_texts_rows.sql"])
    rows = query("SELECT * FROM reason_texts")
    assert {row[0] for row in rows} == {fingerprint(one), fingerprint(other)}
    assert len(rows) == len({tuple(row[:3]) for row in rows}) == 12


@ENGINES
def test_rows_of_several_models_have_the_texts_of_their_own(query: Query, dialect: str, make_exporter: Make) -> None:
    query(f"CREATE TABLE applicants {TABLE[dialect]}")
    query("INSERT INTO applicants VALUES (1, 17, 'cook')")
    for i, each in enumerate((model(), model("Another text"))):
        form = {"form": "insert", "ids": ["id"]} if i else {"form": "table", "ids": ["id"]}
        exporter = make_exporter(name="scores", texts="reason_texts", fingerprint=True, **form)
        files = {name: str(text) for name, text in exporter.export(each).files.items()}
        for name in ("score.sql", "score_texts.sql", "score_texts_rows.sql"):
            query(files[name])
    query(files["score_reasons.sql"])
    told = query("SELECT reason FROM scores_reasons WHERE place = 2 AND language = 'default'")
    assert sorted(str(text)[:4] for [text] in told) == ["Anot", "It's"]


@pytest.mark.parametrize("dialect", sorted(dialect.name for dialect in EMITTED))
def test_they_are_written_for_every_dialect(dialect: str) -> None:
    exporter = SQLExporter(dialect=dialect, form="view", name="scores", key="id", texts=("risk", "texts"))
    files = exporter.export(model()).files
    for name in ("score_texts.sql", "score_texts_rows.sql", "score_reasons.sql"):
        assert sqlglot.parse_one(str(files[name]), dialect=DIALECTS[dialect].sqlglot) is not None


def test_what_has_no_texts_is_refused() -> None:
    with pytest.raises(InputError, match="texts are joined to a view or a table"):
        SQLExporter(texts="reason_texts")
    with pytest.raises(UnsupportedModel, match="no reasons are returned"):
        SQLExporter(form="view", name="scores", texts="reason_texts").export(card(ladder("age", 1.0)))
    with pytest.raises(UnsupportedModel, match="no reasons are returned"):
        SQLExporter(form="view", name="scores", texts="reason_texts", reasons=0).export(model())
