"""Puts a scorecard's points on another scale, with the same decisions."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from scrutable.data import Bools, ReadingConfig
from scrutable.data.frames import PANDAS, FrameKind, kind_of, like
from scrutable.errors import InputError
from scrutable.model import (
    UNIT,
    Calibration,
    DecisionModel,
    Evidence,
    FrozenMapping,
    Grade,
    ReasonPolicy,
    Scaling,
    Scorecard,
    SegmentedModel,
    carried_over,
)
from scrutable.model.evaluator import Evaluation, evaluate
from scrutable.writing import number, plain_fields
from scrutable_lifecycle.calibration.scale import log_odds_line
from scrutable_lifecycle.measured_rows import rows_for


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescaled:
    """A model on another scale, and what its decisions have to do with the old ones.

    Parameters
    ----------
    margin : of the old points. An applicant less than so far below the old cutoff may be approved now, and with
        rounded points one less than so far above it declined. Nobody else is decided otherwise.
    certain : whether no applicant at all can be decided otherwise, because no sum of the old points lies so near.
    factor : points for one of the old ones; None of segments, each of which had a scale of its own.
    rows, flipped, reasons_changed : applicants given, those of them that are decided otherwise now, and those that get
        other reasons or in another order; None where no applicants were given.
    kind : the kind of frame that went in.
    """

    model: DecisionModel
    scaling: Scaling
    margin: float
    certain: bool
    factor: float | None
    rows: int | None
    flipped: int | None
    reasons_changed: int | None
    kind: FrameKind = field(default=PANDAS, repr=False)

    def __repr__(self) -> str:
        to = self.scaling
        scale = f"{to.base_score:g} points at odds of {to.base_odds:g}, {to.pdo:g} double them"
        changed = "" if self.rows is None else f"; {self.flipped:,} of {self.rows:,} decided otherwise"
        return f"Rescaled({scale}{changed})"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return plain_fields(self, without=("model", "scaling", "kind"))

    def frame(self) -> Any:
        """A row for each attribute with its new points; of the kind of frame that went in."""
        import pandas as pd

        rows = [
            {"segment": segment, "characteristic": name, "attribute": attribute, "points": points}
            for segment, card in _cards(self.model)
            for name, attribute, points in _points(card)
        ]
        return like(pd.DataFrame(rows, columns=["segment", "characteristic", "attribute", "points"]), self.kind)

    def evidence(self, old: Evidence) -> Evidence:
        """Evidence of the new model, from that of the old one, without measures at cutoffs on the old scale.

        Intervals of points are on the new scale.
        """
        changes = {"rescaling": {**self.to_dict(), "scaling": asdict(self.scaling)}}
        return carried_over(old, self.model, changes, factor=self.factor or 1.0, rounded=self.scaling.round)


def _cards(model: DecisionModel) -> Iterator[tuple[str | None, Scorecard]]:
    """The scorecards of a model by segment; None where there are none."""
    named: list[tuple[str | None, DecisionModel]] = [(None, model)]
    if isinstance(model, SegmentedModel):
        named = [(each.name, each.model) for each in model.segments]
    for segment, part in named:
        assert isinstance(part, Scorecard)
        yield segment, part


def _points(card: Scorecard) -> Iterator[tuple[str, str, float]]:
    """Points by characteristic and attribute, of interactions by both attributes, and of score adjustments by code."""
    for item in card.characteristics:
        yield from ((item.feature, each.condition.describe(), each.points) for each in item.attributes)
    for table in card.interactions:
        yield from ((table.name, title, cell) for title, cell in zip(table.titles, table.cells, strict=True))
    yield from (("score adjustment", each.code, each.points) for each in card.adjustments)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """The new score as a straight line in the old one: offset + factor * score."""

    offset: float
    factor: float

    def at(self, score: float) -> float:
        return self.offset + self.factor * score


def rescale(model: DecisionModel, scaling: Scaling, *, X: Any = None) -> Rescaled:
    """Put the points of a scorecard on another scale, so that the score means exactly the odds that it declares.

    The calibration says what the score means in log-odds, and a score is a sum: so all points are multiplied by one
    number, the base points take up the rest, and with them the cutoff, the calibration and the baselines of reasons
    are mapped. The scorecards of a segmented model are put on one scale, whatever theirs were.

    Points are multiples of 2^-30, so that scores move by a few billionths of a point. The new cutoff lies below by as
    much, so that everybody who was approved is, and so do the lower ends of grades; `Rescaled` says how far from the
    cutoff that could matter, and whether it can at all. `scaling.decimals` rounds the points, which moves scores and so
    can change decisions: give applicants to count them.

    Parameters
    ----------
    X : applicants to compare decisions and reasons on: a frame of any kind, or a path.

    Raises
    ------
    InputError : another kind of model than a scorecard, or a calibration that is no straight line in the log-odds.
        Two grades that would begin at one score, for example because their limits are rounded to one.
    ModelError : points too large to add up exactly.

    Examples
    --------
    >>> from scrutable_lifecycle.calibration import odds_at
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> rescaled = rescale(models_named()["scorecard"], Scaling(pdo=40, base_score=660, base_odds=15))
    >>> round(odds_at(rescaled.model, 660), 9), round(odds_at(rescaled.model, 700), 9)
    (15.0, 30.0)
    """
    rows = rows_for((model,), X, ReadingConfig()) if isinstance(X, str | os.PathLike) else X
    if isinstance(model, SegmentedModel):
        made = [_rescaled(part.model, scaling, f"segment {part.name!r}") for part in model.segments]
        parts = zip(model.segments, made, strict=True)
        segments = tuple(replace(part, model=each.model) for part, each in parts)
        whole: DecisionModel = replace(model, segments=segments)
    else:
        made = [_rescaled(model, scaling, "model")]
        whole = made[0].model
    compared = {} if rows is None else _compared(evaluate(model, rows), evaluate(whole, rows))
    return Rescaled(
        model=whole,
        scaling=scaling,
        margin=max(each.margin for each in made),
        certain=all(each.certain for each in made),
        factor=None if isinstance(model, SegmentedModel) else made[0].factor,
        rows=compared.get("rows"),
        flipped=compared.get("flipped"),
        reasons_changed=compared.get("reasons_changed"),
        kind=kind_of(X),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    model: Scorecard
    margin: float
    certain: bool
    factor: float


def _rescaled(model: object, scaling: Scaling, where: str) -> _Part:
    if not isinstance(model, Scorecard):
        raise InputError(
            "only the points of a scorecard have a scale",
            where=where,
            got=type(model).__name__,
            allowed="a scorecard, or segments that are scorecards",
            fix="calibrate other models: their cutoff and probability do not depend on a scale",
        )
    line = _line(log_odds_line(model), scaling)
    cutoff, margin = _limit(model.cutoff, model, line, scaling)
    rescaled = replace(
        replace(model, reasons=None).with_points(lambda points: scaling.round(line.factor * points)),
        base_points=scaling.round(line.at(model.base_points)),
        cutoff=cutoff,
        calibration=scaling.calibration,
        scaling=scaling,
        reasons=None if model.reasons is None else _reasons(model.reasons, line, model.cutoff, cutoff),
    )
    grades = tuple(
        replace(each, at_least=_limit(each.at_least, model, line, scaling)[0]) for each in model.policy.grades
    )
    _refuse_equal(grades, where)
    rescaled = replace(rescaled, policy=replace(rescaled.policy, grades=grades))
    certain = _nobody_within(model, margin, both_sides=scaling.decimals is not None)
    return _Part(model=rescaled, margin=margin, certain=certain, factor=line.factor)


def _refuse_equal(grades: Sequence[Grade], where: str) -> None:
    """Refuse grades of which one would begin where the next does."""
    for upper, lower in pairwise(grades):
        if upper.at_least <= lower.at_least:
            raise InputError(
                f"grades {upper.name!r} and {lower.name!r} would both begin at a score of {number(lower.at_least)}",
                where=where,
                got=lower.at_least,
                allowed="limits that fall from grade to grade",
                fix="keep more decimals, or all (leave `decimals` out), or choose a scale of more points",
            )


def _limit(limit: float, model: Scorecard, line: _Line, scaling: Scaling) -> tuple[float, float]:
    """The new cutoff, or lower end of a grade, and the margin of `Rescaled` around it."""
    exactly = line.at(limit)
    if math.isinf(limit):
        return exactly, 0.0
    numbers = len(model.summands) + 1  # that are rounded, each by half a unit
    largest = max(abs(line.offset), *(abs(line.factor * points) for points in (model.base_points, limit)))
    inexact = numbers * UNIT + 4 * math.ulp(largest)  # twice what snapping moves, and what sums on the way round off
    if scaling.decimals is None:
        return exactly - inexact, 2 * inexact / line.factor
    unit = 10.0**-scaling.decimals
    return round(exactly, scaling.decimals), (inexact + (numbers + 1) * unit / 2) / line.factor


def _line(calibration: Calibration, scaling: Scaling) -> _Line:
    return _Line(
        offset=scaling.offset + scaling.factor * calibration.intercept, factor=scaling.factor * calibration.slope
    )


def _reasons(policy: ReasonPolicy, line: _Line, old_cutoff: float, new_cutoff: float) -> ReasonPolicy:
    """Baselines by the same factor as the points that they are compared with."""
    return replace(
        policy,
        baselines=FrozenMapping({name: line.factor * points for name, points in policy.baselines.items()}),
        cutoff=new_cutoff if policy.cutoff == old_cutoff else line.at(policy.cutoff),
        near=None if policy.near is None else line.factor * policy.near,
    )


def _nobody_within(model: Scorecard, margin: float, *, both_sides: bool) -> bool:
    """Whether no sum of points can lie within the margin of the cutoff: below it, or on both sides.

    Every score is the least one plus a multiple of the points' greatest common divisor, counted in units of 2^-30.
    """
    steps: list[int] = []
    lowest = round(model.base_points / UNIT)
    for summand in model.summands:
        points = [round(each / UNIT) for each in summand]
        lowest += min(points)
        steps += [each - min(points) for each in points]
    divisor = math.gcd(*steps)
    cutoff = model.cutoff / UNIT
    if not divisor:
        below = lowest if lowest < cutoff else -math.inf
        above = lowest if lowest >= cutoff else math.inf
    else:
        above = lowest + math.ceil((cutoff - lowest) / divisor) * divisor
        below = above - divisor
    near = margin / UNIT
    return cutoff - below > near and (not both_sides or above - cutoff > near)


def _compared(old: Evaluation, new: Evaluation) -> dict[str, int]:
    flipped: Bools = old.approved != new.approved
    reasons = 0
    if old.reasons is not None and new.reasons is not None:
        reasons = int(np.asarray(old.reasons != new.reasons, dtype=bool).any(axis=1).sum())
    return {"rows": len(flipped), "flipped": int(flipped.sum()), "reasons_changed": reasons}
