"""The smallest plugin that keeps the contract passes every check, and the report says so."""

from __future__ import annotations

import json

import pytest

from scrutable.plugins.component import KINDS, Kind
from scrutable.testing.contract import Subject, checks_of, run_checks

from .conftest import of_plugin

#: What a component of the kind need not have, and the smallest has not.
WITHOUT: dict[Kind, set[str]] = {
    "binner": {
        "limits-on-bins-hold",
        "limits-hold-among-all-rows",
        "few-ordinary-rows-leave-one-bin",
        "bounds-it-accepts-bite",
        "bounds-bite-together",
        "bounds-bite-by-membership",
        "bounds-bite-at-their-limits",
        "every-bound-and-every-weight-counts",
        "bounds-hold-beside-cuts-and-merges-by-hand",
        "bounds-it-enforces-hold",
    },
    "learner": {
        "bounds-it-accepts-bite",
        "bounds-bite-together",
        "bounds-bite-by-membership",
        "bounds-bite-at-their-limits",
        "every-bound-and-every-weight-counts",
        "alternatives-begin-with-the-baseline",
        "alternatives-are-deterministic",
        "alternatives-differ",
        "alternatives-approve-what-is-asked",
        "a-search-can-use-it",
        "every-alternative-follows-weights",
        "every-alternative-follows-the-favourable-class",
        "every-alternative-does-what-it-says",
        "every-alternative-follows-missing-values",
        "every-alternative-follows-rows-of-unknown-groups",
        "recipes-name-what-their-models-are",
        "the-baseline-has-every-option",
        "bounds-it-enforces-hold-among-many-scores",
        "trends-hold-in-the-score",
        "bounds-it-enforces-hold",
    },
    "constraint": set(),
    "explainer": {
        "its-policy-gives-the-same-reasons-elsewhere",
        "reasons-are-those-of-its-policy",
        "without-a-reference-the-models-reasons-count",
        "shortfalls-are-what-the-score-loses",
        "weights-of-the-reference-count",
        "codes-say-what-they-stand-for",
        "baselines-of-a-cutoff-stay-with-it",
        "answers-are-what-the-model-says",
        "answers-reach-what-is-wanted",
        "answers-are-values-to-have",
        "answers-keep-to-the-options",
        "every-change-is-needed",
        "every-word-of-actions-is-kept",
        "one-row-of-a-reference-is-enough",
        "other-segments-change-nothing",
        "a-segment-is-explained-as-its-model-alone",
        "who-can-get-there-is-told-how",
        "words-name-the-reasons-in-order",
        "words-name-what-is-to-change",
    },
    "exporter": {"documents-do-not-run"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_smallest_plugin_passes(kind: Kind) -> None:
    report = run_checks(of_plugin("contract_samples", kind, f"tiny-{kind}"))
    assert {each.check: each.reason for each in report.outcomes if each.status == "failed"} == {}
    assert report.passed
    left_out = {each.name for each in checks_of(kind)} - {each.check for each in report.outcomes}
    assert left_out == WITHOUT[kind]
    assert [each.check for each in report.outcomes] == [e.name for e in checks_of(kind) if e.name not in left_out]
    told = json.loads(json.dumps(report.to_dict()))
    assert (told["kind"], told["name"], told["plugin"]) == (kind, f"tiny-{kind}", "contract_samples")
    assert told["counts"] == {"passed": len(report.outcomes)}


@pytest.mark.parametrize("kind", KINDS)
def test_checks_say_in_a_line_what_holds_and_how_to_mend_what_does_not(kind: Kind) -> None:
    checks = checks_of(kind)
    assert len({each.name for each in checks}) == len(checks)
    for each in checks:
        assert each.says.endswith(".")
        assert "\n" not in each.says
        assert each.hint
        assert not each.hint.endswith(".")


def test_a_component_is_made_with_what_its_descriptor_and_the_suite_say() -> None:
    subject = Subject.of("constraint", "false-positive-rate", {"slack": 0.2})
    assert subject.make().positive == "unfavourable"
    assert subject.make(positive="favourable").slack == 0.2
