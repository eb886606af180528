"""Characteristics of the same points for everybody leave a scorecard; what else reads their features stays whole."""

from __future__ import annotations

from dataclasses import replace

from scrutable.binning.scorecards import without_constants
from scrutable.model import Axis, Interaction, Interval, Missing
from scrutable.model.evaluator import evaluate
from scrutable.testing.cards import card


def test_features_that_an_interaction_reads_stay() -> None:
    plain = replace(card(), reasons=None)
    amount, job = plain.characteristics
    constant = replace(job, attributes=tuple(replace(each, points=4) for each in job.attributes))
    table = Interaction(
        rows=Axis(feature="job", conditions=job.conditions),
        columns=Axis(feature="amount", conditions=(Interval(upper=5), Interval(lower=5), Missing())),
        points=((1, 2, 3),) * len(job.conditions),
    )
    whole = replace(plain, characteristics=(amount, constant), interactions=(table,))
    smaller, names = without_constants(whole)
    assert names == ("job",)
    rows = {"amount": [1.0, 9.0, None], "job": ["cook", "x", None]}
    assert evaluate(smaller, rows).frame()["score"].tolist() == evaluate(whole, rows).frame()["score"].tolist()
