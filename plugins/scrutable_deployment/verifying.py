"""What is deployed beside the model: its text on rows of edge values, its columns' types, and the table's own rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from scrutable.errors import InputError
from scrutable.model import Model
from scrutable.model.evaluator import evaluate
from scrutable.proof import Certificate, EngineRun, certificate_of, compare
from scrutable_deployment.called import find_called
from scrutable_deployment.catalogues import Deployed, find_text, read_deployed
from scrutable_deployment.column_types import result_types, source_types
from scrutable_deployment.database import Database, opened
from scrutable_deployment.deployed_text import Rows, query_of, references
from scrutable_deployment.inlined import inlined
from scrutable_deployment.names import Named, free, spoken
from scrutable_deployment.reason_rows import compared_reasons
from scrutable_deployment.reason_texts import reasons_of
from scrutable_deployment.registered import check_of_table
from scrutable_deployment.source_tables import Scored, scored_by
from scrutable_deployment.stable_view import OF_DECLINED
from scrutable_deployment.table_rows import (
    Comparison,
    as_expected,
    compared,
    missing_results,
)
from scrutable_deployment.trial_rows import TrialRows, trial_rows
from scrutable_deployment.trying import Asked, in_order, in_truth_values, literal_columns, on_literals, run_of
from scrutable_deployment.verifying_called import verify_called


def verify_deployed(
    model: Model,
    url: str,
    deployed: Named,
    *,
    table: Named | None = None,
    key: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    rows: int = 10_000,
    seed: int = 0,
    issued: str = "",
    say: Callable[[str], None] = lambda words: None,
) -> Certificate:
    """Whether a view, table or function of a database gives what a model says.

    The text of a view is read back from the database and run over rows of edge values, which stand in the statement as
    literals; then each row of the table is compared with what is deployed for its key. A view that `deploy` made must
    read the table that its registry names. A function is called with these rows, and its definition compared with the
    exporter's. Nothing is made or written.

    Parameters
    ----------
    url : of the database, as SQLAlchemy takes it.
    deployed : name, or schema and name, of the view, table or function.
    table : with the model's inputs; found in the text of a view if None, while a function is then called with rows of
        edge values alone.
    key : columns that name one row, in both; those that both have and that are no results if there are none.
    columns : column of the table by feature, where it is not called so.
    rows : how many rows of edge values are drawn at random, beside a row for each edge value.
    seed : of the draws.
    issued : the date of the certificate.
    say : is told what is being done.

    Raises
    ------
    InputError : nothing has that name, its text cannot be read, it reads another table, or a right is missing.
    PluginError : the database does not answer or refuses a statement.

    Examples
    --------
    >>> import sqlite3, tempfile, pathlib
    >>> from scrutable import create
    >>> from scrutable.testing.cards import card
    >>> path = pathlib.Path(tempfile.mkdtemp(), "bank.db")
    >>> with sqlite3.connect(path) as connection:
    ...     _ = connection.execute("CREATE TABLE applicants (id INTEGER, amount REAL, job TEXT)")
    ...     _ = connection.execute("INSERT INTO applicants VALUES (1, 12.5, 'cook'), (2, NULL, 'nurse')")
    ...     view = create("exporter", "sql", dialect="sqlite", form="view", name="score", ids=["id"])
    ...     _ = connection.execute(view.export(card()).text)
    >>> certificate = verify_deployed(card(), f"sqlite:///{path}", "score", rows=10)
    >>> certificate.passed, [run.n_rows for run in certificate.runs][1]
    (True, 2)
    """
    with opened(url) as database:
        say(f"Reading {spoken(deployed)}")
        trial = trial_rows(model, database.exporter, drawn=rows, seed=seed)
        asked = Asked(model=model, table=table, key=tuple(key), columns=dict(columns or {}), trial=trial, say=say)
        called = find_called(database, deployed) if find_text(database, deployed) is None else None
        if called is None:
            runs, n_rows = _of_view(database, read_deployed(database, deployed), asked)
        else:
            runs, n_rows = verify_called(database, called, asked)
    tried = any(run.edge_values for run in runs)
    counts = {"edge": trial.edge if tried else 0, "drawn": rows if tried else 0, "data": n_rows, "seed": seed}
    return certificate_of(model, runs, counts, issued=issued)


def _of_view(database: Database, target: Deployed, asked: Asked) -> tuple[list[EngineRun], int]:
    """What was compared of a view or table, and how many rows of the table that it scores."""
    model, say, known = asked.model, asked.say, asked.known
    results = asked.results_of(target)
    read = asked.read
    scored = scored_by(database, target, read.values(), asked.table)
    beside = [name for name in target.columns if name in scored.source.columns and name not in known]
    what = Comparison(
        model=model,
        deployed=target.name,
        source=scored.source.name,
        columns=read,
        known=known,
        results=results,
        key=list(asked.key) or beside,
        booleans=in_truth_values(database, model, read, scored.source.columns),
        of_declined=_of_declined(database, target),
    )
    _check_key(what, target, scored.source)
    runs = []
    if scored.query is not None:
        say(f"Running the text of {spoken(target.name)} on {len(asked.trial.frame):,} rows of edge values")
        runs.append(_edges(database, target, scored, what, asked.trial))
    say(f"Comparing the rows of {spoken(what.source)}")
    runs.append(_rows(database, target, scored, what))
    n_rows = runs[-1].n_rows
    if told := compared_reasons(database, what):
        reasons = reasons_of(target.name)
        runs.append(run_of(database, read_deployed(database, reasons), "its rows", what, told, n_rows))
    return runs, n_rows


def _check_key(what: Comparison, target: Deployed, source: Deployed) -> None:
    for name in what.key:
        for one in (target, source):
            if name not in one.columns:
                raise InputError(
                    "there is no such column to compare rows by",
                    where=f"{one.title}, key",
                    got=name,
                    allowed=", ".join(one.columns),
                    fix="give --key a column that names a row in both",
                )
    if not what.key:
        raise InputError(
            "no column of it names the row of the table that it scores",
            where=target.title,
            got=", ".join(target.columns),
            allowed=", ".join(name for name in source.columns if name not in what.columns.values()),
            fix="export the statement anew with --id and the key of the table",
        )


def _edges(database: Database, target: Deployed, scored: Scored, what: Comparison, trial: TrialRows) -> EngineRun:
    """The text that is deployed, over rows of edge values in the table's place."""
    assert scored.query is not None
    frame = trial.frame.copy()
    for feature in what.booleans:
        frame[feature] = (frame[feature] > 0).astype(float).where(frame[feature].notna())
    expected = as_expected(evaluate(what.model, frame).frame(), what)
    columns = on_literals(database, target, frame, partial(_over_rows, database, scored, what))
    theirs = in_order(columns, what)
    subject = "its text, on rows of edge values"
    return run_of(database, target, subject, what, compare(expected, theirs), len(frame), trial=trial)


def _over_rows(database: Database, scored: Scored, what: Comparison, frame: Any, first: int) -> str:
    """The deployed query over some rows; the key is the number of the row, and what nobody asks for is NULL."""
    assert scored.query is not None
    assert scored.over is not None
    name = free("scrutable_rows", scored.query)
    columns = literal_columns(database, what, list(scored.source.columns), frame, first)
    return scored.over(Rows(scored.source.name, inlined(database.exporter, name, columns), name))


def _rows(database: Database, target: Deployed, scored: Scored, what: Comparison) -> EngineRun:
    """Which table is read, the types of columns, and each row of the table."""
    dialect = database.dialect.name
    checks = check_of_table(database, target.name, scored.source.name)
    checks += missing_results(what.results, what.known)
    checks += source_types(what.model, what.columns, scored.source.columns, dialect)
    checks += result_types({name: target.columns[name] for name in what.results}, dialect)
    n_rows, compared_checks = compared(database, what)
    subject = f"rows of {spoken(what.source)}"
    return run_of(database, target, subject, what, [*checks, *compared_checks], n_rows)


def _of_declined(database: Database, target: Deployed) -> bool:
    """Whether a view of stable columns gives the reasons of declined rows alone, as the version that it reads does."""
    if not target.text or "decision" not in target.columns:
        return False
    dialect = database.dialect.sqlglot
    read = [read_deployed(database, each.name) for each in references(query_of(target.text, dialect), dialect)]
    return any(name.startswith(f"{OF_DECLINED}reason_") for each in read for name in each.columns)
