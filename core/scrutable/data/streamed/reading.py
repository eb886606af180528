"""Check everything that `fit` is given where the rows come in batches: what it refuses and tells of rows in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.data.assumed_outcome import warn_of_assumed
from scrutable.data.features import Feature, Kind, Value
from scrutable.data.frames import Column, Table
from scrutable.data.groups import Groups
from scrutable.data.inputs import read_columns, refuse_unknown_names, refuse_unsuitable
from scrutable.data.outcome import Outcome
from scrutable.data.protected import refuse_named, refuse_teller, refuse_unknown
from scrutable.data.sample_weights import refuse_weightless
from scrutable.data.source import Source
from scrutable.data.streamed.cell_totals import CellTotals
from scrutable.data.streamed.counting import Cells
from scrutable.data.streamed.roles import Lookup, Roles
from scrutable.data.streamed.rows import StreamedRows
from scrutable.data.streamed.survey import NumberSurvey, Survey
from scrutable.data.suspects import warn_of_suspects
from scrutable.data.targets import read_classes
from scrutable.data.value_counts import ValueCounts
from scrutable.errors import InputError, did_you_mean

#: Rows by which the values of a column are shown to who looks at one column after another.
_SHOWN = 200_000
#: Numbers below this that have no fraction are whole numbers to the last digit.
_WHOLE = 2.0**53

Ints = NDArray[np.int64]


def read_streamed(
    source: Source,
    y: str,
    *,
    sensitive_features: str | Sequence[str] | None,
    sample_weight: str | None,
    codes_of: Mapping[str, Sequence[Value]] | Sequence[Value],
    categorical: Iterable[str],
    favourable: Any,
    allow_protected: Sequence[str],
    reference_groups: Mapping[str, str] | None,
) -> StreamedRows:
    """Training rows of two classes that live in a source; errors and warnings as of `scrutable.data.read_training`.

    Parameters
    ----------
    y, sensitive_features, sample_weight : names of columns; all others are inputs.
    codes_of : special codes by column, or a list for every column that holds them.
    """
    protected = _names(sensitive_features, "sensitive_features", source)
    _names(y, "y", source)
    _names(sample_weight, "sample_weight", source)
    beside = {y, sample_weight, *protected}
    inputs = [name for name in source.names if name not in beside]
    refuse_unknown_names(categorical, inputs, "categorical")
    given = codes_of if isinstance(codes_of, Mapping) else dict.fromkeys(inputs, codes_of)
    survey = Survey(source, source.names, given, protected)
    levels = read_columns(_levels(survey, inputs), partial(_refuse_unsuitable, survey))
    outcome, classes, lookup = _outcome(survey, y, favourable)
    roles = Roles.of(survey, lookup, protected, sample_weight)
    codes = {name: _held(survey, name, given.get(name, ()), named=isinstance(codes_of, Mapping)) for name in inputs}
    features = tuple(_feature(levels[name], codes[name]) for name in inputs)
    totals, groups = _totals(source, roles, outcome, reference_groups)
    refuse_weightless(totals.by_class)
    rows = StreamedRows(
        source,
        roles,
        survey,
        totals,
        features=features,
        columns=levels,
        groups=groups,
        outcome=outcome,
        classes=classes,
    )
    _refuse_tellers(rows, allow_protected)
    measured = (_shown(rows.counts(each), survey.n_rows) for each in features if each.name not in categorical)
    warn_of_suspects(measured, codes, together=False)
    if favourable is None:
        warn_of_assumed(outcome, float(rows.by_outcome[1, 1] / rows.every.weight))
    return rows


def _names(given: str | Sequence[str] | None, option: str, source: Source) -> tuple[str, ...]:
    """The columns that an option names."""
    names = () if given is None else (given,) if isinstance(given, str) else tuple(given)
    for name in names:
        if not isinstance(name, str) or name not in source.names:
            raise InputError(
                "of rows that are not in memory, it is said by the name of a column",
                where=option,
                got=name if isinstance(name, str) else type(name).__name__,
                allowed=", ".join(map(repr, source.names)),
                fix=did_you_mean(name, source.names) if isinstance(name, str) else "name the column",
            )
    return names


def _levels(survey: Survey, names: Sequence[str]) -> Table:
    """Each value of a column, or each bucket of values, once."""
    return Table(0, {name: partial(_values, survey, name) for name in names})


def _values(survey: Survey, name: str) -> Column:
    return survey.columns[name].values()[0]


def _refuse_unsuitable(survey: Survey, column: Column) -> None:
    missing = survey.columns[column.name].n_missing
    refuse_unsuitable(column, survey.n_rows - missing, missing)


def _shown(counts: ValueCounts, n_rows: int) -> Column:
    """The values of a column row by row, in the order of the values; of many rows fewer, in proportion."""
    rows, most = counts.rows.sum(axis=1), max(1.0, n_rows / _SHOWN)
    repeated = np.repeat(np.arange(len(rows)), np.maximum(1, (rows / most).astype(np.int64)))
    return counts.column.take(repeated)


def _outcome(survey: Survey, y: str, favourable: Any) -> tuple[Outcome, NDArray[Any], Lookup]:
    """The classes, and the class of each value of the column."""
    levels, rows = survey.columns[y].values()
    values = levels.values
    number = levels.kind == "numeric"
    for what, wrong in (("NaN", levels.missing), ("infinity", number and np.isinf(values))):
        if np.any(wrong):
            raise InputError(
                f"Input y contains {what}",
                where="y",
                got=f"{rows[wrong].sum()} rows without an outcome",
                allowed="an outcome in every row",
                fix="leave these rows out",
            )
    if number and (np.abs(values) < _WHOLE).all() and (values == np.trunc(values)).all():
        values = values.astype(np.int64)
    outcome, classes, label = read_classes(pd.Series(values, name=y), favourable, multi_class=False)
    return outcome, classes, Lookup(y, levels, label)


def _held(survey: Survey, name: str, codes: Iterable[Value], *, named: bool) -> tuple[Value, ...]:
    """The special codes of a column: those that are named for it, or those of a list that it holds."""
    if named:
        return tuple(codes)
    column = survey.columns[name]
    if isinstance(column, NumberSurvey):
        return tuple(code for code in codes if not isinstance(code, str) and column.holds(float(code)))
    texts = set(column.values()[0].values.tolist())
    return tuple(code for code in codes if isinstance(code, str) and code in texts)


def _feature(column: Column, codes: Sequence[Value]) -> Feature:
    kind: Kind = "numeric" if column.kind == "numeric" else "categorical"
    return Feature(name=column.name, kind=kind, special_codes=tuple(codes))


def _totals(
    source: Source, roles: Roles, outcome: Outcome, references: Mapping[str, str] | None
) -> tuple[CellTotals, Groups | None]:
    """Sums by class and group, and the groups, of which each cell is one row."""
    shape = (len(outcome.classes), *(len(labels) for labels in roles.labels.values()))
    bare = Cells(shape=shape, favourable=outcome.favourable_index, attributes=(), unit=None)
    if not roles.labels:
        if references:
            raise InputError(
                "there are no groups to compare",
                where="reference_groups",
                got=dict(references),
                fix="give the protected attributes, or leave it out",
            )
        return CellTotals.of(source, roles, bare), None
    totals = CellTotals.of(source, roles, bare)
    rows = totals.everyone.rows()[0]
    there = np.nonzero(rows)
    codes = dict(zip(roles.labels, there[1:], strict=True))
    groups = Groups.from_codes(codes, roles.labels, reference=references, count=rows[there].astype(np.intp))
    cells = Cells(shape=shape, favourable=bare.favourable, attributes=groups.attributes, unit=totals.cells.unit)
    return totals.with_cells(cells), groups


def _refuse_tellers(rows: StreamedRows, allowed: Sequence[str]) -> None:
    """Refuse inputs that are a protected attribute, or tell one."""
    passing = refuse_unknown(rows.columns, allowed)
    if rows.groups is None:
        return
    judged = [feature for feature in rows.features if feature.name not in passing]
    refuse_named([feature.name for feature in judged], rows.groups)
    for feature in judged:
        counts = rows.counts(feature)
        for attribute in rows.groups.attributes:
            known = [attribute.labels.index(label) for label in attribute.known]
            by_group = counts.rows_by_group(attribute)[:, known]
            refuse_teller(feature.name, attribute.name, counts.column, counts.rows.sum(axis=1), by_group)
