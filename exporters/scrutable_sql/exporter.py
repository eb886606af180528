"""The exporter `sql`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scrutable.bases import Export, Exporter
from scrutable.errors import InputError
from scrutable.model import Evidence, Model, RuleSet, Scorecard, fingerprint
from scrutable.model.evaluator import OutputFrame, read_inputs
from scrutable_sql import checks, common, engines, rule_sets, scorecards, tree_ensembles
from scrutable_sql.common import Plan, SingleModel
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Column
from scrutable_sql.quoting import name
from scrutable_sql.render import render

FILE = "score.sql"


class SQLExporter(SQLOptions, Exporter):
    """A model as one SQL statement that reads a table and returns the columns of `Evaluation.frame()`.

    Scores, points, decisions, knock-outs and reasons equal the evaluator's to the last bit; probabilities to three
    units in the last place. The options are those of `SQLOptions`.

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
        """The model as the file `score.sql`.

        Raises
        ------
        UnsupportedModel : segments, names that clash or are too long, a calibration that could overflow, more reasons
            than the model gives.
        InputError : the options name a feature that the model does not have.
        """
        single = checks.supported(model, self)
        kind, plan = _plan(single, self)
        checks.names(single, plan, self)
        steps = (common.inputs(single, self), *plan.steps)
        checks.width(steps, self)
        results = [Column(f"id_{i}", name(text, self.engine)) for i, text in enumerate(self.ids, 1)]
        results += [common.guarded(result, self) for result in plan.results]
        header = common.heading(single, kind, fingerprint(single), self)
        return Export(
            model=model,
            excluded=self.engine.excluded,
            files={FILE: render(header, steps, results, self)},
            settings={"options": replace(self, url=None), "results": tuple(result.name for result in plan.results)},
        )

    def run(self, export: Export, X: Any) -> OutputFrame:
        """Load the rows into a table of a fresh database, in memory or temporary, and run the text there.

        Raises
        ------
        InputError : X lacks a column, or PostgreSQL is asked for without `url`.
        """
        columns, n_rows = read_inputs(export.model, X)
        options: SQLOptions = export.settings["options"]
        if options.dialect == "postgres" and self.url is None:
            raise InputError("PostgreSQL needs a connection", where="option url", fix="give url='postgresql://…'")
        table = engines.Table(
            options=options,
            columns={options.column(key): column.values for key, column in columns.items()},
            kinds={options.column(key): column.kind for key, column in columns.items()},
            n_rows=n_rows,
        )
        return engines.run(export.text, export.settings["results"], table, self.url)


def _plan(model: SingleModel, options: SQLOptions) -> tuple[str, Plan]:
    if isinstance(model, Scorecard):
        return "Scorecard", scorecards.plan(model, options)
    if isinstance(model, RuleSet):
        return "Rule set", rule_sets.plan(model, options)
    return "Tree ensemble", tree_ensembles.plan(model, options)
