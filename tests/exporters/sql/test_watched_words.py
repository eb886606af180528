"""Monitoring in SQL: dialects, names, alerts, empty tables, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
import sqlglot

from scrutable import create
from scrutable.errors import InputError, KindError, UnsupportedModel
from scrutable_lifecycle.monitoring import Columns
from scrutable_sql.dialects import DIALECTS

from .conftest import Make, Query
from .watching import (
    ENGINES,
    IN_PROCESS,
    aged,
    columns,
    figures,
    load,
    model_named,
    samples,
    small_card,
    told_of,
    watched,
)

pytestmark = pytest.mark.filterwarnings("ignore::scrutable.fairness.SmallGroupWarning")


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_it_is_written_for_every_dialect(dialect: str) -> None:
    model = model_named("scorecard")
    before, _ = samples(model)
    watching = watched(model, before)
    exporter = create("exporter", "sql", dialect=dialect, utf8_names=True, points=False, monitoring=watching)
    files = exporter.export(model).files
    parser = DIALECTS[dialect].sqlglot
    for text in (str(files["score_monitoring.sql"]), str(files["score_monitoring_alerts.sql"])):
        assert text.isascii()
        assert len(sqlglot.parse(text, read=parser)) == 1
        assert ("not run by the project's tests" in text) == (dialect not in ENGINES)
    assert exporter.export(model).files == files


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"columns": {"weight": "w"}}, "--weight: not in SQL: a statement counts rows"),
        ({"columns": {"date": "d"}}, "--date: not in SQL: .* let it read a view of a period"),
        ({"columns": {"probabilities": {"sex": {"f": "a", "m": "b"}}}}, "counts each row in one group"),
        ({"thresholds": {"significant": True}}, "--significant: not in SQL: .* no p-values"),
        ({"thresholds": {"auc_drop": 0.01}}, "--auc-drop: not in SQL: a statement works out no AUC"),
        ({"thresholds": {"calibration_high": 2}}, "--calibration-high: not in SQL: .* no expected bad rate"),
    ],
)
def test_what_only_monitor_does_is_refused(given: dict[str, Any], words: str) -> None:
    given = {key: Columns(**value) if key == "columns" else value for key, value in given.items()}
    with pytest.raises(InputError, match=words):
        watched(small_card(), aged({20.0: 60}), **given)


def test_a_baseline_of_nearly_nobody_is_refused() -> None:
    with pytest.raises(InputError, match=r"fewer rows than may be told of; got '?4 rows"):
        watched(small_card(), aged({20.0: 4}), columns=None)


def test_groups_that_are_numbers_are_refused() -> None:
    rows = aged({20.0: 60}).assign(**{"the sex": np.arange(60) % 2})
    with pytest.raises(KindError, match="--protected, column 'the sex': groups that are numbers"):
        watched(small_card(), rows)


def test_outcomes_may_have_other_names() -> None:
    """What the table calls good is good, and anything else is bad."""
    model = small_card()
    rows = pd.concat([aged({20.0: 60}), aged({50.0: 30}, sex="m")], ignore_index=True)
    rows["paid"] = ["yes", "no", None] * 30
    exporter = create("exporter", "sql", monitoring=watched(model, rows, columns=columns(favourable="yes")))
    with duckdb.connect() as connection:
        connection.register("applicants", rows)
        told = figures(
            lambda text: connection.execute(text).fetchall(), str(exporter.export(model).files["score_monitoring.sql"])
        )
    assert (told["outcome", "all", "known"].count, told["bad rate", "all", None].count) == (60, 30)


def test_what_is_watched_is_of_the_model_that_is_exported() -> None:
    model, before = small_card(), pd.concat([aged({20.0: 60}), aged({20.0: 60}, sex="m")], ignore_index=True)
    watching = watched(model, before)
    other = replace(model, cutoff=model.cutoff + 1)
    with pytest.raises(InputError, match="what is to be watched is another model's"):
        create("exporter", "sql", monitoring=watching).export(other)
    with pytest.raises(InputError, match="what is called with values has no table to watch"):
        create("exporter", "sql", monitoring=watching, form="function", name="score")
    with pytest.raises(UnsupportedModel, match="SQLite has no expression that stops a statement"):
        create("exporter", "sql", monitoring=watching, dialect="sqlite", raising=True).export(model)


@pytest.mark.parametrize("dialect", ["duckdb", "postgres"], indirect=True)
def test_an_alert_stops_the_statement_with_its_words(query: Query, make_exporter: Make) -> None:
    model, before = small_card(), aged({20.0: 60, 30.0: 40}, sex="f")
    before = pd.concat([before, aged({20.0: 9}, sex="m")], ignore_index=True)
    load(query, make_exporter(), before, model)
    watching = watched(model, before)
    text = str(make_exporter(monitoring=watching, raising=True).export(model).files["score_monitoring_alerts.sql"])
    assert query(text) == []
    query("UPDATE applicants SET age = 50")
    with pytest.raises(Exception, match=r"alert: [pc]si of (score|Age) is "):
        query(text)


@IN_PROCESS
def test_a_table_and_groups_may_be_called_anything(query: Query, make_exporter: Make) -> None:
    """Names and texts of the data are quoted, and no name of the statement's own is taken for the table's."""
    model, before, column = small_card(), aged({20.0: 60, 30.0: 40}, sex="f"), 'a "b"; DROP TABLE c'
    before = pd.concat([before, aged({20.0: 39}, sex="it's -- ' m")], ignore_index=True)
    before = before.rename(columns={"the sex": column})
    watching = watched(model, before, columns=Columns(protected=(column,)))
    for table in ("results", "watched_levels", "watched_counts_1", "watched_group_1_all", "inputs"):
        exporter = make_exporter(table=table, monitoring=watching)
        load(query, exporter, before, model, table)
        told = figures(query, str(exporter.export(model).files["score_monitoring.sql"]))
        assert told["group", column, "it's -- ' m"].count == 39


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite", "postgres"], indirect=True)
def test_an_empty_table_and_rows_that_cannot_be_read(query: Query, make_exporter: Make, dialect: str) -> None:
    model, before = small_card(), aged({20.0: 60, 30.0: 40}, sex="f")
    before = pd.concat([before, aged({20.0: 9}, sex="m")], ignore_index=True)
    told = told_of(query, make_exporter, model, before, before.head(0))
    assert {row.count for row in told.values()} == {0}
    assert {row.value for row in told.values()} == {None}
    assert {key for key, row in told.items() if row.status == "alert"} == {("rows", "all", "scored")}
    assert {row.status for row in told.values()} == {None, "ok", "alert"}
    export = make_exporter(monitoring=watched(model, before)).export(model)
    alerts = figures(query, str(export.files["score_monitoring_alerts.sql"]))
    assert {key: row.count for key, row in alerts.items()} == {("rows", "all", "scored"): 0}
    if dialect == "sqlite":  # where values have kinds of their own
        query("INSERT INTO applicants VALUES ('forty', 'cook', 'f', 'nobody knows')")
        alerts = figures(query, str(export.files["score_monitoring_alerts.sql"]))
        unread = {("rows", "all", "scored"), ("rows", "all", "not scored")}
        assert alerts.keys() == {*unread, ("outcome", "all", "neither good nor bad")}
