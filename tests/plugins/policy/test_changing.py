"""Rules added to models and taken out: what they become, the record of them, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scrutable import evaluate
from scrutable.errors import InputError, ModelError
from scrutable.model import (
    Feature,
    FrozenMapping,
    KnockOut,
    SegmentedModel,
    dumps,
    fingerprint,
    loads,
    read_conditions,
)
from scrutable.plugins import DataDictionary
from scrutable.testing.contract.examples.models import models_named
from scrutable_policy import (
    AdjustmentRule,
    KnockOutRule,
    OverrideRule,
    StatedRule,
    add_rules,
    list_rules,
    policy_edits,
    remove_rules,
)

SIGNED: dict[str, Any] = {"who": "Ana Ruiz", "why": "Credit policy 2026"}
CARD = models_named()["scorecard"]
STUMPS = models_named()["stumps"]
SEGMENTED = models_named()["segmented-model"]
YOUNG = KnockOutRule(code="N1", reason="Applicant is under age", when="age < 18 or missing")
DEBTS = Feature(name="debts", kind="numeric", special_codes=(-9,))


def knock_out(when: str, **further: Any) -> KnockOutRule:
    return KnockOutRule(**{"code": "N1", "reason": "Applicant is under age", "when": when, **further})


def test_a_knock_out_declines_with_its_reason() -> None:
    model = add_rules(CARD, [YOUNG], **SIGNED).model
    rows = {"age": [17.0, None, 40.0], "job": ["cook"] * 3, "region": [1.0] * 3, "amount": [5.0] * 3}
    results = evaluate(model, rows)
    assert results.knock_out.tolist() == ["N1", "N1", None]
    assert results.reasons[:, 0].tolist()[:2] == ["N1", "N1"]
    assert not results.approved[:2].any()


def test_adjustments_move_the_score_and_overrides_take_the_decision() -> None:
    rules = [
        AdjustmentRule(code="N2", reason="Amount is high", when="amount >= 5", points=-1000, explained=False),
        OverrideRule(code="N3", reason="Known for long", when="region = 7", decision="approve"),
    ]
    model = add_rules(CARD, rules, **SIGNED).model
    rows = {"age": [40.0] * 2, "job": ["cook"] * 2, "region": [1.0, 7.0], "amount": [5.0] * 2}
    before, after = evaluate(CARD, rows), evaluate(model, rows)
    assert (after.score - before.score).tolist() == [-1000, -1000]
    assert after.approved.tolist() == [False, True]
    assert after.override.tolist() == [None, "N3"]


def test_what_was_added_and_removed_is_in_the_models_bytes() -> None:
    rules = [YOUNG, OverrideRule(code="N3", reason="Debts", when="debts > 9", decision="decline", why="Board of March")]
    added = add_rules(CARD, rules, features=[DEBTS], **SIGNED).model
    removed = remove_rules(added, ["N3"], who="Bo Lee", why="Debts come with the bureau").model
    for model in (added, removed):
        assert loads(dumps(model)) == model
    assert len({fingerprint(model) for model in (CARD, added, removed)}) == 3
    edits = policy_edits(removed)
    assert [(each.action, each.code, each.who, each.why) for each in edits] == [
        ("added", "N1", "Ana Ruiz", "Credit policy 2026"),
        ("added", "N3", "Ana Ruiz", "Board of March"),
        ("removed", "N3", "Bo Lee", "Debts come with the bureau"),
    ]
    assert [each.model_sha256 for each in edits] == [fingerprint(CARD), fingerprint(CARD), fingerprint(added)]
    assert edits[2].rule == "Override N3: declines, Debts, where Debts > 9"
    assert "debts" in [feature.name for feature in added.features]
    one = add_rules(CARD, [YOUNG], **SIGNED).model
    assert replace(removed, provenance=one.provenance) == one
    assert "debts" not in [feature.name for feature in removed.features]


@pytest.mark.parametrize("name", ["scorecard", "stumps", "tree-ensemble", "rule-set", "segmented-model"])
def test_what_is_added_and_removed_again_leaves_the_model_as_it_was(name: str) -> None:
    model = models_named()[name]
    rule = knock_out("debts > 3 or missing", code="N9")
    changed = add_rules(model, [rule], features=[DEBTS], **SIGNED).model
    assert changed != model
    again = remove_rules(changed, ["N9"], **SIGNED).model
    assert replace(again, provenance=model.provenance) == model


def test_each_kind_keeps_its_order_and_a_rule_may_come_before_another() -> None:
    rules = [knock_out("age < 18", code=code) for code in ("N1", "N2")]
    first = knock_out("age > 99", code="N0", before="N1")
    model = add_rules(add_rules(CARD, rules, **SIGNED).model, [first], **SIGNED).model
    codes = [each.code for each in model.policy.knock_outs if each.code.startswith("N")]
    assert codes == ["N0", "N1", "N2"]
    with pytest.raises(InputError, match=r"knock-out 'N3': no knock-out has the code that it comes before; got 'N8'"):
        add_rules(CARD, [knock_out("age > 99", code="N3", before="N8")], **SIGNED)


def test_segments_get_all_rules_or_those_that_name_them() -> None:
    rules = [
        knock_out("amount < 0", code="N1"),
        knock_out("amount < 1", code="N2", segments=("thin file",), why="Thin files only"),
    ]
    model = add_rules(SEGMENTED, rules, **SIGNED).model
    assert isinstance(model, SegmentedModel)
    thin, thick = ([rule.code for rule in part.policy.rules if rule.code.startswith("N")] for part in model.parts)
    assert (thin, thick) == (["N1", "N2"], ["N1"])
    assert [each.segments for each in policy_edits(model)] == [(), ("thin file",)]
    fewer = remove_rules(model, ["N1"], segments=["thick file"], **SIGNED).model
    assert [[r.code for r in part.policy.rules if r.code.startswith("N")] for part in fewer.parts] == [["N1", "N2"], []]
    with pytest.raises(InputError, match="'N3': unknown segment; got 'thin'; allowed: did you mean 'thin file'"):
        add_rules(SEGMENTED, [knock_out("amount < 1", code="N3", segments=("thin",))], **SIGNED)
    with pytest.raises(InputError, match="'N2', segment 'thin file': a rule of a segment has this code already"):
        add_rules(model, [knock_out("amount < 1", code="N2", segments=("thick file",))], **SIGNED)


def test_reasons_are_told_in_every_language_of_the_model() -> None:
    assert CARD.reasons is not None
    german = FrozenMapping({code: f"Grund {code}" for code in (*CARD.reasons.order, *CARD.policy.reasons)})
    model = replace(CARD, reasons=replace(CARD.reasons, translations=FrozenMapping({"de": german})))
    with pytest.raises(InputError, match=r"knock-out 'N1': the reason has no text in a language .* got 'de'"):
        add_rules(model, [YOUNG], **SIGNED)
    spoken = replace(YOUNG, translations={"de": "Minderjährig", "fr": "Mineur"})
    changed = add_rules(model, [spoken], **SIGNED).model
    assert changed.reasons.words("N1", "de") == "Minderjährig"
    assert replace(remove_rules(changed, ["N1"], **SIGNED).model, provenance=model.provenance) == model


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (knock_out("agee < 18"), "knock-out 'N1': the rule reads a column .* got 'agee'; allowed: did you mean 'age'"),
        (
            knock_out("job < 18"),
            "knock-out 'N1', feature 'job': an interval needs a numeric feature; got 'categorical'",
        ),
        (knock_out("age = 'old'"), "feature 'age': .*'old'"),
        (knock_out("age <"), "knock-out 'N1', condition 'age <', the end: expected a value"),
        (knock_out("age < 18 and age > 20"), "knock-out 'N1', condition .*: no number satisfies both tests"),
        (knock_out("age < 18 and age is missing"), "'N1', column 'age': no applicant satisfies the conditions"),
        (knock_out("age < 18 and age in [20, 30]"), "column 'age': no applicant satisfies the conditions"),
        (knock_out("job = 'cook' and job != 'cook'"), "column 'job': no applicant satisfies the conditions"),
        (knock_out("__import__('os').system('x')"), "cannot be read"),
        (knock_out("age < 18", code="R1"), "'R1': a reason of the score of the model has this code already"),
        (knock_out("age < 18", code=""), "knock-out code: a name may not be empty"),
        (knock_out("age < 18", reason=""), "reason of knock-out 'N1': a name may not be empty"),
        (knock_out("age < 18", reason="Internal policy"), "reason of knock-out 'N1': "),
        (
            knock_out("age < 18", who=" "),
            "'N1': a change of the policy says who wants it, and why; got 'no who",
        ),
        (AdjustmentRule(code="N2", reason="Age", when="age < 9", points=0), "score adjustment 'N2': it adds no points"),
        (AdjustmentRule(code="N2", reason="Age", when="age < 9", points=1e9), "points|large"),
        (OverrideRule(code="N3", reason="Age", when="age < 9", decision="refer"), "override 'N3': unknown decision"),
    ],
)
def test_rules_that_are_refused(rule: StatedRule, words: str) -> None:
    with pytest.raises((InputError, ModelError), match=words):
        add_rules(CARD, [rule], **SIGNED)


def test_codes_are_given_once() -> None:
    with pytest.raises(InputError, match="knock-out 'N1': two rules have one code"):
        add_rules(CARD, [YOUNG, YOUNG], **SIGNED)
    model = add_rules(CARD, [YOUNG], **SIGNED).model
    with pytest.raises(InputError, match="knock-out 'N1': a knock-out of the model has this code already; got 'N1'"):
        add_rules(model, [YOUNG], **SIGNED)


def test_models_and_rules_that_are_none() -> None:
    quantity = models_named()["regression-scorecard"]
    with pytest.raises(InputError, match="model: rules around a score need a model that decides between two classes"):
        add_rules(quantity, [YOUNG], **SIGNED)
    assert list_rules(quantity).rules == ()
    with pytest.raises(InputError, match="rules: expected rules"):
        add_rules(CARD, [], **SIGNED)
    votes = AdjustmentRule(code="N2", reason="Income is low", when="income < 9", points=-5)
    with pytest.raises(ModelError, match="a rule set has votes, to which no points can be added"):
        add_rules(models_named()["rule-set"], [votes], **SIGNED)
    with pytest.raises(InputError, match="policy: no rule has this code; got 'K9'; allowed: did you mean 'K1'"):
        remove_rules(STUMPS, ["K9"], **SIGNED)
    with pytest.raises(InputError, match="says who wants it, and why; got 'no who and why'"):
        remove_rules(STUMPS, ["K1"], who="", why=" ")


def test_protected_attributes_are_read_by_no_rule_unless_allowed_by_name() -> None:
    sex = Feature(name="sex", kind="categorical")
    rule = knock_out("sex = 'f'")
    with pytest.raises(InputError, match=r"'N1', column 'sex': a rule reads a column that is one by its name"):
        add_rules(CARD, [rule], features=[sex], **SIGNED)
    with pytest.raises(InputError, match=r"column 'age': a rule reads a column that is a protected attribute"):
        add_rules(CARD, [YOUNG], protected=["age"], **SIGNED)
    dictionary = DataDictionary.of({"columns": {"age": {"role": "protected"}}})
    with pytest.raises(InputError, match=r"column 'age': .* Fix: .* --allow-protected age"):
        add_rules(CARD, [YOUNG], dictionary=dictionary, **SIGNED)
    changed = add_rules(CARD, [YOUNG], dictionary=dictionary, allow_protected=["age"], **SIGNED)
    assert policy_edits(changed.model)[0].allowed_protected == ("age",)
    with pytest.raises(InputError, match=r"allow_protected: no rule reads the column; got 'agee'.*did you mean 'age'"):
        add_rules(CARD, [YOUNG], allow_protected=["agee"], **SIGNED)


def test_a_dictionary_says_what_other_columns_are() -> None:
    said = {"debts": {"type": "number", "special": [-9], "label": "Debts"}, "day": {"type": "date"}, "town": {}}
    dictionary = DataDictionary.of({"columns": said})
    model = add_rules(CARD, [knock_out("debts > 3 or debts is special [-9]")], dictionary=dictionary, **SIGNED).model
    assert model.features[-1] == Feature(name="debts", kind="numeric", special_codes=(-9,), label="Debts")
    for name in ("day", "town"):
        with pytest.raises(InputError, match=f"a column that the model does not know; got '{name}'"):
            add_rules(CARD, [knock_out(f"{name} = 3")], dictionary=dictionary, **SIGNED)


def test_the_list_tells_of_rules_that_nobody_recorded() -> None:
    changed = add_rules(STUMPS, [YOUNG], **SIGNED).model
    listed = list_rules(changed)
    assert [(each.code, each.who) for each in listed.rules] == [("K1", ""), ("N1", "Ana Ruiz")]
    assert listed.to_dict()["edits"][0]["why"] == "Credit policy 2026"
    assert listed.frame()["effect"].tolist() == ["declines", "declines"]


def test_a_rule_is_what_the_model_class_says_it_is() -> None:
    assert YOUNG.made() == KnockOut(code="N1", reason="Applicant is under age", when=read_conditions(YOUNG.when))
