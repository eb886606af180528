"""What tests of monitoring in SQL have in common: statements, the tables that they read, and what they tell."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from cards import card, categories, ladder

from scrutable.model import DecisionModel, Model
from scrutable.plugins.bases import Watch
from scrutable.proof import edge_rows
from scrutable.testing.contract.examples.models import models_named
from scrutable.testing.contract.examples.random_models import drawn_models, extended_models
from scrutable_lifecycle.monitoring import Columns, monitor, watch
from scrutable_sql.exporter import SQLExporter

from .conftest import Make, Query
from .models import whole_card

ENGINES = ("duckdb", "sqlite", "postgres", "mariadb", "mysql", "clickhouse")


def decides(model: Model) -> bool:
    """Whether it decides between two classes."""
    return isinstance(model, get_args(DecisionModel)) and model.outcome.binary


#: Models whose parts nobody chose.
RANDOM = {name: model for name, model in {**drawn_models(), **extended_models()}.items() if decides(model)}
MODELS = ("scorecard", "stumps", "tree-ensemble", "rule-set", "segmented-model", "whole")
Key = tuple[str, str, str | None]


@dataclass(frozen=True)
class Told:
    """A row of what comes back."""

    count: int
    expected: int | None
    share: float | None
    expected_share: float | None
    value: float | None
    warn: float | None
    alert: float | None
    status: str | None


def model_named(name: str) -> Any:
    return whole_card() if name == "whole" else models_named()[name]


def samples(model: Model, size: int = 300) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A baseline, and rows that drifted: other edge rows, one of them often, with groups and outcomes."""
    before = edge_rows(model, n_random=3 * size, seed=0)
    before = before.sample(size, random_state=0).reset_index(drop=True)
    now = edge_rows(model, n_random=3 * size, seed=1).sample(size - 50, random_state=1)
    now = pd.concat([now, now.head(1).loc[np.repeat(now.index[0], 50)]], ignore_index=True)
    return beside(before, model, 2), beside(now, model, 3)


def beside(rows: pd.DataFrame, model: Any, seed: int) -> pd.DataFrame:
    """Rows with a group that few have, some that are not known, and outcomes."""
    generator = np.random.default_rng(seed)
    sexes = np.array(["f", "m", "it's", None], dtype=object)
    groups = sexes[generator.choice(4, len(rows), p=[0.4, 0.45, 0.1, 0.05])]
    good, bad = (
        model.outcome.favourable,
        next(each for each in model.outcome.classes if each != model.outcome.favourable),
    )
    outcomes = np.array([str(good), str(bad), None], dtype=object)[generator.choice(3, len(rows), p=[0.6, 0.2, 0.2])]
    return rows.assign(**{"the sex": groups, "paid": outcomes})


def columns(**given: Any) -> Columns:
    return Columns(protected=("the sex",), target="paid", **{"reference": {"the sex": "f"}, **given})


def watched(model: Any, baseline: Any, **given: Any) -> Watch:
    return watch(model, baseline, **{"columns": columns(), **given})


def monitored(model: Any, before: Any, now: Any, **given: Any) -> Any:
    return monitor(model, before, now, **{"columns": columns(), "n_boot": 20, **given})


def load(query: Query, exporter: SQLExporter, rows: pd.DataFrame, model: Model, table: str = "applicants") -> None:
    """A table of rows."""
    numeric = {each.name for each in model.features if each.kind == "numeric"}
    kinds = {name: exporter.target.stored("numeric" if name in numeric else "categorical") for name in rows}
    made = ", ".join(f"{exporter.quoted(str(name))} {kind}" for name, kind in kinds.items())
    query(f"CREATE TABLE {table} ({made})")
    values = rows.astype(object).where(rows.notna(), None).to_numpy().tolist()
    for start in range(0, len(values), 100):
        told = (f"({', '.join(map(exporter.literal, row))})" for row in values[start : start + 100])
        query(f"INSERT INTO {table} VALUES {', '.join(told)}")


def figures(query: Query, text: str) -> dict[Key, Told]:
    """By measure, subject and level, and where labels are alike by which of them it is."""
    told: dict[Key, Told] = {}
    for measure, subject, level, *row in query(text):
        name, again = level, 1
        while (measure, subject, name) in told:
            again += 1
            name = f"{level} ({again})"
        told[measure, subject, name] = Told(*row)
    return told


def assert_close(value: float | None, wanted: float) -> None:
    """Undefined figures are NULL, others equal to rounding."""
    assert (math.nan if value is None else value) == pytest.approx(wanted, rel=1e-12, abs=0.0, nan_ok=True)


def assert_groups(told: Mapping[Key, Told], monitoring: Any) -> None:
    for group in monitoring.new.groups:
        of = {key[0]: row for key, row in told.items() if key[1:] == (group.attribute, group.group)}
        assert of["group"].count == group.size
        assert of["approval rate"].share == group.approval_rate
        assert_close(of["adverse impact ratio"].value, group.impact_ratio)
        assert_close(of["bad rate among approved"].share, group.bad_rate_among_approved)
        if group.calibrated is not None:
            assert_close(of["bad rate"].share, group.calibrated.observed)
    assert {key[2] for key in told if key[0] == "group"} == {group.group for group in monitoring.new.groups}


def assert_statuses(told: Mapping[Key, Told], monitoring: Any) -> None:
    """Whatever `monitor` judges is judged alike, and nothing else is."""
    measures = {"four-fifths-ratio": "four-fifths ratio", "adverse-impact-ratio": "adverse impact ratio"}
    checks = {}
    for check in monitoring.checks:
        measure, subject, level = measures.get(check.figure, check.figure), check.subject, None
        if measure in measures.values():
            subject, _, pair = check.subject.partition(":")
            level = pair.partition(" / ")[0].strip() if measure == "adverse impact ratio" else None
        if measure not in ("auc-drop", "calibration") and subject != "probability":
            checks[measure, subject, level] = check.status
    judged = {
        key: row.status for key, row in told.items() if row.status is not None and key[0] not in ("rows", "outcome")
    }
    assert judged == checks


def aged(ages: dict[float | None, int], jobs: str = "cook", sex: str = "f") -> pd.DataFrame:
    """Applicants by their age: so many of each."""
    rows = [age for age, count in ages.items() for _ in range(count)]
    return pd.DataFrame({"age": np.array(rows, dtype=np.float64), "job": jobs, "the sex": sex, "paid": None})


def small_card() -> Any:
    """Two cuts of the age, so four attributes with that of missing values; and a text."""
    return card(ladder("age", 25.0, 40.5), categories("job", "cook", "smith"))


IN_PROCESS = pytest.mark.parametrize("dialect", ["duckdb", "sqlite"], indirect=True)


def told_of(query: Query, make_exporter: Make, model: Any, before: Any, now: Any, **given: Any) -> dict[Key, Told]:
    load(query, make_exporter(), now, model)
    export = make_exporter(monitoring=watched(model, before, **given)).export(model)
    return figures(query, str(export.files["score_monitoring.sql"]))
