"""What a model says of the rows that it was learned from, counted by score and decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scrutable.data.exact import exact_bincount
from scrutable.data.training_rows import Batch, LabelledRows
from scrutable.model import DecisionModel
from scrutable.model.evaluator import evaluate

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: What a row has beside its scores: approved, knocked out, a favourable outcome.
_FLAGS = 8


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoredRows:
    """Rows of some weight; those that differ in nothing are one, whatever their order was.

    Parameters
    ----------
    ranking : (k,) what says who is the better applicant: the score, or the probability where segments have scores of
        their own.
    score : (k,) points.
    approved, knocked_out : (k,) decisions, and who is declined whatever the score.
    good : (k,) whether the outcome is favourable.
    weight : (k,) sample weights.
    """

    ranking: Floats
    score: Floats
    approved: Bools
    knocked_out: Bools
    good: Bools
    weight: Floats

    @classmethod
    def of(cls, model: DecisionModel, data: LabelledRows) -> Self:
        """What a model that decides between two classes says of training rows."""
        parts = list(_parts(model, data.batches(), weighted=data.every.weighted))
        ranking, score, flags, weight = (np.concatenate(each) for each in zip(*parts, strict=True))
        ranking, score, flags, weight = _merged(ranking, score, flags, weight)
        return cls(
            ranking=ranking,
            score=score,
            approved=flags & 4 > 0,
            knocked_out=flags & 2 > 0,
            good=flags & 1 > 0,
            weight=weight,
        )


_Part = tuple[Floats, Floats, NDArray[np.uint8], Floats]


def _parts(model: DecisionModel, batches: Iterable[Batch], *, weighted: bool) -> Iterator[_Part]:
    """What is said of each batch; rows that only count are merged at once, as numbers of them add up exactly."""
    for batch in batches:
        said = evaluate(model, batch.table, reasons=False)
        assert said.score is not None  # there are two classes
        flags = (4 * said.approved + 2 * said.knocked_out + batch.good).astype(np.uint8)
        seen = batch.weight > 0
        part = said.ranking[seen], said.score[seen], flags[seen], batch.weight[seen]
        yield part if weighted else _merged(*part)


def _merged(ranking: Floats, score: Floats, flags: NDArray[np.uint8], weight: Floats) -> _Part:
    """Rows that differ in nothing as one, in the order of their ranking."""
    levels, place = np.unique(ranking, return_inverse=True)
    if score is not ranking and (score != ranking).any():
        scores, own = np.unique(score, return_inverse=True)
        pairs, place = np.unique(place * len(scores) + own, return_inverse=True)
        levels, points = levels[pairs // len(scores)], scores[pairs % len(scores)]
    else:
        points = levels
    cells = place * _FLAGS + flags
    size = _FLAGS * len(levels)
    used = np.flatnonzero(np.bincount(cells, minlength=size))
    at = used // _FLAGS
    return levels[at], points[at], (used % _FLAGS).astype(np.uint8), exact_bincount(cells, weight, size)[used]
