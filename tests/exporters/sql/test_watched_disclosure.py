"""Monitoring in SQL tells nothing of few people, not even by subtraction."""

from __future__ import annotations

import pandas as pd
import pytest

from scrutable.model import Clause, Interval, Segment, SegmentedModel
from scrutable.model.evaluator import results
from scrutable.proof import edge_rows
from scrutable.testing.contract.examples.models import models_named
from scrutable_lifecycle.monitoring import watch

from .conftest import Make, Query
from .watching import (
    ENGINES,
    IN_PROCESS,
    aged,
    assert_groups,
    assert_statuses,
    monitored,
    small_card,
    told_of,
    watched,
)

pytestmark = pytest.mark.filterwarnings("ignore::scrutable.fairness.SmallGroupWarning")


@IN_PROCESS
def test_no_small_count_of_the_baseline_is_written(query: Query, make_exporter: Make) -> None:
    before = pd.concat([aged({20.0: 60, 30.0: 4, 50.0: 37}, sex="m"), aged({None: 3})], ignore_index=True)
    now = aged({20.0: 30, 30.0: 20, None: 10})
    model = small_card()
    told = told_of(query, make_exporter, model, before, now)
    _, *levels = (row for key, row in told.items() if key[:2] == ("csi", "Age"))
    assert [(row.expected, row.count) for row in levels] == [(60, 30), (7, 30), (37, 0)]
    assert ("csi", "Age", "[25, 40.5) or missing") in told
    assert told["missing", "Age", None].expected is None
    written = str(make_exporter(monitoring=watched(model, before)).export(model).files["score_monitoring.sql"])
    assert "-- Put together or left out, for fewer than 5 rows of the baseline: Age" in written
    counts = {row.expected for row in told.values()} - {None}
    assert not counts & {1, 2, 3, 4}


@pytest.mark.parametrize("dialect", ENGINES, indirect=True)
def test_small_groups_of_the_table_are_counted_with_others(query: Query, make_exporter: Make) -> None:
    before = pd.concat([aged({20.0: 60}, sex="f"), aged({50.0: 60}, sex="m")], ignore_index=True)
    model, everybody = small_card(), {20.0: 30, 50.0: 10}
    parts = [aged(everybody, sex="f"), aged(everybody, sex="m"), aged({50.0: 2}, sex="x")]
    for others in ([], [aged({20.0: 2}, sex="y"), aged({50.0: 1}).assign(**{"the sex": None})]):
        now = pd.concat([*parts, *others], ignore_index=True)
        query("DROP TABLE IF EXISTS applicants")
        told = told_of(query, make_exporter, model, before, now)
        monitoring = monitored(model, before, now)
        assert_groups(told, monitoring)
        assert_statuses(told, monitoring)
        assert ("group", "the sex", "x") not in told


@IN_PROCESS
@pytest.mark.parametrize(("few", "left_out"), [(3, {"all", "young"}), (0, {"young"}), (7, set())])
def test_no_total_gives_a_small_segment_away(query: Query, make_exporter: Make, few: int, left_out: set[str]) -> None:
    """With the rows of all other segments, and of all, those of one that is left out would be told."""
    young = Segment(name="young", model=small_card(), when=(Clause("age", (Interval(upper=25),)),))
    model = SegmentedModel(segments=(young, Segment(name="all", model=small_card())), routing=small_card().features[:1])
    parts = [aged({20.0: few, 30.0: 40}), aged({50.0: 30}, sex="m")]
    told = told_of(query, make_exporter, model, pd.concat(parts, ignore_index=True), aged({20.0: 9, 30.0: 9}))
    watched_segments = {key[1].partition(", segment ")[2] for key in told if key[0] == "psi"} - {""}
    assert watched_segments == {"all", "young"} - left_out
    assert few in {row.expected for row in told.values()} or few == 3
    assert 3 not in {row.expected for row in told.values()}


@pytest.mark.parametrize("wanted", [1, 0])
def test_no_total_of_declines_gives_few_decisions_away(wanted: int) -> None:
    """The rows of reasons are those of declines, which leave the approved ones of all rows."""
    model = models_named()["stumps"]
    rows = edge_rows(model, n_random=2000, seed=0)
    approved = results(model, rows, ["approved"])["approved"]
    before = pd.concat([rows[approved == wanted].head(3), rows[approved == 1 - wanted].head(90)], ignore_index=True)
    watching = watch(model, before)
    assert {each.rows for each in watching.distributions} <= {93, None}
    assert any("fewer than 5 rows of the baseline" in note and "reasons" in note for note in watching.notes)


@pytest.mark.parametrize(("few", "count"), [("lack it", None), ("have it later", None), ("", 80)])
def test_a_reason_that_few_lack_or_few_have_beside_another_is_not_counted(few: str, count: int | None) -> None:
    model = models_named()["scorecard"]
    rows = edge_rows(model, n_random=2000, seed=0)
    told = results(model, rows, ["approved", "reason_1", "reason_2", "reason_3"])
    declined, first = told["approved"] == 0, told["reason_1"] == "R1"
    later = (told["reason_2"] == "R1") | (told["reason_3"] == "R1")
    whose = {"have it first": first, "have it later": later, "lack it": ~first & ~later}
    frames = [rows[declined & each].head(3 if name == few else 40) for name, each in whose.items()]
    watching = watch(model, pd.concat([*frames, rows[~declined].head(20)], ignore_index=True))
    [reasons] = (each for each in watching.distributions if each.measure == "reason")
    assert (reasons.rows, {level.name: level.count for level in reasons.levels}["R1"]) == (83 if few else 120, count)
