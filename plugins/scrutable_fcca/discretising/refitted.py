"""Thresholds of ever smaller refitted ensembles: guessing thresholds via reference ensembles (GTRE)."""

from __future__ import annotations

import numpy as np

from scrutable_fcca.discretising.thresholds import Thresholds, gain_thresholds
from scrutable_fcca.inputs import Inputs
from scrutable_fcca.target import LEAF, Doubles, Flags, Trees
from scrutable_fcca.training import TargetOptions, Trained, train_target

_ROUNDING = 1e-12


def refitted_thresholds(
    trained: Trained,
    inputs: Inputs,
    points: Doubles,
    label: Flags,
    weight: Doubles,
    options: TargetOptions,
    *,
    seed: int = 0,
) -> Thresholds:
    """The fewest thresholds of a target model on which a refit is as accurate as on all of them.

    The model is refitted on the binary features of its thresholds; then, again and again, the least important one is
    removed and the model refitted, until its training accuracy falls below that of the first refit. Features that a
    refit does not use are removed at once: without them it would be the same.

    Parameters
    ----------
    trained : the target model, of trees, trained on these rows with these options.
    points, label, weight, options, seed : as in `train_target`.

    Returns
    -------
    The thresholds of the last refit that was accurate enough, with the gain of each in it.

    Raises
    ------
    InputError : the target model has no splits.

    References
    ----------
    McTavish, H., Zhong, C., Achermann, R., Karimalis, I., Chen, J., Rudin, C., Seltzer, M. (2022). Fast sparse decision
    tree optimization via reference ensembles. AAAI 36(9), 9604–9613.
    """
    kept = trial = gain_thresholds(trained, inputs)
    first: float | None = None
    while len(trial):
        trial, accuracy = _refitted(trial, points, label, weight, options, seed)
        if first is None:
            first = accuracy
        if accuracy < first - _ROUNDING:
            break
        kept = trial
        trial = kept.largest(len(kept) - 1)
    return kept


def _refitted(
    thresholds: Thresholds, points: Doubles, label: Flags, weight: Doubles, options: TargetOptions, seed: int
) -> tuple[Thresholds, float]:
    """The thresholds that a refit on their binary features uses, with their gains, and its training accuracy."""
    bits = thresholds.binary(points).astype(np.float64)
    refit = train_target(bits, label, weight, options, seed=seed)
    assert isinstance(refit.target, Trees)
    inner = refit.target.column != LEAF
    column = refit.target.column[inner]
    gain = np.bincount(column, refit.gain[inner], len(thresholds)).astype(np.float64)
    used = Thresholds(column=thresholds.column, value=thresholds.value, importance=gain).take(np.unique(column))
    correct = (refit.target.score(bits) > 0) == label
    return used, float(weight[correct].sum() / weight.sum())
