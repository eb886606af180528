"""What a statement begins and ends with: reading the columns, and the results."""

from __future__ import annotations

from dataclasses import dataclass

from scrutable.model import Feature, Model, features_read, fingerprint
from scrutable.model.program import INPUTS
from scrutable.plugins import heading_lines
from scrutable_sql import dbt
from scrutable_sql.dialects import Dialect, Reading
from scrutable_sql.options import FINGERPRINT, VERSION, SQLOptions
from scrutable_sql.query import Case, Column, Rung, Step
from scrutable_sql.quoting import comment, inner, literal, name

#: The column that says whether the values can be read.
READABLE = "readable"
#: The results that say how usual a row's inputs are: in words, and in whole numbers.
STATUS, *COUNTS = INPUTS


@dataclass(frozen=True, slots=True)
class Result:
    """A column of the result: its name, unquoted, its value, what it is, in words, and its type if it is cast."""

    name: str
    expression: str | Case
    about: str = ""
    cast: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps after `inputs`, and the results in the order of `Evaluation.frame()`.

    Parameters
    ----------
    laddered : features that nothing but ladders asks for, which take NaN for missing themselves.
    """

    steps: tuple[Step, ...]
    results: tuple[Result, ...]
    laddered: frozenset[str] = frozenset()


def input_name(feature: str, dialect: Dialect) -> str:
    """The column of the step `inputs` that holds a feature."""
    return inner(f"x_{feature}", dialect)


def inputs(model: Model, laddered: frozenset[str], options: SQLOptions) -> Step:
    """Read each column once: numbers as doubles, NaN and NULL as missing, texts binary."""
    d = options.target
    columns = []
    for feature in features_read(model):
        reading = _reading(feature, options)
        value = reading.with_nan if feature.name in laddered and reading.with_nan else reading.value
        columns.append(
            Column(value.format(_column(feature, options)), input_name(feature.name, d), "", _about(feature))
        )
    return Step("inputs", "the columns that the model reads; NULL is missing", tuple(columns))


def ids(options: SQLOptions) -> tuple[Column, ...]:
    """The identifiers, as they are."""
    d = options.target
    return tuple(Column(d.column.format(name(text, d)), f"id_{i}") for i, text in enumerate(options.ids, 1))


def readable(model: Model, options: SQLOptions) -> Column:
    """Whether the values are of the kinds that the model reads; else 0 or, for the status, less the column's number."""
    d, rungs = options.target, []
    table = dbt.relation(options) if options.form != "set" or d.calling_table is None else d.calling_table[1]
    told = d.kind is not None and not options.called  # arguments are of their declared types
    for i, feature in enumerate(features_read(model) if told else (), 1):
        kinds = ", ".join(literal(kind, d) for kind in _reading(feature, options).kinds)
        kind = str(d.kind).format(column=_column(feature, options), table=table)
        rungs.append(Rung(f"{kind} NOT IN ({kinds})", f"-{i}" if options.status else "0"))
    value = Case(tuple(rungs), "1") if rungs else "1"
    return Column(value, READABLE, note="whether the values are of the kinds read; no results otherwise")


def guarded(result: Result, model: Model, options: SQLOptions) -> Column:
    """A result, NULL where the inputs cannot be read; the status says which of them that is."""
    d = options.target
    rungs = [Rung(f"{READABLE} = 1", result.expression)]
    if result.name == STATUS and d.kind is not None:
        for i, feature in enumerate(features_read(model), 1):
            told = f"not scored: {options.column(feature.name)} is not {feature.kind}"
            rungs.append(Rung(f"{READABLE} = -{i}", literal(told, d)))
    return Column(Case(tuple(rungs)), name(result.name, d), d.integer if result.name in COUNTS else result.cast)


def marks(model: Model, options: SQLOptions) -> list[Column]:
    """The columns that say which model decided, and which version that is."""
    d = options.target
    values = {VERSION: f"CAST({options.version} AS {d.integer})", FINGERPRINT: literal(fingerprint(model), d)}
    return [Column(values[mark], name(mark, d)) for mark in options.marks]


def heading(model: Model, options: SQLOptions) -> list[str]:
    """What stands at the top of the file."""
    subject, *further = heading_lines(model)
    return [subject, options.target.heading, *further]


def _column(feature: Feature, options: SQLOptions) -> str:
    return options.target.column.format(name(options.column(feature.name), options.target))


def _reading(feature: Feature, options: SQLOptions) -> Reading:
    return options.target.reading("boolean" if feature.name in options.booleans else feature.kind)


def _about(feature: Feature) -> str:
    if not feature.special_codes:
        return comment(feature.label)
    codes = ", ".join(map(repr, feature.special_codes))
    return comment(f"{feature.title}; special codes {codes}")
