"""Results on request: how usual the inputs of a row are, and reasons of declined rows alone."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scrutable.errors import InputError, ModelError
from scrutable.model import Feature, Model, SegmentedModel, dumps, fingerprint, loads
from scrutable.model.contents import features_read
from scrutable.model.evaluator import evaluate, results
from scrutable.model.program import lowered, named_values
from scrutable.proof import edge_rows
from scrutable.testing.contract.examples.models import models_named

MODELS = models_named()
COUNTS = ("unseen_inputs", "out_of_range_inputs")
#: Numbers that conditions name as categories and never meet by an interval, by model.
NOMINAL = {"scorecard": {"region"}, "regression-scorecard": {"region"}, "segmented-model": {"region"}}


def recorded(model: Any) -> Any:
    """The model with a range for each number, and categories for each text."""
    features = tuple(
        replace(each, observed=(-1.0, 40.0) if each.kind == "numeric" else ("cook", "baker")) for each in model.features
    )
    return replace(model, features=features)


def expected(model: Model, feature: Feature, value: Any, nominal: set[str]) -> str:
    """What a value is to a model, by the words of the definition."""
    if value is None or value != value or value in feature.special_codes:
        return ""
    named = named_values(model).get(feature.name, ())
    if feature.kind == "categorical":
        return "" if value in (*named, *feature.observed) or not (named or feature.observed) else "unseen"
    if feature.name in nominal:
        return "" if value in named else "unseen"
    least, greatest = feature.observed or (-math.inf, math.inf)
    return "" if least <= value <= greatest else "out of range"


@pytest.mark.parametrize("with_ranges", [False, True], ids=["as they are", "recorded"])
@pytest.mark.parametrize("kind", MODELS)
def test_counts_and_status_are_those_of_the_definition(kind: str, with_ranges: bool) -> None:
    model: Any = MODELS[kind]
    if with_ranges and not isinstance(model, SegmentedModel):
        model = recorded(model)
    rows = edge_rows(model, n_random=200, seed=1)
    told = results(model, rows, ["status", *COUNTS])
    features = {feature.name: feature for feature in features_read(model)}
    nominal = NOMINAL.get(kind, set())
    kinds = [
        [expected(model, features[name], value, nominal) for name, value in zip(features, row, strict=True)]
        for row in rows[list(features)].astype(object).itertuples(index=False)
    ]
    assert told["unseen_inputs"].tolist() == [row.count("unseen") for row in kinds]
    assert told["out_of_range_inputs"].tolist() == [row.count("out of range") for row in kinds]
    words = {(False, False): "scored", (True, False): "unseen category", (False, True): "number out of range"}
    both = "unseen category, number out of range"
    wanted = [words.get(("unseen" in row, "out of range" in row), both) for row in kinds]
    assert told["status"].tolist() == wanted
    assert len(set(wanted)) > 1 or not with_ranges


@pytest.mark.parametrize("kind", [name for name, model in MODELS.items() if "reason_1" in lowered(model).names])
def test_reasons_of_declined_rows_are_those_of_all_rows(kind: str) -> None:
    model = MODELS[kind]
    rows = edge_rows(model, n_random=300, seed=2)
    whole: Any = evaluate(model, rows).frame()
    names = [name for name in whole if name.startswith(("reason_", "short_"))]
    told = results(model, rows, [f"declined_{name}" for name in names])
    approved = whole["approved"] == 1
    assert 0 < approved.sum() < len(rows)
    for name in names:
        mine, other = told[f"declined_{name}"], whole[name]
        assert mine[~approved].tolist() == pytest.approx(other[~approved].tolist(), abs=0, nan_ok=True)
        assert all(value is None or value != value for value in mine[approved])


def test_they_are_no_columns_of_the_frame_and_change_none() -> None:
    for model in MODELS.values():
        program = lowered(model)
        assert not set(program.on_request) & set(program.results)
        assert set(program.on_request) >= {"status", *COUNTS}
    with pytest.raises(InputError, match="the model has no such result"):
        results(MODELS["stumps"], {"age": [1.0], "income": [1.0]}, ["unseen_in_age"])


def test_what_was_observed_is_kept_in_files_of_schema_2() -> None:
    plain = MODELS["stumps"]
    model = recorded(plain)
    assert loads(dumps(model)) == model
    assert fingerprint(model) != fingerprint(plain)
    text = dumps(model).replace('"schema_version": 2', '"schema_version": 1')
    with pytest.raises(ModelError, match="overrides, grades, observed values and"):
        loads(text)


@pytest.mark.parametrize("observed", [(1.0,), (2.0, 1.0), (1.0, 2.0, 3.0), (math.nan, 1.0), ("a", "b")])
def test_a_range_is_two_numbers(observed: Any) -> None:
    with pytest.raises(ModelError, match="feature 'age'"):
        Feature(name="age", kind="numeric", observed=observed)


def test_segments_share_what_they_observed() -> None:
    one, other = (Feature(name="age", kind="numeric", observed=each) for each in ((1, 5), (0, 3)))
    model: Any = MODELS["segmented-model"]
    first, *rest = model.segments
    features = tuple(one if each.name == "age" else each for each in first.model.features)
    changed = [replace(first, model=replace(first.model, features=features))]
    for each in rest:
        own = tuple(other if feature.name == "age" else feature for feature in each.model.features)
        changed.append(replace(each, model=replace(each.model, features=own)))
    whole = replace(model, segments=tuple(changed))
    limits = {feature.name: feature.limits for feature in features_read(whole)}["age"]
    assert limits in ((0.0, 5.0), (0.0, 3.0), (1.0, 5.0))
    assert np.isfinite(limits).all()
