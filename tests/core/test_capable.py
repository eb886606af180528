"""Components are found by what they can do: ours before others', and nobody's in place of one of ours that is lost."""

from __future__ import annotations

from importlib import metadata

import pytest

from scrutable.errors import PluginError
from scrutable.plugins.bases import Explainer, reason_explainers
from scrutable.plugins.bases.capable import overriders, producers, such_as
from scrutable.plugins.bases.reason_explainers import explainer_of, reasons_explainer
from scrutable.plugins.registry import GROUP, Registry, registry


def test_explainers_are_found_by_what_they_override_and_produce() -> None:
    assert overriders("explainer", Explainer, "summarise") == ["counterfactual"]
    assert "reason-codes" in producers("explainer", "reasons")
    assert (
        such_as(producers("learner", "alternatives"))
        == ", for example additive, fairgbm, fcca-tree, lda-xgb1, rug, scorecard or segmented"
    )


def test_a_policy_belongs_to_the_explainer_that_has_its_method() -> None:
    ours = registry().load("explainer", reasons_explainer())
    assert {explainer_of(method) for method in ours.methods} == {ours}
    assert explainer_of("by-the-stars") is None


def test_nobody_stands_in_for_reasons_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    points = metadata.entry_points(group=GROUP)
    monkeypatch.setattr(reason_explainers, "registry", lambda: Registry(points, blocked={"reason-codes": "a test"}))
    with pytest.raises(PluginError, match=r"'reason-codes'.*blocked by a test"):
        reasons_explainer()
    monkeypatch.setattr(reason_explainers, "registry", lambda: Registry([]))
    with pytest.raises(PluginError, match="no explainer here gives reasons"):
        reasons_explainer()


def test_what_an_explainer_cannot_do_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent(Explainer):
        def explain(self, model: object, X: object, *, reference: object = None) -> list[object]:
            return ["a", "b"]

    silent = Silent()
    assert list(silent.explain_each(None, None)) == ["a", "b"]
    for ask, what in (
        (lambda: silent.summarise([]), "sums nothing up"),
        (lambda: silent.with_words(None), "has no words for policies"),
        (lambda: silent.compare(None, None, reference=None), "compares no methods"),
        (lambda: Silent.like(None, None, population=""), "takes no policies anew"),
        (lambda: silent.policy(None, None), "gives no reason codes.*'reason-codes'"),
    ):
        with pytest.raises(PluginError, match=rf"Silent: .*{what}|{what}"):
            ask()
