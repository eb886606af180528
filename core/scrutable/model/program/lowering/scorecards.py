"""Scorecards and regression scorecards as programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scrutable.model.additive import Additive
from scrutable.model.characteristics import Characteristic
from scrutable.model.interactions import Interaction
from scrutable.model.program.lowering.asking import Asking
from scrutable.model.program.lowering.decisions import (
    adjusting,
    decided,
    details_of_adjustments,
    outputs_of_decision,
    probability,
    reasons,
    unfavourable,
)
from scrutable.model.program.nodes import Pair, Points, Ref, Sum
from scrutable.model.program.program import ATTRIBUTE, Output
from scrutable.model.reasons import ReasonPolicy
from scrutable.model.regression import RegressionScorecard
from scrutable.model.scorecard import Scorecard


def scorecard(model: Scorecard, asking: Asking) -> list[Output]:
    """The score is the sum of points; a code falls short by the largest shortfall of what carries it."""
    terms = _terms(model, asking)
    score = asking.add(Sum(model.base_points, (*(each.points for each in terms), *adjusting(asking, model.policy))))
    decision = decided(asking, score, model.cutoff, model.policy)
    favourable = probability(asking, model.calibration, score)
    outputs = outputs_of_decision(asking, decision, favourable, model.outcome.favourable, model.policy)
    outputs += _outputs_of_points(terms)
    if model.reasons is not None:
        short = _shortfalls(terms, model.reasons, asking)
        outputs += reasons(asking, model.reasons, short, decision, model.adjustments, "points short")
    details = [*_details(terms), *details_of_adjustments(asking, model.policy)]
    return [*outputs, unfavourable(asking, favourable), *details]


def regression_scorecard(model: RegressionScorecard, asking: Asking) -> list[Output]:
    """The prediction is the sum of points."""
    terms = _terms(model, asking)
    score = asking.add(Sum(model.base_points, tuple(each.points for each in terms)))
    prediction = Output("score", score, f"prediction of {model.outcome.title}")
    return [prediction, *_outputs_of_points(terms), *_details(terms)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Term:
    """A characteristic, or an interaction, with its nodes.

    Parameters
    ----------
    place : which attribute, or which cell of the table.
    values : the points of each.
    codes : the reason code that an attribute has of its own, by place.
    """

    name: str
    title: str
    place: Ref
    points: Ref
    values: tuple[float, ...]
    codes: tuple[str | None, ...]

    def carried(self, policy: ReasonPolicy) -> tuple[str, ...]:
        """The reason code of each place."""
        return tuple(code or policy.codes[self.name] for code in self.codes)

    def short(self, code: str, policy: ReasonPolicy) -> tuple[float, ...]:
        """How far each place falls short of the baseline, 0 for those that do not carry the code."""
        gaps = (max(policy.baselines[self.name] - points, 0.0) for points in self.values)
        return tuple(gap if own == code else 0.0 for gap, own in zip(gaps, self.carried(policy), strict=True))


def _terms(model: Additive, asking: Asking) -> list[_Term]:
    return [_term(name, each, asking) for name, each in model.terms.items()]


def _term(name: str, term: Characteristic | Interaction, asking: Asking) -> _Term:
    codes: tuple[str | None, ...]
    if isinstance(term, Interaction):
        axes = [asking.attribute(axis) for axis in term.axes]
        place = asking.add(Pair(tuple(axes), tuple(len(axis.conditions) for axis in term.axes)))
        title, values, codes = term.title(asking.features), term.cells, (None,) * len(term.cells)
    else:
        place = asking.attribute(term)
        title, values = asking.features[name].title, tuple(each.points for each in term.attributes)
        codes = tuple(each.reason_code for each in term.attributes)
    points = asking.add(Points(place, values))
    return _Term(name=name, title=title, place=place, points=points, values=values, codes=codes)


def _outputs_of_points(terms: Iterable[_Term]) -> list[Output]:
    return [Output(f"points_{each.name}", each.points, f"points of {each.title}") for each in terms]


def _details(terms: Iterable[_Term]) -> list[Output]:
    return [Output(f"{ATTRIBUTE}{each.name}", each.place, f"place of {each.title}, from 0") for each in terms]


def _shortfalls(terms: Sequence[_Term], policy: ReasonPolicy, asking: Asking) -> dict[str, list[Ref]]:
    carrying: dict[str, list[_Term]] = {code: [] for code in policy.order}
    for term in terms:
        for code in dict.fromkeys(term.carried(policy)):
            if code in carrying:
                carrying[code].append(term)
    return {
        code: [asking.add(Points(term.place, term.short(code, policy))) for term in some]
        for code, some in carrying.items()
    }
