"""Monitoring as a statement: each count that `monitor` has, and each figure to rounding, in the engines themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sqlglot
from cards import card, categories, ladder

from scrutable import create
from scrutable.errors import InputError, UnsupportedModel
from scrutable.measures import Stability
from scrutable.model import DecisionModel, Model
from scrutable.plugins.bases import Watch
from scrutable.proof import edge_rows
from scrutable.testing.contract.examples.models import models_named
from scrutable_sql.dialects import DIALECTS
from scrutable_sql.exporter import SQLExporter

from .conftest import Make, Query
from .models import whole_card

pytestmark = pytest.mark.filterwarnings("ignore::scrutable.fairness.SmallGroupWarning")
ENGINES = pytest.mark.parametrize("dialect", ["duckdb", "sqlite", "postgres", "mariadb", "clickhouse"], indirect=True)
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


@pytest.fixture
def every_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts of single rows are told of."""
    monkeypatch.setenv("SCRUTABLE_MIN_CELL", "1")


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
    good, bad = model.outcome.favourable, next(each for each in model.outcome.classes if each != model.outcome.favourable)
    outcomes = np.array([good, bad, None], dtype=object)[generator.choice(3, len(rows), p=[0.6, 0.2, 0.2])]
    return rows.assign(**{"the sex": groups, "paid": outcomes})


def columns(**given: Any) -> Any:
    from scrutable_lifecycle.monitoring import Columns

    return Columns(protected=("the sex",), target="paid", **{"reference": {"the sex": "f"}, **given})


def watched(model: Any, baseline: Any, **given: Any) -> Watch:
    from scrutable_lifecycle.monitoring import watch

    return watch(model, baseline, **{"columns": columns(), **given})


def monitored(model: Any, before: Any, now: Any, **given: Any) -> Any:
    from scrutable_lifecycle.monitoring import monitor

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


def assert_index(told: Mapping[Key, Told], measure: str, subject: str, index: Stability, rows: tuple[int, int]) -> None:
    """An index and its levels, as `monitor` has them."""
    whole = told[measure, subject, None]
    assert (whole.expected, whole.count) == rows
    assert_close(whole.value, index.index)
    _, *levels = (row for key, row in told.items() if key[:2] == (measure, subject))
    for level, band in zip(levels, index.bands, strict=True):
        assert (level.expected, level.count) == (round(band.baseline * rows[0]), round(band.new * rows[1]))
        assert (level.expected_share, level.share) == (band.baseline, band.new)
        assert_close(level.value, band.contribution)


def indices(monitoring: Any) -> dict[tuple[str, str], tuple[Stability, tuple[int, int]]]:
    """Every index that a statement has, with the rows of either sample."""
    whole = (monitoring.baseline.rows, monitoring.new.rows)
    found = {}
    if monitoring.segments is not None:
        found["psi", "segments"] = monitoring.segments, whole
    for part in monitoring.parts:
        within, rows = f", segment {part.segment}" if part.segment else "", (part.baseline_rows, part.new_rows)
        found["psi", f"score{within}"] = part.score, rows
        found |= {("csi", f"{each.name}{within}"): (each, rows) for each in part.characteristics}
        found |= {("csi", f"rule {each.name}{within}"): (each, rows) for each in part.rules}
    if monitoring.reasons is not None:
        declined = (monitoring.reasons.baseline_declined, monitoring.reasons.new_declined)
        found["psi", "first reason"] = monitoring.reasons.first, declined
    return found


def assert_groups(told: Mapping[Key, Told], monitoring: Any) -> None:
    for group in monitoring.new.groups:
        of = lambda measure, group=group: told[measure, group.attribute, group.group]  # noqa: E731
        assert of("group").count == group.size
        assert of("approval rate").share == group.approval_rate
        assert_close(of("adverse impact ratio").value, group.impact_ratio)
        assert_close(of("bad rate among approved").share, group.bad_rate_among_approved)
        if group.calibrated is not None:
            assert_close(of("bad rate").share, group.calibrated.observed)
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
    judged = {key: row.status for key, row in told.items() if row.status is not None and key[0] not in ("rows", "outcome")}
    assert judged == checks


@ENGINES
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.usefixtures("every_row")
def test_a_statement_tells_what_monitor_does(query: Query, make_exporter: Make, name: str) -> None:
    model = model_named(name)
    before, now = samples(model)
    plain = make_exporter()
    now = now[plain.holds(plain.export(model), now)].reset_index(drop=True)
    monitoring = monitored(model, before, now)
    load(query, plain, now, model)
    files = make_exporter(monitoring=watched(model, before)).export(model).files
    told = figures(query, str(files["score_monitoring.sql"]))

    for (measure, subject), (index, rows) in indices(monitoring).items():
        assert_index(told, measure, subject, index, rows)
    assert_groups(told, monitoring)
    assert_statuses(told, monitoring)
    assert told["approval rate", "all", "approved"].share == monitoring.new.approval_rate
    assert told["approval rate", "all", "approved"].expected_share == monitoring.baseline.approval_rate
    assert told["bad rate", "all", None].share == monitoring.new.bad_rate
    assert_close(told["bad rate among approved", "all", None].share, monitoring.new.bad_rate_among_approved)
    assert told["outcome", "all", "known"].count == monitoring.new.outcomes
    for code in monitoring.reasons.codes if monitoring.reasons is not None else ():
        if ("reason", "any reason", code.code) in told:
            row = told["reason", "any reason", code.code]
            assert (row.expected_share, row.share) == (code.any_baseline, code.any_new)
    missing = {each.title: now[each.name].isna().sum() for each in model.features}
    assert {key[1]: row.count for key, row in told.items() if key[0] == "missing"} == missing

    alerts = figures(query, str(files["score_monitoring_alerts.sql"]))
    assert alerts.keys() == {key for key, row in told.items() if row.status == "alert"}
