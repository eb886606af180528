"""The alternatives of a learner: each as whole as what `fit` gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from scrutable import create
from scrutable.data.training import TrainingData
from scrutable.errors import InputError
from scrutable.model import Evidence, Provenance, fingerprint
from scrutable.plugins.bases import Alternative, Learner

INPUTS = ["wealth", "income", "thrift", "age"]


def make(learner: Any, people: pd.DataFrame) -> Iterator[Alternative]:
    found: Iterator[Alternative] = learner.alternatives(
        people[INPUTS], people["paid"], sensitive_features=people["sex"], sample_weight=people["weight"]
    )
    return found


def test_they_are_finished_as_fit_finishes_a_model(leaving_out: Any, people: pd.DataFrame) -> None:
    learner = leaving_out(approval_rate=0.6)
    baseline, without_wealth, *_ = make(learner, people)
    assert not hasattr(learner, "model_")
    fitted = learner.fit(
        people[INPUTS], people["paid"], sensitive_features=people["sex"], sample_weight=people["weight"]
    )
    assert without(baseline) == without(fitted)
    ours, theirs = baseline.model.provenance, fitted.model_.provenance
    assert ours.parameters["alternative"] == {"method": "baseline"}
    assert {**ours.parameters} == {**theirs.parameters, "alternative": baseline.recipe}
    assert (ours.learner, ours.versions, ours.seed) == (theirs.learner, theirs.versions, theirs.seed)
    assert ours.data_fingerprint == theirs.data_fingerprint
    assert baseline.evidence.metrics == fitted.evidence_.metrics
    assert baseline.evidence.binning == fitted.evidence_.binning
    for each in (baseline, without_wealth):
        assert each.evidence.model_sha256 == fingerprint(each.model)
    assert without_wealth.model.provenance.parameters["alternative"] == {
        "method": "leave-out",
        "without": ("wealth",),
    }


def without(found: Any) -> Any:
    """A model but for where it comes from."""
    return replace(found.model if isinstance(found, Alternative) else found.model_, provenance=Provenance())


def test_the_data_is_read_once_and_before_the_first(leaving_out: Any, people: pd.DataFrame) -> None:
    class Counting(leaving_out):  # type: ignore[misc]  # a class that is a fixture
        reads = 0

        def read(self, *arguments: Any, **options: Any) -> TrainingData:
            self.reads += 1
            data: TrainingData = super().read(*arguments, **options)
            return data

    learner = Counting()
    found = make(learner, people)
    assert learner.reads == 1
    assert len(list(found)) == 5
    assert learner.reads == 1
    with pytest.raises(InputError, match="column 'sex'"):
        learner.alternatives(people[[*INPUTS, "sex"]], people["paid"], sensitive_features=people["sex"])


def test_a_learner_that_makes_none_says_so_at_once(people: pd.DataFrame) -> None:
    silent = type("Silent", (type(create("learner", "scorecard")),), {"vary": Learner.vary})
    with pytest.raises(InputError, match=r"Silent: this learner makes no alternatives\. Fix: .*lda-xgb1"):
        make(silent(), people)


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({}, "fiv-bound"),
        ({"bound": 0.1 + 0.2, "rows": "all"}, "fiv-bound bound=0.3 rows=all"),
        ({"steps": [1, 2.5], "free": None, "deep": {"a": True}}, 'fiv-bound deep={"a": true} free=null steps=[1, 2.5]'),
    ],
)
def test_names_are_method_and_parameters(leaving_out: Any, people: pd.DataFrame, parameters: Any, name: str) -> None:
    model = next(make(leaving_out(), people)).model
    made = Alternative(method="fiv-bound", parameters=parameters, model=model, evidence=Evidence(model_sha256=""))
    assert made.name == name
    assert made.recipe["method"] == "fiv-bound"
    assert hash(made.parameters) is not None


def test_a_parameter_may_not_be_called_method(leaving_out: Any, people: pd.DataFrame) -> None:
    made = next(make(leaving_out(), people))
    parameters: Any = {"method": 1}
    with pytest.raises(InputError, match=r"parameters: the name is taken by the method itself; got 'method'"):
        Alternative(method="x", parameters=parameters, model=made.model, evidence=made.evidence)
