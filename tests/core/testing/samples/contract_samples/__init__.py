"""The smallest plugin with a component of every kind that keeps the contract."""

from __future__ import annotations

from typing import Any

from scrutable.plugins import Component, hookimpl


def _tiny(kind: Any, attribute: str, **more: tuple[str, ...]) -> Component:
    return Component(
        name=f"tiny-{kind}",
        kind=kind,
        path=f"contract_samples.healthy:{attribute}",
        summary=f"The smallest {kind}",
        reference="Nobody (2026), The Smallest Things",
        **more,
    )


@hookimpl
def scrutable_binners() -> list[Component]:
    return [_tiny("binner", "TinyBinner", produces=("binning",), enforces=("trend",))]


@hookimpl
def scrutable_learners() -> list[Component]:
    return [_tiny("learner", "TinyLearner", produces=("scorecard",))]


@hookimpl
def scrutable_constraints() -> list[Component]:
    return [_tiny("constraint", "TinyConstraint", produces=("rate",), enforces=("approval",))]


@hookimpl
def scrutable_explainers() -> list[Component]:
    return [_tiny("explainer", "TinyExplainer", accepts=("scorecard",), produces=("contributions",))]


@hookimpl
def scrutable_exporters() -> list[Component]:
    return [_tiny("exporter", "TinyExporter", accepts=("scorecard", "rule-set"), engines=("tiny",))]
