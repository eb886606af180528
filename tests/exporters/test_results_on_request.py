"""Results on request, in every engine that takes the options: to the last bit what the evaluator gives of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from same_results import check_same

from scrutable import create
from scrutable.errors import InputError, PluginError
from scrutable.model import Model
from scrutable.model.evaluator import OutputFrame, differences, evaluate, kind_of, results
from scrutable.model.program import lowered
from scrutable.testing.contract.examples.models import models_named
from scrutable.testing.contract.examples.random_models import extended_models, rows_to_run

EXPORTERS = ("c", "java", "javascript", "onnx", "python", "r", "sql")
MODELS = {
    name: model
    for name, model in {**models_named(), **extended_models()}.items()
    if name in ("scorecard with all parts", "trees with all parts", "rule-set", "segmented-model", "stumps")
}
MODELS["regression-scorecard"] = models_named()["regression-scorecard"]
EVERYTHING: dict[str, Any] = {"status": True, "reasons_for": "declined", "details": True}


def ran(name: str, model: Model, rows: Any, **options: Any) -> tuple[Any, OutputFrame]:
    """The rows that an engine holds, and what it gives of them; the test is skipped where the engine is not here."""
    exporter = create("exporter", name, **options)
    try:
        exporter.engine()
    except PluginError as error:
        pytest.skip(str(error))
    export = exporter.export(model)
    held = rows[exporter.holds(export, rows)]
    return held, exporter.run(export, held)


@pytest.mark.parametrize("name", EXPORTERS)
@pytest.mark.parametrize("kind", MODELS)
def test_everything_that_is_asked_for_equals_the_evaluator(name: str, kind: str) -> None:
    model = MODELS[kind]
    rows, theirs = ran(name, model, rows_to_run(model).frame.head(400), **EVERYTHING)
    on_request = lowered(model).on_request
    usual = [each for each in evaluate(model, rows.head(1)).frame() if f"declined_{each}" not in on_request]
    assert set(theirs) == {*usual, *on_request}
    ours = results(model, rows, list(theirs))
    assert differences(ours, theirs) == {}
    for each, values in theirs.items():
        assert values.dtype == kind_of(each), each
    if kind == "scorecard with all parts":
        assert {"attribute_age", "adjusting_A1", "declined_reason_1", "status"} <= set(theirs)
        assert len(np.unique(theirs["attribute_age"])) > 2
        assert 0 < (theirs["adjusting_A1"] != 0).sum() < len(rows)
        assert (theirs["unseen_inputs"] > 0).any()


def test_reasons_of_declined_rows_are_left_out_in_r_as_all_reasons_are() -> None:
    text = create("exporter", "r", reasons_for="declined").export(MODELS["scorecard with all parts"]).text
    part = text.partition('"declined_reason_1"')[0]
    assert part.rstrip().endswith("if (reasons) c(")


@pytest.mark.parametrize("name", EXPORTERS)
def test_without_the_options_there_are_the_columns_of_the_evaluator_alone(name: str) -> None:
    model = MODELS["stumps"]
    rows, theirs = ran(name, model, rows_to_run(model).frame.head(40))
    check_same(model, rows, theirs)


@pytest.mark.parametrize("name", EXPORTERS)
@pytest.mark.parametrize(("option", "value"), [("status", "yes"), ("details", 1), ("reasons_for", "approved")])
def test_other_values_of_the_options_are_refused(name: str, option: str, value: Any) -> None:
    with pytest.raises(InputError, match=f"option {option}: not a value that the option can have.*allowed: .*Fix: for"):
        create("exporter", name, **{option: value})


@pytest.mark.parametrize("name", ["excel", "report", "points-table"])
def test_exporters_without_the_options_refuse_them(name: str) -> None:
    with pytest.raises(PluginError, match="unknown parameter; got 'status'"):
        create("exporter", name, status=True)
