"""Plugin: explainer `counterfactual`."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl


@hookimpl
def scrutable_explainers() -> list[Component]:
    """What would change a decision."""
    return [
        Component(
            name="counterfactual",
            kind="explainer",
            path="scrutable_counterfactual.explainer:CounterfactualExplainer",
            summary="The smallest changes of a few features that change the outcome, or a proof that there are none",
            reference="Navas-Palencia: Optimal Counterfactual Explanations for Scorecard modelling, arXiv:2104.08619",
            produces=("counterfactuals",),
            accepts=("scorecard", "regression-scorecard", "stumps"),
            extra="counterfactual",
            requires=("numba",),
            # What every kind that it accepts has: regression scorecards take no decision. Some of the checks' random
            # models reach it, and some do not.
            options={"wanted": {"kind": "points", "at_least": 900.0}},
        )
    ]
