"""Running a graph in onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Column
from scrutable.errors import InputError
from scrutable.model import Model, RegressionScorecard, RuleSet, Scorecard, SegmentedModel, TreeEnsemble
from scrutable.model.evaluator import OutputFrame, rules_in_words
from scrutable.plugins import library
from scrutable.proof import graph_session
from scrutable_onnx.rule_sets import FALLBACK, RULES
from scrutable_onnx.segments import of_segment

Values = NDArray[Any]

EXCLUDED = "rows with a text that is not valid Unicode (a lone surrogate)"
#: Rows that are scored together, so that what lies between the nodes fits the processor's cache.
BLOCK = 16_384


def missing_name(column: str) -> str:
    """The input that says where a column of texts is missing."""
    return f"{column}__missing"


def onnxruntime() -> Any:
    """The engine's module.

    Raises
    ------
    PluginError : it is not installed.
    """
    return library("onnxruntime", "scrutable[onnx]")


def run(
    model: Model, content: str | bytes, columns: Mapping[str, Column], names: Mapping[str, str], n_rows: int
) -> OutputFrame:
    """The columns of `Evaluation.frame()`, from inputs by feature and the names they have in the graph."""
    session = _session(content)
    feeds: dict[str, Values] = {}
    for feature, column in columns.items():
        feeds |= _fed(names[feature], column)
    outputs = [output.name for output in session.get_outputs()]
    blocks = [
        session.run(outputs, {name: values[start : start + BLOCK] for name, values in feeds.items()})
        for start in range(0, n_rows, BLOCK)
    ]
    return _frame(model, {name: np.concatenate(parts) for name, *parts in zip(outputs, *blocks, strict=True)}, n_rows)


def _session(content: str | bytes) -> Any:
    engine = onnxruntime()
    options = engine.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return graph_session(content, options, ["CPUExecutionProvider"])


def _fed(name: str, column: Column) -> dict[str, Values]:
    if column.kind == "numeric":
        return {name: column.values}
    if not column.encodable.all():
        raise InputError("a text with a lone surrogate", where=f"column {column.name!r}", fix="leave such rows out")
    missing = column.missing
    return {name: np.where(missing, "", column.values), missing_name(name): missing}


def _frame(model: Model, outputs: dict[str, Values], n_rows: int) -> OutputFrame:
    """None for empty texts, a column of knock-outs whether or not there are any, and rules in words."""
    columns: dict[str, Values] = {}
    hits = {name: outputs.pop(name) for name in list(outputs) if name.startswith((RULES, FALLBACK))}
    for name, values in outputs.items():
        if values.dtype == object:
            values[values == ""] = None
        columns[name] = values
        if name == "approved" and "knock_out" not in outputs:
            columns["knock_out"] = np.full(n_rows, None, dtype=object)
    match model:
        case RuleSet():
            columns["rules"] = _words(hits, n_rows)
        case SegmentedModel():
            if hits:
                columns["rules"] = _words_by_segment(model, hits, columns["segment"])
        case Scorecard() | TreeEnsemble() | RegressionScorecard():
            pass
        case _:
            assert_never(model)
    return OutputFrame(columns)


def _words(hits: Mapping[str, Values], n_rows: int) -> Values:
    return rules_in_words(hits.get(RULES, np.zeros((n_rows, 0), dtype=bool)), hits[FALLBACK])


def _words_by_segment(model: SegmentedModel, hits: Mapping[str, Values], segment: Values) -> Values:
    words = np.full(len(segment), None, dtype=object)
    for position, each in enumerate(model.segments):
        if isinstance(each.model, RuleSet):
            rows = np.flatnonzero(segment == np.array(each.name, dtype=object))
            names = {name: of_segment(name, position) for name in (RULES, FALLBACK)}
            own = {name: hits[output][rows] for name, output in names.items() if output in hits}
            words[rows] = _words(own, len(rows))
    return words
