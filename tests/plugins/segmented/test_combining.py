"""Models put together: routing features, reason codes that mean one thing, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError, ModelError
from scrutable.model import (
    Categories,
    Clause,
    Feature,
    FrozenMapping,
    Interval,
    KnockOut,
    Missing,
    Outcome,
    Policy,
    RegressionScorecard,
    Scorecard,
    SegmentedModel,
    dumps,
    fingerprint,
    loads,
)
from scrutable.model.evaluator import differences, evaluate
from scrutable.testing.cards import card
from scrutable.testing.contract.examples.models import models_named
from scrutable.testing.strategies import regression_scorecards
from scrutable_segmented.combining import combine

LOW = {"thin": "amount < 10"}
ROWS = {"amount": [5.0, 12.0, 25.0, None], "job": ["cook", None, "else", "cook"]}


def pair(**changes: Any) -> dict[str, Scorecard]:
    return {"thin": card(), "thick": replace(card(), cutoff=505, **changes)}


@pytest.mark.parametrize(
    "when",
    [
        "amount < 10",
        {"amount": Interval(upper=10)},
        {"amount": [Interval(upper=10)]},
        [Clause("amount", (Interval(upper=10),))],
        (Clause("amount", (Interval(upper=10),)),),
    ],
)
def test_a_condition_is_given_in_any_form(when: Any) -> None:
    model = combine(pair(), {"thin": when})
    assert model == combine(pair(), LOW)
    found = evaluate(model, ROWS)
    assert found.segment.tolist() == ["thin", "thick", "thick", "thick"]
    assert loads(dumps(model)) == model


def test_each_model_decides_as_it_does_alone() -> None:
    models = pair()
    whole = evaluate(combine(models, LOW), ROWS)
    for name, single in models.items():
        own = evaluate(single, ROWS)
        rows = np.flatnonzero(whole.segment == name)
        assert (whole.score[rows] == own.score[rows]).all()
        assert (whole.approved[rows] == own.approved[rows]).all()
        assert (whole.reasons[rows] == own.reasons[rows]).all()


def test_several_alternatives_and_features() -> None:
    when = {"thin": {"amount": [Interval(upper=10), Missing()], "job": Categories(("cook",))}}
    found = evaluate(combine(pair(), when), ROWS).segment
    assert found is not None
    assert found.tolist() == ["thin", "thick", "thick", "thin"]


def test_routing_features_have_the_codes_of_all_models_unless_they_are_given() -> None:
    def coded(code: float) -> Scorecard:
        amount = replace(card().features[0], special_codes=(code,))
        return replace(card(), features=(amount, *card().features[1:]), characteristics=with_special(card(), code))

    models = {"thin": coded(-9), "thick": coded(-8)}
    assert combine(models, LOW).routing[0].special_codes == (-9, -8)
    found = evaluate(combine(models, LOW), {"amount": [-9.0, -8.0, 1.0], "job": [None] * 3}).segment
    assert found is not None
    assert found.tolist() == ["thick", "thick", "thin"]
    plain = Feature(name="amount", kind="numeric")
    assert combine(models, LOW, features=[plain]).routing == (plain,)


def with_special(scorecard: Scorecard, code: float) -> Any:
    from scrutable.model import Attribute, Special

    first, *rest = scorecard.characteristics
    return (replace(first, attributes=(*first.attributes, Attribute(condition=Special((code,)), points=1))), *rest)


def test_a_condition_may_read_what_no_model_does() -> None:
    accounts = Feature(name="accounts", kind="numeric")
    model = combine(pair(), {"thin": "accounts < 3"}, features=[accounts])
    found = evaluate(model, {**ROWS, "accounts": [1.0, 5.0, None, 2.0]}).segment
    assert found is not None
    assert found.tolist() == ["thin", "thick", "thick", "thin"]
    with pytest.raises(InputError, match=r"no model reads; got 'accounts'.*features=\[Feature\(name='accounts'"):
        combine(pair(), {"thin": "accounts < 3"})


def test_a_feature_that_no_condition_reads_is_refused() -> None:
    """Else the special codes of a misspelt one would be lost, and applicants with them in the wrong segment."""
    coded = Feature(name="amont", kind="numeric", special_codes=(-9,))
    with pytest.raises(InputError, match=r"features: no condition reads the feature; got 'amont'.*mean 'amount'"):
        combine(pair(), LOW, features=[coded])
    twice = [Feature(name="amount", kind="numeric", special_codes=codes) for codes in ((-9,), ())]
    with pytest.raises(InputError, match="features: the feature is given twice; got 'amount'"):
        combine(pair(), LOW, features=twice)


def test_provenance_names_the_models() -> None:
    [thin, thick] = combine(pair(), LOW).provenance.parameters["segments"]
    assert (thin["name"], thin["when"]) == ("thin", "amount < 10")
    assert thick["model_sha256"] == fingerprint(pair()["thick"])


# --- reason codes -------------------------------------------------------------------------------------------


def reworded(texts: dict[str, str], scorecard: Scorecard | None = None) -> Scorecard:
    """A scorecard whose codes mean something else."""
    single = scorecard or card()
    assert single.reasons is not None
    return replace(single, reasons=replace(single.reasons, texts=FrozenMapping({**single.reasons.texts, **texts})))


def test_codes_that_agree_stay() -> None:
    model = combine(pair(), LOW)
    assert [segment.model for segment in model.segments] == list(pair().values())


def test_codes_that_clash_are_numbered_anew_and_rank_as_before() -> None:
    first = card()
    assert first.reasons is not None
    code = first.reasons.order[0]
    other = reworded({code: "Length of employment"})
    model = combine({"thin": first, "thick": other}, LOW)
    texts = [segment.model.reasons.texts for segment in model.segments]
    assert set(texts[0]) | set(texts[1]) == {f"R{i:02d}" for i in range(1, len({*texts[0], *texts[1]}) + 1)}
    said: dict[str, str] = {}
    for each in texts:
        assert all(said.setdefault(key, words) == words for key, words in each.items())
    for segment, before in zip(model.segments, (first, other), strict=True):
        assert before.reasons is not None
        assert segment.model.reasons is not None
        ours, theirs = evaluate(segment.model, ROWS), evaluate(before, ROWS)
        new = dict(zip(before.reasons.order, segment.model.reasons.order, strict=True))
        assert ours.reasons is not None
        assert theirs.reasons is not None
        assert ours.reasons.tolist() == [[new.get(key, key) for key in row] for row in theirs.reasons.tolist()]
        drop = {f"reason_{i + 1}" for i in range(before.reasons.k)}
        plain = [{k: v for k, v in found.frame().items() if k not in drop} for found in (ours, theirs)]
        assert differences(*plain) == {}


def test_new_codes_are_none_of_a_knock_out_and_translations_follow() -> None:
    policy = Policy(knock_outs=(KnockOut(code="R01", reason="A minor", when=card().policy.knock_outs[0].when),))
    single = card()
    assert single.reasons is not None
    german = FrozenMapping({**{code: f"Grund {code}" for code in single.reasons.order}, "R01": "Minderjährig"})
    first = replace(single, policy=policy, reasons=replace(single.reasons, translations=FrozenMapping({"de": german})))
    model = combine({"thin": first, "thick": reworded({single.reasons.order[0]: "Length of employment"})}, LOW)
    reasons = model.segments[0].model.reasons
    assert reasons is not None
    assert "R01" not in reasons.texts
    assert set(reasons.translations["de"]) == {*reasons.order, "R01"}
    assert reasons.translations["de"]["R01"] == "Minderjährig"


def knocked_out(scorecard: Scorecard, code: str, reason: str) -> Scorecard:
    """The scorecard with a knock-out of this code."""
    when = card().policy.knock_outs[0].when
    return replace(scorecard, policy=Policy(knock_outs=(KnockOut(code=code, reason=reason, when=when),)))


def test_no_reason_has_the_code_of_another_segments_knock_out() -> None:
    """A letter, a database and a person who read the code could not tell which it is."""
    code = card().reasons.order[0]  # type: ignore[union-attr]  # the card has reasons
    thick = replace(card(), reasons=None)
    model = combine({"thin": card(), "thick": knocked_out(thick, code, "A minor")}, LOW)
    thin = model.segments[0].model
    assert thin.reasons is not None
    assert code not in thin.reasons.texts
    assert evaluate(model, ROWS).reasons[0].tolist() == ["R01", "R02"]
    same = combine({"thin": card(), "thick": knocked_out(thick, "K", "A minor")}, LOW)
    assert same.segments[0].model == card()


def test_two_knock_outs_of_one_code_are_refused() -> None:
    models = {"thin": knocked_out(card(), "K1", "A minor"), "thick": knocked_out(card(), "K1", "Bankrupt")}
    with pytest.raises(InputError, match=r"segment 'thick', knock-out 'K1': another.*got 'Bankrupt'; allowed: 'A mi"):
        combine(models, LOW)
    same = combine({name: knocked_out(card(), "K1", "A minor") for name in models}, LOW)
    assert [rule.code for each in same.segments for rule in each.model.policy.knock_outs] == ["K1", "K1"]


# --- what is refused ----------------------------------------------------------------------------------------


def refused() -> list[tuple[Any, Any, type[Exception], str]]:
    other = replace(card(), outcome=Outcome(classes=("bad", "good"), favourable="good", target="another"))
    whole = combine(pair(), LOW)
    return [
        ({}, {}, InputError, "no model to combine"),
        (pair(), {}, InputError, "segment 'thin': no condition says who belongs.*every segment but the last"),
        (pair(), {"thinn": "x < 1"}, InputError, "when: unknown segment; got 'thinn'.*did you mean 'thin'"),
        (pair(), {**LOW, "thick": "amount < 3"}, InputError, "the last segment takes everybody else"),
        (pair(), {"thin": "amount <"}, InputError, "segment 'thin', condition 'amount <', the end"),
        (pair(), {"thin": ()}, InputError, "always holds leaves nobody"),
        (pair(), {"thin": ["amount < 3"]}, InputError, "not a condition"),
        (pair(), {"thin": 3}, InputError, "segment 'thin', condition: not a condition; got 3"),
        (pair(), {"thin": {"amount": "< 3"}}, InputError, "segment 'thin', condition: not a condition"),
        (pair(), {"thin": {"amount": []}}, InputError, "segment 'thin', condition: not a condition"),
        (pair(), "amount < 3", InputError, "when: expected a mapping.*conditions by the name of their segment"),
        ([card()], {}, InputError, "models: expected a mapping"),
        (pair(), {"thin": "amount = 'x'"}, ModelError, "feature 'amount'"),
        (pair(), {"thin": "amount is special [-9]"}, ModelError, "not a special code"),
        ({"a": whole, "b": card()}, {"a": "amount < 3"}, InputError, "segment 'a'.*combine the segments' own models"),
        ({"thin": card(), "thick": other}, LOW, ModelError, "segments must decide about one outcome"),
        ({"a": models_named()["regression-scorecard"], "b": card()}, {"a": "amount < 3"}, InputError, "a single model"),
    ]


@pytest.mark.parametrize("case", range(len(refused())))
def test_what_is_refused(case: int) -> None:
    models, when, kind, words = refused()[case]
    with pytest.raises(kind, match=words):
        combine(models, when)


@settings(max_examples=5, deadline=None, derandomize=True, database=None)
@given(model=regression_scorecards(), name=st.just("a"))
def test_predictions_are_no_segment(model: RegressionScorecard, name: str) -> None:
    with pytest.raises(InputError, match="a single model that decides"):
        combine({name: model}, {})


def test_one_model_is_a_segment_of_all() -> None:
    model = combine({"all": card()}, {})
    assert isinstance(model, SegmentedModel)
    assert (evaluate(model, ROWS).score == evaluate(card(), ROWS).score).all()
