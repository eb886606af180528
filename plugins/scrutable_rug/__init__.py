"""Rule generation: weighted rules by column generation, with group fairness as rows of the linear program."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl


@hookimpl
def scrutable_learners() -> list[Component]:
    """Rule sets by column generation."""
    return [
        Component(
            name="rug",
            kind="learner",
            path="scrutable_rug.learner:RUGClassifier",
            summary="Weighted rules for two or more classes by column generation; with constraints, FairRUG",
            reference="Rule Generation for Classification: Scalability, Interpretability, and Fairness (RUG)",
            produces=("rule-set", "alternatives"),
            accepts=("rate",),
            extra="rug",
            requires=("highspy", "numba"),
            known_failures={
                "check_sample_weight_equivalence_on_dense_data": (
                    "optimal weights are not unique; tests compare their objectives"
                ),
                "every-option-does-something: loss": "with two classes both losses are the same",
                "every-option-does-something: calibration": "the bounds hold at once in predictions",
            },
        )
    ]
