"""An answer is what the evaluator says, of one applicant and of many, for every kind of model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from scrutable import dump, evaluate
from scrutable.errors import ModelError, ScrutableError
from scrutable.model import Grade, Model, Policy, Scorecard, Segment, SegmentedModel
from scrutable.proof import verification_rows
from scrutable.testing import card
from scrutable.testing.strategies import models
from scrutable.writing import temporary_folder

from scrutable_service import Served

GRADES = (Grade(name="A", at_least=520), Grade(name="B", at_least=505), Grade(name="C"))


def read(model: Model) -> Served:
    with temporary_folder() as folder:
        dump(model, folder / "model.json")
        return Served.read(folder / "model.json")


def graded(model: Scorecard, *grades: Grade) -> Scorecard:
    return replace(model, policy=replace(model.policy, grades=grades))


def rows_for(served: Served) -> list[tuple[Any, ...]]:
    """Rows that break exporters, as JSON could tell them: a NaN is no number there, and null is."""
    frame = verification_rows(served.model, n_random=20).frame
    columns = [list(frame[name]) for name, _ in served.fields]
    return [tuple(each if each == each else None for each in row) for row in zip(*columns, strict=True)]


@settings(max_examples=25, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(models())
def test_one_and_many_are_answered_as_the_evaluator_does(model: Model) -> None:
    try:
        served = read(model)
    except ModelError:  # what is random may call two things by one code
        assert isinstance(model, SegmentedModel)
        return
    rows = rows_for(served)
    answers = served.answers(rows)
    assert [served.answer(row) for row in rows] == answers
    columns = {name: [row[place] for row in rows] for place, (name, _) in enumerate(served.fields)}
    frame = evaluate(model, columns).frame()
    if "score" in frame:
        assert [each["score"] for each in answers] == frame["score"].tolist()
    if "approved" in frame:
        assert [each["decision"] == "approve" for each in answers] == frame["approved"].astype(bool).tolist()
        codes = [frame[name] for name in frame if name.startswith("reason_")] or [frame["knock_out"]]
        for place, each in enumerate(answers):
            told = [] if frame["approved"][place] else [code[place] for code in codes if code[place] is not None]
            assert [reason["code"] for reason in each["reasons"]] == told


def test_reasons_are_texts_of_the_model_and_approvals_have_none() -> None:
    served = read(card(words="Amount of credit"))
    declined, approved = served.answers([(1.0, None), (25.0, "cook")])
    assert declined == {
        "score": 498.0,
        "decision": "decline",
        "grade": None,
        "reasons": [{"code": "1c", "text": "Amount of credit"}, {"code": "2c", "text": "Amount of credit"}],
    }
    assert approved["decision"] == "approve"
    assert approved["reasons"] == []


def test_grades_are_those_of_the_score_and_of_the_segment() -> None:
    served = read(graded(card(), *GRADES))
    assert [each["grade"] for each in served.answers([(25.0, "cook"), (15.0, "cook"), (1.0, None)])] == ["A", "B", "C"]
    assert served.answer((15.0, "cook"))["grade"] == "B"
    other = graded(card(), Grade(name="Z"))
    thin = Segment(name="thin", model=graded(card(), *GRADES), when=card().policy.knock_outs[0].when)
    two = read(SegmentedModel(segments=(thin, Segment(name="thick", model=other)), routing=card().features[:1]))
    assert [two.answer(row)["grade"] for row in [(-9.0, None), (25.0, "cook")]] == ["C", "Z"]


def test_a_code_with_two_meanings_is_refused() -> None:
    plain = replace(card(), reasons=None)
    other = replace(plain, policy=Policy(knock_outs=(replace(plain.policy.knock_outs[0], reason="Something else"),)))
    thin = Segment(name="thin", model=plain, when=plain.policy.knock_outs[0].when)
    model = SegmentedModel(segments=(thin, Segment(name="thick", model=other)), routing=plain.features[:1])
    with pytest.raises(ModelError, match="two reasons by one code"):
        read(model)


def test_the_version_is_the_name_of_the_file_that_a_link_leads_to(tmp_path: Path) -> None:
    dump(card(), tmp_path / "score-v3.json")
    (tmp_path / "model.json").symlink_to("score-v3.json")
    assert Served.read(tmp_path / "model.json").version == "score-v3"


def test_a_file_that_was_changed_is_refused(tmp_path: Path) -> None:
    dump(card(), tmp_path / "model.json")
    text = (tmp_path / "model.json").read_text()
    (tmp_path / "model.json").write_text(text.replace('"base_points": 500', '"base_points": 501'))
    with pytest.raises(ScrutableError, match="changed after its fingerprint was taken"):
        Served.read(tmp_path / "model.json")
