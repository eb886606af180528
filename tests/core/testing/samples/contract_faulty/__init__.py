"""Components of which each breaks the contract in one way, and otherwise does what the healthy one does."""

from __future__ import annotations

from typing import Any

from scrutable.plugins import Component, hookimpl

_DESCRIBED: dict[str, dict[str, Any]] = {
    "binner": {"produces": ("binning",), "enforces": ("trend",)},
    "learner": {"produces": ("scorecard",)},
    "constraint": {"produces": ("rate",), "enforces": ("approval",)},
    "explainer": {"accepts": ("scorecard",), "produces": ("contributions",)},
    "exporter": {"accepts": ("scorecard", "rule-set"), "engines": ("tiny",)},
}

_OF_WEIGHTS = ("check_sample_weight_equivalence_on_dense_data",)


def _faulty(kind: Any, *names: str, **more: Any) -> list[Component]:
    return [
        Component(
            name=name,
            kind=kind,
            path=f"contract_faulty.{kind}s:{name.title().replace('-', '')}",
            **{"summary": "A fault", "reference": "Nobody (2026)", **_DESCRIBED[kind], **more},
        )
        for name in names
    ]


@hookimpl
def scrutable_binners() -> list[Component]:
    return [
        *_faulty("binner", "mutating", "row-dropping", "no-binning", "trendless", "cut-ignoring", "miscounting"),
        *_faulty("binner", "random", "undocumented", "half-fitted", "vague"),
        *_faulty("binner", "all-taking", "crashing", "unasking", "group-blind", "weight-blind", "code-blind", "bare"),
        *_faulty("binner", "weight-ignoring"),
        *_faulty("binner", "overstating", enforces=("trends",)),
        *_faulty("binner", "inapplicable", known_failures={"limits-on-bins-holds": "none are enforced"}),
        *_faulty("binner", "basic", known_failures={"it-can-be-made": "who knows"}),
        *_faulty("binner", "sparse", known_failures={"check_sample_weight_equivalence_on_sparse_data": "no weights"}),
        *_faulty("binner", "careful", known_failures={"check_estimators_unfitted": "it may not know"}),
        *_faulty("binner", "declared", known_failures=dict.fromkeys(_OF_WEIGHTS, "a row is a row")),
        *_faulty("binner", "excused", known_failures={"weights-matter": "a row is a row"}),
        *_faulty("binner", "bulky", enforces=("max-bins",)),
        *_faulty("binner", "wordy", summary="Two\nlines"),
        *_faulty("binner", "steering", summary="red\x1b[31m"),
        *_faulty("binner", "Capital_Name"),
        *_faulty("binner", "unsourced", reference=""),
        *_faulty("binner", "lacking", requires=("no_such_library",), extra="more"),
        *_faulty("binner", "misdeclared", known_failures={"it-names-a-reference": "hard", "no-such": "why"}),
    ]


@hookimpl
def scrutable_learners() -> list[Component]:
    return [
        *_faulty("learner", "second-guessing", "row-losing", "dicing", "sighing", "counting-calls"),
        *_faulty("learner", "anonymous", "nosy", "undeclaring", "weight-ignoring"),
        *_faulty("learner", "unbound", accepts=("rate", "divergence"), enforces=("rate", "trend")),
        *_faulty("learner", "unordered", accepts=("rate", "divergence")),
        *_faulty("learner", "another-kind", produces=("rule-set",)),
        *_faulty("learner", "boastful", accepts=("rate",)),
    ]


@hookimpl
def scrutable_constraints() -> list[Component]:
    forgiven = {"every-known-group-is-bounded": "it bounds the first alone"}
    return [
        *_faulty("constraint", "mutable", "wishful", "partial", "tampering", "lenient", "remembering"),
        *_faulty("constraint", "greedy", "label-shy", "unequalled", "lonely", "noting", "deaf"),
        *_faulty("constraint", "forgivable", known_failures=forgiven),
    ]


@hookimpl
def scrutable_explainers() -> list[Component]:
    return [
        *_faulty(
            "explainer", "backwards", "shortened", "unprintable", "all-accepting", "fickle", "changeable", "contrary"
        ),
        *_faulty(
            "explainer",
            "scribbling",
            "literal",
            "rotating",
            "comparing",
            "needy",
            "option-setting",
            "recalling",
            "forgetful",
        ),
    ]


@hookimpl
def scrutable_exporters() -> list[Component]:
    return [
        *_faulty("exporter", "off-by-one-ulp", "escaping", "dict-giving", "hashing", "column-losing", "tagging"),
        *_faulty("exporter", "exiting", "rounding", "file-ordered", "meaningless", "model-asking", "declining"),
        *_faulty("exporter", "counting", "seeding", "moving-in"),
        *_faulty("exporter", "swallowing", "demanding", "not-one"),
        *_faulty("exporter", "drawing", "rude", "unquoting", "unversioned", "silent"),
        *_faulty("exporter", "unrunnable", engines=()),
        *_faulty("exporter", "choosy", accepts=("scorecard", "rule-set", "stumps")),
    ]
