"""Monitoring as a statement: each count that `monitor` has, and each figure to rounding, in the engines themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, get_args

import duckdb
import numpy as np
import pandas as pd
import pytest
import sqlglot
from cards import card, categories, ladder

from scrutable import create
from scrutable.errors import InputError, KindError, UnsupportedModel
from scrutable.measures import Stability
from scrutable.model import Clause, DecisionModel, Interval, Model, Segment, SegmentedModel, features_read
from scrutable.model.evaluator import results
from scrutable.plugins.bases import Watch
from scrutable.proof import edge_rows
from scrutable.testing.contract.examples.models import models_named
from scrutable.testing.contract.examples.random_models import drawn_models, drawn_rows, extended_models
from scrutable_lifecycle.monitoring import Columns, monitor, watch
from scrutable_sql.dialects import DIALECTS
from scrutable_sql.exporter import SQLExporter

from .conftest import Make, Query
from .models import whole_card

pytestmark = pytest.mark.filterwarnings("ignore::scrutable.fairness.SmallGroupWarning")
ENGINES = ("duckdb", "sqlite", "postgres", "mariadb", "mysql", "clickhouse")


def decides(model: Model) -> bool:
    """Whether it decides between two classes."""
    return isinstance(model, get_args(DecisionModel)) and model.outcome.binary


#: Models whose parts nobody chose.
RANDOM = {name: model for name, model in {**drawn_models(), **extended_models()}.items() if decides(model)}
MODELS = ("scorecard", "stumps", "tree-ensemble", "rule-set", "segmented-model", "whole")
#: ClickHouse takes seconds to plan one.
EACH = [(dialect, name) for dialect in ENGINES for name in MODELS if dialect != "clickhouse" or name == "scorecard"]
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
    judged = {
        key: row.status for key, row in told.items() if row.status is not None and key[0] not in ("rows", "outcome")
    }
    assert judged == checks


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
