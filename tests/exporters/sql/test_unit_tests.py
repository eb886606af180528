"""The second file: a query that is empty where the engine scores as the model does, and tells where it does not."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
import sqlglot
from cards import card, categories, ladder
from drawn import of_every_kind

from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import Model
from scrutable.model.evaluator import OutputFrame, results
from scrutable_sql import unit_tests
from scrutable_sql.dialects import DIALECTS, EMITTED, PROVEN
from scrutable_sql.exporter import SQLExporter

from .conftest import Make, Query
from .models import rules_with_reasons, segments, three_classes, trees, trees_with_reasons, two_classes, whole_card

MODELS: dict[str, Callable[[], Any]] = {
    "scorecard": whole_card,
    "two classes": two_classes,
    "three classes": three_classes,
    "trees": trees,
    "rules with reasons": rules_with_reasons,
    "trees with reasons": trees_with_reasons,
    "segments": segments,
}
NAME = "score_test.sql"


def written(exporter: SQLExporter, model: Model) -> str:
    found = exporter.export(model).files[NAME]
    assert isinstance(found, str)
    return found


#: Spark compiles every statement, and ClickHouse takes long to plan one.
CASES = [
    (d.name, kind)
    for d in PROVEN
    for kind in MODELS
    if d.name not in ("spark", "clickhouse") or kind in ("scorecard", "two classes")
]


@pytest.mark.parametrize(("dialect", "kind"), CASES, indirect=["dialect"])
def test_nothing_differs(query: Query, make_exporter: Make, kind: str) -> None:
    exporter = make_exporter(test_rows=60, form="view", name="scores")
    text = written(exporter, MODELS[kind]())
    assert query(text) == []
    if exporter.dialect not in ("mariadb", "clickhouse"):  # whose rows of literals sqlglot does not know
        assert len(sqlglot.parse(text, dialect=exporter.target.sqlglot)) == 1
    assert text == written(exporter, MODELS[kind]())


@pytest.mark.parametrize(("dialect", "kind"), CASES, indirect=["dialect"])
def test_every_wrong_expectation_is_found(
    query: Query, make_exporter: Make, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """One row in each column, at another place each: numbers the least bit off, probabilities 2e-15, texts by case."""
    model, wrong = MODELS[kind](), set()

    def wrongly(model: Model, rows: Any, names: list[str]) -> Any:
        frame = {key: values.copy() for key, values in results(model, rows, names).items()}
        for place, (key, values) in enumerate(frame.items()):
            wrong.add((place + 1, key))
            if values.dtype == object:
                values[place] = "rules" if values[place] is None else values[place].lower() + " "
            elif key.startswith("probability"):
                values[place] += 2e-15 if values[place] < 0.5 else -2e-15
            elif key.startswith("short_") and np.isnan(values[place]):
                values[place] = 0.0
            else:
                values[place] += 1 if values.dtype.kind == "i" else max(np.spacing(abs(values[place])), 2.0**-30)
        return OutputFrame(frame)

    monkeypatch.setattr(unit_tests, "results", wrongly)
    found = query(written(make_exporter(test_rows=30), model))
    assert {(row[0], row[1]) for row in found} == wrong
    assert all(row[2] != row[3] for row in found if not row[1].startswith("prob"))


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb", "postgres", "mariadb", "mysql"], indirect=True)
def test_nothing_differs_for_any_model(query: Query, make_exporter: Make) -> None:
    hidden, tested = ("rowid", "oid", "_rowid_"), 0
    for model in of_every_kind(3):
        columns = {f.name: f"column {f.name}" for f in model.features if f.name.casefold() in hidden}
        with suppress(UnsupportedModel, InputError):
            text = written(make_exporter(test_rows=15, columns=columns), model)
            assert query(text) == []
            tested += 1
    assert tested > 9


@pytest.mark.parametrize("dialect", sorted(dialect.name for dialect in EMITTED))
def test_it_is_written_for_every_dialect(dialect: str) -> None:
    model = card(ladder("age", 25.0, 40.5), categories("job", "cook"))
    text = written(SQLExporter(dialect=dialect, test_rows=20), model)
    target = DIALECTS[dialect]
    assert sqlglot.parse_one(text, dialect=target.sqlglot) is not None
    assert ("UNION ALL SELECT 2, " in text) == (target.literals == "selects")
    assert (text.count("FROM DUAL") == 20) == (dialect == "oracle")
    infinities = [line for line in text.splitlines() if target.infinity and target.infinity in line]
    assert bool(infinities) == (target.infinity is not None)


def test_rows_are_as_many_as_asked_for_and_the_same_every_time() -> None:
    model = card(ladder("age", 25.0))
    for count in (1, 10, 500):
        text = written(SQLExporter(dialect="sqlite", test_rows=count), model)
        assert text.count("\n      (") == count
        assert f"-- Test of the statement: {count} rows and what must come out.\n" in text
    assert SQLExporter(checks=False).export(model).files.keys() == {"score.sql"}


def test_its_columns_have_names_of_their_own(query: Query, make_exporter: Make) -> None:
    names = ["test_row", "Expected_1", "literals", "n", "in_1", "results", "test_rows", "differences_1"]
    model = card(*(ladder(name, 1.0) for name in names))
    exporter = make_exporter(test_rows=20, booleans=["n"], table="test_rows", ids=["customer"])
    assert query(written(exporter, model)) == []


def test_only_the_results_that_are_asked_for(query: Query, make_exporter: Make) -> None:
    text = written(make_exporter(test_rows=20, reasons=1, points=False), whole_card())
    assert "reason_1" in text
    assert "reason_2" not in text
    assert "points_" not in text.replace("points_…", "").split("differences_1 AS (")[1]
    assert query(text) == []


def test_a_model_that_reads_nothing_has_no_rows_to_test() -> None:
    with pytest.raises(InputError, match="option test_rows: the model reads no feature"):
        SQLExporter(test_rows=5).export(card())
