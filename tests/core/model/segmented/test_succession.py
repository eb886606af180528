"""Codes of a model that follows another keep their meaning, version after version."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrutable.errors import ModelError, ScrutableWarning
from scrutable.model import (
    Attribute,
    Calibration,
    Characteristic,
    Clause,
    DecisionModel,
    Feature,
    FrozenMapping,
    Interval,
    KnockOut,
    Missing,
    Outcome,
    Override,
    Policy,
    ReasonPolicy,
    Scorecard,
    Segment,
    SegmentedModel,
    dumps,
    loads,
)
from scrutable.model.segmented import UsedCodes, refuse_reused_codes, succeeding
from scrutable.plugins.bases import policy_by
from scrutable_reason_codes.explainer import ReasonCodes


def card(codes: dict[str, str], rules: dict[str, str] | None = None, **policy: Any) -> Scorecard:
    """A scorecard whose features have codes; a code says "About" its first feature."""
    texts: dict[str, str] = {}
    for feature, code in codes.items():
        texts.setdefault(code, f"About {feature}")
    steps = (
        Attribute(condition=Interval(upper=0), points=0),
        Attribute(condition=Interval(lower=0), points=9),
        Attribute(condition=Missing(), points=5),
    )
    knock_outs = (
        KnockOut(code=code, reason=reason, when=(Clause(next(iter(codes)), (Interval(upper=-5),)),))
        for code, reason in (rules or {}).items()
    )
    return Scorecard(
        outcome=Outcome(classes=("bad", "good"), favourable="good"),
        features=tuple(Feature(name=name, kind="numeric") for name in codes),
        characteristics=tuple(Characteristic(feature=name, attributes=steps) for name in codes),
        base_points=500,
        cutoff=510,
        calibration=Calibration(slope=0.01, intercept=-5),
        policy=Policy(knock_outs=tuple(knock_outs)),
        reasons=ReasonPolicy(
            method="fixed",
            population="everybody",
            cutoff=510,
            baselines=FrozenMapping(dict.fromkeys(codes, 9.0)),
            codes=FrozenMapping(codes),
            texts=FrozenMapping(texts),
            order=tuple(texts),
            **policy,
        ),
    )


def numbered(features: list[str]) -> dict[str, str]:
    """Codes as a new model has them: numbers in the order of its features."""
    return {name: f"R{number:02d}" for number, name in enumerate(features, 1)}


def test_a_dropped_characteristic_takes_its_code_with_it() -> None:
    first = card(numbered(["age", "job", "income"]))
    second = succeeding(card(numbered(["age", "income", "debts"])), first)
    assert second.reasons is not None
    assert dict(second.reasons.codes) == {"age": "R01", "income": "R03", "debts": "R04"}
    assert dict(second.reasons.retired) == {"R02": "About job"}
    third = succeeding(card(numbered(["rent", "age"])), loads(dumps(second)))
    assert third.reasons is not None
    assert dict(third.reasons.codes) == {"rent": "R05", "age": "R01"}
    assert set(third.reasons.retired) == {"R02", "R03", "R04"}


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, unique=True), min_size=2, max_size=6))
def test_no_code_ever_means_two_features(versions: list[list[str]]) -> None:
    model = card(numbered(versions[0]))
    meant = dict(model.reasons.texts) if model.reasons else {}
    for features in versions[1:]:
        follower = succeeding(card(numbered(features)), model)
        refuse_reused_codes(follower, model)
        assert isinstance(follower, Scorecard)
        assert follower.reasons is not None
        assert model.reasons is not None
        assert set(follower.reasons.codes) == set(features)
        for feature, code in follower.reasons.codes.items():
            assert meant.setdefault(code, f"About {feature}") == follower.reasons.texts[code] == f"About {feature}"
        assert {**follower.reasons.texts, **follower.reasons.retired} == meant
        model = follower


def test_words_go_with_the_code_and_a_language_that_lacks_some_is_left_out_with_a_warning() -> None:
    german = {"de": FrozenMapping({"R01": "Alter", "R02": "Beruf"})}
    first = card(numbered(["age", "job"]), translations=FrozenMapping(german))
    assert first.reasons is not None
    told = replace(first.reasons, texts=FrozenMapping({"R01": "Years", "R02": "Work"}))
    second = succeeding(card(numbered(["job", "age"])), replace(first, reasons=told))
    assert second.reasons is not None
    assert dict(second.reasons.texts) == {"R02": "Work", "R01": "Years"}
    assert dict(second.reasons.translations["de"]) == {"R01": "Alter", "R02": "Beruf"}
    with pytest.warns(ScrutableWarning, match="no texts in 'de' for codes R03"):
        third = succeeding(card(numbered(["job", "rent"])), first)
    assert third.reasons is not None
    assert third.reasons.languages == ()


def test_features_that_shared_a_code_share_it_again() -> None:
    first = card({"savings": "CASH", "checking": "CASH", "job": "JOB"})
    second = succeeding(card(numbered(["checking", "rent", "savings"])), first)
    assert second.reasons is not None
    assert dict(second.reasons.codes) == {"checking": "CASH", "rent": "R02", "savings": "CASH"}
    assert second.reasons.texts["CASH"] == "About savings"


@pytest.mark.parametrize(
    ("codes", "rules", "said"),
    [
        ({"rent": "JOB"}, {}, "reason code 'JOB': a code once used .* got 'About rent'; allowed: About job"),
        ({"age": "R02", "job": "R02"}, {}, ""),
        ({"job": "R09", "age": "R09"}, {"JOB": "Too many debts"}, "knock-out 'JOB': a code once used"),
        ({"rent": "A"}, {"JOB": "Too many debts"}, "knock-out 'JOB': a code once used"),
        ({"rent": "K1"}, {}, "reason code 'K1': a code once used"),
        ({"age": "A"}, {"K1": "Bankruptcy, said anew"}, ""),
    ],
)
def test_a_chosen_code_is_not_given_to_something_else(codes: dict[str, str], rules: dict[str, str], said: str) -> None:
    first = card({"age": "R02", "job": "JOB"}, {"K1": "Bankruptcy"})
    if not said:
        assert succeeding(card(codes, rules), first).reasons is not None
        return
    with pytest.raises(ModelError, match=said):
        succeeding(card(codes, rules), first)


def ruled(*rules: KnockOut | Override, translated: bool = False) -> Scorecard:
    """A scorecard of three features with rules around the score."""
    words = {"R01": "Alter", "R02": "Beruf", "R03": "Miete", **{rule.code: f"Regel {rule.code}" for rule in rules}}
    german = FrozenMapping({"de": FrozenMapping(words)} if translated else {})
    made = card(numbered(["age", "job", "rent"]))
    knock_outs = tuple(rule for rule in rules if isinstance(rule, KnockOut))
    overrides = tuple(rule for rule in rules if isinstance(rule, Override))
    policy = Policy(knock_outs=knock_outs, overrides=overrides)
    assert made.reasons is not None
    return replace(made, policy=policy, reasons=replace(made.reasons, translations=german))


def not_given(*features: str) -> tuple[KnockOut, ...]:
    """What `--refuse-missing unseen` adds."""
    return tuple(
        KnockOut(code=f"M{number:02d}", reason=f"Not given: {name}", when=(Clause(name, (Missing(),)),))
        for number, name in enumerate(features, 1)
    )


def incomplete(*features: str, code: str = "M01") -> KnockOut:
    """What `--refuse-missing all` adds."""
    when = tuple(Clause(name, (Missing(),)) for name in features)
    return KnockOut(code=code, reason="Credit application incomplete", when=when)


def said(model: DecisionModel) -> dict[str, str]:
    return {rule.code: rule.reason for part in model.parts for rule in part.policy.rules}


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("code", ["K1", "BANKRUPT"])
def test_a_code_of_a_rule_is_not_given_to_another_rule(code: str, kept: bool) -> None:
    first = card({"age": "R01", "job": "R02"}, {code: "Bankruptcy"})
    other = card({"job": "R02", "age": "R01"}, {code: "Too young"})
    past = UsedCodes.read(json.loads(json.dumps(UsedCodes.of(first).to_dict()))) if kept else first
    with pytest.raises(ModelError, match=rf"knock-out '{code}': a code once used .* allowed: Bankruptcy"):
        refuse_reused_codes(other, past)
    if code == "K1":
        assert said(succeeding(other, first)) == {"K2": "Too young"}
    else:
        with pytest.raises(ModelError, match=rf"knock-out '{code}': a code once used .* allowed: Bankruptcy"):
            succeeding(other, first)


def test_rules_that_ask_for_one_feature_are_two_rules() -> None:
    alone, together = ruled(*not_given("rent", "job")), ruled(incomplete("age", "job", "rent"))
    for model, past in ((alone, together), (together, alone)):
        with pytest.raises(ModelError, match="knock-out 'M01': a code once used"):
            refuse_reused_codes(model, past)
        refuse_reused_codes(succeeding(model, past), past)
    assert said(succeeding(together, alone)) == {"M03": "Credit application incomplete"}
    assert set(said(succeeding(alone, together))) == {"M02", "M03"}


def test_rules_keep_their_codes_by_whom_they_apply_to() -> None:
    first = ruled(*not_given("age", "job", "rent"), translated=True)
    second = succeeding(ruled(*not_given("rent", "job")), first)
    assert said(second) == {"M03": "Not given: rent", "M02": "Not given: job"}
    assert second.parts[0].reasons is not None
    assert dict(second.parts[0].reasons.retired) == {"M01": "Not given: age"}
    assert second.parts[0].reasons.words("R03", "de") == "Miete"
    with pytest.warns(ScrutableWarning, match="no texts in .de. for codes M04"):
        third = succeeding(ruled(*not_given("age", "rent")), loads(dumps(second)))
    assert said(third) == {"M04": "Not given: age", "M03": "Not given: rent"}


def test_words_keep_a_code_where_the_conditions_move() -> None:
    first = ruled(incomplete("age", "job", "rent"))
    assert said(succeeding(ruled(incomplete("age", "job", code="M07")), first)) == said(first)
    turned = ruled(incomplete("rent", "age", "job"))
    assert UsedCodes.of(turned) == UsedCodes.of(first)


def test_a_new_rule_brings_its_translations_along() -> None:
    override = Override(code="M01", reason="Debts", decision="decline", when=(Clause("rent", (Interval(lower=9),)),))
    second = succeeding(ruled(override, translated=True), ruled(incomplete("age")))
    assert said(second) == {"M02": "Debts"}
    assert second.parts[0].reasons is not None
    assert second.parts[0].reasons.translations["de"]["M02"] == "Regel M01"


@given(st.lists(st.lists(st.sampled_from(["age", "job", "rent"]), unique=True), min_size=2, max_size=5))
def test_no_code_of_a_rule_ever_means_two(versions: list[list[str]]) -> None:
    model: DecisionModel = ruled(*not_given(*versions[0]))
    meant = said(model)
    for features in versions[1:]:
        follower = succeeding(ruled(*not_given(*features)), model)
        refuse_reused_codes(follower, model)
        assert sorted(said(follower).values()) == sorted(f"Not given: {name}" for name in features)
        for code, words in said(follower).items():
            assert meant.setdefault(code, words) == words
        model = follower


@pytest.mark.parametrize("kept", ["the model", "its codes", "its codes as JSON"])
def test_codes_that_are_kept_without_their_model_are_held_to(kept: str) -> None:
    first = card({"age": "R01", "job": "R02"}, {"K1": "Bankruptcy"})
    codes = UsedCodes.of(first)
    past = {
        "the model": first,
        "its codes": codes,
        "its codes as JSON": UsedCodes.read(json.loads(json.dumps(codes.to_dict()))),
    }[kept]
    refuse_reused_codes(first, past)
    refuse_reused_codes(card({"age": "R01", "rent": "R03"}), past)
    with pytest.raises(
        ModelError, match=r"reason code 'R02': a code once used .* got 'About rent'; allowed: About job"
    ):
        refuse_reused_codes(card({"age": "R01", "rent": "R02"}), past)
    with pytest.raises(ModelError, match="reason code 'K1': a code once used"):
        refuse_reused_codes(card({"rent": "K1"}), past)


@pytest.mark.parametrize(
    "plain",
    [
        None,
        [],
        {},
        {"texts": {}, "features": {}},
        {"texts": {"R1": 1}, "features": {}, "rules": {}},
        {"texts": {}, "features": {"R1": "age"}, "rules": {}},
        {"texts": {}, "features": {}, "rules": {"K1": [1]}},
        {"texts": [], "features": {}, "rules": {}},
    ],
)
def test_what_are_no_codes_is_refused(plain: object) -> None:
    with pytest.raises(ModelError, match="here: no codes of a model"):
        UsedCodes.read(plain, "here")


def test_one_code_for_features_that_had_several_is_refused() -> None:
    first = card(numbered(["age", "job", "rent"]))
    with pytest.raises(ModelError, match=r"'R03': one code joins features that had several.*R01, R02"):
        succeeding(card({"age": "R03", "job": "R03"}), first)


def test_segments_follow_as_one_model() -> None:
    def segments(new: dict[str, str], others: dict[str, str]) -> SegmentedModel:
        young = (Clause("age", (Interval(upper=20),)),)
        return SegmentedModel(
            segments=(Segment(name="new", model=card(new), when=young), Segment(name="others", model=card(others))),
            routing=(Feature(name="age", kind="numeric"),),
        )

    first = segments({"age": "R01", "job": "R02"}, {"age": "R01", "rent": "R03"})
    second = succeeding(segments({"age": "R01", "rent": "R02"}, {"age": "R01", "debts": "R03"}), first)
    new, others = (part.reasons for part in second.parts)
    assert new is not None
    assert others is not None
    assert dict(new.codes) == {"age": "R01", "rent": "R03"}
    assert dict(others.codes) == {"age": "R01", "debts": "R04"}
    assert dict(new.retired) == dict(others.retired) == {"R02": "About job"}


def test_retired_codes_stay_so_where_a_policy_is_taken_anew() -> None:
    model = succeeding(card(numbered(["age", "rent"])), card(numbered(["age", "job"])))
    anew = ReasonCodes(method="below-maximum").with_policy(replace(model, reasons=replace(model.reasons)))
    assert anew.reasons is not None
    assert dict(anew.reasons.retired) == {"R02": "About job"}
    assert dict(anew.reasons.codes) == {"age": "R01", "rent": "R03"}
    with pytest.raises(ModelError, match="an earlier version's code for 'About job'"):
        replace(
            anew,
            reasons=replace(
                anew.reasons,
                codes=FrozenMapping({"age": "R02", "rent": "R03"}),
                texts=FrozenMapping({"R02": "Age", "R03": "Rent"}),
                order=("R02", "R03"),
            ),
        )


def test_codes_that_an_explainer_retires_itself_stay_retired_beside_the_models() -> None:
    model = succeeding(card(numbered(["age", "rent"])), card(numbered(["age", "job"])))
    assert isinstance(model, Scorecard)
    assert model.reasons is not None
    own = replace(model.reasons, retired=FrozenMapping({"R98": "About debts"}))

    class Retiring:
        def policy(self, model: object, reference: object, *, weight: object = None) -> ReasonPolicy:
            return own

    assert set(policy_by(Retiring(), model, None).retired) == {"R02", "R98"}
