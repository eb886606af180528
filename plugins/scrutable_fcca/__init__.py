"""Plugin: binner `fcca`, learner `fcca-tree`."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl

_REFERENCE = (
    "Piccialli, Romero Morales, Salvatore: Supervised Feature Compression based on Counterfactual Analysis, European "
    "Journal of Operational Research, 2024"
)


@hookimpl
def scrutable_binners() -> list[Component]:
    """Attributes between the decision boundaries of a black box."""
    return [
        Component(
            name="fcca",
            kind="binner",
            path="scrutable_fcca.binner:FCCABinner",
            summary="Cuts that counterfactuals of a black box cross, as many as a quantile keeps",
            reference=f"{_REFERENCE}, Algorithm 1",
            produces=("binning",),
            enforces=("trend",),
            extra="fcca",
            requires=("numba",),
        )
    ]


@hookimpl
def scrutable_learners() -> list[Component]:
    """Shallow trees on the decision boundaries of a black box."""
    return [
        Component(
            name="fcca-tree",
            kind="learner",
            path="scrutable_fcca.learner:FCCATreeClassifier",
            summary="The optimal shallow tree on the thresholds at which a black box turns",
            reference=f"{_REFERENCE}, sections 3 and 4",
            produces=("tree-ensemble", "alternatives"),
            accepts=("rate",),
            enforces=("rate",),
            extra="fcca",
            requires=("numba",),
            known_failures={
                "whole-weights-are-repeated-rows-under-every-option": "a leaf costs ten rows, whatever rows weigh",
            },
        )
    ]
