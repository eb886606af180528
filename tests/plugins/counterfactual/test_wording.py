"""What is said of counterfactuals: sentences, JSON and a picture, whatever the data hold."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError
from scrutable.model import Interval
from scrutable.writing.visible_text import visible
from scrutable_counterfactual.answers import Obstacle, Status
from scrutable_counterfactual.explanation import Counterfactuals
from scrutable_counterfactual.plots import plot_counterfactual
from scrutable_counterfactual.wording import describe, to_dict

from .cards import ANSWER, DURATION, FOUND, SAVINGS, answer, of_income


def without(status: Status, obstacle: Obstacle | None = None, **further: Any) -> Counterfactuals:
    return replace(FOUND, status=status, answers=(), cost=None, obstacle=obstacle, **further)


def test_an_answer_in_words() -> None:
    assert describe(FOUND).split("\n") == [
        "Declined with 571.2 points; 600 are needed for an approval.",
        "The model would have approved (score 603.4) with: Savings from '< 100 DM' to '>= 1000 DM', +18.2 points; "
        "Duration from 36 to [12, 24) (nearest in the data: 23), +14 points.",
        "Proven: another answer within the limits would not cost less (proximity + closeness).",
    ]


def test_a_change_says_where_neither_more_nor_less_is_better_throughout() -> None:
    turning = replace(DURATION, turns="rise up to [12, 24) and fall above")
    said = describe(replace(FOUND, answers=(replace(ANSWER, changes=(SAVINGS, turning)),))).split("\n")[1]
    assert said.endswith("+14 points (points rise up to [12, 24) and fall above).")
    model = of_income((Interval(upper=1000), 0), (Interval(1000, 2000), 15), (Interval(lower=2000), 5))
    for income in (500.0, 2500.0):
        found = answer(model, {"income": [income]})
        [change] = found.answers[0].changes
        assert change.turns == "rise up to [1000, 2000) and fall above"
        assert "(points rise up to [1000, 2000) and fall above)" in describe(found)
        assert to_dict(found)["answers"][0]["changes"][0]["turns"] == change.turns
    rising = answer(of_income((Interval(upper=1000), 0), (Interval(lower=1000), 15)), {"income": [500.0]})
    assert rising.answers[0].changes[0].turns is None


def test_several_answers_are_numbered() -> None:
    first, one, other, last = describe(replace(FOUND, answers=(ANSWER, ANSWER))).split("\n")
    assert (one[:2], other[:2], one[2:] == other[2:]) == ("1.", "2.", True)
    assert "other answers" in last
    assert "Proven" not in first


@pytest.mark.parametrize(
    ("obstacle", "expected"),
    [
        (
            Obstacle(limits=("max_changes",), best_score=591.3, changes_needed=6),
            "The nearest score in reach is 591.3. What stands in the way: how many features may change. With 6 changes "
            "there is an answer.",
        ),
        (
            Obstacle(limits=("actions", "rules"), best_score=591.3),
            "What stands in the way, where lifting one would do: what may become of each feature; the rules between "
            "features.",
        ),
        (Obstacle(limits=("knock_outs",), best_score=620.0), "What stands in the way: the model's knock-outs."),
        (Obstacle(limits=(), best_score=599.96), "The nearest score in reach is 599.96. No limit alone stands in"),
        (Obstacle(limits=("diversity",), best_score=620.0), "There are not as many answers as were asked for that"),
        (None, "No change within the limits gives an approval; this is proven."),
    ],
)
def test_the_limit_that_binds_is_named(obstacle: Obstacle | None, expected: str) -> None:
    said = describe(without("infeasible", obstacle))
    assert expected in said
    assert "proven" in said
    diversity = obstacle is not None and obstacle.limits == ("diversity",)
    assert ("gives an approval" in said) is not diversity  # an approval there is, only not so many


def test_nothing_is_claimed_where_the_search_was_stopped() -> None:
    unknown = without("unknown")
    stopped = [
        replace(FOUND, status="stopped", gap=0.05),
        replace(FOUND, status="stopped", gap=math.inf),
        replace(FOUND, status="stopped", cost=None),
    ]
    said = [describe(found) for found in (unknown, *stopped)]
    assert [text for text in said if "roven" in text] == []
    assert "is not excluded" in said[0]
    assert "may cost less than 0.3, by 0.05 at most (proximity" in said[1]
    assert "by how much is not known" in said[2]
    assert "there may be more answers" in said[3]


def test_what_is_so_already_has_nothing_to_change() -> None:
    met = replace(without("met"), score=612.0, approved=True)
    assert describe(met) == "Approved with 612 points; 600 are needed for an approval.\nNothing has to change."


def test_other_outcomes_than_the_decision_are_stated() -> None:
    likely = replace(FOUND, wanted="a probability of at least 0.8", low=602.5)
    first, answer, _ = describe(likely).split("\n")
    assert first == (
        "Declined with 571.2 points and a probability of 0.62; 600 are needed for an approval. "
        "Wanted is a probability of at least 0.8, a score from 602.5."
    )
    assert "approved (score 603.4, probability 0.81) with" in answer
    knocked = describe(replace(FOUND, score=640.0)).split("\n")[0]
    assert knocked == "Declined by a knock-out, with 640 points where 600 are needed for an approval."
    predicted = replace(ANSWER, approved=None, probability=None, score=0.25)
    loss = replace(
        FOUND, score=0.5, cutoff=None, probability=None, approved=None, answers=(predicted,), low=-math.inf, high=0.3
    )
    first, answer, _ = describe(replace(loss, wanted="a score of at most 0.3")).split("\n")
    assert first == "Predicted 0.5; wanted is a score of at most 0.3."
    assert answer.startswith("The model would have predicted 0.25 with: ")
    assert "points" not in answer


@given(st.integers(-(2**23), 2**23), st.integers(-3, 3), st.integers(0, 30))
@settings(deadline=None, derandomize=True)
def test_scores_on_different_sides_of_the_cutoff_never_read_the_same(cutoff: int, units: int, exponent: int) -> None:
    score = cutoff + units * 2.0**-exponent
    found = replace(FOUND, score=score, cutoff=float(cutoff), low=float(cutoff), approved=score >= cutoff)
    read = [float(text.replace(",", "")) for text in re.findall(r"-?[\d,]+\.?\d*", describe(found).split("\n")[0])]
    assert (read[0] < read[1], read[0] > read[1]) == (score < cutoff, score > cutoff)


def test_json_holds_everything_and_no_infinity() -> None:
    endless = replace(FOUND, values={"debt": -math.inf, "name": "inf"}, gap=math.inf)
    said = json.loads(json.dumps(to_dict(endless), allow_nan=False))
    assert (said["low"], said["high"], said["gap"]) == (600.0, None, None)
    assert said["values"] == {"debt": "-inf", "name": "inf"}
    assert said["answers"][0]["changes"][0]["points_gained"] == 28.2 - 10
    assert said["answers"][0]["values"] == {"savings": ">= 1000 DM", "duration": 23.0, "age": None}
    assert set(said) == set(Counterfactuals.__dataclass_fields__)
    lacking = to_dict(without("infeasible", Obstacle(limits=("actions",), best_score=591.3)))
    assert lacking["obstacle"] == {
        "limits": ["actions"],
        "best_score": 591.3,
        "changes_needed": None,
        "features": [],
        "unlimited_score": None,
    }


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
VALUES = st.none() | st.floats(allow_nan=False) | TEXTS


@given(TEXTS, VALUES, TEXTS, VALUES, st.sampled_from(get_args(Status)))
@settings(deadline=None, derandomize=True)
def test_no_text_of_the_data_makes_a_line_or_steers_a_terminal(
    title: str, value: float | str | None, required: str, nearest: float | str | None, status: Status
) -> None:
    change = replace(SAVINGS, title=title, value=value, required=required, nearest=nearest)
    found = replace(FOUND, status=status, answers=(replace(ANSWER, changes=(change,)),), values={"a": value})
    lines = describe(found).split("\n")
    assert len(lines) == 3
    assert lines == list(map(visible, lines))
    json.dumps(to_dict(found), allow_nan=False)


def test_the_picture_goes_from_the_score_to_the_one_after_the_changes() -> None:
    [axes] = plot_counterfactual(FOUND).axes
    assert [text.get_text() for text in axes.texts] == ["571.2", "603.4", "+18.2", "+14", "cutoff 600"]
    labels = [label.get_text().replace("\n", " ") for label in axes.get_yticklabels()]
    assert labels == ["now", "Savings: '< 100 DM' → '>= 1000 DM'", "Duration: 36 → [12, 24)", "then"]
    for found, number, got in ((FOUND, 1, "0 to 0"), (without("unknown"), 0, "the search ended as 'unknown'")):
        with pytest.raises(InputError, match="there is no such answer to draw") as caught:
            plot_counterfactual(found, number)
        assert got in str(caught.value)
