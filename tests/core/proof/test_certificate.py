"""A certificate counts what differs and what was left out, and its documents say so."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from dataclasses import replace
from importlib import metadata
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from scrutable.errors import InputError, PluginError
from scrutable.model import Evidence, Model, Scorecard, fingerprint
from scrutable.model.evaluator import OutputFrame, evaluate
from scrutable.plugins.bases import Export, Exporter
from scrutable.plugins.registry import registry
from scrutable.proof import certify, exporter_at, to_html, verification_rows
from scrutable.proof.comparison import compare
from scrutable.proof.document import to_json
from scrutable.proof.engine_identity import execute, sha256, witnessed
from scrutable.proof.runners import engine_names


class Crooked(Exporter):
    """Gives what the evaluator gives, but for one value, and holds no infinities."""

    def __init__(self, column: str = "score", change: Any = None) -> None:
        self.column, self.change = column, change

    def export(self, model: Model, *, evidence: Evidence | None = None) -> Export:
        return Export(model=model, files={"<b>file": "content"}, excluded="<i>infinities</i>")

    def run(self, export: Export, X: Any) -> OutputFrame:
        columns = {name: np.array(values) for name, values in evaluate(export.model, X).frame().items()}
        if self.change is not None:
            columns[self.column][3] = self.change(columns[self.column][3])
        return OutputFrame(columns)

    def engine(self) -> str:
        return "Crooked & Sons 1.0"

    def holds(self, export: Export, X: Any) -> NDArray[np.bool_]:
        return ~np.isinf(X["age"].to_numpy())


def test_nothing_differs_in_real_engines(scorecard: Scorecard) -> None:
    rows = verification_rows(scorecard, n_random=300)
    found = certify(scorecard, [exporter_at("duckdb"), exporter_at("sqlite")], rows, issued="2026-01-02")
    assert found.passed
    assert [run.engine.split()[0] for run in found.runs] == ["DuckDB", "SQLite"]
    for run in found.runs:
        assert set(run.differing()) == {"score", "probability", "decision", "knock-out", "points", "reasons"}
        assert sum(run.differing().values()) == 0
        assert run.n_rows == len(rows.frame)
        assert run.ulp <= 2
    text = exporter_at("duckdb").export(scorecard).text
    assert found.runs[0].files["score.sql"] == hashlib.sha256(text.encode()).hexdigest()
    assert found.model_sha256 == fingerprint(scorecard)


@pytest.mark.parametrize(
    ("column", "change", "what"),
    [
        ("score", lambda score: np.nextafter(score, np.inf), "score"),
        ("probability", lambda p: p + 3 * np.spacing(p), "probability"),
        ("approved", lambda approved: 1 - approved, "decision"),
        ("reason_1", lambda code: f"{code} ", "reasons"),
        ("points_age", lambda points: points + 2.0**-30, "points"),
    ],
)
def test_one_value_that_differs_is_found(scorecard: Scorecard, column: str, change: Any, what: str) -> None:
    rows = verification_rows(scorecard, n_random=50)
    run = certify(scorecard, [Crooked(column, change)], rows).runs[0]
    assert not run.passed
    assert {key: count for key, count in run.differing().items() if count} == {what: 1}
    (check,) = (check for check in run.columns if check.differing)
    held = np.flatnonzero(~np.isinf(rows.frame["age"]))
    assert (check.name, check.first[0].row) == (column, held[3])


def test_two_units_in_the_last_place_pass_and_are_told(scorecard: Scorecard) -> None:
    rows = verification_rows(scorecard, n_random=50)
    run = certify(scorecard, [Crooked("probability", lambda p: p + 2 * np.spacing(p))], rows).runs[0]
    assert (run.passed, run.ulp) == (True, 2)


def test_rows_that_an_engine_cannot_hold_are_counted(scorecard: Scorecard) -> None:
    rows = verification_rows(scorecard, n_random=50)
    infinite = int(np.isinf(rows.frame["age"]).sum())
    run = certify(scorecard, [Crooked()], rows).runs[0]
    assert infinite > 0
    assert (run.excluded_rows, run.n_rows) == (infinite, len(rows.frame) - infinite)


def test_no_rows_prove_nothing(scorecard: Scorecard) -> None:
    class Empty(Crooked):
        def holds(self, export: Export, X: Any) -> NDArray[np.bool_]:
            return np.zeros(len(X), dtype=bool)

        def run(self, export: Export, X: Any) -> OutputFrame:
            return OutputFrame({name: values[:0] for name, values in evaluate(scorecard, EXAMPLE).frame().items()})

    assert not certify(scorecard, [Empty()], verification_rows(scorecard, n_random=5)).passed
    with pytest.raises(InputError, match="nothing to run the model in"):
        certify(scorecard, [], verification_rows(scorecard, n_random=5))


EXAMPLE = pd.DataFrame({"age": [30.0], "housing": ["own"]})


def test_a_column_on_one_side_differs_everywhere() -> None:
    both = OutputFrame({"score": np.array([1.0, 2.0])})
    more = OutputFrame({"score": np.array([1.0, 2.0]), "knock_out": np.array([None, None])})
    assert [check.differing for check in compare(more, both)] == [0, 2]
    assert [check.differing for check in compare(both, more)] == [0, 2]
    signed = OutputFrame({"score": np.array([0.0])}), OutputFrame({"score": np.array([-0.0])})
    assert compare(*signed)[0].differing == 1


def test_rows_of_data_are_drawn_and_counted(scorecard: Scorecard) -> None:
    data = pd.DataFrame({"housing": ["rent", None, "own"], "age": [1, 2, 3], "other": [{}, {}, {}]})
    rows = verification_rows(scorecard, data, n_random=10, max_data=2, seed=1)
    assert (rows.drawn, rows.data, len(rows.frame)) == (10, 2, rows.edge + 12)
    again = verification_rows(scorecard, data, n_random=10, max_data=2, seed=1)
    pd.testing.assert_frame_equal(rows.frame, again.frame)
    assert set(rows.frame["age"].tail(2)) < {1.0, 2.0, 3.0}
    with pytest.raises(InputError, match="housing"):
        verification_rows(scorecard, data.drop(columns="housing"))


def test_documents_escape_and_are_stable(scorecard: Scorecard) -> None:
    rows = verification_rows(scorecard, n_random=50)
    found = certify(scorecard, [Crooked("reason_1", lambda _: "<script>")], rows, issued="2026-01-02")
    page = to_html(found)
    assert page == to_html(found)
    assert "FAILED" in page
    for raw, escaped in (("<script>", "&lt;script&gt;"), ("<b>file", "&lt;b&gt;file"), ("<i>inf", "&lt;i&gt;inf")):
        assert raw not in page
        assert escaped in page
    assert "2026-01-02" in page
    plain = json.loads(to_json(found))
    assert plain["passed"] is False
    assert plain["runs"][0]["differing"]["reasons"] == 1
    assert plain["runs"][0]["files"]["<b>file"] == hashlib.sha256(b"content").hexdigest()
    assert plain["rows"] == {"edge": rows.edge, "drawn": 50, "data": 0, "seed": 0}


def test_engines_are_found_by_name_and_url() -> None:
    names = engine_names()
    for listing in registry().listings("exporter"):
        assert listing.component.engines or listing.plugin in ("json", "documents"), "it runs nowhere"
        for engine in listing.component.engines:
            assert names[engine] == listing.component.name, "two exporters claim one engine"
            assert engine == engine.casefold()
    with pytest.raises(InputError, match=r"no exporter runs on it; got 'duckbd'.*'duckdb'"):
        exporter_at("duckbd")
    with pytest.raises(InputError, match="got 'mongodb'"):
        exporter_at("mongodb+srv://localhost/x")


def test_frames_of_other_lengths_or_columns_differ() -> None:
    three = OutputFrame({"score": np.array([5.0, 5.0, 5.0])})
    for other in ([5.0], [5.0, 5.0]):
        assert compare(three, OutputFrame({"score": np.array(other)}))[0].differing == 3
    more = compare(three, OutputFrame({"score": three["score"], "loan": np.array([1, 2, 3])}))
    assert [(check.what, check.differing) for check in more] == [("score", 0), ("other", 3)]


def test_every_value_that_an_engine_holds_is_compared(scorecard: Scorecard) -> None:
    """Infinities take the other values of their rows with them; those come back in rows of their own."""
    rows = verification_rows(scorecard, n_random=0)
    infinite = rows.frame["age"].isin([np.inf, -np.inf])
    rows = replace(rows, frame=rows.frame.assign(age=rows.frame["age"].where(infinite, np.inf)))
    run = certify(scorecard, [Crooked()], rows).runs[0]
    assert run.edge_values_held == rows.frame["housing"].nunique(dropna=False) + 1
    assert run.excluded_rows == len(rows.frame)
    assert run.passed


def test_columns_that_options_leave_out_are_told(scorecard: Scorecard) -> None:
    rows = verification_rows(scorecard, n_random=20)
    run = certify(scorecard, [exporter_at("duckdb", points=False, reasons=1)], rows).runs[0]
    assert run.passed
    assert set(run.not_exported) == {"points_age", "points_housing", "reason_2", "short_2"}


def test_a_model_that_reads_nothing_cannot_be_certified(trees: Any) -> None:
    constant = replace(trees, trees=(), features=())
    with pytest.raises(InputError, match="reads no column"):
        certify(constant, [exporter_at("duckdb")], verification_rows(trees, n_random=1))


class Boasting(Crooked):
    """Says that it is DuckDB, and runs nothing."""

    def engine(self) -> str:
        return "DuckDB 9.9.9"


def test_the_word_of_an_exporter_for_its_engine_is_told_as_unattested(scorecard: Scorecard) -> None:
    rows = verification_rows(scorecard, n_random=50)
    [run] = certify(scorecard, [Boasting()], rows).runs
    assert (run.engine, run.attested, run.title) == ("DuckDB 9.9.9", False, "DuckDB 9.9.9, unattested")
    assert (run.distribution, run.version, run.exporter.rpartition(".")[2]) == ("", "", "Boasting")
    page = to_html(certify(scorecard, [Boasting()], rows))
    assert "DuckDB 9.9.9, unattested" in page
    assert "of no distribution" in page


def test_an_exporter_that_runs_something_else_in_the_engine_is_unattested(scorecard: Scorecard) -> None:
    class Idle(Boasting):
        def run(self, export: Export, X: Any) -> OutputFrame:
            execute(duckdb.connect(), "SELECT 1").fetchall()
            return super().run(export, X)

    assert not certify(scorecard, [Idle()], verification_rows(scorecard, n_random=5)).runs[0].attested


def test_a_class_that_only_calls_itself_ours_is_not(scorecard: Scorecard) -> None:
    class SQLExporter(Crooked):
        __module__ = "scrutable_sql.exporter"
        __qualname__ = "SQLExporter"

    assert certify(scorecard, [SQLExporter()], verification_rows(scorecard, n_random=5)).runs[0].distribution == ""


@pytest.mark.parametrize("engine", ["duckdb", "sqlite", "onnxruntime", "python", "rscript"])
def test_the_engine_itself_says_what_it_is_over_the_connection_that_runs_the_file(
    scorecard: Scorecard, engine: str
) -> None:
    exporter = exporter_at(engine)
    try:
        claimed = exporter.engine()
    except PluginError as error:
        pytest.skip(str(error))
    exporter.engine = lambda: "what the exporter says"  # type: ignore[method-assign]  # what is tested
    [run] = certify(scorecard, [exporter], verification_rows(scorecard, n_random=50)).runs
    assert (run.engine, run.attested, run.passed) == (claimed, True, True)
    assert (run.distribution, run.version) == ("scrutable", metadata.version("scrutable"))
    assert run.exporter == f"{type(exporter).__module__}.{type(exporter).__name__}"


def test_only_a_connection_of_the_library_itself_is_believed() -> None:
    class Derived(sqlite3.Connection):
        pass

    with witnessed() as witness:
        assert execute(Derived(":memory:"), "SELECT 1").fetchall() == [(1,)]
    assert witness.engine_of([sha256("SELECT 1")]) is None
    with pytest.raises(PluginError, match=r"no connection that Scrutable knows; got 'object'; allowed: sqlite3\.Conn"):
        execute(object(), "SELECT 1")
