"""What a plugin's class returns is checked where it returns it, in words that name the method."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scrutable.binning.scorecards import build_scorecard
from scrutable.data.training import read_training
from scrutable.errors import InputError, PluginError
from scrutable.model import Evidence, Scaling, dumps
from scrutable.model.evaluator import evaluate
from scrutable.plugins.bases import Alternative, Binner, Explainer, Export, Exporter, Learner
from scrutable.plugins.bases.answers import explained, policy_by
from scrutable.plugins.registry import registry
from scrutable.proof import certify, verification_rows
from scrutable.testing.contract.examples.scorecards import tied_scorecard

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


def test_a_learner_of_a_plugin_that_gives_no_model_is_named_with_the_plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry()._loaded, Wrong, replace(registry().listing("learner", "rug"), plugin="wrong"))
    with pytest.raises(PluginError, match=r"^plugin 'wrong' of scrutable .*, Wrong: learn must.* Fix: upgrade or uni"):
        Wrong().fit(X, Y)


@pytest.mark.parametrize("found", [None, 3.0, "3", ["3"], {3.0}, [2.5, float("nan")]])
def test_find_cuts_returns_numbers(found: Any) -> None:
    with pytest.raises(PluginError, match=r"^Cuts, column 'x': find_cuts must return a list of numbers; got"):
        Cuts(found=found).fit(X, Y)


class Answering(Exporter, Explainer):
    """Answers what it is told to, and the rest as the JSON file would."""

    def __init__(self, **answers: Any) -> None:
        self.answers = answers

    def export(self, model: Any, *, evidence: Any = None) -> Any:
        return self.answers.get("export", Export(model=model, files={"model.json": dumps(model)}))

    def holds(self, export: Any, X: Any) -> Any:
        return self.answers.get("holds", np.ones(len(X), dtype=bool))

    def run(self, export: Any, X: Any) -> Any:
        return self.answers.get("run", evaluate(export.model, X).frame())

    def engine(self) -> Any:
        return self.answers.get("engine", "Answering 1.0")

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> Any:
        return self.answers["explain"]

    def policy(self, model: Any, reference: Any, *, weight: Any = None) -> Any:
        return self.answers["policy"]


@pytest.mark.parametrize("method", ["export", "holds", "run", "engine"])
@pytest.mark.parametrize("answer", [None, 3, {}, [], ""])
def test_exporters_give_what_they_have_to(method: str, answer: Any) -> None:
    card = tied_scorecard()
    rows = verification_rows(card, n_random=3)
    assert certify(card, [Answering()], rows).passed
    with pytest.raises(PluginError, match=rf"^Answering\.{method}: it gives something else than it has to; got"):
        certify(card, [Answering(**{method: answer})], rows)
    with pytest.raises(PluginError, match=r"files that are texts or bytes"):
        certify(card, [Answering(export=Export(model=card, files={"model.json": None}))], rows)  # type: ignore[dict-item]  # what is tested


@pytest.mark.parametrize("answer", [None, 3, [None, None], ["one"], {}])
def test_explainers_give_what_they_have_to(answer: Any) -> None:
    with pytest.raises(PluginError, match=r"^Answering\.explain: it gives something else.*a list of 2 expl|approved"):
        explained(Answering(), answer, 2)
    with pytest.raises(PluginError, match=r"^Answering\.policy: it gives something else.*allowed: a ReasonPolicy"):
        policy_by(Answering(policy=answer), tied_scorecard(), None)


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
