"""Reasons of a model of segments: those that the models of the segments give their own applicants."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scrutable import create
from scrutable.data.datasets import Dataset, make_credit
from scrutable.errors import InputError, ModelError, UnsupportedModel
from scrutable.model import Clause, Interval, KnockOut, Missing, Policy, Scorecard, Segment, SegmentedModel
from scrutable.model.evaluator import evaluate
from scrutable_reason_codes.explainer import ReasonCodes

ROUTES = {"new": "employment_months < 24 or missing", "others": "else"}


@pytest.fixture(scope="module")
def data() -> Dataset:
    return make_credit(900, seed=4, missing=0.05)


@pytest.fixture(scope="module")
def model(data: Dataset) -> SegmentedModel:
    """Two scorecards of different inputs, with a knock-out among the new ones."""
    learner = create(
        "learner",
        "segmented",
        segments=ROUTES,
        options={"binner": "quantile"},
        segment_options={"new": {"approval_rate": 0.4}},
        inputs={"new": ["income", "debt_ratio", "housing"]},
        favourable=data.favourable,
    )
    whole: SegmentedModel = learner.fit(data.X, data.y).model_
    new = whole.segments[0]
    assert isinstance(new.model, Scorecard)
    when = (Clause("debt_ratio", (Interval(lower=60), Missing())),)
    strict = replace(new.model, policy=Policy(knock_outs=(KnockOut(code="K9", reason="Debts", when=when),)))
    return replace(whole, segments=(replace(new, model=strict), whole.segments[1]))


def rows_of(model: SegmentedModel, data: Dataset) -> dict[str, Any]:
    found = evaluate(model, data.X).segment
    return {segment.name: np.flatnonzero(found == segment.name) for segment in model.segments}


def test_everybody_is_explained_by_the_model_of_their_segment(model: SegmentedModel, data: Dataset) -> None:
    found = ReasonCodes().explain(model, data.X)
    assert [each.row for each in found] == list(range(900))
    for segment in model.segments:
        rows = rows_of(model, data)[segment.name]
        alone = ReasonCodes().explain(segment.model, data.X.iloc[rows])
        assert [found[row] for row in rows] == [
            replace(each, row=int(row), segment=segment.name) for row, each in zip(rows, alone, strict=True)
        ]
        assert {each.cutoff for each in alone} == {segment.model.cutoff}
    assert any(reason.code == "K9" for each in found for reason in each.reasons)


def test_they_are_the_reasons_of_the_evaluator(model: SegmentedModel, data: Dataset) -> None:
    its = evaluate(model, data.X)
    assert its.reasons is not None
    for each in ReasonCodes().explain(model, data.X):
        assert [reason.code for reason in each.reasons] == [code for code in its.reasons[each.row] if code is not None]
        assert each.approved == its.approved[each.row]


def test_the_explanation_names_the_segment(model: SegmentedModel, data: Dataset) -> None:
    row = int(rows_of(model, data)["new"][0])
    [found] = ReasonCodes().explain(model, data.X.iloc[[row]])
    first = found.describe().split("\n")[0]
    assert first.endswith(f"cutoff {model.segments[0].model.cutoff:.1f}, segment 'new'")
    assert found.to_dict()["segment"] == "new"


def test_baselines_of_a_reference_are_those_of_the_segments_own_applicants(
    model: SegmentedModel, data: Dataset
) -> None:
    weight = np.arange(900) % 4
    whole = ReasonCodes().with_policy(model, data.X, weight=weight)
    assert isinstance(whole, SegmentedModel)
    for segment in whole.segments:
        rows = rows_of(model, data)[segment.name]
        alone = ReasonCodes().policy(segment.model, data.X.iloc[rows], weight=weight[rows])
        assert segment.model.reasons is not None
        assert segment.model.reasons.baselines == alone.baselines
        assert segment.model.reasons.cutoff == segment.model.cutoff
    everybody = ReasonCodes().policy(whole.segments[1].model, data.X, weight=weight)
    assert whole.segments[1].model.reasons is not None
    assert everybody.baselines != whole.segments[1].model.reasons.baselines
    told = ReasonCodes(k=2).explain(model, data.X, reference=data.X)
    assert told == ReasonCodes().explain(ReasonCodes(k=2).with_policy(model, data.X), data.X)


def test_a_row_is_explained_alike_whoever_else_is_asked_about(model: SegmentedModel, data: Dataset) -> None:
    whole = ReasonCodes(k=3).explain(model, data.X, reference=data.X)
    for row in (0, 7, 400):
        [alone] = ReasonCodes(k=3).explain(model, data.X.iloc[[row]], reference=data.X)
        assert replace(alone, row=row) == whole[row]


def test_a_code_that_was_chosen_is_kept_and_others_are_numbered_anew(model: SegmentedModel, data: Dataset) -> None:
    options = ReasonCodes(codes={"income": "R02", "late_payments": "LATE"}, texts={"LATE": "Payments were late"})
    whole = options.with_policy(model, data.X)
    assert isinstance(whole, SegmentedModel)
    policies = [segment.model.reasons for segment in whole.segments]
    meanings: dict[str, set[str]] = {}
    for policy in policies:
        assert policy is not None
        assert policy.codes["income"] == "R02"
        for code, words in policy.texts.items():
            meanings.setdefault(code, set()).add(words)
    assert all(len(words) == 1 for words in meanings.values())
    assert meanings["R02"] == {"Income"}
    assert meanings["LATE"] == {"Payments were late"}
    assert policies[0] is not None
    assert "late_payments" not in policies[0].codes


def test_options_of_one_segment(model: SegmentedModel, data: Dataset) -> None:
    whole = ReasonCodes(k=3).with_policy(model, data.X, by_segment={"new": ReasonCodes(method="below-maximum", k=1)})
    assert isinstance(whole, SegmentedModel)
    told = [(its.method, its.k) for segment in whole.segments if (its := segment.model.reasons)]
    assert told == [("below-maximum", 1), ("below-average", 3)]
    with pytest.raises(InputError, match=r"by_segment: unknown segment; got 'nwe'.*did you mean 'new'"):
        ReasonCodes().with_policy(model, data.X, by_segment={"nwe": ReasonCodes()})
    with pytest.raises(InputError, match=r"by_segment, segment 'new': expected options; got {'k': 1}"):
        ReasonCodes().with_policy(model, data.X, by_segment={"new": {"k": 1}})  # type: ignore[dict-item]  # is refused


def test_words_change_and_baselines_stay(model: SegmentedModel) -> None:
    codes = {"income": "INC", "housing": "HOME"}
    whole = ReasonCodes(codes=codes, texts={"INC": "Earnings"}, inquiries="late_payments", k=2).with_words(model)
    assert isinstance(whole, SegmentedModel)
    for before, after in zip(model.segments, whole.segments, strict=True):
        assert before.model.reasons is not None
        assert after.model.reasons is not None
        assert after.model.reasons.baselines == before.model.reasons.baselines
        assert after.model.reasons.texts["INC"] == "Earnings"
        assert after.model.reasons.k == 2
        read = "late_payments" in after.model.reasons.codes
        assert after.model.reasons.inquiries == (("late_payments",) if read else ())


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"codes": {"incmoe": "A"}}, "codes: unknown name; got 'incmoe'.*did you mean 'income'"),
        ({"texts": {"R01": "Pay"}}, "texts: unknown name; got 'R01'"),
        ({"codes": {"income": "A"}, "translations": {"de": {"B": "b"}}}, "translations: de: unknown name; got 'B'"),
        ({"inquiries": "lates"}, "inquiries: unknown name; got 'lates'"),
        ({"never": "late_payments"}, "segment 'others', never: feature 'late_payments': may never be a reason"),
        ({"method": "shapely"}, "method: unknown method"),
    ],
)
def test_options_that_no_segment_can_have(
    options: dict[str, Any], says: str, model: SegmentedModel, data: Dataset
) -> None:
    with pytest.raises(InputError, match=says):
        ReasonCodes(**options).with_policy(model, data.X)


def test_texts_that_segments_disagree_on_are_refused(model: SegmentedModel, data: Dataset) -> None:
    other = ReasonCodes(codes={"income": "INC"}, texts={"INC": "Salary"})
    with pytest.raises(ModelError, match="segments disagree on the text of a reason code"):
        ReasonCodes(codes={"income": "INC"}).with_policy(model, data.X, by_segment={"new": other})


def test_a_segment_without_a_policy_is_named_where_it_has_applicants(model: SegmentedModel, data: Dataset) -> None:
    new, others = model.segments
    bare = replace(model, segments=(replace(new, model=replace(new.model, reasons=None)), others))
    rows = rows_of(model, data)
    assert ReasonCodes().explain(bare, data.X.iloc[rows["others"]])
    with pytest.raises(ModelError, match=r"segment 'new': the model holds no reason policy.*give a reference"):
        ReasonCodes().explain(bare, data.X)
    with pytest.raises(ModelError, match=r"segment 'new', reason codes: the model holds no reason policy"):
        ReasonCodes().with_words(bare)
    assert ReasonCodes().explain(bare, data.X, reference=data.X)


def test_a_reference_without_applicants_of_a_segment_is_refused(model: SegmentedModel, data: Dataset) -> None:
    rows = rows_of(model, data)["new"]
    with pytest.raises(InputError, match="segment 'others', reference: an empty reference population"):
        ReasonCodes().with_policy(model, data.X.iloc[rows])
    with pytest.raises(InputError, match=r"^weights of the reference: the number of rows differs; got 3; allowed: 900"):
        ReasonCodes().with_policy(model, data.X, weight=[1, 2, 3])


def test_weights_are_named_by_their_row_among_all_and_by_segment_where_one_has_none(
    model: SegmentedModel, data: Dataset
) -> None:
    weight = np.ones(900)
    weight[rows_of(model, data)["others"]] = 0
    with pytest.raises(InputError, match=r"^segment 'others', weights of the reference: weights may not .*; got 0\.0"):
        ReasonCodes().with_policy(model, data.X, weight=weight)
    weight[899] = -1
    with pytest.raises(InputError, match=r"^weights of the reference, row 899: .*; got -1\.0"):
        ReasonCodes().with_policy(model, data.X, weight=weight)


def test_one_policy_is_not_that_of_several_models(model: SegmentedModel, data: Dataset) -> None:
    with pytest.raises(UnsupportedModel, match="use with_policy or with_words: they give the model of each segment"):
        ReasonCodes().policy(model, data.X)
    with pytest.raises(InputError, match="options shape a policy"):
        ReasonCodes(k=2).explain(model, data.X)


def test_a_single_model_has_the_same_door(model: SegmentedModel, data: Dataset) -> None:
    card = model.segments[1].model
    options = ReasonCodes(k=2)
    assert options.with_policy(card, data.X) == replace(card, reasons=options.policy(card, data.X))
    assert options.with_words(card) == replace(card, reasons=options.reworded(card))


def test_methods_are_compared_within_each_segment(model: SegmentedModel, data: Dataset) -> None:
    found = ReasonCodes().compare(model, data.X, reference=data.X)
    for segment in model.segments:
        rows = data.X.iloc[rows_of(model, data)[segment.name]]
        alone = ReasonCodes().compare(segment.model, rows, reference=rows)
        its = [each for each in found if each.segment == segment.name]
        assert its == [replace(each, segment=segment.name) for each in alone]


def test_a_segment_without_applicants_is_compared_with_a_note(model: SegmentedModel, data: Dataset) -> None:
    rows = data.X.iloc[rows_of(model, data)["new"]]
    found = [each for each in ReasonCodes().compare(model, rows, reference=data.X) if each.segment == "others"]
    assert {each.note for each in found} == {"nobody is declined"}


def test_one_segment_of_all_is_the_model_itself(model: SegmentedModel, data: Dataset) -> None:
    card = model.segments[1].model
    whole = SegmentedModel(segments=(Segment(name="all", model=card),))
    assert ReasonCodes().explain(whole, data.X) == [
        replace(each, segment="all") for each in ReasonCodes().explain(card, data.X)
    ]
