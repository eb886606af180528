"""Notices of a model of segments: reasons, key factors, score and its range are those of the applicant's segment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
from cards import numbers

from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import (
    Attribute,
    Characteristic,
    Clause,
    FrozenMapping,
    Interval,
    Missing,
    Policy,
    Scaling,
    Scorecard,
    Segment,
    SegmentedModel,
)
from scrutable_documents.notices.notice import Notice
from scrutable_documents.notices.score import ScoreDisclosure

from .conftest import Make

OWN = {"name": "Bank score", "lowest": 0, "highest": 600, "supplier": "Example Bank", "created": "2026-11-20"}
RANGES = {"thin": [0, 40], "thick": [500, 600]}
Told = Callable[..., dict[str, Notice]]


@pytest.fixture
def model(card: Scorecard) -> SegmentedModel:
    """Whoever has no loan yet is thin: 0 points below an income of 1 and 40 from there, 40 are approved."""
    assert card.reasons is not None
    ladder = (
        Attribute(condition=Interval(upper=1), points=0),
        Attribute(condition=Interval(lower=1), points=40),
        Attribute(condition=Missing(), points=0),
    )
    policy = replace(
        card.reasons,
        cutoff=40,
        baselines=FrozenMapping({"income": 30.0}),
        codes=FrozenMapping({"income": "R1"}),
        texts=FrozenMapping({"R1": card.reasons.texts["R1"]}),
        order=("R1",),
        inquiries=(),
        translations=FrozenMapping({"de": FrozenMapping({"R1": card.reasons.translations["de"]["R1"]})}),
    )
    thin = replace(
        card,
        features=numbers("income"),
        characteristics=(Characteristic(feature="income", attributes=ladder),),
        base_points=0,
        cutoff=40,
        policy=Policy(),
        reasons=policy,
    )
    when = (Clause("loans", (Interval(upper=1),)),)
    routing = numbers("loans")
    return SegmentedModel(
        segments=(Segment(name="thin", model=thin, when=when), Segment(name="thick", model=card)), routing=routing
    )


@pytest.fixture
def people(applicants: pd.DataFrame) -> pd.DataFrame:
    """The applicants, of whom the second and the third are thin."""
    return applicants.assign(loans=[5, 0, 0, 5])


@pytest.fixture
def told(make: Make, people: pd.DataFrame) -> Told:
    """The notices of a model by applicant."""
    return lambda model, **options: {
        notice.id: notice for notice in make(**{"applicants": people} | options).notices(model)
    }


def test_reasons_are_those_of_the_applicants_segment(told: Told, model: SegmentedModel) -> None:
    found = told(model)
    assert list(found) == ["A-2", "A-4"]  # whose bankruptcy knocks out in the thick segment only, A-3, has an income
    assert [reason.code for reason in found["A-2"].reasons] == ["R1"]
    assert [reason.code for reason in found["A-4"].reasons] == ["R1", "R2", "R3", "R4"]


def test_they_equal_the_notices_of_each_segments_model(told: Told, model: SegmentedModel, people: pd.DataFrame) -> None:
    thin, thick = (segment.model for segment in model.segments)
    apart = {
        **told(thin, applicants=people[people["loans"] < 1], language="de"),
        **told(thick, applicants=people[people["loans"] >= 1], language="de"),
    }
    found = told(model, language="de")
    assert {name: replace(its, row=0) for name, its in found.items()} == {
        name: replace(its, row=0) for name, its in apart.items()
    }


def test_the_score_has_the_range_and_the_key_factors_of_its_segment(told: Told, model: SegmentedModel) -> None:
    found = told(model, score=OWN | {"ranges": RANGES})
    thin, thick = found["A-2"].score, found["A-4"].score
    assert thin is not None
    assert thick is not None
    assert (thin.value, thin.lowest, thin.highest) == (0.0, 0.0, 40.0)
    assert (thick.value, thick.lowest, thick.highest) == (500.0, 500.0, 600.0)
    assert [factor.code for factor in thin.factors] == ["R1"]
    assert [factor.code for factor in thick.factors] == ["R1", "R2", "R3", "R4", "R5"]


def test_a_score_that_reached_the_cutoff_of_its_segment_is_not_disclosed(
    told: Told, model: SegmentedModel, people: pd.DataFrame
) -> None:
    bankrupt = people.assign(loans=5)
    found = told(model, applicants=bankrupt, score=OWN | {"ranges": RANGES})
    assert [reason.code for reason in found["A-3"].reasons] == ["K1"]
    assert found["A-3"].score is None


def test_one_range_is_not_that_of_two_scales(told: Told, model: SegmentedModel) -> None:
    with pytest.raises(InputError, match=r"scales of their own.*give that of 'thin', whose scores can be 0 to 40"):
        told(model, score=OWN)
    with pytest.raises(InputError, match=r"give that of 'thick', whose scores can be 500 to 600"):
        told(model, score=OWN | {"ranges": {"thin": [0, 40]}})
    scaled = replace(
        model,
        segments=tuple(replace(each, model=replace(each.model, scaling=Scaling())) for each in model.segments),
    )
    found = told(scaled, score=OWN)
    assert {(notice.score.lowest, notice.score.highest) for notice in found.values() if notice.score} == {(0.0, 600.0)}


def test_a_score_outside_of_its_segments_range_stops_the_batch(told: Told, model: SegmentedModel) -> None:
    ranges = {"thin": [10, 40], "thick": [500, 600]}
    with pytest.raises(InputError, match=r"row 2 \(A-2\): 1 applicant with a score outside of 10 to 40"):
        told(model, score=OWN | {"ranges": ranges})


def test_a_score_from_elsewhere_has_one_range(told: Told, model: SegmentedModel, people: pd.DataFrame) -> None:
    elsewhere = OWN | {"column": "bureau", "factor_columns": "why"}
    found = told(model, applicants=people.assign(bureau=300, why="Late payments"), score=elsewhere)
    assert {(notice.score.lowest, notice.score.highest) for notice in found.values() if notice.score} == {(0.0, 600.0)}
    with pytest.raises(InputError, match="ranges by segment are of the model's own score"):
        ScoreDisclosure(**elsewhere | {"ranges": RANGES})


@pytest.mark.parametrize(
    ("ranges", "says"),
    [
        ({"thn": [0, 40]}, "score: ranges: unknown segment; got 'thn'.*did you mean 'thin'"),
        ({"thin": [40, 0]}, "score: ranges: thin: not a range of scores"),
        ({"thin": 40}, "score: ranges: thin: not a range of scores; got 40"),
        ([0, 40], "score: ranges: expected a mapping"),
    ],
)
def test_ranges_that_are_none(told: Told, model: SegmentedModel, ranges: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        told(model, score=OWN | {"ranges": ranges})


def test_a_model_without_segments_has_no_ranges_by_segment(told: Told, card: Scorecard) -> None:
    with pytest.raises(InputError, match=r"unknown segment; got 'thin'.*the model has no segments"):
        told(card, score=OWN | {"ranges": {"thin": [0, 40]}})


def test_every_segment_needs_reasons_and_the_language(told: Told, model: SegmentedModel) -> None:
    with pytest.raises(UnsupportedModel, match=r"option language, segment 'thin': .*got 'zh'; allowed: de"):
        told(model, language="zh")
    thin, thick = model.segments
    bare = replace(model, segments=(thin, replace(thick, model=replace(thick.model, reasons=None))))
    with pytest.raises(UnsupportedModel, match=r"segment 'thick': a notice needs reasons"):
        told(bare)


def test_a_declined_applicant_without_a_reason_stops_the_batch(told: Told, model: SegmentedModel) -> None:
    thin, thick = model.segments
    assert thin.model.reasons is not None
    low = replace(thin.model.reasons, baselines=FrozenMapping({"income": 0.0}))
    helpless = replace(model, segments=(replace(thin, model=replace(thin.model, reasons=low)), thick))
    with pytest.raises(InputError, match=r"row 2 \(A-2\): 1 applicant without a reason.*near-cutoff"):
        told(helpless)
