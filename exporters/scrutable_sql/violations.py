"""Statements that tell what is wrong with a table: a row for each violation, and none where all is well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scrutable.model import Feature, Missing, Model, features_read
from scrutable.model.program import OUT_OF_RANGE_IN, UNSEEN_IN, lowered
from scrutable_sql import common, dbt, plans
from scrutable_sql.dialects import Dialect
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Column, Step, chunks
from scrutable_sql.quoting import literal, name, number
from scrutable_sql.render import Statement, laid_out

#: The columns of what is told.
COLUMNS = ("check", "column", "count", "allowed", "fix")
_DECISIONS = ("approved", "predicted", "score")


@dataclass(frozen=True, slots=True)
class Violation:
    """What may be wrong: literals, the rows that count, the share of all rows that may be so, and whether all must.

    Without rows that count it is that the table has none.
    """

    what: str
    column: str
    allowed: str
    fix: str
    counted: str = ""
    share: str = "0"
    everywhere: bool = False


def check_of_rows(model: Model, header: Sequence[str], options: SQLOptions) -> str:
    """The statement that scores the table, and counts rows without a score and unusual inputs, column by column.

    A table without rows is a violation, too, as after a load that failed.

    Inputs that are missing in all rows, as after a load that failed, and those that were never missing in the fit, are
    unusual too.
    """
    told = replace(options, ids=(), key=None, new_only=False, rising=None, status=True)
    program = lowered(model)
    decision = next(each for each in _DECISIONS if each in program.results)
    unusual = _unusual(program.names, model)
    features = features_read(model)
    plan = plans.plan_of(program, [decision, *unusual], told)
    results = [Column(common.READABLE, "flag_0")]
    for i, result in enumerate(plan.results, 1):
        guarded = common.guarded(result, model, told)
        results.append(replace(guarded, name=f"flag_{i}"))
    results += [_missing(i, feature, told) for i, feature in enumerate(features, 1)]
    steps = (common.inputs(model, frozenset(), told), *_handing_on(plan.steps, features, told))
    statement = Statement(steps, results, told, common.ids(told), common.readable(model, told))
    violations = [*_scoring(model, decision, told), *_inputs(unusual, told), *_lacking(model, told)]
    return laid_out(
        "check_of_rows.sql.jinja",
        statement,
        ["Check of the rows: each row that comes out is a violation; no row is as it should be.", *header],
        options,
        violations=violations,
        parts=chunks(list(enumerate(violations, 1))),
        **_told(options),
    )


def check_of_columns(model: Model, header: Sequence[str], options: SQLOptions) -> str | None:
    """The statement that reads the catalogue alone: columns that are missing, and types that cannot be read.

    None where no statement of the dialect tells the columns of a table.
    """
    d, catalogue = options.target, options.target.catalogue
    if catalogue is None:
        return None
    table, schema, relation = dbt.relation_in_words(options)
    fold = "LOWER({})" if catalogue.folded else "{}"
    of_kind = {"numeric": "numbers", "categorical": "texts", "boolean": "truth values"}
    features = [(options.column(each.name), _kind(each.name, each.kind, options)) for each in features_read(model)]
    return laid_out(
        "check_of_columns.sql.jinja",
        None,
        ["Check of the columns: each row that comes out is a violation; no row is as it should be.", *header],
        options,
        engine=d,
        catalogue=catalogue,
        source=catalogue.source.format(table=table, schema=schema or catalogue.current, relation=relation),
        same=f"{fold.format('needed.name')} = {fold.format('there.name')}",
        parts=chunks([(literal(column, d), literal(kind, d)) for column, kind in features]),
        types=[
            (literal(kind, d), [literal(word, d) for word in catalogue.words(kind)], literal(f"a type of {words}", d))
            for kind, words in of_kind.items()
        ],
        short=[literal(word, d) for word in catalogue.short],
        missing=literal("missing column", d),
        wrong=_together([literal("type that cannot be read: ", d), "shown"], d),
        loses=_together([literal("type that loses digits: ", d), "shown"], d),
        whole=literal("a type of 64 bits", d),
        add=literal("add it to the table, or name the column that holds it in columns=", d),
        cast=literal("convert the column in a view, and let the statement read that", d),
        widen=literal("store the numbers as they were received in a type of 64 bits; values near a cut differ", d),
        there=literal("in the table", d),
        **_told(options),
    )


def _told(options: SQLOptions) -> dict[str, Any]:
    """How violations are told: as rows, or by an error."""
    d = options.target
    told = [literal("check failed: ", d), "what", literal(", column ", d), "col", literal(": ", d)]
    raised = d.raising.format(message=_together([*told, f"CAST(n AS {d.text})"], d))
    return {"names": [name(each, d) for each in COLUMNS], "raised": raised if options.raising else ""}


def _together(parts: Sequence[str], d: Dialect) -> str:
    between, around = d.concatenated
    return around.format(between.join(parts))


def _kind(feature: str, kind: str, options: SQLOptions) -> str:
    return "boolean" if feature in options.booleans else kind


def _unusual(names: Sequence[str], model: Model) -> dict[str, tuple[str, str]]:
    """By name of an output that tells an unusual input, its feature and what it is."""
    told = {UNSEEN_IN: "unseen category", OUT_OF_RANGE_IN: "number out of range"}
    by_name = {
        f"{prefix}{feature.name}": (feature.name, what)
        for feature in features_read(model)
        for prefix, what in told.items()
    }
    return {each: by_name[each] for each in names if each in by_name}


def _missing(number: int, feature: Feature, options: SQLOptions) -> Column:
    """Whether an input is missing in a row that can be read."""
    value = common.input_name(feature.name, options.target)
    return Column(f"CASE WHEN {common.READABLE} = 1 AND {value} IS NULL THEN 1 ELSE 0 END", f"missing_{number}")


def _handing_on(steps: Sequence[Step], features: Sequence[Feature], options: SQLOptions) -> list[Step]:
    """Steps that hand on all inputs, which the results read."""
    names = [common.input_name(feature.name, options.target) for feature in features]
    return [replace(step, kept=tuple(dict.fromkeys([*names, *step.kept]))) for step in steps]


def _never_missing(model: Model) -> set[str]:
    """Features that no row of the fit lacked, as far as the statistics of the model's attributes say so."""
    counts: dict[str, list[float]] = {}
    for part in model.parts:
        for characteristic in getattr(part, "characteristics", ()):
            for attribute in characteristic.attributes:
                known = attribute.statistics
                if isinstance(attribute.condition, Missing) and known is not None:
                    counts.setdefault(characteristic.feature, []).append(known.count)
    return {feature for feature, rows in counts.items() if not any(rows)}


def _lacking(model: Model, options: SQLOptions) -> Iterator[Violation]:
    d, never = options.target, _never_missing(model)
    none, some = literal("not all rows", d), literal(_tolerated(options), d)
    fix = literal("look whether its load or join failed; `scrutable fit --refuse-missing` declines such rows", d)
    for i, feature in enumerate(features_read(model), 1):
        column, counted = literal(options.column(feature.name), d), f"missing_{i} = 1"
        yield Violation(literal("missing, in all rows", d), column, none, fix, counted, everywhere=True)
        if feature.name in never:
            what, share = literal("missing; never missing in the fit", d), number(options.tolerated, d)
            yield Violation(what, column, some, fix, counted, share)


def _tolerated(options: SQLOptions) -> str:
    return f"{options.tolerated:g} of the rows" if options.tolerated else "0"


def _scoring(model: Model, decision: str, options: SQLOptions) -> Iterator[Violation]:
    d = options.target
    none = literal("0", d)
    load = literal("look whether its load, or the view that it is, lost the rows", d)
    yield Violation(literal("the table has no rows", d), literal(decision, d), literal("1 or more", d), load)
    fix = literal("look at what else is told, here and of the columns", d)
    yield Violation(literal("row without a score", d), literal(decision, d), none, fix, "flag_1 IS NULL")
    for i, feature in enumerate(features_read(model) if d.kind is not None else (), 1):
        told = f"value that is not {_kind(feature.name, feature.kind, options)}"
        fix = literal("convert the column in a view, and let the statement read that", d)
        yield Violation(literal(told, d), literal(options.column(feature.name), d), none, fix, f"flag_0 = -{i}")


def _inputs(unusual: dict[str, tuple[str, str]], options: SQLOptions) -> Iterator[Violation]:
    d = options.target
    allowed = literal(_tolerated(options), d)
    fixes = {
        "unseen category": "correct it, or map it to a category that the model knows",
        "number out of range": "correct unit, sign or code; or decide such rows by hand",
    }
    for i, (feature, what) in enumerate(unusual.values(), 2):
        column, fix = literal(options.column(feature), d), literal(fixes[what], d)
        yield Violation(literal(what, d), column, allowed, fix, f"flag_{i} = 1", number(options.tolerated, d))
