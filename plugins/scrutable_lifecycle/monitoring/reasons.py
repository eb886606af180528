"""Drift of the reasons that the declined are given."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import Bools, Floats
from scrutable.measures import Scored, Stability, effective_size, stability
from scrutable.model import DecisionModel, SegmentedModel

#: How the first reason of a declined applicant is called where no feature falls short of its baseline.
NO_REASON = "(no reason)"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeShare:
    """Shares of the declined that a reason code is the first reason of, and any reason of."""

    code: str
    text: str
    first_baseline: float
    first_new: float
    any_baseline: float
    any_new: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonDrift:
    """How the reasons of declines moved.

    Parameters
    ----------
    baseline_declined, new_declined : weighted number of the declined.
    first : the index of the first reasons.
    codes : the shares of each code, the largest change of a share first.
    """

    baseline_declined: float
    new_declined: float
    first: Stability
    codes: tuple[CodeShare, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "declined": {"baseline": self.baseline_declined, "new": self.new_declined},
            "first": self.first.to_dict(),
            "codes": [asdict(each) for each in self.codes],
        }


def reason_texts(model: DecisionModel) -> dict[str, str]:
    """Every reason code of a model with its text, knock-outs first; empty where it has no reason policy."""
    texts: dict[str, str] = {}
    for each in model.parts:
        if each.reasons is not None:
            texts |= each.policy.reasons
            texts |= {code: each.reasons.texts[code] for code in each.reasons.order}
    return texts


def unexplained_segments(model: DecisionModel) -> list[str]:
    """Segments whose model has no reason policy, where others have one."""
    if not isinstance(model, SegmentedModel) or not reason_texts(model):
        return []
    return [part.name for part in model.segments if part.model.reasons is None]


def reason_drift(model: DecisionModel, baseline: Scored, new: Scored) -> ReasonDrift | None:
    """Compare the reasons of the declined; None where the model gives none, or nobody is declined on a side.

    The declined of segments without a reason policy are left out: that they are given no reason says nothing.
    """
    texts = reason_texts(model)
    left_out = unexplained_segments(model)
    declined = [_declined(sample, left_out) for sample in (baseline, new)]
    if not texts or not all(rows.any() for rows in declined):
        return None
    codes = [*texts, NO_REASON]
    (first, some), (first_now, some_now) = (
        _counts(sample, rows, codes) for sample, rows in zip((baseline, new), declined, strict=True)
    )
    n, m = (float(sample.cohort.weight[rows].sum()) for sample, rows in zip((baseline, new), declined, strict=True))
    sizes = effective_size(baseline.cohort.weight[declined[0]]), effective_size(new.cohort.weight[declined[1]])
    shares = [
        CodeShare(
            code=code,
            text=texts.get(code, "nothing falls short of its baseline"),
            first_baseline=float(first[i]) / n,
            first_new=float(first_now[i]) / m,
            any_baseline=float(some[i]) / n,
            any_new=float(some_now[i]) / m,
        )
        for i, code in enumerate(codes)
        if some[i] or some_now[i]
    ]
    shares.sort(key=_change, reverse=True)
    return ReasonDrift(
        baseline_declined=n,
        new_declined=m,
        first=stability("first reason", codes, first, first_now, sizes=sizes),
        codes=tuple(shares),
    )


def _change(code: CodeShare) -> float:
    """Largest change of a share; rounded, so that rounding does not order equal ones."""
    return round(max(abs(code.first_new - code.first_baseline), abs(code.any_new - code.any_baseline)), 12)


def _declined(sample: Scored, left_out: list[str]) -> Bools:
    """(n,) the declined who count, without those of some segments."""
    declined: Bools = ~sample.approved & (sample.cohort.weight > 0)
    if not left_out or sample.evaluation.segment is None:
        return declined
    return declined & ~np.isin(sample.evaluation.segment.astype(str), left_out)


def _counts(sample: Scored, rows: Any, codes: list[str]) -> tuple[Floats, Floats]:
    """(codes,) weights of the declined by first reason, and of those that have the code among their reasons."""
    reasons = sample.evaluation.reasons
    assert reasons is not None
    given: NDArray[np.object_] = reasons[rows]
    weight = sample.cohort.weight[rows]
    position = {code: place for place, code in enumerate(codes[:-1])} | {None: len(codes) - 1}
    places = np.array([[position[code] for code in row] for row in given.tolist()], dtype=np.intp)
    first = np.bincount(places[:, 0], weight, minlength=len(codes)).astype(np.float64)
    some = np.array([weight[(places == place).any(axis=1)].sum() for place in range(len(codes) - 1)])
    return first, np.append(some, first[-1])
