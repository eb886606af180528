"""A function that is deployed beside the model: its definition, calls with edge values, calls for a table's rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from scrutable.errors import InputError
from scrutable.model.evaluator import OutputFrame, evaluate
from scrutable.proof import ColumnCheck, EngineRun, compare
from scrutable_deployment.called import Called, call_of, differs, title_of
from scrutable_deployment.catalogues import Deployed, read_deployed
from scrutable_deployment.column_types import result_types, source_types
from scrutable_deployment.database import Database
from scrutable_deployment.inlined import inlined
from scrutable_deployment.names import in_quotes, spoken
from scrutable_deployment.table_checks import count_rows
from scrutable_deployment.table_rows import (
    Comparison,
    as_expected,
    as_results,
    compared,
    counted,
    inputs_sql,
    missing_results,
    said_of,
)
from scrutable_deployment.trial_rows import TrialRows
from scrutable_deployment.trying import Asked, in_order, in_truth_values, literal_columns, on_literals, run_of

#: The rows of edge values; and the column that numbers them, where the function carries none through.
_ROWS, _NUMBER = "scrutable_rows", "scrutable_row"


@dataclass(frozen=True, slots=True)
class _Subject:
    """A function with the columns that it gives, the table if there is one, and how both are read."""

    called: Called
    target: Deployed
    source: Deployed | None
    what: Comparison

    @property
    def arguments(self) -> dict[str, str]:
        """By feature, the argument that takes it, or the column of a table that the function is called with."""
        columns = self.what.columns
        return dict(columns) if self.called.of_table else dict(zip(columns, self.called.arguments, strict=True))


def verify_called(database: Database, called: Called, asked: Asked) -> tuple[list[EngineRun], int]:
    """What a function that is deployed gives beside what the model says, and for how many rows of a table.

    Raises
    ------
    InputError : other arguments than the model has features, no results of the model, no table for a function that is
        called with one, or a right is missing.
    """
    subject = _subject(database, called, asked)
    asked.say(f"Calling {spoken(called.name)} with {len(asked.trial.frame):,} rows of edge values")
    declared = _declared(database, subject)
    runs = [_edges(database, subject, asked.trial, declared)]
    if subject.source is None or any(check.differing for check in declared):
        return runs, 0
    asked.say(f"Calling {spoken(called.name)} for the rows of {spoken(subject.source.name)}")
    runs.append(_rows(database, subject, subject.source))
    return runs, runs[-1].n_rows


def _subject(database: Database, called: Called, asked: Asked) -> _Subject:
    source = None if asked.table is None else read_deployed(database, asked.table)
    read = asked.read
    if called.of_table and source is None:
        fix = "name one that has the model's inputs with --table"
        raise InputError("it is called with the name of a table", where=title_of(called), fix=fix)
    if not called.of_table and len(called.arguments) != len(read):
        raise InputError(
            "it takes other arguments than the model has features",
            where=title_of(called),
            got=", ".join(called.arguments) or "none",
            allowed=", ".join(read),
        )
    target = called.deployed(called.columns or _described(database, called, source))
    results, known = asked.results_of(target), asked.known
    beside = [name for name in target.columns if source is not None and name in source.columns and name not in known]
    if called.of_table and not (asked.key or beside):
        fix = "export the set anew with --id and the key of the table"
        raise InputError("no column of it names the row that it scores", where=title_of(called), fix=fix)
    what = Comparison(
        model=asked.model,
        deployed=called.name,
        source=called.name if source is None else source.name,
        columns=read,
        known=known,
        results=results,
        key=(list(asked.key) or beside) if called.of_table else [_NUMBER],
        booleans=() if source is None else in_truth_values(database, asked.model, read, source.columns),
        called=_set_call(database, called, source),
    )
    return _Subject(called, target, source, what)


def _set_call(database: Database, called: Called, source: Deployed | None) -> str:
    """The call with the table, of a function that is called so."""
    if not called.of_table or source is None:
        return ""
    return call_of(database, called, [database.literal(in_quotes(source.name))])


def _described(database: Database, called: Called, source: Deployed | None) -> dict[str, str]:
    """The columns that a macro gives, which only a call tells."""
    call = _set_call(database, called, source) or call_of(database, called, ["NULL"] * len(called.arguments))
    text = f"SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {call})"
    return dict(database.rows(text, f"asking for the columns of {spoken(called.name)}", "none"))


def _declared(database: Database, subject: _Subject) -> list[ColumnCheck]:
    """The types of arguments; nothing where the engine declares none."""
    called, what = subject.called, subject.what
    if called.of_table or not all(called.arguments.values()):
        return []
    # a truth value is read like a number, as exports with booleans declare it
    types = {name: "integer" if kind == "boolean" else kind for name, kind in called.arguments.items()}
    return source_types(what.model, subject.arguments, types, database.dialect.name)


def _edges(database: Database, subject: _Subject, trial: TrialRows, declared: Sequence[ColumnCheck]) -> EngineRun:
    """Its definition, the types of arguments and results, and calls with edge values where the types fit."""
    called, what = subject.called, replace(subject.what, booleans=())
    told = differs(database, what.model, called, subject.target, subject.arguments)
    checks = [ColumnCheck(name="definition", what="other", differing=int(bool(told)), note=told), *declared]
    checks += missing_results(what.results, what.known)
    checks += result_types({name: subject.target.columns[name] for name in what.results}, database.dialect.name)
    if any(check.differing for check in declared):
        return run_of(database, subject.target, "not called", what, checks, 0)
    target = subject.target if called.of_table else called.deployed({_NUMBER: "", **subject.target.columns})
    frame = _as_declared(trial.frame, called, subject.arguments)
    columns = on_literals(database, target, frame, partial(_over_rows, database, replace(subject, what=what)))
    expected = as_expected(evaluate(what.model, frame).frame(), what)
    checks += compare(expected, in_order(columns, what))
    return run_of(database, subject.target, "calls with edge values", what, checks, len(frame), trial=trial)


def _as_declared(frame: Any, called: Called, arguments: Mapping[str, str]) -> Any:
    """Rows in which arguments of truth values are 1 or 0."""
    frame = frame.copy()
    for feature, argument in arguments.items():
        if called.arguments.get(argument) == "boolean":
            frame[feature] = (frame[feature] > 0).astype(float).where(frame[feature].notna())
    return frame


def _over_rows(database: Database, subject: _Subject, frame: Any, first: int) -> str:
    called, what, quoted = subject.called, subject.what, database.quoted
    names = [*dict.fromkeys([*what.columns.values(), *what.key])]
    if subject.source is not None and called.of_table:
        names = list(subject.source.columns)
    tables = ",\n".join(inlined(database.exporter, _ROWS, literal_columns(database, what, names, frame, first)))
    if called.of_table:
        return f"WITH\n{tables}\nSELECT * FROM {call_of(database, called, [database.literal(_ROWS)])}"
    values = [f"r.{quoted(column)}" for column in what.columns.values()]
    kinds = called.arguments.values()
    values = [
        f"CAST({value} AS INTEGER)" if kind == "boolean" else value for value, kind in zip(values, kinds, strict=True)
    ]
    results = ", ".join([f"r.{quoted(_NUMBER)}", *(f"f.{quoted(name)}" for name in subject.target.columns)])
    call = call_of(database, called, values)
    return f"WITH\n{tables}\nSELECT {results} FROM {_ROWS} AS r CROSS JOIN LATERAL {call} AS f"


def _rows(database: Database, subject: _Subject, source: Deployed) -> EngineRun:
    """The types of the table's columns, and what calls give for its rows."""
    what = subject.what
    checks = source_types(what.model, what.columns, source.columns, database.dialect.name)
    n_rows, of_rows = compared(database, what) if subject.called.of_table else _called_for(database, subject, source)
    told = f"calls for the rows of {spoken(source.name)}"
    return run_of(database, subject.target, told, what, [*checks, *of_rows], n_rows)


def _called_for(database: Database, subject: _Subject, source: Deployed) -> tuple[int, list[ColumnCheck]]:
    """How many rows were compared, and what became of each column; a call gives one row."""
    counts, n_rows = Counter[str](), 0
    with database.transaction(reading=True):
        wanted = count_rows(database, database.quoted(source.name), source.name)
        for ours, theirs in _blocks(database, subject, source):
            n_rows += len(next(iter(ours.values())))
            for check in compare(ours, theirs):
                counts[check.name] += check.differing
    counts["rows"] = abs(wanted - n_rows)
    return n_rows, [counted(name, count) for name, count in counts.items()]


def _blocks(database: Database, subject: _Subject, source: Deployed) -> Iterator[tuple[OutputFrame, OutputFrame]]:
    what, quoted = subject.what, database.quoted
    read = inputs_sql(database, what)
    call = call_of(database, subject.called, [f"s.{quoted(column)}" for column in what.columns.values()])
    columns = [*read, *(f"f.{quoted(name)}" for name in what.results)]
    given = ", ".join(f"{each} AS c{i}" for i, each in enumerate(columns))
    text = f"SELECT {given} FROM {quoted(source.name)} AS s CROSS JOIN LATERAL {call} AS f"
    right = f"SELECT on {spoken(source.name)} and EXECUTE on {title_of(subject.called)}"
    for rows in database.blocks(text, "calling for rows", right):
        values = list(zip(*rows, strict=True))
        theirs = as_results(dict(zip(what.results, values[len(read) :], strict=True)))
        yield as_expected(said_of(what, values[: len(read)]), what), theirs
