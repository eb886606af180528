"""Segments whose separate cards gain most, with what they gain on rows that were held out."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import log_loss, roc_auc_score

from scrutable.data import Cohort, DataConfig, SpecialCodes, favourable_class, hold_out, min_cell, read_cohort
from scrutable.data.frames import FrameKind, rows_like
from scrutable.errors.checks import check_whole
from scrutable.writing import plain_fields
from scrutable_segmented.learner import SegmentedClassifier
from scrutable_segmented.segment_learner import learner_within
from scrutable_segmented.tree import Tree, grown, segments_of


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOutGain:
    """What separate cards gain over one card on the same held-out rows, as means over splits with standard errors.

    Parameters
    ----------
    leaves : how many segments at most, found anew in each split.
    auc, auc_error : gain of the AUC.
    log_loss, log_loss_error : by how much the log-loss falls.
    """

    leaves: int
    auc: float
    auc_error: float
    log_loss: float
    log_loss_error: float

    @property
    def clear(self) -> bool:
        """Whether both gains are above their standard errors."""
        return self.auc > self.auc_error and self.log_loss > self.log_loss_error

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, and whether the gain is clear."""
        return {**plain_fields(self), "clear": self.clear}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FoundSegments:
    """Segments, and whether they are worth cards of their own.

    Parameters
    ----------
    segments : conditions by name, as the option `segments` of the learner; empty where one card is enough.
    tried : the tree of all rows with most leaves, in the same form, whether it is recommended or not.
    gains : by number of leaves, from 2 on; none where no split was worth a try.
    one_card_auc : mean AUC of one card on the rows held out.
    rows : rows with an outcome.
    splits : how often rows were held out.
    """

    segments: Mapping[str, str]
    tried: Mapping[str, str]
    gains: tuple[HeldOutGain, ...]
    one_card_auc: float
    rows: int
    splits: int
    kind: FrameKind

    def __repr__(self) -> str:
        return f"FoundSegments({len(self.segments) or 'no'} segments: {self.in_words()})"

    def in_words(self) -> str:
        """Whether separate cards are worth it, in a line."""
        if not self.gains:
            return "one card is enough: no split gains more likelihood than it has parameters"
        if not self.segments:
            return "one card is enough: what separate cards gain on rows held out is within its error"
        gain = next(each for each in self.gains if each.leaves == len(self.segments))
        return (
            f"{len(self.segments)} segments with cards of their own gain {gain.auc:.4f} (± {gain.auc_error:.4f}) of AUC"
            f" and {gain.log_loss:.5f} (± {gain.log_loss_error:.5f}) of the log-loss, on rows held out"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {**plain_fields(self, without=("kind",)), "in_words": self.in_words()}

    def frame(self) -> Any:
        """A row for each number of leaves: gains and standard errors."""
        return rows_like((each.to_dict() for each in self.gains), self.kind)


def find_segments(
    data: Any,
    config: DataConfig,
    *,
    leaves: int = 4,
    learner: str = "scorecard",
    options: Mapping[str, Any] | None = None,
    special_codes: SpecialCodes | None = None,
    least: int = 100,
    splits: int = 5,
    held_out: float = 0.3,
    seed: int = 0,
) -> FoundSegments:
    """Look for segments whose separate cards rank and predict better than one card for all.

    In each of several splits a tree is grown on the rows to learn from, and the cards of its leaves and one card for
    all, fitted on the same rows, are measured on those held out. A number of leaves is recommended only where it gains
    clearly, AUC and log-loss each by more than the standard error: the fewest whose gain is within an error of the
    best. Standard errors allow for splits that share rows (Nadeau and Bengio, 2003).

    Parameters
    ----------
    data : a frame of any kind or a path; the path of the config when None.
    config : which column is the outcome, the weight and so on; the others are inputs, and what segments are made of.
    leaves : segments at most.
    learner, options : what fits the cards.
    special_codes : values that are no measurement, as `segmented` takes them: of the cards and the conditions.
    least : goods, and bads, that a segment has at least.
    splits : how often rows are held out, 2 or more.
    held_out : share of the rows.
    seed : of the splits.

    Raises
    ------
    InputError : data that cannot be read, numbers that are none, too few rows of an outcome, and what the learner
        refuses.

    Examples
    --------
    >>> from scrutable.data.datasets import make_credit
    >>> credit = make_credit(1500, seed=1)
    >>> rows, config = credit.X.assign(bad=credit.y), DataConfig(target="bad", favourable=0)
    >>> find_segments(rows, config, leaves=2, splits=2, options={"binner": "quantile"}).segments
    {}
    """
    for name, value, lowest in (("leaves", leaves, 2), ("least", least, min_cell()), ("splits", splits, 2)):
        check_whole(value, name, lowest)
    everyone = read_cohort(config, data)
    rows = everyone.subset(everyone.known)
    favourable = favourable_class(rows.values, config.favourable)
    search = _Search(rows, favourable, leaves, learner, dict(options or {}), least, special_codes)
    every = np.arange(rows.rows)
    trees = search.trees(every)
    figures = []
    for position in range(splits if len(trees) > 1 else 0):
        parts = hold_out(rows.values, held_out, seed + position, where="held_out", fix="give more rows")
        figures.append(search.measured(*parts))
    gains = _gains(figures, len(trees), held_out)
    chosen = _chosen(gains)
    return FoundSegments(
        segments=dict(segments_of(trees[chosen - 1])) if chosen else {},
        tried=dict(segments_of(trees[-1])),
        gains=gains,
        one_card_auc=float(np.mean([each[0][0] for each in figures])) if figures else math.nan,
        rows=rows.rows,
        splits=splits,
        kind=rows.kind,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    rows: Cohort
    favourable: Any
    leaves: int
    learner: str
    options: dict[str, Any]
    least: int
    special_codes: SpecialCodes | None

    def trees(self, positions: NDArray[np.intp]) -> list[Tree]:
        """Trees of these rows, of one leaf and more."""
        own = self.rows.subset(positions)
        good = np.asarray(own.values == self.favourable, dtype=bool)
        weight = np.asarray(own.weight, dtype=np.float64)
        return grown(
            own.columns,
            good,
            weight,
            own.values,
            self.favourable,
            leaves=self.leaves,
            least=self.least,
            special_codes=self.special_codes,
        )

    def measured(self, learn: NDArray[np.intp], later: NDArray[np.intp]) -> list[tuple[float, float]]:
        """AUC and log-loss on rows held out: of one card, and of the cards of 2 leaves and more."""
        with warnings.catch_warnings():  # what cards warn of is told when they are fitted, and bins of all rows warned
            warnings.simplefilter("ignore")
            figures = [self._figures(self._fitted(tree, learn), later) for tree in self.trees(learn)]
        return figures + [figures[-1]] * (self.leaves - len(figures))

    def _fitted(self, tree: Tree, learn: NDArray[np.intp]) -> Any:
        own = self.rows.subset(learn)
        shared = {"favourable": self.favourable, "special_codes": self.special_codes}
        cards = (
            learner_within(self.learner, self.options, shared)
            if len(tree) == 1
            else SegmentedClassifier(segments=segments_of(tree), learner=self.learner, options=self.options, **shared)
        )
        return cards.fit(own.columns, own.values, sensitive_features=own.groups, sample_weight=own.sample_weight)

    def _figures(self, cards: Any, later: NDArray[np.intp]) -> tuple[float, float]:
        own = self.rows.subset(later)
        good = np.asarray(own.values == self.favourable, dtype=bool)
        place = list(cards.classes_).index(self.favourable)
        chance = np.clip(cards.predict_proba(own.columns)[:, place], 1e-9, 1 - 1e-9)
        auc = roc_auc_score(good, chance, sample_weight=own.weight)
        return float(auc), float(log_loss(good, chance, sample_weight=own.weight))


def _gains(figures: Sequence[Sequence[tuple[float, float]]], most: int, held_out: float) -> tuple[HeldOutGain, ...]:
    gains = []
    for leaves in range(2, most + 1):
        better = np.array([[each[leaves - 1][0] - each[0][0], each[0][1] - each[leaves - 1][1]] for each in figures])
        mean = better.mean(axis=0).tolist()
        shared = 1 / len(figures) + held_out / (1 - held_out)
        error = np.sqrt(shared * better.var(axis=0, ddof=1)).tolist()
        gains.append(
            HeldOutGain(leaves=leaves, auc=mean[0], auc_error=error[0], log_loss=mean[1], log_loss_error=error[1])
        )
    return tuple(gains)


def _chosen(gains: Sequence[HeldOutGain]) -> int | None:
    """Fewest leaves with a clear gain, within an error of the best; None where no gain is clear."""
    clear = [each for each in gains if each.clear]
    if not clear:
        return None
    best = max(clear, key=lambda each: each.log_loss)
    return next(each.leaves for each in clear if each.log_loss >= best.log_loss - best.log_loss_error)
