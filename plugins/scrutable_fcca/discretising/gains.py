"""The simple way to thresholds: those at which the splits of the target model gain most."""

from __future__ import annotations

from scrutable.errors import InputError
from scrutable_fcca.discretising.thresholds import Thresholds
from scrutable_fcca.inputs import Inputs
from scrutable_fcca.target import LEAF, Trees
from scrutable_fcca.training import Trained


def gain_thresholds(trained: Trained, inputs: Inputs) -> Thresholds:
    """All thresholds of a target model, each with the decrease of impurity of its splits.

    Thresholds between the same two values of the training rows are one.

    Raises
    ------
    InputError : the target model has no splits.
    """
    target = trained.target
    if not isinstance(target, Trees):
        raise InputError(
            "a linear target model has no splits to rank",
            where="ranking",
            allowed="'counterfactuals' for linear target models",
            fix="set ranking='counterfactuals', or another target",
        )
    inner = target.column != LEAF
    column = target.column[inner]
    return Thresholds.gathered(column, inputs.snap(column, target.threshold[inner]), trained.gain[inner])
