"""Checks of learners' decisions: whoever scores as high as an approved row is approved, whatever no row had in fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.examples.data import TrainingSample, fit, learns_classes
from scrutable.testing.contract.examples.known_payers import EACH, X, frame_of, options_for, sample_of
from scrutable.testing.contract.subject import Subject

_CODE = -9.0
#: A second column beside x, by what it holds, which no row lacks and none has a special code in; x alone tells much.
_BESIDE: tuple[tuple[Any, ...], ...] = ((1.0, 2.0, 3.0), ("a", "b", "c"))
_SHARES = {1.0: 0.1, 2.0: 0.9}
#: Good rows of a value may be knocked out if no larger share of them is good.
_HOPELESS = 0.05


@deciding(
    "learner",
    hint="let the cutoff decide; a knock-out is for values of which rows were seen, and all but all of them bad",
)
def decisions_follow_the_score(subject: Subject) -> None:
    """Whoever scores as high as an approved row is approved, unless all but all rows of one of its values were bad."""
    if not learns_classes(subject):
        return
    for last in (0.5, 0.0):  # a value of which nobody pays, too
        for beside in _BESIDE:
            sample = _sample(subject, beside, last)
            for options in _asked(subject, beside):
                rows, excused = _rows(beside, last)
                _follow(fit(subject.make(**options), sample), rows, excused)


@deciding(
    "learner", hint="attributes that nobody had say nothing of who pays: give them no knock-out, and neutral points"
)
def what_was_not_seen_is_no_reason_to_decline(subject: Subject) -> None:
    """Where a row is approved with every value that was seen, it is with one that was not: missing, text or code."""
    if not learns_classes(subject):
        return
    for beside in _BESIDE:
        sample = _sample(subject, beside, 0.5)
        for options in _asked(subject, beside):
            learner = fit(subject.make(**options), sample)
            for value in _SHARES:
                seen = frame_of({X: [value] * len(beside), "beside": beside})
                if not np.asarray(learner.evaluate(seen).approved).all():
                    continue
                for unseen in _unseen(beside):
                    rows = frame_of({X: [value], "beside": [unseen]}).astype(dict(seen.dtypes))
                    approved = bool(np.asarray(learner.evaluate(rows).approved)[0])
                    fault = f"beside x={value:g} every value that was seen is approved, and {unseen!r} is declined"
                    require(approved, fault)


def _sample(subject: Subject, beside: Sequence[Any], last: float) -> TrainingSample:
    """Rows of x, which tells who pays, and of a column that tells little but that of its last value few pay."""
    x = np.array(list(_SHARES) * (len(beside) * EACH))
    place = (np.arange(len(x)) // 2 % len(beside)).tolist()
    turn = np.arange(len(x)) // (2 * len(beside))
    share = np.where(x == 2.0, 0.9, 0.1) * np.where(np.equal(place, len(beside) - 1), 2 * last, 1.0)
    good = (turn + 0.5) / EACH < share
    return sample_of(subject, {X: x.tolist(), "beside": [beside[each] for each in place]}, good)


def _asked(subject: Subject, beside: Sequence[Any]) -> list[dict[str, Any]]:
    """Options under which decisions are looked at: without special codes, and with one that nobody has."""
    coded = options_for(subject, special_codes={"beside": [_code(beside)]})
    return [{}] if coded is None else [{}, coded]


def _code(beside: Sequence[Any]) -> Any:
    return "n/a" if isinstance(beside[0], str) else _CODE


def _unseen(beside: Sequence[Any]) -> list[Any]:
    return [None, _code(beside), *(["zebra"] if isinstance(beside[0], str) else [])]


def _rows(beside: Sequence[Any], last: float) -> tuple[Any, Any]:
    """Rows of all values, seen and unseen ones; and which have a value that next to nobody paid of."""
    values = [(x, one) for x in (*_SHARES, None) for one in (*beside, *_unseen(beside))]
    rows = frame_of({X: [x for x, _ in values], "beside": [one for _, one in values]})
    return rows, np.array([one == beside[-1] and last <= _HOPELESS for _, one in values])


def _follow(learner: Any, rows: Any, excused: Any) -> None:
    """Require that no row is declined that scores at least as high as an approved one."""
    evaluation = learner.evaluate(rows)
    if evaluation.score is None:
        return
    score, approved = np.asarray(evaluation.score, dtype=float), np.asarray(evaluation.approved, dtype=bool)
    if not approved.any():
        return
    declined = ~approved & ~excused & (score >= score[approved].min())
    told: Mapping[Any, Any] = rows[declined].iloc[0].to_dict() if declined.any() else {}
    require(not declined.any(), "a row is declined that scores as high as one that is approved", got=dict(told))
