"""What a plugin's class returns is checked where it returns it, in words that name the method."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scrutable.bases import Alternative, Binner, Learner
from scrutable.errors import InputError, PluginError
from scrutable.model import Evidence, Scaling
from scrutable.registry import registry
from scrutable.scorecards import build_scorecard
from scrutable.training import read_training

X, Y = {"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}, [0, 1, 0, 1, 0, 1]


class Wrong(Learner):
    """Learns what it is told to."""

    def __init__(self, *, result: Any = None) -> None:
        self.result = result

    def learn(self, data: Any) -> Any:
        return self.result


class Cuts(Binner):
    """Cuts where it is told to."""

    def __init__(self, *, found: Any = ()) -> None:
        super().__init__()
        self.found = found

    def find_cuts(self, sample: Any) -> Any:
        return self.found


def model() -> Any:
    return registry().create("learner", "scorecard", binner="quantile").fit(X, Y).model_


@pytest.mark.parametrize(
    ("result", "got"),
    [
        (lambda: None, "NoneType"),
        (lambda: model(), "Scorecard"),
        (lambda: (model(), {}), "dict"),
        (lambda: ({}, Evidence(model_sha256="0")), "dict"),
        (lambda: [model(), Evidence(model_sha256="0")], "list"),
    ],
)
def test_learn_returns_a_model_and_its_evidence(result: Any, got: str) -> None:
    with pytest.raises(PluginError, match=f"^Wrong: learn must return a model and its evidence; got .?{got}"):
        Wrong(result=result()).fit(X, Y)


@pytest.mark.parametrize("found", [None, 3.0, "3", ["3"], {3.0}])
def test_find_cuts_returns_numbers(found: Any) -> None:
    with pytest.raises(PluginError, match=r"^Cuts, column 'x': find_cuts must return a list of numbers; got"):
        Cuts(found=found).fit(X, Y)


@pytest.mark.parametrize("found", [[3.0, 3.0], [4.0, 2.0]])
def test_cuts_rise(found: list[float]) -> None:
    with pytest.raises(InputError, match=r"column 'x': cuts must rise.*Fix: sort them, and keep each once"):
        Cuts(found=found).fit(X, Y)


class OneSided(Learner):
    """Favours the last class, whatever it is asked."""

    def __init__(self, *, favourable: Any = None) -> None:
        self.favourable = favourable

    def read(self, X: Any, y: Any, **options: Any) -> Any:
        return read_training(X, y)

    def learn(self, data: Any) -> Any:
        tables = registry().create("binner", "quantile").bin(data).tables
        model = build_scorecard(data.outcome, tables, 0.0, [table.woe for table in tables], Scaling())
        return model, Evidence(model_sha256="")

    def vary(self, data: Any) -> Any:
        model, evidence = self.learn(data)
        yield Alternative(method="baseline", model=model, evidence=evidence)


class Renaming(OneSided):
    """Calls the outcome something else."""

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)
        return replace(model, outcome=replace(model.outcome, target="mine")), evidence


def test_a_model_that_favours_another_class_than_was_asked_is_refused() -> None:
    told = r"^OneSided: the learner's model favours another class than it was asked to; got 1; allowed: 0\. Fix: in the"
    with pytest.raises(PluginError, match=told):
        OneSided(favourable=0).fit(X, Y)
    with pytest.raises(PluginError, match=told):
        next(OneSided(favourable=0).alternatives(X, Y))
    assert OneSided(favourable=1).fit(X, Y).model_.outcome.favourable == 1


def test_a_model_about_another_outcome_than_its_data_is_refused() -> None:
    with pytest.raises(
        PluginError, match=r"^Renaming: the learner's model is about another outcome than its data; got "
    ):
        Renaming().fit(X, Y)
