"""From training data to thresholds, Algorithm 1 of the paper, as the binner and the learner share it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pandas as pd

from scrutable.data import TrainingData
from scrutable.errors import InputError
from scrutable.errors.checks import check_number, check_whole, options_or_default
from scrutable.model import Clause
from scrutable_fcca.changes import Changes
from scrutable_fcca.counterfactuals.problem import Costs
from scrutable_fcca.counterfactuals.search import SearchOptions, search
from scrutable_fcca.discretising.compression import CompressionPath, compression_path
from scrutable_fcca.discretising.refitted import refitted_thresholds
from scrutable_fcca.discretising.thresholds import Thresholds, crossed_thresholds, gain_thresholds
from scrutable_fcca.inputs import Inputs
from scrutable_fcca.training import TargetOptions, Trained, train_target

Ranking = Literal["counterfactuals", "gain", "refitted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscretisingOptions:
    """How thresholds are found.

    Parameters
    ----------
    target : the target model.
    ranking : what makes and ranks thresholds: "counterfactuals", the "gain" of the target model's splits, or what is
        left of them after its model was "refitted".
    quantile : Q of section 3.1, from 0 (all thresholds) to 1 (only the most important).
    search : of which rows counterfactuals are searched, and at what cost.
    changes : what may change in a counterfactual.
    rare_share : categories with a smaller share of the applicants are not told apart.
    seed : of what the target model draws.

    Raises
    ------
    InputError : a value out of range.
    """

    target: TargetOptions = field(default_factory=TargetOptions)
    ranking: Ranking = "counterfactuals"
    quantile: float = 0.0
    search: SearchOptions = field(default_factory=SearchOptions)
    changes: Changes = field(default_factory=Changes)
    rare_share: float = 0.01
    seed: int = 0

    def __post_init__(self) -> None:
        if self.ranking not in ("counterfactuals", "gain", "refitted"):
            allowed = "'counterfactuals', 'gain' or 'refitted'"
            raise InputError("unknown ranking", where="ranking", got=self.ranking, allowed=allowed)
        check_number(self.quantile, "quantile", "0 to 1", high=1.0)
        check_number(self.rare_share, "rare_share", "0 or more, below 1", high=1 - 2.0**-53)
        check_whole(self.seed, "random_state", 0, 2**32 - 1)

    @classmethod
    def of(cls, estimator: Any) -> DiscretisingOptions:
        """The options in the constructor of the binner or the learner."""
        target = estimator.target
        return cls(
            target=TargetOptions(kind=estimator.target)
            if isinstance(target, str)
            else options_or_default(target, TargetOptions, "target"),
            ranking=estimator.ranking,
            quantile=estimator.quantile,
            search=SearchOptions(
                probability=estimator.probability,
                costs=options_or_default(estimator.costs, Costs, "costs"),
                verbose=estimator.verbose,
            ),
            changes=options_or_default(estimator.changes, Changes, "changes"),
            rare_share=estimator.rare_share,
            seed=estimator.random_state,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Discretisation:
    """What the procedure found.

    Parameters
    ----------
    inputs : the columns that thresholds are of.
    trained : the target model.
    thresholds : all thresholds.
    kept : those that the quantile keeps.
    compression : compression and inconsistency of the training rows, for every quantile.
    """

    inputs: Inputs
    trained: Trained
    thresholds: Thresholds
    kept: Thresholds
    compression: CompressionPath

    def clauses(self) -> tuple[Clause, ...]:
        """For each kept threshold what holds for the rows above it; the binary features of equation (12)."""
        return tuple(self._clause(*each) for each in zip(self.kept.column, self.kept.value, strict=True))

    def table(self) -> pd.DataFrame:
        """All thresholds: feature, what holds above it, importance, the largest quantile that keeps it, position."""
        ranked = self.thresholds
        clauses = [self._clause(*each) for each in zip(ranked.column, ranked.value, strict=True)]
        return pd.DataFrame(
            {
                "feature": [clause.feature for clause in clauses],
                "above": [clause.any_of[0].describe() for clause in clauses],
                "importance": ranked.importance,
                "kept_until": ranked.kept_until(),
                "scaled": ranked.value,
            }
        )

    def _clause(self, column: int, value: float) -> Clause:
        return self.inputs.columns[column].above(float(value))


def discretise(data: TrainingData, categorical: Collection[str], options: DiscretisingOptions) -> Discretisation:
    """Train the target model, rank its thresholds, and keep those above the quantile.

    Rows without weight take no part. Class 1 is the favourable one.

    Parameters
    ----------
    categorical : numeric features whose numbers are categories.

    Raises
    ------
    InputError : options that name an unknown feature, no row that takes part, or no threshold.

    Examples
    --------
    >>> from scrutable.data.datasets import make_credit
    >>> from scrutable.data import read_training
    >>> credit = make_credit(500, seed=1)
    >>> discretisation = discretise(read_training(credit.X, credit.y), (), DiscretisingOptions(quantile=0.9))
    >>> len(discretisation.kept) < len(discretisation.thresholds)
    True
    """
    inputs = Inputs.of(data, categorical=categorical, rare_share=options.rare_share)
    plausible = options.changes.plausible(inputs, data.columns)
    rows = np.flatnonzero(data.weight > 0)
    columns = {name: column.take(rows) for name, column in data.columns.items()}
    points, label, weight = inputs.encode(columns), data.good[rows], data.weight[rows]
    trained = train_target(points, label, weight, options.target, seed=options.seed)
    if options.ranking == "gain":
        thresholds = gain_thresholds(trained, inputs)
    elif options.ranking == "refitted":
        thresholds = refitted_thresholds(trained, inputs, points, label, weight, options.target, seed=options.seed)
    else:
        searched = search(trained, points, label, plausible, inputs.fixed(columns), options.search)
        thresholds = crossed_thresholds(searched, inputs, weight)
    if not len(thresholds):
        raise _nothing_found(options.ranking)
    return Discretisation(
        inputs=inputs,
        trained=trained,
        thresholds=thresholds,
        kept=thresholds.at(options.quantile),
        compression=compression_path(thresholds, points, label, weight),
    )


def _nothing_found(ranking: Ranking) -> InputError:
    if ranking == "counterfactuals":
        return InputError(
            "no counterfactual crosses a threshold, so none is left",
            where="changes, probability",
            fix="let more features change, or choose another target model or ranking='gain'",
        )
    return InputError("the target model has no threshold", where="target", fix="choose another target model")
