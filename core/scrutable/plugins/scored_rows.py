"""What a model says of the rows that it was learned from, counted by score and decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scrutable.data.exact import exact_bincount
from scrutable.data.training_rows import Batch, LabelledRows
from scrutable.model import DecisionModel
from scrutable.model.contents import features_read
from scrutable.model.evaluator import evaluate

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: What a row has beside its scores: approved, knocked out, a favourable outcome.
_FLAGS = 8
#: Points are multiples of 2 to the power of minus this.
_POINT_BITS = 30


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
        names = [feature.name for feature in features_read(model)]
        parts = list(_parts(model, data.batches(names), weighted=data.every.weighted))
        ranking, score, flags, weight = (_joined(each) for each in zip(*parts, strict=True))
        del parts
        keys = None if weight is not None or score is not None else _as_keys(ranking, flags)
        if keys is not None:
            ranking, flags, weight = _counted(keys)
            return cls._with(ranking, ranking, flags, weight)
        levels, points, place = _levels(ranking, score)
        cells = place * _FLAGS + flags
        size = _FLAGS * len(levels)
        rows = np.bincount(cells, minlength=size)
        summed = rows.astype(np.float64) if weight is None else exact_bincount(cells, weight, size)
        used = np.flatnonzero(rows)
        return cls._with(levels[used // _FLAGS], points[used // _FLAGS], used % _FLAGS, summed[used])

    @classmethod
    def _with(cls, ranking: Floats, score: Floats, flags: NDArray[np.integer], weight: Floats) -> Self:
        return cls(
            ranking=ranking,
            score=score,
            approved=flags & 4 > 0,
            knocked_out=flags & 2 > 0,
            good=flags & 1 > 0,
            weight=weight,
        )

    @property
    def auc(self) -> float:
        """Area under the ROC curve of the ranking, which rises from row to row."""
        first = np.flatnonzero(np.diff(self.ranking, prepend=-np.inf))
        good = np.add.reduceat(np.where(self.good, self.weight, 0.0), first)
        bad = np.add.reduceat(np.where(self.good, 0.0, self.weight), first)
        return min(1.0, float(good @ (np.cumsum(bad) - bad / 2)) / float(good.sum() * bad.sum()))


#: Ranking, score where it is another, flags, and weights where they are not all 1.
_Part = tuple[Floats, Floats | None, NDArray[np.uint8], Floats | None]


def _parts(model: DecisionModel, batches: Iterable[Batch], *, weighted: bool) -> Iterator[_Part]:
    """What is said of the rows of each batch that have a weight."""
    for batch in batches:
        said = evaluate(model, batch.table, reasons=False)
        assert said.score is not None  # there are two classes
        flags = (4 * said.approved + 2 * said.knocked_out + batch.good).astype(np.uint8)
        seen = batch.weight > 0
        ranking, score, weight = said.ranking, said.score, batch.weight
        if not seen.all():
            ranking, score, flags, weight = ranking[seen], score[seen], flags[seen], weight[seen]
        yield ranking, None if said.segment is None else score, flags, weight if weighted else None


def _joined(parts: Sequence[Any]) -> Any:
    """The arrays of all batches as one; None where there are none."""
    return None if parts[0] is None else np.concatenate(parts)


def _as_keys(score: Floats, flags: NDArray[np.uint8]) -> NDArray[np.int64] | None:
    """(n,) whole numbers of scores and flags, in the order of the scores; None where scores are no multiples."""
    whole = np.ldexp(score, _POINT_BITS)
    if (np.rint(whole) != whole).any() or not (np.abs(whole) < 2.0**59).all():
        return None
    return whole.astype(np.int64) * _FLAGS + flags


def _counted(keys: NDArray[np.int64]) -> tuple[Floats, NDArray[np.uint8], Floats]:
    """Different scores and flags, rising, and how many rows have each."""
    keys.sort()
    first = np.flatnonzero(np.diff(keys, prepend=keys[0] - 1))
    rows = np.diff(first, append=len(keys)).astype(np.float64)
    keys = keys[first]
    return np.ldexp((keys >> 3).astype(np.float64), -_POINT_BITS), (keys & 7).astype(np.uint8), rows


def _levels(ranking: Floats, score: Floats | None) -> tuple[Floats, Floats, NDArray[np.intp]]:
    """Different rankings with their scores, rising, and (n,) the place of each row among them."""
    levels, place = np.unique(ranking, return_inverse=True)
    if score is None:
        return levels, levels, place
    scores, own = np.unique(score, return_inverse=True)
    pairs, place = np.unique(place * len(scores) + own, return_inverse=True)
    return levels[pairs // len(scores)], scores[pairs % len(scores)], place
