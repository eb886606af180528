"""Monitoring as a statement: each count that `monitor` has, and each figure to rounding, in the engines themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable.measures import Stability
from scrutable.model import features_read
from scrutable.model.evaluator import results
from scrutable.testing.contract.examples.random_models import drawn_rows

from .conftest import Make, Query
from .watching import (
    ENGINES,
    IN_PROCESS,
    MODELS,
    RANDOM,
    Key,
    Told,
    aged,
    assert_close,
    assert_groups,
    assert_statuses,
    beside,
    columns,
    figures,
    load,
    model_named,
    monitored,
    samples,
    small_card,
    told_of,
    watched,
)

pytestmark = pytest.mark.filterwarnings("ignore::scrutable.fairness.SmallGroupWarning")
#: ClickHouse takes seconds to plan one.
EACH = [(dialect, name) for dialect in ENGINES for name in MODELS if dialect != "clickhouse" or name == "scorecard"]


@pytest.fixture
def every_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts of single rows are told of."""
    monkeypatch.setenv("SCRUTABLE_MIN_CELL", "1")


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
    every = {}
    if monitoring.segments is not None:
        every["psi", "segments"] = monitoring.segments, whole
    for part in monitoring.parts:
        within, rows = f", segment {part.segment}" if part.segment else "", (part.baseline_rows, part.new_rows)
        every["psi", f"score{within}"] = part.score, rows
        every |= {("csi", f"{each.name}{within}"): (each, rows) for each in part.characteristics}
        every |= {("csi", f"rule {each.name}{within}"): (each, rows) for each in part.rules}
    if monitoring.reasons is not None:
        declined = (monitoring.reasons.baseline_declined, monitoring.reasons.new_declined)
        every["psi", "first reason"] = monitoring.reasons.first, declined
    return every


@pytest.mark.parametrize(("dialect", "name"), EACH, indirect=["dialect"])
@pytest.mark.usefixtures("every_row")
def test_a_statement_tells_what_monitor_does(query: Query, make_exporter: Make, name: str) -> None:
    model = model_named(name)
    before, now = samples(model)
    told = assert_told(query, make_exporter, model, before, now)
    export = make_exporter(monitoring=watched(model, before)).export(model)
    alerts = figures(query, str(export.files["score_monitoring_alerts.sql"]))
    assert alerts.keys() == {key for key, row in told.items() if row.status == "alert"}


@pytest.mark.parametrize("dialect", ["sqlite"], indirect=True)  # which plans long statements fastest
@pytest.mark.parametrize("name", RANDOM)
@pytest.mark.usefixtures("every_row")
def test_of_random_models_too(query: Query, make_exporter: Make, name: str) -> None:
    """Overrides, hidden knock-outs, interactions, adjustments, segments with reasons of their own or none."""
    model = RANDOM[name]
    rows = drawn_rows(model, 700)
    before, now = beside(rows[:400], model, 2), beside(rows[400:].sort_values(rows.columns[0])[50:], model, 3)
    assert_told(query, make_exporter, model, before, now.reset_index(drop=True))


def assert_told(
    query: Query, make_exporter: Make, model: Any, before: pd.DataFrame, now: pd.DataFrame
) -> dict[Key, Told]:
    """A statement tells of rows what `monitor` does, as far as the engine holds them."""
    plain = make_exporter()
    now = now[plain.holds(plain.export(model), now)].reset_index(drop=True)
    asked = replace(columns(), favourable=str(model.outcome.favourable))
    monitoring = monitored(model, before, now, columns=asked)
    load(query, plain, now, model)
    watching = watched(model, before, columns=asked)
    told = figures(query, str(make_exporter(monitoring=watching).export(model).files["score_monitoring.sql"]))

    for (measure, subject), (index, rows) in indices(monitoring).items():
        if index is None:
            assert told.get((measure, subject, None)) is None or told[measure, subject, None].value is None
        else:
            assert_index(told, measure, subject, index, rows)
    assert_groups(told, monitoring)
    assert_statuses(told, monitoring)
    assert told["approval rate", "all", "approved"].share == monitoring.new.approval_rate
    assert told["approval rate", "all", "approved"].expected_share == monitoring.baseline.approval_rate
    assert_close(told["bad rate", "all", None].share, monitoring.new.bad_rate)
    assert_close(told["bad rate among approved", "all", None].share, monitoring.new.bad_rate_among_approved)
    assert told["outcome", "all", "known"].count == monitoring.new.outcomes
    for code in monitoring.reasons.codes if monitoring.reasons is not None else ():
        if ("reason", "any reason", code.code) in told:
            row = told["reason", "any reason", code.code]
            assert (row.expected_share, row.share) == (code.any_baseline, code.any_new)
    counted = {what: [row.count for key, row in told.items() if key[0] == what] for what in ("missing", "unseen")}
    names = [each.name for each in features_read(model)]
    assert counted["missing"] == [now[name].isna().sum() for name in names]
    assert sum(counted["unseen"]) == results(model, now, ["unseen_inputs"])["unseen_inputs"].sum()
    return told


@pytest.mark.parametrize("dialect", ENGINES, indirect=True)
def test_an_index_by_hand(query: Query, make_exporter: Make) -> None:
    """An attribute that vanishes, one that is new, one that both lack, and one that both have."""
    before = pd.concat([aged({20.0: 60, None: 30}, sex="f"), aged({20.0: 10}, sex="m")])
    now = aged({20.0: 15, 30.0: 5})
    told = told_of(query, make_exporter, small_card(), before, now)
    share, expected = np.array([15, 5, 1, 0.5]) / 20, np.array([70, 0.5, 1, 30]) / 100
    parts = (share - expected) * np.log(share / expected)
    parts[2] = 0.0
    whole, *levels = (row for key, row in told.items() if key[:2] == ("csi", "Age"))
    assert [(row.expected, row.count) for row in levels] == [(70, 15), (0, 5), (0, 0), (30, 0)]
    assert [row.value for row in levels] == pytest.approx(parts, rel=1e-12, abs=0.0)
    assert_close(whole.value, parts.sum())
    assert (whole.warn, whole.alert, whole.status) == (0.1, 0.25, "alert")
    assert told["missing", "Age", None] == Told(0, 30, 0.0, 0.3, None, None, None, None)


@IN_PROCESS
@pytest.mark.parametrize("approved", [(30, 30), (30, 20), (0, 0), (5, 0)])
@pytest.mark.parametrize("ratio", ["four-fifths", "adverse-impact"])
def test_groups_are_judged_as_monitor_judges_them(
    query: Query, make_exporter: Make, ratio: str, approved: tuple[int, int]
) -> None:
    model = replace(small_card(), cutoff=small_card().base_points + 1e-9)
    limits = {"ratio": ratio, "impact_ratio": 2 / 3}
    before = pd.concat([aged({20.0: 60}, sex="f"), aged({50.0: 60}, sex="m")], ignore_index=True)
    score = model.scorer(columns=["age", "job"])
    good, bad = sorted((20.0, 30.0, 50.0), key=lambda age: -score((age, "cook"))[0])[::2]
    assert score((good, "cook"))[0] > score((bad, "cook"))[0]
    model = replace(model, cutoff=score((good, "cook"))[0])
    rows = [aged({good: number, bad: 40 - number}, sex=sex) for sex, number in zip("fm", approved, strict=True)]
    now = pd.concat([*rows, aged({good: 20}, sex="few")], ignore_index=True)
    told = told_of(query, make_exporter, model, before, now, thresholds=limits)
    monitoring = monitored(model, before, now, thresholds=limits)
    assert_groups(told, monitoring)
    assert_statuses(told, monitoring)
