"""The dialect `libsql`: what is written for it runs in a SQLite, and gives what the model gives."""

from __future__ import annotations

import sqlite3

from scrutable import create, evaluate
from scrutable.testing import card

from scrutable_house_rules import scrutable_dialects
from scrutable_house_rules.libsql import LIBSQL


def test_its_texts_give_the_scores_of_the_model() -> None:
    model = card()
    columns = {
        feature.name: [None, "a"] if feature.kind == "categorical" else [None, 25.0] for feature in model.features
    }
    export = create("exporter", "sql", dialect="libsql").export(model)
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE TABLE applicants ({', '.join(columns)})")
    marks = ", ".join("?" * len(columns))
    database.executemany(f"INSERT INTO applicants VALUES ({marks})", list(zip(*columns.values(), strict=True)))
    cursor = database.execute(export.text)
    place = [each[0] for each in cursor.description].index("score")
    assert [row[place] for row in cursor] == evaluate(model, columns).score.tolist()


def test_the_descriptor_names_the_declaration() -> None:
    [component] = scrutable_dialects()
    assert component.load() is LIBSQL
    assert LIBSQL.name == component.name
