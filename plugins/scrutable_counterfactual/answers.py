"""What was found for one applicant: answers, or a proof that there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

#: "met": there is nothing to change. "optimal": the answers are proven to be best. "stopped": the best found within
#: the time or nodes given. "infeasible": proven to have no answer. "unknown": none was found, and none excluded.
Status = Literal["met", "optimal", "stopped", "infeasible", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One feature that has to change.

    Parameters
    ----------
    feature, title : its name and what people call it.
    value : the applicant's; None is missing.
    required : the range or the texts that will do, in words, within what the applicant can do.
    nearest : the value among them nearest to the applicant's, of those in the reference where there is one.
    in_data : whether `nearest` is a value of the reference.
    points_before, points_after : points of the characteristic; 0 and 0 for a feature that only a knock-out reads.
    turns : what points do as the number rises, where they neither rise nor fall throughout.
    """

    feature: str
    title: str
    value: float | str | None
    required: str
    nearest: float | str | None
    in_data: bool
    points_before: float
    points_after: float
    turns: str | None = None

    @property
    def points_gained(self) -> float:
        """Points that the change gains; negative where it loses some."""
        return self.points_after - self.points_before


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A counterfactual: what has to change, and what the model then says.

    Parameters
    ----------
    changes : the largest gain of points first.
    score, probability, approved : by the evaluator, with the nearest values in place; None where a model has no such.
    costs : each objective, unweighted.
    values : every feature of the model, after the changes.
    """

    changes: tuple[Change, ...]
    score: float
    probability: float | None
    approved: bool | None
    costs: Mapping[str, float]
    values: Mapping[str, float | str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """Why there is no answer; proven.

    Parameters
    ----------
    limits : each limit without which there would be one: "max_changes", "actions", "rules", "knock_outs", "diversity";
        none where only several together, or the scorecard itself, stand in the way.
    best_score : the score nearest to what is wanted that the limits allow.
    changes_needed : how many changes would do, if that is the limit; else None.
    features : each feature whose own limits ("actions") alone stand in the way.
    unlimited_score : the score nearest to what is wanted if no limit held; None if the search ended before.
    """

    limits: tuple[str, ...]
    best_score: float
    changes_needed: int | None = None
    features: tuple[str, ...] = ()
    unlimited_score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The decision on the applicant in one row, and what would change it.

    Parameters
    ----------
    wanted : in words.
    low, high : the scores that will do; infinite where there is no bound.
    answers : as many as were asked for, the cheapest first; jointly best where they had to differ.
    objective : what was minimised, in words.
    cost : of all answers, weighted; None where there is none.
    gap : how much less another answer could cost, at most; 0 where proven.
    obstacle : where there is no answer.
    """

    row: int
    score: float
    cutoff: float | None
    probability: float | None
    approved: bool | None
    wanted: str
    low: float
    high: float
    status: Status
    objective: str
    answers: tuple[Answer, ...] = ()
    cost: float | None = None
    gap: float = 0.0
    obstacle: Obstacle | None = None
    values: Mapping[str, float | str | None] = field(default_factory=dict)
