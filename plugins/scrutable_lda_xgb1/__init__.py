"""Plugin: learner `lda-xgb1`, binners `xgb1` and `fiv-bounded`."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl

_REFERENCE = (
    "Pangia, Sudjianto, Zhang, Khan: Less Discriminatory Alternative and Interpretable XGBoost Framework for Binary "
    "Classification"
)


@hookimpl
def scrutable_binners() -> list[Component]:
    """The pre-bins, and their merge, for other learners."""
    return [
        Component(
            name="xgb1",
            kind="binner",
            path="scrutable_lda_xgb1.binners:XGB1Binner",
            summary="Cuts of boosted stumps: many small attributes, to be merged",
            reference=f"{_REFERENCE}, section 3.1",
            produces=("binning",),
            enforces=("trend",),
            extra="lda-xgb1",
            requires=("numba",),
            known_failures={
                "the-scale-of-weights-means-nothing": "penalties and least numbers of events are of weight"
            },
        ),
        Component(
            name="fiv-bounded",
            kind="binner",
            path="scrutable_lda_xgb1.binners:FIVBoundedBinner",
            summary="Merged for information value under a bound on fairness information value, exactly",
            reference=f"{_REFERENCE}, section 3.3",
            produces=("binning",),
            accepts=("divergence",),
            enforces=("divergence", "trend"),
            extra="lda-xgb1",
            requires=("numba",),
        ),
    ]


@hookimpl
def scrutable_learners() -> list[Component]:
    """Scorecards on bins merged under a bound on what they tell about the group."""
    return [
        Component(
            name="lda-xgb1",
            kind="learner",
            path="scrutable_lda_xgb1.learner:LDAXGB1Classifier",
            summary="Stump-boosted pre-bins, merged for information value under a bound on fairness information value",
            reference=f"{_REFERENCE}, Algorithm 1",
            produces=("scorecard", "alternatives"),
            accepts=("divergence",),
            enforces=("divergence", "trend"),
            extra="lda-xgb1",
            requires=("numba",),
            known_failures={"every-option-does-something: solver": "both solvers find the same optimum, as is tested"},
        )
    ]
