"""Our binners and learners inside scikit-learn pipelines that skl2onnx converts.

>>> from scrutable_onnx.sklearn import register
>>> registered = register()
>>> "ScorecardClassifier" in [estimator.__name__ for estimator in registered]
True
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper
from skl2onnx import update_registered_converter
from skl2onnx.common.data_types import (
    BooleanTensorType,
    DoubleTensorType,
    FloatTensorType,
    Int64TensorType,
    StringTensorType,
)
from skl2onnx.common.utils_classifier import get_label_classes

from scrutable import registry
from scrutable.errors import InputError, PluginError, UnsupportedModel
from scrutable.model import DecisionModel, Feature, cells_of_conditions
from scrutable.model.program import added_up, kept, lowered
from scrutable.plugins.bases import Binner, RegressionLearner
from scrutable_onnx.columns import Divided, Source
from scrutable_onnx.graph import ML, Graph
from scrutable_onnx.options import ONNXOptions
from scrutable_onnx.results import check, write

_LABELS = "Classes that skl2onnx has labels for are texts, integers and Booleans."
_NUMBERS = (BooleanTensorType, DoubleTensorType, FloatTensorType, Int64TensorType)
#: ReduceSum takes its axes as an input from here on.
_OPSET = 13
#: Operator sets in which the operators of ai.onnx.ml have the attributes that are used here.
_ML_VERSIONS = {"LabelEncoder": 2, "TreeEnsembleRegressor": 3}


def register() -> tuple[type[Any], ...]:
    """Tell skl2onnx how to convert every binner and learner that the registry has and that can be imported here.

    Inputs are one tensor of all columns or several of one or more columns each, in the order of `fit`. Texts are never
    missing, since skl2onnx knows no missing texts. Learners of classes give labels and probabilities: doubles with the
    option `{"zipmap": False}`, numbers of the inputs' precision with "columns", and else single-precision numbers, the
    only ones that the operator ZipMap takes. Learners of a quantity give predictions in doubles, of shape (N, 1).

    Returns
    -------
    the classes
    """
    estimators: list[type[Any]] = []
    for kind in ("binner", "learner"):
        for name in registry().names(kind):
            try:
                estimators.append(registry().load(kind, name))
            except PluginError:  # what it needs is not installed, so no pipeline can hold it
                continue
    for estimator in estimators:
        if issubclass(estimator, Binner):
            update_registered_converter(
                estimator, "ScrutableBinner", _shape_binner, _convert_binner, parser=_parse_binner
            )
        elif issubclass(estimator, RegressionLearner):
            update_registered_converter(
                estimator, "ScrutableRegressor", _shape_regressor, _convert_regressor, parser=_parse_regressor
            )
        else:
            options = {"zipmap": [True, False, "columns"], "nocl": [True, False], "output_class_labels": [True, False]}
            update_registered_converter(
                estimator, "ScrutableLearner", _shape_learner, _convert_learner, options=options
            )
    return tuple(estimators)


def _parse_binner(scope: Any, binner: Any, inputs: Any, custom_parsers: Any = None) -> Any:
    """Declare the output with its type, on which the parsers of later steps build."""
    operator = scope.declare_local_operator("ScrutableBinner", binner)
    operator.inputs = inputs
    kind = Int64TensorType if binner.encoding == "index" else DoubleTensorType
    operator.outputs.append(scope.declare_local_variable("variable", kind()))
    return operator.outputs


def _parse_regressor(scope: Any, learner: Any, inputs: Any, custom_parsers: Any = None) -> Any:
    """Declare the output as doubles, whatever the inputs are."""
    operator = scope.declare_local_operator("ScrutableRegressor", learner)
    operator.inputs = inputs
    operator.outputs.append(scope.declare_local_variable("variable", DoubleTensorType()))
    return operator.outputs


def _shape_regressor(operator: Any) -> None:
    operator.outputs[0].type.shape = [operator.inputs[0].get_first_dimension(), 1]


def _shape_binner(operator: Any) -> None:
    operator.outputs[0].type.shape = [
        operator.inputs[0].get_first_dimension(),
        len(operator.raw_operator.binning_.tables),
    ]


def _shape_learner(operator: Any) -> None:
    learner = operator.raw_operator
    rows = operator.inputs[0].get_first_dimension()
    labels = get_label_classes(operator.scope_inst, learner)
    operator.outputs[0].type = (Int64TensorType if _label_kind(labels) == TensorProto.INT64 else StringTensorType)(
        [rows]
    )
    operator.outputs[1].type = _probability_type(operator)([rows, len(labels)])


def _convert_binner(scope: Any, operator: Any, container: Any) -> None:
    binner = operator.raw_operator
    tables = binner.binning_.tables
    graph = Graph([variable.full_name for variable in operator.inputs])
    features = [table.feature for table in tables]
    sources = _sources(operator, features, [feature.name for feature in features], graph)
    encoded = []
    for table in tables:
        name, cells = table.feature.name, cells_of_conditions(table.feature, table.conditions)
        positions = cells.attributes(table.conditions)
        values = positions if binner.encoding == "index" else np.array([s.woe for s in table.statistics])[positions]
        encoded.append(Divided(graph, cells, sources[name]).look_up(values, f"{name}: {binner.encoding}"))
    graph.name_outputs({operator.outputs[0].full_name: _side_by_side(encoded, graph)})
    _emit(graph, operator, scope, container)


def _convert_learner(scope: Any, operator: Any, container: Any) -> None:
    learner = operator.raw_operator
    outcome = learner.model_.outcome
    good, names = outcome.favourable_index, [f"probability_{i}" for i in range(len(outcome.classes))]
    if outcome.binary:
        names = ["unfavourable", "probability"] if good == 1 else ["probability", "unfavourable"]
    decided = "approved" if outcome.binary else "predicted"
    results, graph = _results(operator, [*names, decided])
    chances = _side_by_side([results[name] for name in names], graph)
    if type(operator.outputs[1].type) is FloatTensorType:
        chances = graph.node("Cast", [chances], "probabilities in single precision", to=TensorProto.FLOAT)
    order = [1 - good, good] if outcome.binary else list(range(len(names)))
    labels = graph.constant("labels", _labels(get_label_classes(scope, learner))[order])
    label = graph.node("Gather", [labels, results[decided]], "label of the class")
    graph.name_outputs({operator.outputs[0].full_name: label, operator.outputs[1].full_name: chances})
    _emit(graph, operator, scope, container)


def _convert_regressor(scope: Any, operator: Any, container: Any) -> None:
    results, graph = _results(operator, ["score"])
    graph.name_outputs({operator.outputs[0].full_name: _side_by_side([results["score"]], graph)})
    _emit(graph, operator, scope, container)


def _results(operator: Any, names: Sequence[str]) -> tuple[dict[str, str], Graph]:
    """Results of a learner's model by name, and the graph that computes them."""
    learner = operator.raw_operator
    model: DecisionModel = learner.model_
    check(model, ONNXOptions())
    graph = Graph([variable.full_name for variable in operator.inputs])
    sources = _sources(operator, model.features, learner._input_names, graph)
    program = added_up(kept(lowered(model), names))
    return {result.name: result.value for result in write(program, graph, sources)}, graph


def _side_by_side(values: Sequence[str], graph: Graph) -> str:
    """(N, m): values of shape (N,), one a column."""
    return graph.node("Transpose", [graph.stack(values, "columns of the result")], "result", perm=[1, 0])


def _sources(operator: Any, features: Sequence[Feature], names: Sequence[str], graph: Graph) -> dict[str, Source]:
    """The values of each feature, out of inputs that hold the columns of these names one after another."""
    widths = [variable.type.shape[1] if len(variable.type.shape) > 1 else 1 for variable in operator.inputs]
    if None in widths or sum(widths) != len(names):
        raise InputError(
            "the inputs have other columns than the estimator was fitted on",
            where=type(operator.raw_operator).__name__,
            got=[None if width is None else int(width) for width in widths],
            allowed=f"{len(names)} columns in one or several inputs",
            fix="give the number of columns in initial_types",
        )
    places = [(variable, i) for variable, width in zip(operator.inputs, widths, strict=True) for i in range(width)]
    place = dict(zip(names, places, strict=True))
    return {feature.name: Source(_column(feature, *place[feature.name], graph)) for feature in features}


def _column(feature: Feature, variable: Any, position: int, graph: Graph) -> str:
    """(N,) a column of an input, as doubles or texts."""
    name: str = variable.full_name
    kind = type(variable.type)
    if (kind is not StringTensorType) if feature.kind == "categorical" else (kind not in _NUMBERS):
        raise UnsupportedModel(
            "an input of another type than the column",
            where=f"column {feature.name!r}",
            got=kind.__name__,
            allowed="StringTensorType" if feature.kind == "categorical" else "DoubleTensorType",
            fix="give numeric and categorical columns inputs of their own in initial_types",
        )
    if len(variable.type.shape) > 1:
        place = graph.constant(f"number {position}", np.array(position))
        name = graph.node("Gather", [name, place], f"{feature.name}: values", axis=1)
    if kind in (StringTensorType, DoubleTensorType):
        return name
    return graph.node("Cast", [name], f"{feature.name}: values as doubles", to=TensorProto.DOUBLE)


def _probability_type(operator: Any) -> Any:
    zipmap = operator.scope_inst.get_options(operator.raw_operator, {"zipmap": True})["zipmap"]
    if zipmap == "columns":  # they have been declared with the type that skl2onnx guessed from the inputs
        return type(operator.outputs[1].type)
    return FloatTensorType if zipmap else DoubleTensorType


def _label_kind(classes: Any) -> int:
    return TensorProto.STRING if np.asarray(classes).dtype.kind in "OU" else TensorProto.INT64


def _labels(classes: Any) -> Any:
    """Labels as skl2onnx gives them: texts, or integers for numbers and Booleans."""
    array = np.asarray(classes)
    if _label_kind(array) == TensorProto.STRING:
        return array.astype(object)
    if (array.astype(np.int64) != array).any():
        raise UnsupportedModel(
            "classes that are no whole numbers", where="learner", got=array.tolist(), allowed=_LABELS
        )
    return array.astype(np.int64)


def _emit(graph: Graph, operator: Any, scope: Any, container: Any) -> None:
    """Hand nodes and constants over to skl2onnx, under names that it makes."""
    _check_opsets(graph, container)
    kept = {variable.full_name for variable in (*operator.inputs, *operator.outputs)}
    made = [*(tensor.name for tensor in graph.constants), *(name for node in graph.nodes for name in node.output)]
    names = {name: name if name in kept else scope.get_unique_variable_name(name) for name in made}
    for tensor in graph.constants:
        values = numpy_helper.to_array(tensor)
        container.add_initializer(names[tensor.name], tensor.data_type, list(tensor.dims), values.ravel().tolist())
        container.initializers[-1].doc_string = tensor.doc_string
    for node in graph.nodes:
        attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
        container.add_node(
            node.op_type,
            [names.get(name, name) for name in node.input],
            [names[name] for name in node.output],
            op_domain=node.domain,
            op_version=_ML_VERSIONS.get(node.op_type),
            name=scope.get_unique_operator_name(node.op_type),
            **attributes,
        )
        container.nodes[-1].doc_string = node.doc_string


def _check_opsets(graph: Graph, container: Any) -> None:
    needed = {"": _OPSET, ML: max((_ML_VERSIONS.get(node.op_type, 1) for node in graph.nodes), default=1)}
    for domain, version in needed.items():
        got = container.target_opset_any_domain(domain)
        if got < version:
            raise UnsupportedModel(
                "an operator that the model needs came with a later operator set",
                where=f"target_opset, domain {domain!r}",
                got=got,
                allowed=f"{version} or later",
                fix="convert with target_opset={'': 18, 'ai.onnx.ml': 3}",
            )
