"""Running a graph in onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Column
from scrutable.errors import InputError
from scrutable.model import Model, SegmentedModel
from scrutable.model.evaluator import OutputFrame
from scrutable.plugins import library
from scrutable.proof import graph_session
from scrutable_onnx.results import FALLBACK, RULES

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
    content: str | bytes, columns: Mapping[str, Column], names: Mapping[str, str], n_rows: int
) -> dict[str, Values]:
    """The outputs of a graph, from inputs by feature and the names they have in the graph."""
    session = _session(content)
    feeds: dict[str, Values] = {}
    for feature, column in columns.items():
        feeds |= _fed(names[feature], column)
    outputs = [output.name for output in session.get_outputs()]
    blocks = [
        session.run(outputs, {name: values[start : start + BLOCK] for name, values in feeds.items()})
        for start in range(0, n_rows, BLOCK)
    ]
    return {name: np.concatenate(parts) for name, *parts in zip(outputs, *blocks, strict=True)}


def frame(outputs: Mapping[str, Values], names: Sequence[str], model: Model, n_rows: int) -> OutputFrame:
    """The columns of `Evaluation.frame()`: None for empty texts and where there is no output, and rules in words."""
    columns: dict[str, Values] = {}
    for name in names:
        if name == "rules":
            columns[name] = _rules(outputs, model, n_rows)
        else:
            columns[name] = outputs.get(name, np.full(n_rows, None, dtype=object))
        if columns[name].dtype == object:
            columns[name][columns[name] == ""] = None
    return OutputFrame(columns)


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


def _rules(outputs: Mapping[str, Values], model: Model, n_rows: int) -> Values:
    """The rules that apply, in words; of the fallback where none does, and of the segment where there are several."""
    if not isinstance(model, SegmentedModel):
        return _words(outputs, "", n_rows)
    words = np.full(n_rows, "", dtype=object)
    for position, segment in enumerate(model.segments, 1):
        np.copyto(words, _words(outputs, f"_{position}", n_rows), where=outputs["segment"] == segment.name)
    return words


def _words(outputs: Mapping[str, Values], suffix: str, n_rows: int) -> Values:
    none = np.zeros((n_rows, 0), dtype=bool)
    rules = _spelled(outputs.get(f"{RULES}{suffix}", none), "")
    return np.where(rules == "", _spelled(outputs.get(f"{FALLBACK}{suffix}", none), "F"), rules)


def _spelled(hits: Values, prefix: str) -> Values:
    """The numbers of the columns that are true; each different set of them is spelled once."""
    patterns, which = np.unique(np.packbits(hits, axis=1), axis=0, return_inverse=True)
    rows = np.unpackbits(patterns, axis=1, count=hits.shape[1])
    texts = [" ".join(f"{prefix}{i}" for i in np.flatnonzero(row) + 1) for row in rows]
    return np.array(texts, dtype=object)[which.reshape(-1)]
