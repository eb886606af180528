"""What tests of versions have in common: models, a deployment that runs, and what is there afterwards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scrutable.model import Model
from scrutable_deployment import deploy

from .conftest import Bank
from .planted import model

ALL = ("postgres", "duckdb", "sqlite", "clickhouse", "mariadb")
READ = "SELECT COUNT(DISTINCT model_version), MAX(model_version), SUM(score) FROM score"
COLUMNS = ["id", "score", "decision", "reason_1", "reason_2", "model_version", "model_fingerprint"]


def second() -> Model:
    return replace(model(), base_points=520.0)


def third() -> Model:
    return replace(model(), base_points=480.0)


def done(bank: Bank, whole: Model, **options: Any) -> Any:
    return deploy(whole, "score", url=bank.url, key=["id"], run=True, **options)


def read(bank: Bank) -> dict[int, tuple[Any, ...]]:
    rows = bank.rows(f"SELECT {', '.join(COLUMNS)} FROM score")
    return {row[0]: row[1:] for row in rows}


def actions(bank: Bank) -> list[tuple[Any, ...]]:
    return bank.rows("SELECT version, action, model_fingerprint FROM score_versions ORDER BY entry")
