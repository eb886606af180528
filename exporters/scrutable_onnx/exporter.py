"""The exporter `onnx`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, StringStringEntryProto, TensorProto, ValueInfoProto, checker, helper

from scrutable.errors import UnsupportedModel
from scrutable.model import Evidence, Model, features_read, fingerprint
from scrutable.model.evaluator import OutputFrame, read_inputs
from scrutable.model.program import Program
from scrutable.plugins import decision_line, kind_in_words, subject_lines
from scrutable.plugins.bases import Export, Exporter
from scrutable_onnx import sessions
from scrutable_onnx.columns import Source
from scrutable_onnx.graph import ML, Graph, Result
from scrutable_onnx.options import ONNXOptions
from scrutable_onnx.results import asked, check, write

FILE = "score.onnx"

#: Operator sets and IR version of ONNX 1.13, which onnxruntime reads from 1.14 on.
_OPSET, _ML_OPSET, _IR = 18, 3, 8


class ONNXExporter(ONNXOptions, Exporter):
    """A model as one ONNX graph with an input for each column and an output for each column of `Evaluation.frame()`.

    Numeric columns are doubles of shape (N,), NaN where missing. A categorical column is texts of shape (N,), beside
    which stand Booleans called `<column>__missing`, true where the text is missing. Scores, points, decisions,
    knock-outs, reasons and shortfalls equal the evaluator's to the last bit; probabilities to two units in the last
    place. The options are those of `ONNXOptions`.

    Where `Evaluation.frame()` has None, the graph's texts are empty, and `knock_out` is an output only if the model has
    knock-outs. For the column `rules` the graph has Booleans: `rule_hits` of shape (N, rules) and `fallback_hits`; in a
    segmented model `rule_hits_2` and `fallback_hits_2` are of the second segment, for example.

    Examples
    --------
    >>> from scrutable.model import *
    >>> age = Characteristic(feature="age", attributes=(
    ...     Attribute(condition=Interval(upper=25), points=10), Attribute(condition=Interval(lower=25), points=40),
    ...     Attribute(condition=Missing(), points=20)))
    >>> card = Scorecard(outcome=Outcome(classes=("bad", "good"), favourable="good"),
    ...     features=(Feature(name="age", kind="numeric"),), characteristics=(age,), base_points=500, cutoff=530,
    ...     calibration=Calibration(slope=0.03, intercept=-16))
    >>> exporter = ONNXExporter()
    >>> exporter.run(exporter.export(card), {"age": [19.0, 25.0, None]})["score"].tolist()
    [510.0, 540.0, 520.0]
    """

    def export(self, model: Model, *, evidence: Evidence | None = None) -> Export:
        """The model as the file `score.onnx`, checked by ONNX's own checker.

        Raises
        ------
        UnsupportedModel : no input, inputs and outputs of the same name, more reasons than the model gives.
        InputError : the options name a feature that the model does not have.
        """
        check(model, self)
        program = asked(model, self)
        content = _written(model, program, self).SerializeToString(deterministic=True)
        return Export(
            model=model,
            files={FILE: content},
            settings={"options": replace(self)},
            results=program.names,
            excluded=sessions.EXCLUDED if any(feature.kind == "categorical" for feature in model.features) else "",
        )

    def run(self, export: Export, X: Any) -> OutputFrame:
        """Run the file in onnxruntime, on one thread.

        Raises
        ------
        InputError : X lacks a column, or holds a text with a lone surrogate.
        PluginError : onnxruntime is not installed.
        """
        columns, n_rows = read_inputs(export.model, X)
        options: ONNXOptions = export.settings["options"]
        names = {feature: options.column(feature) for feature in columns}
        outputs = sessions.run(export.files[FILE], columns, names, n_rows)
        return sessions.frame(outputs, export.results or (), export.model, n_rows)

    def engine(self) -> str:
        """ONNX Runtime, and its version."""
        return f"ONNX Runtime {sessions.onnxruntime().__version__}"

    def holds(self, export: Export, X: Any) -> NDArray[np.bool_]:
        """(n,) rows whose texts can be written in UTF-8."""
        columns, n_rows = read_inputs(export.model, X)
        held = np.ones(n_rows, dtype=bool)
        for column in columns.values():
            if column.kind == "categorical":
                held &= column.encodable
        return held


def _written(model: Model, program: Program, options: ONNXOptions) -> ModelProto:
    inputs: list[ValueInfoProto] = []
    sources: dict[str, Source] = {}
    for feature in features_read(model):
        column = options.column(feature.name)
        if feature.kind == "numeric":
            inputs.append(_value(column, TensorProto.DOUBLE, _about(feature.title, feature.special_codes)))
            sources[feature.name] = Source(column)
        else:
            missing = sessions.missing_name(column)
            inputs.append(_value(column, TensorProto.STRING, _about(feature.title, feature.special_codes)))
            inputs.append(_value(missing, TensorProto.BOOL, f"{feature.title}: whether the text is missing."))
            sources[feature.name] = Source(column, missing)
    results, graph = _nodes(program, [value.name for value in inputs], sources)
    graph.name_outputs({result.name: result.value for result in results})
    outputs = [_value(result.name, result.type, result.doc, result.columns) for result in results]
    whole = helper.make_graph(
        graph.nodes,
        kind_in_words(model).lower(),
        inputs,
        outputs,
        initializer=graph.constants,
        doc_string=_heading(model),
    )
    written = helper.make_model(
        whole,
        producer_name="scrutable",
        ir_version=_IR,
        opset_imports=[helper.make_opsetid("", _OPSET), helper.make_opsetid(ML, _ML_OPSET)],
    )
    written.metadata_props.append(StringStringEntryProto(key="scrutable.model_sha256", value=fingerprint(model)))
    checker.check_model(written, full_check=True)
    return written


def _nodes(program: Program, inputs: list[str], sources: dict[str, Source]) -> tuple[list[Result], Graph]:
    graph = Graph(inputs)
    results = write(program, graph, sources)
    names = [*inputs, *(result.name for result in results)]
    twice = next((name for position, name in enumerate(names) if name in names[:position]), None)
    if twice is not None:
        raise UnsupportedModel(
            "two inputs, or an input and an output, of the same name",
            where="graph",
            got=twice,
            fix="give the feature an input of another name with columns={…}",
        )
    return results, graph


def _value(name: str, kind: int, doc: str = "", columns: int | None = None) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, ["N"] if columns is None else ["N", columns], doc_string=doc)


def _about(title: str, codes: tuple[object, ...]) -> str:
    return f"{title}; special codes {', '.join(map(repr, codes))}." if codes else f"{title}."


def _heading(model: Model) -> str:
    """What the graph is, for who opens it."""
    decision = decision_line(model)
    return "\n".join([*subject_lines(model), *([decision] if decision else [])])
