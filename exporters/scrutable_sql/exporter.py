"""The exporter `sql`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Column as InputColumn
from scrutable.errors import InputError, did_you_mean
from scrutable.model import Evidence, Model
from scrutable.model.evaluator import OutputFrame, read_inputs
from scrutable.model.program import lowered
from scrutable.plugins.bases import Export, Exporter
from scrutable_sql import (
    checks,
    common,
    dbt,
    engines,
    forms,
    plans,
    reason_tables,
    sources,
    unit_tests,
    violations,
    watched_tables,
)
from scrutable_sql.dialects import dialect_named
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Column
from scrutable_sql.quoting import Qualified, name, qualified
from scrutable_sql.render import Around, Statement, render

FILE = "score.sql"
#: The column that `SQLExporter.at` carries through to put rows in order.
ROW = "scrutable_row"


class SQLExporter(SQLOptions, Exporter):
    """A model as one SQL statement that reads a table and returns the columns of `Evaluation.frame()`.

    Scores, points, decisions, knock-outs, reasons and shortfalls equal the evaluator's to the last bit; probabilities
    to two units in the last place. The options are those of `SQLOptions`.

    A column of another kind than its feature gives NULL for every result, or stops the statement: no score rather than
    a false one. In SQLite, whose columns hold values of any kind, that goes by row. `Export.excluded` says what else
    the engine cannot hold.

    Examples
    --------
    >>> from scrutable.model import *
    >>> age = Characteristic(feature="age", attributes=(
    ...     Attribute(condition=Interval(upper=25), points=10), Attribute(condition=Interval(lower=25), points=40),
    ...     Attribute(condition=Missing(), points=20)))
    >>> card = Scorecard(outcome=Outcome(classes=("bad", "good"), favourable="good"),
    ...     features=(Feature(name="age", kind="numeric"),), characteristics=(age,), base_points=500, cutoff=530,
    ...     calibration=Calibration(slope=0.03, intercept=-16))
    >>> exporter = SQLExporter(dialect="sqlite")
    >>> exporter.run(exporter.export(card), {"age": [19.0, 25.0, None]})["score"].tolist()
    [510.0, 540.0, 520.0]
    """

    def export(self, model: Model, *, evidence: Evidence | None = None) -> Export:
        """The model as the file `score.sql`, or for dbt as `<name>.sql` and `<name>.yml`; with checks and tests.

        Raises
        ------
        UnsupportedModel : names that clash or are too long, a calibration that could overflow, more reasons
            than the model gives.
        InputError : the options name a feature that the model does not have, or ask for a test of a model without any.
        """
        checks.supported(model, self)
        sources.refuse(model, self)
        plan = plans.plan(model, self)
        steps = (common.inputs(model, plan.laddered, self), *plan.steps)
        sources.refuse_mixed_up(model, steps, tuple(result.name for result in plan.results), self)
        results = [Column(f"id_{i}", name(text, self.target)) for i, text in enumerate(self.ids, 1)]
        results += [common.guarded(result, model, self) for result in plan.results]
        if forms.has_contract(self):
            kinds = forms.types(lowered(model), plan, self)
            results = [*results[: len(self.ids)], *map(forms.of_type, results[len(self.ids) :], kinds)]
        marked = common.marks(model, self)
        read = sources.source(model, self)
        statement = Statement(steps, [*results, *marked], self, common.ids(self), common.readable(model, self), read)
        checks.limits(statement)
        header = common.heading(model, self)
        body = partial(render, header, statement, Around())
        text = render(header, statement, forms.around(model, plan, body, self))
        file, files = FILE, {}
        if self.form == "dbt":
            file = f"{self.name}.sql" if self.version is None else f"{self.name}_v{self.version}.sql"
            files[f"{self.name}.yml"] = forms.described(header, model, plan, self)
        export = Export(
            model=model,
            excluded=self.target.excluded,
            files={file: text, **files},
            settings={"options": replace(self, url=None)},
            results=tuple(result.name for result in plan.results),
        )
        if self.checks and model.features and not self.called and self.form != "set":
            export = replace(export, files={**export.files, **self._checks(model, header, file)})
        if self.monitoring is not None:
            watching = watched_tables.statements(model, self.monitoring, header, self)
            stem = file.removesuffix(".sql")
            export = replace(
                export, files={**export.files, **{f"{stem}_{what}.sql": text for what, text in watching.items()}}
            )
        if self.texts is not None:
            told = reason_tables.statements(model, plan, header, self)
            export = replace(export, files={**export.files, **{f"score_{key}.sql": text for key, text in told.items()}})
        if not self.test_rows:
            return export
        rows = unit_tests.rows_of(model, self, lambda frame: self.holds(export, frame))
        test = unit_tests.unit_test(model, plan, rows, header, self)
        return replace(export, files={**export.files, f"{file.removesuffix('.sql')}_test.sql": test})

    def _checks(self, model: Model, header: list[str], file: str) -> dict[str, str]:
        """The checks of the table that a file reads."""
        stem = file.removesuffix(".sql")
        told = {"check": violations.check_of_rows(model, header, self)}
        columns = violations.check_of_columns(model, header, self)
        return {f"{stem}_{what}.sql": text for what, text in {**told, "columns": columns}.items() if text is not None}

    def run(self, export: Export, X: Any) -> OutputFrame:
        """Load the rows into a table of an engine, temporary or gone afterwards, and run the text there.

        Raises
        ------
        InputError : X lacks a column or has rows that the engine cannot hold, or a server is asked for without `url`.
        PluginError : what the engine needs is not installed.
        """
        columns, n_rows = read_inputs(export.model, X)
        text, options = export.text, export.settings["options"]
        if options.form in ("insert", "function", "set"):
            raise InputError(
                "only what selects from a table is run here",
                where="option form",
                got=options.form,
                allowed="'select', 'view', 'table' or 'dbt'",
                fix="run form='select', whose query is the same",
            )
        if options.form == "dbt":
            text, options = dbt.compiled(text, options)
        held = _held(columns, n_rows, options)
        if not held.all():
            raise InputError(
                f"a value that no column of {options.target.title} can hold",
                where=f"row {held.argmin()}",
                fix="leave out the rows for which the exporter's `holds` is False",
            )
        table = engines.Table(
            options=options,
            columns={options.column(key): column.values for key, column in columns.items()},
            kinds={options.column(key): column.kind for key, column in columns.items()},
            n_rows=n_rows,
        )
        engine = engines.start(options.dialect, self.url)
        return engines.run(engine, text, export.results or (), table)

    @classmethod
    def at(cls, engine: str, **options: Any) -> Self:
        """The exporter of an engine's dialect, that runs there.

        On MariaDB, which may return wide rows in another order, and on engines that the tests do not run, the statement
        carries the number of the row through, so that results are in order whatever the engine does. Names may hold any
        letters, which drivers hand over as they are.

        Parameters
        ----------
        engine : `duckdb`, `sqlite`, `clickhouse` or `spark`, which run here; or the URL of any database that SQLAlchemy
            can reach, for example `postgresql://localhost/bank`.

        Raises
        ------
        InputError : no such engine.

        Examples
        --------
        >>> SQLExporter.at("mariadb+pymysql://localhost/bank").dialect
        'mariadb'
        """
        dialect = engines.dialect_of(engine)
        if dialect is None:
            raise InputError(
                "unknown engine",
                got=engine.partition(":")[0],
                allowed=f"{', '.join(engines.NAMES)}, or an URL that begins with one",
                fix=did_you_mean(engine.partition(":")[0], engines.NAMES),
            )
        if options.get("dialect", dialect) != dialect:
            raise InputError(
                "the engine speaks another dialect", where="option dialect", got=options["dialect"], allowed=dialect
            )
        url = {"url": engine} if ":" in engine else {}
        ids = () if dialect_named(dialect).in_order else (ROW,)
        return cls(**{"dialect": dialect, "ids": ids, "utf8_names": True, **url, **options})

    def engine(self) -> str:
        """Name and version of the engine that `run` starts."""
        return engines.start(self.dialect, self.url).version()

    def connected(self) -> AbstractContextManager[Any]:
        """A connection to the database of `url`, or to the engine in this process, closed in the end.

        It is the one of sqlite3, DuckDB, chDB, SQLAlchemy or Spark, over which `scrutable.proof.execute` runs a text.

        Raises
        ------
        InputError, PluginError : as `run`.
        """
        return engines.start(self.dialect, self.url).connected()

    def quoted(self, named: Qualified) -> str:
        """A name, or schema and name, as the dialect writes it.

        Examples
        --------
        >>> SQLExporter(dialect="mariadb").quoted(("risk", "a b"))
        '`risk`.`a b`'
        """
        return qualified(named, self.target)

    def literal(self, value: str | float | None) -> str:
        """A text, or a double with all its bits, as the dialect writes it; None and NaN are NULL.

        Raises
        ------
        UnsupportedModel : the engine has no doubles near 0 where this one is.

        Examples
        --------
        >>> SQLExporter(dialect="duckdb").literal(0.1), SQLExporter(dialect="tsql").literal("it's")
        ("CAST('0.1' AS DOUBLE)", "N'it''s'")
        """
        return unit_tests.literal_of(value, self.target)

    def reason_texts(self, table: Qualified) -> reason_tables.ReasonTexts:
        """A table for the texts of reasons: its statements, what it holds of a model, and views that read it.

        Examples
        --------
        >>> SQLExporter(dialect="mariadb").reason_texts("score_texts").table
        'score_texts'
        """
        return reason_tables.ReasonTexts(table, self.target)

    def holds(self, export: Export, X: Any) -> NDArray[np.bool_]:
        """(n,) rows without a value that no column of the engine can hold: infinity or, in Oracle, an empty text."""
        columns, n_rows = read_inputs(export.model, X)
        return _held(columns, n_rows, export.settings["options"])


def _held(columns: Mapping[str, InputColumn], n_rows: int, options: SQLOptions) -> NDArray[np.bool_]:
    held = np.ones(n_rows, dtype=bool)
    for column in columns.values():
        if column.kind == "numeric" and options.target.infinity is None:
            held &= ~np.isinf(column.values)
        elif column.kind == "categorical" and not options.target.holds_empty:
            held &= column.values != ""
    return held
