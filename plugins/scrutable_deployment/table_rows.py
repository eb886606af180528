"""The rows of a table beside what is deployed, each by its key, in blocks; only counts of them are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from scrutable.model import Model, features_read
from scrutable.model.evaluator import OutputFrame, evaluate, kind_of
from scrutable.proof import ColumnCheck, compare, what_of
from scrutable_deployment.database import Database
from scrutable_deployment.names import Named, spoken
from scrutable_deployment.table_checks import count_rows, rows_by_key

_COUNTED = "counted only, since they are applicants"
_DECISIONS = {"approved": 1, "declined": 0}
#: Of a row that cannot be read, by the kind of its results.
_NOTHING: dict[str, Any] = {"f": np.nan, "i": -1, "O": np.array(None)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What is deployed, the table whose rows it scores, and how both are read.

    Parameters
    ----------
    columns : column of the table by feature.
    known : the results of the model. results : columns of what is deployed that are among them.
    key : columns that name a row, in both.
    booleans : numeric features in columns of truth values that the dialect reads in their own way.
    of_declined : whether reasons are those of declined rows alone.
    called : the call that stands for what is deployed where that is a function of the table; else its name does.
    """

    model: Model
    deployed: Named
    source: Named
    columns: Mapping[str, str]
    known: Sequence[str]
    results: Sequence[str]
    key: Sequence[str]
    booleans: Sequence[str] = ()
    of_declined: bool = False
    called: str = ""

    def deployed_sql(self, database: Database) -> str:
        """What is deployed, as it stands after FROM."""
        return self.called or database.quoted(self.deployed)

    @property
    def own_results(self) -> set[str]:
        """The results as the evaluator calls them."""
        return {_own(name) for name in self.results}


def compared(database: Database, what: Comparison) -> tuple[int, list[ColumnCheck]]:
    """How many rows were compared, and what became of each column; one state of the tables is read throughout.

    Raises
    ------
    InputError : the user lacks SELECT on one of both.
    """
    with database.transaction(reading=True):
        checks = _of_rows(database, what)
        n_rows, counts = 0, dict.fromkeys(map(_own, what.results), 0)
        for ours, theirs in _blocks(database, what):
            n_rows += len(next(iter(ours.values())))
            for check in compare(ours, theirs):
                counts[check.name] = counts.get(check.name, 0) + check.differing
    checks += [counted(name, count) for name, count in counts.items()]
    return n_rows, checks


def as_results(columns: Mapping[str, Sequence[Any]]) -> OutputFrame:
    """Columns of a driver as the evaluator's: NULL is NaN, None, or in decisions -1, which no decision is.

    Where a decision stands in two columns that say different things, it is -1, too.

    >>> as_results({"approved": [1, 1], "decision": ["approved", "declined"]})["approved"].tolist()
    [1, -1]
    """
    results: dict[str, np.ndarray[Any, Any]] = {}
    for name, values in columns.items():
        own, column = _own(name), _column(name, values)
        results[own] = np.where(column == results[own], column, -1) if own in results else column
    return OutputFrame(results)


def as_expected(frame: OutputFrame, what: Comparison) -> OutputFrame:
    """What the model says, of the columns that are deployed."""
    told = {name: values for name, values in frame.items() if name in what.own_results}
    if what.of_declined:
        told |= {
            name: np.where(frame["approved"] == 0, values, np.array(None))
            for name, values in told.items()
            if name.startswith("reason_")
        }
    return OutputFrame(told)


def results_among(columns: Sequence[str], known: Sequence[str]) -> list[str]:
    """The columns that are results of a model that gives the `known` ones.

    >>> results_among(["id", "score", "decision", "model_version"], ["score", "approved"])
    ['score', 'decision']
    """
    return [name for name in columns if _own(name) in known]


def missing_results(results: Sequence[str], known: Sequence[str]) -> list[ColumnCheck]:
    """Score and decision, which anything deployed has, where they are not there."""
    have = {_own(name) for name in results}
    needed = [name for name in ("score", "approved", "predicted") if name in known and name not in have]
    return [ColumnCheck(name=name, what="rows", differing=1, note="there is no such column") for name in needed]


def _own(name: str) -> str:
    """What the evaluator calls a column."""
    return "approved" if name == "decision" else name


def _column(name: str, values: Sequence[Any]) -> np.ndarray[Any, Any]:
    if name == "decision":
        return np.array([_DECISIONS.get(value, -1) for value in values], dtype=np.int64)
    kind = kind_of(name)
    if kind is np.int64:
        return np.array([int(value) if _is_whole(value) else -1 for value in values], dtype=np.int64)
    if kind is np.float64:
        return np.array([float(value) if _is_number(value) else np.nan for value in values], dtype=float)
    return np.array(values, dtype=object)


def _is_number(value: Any) -> bool:
    """Whether a value is a number, which a column that was changed may no longer give; NaN is none."""
    return isinstance(value, int | float | Decimal) and value == value


def _is_whole(value: Any) -> bool:
    """Whether a value is a whole number, and no larger than a double tells exactly."""
    return _is_number(value) and abs(value) <= 2**53 and value == int(value)


def _of_rows(database: Database, what: Comparison) -> list[ColumnCheck]:
    """Keys that name no row or several, and rows on one side only."""
    n_source = rows_by_key(database, what.source, what.key)
    n_deployed = count_rows(database, what.deployed_sql(database), what.deployed)
    more = abs(n_deployed - n_source)
    note = f"{n_source:,} rows in the table, {n_deployed:,} deployed"
    return [ColumnCheck(name="rows", what="rows", differing=more, note=note if more else "")]


def _blocks(database: Database, what: Comparison) -> Iterator[tuple[OutputFrame, OutputFrame]]:
    """What the model says of blocks of rows, and what is deployed."""
    width = len(features_read(what.model)) + 1
    right = f"SELECT on {spoken(what.source)} and {spoken(what.deployed)}"
    given = [f"d.{database.quoted(name)}" for name in what.results]
    text = joined(database, what, given, what.deployed_sql(database))
    for rows in database.blocks(text, "comparing rows", right):
        columns = list(zip(*rows, strict=True))
        theirs = as_results(dict(zip(what.results, columns[width:], strict=True)))
        yield as_expected(said_of(what, columns[:width]), what), theirs


def said_of(what: Comparison, columns: Sequence[Sequence[Any]]) -> OutputFrame:
    """What the model says of rows, by the columns of `inputs_sql` of a query: nothing of those that are not read."""
    *given, readable = columns
    inputs = {
        feature.name: np.array(values, dtype=float if feature.kind == "numeric" else object)
        for feature, values in zip(features_read(what.model), given, strict=True)
    }
    frame = evaluate(what.model, inputs).frame()
    unread = np.array(readable) == 0
    if not unread.any():
        return frame
    return OutputFrame({name: np.where(unread, _NOTHING[values.dtype.kind], values) for name, values in frame.items()})


def joined(database: Database, what: Comparison, given: Sequence[str], deployed: str) -> str:
    """A query of the inputs of each row of the table, cast as the exported text casts them, and of what is deployed.

    Parameters
    ----------
    given : columns of what is deployed, which is called d. deployed : a table, or a query in brackets, with the key.
    """
    read = inputs_sql(database, what)
    on = " AND ".join(f"s.{key} = d.{key}" for key in map(database.quoted, what.key))
    names = [f"{each} AS c{i}" for i, each in enumerate([*read, *given])]
    return f"SELECT {', '.join(names)} FROM {database.quoted(what.source)} AS s LEFT JOIN {deployed} AS d ON {on}"


def inputs_sql(database: Database, what: Comparison) -> list[str]:
    """The inputs of a row of the table, which is called s, cast as the exported text casts them; last, 1 if it is read.

    A value of another kind than its column is one in SQLite alone, whose values have types of their own; elsewhere the
    types of columns tell it.
    """
    d, read, unlike = database.dialect, [], []
    for feature in features_read(what.model):
        column = f"s.{database.quoted(what.columns.get(feature.name, feature.name))}"
        value = column
        if feature.name in what.booleans:
            value = d.reading("boolean").value.format(column)
        elif feature.kind == "numeric":
            value = f"CAST({column} AS {d.double})"
        if d.name == "sqlite":
            kinds = ", ".join(map(database.literal, d.reading(feature.kind).kinds))
            unlike.append(f"{d.kind.format(column=column, table='s')} NOT IN ({kinds})")
            value = f"CASE WHEN NOT {unlike[-1]} THEN {value} END"
        read.append(value)
    return [*read, f"CASE WHEN {' OR '.join(unlike)} THEN 0 ELSE 1 END" if unlike else "1"]


def counted(name: str, count: int) -> ColumnCheck:
    """A column of which so many rows differ, none of which is told."""
    return ColumnCheck(name=name, what=what_of(name), differing=count, note=_COUNTED if count else "")
