"""Reasons and shortfalls of every row in each engine, beside Python's."""

from __future__ import annotations

from collections.abc import Iterator

from report import Row

from reasoning.models import cases, data_sets
from scrutable.model.evaluator import OutputFrame, differences, evaluate
from scrutable.testing.engines import exporters_here

ENGINES = ("duckdb", "postgresql", "sqlite", "rscript", "onnxruntime", "python")


def rows_of_equality(quick: bool) -> Iterator[Row]:
    """For each data set and engine: how many values of all models' reasons differ."""
    with exporters_here(ENGINES) as (here, absent):
        for data in data_sets():
            differ, values = dict.fromkeys(ENGINES, 0), 0
            for case in cases(data):
                X = case.X.head(500) if quick else case.X
                ours = _reasons(evaluate(case.model, X).frame())
                values += sum(len(column) for column in ours.values())
                for engine, exporter in here.items():
                    theirs = exporter.run(exporter.export(case.model), X)
                    differ[engine] += sum(len(rows) for rows in differences(ours, theirs).values())
            for engine in ENGINES:
                yield Row(
                    name=f"{data.name} in {engine}: reasons that differ",
                    value=float("nan") if engine in absent else differ[engine],
                    unit="",
                    relation="<=",
                    bound=0,
                    note=absent.get(engine, f"{values:,} values, every method"),
                )


def _reasons(frame: OutputFrame) -> OutputFrame:
    return OutputFrame({name: its for name, its in frame.items() if name.startswith(("reason_", "short_"))})
