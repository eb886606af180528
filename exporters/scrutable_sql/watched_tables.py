"""Statements that watch a table: what `scrutable monitor` counts and measures of it, beside a baseline's counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scrutable.fairness import MISSING
from scrutable.measures import HALF_A_ROW
from scrutable.model import Model, fingerprint
from scrutable.plugins.bases import Distribution, Level, Watch, WatchedOutcome
from scrutable_sql import checks, common, plans
from scrutable_sql.common import Plan
from scrutable_sql.dialects import Dialect
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Column, chunks
from scrutable_sql.quoting import literal, name, number
from scrutable_sql.render import WATCHED, Statement, laid_out

#: The columns of what comes back.
COLUMNS = (
    "measure",
    "subject",
    "level",
    "count",
    "expected",
    "share",
    "expected_share",
    "value",
    "warn",
    "alert",
    "status",
)
#: Counts in one row, as far as the engine has columns.
_COUNTS = 800


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A level as the template writes it: literals, and the rows that count."""

    place: int
    distribution: int
    measure: str
    subject: str
    level: str
    expected: str
    rows: str
    warn: str
    alert: str
    counted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """A protected attribute: its column among the results, and literals of its name and its reference."""

    number: int
    subject: str
    reference: str


def statements(model: Model, watch: Watch, header: Sequence[str], options: SQLOptions) -> dict[str, str]:
    """By what they are called: the statement that returns all figures, and the one that returns alerts alone.

    Raises
    ------
    InputError : what is to be watched is another model's.
    UnsupportedModel : names that an engine could mix up or not have.
    """
    watch.check(fingerprint(model))
    told = replace(
        options,
        ids=_columns(watch),
        **{"key": None, "new_only": False, "rising": None, "status": False, "materialized": "view"},  # type: ignore[arg-type]
    )
    wanted = list(dict.fromkeys(output for each in watch.distributions for output in each.outputs))
    plan = plans.plan_of(watch.program, wanted, told)
    checks.names(model, Plan(plan.steps, ()), told)
    of_output = {output: f"out_{i}" for i, output in enumerate(wanted, 1)}
    results = [replace(common.guarded(result, model, told), name=of_output[result.name]) for result in plan.results]
    steps = (common.inputs(model, plan.laddered, told), *plan.steps)
    statement = Statement(
        steps, [*results, *_beside(watch, told.target)], told, common.ids(told), common.readable(model, told)
    )
    checks.limits(statement)
    words = _words(watch, of_output, told)
    return {
        what: laid_out(
            "monitoring.sql.jinja",
            statement,
            [title, *watch.notes, *header],
            told,
            configured=what == "monitoring" and options.form == "dbt",
            alerts=what != "monitoring",
            ordered=options.form != "dbt" and not (what != "monitoring" and options.raising),
            raised=_raised(told) if what != "monitoring" and options.raising else "",
            **words,
        )
        for what, title in (
            ("monitoring", "Monitoring: counts, shares, indices and ratios, and what their thresholds say."),
            ("monitoring_alerts", "Alerts of monitoring: each row that comes out is one; no row is as it should be."),
        )
    }


def _columns(watch: Watch) -> tuple[str, ...]:
    """The columns of the table that are read beside features: of groups, and of the outcome."""
    groups = () if watch.groups is None else tuple(watch.groups.references)
    return groups if watch.outcome is None else (*groups, watch.outcome.column)


def _beside(watch: Watch, d: Dialect) -> Iterator[Column]:
    """The group of each row, and whether its outcome is known and bad."""
    number_of_groups = 0 if watch.groups is None else len(watch.groups.references)
    for i in range(1, number_of_groups + 1):
        yield Column(f"COALESCE(CAST(id_{i} AS {d.text}), {literal(MISSING, d)})", f"group_{i}")
    if watch.outcome is not None:
        good, bad, other = _outcomes(f"id_{number_of_groups + 1}", watch.outcome, d)
        yield Column(f"CASE WHEN {good} OR {bad} THEN 1 ELSE 0 END", "known")
        yield Column(f"CASE WHEN {bad} THEN 1 ELSE 0 END", "bad")
        yield Column(f"CASE WHEN {other} THEN 1 ELSE 0 END", "other")


def _outcomes(column: str, outcome: WatchedOutcome, d: Dialect) -> tuple[str, str, str]:
    """Whether an outcome is good, bad, and neither though it is there."""

    def called(value: str | float) -> str:
        return _same(column, literal(value, d), d) if isinstance(value, str) else f"{column} = {number(value, d)}"

    good = called(outcome.good)
    rest = f"{column} IS NOT NULL AND NOT {good}"
    if outcome.bad is None:
        return good, f"({rest})", "1 = 0"
    bad = called(outcome.bad)
    return good, bad, f"{rest} AND NOT {bad}"


def _same(one: str, other: str, d: Dialect) -> str:
    """Whether two texts are the same by code point."""
    return f"{d.categorical.value.format(one)} = {d.categorical.value.format(other)}"


def _words(watch: Watch, of_output: dict[str, str], options: SQLOptions) -> dict[str, Any]:
    """What the template needs."""
    d = options.target
    rows = list(_rows(watch.distributions, of_output, d))
    totals = [
        f"COALESCE(SUM(CASE WHEN {of_output[each.outputs[0]]} IS NULL THEN 0 ELSE 1 END), 0)"
        for each in watch.distributions
    ]
    counts = [(f"n_{row.place}", f"COALESCE(SUM(CASE WHEN {row.counted} THEN 1 ELSE 0 END), 0)") for row in rows]
    counts += [(f"m_{i}", total) for i, total in enumerate(totals, 1)]
    size = min(_COUNTS, options.target.max_columns // 2)
    groups = watch.groups
    return {
        "watched": WATCHED,
        "names": [name(each, d) for each in COLUMNS],
        "d": d,
        "rows": rows,
        "parts": chunks(rows),
        "counts": [counts[start : start + size] for start in range(0, len(counts), size)],
        "distributions": list(range(1, len(totals) + 1)),
        "half": number(HALF_A_ROW, d),
        "approved": of_output["approved"],
        "outcome": watch.outcome,
        "groups": []
        if groups is None
        else [
            _Group(number=i, subject=literal(column, d), reference=literal(reference, d))
            for i, (column, reference) in enumerate(groups.references.items(), 1)
        ],
        "judging": groups,
        "least": "" if groups is None else number(groups.least[1], d),
        "shown": "" if groups is None else number(groups.least[0], d),
        "smallest": "" if groups is None else number(groups.smallest, d),
        "text": lambda text: literal(text, d),
        "binary": d.categorical.value.format,
        "missing": literal(MISSING, d),
    }


def _rows(distributions: Sequence[Distribution], of_output: dict[str, str], d: Dialect) -> Iterator[_Row]:
    place = 0
    for i, each in enumerate(distributions, 1):
        for level in each.levels:
            place += 1
            yield _Row(
                place=place,
                distribution=i,
                measure=literal(each.measure, d),
                subject=literal(each.subject, d),
                level=literal(level.name, d) if level.name else f"CAST(NULL AS {d.text})",
                expected=_known(level.count, d.integer),
                rows=_known(each.rows, d.integer),
                warn=_known(each.warn, d.double, d),
                alert=_known(each.alert, d.double, d),
                counted=_counted(each, level, of_output),
            )


def _known(value: float | None, kind: str, d: Dialect | None = None) -> str:
    """A number of a type, or NULL of it."""
    written = "NULL" if value is None else str(value) if d is None else number(value, d)
    return f"CAST({written} AS {kind})"


def _counted(distribution: Distribution, level: Level, of_output: dict[str, str]) -> str:
    """Whether a row is in a level."""
    among = f"= {level.places[0]}" if len(level.places) == 1 else f"IN ({', '.join(map(str, level.places))})"
    return " OR ".join(f"{of_output[output]} {among}" for output in distribution.outputs)


def _raised(options: SQLOptions) -> str:
    """The expression that stops the statement with the words of an alert."""
    d = options.target
    between, around = d.concatenated
    words = [literal("alert: ", d), "measure", literal(" of ", d), "subject"]
    words += [literal(" is ", d), f"COALESCE(CAST(figure AS {d.text}), CAST(n AS {d.text}))"]
    return d.raising.format(message=around.format(between.join(words)))
