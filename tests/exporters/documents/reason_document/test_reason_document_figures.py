"""The figures of the document are those that pandas finds in the rows."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
from scipy.stats import binom

from scrutable.data.datasets import load_german_credit
from scrutable.fairness import Groups
from scrutable.model import (
    Adjustment,
    Categories,
    Clause,
    Feature,
    FrozenMapping,
    Interval,
    KnockOut,
    Missing,
    Override,
    Policy,
    Scorecard,
    Segment,
    SegmentedModel,
    Special,
)
from scrutable.model.evaluator import evaluate
from scrutable_documents.reason_document.exporter import ReasonDocument

from .figures import told

ROWS = load_german_credit().frame


@pytest.fixture(scope="module")
def card(german_card: Scorecard) -> Scorecard:
    """The scorecard of German credit with a knock-out."""
    rule = KnockOut(code="K1", reason="Length of the loan", when=(Clause("duration_months", (Interval(lower=48),)),))
    return replace(german_card, policy=Policy(knock_outs=(rule,)))


def test_shares_of_attributes(card: Scorecard) -> None:
    lines = [line for line in told(card, applicants=ROWS)["lines"] if line["kind"] == "attribute"]
    expected = []
    for characteristic in card.characteristics:
        values = ROWS[characteristic.feature]
        named: list[Any] = []
        for attribute in characteristic.attributes:
            its = attribute.condition
            if isinstance(its, Interval):
                rows = (values >= its.lower) & (values < its.upper)
            elif isinstance(its, Categories | Special):
                named += its.values if isinstance(its, Categories) else its.codes
                rows = values.isin(named[-1:] if isinstance(its, Special) else its.values)
            elif isinstance(its, Missing):
                rows = values.isna()
            else:
                rows = ~values.isin(named) & values.notna()
            expected.append(rows.mean())
    assert [line["share"] for line in lines] == pytest.approx(expected)
    assert sum(expected) == pytest.approx(len(card.characteristics))
    [knock_out] = [line for line in told(card, applicants=ROWS)["lines"] if line["kind"] == "knock-out"]
    assert (knock_out["of"], knock_out["share"]) == ("K1", pytest.approx((ROWS["duration_months"] >= 48).mean()))


def test_what_stands_around_the_score_is_told_as_what_it_is(german_card: Scorecard) -> None:
    long = (Clause("duration_months", (Interval(lower=48),)),)
    overrides = (
        Override(code="O1", reason="Length of the loan", decision="decline", when=long),
        Override(code="O2", reason="Watched", decision="decline", when=long, explained=False),
    )
    adjustment = Adjustment(code="A1", reason="Long loan", points=-15, when=long)
    model = replace(german_card, policy=Policy(adjustments=(adjustment,), overrides=overrides))
    found = told(model, applicants=ROWS)
    codes = {each["code"]: (each["knock_out"], each["override"]) for each in found["codes"]}
    assert (codes["A1"], codes["O1"]) == ((False, False), (False, True))
    assert "O2" not in codes
    steps = " ".join(found["steps"])
    for words in ("An override that declines", "An override that may not be told", "falls short by these points"):
        assert words in steps
    assert "A knock-out" not in steps
    plain = " ".join(told(german_card)["steps"])
    assert not any(word in plain for word in ("override", "score adjustment"))


def test_points_short_and_codes_of_attributes(card: Scorecard) -> None:
    assert card.reasons is not None
    lines = iter(line for line in told(card)["lines"] if line["kind"] == "attribute")
    for characteristic in card.characteristics:
        baseline = card.reasons.baselines[characteristic.feature]
        for attribute, line in zip(characteristic.attributes, lines, strict=False):
            [code] = line["codes"]
            assert (line["of"], line["points"], line["baseline"]) == (
                characteristic.feature,
                attribute.points,
                baseline,
            )
            assert code["short"] == max(0.0, baseline - attribute.points)
            assert code["code"] == card.reasons.codes[characteristic.feature]
            assert attribute.statistics is None or line["share"] == attribute.statistics.share
    assert next(lines, None) is None


@pytest.mark.parametrize("k", [4, 8])
def test_how_often_codes_are_given(card: Scorecard, k: int) -> None:
    """Counted anew on the evaluator's columns, for all and by sex."""
    assert card.reasons is not None
    card = replace(card, reasons=replace(card.reasons, k=k))
    part = told(card, applicants=ROWS, groups="sex")
    frame = pd.DataFrame(dict(evaluate(card, ROWS).frame())).assign(sex=ROWS["sex"].to_numpy())
    declined = frame[frame["approved"] == 0]
    reasons = declined[[f"reason_{place}" for place in range(1, k + 1)]]
    assert (declined["reason_1"] == "K1").any()
    assert [(each["attribute"], each["group"]) for each in part["declined"]] == [
        (None, None),
        ("sex", "female"),
        ("sex", "male"),
    ]
    for each in part["declined"]:
        rows = declined["sex"].isin([each["group"]] if each["group"] else ["female", "male"])
        assert each["applicants"] == (frame["sex"] == each["group"]).sum() if each["group"] else len(frame)
        assert each["declined"] == rows.sum() > 0
        assert each["fewer"] == (reasons[rows].notna().sum(axis=1) < k).sum() >= (k > 4)
        assert each["without"] == reasons[rows].isna().all(axis=1).sum()
        assert [code["code"] for code in each["codes"]] == ["K1", *card.reasons.order]
        for code in each["codes"]:
            assert code["first"]["count"] == (reasons[rows]["reason_1"] == code["code"]).sum()
            among = (reasons[rows] == code["code"]).any(axis=1)
            assert code["among"]["count"] == among.sum()
            assert code["among"]["share"] == pytest.approx(among.mean())


def test_intervals_are_those_of_the_binomial(card: Scorecard) -> None:
    part = told(card, applicants=ROWS, groups="sex")
    told_ones = 0
    for each in part["declined"]:
        n = each["declined"]
        for given in (code["among"] for code in each["codes"]):
            if given["interval"] is None:
                assert given["share"] in (0, 1)
                continue
            assert 0 < given["share"] < 1
            expected = [binom.ppf(tail, n, given["share"]) / n for tail in (0.025, 0.975)]
            assert given["interval"] == pytest.approx(expected, abs=0.35 / n**0.5)
            told_ones += n > 200
    assert told_ones > 5


def test_uncertain_groups_count_by_probability(card: Scorecard) -> None:
    female = pd.Series(ROWS["sex"] == "female").astype(float) * 0.6 + 0.2
    probabilities = pd.DataFrame({"f": female, "m": 1 - female})
    part = told(card, applicants=ROWS, groups=Groups.from_probabilities({"sex": probabilities}))
    declined = ~evaluate(card, ROWS).approved
    assert part["declined"][1]["declined"] == pytest.approx(female[declined].sum())
    ends = part["declined"][1]["codes"][1]["among"]
    assert ends["interval"][0] < ends["share"] < ends["interval"][1]


def test_remarks_count_what_is_missing(card: Scorecard) -> None:
    """With baselines at the fewest points nobody gets a reason; one code can still come of a knock-out."""
    assert card.reasons is not None
    lowest = {each.feature: each.points_range[0] for each in card.characteristics}
    bare = replace(card, reasons=replace(card.reasons, baselines=FrozenMapping(lowest)))
    remarks = " ".join(told(bare, applicants=ROWS)["remarks"])
    found = evaluate(bare, ROWS)
    without = (~found.approved & (found.knock_out == None)).sum()  # noqa: E711
    assert f"{without} of {(~found.approved).sum()} declined applicants" in remarks
    assert "get no reason at all" in remarks
    assert f"nobody can get them: {', '.join(card.reasons.order)}" in remarks
    assert f"none of the declined applicants gets: {', '.join(card.reasons.order)}" in remarks
    few = told(card, applicants=ROWS.head(40), groups="sex")
    assert "Groups with fewer than 30 declined applicants" in few["remarks"][-1]


def test_remarks_name_what_rises_and_falls_again(card: Scorecard) -> None:
    turning = [each for each in card.characteristics if each.trend == "neither"]
    assert 0 < len(turning) < len(card.characteristics)
    [remark] = [each for each in told(card)["remarks"] if each.startswith("Neither more nor less is better throughout")]
    for each in card.characteristics:
        title = next(feature.title for feature in card.features if feature.name == each.feature)
        assert (f"{title}: points {each.trend_in_words}" in remark) == (each in turning)
    flat = card.with_points(lambda points: 0.0)
    assert not [each for each in told(flat)["remarks"] if "throughout" in each]


def test_segments_have_their_own_applicants(card: Scorecard) -> None:
    women = Segment(
        name="women", model=replace(card, policy=Policy()), when=(Clause("sex", (Categories(("female",)),)),)
    )
    nobody = Segment(name="nobody", model=card, when=(Clause("sex", (Categories(("x",)),)),))
    model = SegmentedModel(
        segments=(women, nobody, Segment(name="others", model=card)),
        routing=(Feature(name="sex", kind="categorical"),),
    )
    document = json.loads(ReasonDocument(applicants=ROWS, groups="age_group", format="json").export(model).text)
    female = ROWS["sex"] == "female"
    assert [part["applicants"] for part in document["parts"]] == [female.sum(), None, (~female).sum()]
    alone = told(card, applicants=ROWS[~female], groups=ROWS.loc[~female, ["age_group"]])
    assert document["parts"][2]["declined"] == alone["declined"]


def test_the_table_has_a_row_for_each_code(card: Scorecard) -> None:
    files = ReasonDocument(applicants=ROWS, format=["csv", "json"]).export(card).files
    table = pd.read_csv(io.StringIO(str(files["reasons.csv"])), keep_default_na=False)
    lines = json.loads(files["reasons.json"])["parts"][0]["lines"]
    rows = [(line["kind"], line["of"], code["code"], code["text"]) for line in lines for code in line["codes"]]
    assert list(table[["kind", "of", "code", "text"]].itertuples(index=False, name=None)) == rows
    assert pd.to_numeric(table["share"]).tolist() == [line["share"] for line in lines]
