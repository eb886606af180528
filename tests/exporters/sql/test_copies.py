"""DuckDB copies no expression again and again, however results are put in order, limited or filtered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from scrutable_sql.exporter import SQLExporter

from .models import rules_with_reasons, segments, trees_with_reasons, whole_card
from .test_packing import drawn_card

N_ROWS = 5000
ASKED = (
    "ORDER BY score DESC, id LIMIT 5",
    "ORDER BY reason_2, short_2, id LIMIT 5",
    "LIMIT 5 OFFSET 1000",
    "WHERE id = 77",
    "WHERE score > 0 AND reason_2 IS NOT NULL ORDER BY short_2, id LIMIT 5",
)
MODELS = {
    "trees": trees_with_reasons(),
    "rules": rules_with_reasons(),
    "shared codes": whole_card(),
    "fine points": drawn_card(6, 1 + 2.0**-30, n=5),
    "packed": drawn_card(0, n=5),
    "segments": segments(),
}


@pytest.fixture
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"memory_limit": "1GB", "threads": 1}) as connection:
        yield connection


def loaded(database: duckdb.DuckDBPyConnection, model: Any, **options: Any) -> None:
    """A table of applicants, and the view of their scores."""
    values = {"numeric": "CAST((i * {0} + {0}) % 60 AS DOUBLE)", "categorical": "(['cook', 'own ', ''])[1 + i % 3]"}
    columns = [
        f'{values[feature.kind].format(place)} AS "{feature.name}"' for place, feature in enumerate(model.features, 7)
    ]
    database.execute(f"CREATE TABLE applicants AS SELECT i AS id, {', '.join(columns)} FROM range({N_ROWS}) AS r(i)")
    database.execute(SQLExporter(ids=["id"], form="view", name="scores", **options).export(model).text)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("points", [True, False])
def test_plans_are_no_longer_than_that_of_all_rows(
    database: duckdb.DuckDBPyConnection, name: str, points: bool
) -> None:
    loaded(database, MODELS[name], points=points)

    def planned(asked: str) -> str:
        return str(database.execute(f"EXPLAIN (FORMAT json) SELECT * FROM scores {asked}").fetchall()[0][1])

    whole = planned("")
    for asked in ASKED:
        plan = planned(asked)
        assert len(plan) < 2 * len(whole), asked
        assert plan.count("applicants") == whole.count("applicants"), "the table is read once"
        database.execute(f"SELECT * FROM scores {asked}")


@pytest.mark.parametrize("name", MODELS)
def test_rows_are_those_of_the_whole_view(database: duckdb.DuckDBPyConnection, name: str) -> None:
    loaded(database, MODELS[name], points=False)
    every = database.execute("SELECT id, score, reason_1 FROM scores").fetchall()
    assert [row[0] for row in every] == list(range(N_ROWS))
    best = sorted(every, key=lambda row: (-row[1], row[0]))[:5]
    asked = "SELECT id, score, reason_1 FROM scores"
    assert database.execute(f"{asked} ORDER BY score DESC, id LIMIT 5").fetchall() == best
    assert database.execute(f"{asked} LIMIT 5 OFFSET 1000").fetchall() == every[1000:1005]
