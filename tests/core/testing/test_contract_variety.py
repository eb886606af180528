"""Whatever a model holds takes several values, and several lengths, in the models that exporters are checked on."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from scrutable.testing.contract.examples.random_models import drawn_models, extended_models, large_models

#: Fields that move no result, and those that only the model's own kind can change.
WORDS = {
    "Feature.label",
    "Outcome.target",
    "ReasonPolicy.cutoff",
    "ReasonPolicy.inquiries",
    "ReasonPolicy.method",
    "ReasonPolicy.near",
    "ReasonPolicy.population",
    "ReasonPolicy.retired",
    "ReasonPolicy.translations",
}
#: Parts that one model alone has, or of which no result depends.
ALONE = ("Provenance", "Quantity", "RegressionScorecard", "Scaling", "Statistics")
#: Lengths of what a model holds several of; 3 stands for as many, or more.
LENGTHS = {
    "Special.codes": {1, 2},
    "Categories.values": {1, 2, 3},
    "Clause.any_of": {1, 2, 3},
    "Feature.special_codes": {0, 1, 2},
    "KnockOut.when": {1, 2},
    "Segment.when": {0, 1, 2},
    "Rule.when": {0, 1, 2},
    "RuleSet.fallback": {1, 2},
    "Policy.knock_outs": {0, 1, 3},
    "Policy.adjustments": {0, 3},
    "Policy.overrides": {0, 3},
    "Policy.grades": {0, 3},
}
#: What some model has more of than ten, or than a signed byte counts.
MANY = {
    "Characteristic.attributes": 257,
    "Scorecard.characteristics": 11,
    "Policy.knock_outs": 11,
    "ReasonPolicy.order": 11,
    "RuleSet.rules": 65,
    "SegmentedModel.segments": 11,
}


def parts(held: Any) -> Iterator[tuple[str, Any]]:
    """Each field of a model and of its parts, with its value."""
    if dataclasses.is_dataclass(held):
        for field in dataclasses.fields(held):
            value = getattr(held, field.name)
            yield f"{type(held).__name__}.{field.name}", value
            yield from parts(value)
    elif isinstance(held, tuple):
        for each in held:
            yield from parts(each)
    elif isinstance(held, Mapping):
        yield from parts(tuple(held.values()))


def test_no_field_is_always_the_same() -> None:
    values: dict[str, set[str]] = defaultdict(set)
    lengths: dict[str, set[int]] = defaultdict(set)
    for model in (*drawn_models().values(), *large_models().values(), *extended_models().values()):
        for name, value in parts(model):
            values[name].add(repr(value))
            if isinstance(value, tuple):
                lengths[name].add(len(value))
    same = {name for name, found in values.items() if len(found) == 1} - WORDS
    assert {name for name in same if not name.startswith(ALONE) and not name.endswith(".provenance")} == set()
    assert {name: {min(3, found) for found in lengths[name]} for name in LENGTHS} == LENGTHS
    assert {name for name, most in MANY.items() if max(lengths[name]) < most} == set()


def test_a_column_has_codes_of_its_own_in_each_segment() -> None:
    for name in ("segmented model 1", "segmented model 2"):
        codes = defaultdict(set)
        for segment in drawn_models()[name].segments:
            for feature in segment.model.features:
                codes[feature.name].add(feature.special_codes)
        assert any(len(found) > 1 for found in codes.values())


def test_conditions_stand_twice_for_one_column() -> None:
    for holder in ("KnockOut.when", "Segment.when"):
        whens = [when for model in drawn_models().values() for name, when in parts(model) if name == holder]
        asked = [[clause.feature for clause in when] for when in whens]
        assert any(len(set(names)) < len(names) for names in asked)
