"""Statements that watch a table: what `scrutable monitor` counts and measures of it, beside a baseline's counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scrutable.fairness import MISSING, RatioKind
from scrutable.measures import HALF_A_ROW
from scrutable.model import Model, fingerprint
from scrutable.plugins.bases import Distribution, Level, Watch, WatchedOutcome
from scrutable_sql import checks, common, plans
from scrutable_sql.common import Plan
from scrutable_sql.dialects import Dialect
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Column, chunks
from scrutable_sql.quoting import comment, literal, name, number
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
#: The dialects in whose engines the tests run these statements.
_RUN = ("duckdb", "sqlite", "postgres", "mariadb", "mysql", "clickhouse")
#: What is told of each group, and last of all of them.
_MEASURES = (
    "group",
    "approval rate",
    "bad rate",
    "bad rate among approved",
    "adverse impact ratio",
    "four-fifths ratio",
)
#: Which of these is held against the threshold, by the ratio that is chosen.
_JUDGED: dict[RatioKind, str] = {"adverse-impact": "adverse impact ratio", "four-fifths": "four-fifths ratio"}
#: Counts in one row, as far as the engine has columns.
_COUNTS = 800


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A level: what it is called, which rows are in it, how many of the baseline are, and whether there may be any.

    Where a level is `needed`, the table must have rows.
    """

    measure: str
    subject: str
    level: str
    counted: str
    expected: int | None = None
    failing: bool = False
    needed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Section:
    """Levels that are shares of the same rows."""

    whole: str
    lines: tuple[_Line, ...]
    expected: int | None = None
    warn: float | None = None
    alert: float | None = None


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
    results = [
        replace(common.guarded(result, model, told), name=of_output[result.name], note=comment(result.name))
        for result in plan.results
    ]
    steps = (common.inputs(model, plan.laddered, told), *plan.steps)
    statement = Statement(
        steps, [*results, *_beside(watch, told.target)], told, common.ids(told), common.readable(model, told)
    )
    checks.limits(statement)
    words = _words(watch, of_output, told.target)
    return {
        what: laid_out(
            "monitoring.sql.jinja",
            statement,
            [title, *_not_run(told.target), *watch.notes, *header],
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


def _not_run(d: Dialect) -> Iterator[str]:
    """What is to be known where the tests run the score of a dialect, and not this."""
    if (d.proven or d.run_in) and d.name not in _RUN:
        yield f"Written for {d.title}; statements of monitoring are not run by the project's tests."


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
    rest = f"{column} IS NOT NULL AND NOT ({good})"
    if outcome.bad is None:
        return good, f"({rest})", "1 = 0"
    bad = called(outcome.bad)
    return good, bad, f"{rest} AND NOT ({bad})"


def _same(one: str, other: str, d: Dialect) -> str:
    """Whether two texts are the same by code point."""
    return f"{d.categorical.value.format(one)} = {d.categorical.value.format(other)}"


def _sections(watch: Watch, of_output: Mapping[str, str]) -> Iterator[_Section]:
    """All that is counted of whole tables."""
    approved = of_output["approved"]
    yield _Section(
        whole="1 = 1",
        lines=(
            _Line(measure="rows", subject="all", level="scored", counted=f"{approved} IS NOT NULL", needed=True),
            _Line(measure="rows", subject="all", level="not scored", counted=f"{approved} IS NULL", failing=True),
        ),
    )
    if watch.outcome is not None:
        neither = "neither good nor bad"
        yield _Section(
            whole="1 = 1",
            lines=(
                _Line(measure="outcome", subject="all", level="known", counted="known = 1"),
                _Line(measure="outcome", subject="all", level=neither, counted="other = 1", failing=True),
            ),
        )
        for measure, among in (("bad rate", "1 = 1"), ("bad rate among approved", f"{approved} = 1")):
            bad = _Line(measure=measure, subject="all", level="", counted=f"bad = 1 AND {among}")
            yield _Section(whole=f"known = 1 AND {among}", lines=(bad,))
    for each in watch.distributions:
        yield _Section(
            whole=f"{of_output[each.outputs[0]]} IS NOT NULL",
            lines=tuple(
                _Line(
                    measure=each.measure,
                    subject=each.subject,
                    level=level.name,
                    counted=_counted(each, level, of_output),
                    expected=level.count,
                )
                for level in each.levels
            ),
            expected=each.rows,
            warn=each.warn,
            alert=each.alert,
        )


def _counted(distribution: Distribution, level: Level, of_output: Mapping[str, str]) -> str:
    """Whether a row is in a level."""
    among = f"= {level.places[0]}" if len(level.places) == 1 else f"IN ({', '.join(map(str, level.places))})"
    return " OR ".join(f"{of_output[output]} {among}" for output in distribution.outputs)


def _words(watch: Watch, of_output: Mapping[str, str], d: Dialect) -> dict[str, Any]:
    """What the template needs."""
    sections = list(_sections(watch, of_output))
    rows = list(_rows(sections, d))
    wholes = {f"m_{i}": section.whole for i, section in enumerate(sections, 1)}
    counts = [*({f"n_{row['place']}": row["counted"] for row in rows if row["counted"]} | wholes).items()]
    size = min(_COUNTS, d.max_columns // 2)
    groups = watch.groups
    words: dict[str, Any] = {
        "watched": WATCHED,
        "names": [name(each, d) for each in COLUMNS],
        "rows": rows,
        "parts": chunks(rows),
        "counts": [counts[start : start + size] for start in range(0, len(counts), size)],
        "sections": len(sections),
        "half": number(HALF_A_ROW, d),
        "approved": of_output["approved"],
        "outcome": watch.outcome,
        "groups": [],
        "text": lambda text: literal(text, d),
        "binary": d.categorical.value.format,
    }
    if groups is not None:
        words |= {
            "groups": [
                _Group(number=i, subject=literal(column, d), reference=literal(reference, d))
                for i, (column, reference) in enumerate(groups.references.items(), 1)
            ],
            "judging": groups,
            "measures": [(i, each) for i, each in enumerate(_MEASURES, 1) if watch.outcome or "bad" not in each],
            "judged_at": _MEASURES.index(_JUDGED[groups.ratio]) + 1,
            "limit": number(groups.least[0], d),
            "least": number(groups.least[1], d),
            "smallest": number(groups.smallest, d),
            "missing": literal(MISSING, d),
        }
    return words


def _rows(sections: Sequence[_Section], d: Dialect) -> Iterator[dict[str, Any]]:
    """The levels as literals, before those of an index a row for the index itself."""
    place = 0
    for i, section in enumerate(sections, 1):
        first = section.lines[0]
        index = _Line(measure=first.measure, subject=first.subject, level="", counted="", expected=section.expected)
        for line in (*([index] if section.alert is not None else ()), *section.lines):
            place += 1
            yield {
                "place": place,
                "section": i,
                "measure": literal(line.measure, d),
                "subject": literal(line.subject, d),
                "level": literal(line.level, d) if line.level else f"CAST(NULL AS {d.text})",
                "expected": _known(line.expected, d.integer, d),
                "whole": _known(section.expected, d.integer, d),
                "warn": _known(section.warn, d.double, d),
                "alert": _known(section.alert, d.double, d),
                "failing": 2 if line.needed else int(line.failing),
                "is_index": int(not line.counted),
                "counted": line.counted,
            }


def _known(value: float | None, kind: str, d: Dialect) -> str:
    """A number of a type, or NULL of it."""
    return f"CAST({'NULL' if value is None else number(value, d)} AS {kind})"


def _raised(options: SQLOptions) -> str:
    """The expression that stops the statement with the words of an alert."""
    d = options.target
    between, around = d.concatenated
    words = [literal("alert: ", d), "measure", literal(" of ", d), "subject"]
    words += [literal(" is ", d), f"COALESCE(CAST(figure AS {d.text}), CAST(n AS {d.text}))"]
    return d.raising.format(message=around.format(between.join(words)))
