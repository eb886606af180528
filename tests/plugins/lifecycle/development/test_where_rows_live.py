"""Runs that learn where the rows live: the model of the run in memory, and no option that would need the rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scrutable.data import FrameSource, SplitConfig
from scrutable.data.datasets import load_german_credit
from scrutable.errors import InputError
from scrutable.plugins import Choice
from scrutable_lifecycle.config import MissingConfig, RejectConfig
from scrutable_lifecycle.development import DataConfig, Run, develop

GERMAN = load_german_credit()
DROP = tuple(name for name in GERMAN.frame if name not in (*GERMAN.inputs, "credit_risk", "sex"))
RUN = Run(
    data=DataConfig(
        target="credit_risk",
        favourable="good",
        protected=("sex",),
        drop=DROP,
        labels={"credit_amount": "Amount of the credit"},
    ),
    learner=Choice(name="scorecard"),
    split=SplitConfig(test_size=0.0),
    output=None,
)


def test_the_model_is_that_of_the_run_in_memory() -> None:
    rows = GERMAN.frame.sample(frac=1, random_state=3)
    here, there = develop(RUN, GERMAN.frame), develop(RUN, FrameSource(rows, 111))
    assert there.model == here.model
    assert there.evidence == here.evidence
    assert (there.n_fit, there.n_held_out, there.inputs) == (here.n_fit, 0, here.inputs)
    assert there.approved == pytest.approx(here.approved)
    assert there.to_dict() == here.to_dict() | {"cutoff": there.to_dict()["cutoff"]}


@pytest.mark.parametrize(
    ("change", "flag"),
    [
        ({"split": SplitConfig(test_size=0.3)}, "--test-size"),
        ({"data": replace(RUN.data, accepted="telephone")}, "--accepted"),
        ({"data": replace(RUN.data, indeterminate="x")}, "--indeterminate"),
        ({"reject_inference": RejectConfig(method="fuzzy")}, "--reject-inference"),
        ({"missing": MissingConfig(refuse="all")}, "--refuse-missing"),
    ],
)
def test_what_needs_the_rows_is_refused(change: dict[str, Any], flag: str) -> None:
    with pytest.raises(InputError, match=f"{flag}.*learned from where they live"):
        develop(replace(RUN, **change), FrameSource(GERMAN.frame))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"data": replace(RUN.data, drop=("sexx",))}, "did you mean 'sex'"),
        ({"learner": Choice(name="rug")}, "needs the rows themselves"),
        (
            {"learner": Choice(name="scorecard-regressor"), "data": replace(RUN.data, favourable=None)},
            "a learner of quantities",
        ),
    ],
)
def test_what_cannot_be_learned_there_is_said(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        develop(replace(RUN, **change), FrameSource(GERMAN.frame))
