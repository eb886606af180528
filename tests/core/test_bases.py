"""What a plugin's class returns is checked where it returns it, in words that name the method."""

from __future__ import annotations

from typing import Any

import pytest

from scrutable.bases import Binner, Learner
from scrutable.errors import InputError, PluginError
from scrutable.model import Evidence
from scrutable.registry import registry

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
