"""What the statements of all kinds of model share: reading the inputs, knock-outs, sums, probability and decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrutable.model import CLAMP, Calibration, Characteristic, Feature, Model, Policy, SingleModel, features_read
from scrutable.plugins import heading_lines
from scrutable_sql import dbt
from scrutable_sql.conditions import conjunction, input_name, ladder
from scrutable_sql.dialects import Dialect
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import CHUNK, Case, Column, Rung, Step, Sum, chunks, joined
from scrutable_sql.quoting import comment, literal, name, number

#: What the step says that holds `linear`.
CALIBRATED = "the linear predictor of the probability"


@dataclass(frozen=True, slots=True)
class Result:
    """A column of the result: its name, unquoted, its value, and what it is, in words."""

    name: str
    expression: str | Case
    about: str = ""


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


def inputs(model: Model, laddered: frozenset[str], options: SQLOptions) -> Step:
    """Read each column once: identifiers as they are, numbers as doubles, NaN and NULL as missing, texts binary."""
    d = options.target
    columns = [Column(d.column.format(name(column, d)), f"id_{i}") for i, column in enumerate(options.ids, 1)]
    rungs = []
    for feature in features_read(model):
        x = d.column.format(name(options.column(feature.name), d))
        reading = d.reading("boolean" if feature.name in options.booleans else feature.kind)
        value = reading.with_nan if feature.name in laddered and reading.with_nan else reading.value
        columns.append(Column(value.format(x), input_name(feature.name, d), note=_about(feature)))
        if d.kind is not None:
            kinds = ", ".join(literal(kind, d) for kind in reading.kinds)
            kind = d.kind.format(column=x, table=dbt.relation(options))
            rungs.append(Rung(f"{kind} NOT IN ({kinds})", "0"))
    readable = Case(tuple(rungs), "1") if rungs else "1"
    columns.append(Column(readable, "readable", note="whether the values are of the kinds read; no results otherwise"))
    return Step("inputs", "the columns that the model reads; NULL is missing", tuple(columns))


def guarded(result: Result, options: SQLOptions) -> Column:
    """A result, NULL where the inputs cannot be read."""
    return Column(Case((Rung("readable = 1", result.expression),)), name(result.name, options.target))


def knock_out(policy: Policy, features: dict[str, Feature], d: Dialect) -> Column:
    """The code of the first knock-out that applies."""
    rungs = tuple(
        Rung(conjunction(rule.when, features, d), literal(rule.code, d), comment(rule.reason))
        for rule in policy.knock_outs
    )
    return Column(Case(rungs) if rungs else "NULL", "knock_out", cast=d.text)


def sums(terms: Sequence[str | Case], prefix: str, d: Dialect, note: str = "") -> list[Column]:
    """Columns that each add up a chunk of the terms; all of them added up are the sum."""
    zero = f"CAST(0 AS {d.double})"
    return [Column(Sum(zero, tuple(chunk)), f"{prefix}_{i}", note=note) for i, chunk in enumerate(chunks(terms), 1)]


def total(start: str, columns: Sequence[Column]) -> str:
    """A number and the columns of `sums`, added up."""
    return joined([start, *(column.name for column in columns)], " + ")


def score(start: float, terms: Sequence[str], note: str, d: Dialect) -> tuple[list[Column], Column]:
    """A number and columns, added up: in parts, which are columns too, where they are many."""
    base = f"CAST({number(start, d)} AS {d.double})"
    parts = sums(terms, "sum", d) if len(terms) > CHUNK else []
    return parts, Column(total(base, parts) if parts else Sum(base, tuple(terms)), "score", note=note)


def points(item: Characteristic, feature: Feature, name: str, note: str, d: Dialect) -> Column:
    """The points of a characteristic, by a ladder of its attributes."""
    conditions = [attribute.condition for attribute in item.attributes]
    values = [number(attribute.points, d) for attribute in item.attributes]
    notes = [comment(title) for title in item.titles]
    return Column(ladder(feature, conditions, values, notes, d), name, cast=d.double, note=comment(note))


def linear(calibration: Calibration, d: Dialect) -> Column:
    """The linear predictor, from the column `score`."""
    return Column(f"{number(calibration.intercept, d)} + {number(calibration.slope, d)} * score", "z", cast=d.double)


def probability(calibration: Calibration) -> str:
    """The probability of the favourable class, from the column `z`."""
    if calibration.link == "identity":
        return "CASE WHEN z <= 0 THEN 0.0 WHEN z >= 1 THEN 1.0 ELSE z END"
    low = int(CLAMP)
    return f"1.0 / (1.0 + EXP(-CASE WHEN z < -{low} THEN -{low} WHEN z > {low} THEN {low} ELSE z END))"


def decision(cutoff: float, d: Dialect) -> str:
    """1 for the favourable decision, from the columns `score` and `knock_out`."""
    return f"CASE WHEN score >= {number(cutoff, d, compared=True)} AND knock_out IS NULL THEN 1 ELSE 0 END"


def decided(model: SingleModel, probability: str, d: Dialect) -> list[Result]:
    """The results of every model for two classes."""
    assert model.cutoff is not None
    good = model.outcome.favourable
    return [
        Result("score", "score", f"points to the favourable class {good!r}"),
        Result("probability", probability, f"probability of the favourable class {good!r}"),
        Result(
            "approved", decision(model.cutoff, d), f"1 if the score is at least {model.cutoff!r}, no knock-out; else 0"
        ),
        Result("knock_out", "knock_out", "code of the first knock-out that applies"),
    ]


def heading(model: Model, options: SQLOptions) -> list[str]:
    """What stands at the top of the file."""
    subject, *further = heading_lines(model)
    return [subject, options.target.heading, *further]


def _about(feature: Feature) -> str:
    if not feature.special_codes:
        return comment(feature.label)
    codes = ", ".join(map(repr, feature.special_codes))
    return comment(f"{feature.title}; special codes {codes}")
