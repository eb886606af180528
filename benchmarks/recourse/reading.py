"""A scorecard of OptBinning's as one of ours: the same attributes, coefficients and intercept, in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import optbinning

from scrutable.model import (
    Attribute,
    Calibration,
    Characteristic,
    Feature,
    Interval,
    Missing,
    Outcome,
    Scorecard,
    Special,
)


def card_of(peer: optbinning.Scorecard, special: Sequence[float]) -> Scorecard:
    """The score is the log-odds of class 0, which is favourable: OptBinning models those of class 1.

    Special codes and missing values are worth 0, as in OptBinning's `predict_proba` by default.
    """
    coefficients = dict(zip(names_of(peer), peer.estimator_.coef_.ravel().tolist(), strict=True))
    return Scorecard(
        outcome=Outcome(classes=("bad", "good"), favourable="good"),
        features=tuple(Feature(name=name, kind="numeric", special_codes=tuple(special)) for name in coefficients),
        characteristics=tuple(_characteristic(peer, name, coefficients[name], special) for name in coefficients),
        base_points=-float(peer.estimator_.intercept_[0]),
        cutoff=0.0,
        calibration=Calibration(slope=1.0),
    )


def names_of(peer: optbinning.Scorecard) -> list[str]:
    """The features in the order of the coefficients."""
    return [str(name) for name in peer.binning_process_.get_support(names=True)]


def _characteristic(
    peer: optbinning.Scorecard, name: str, coefficient: float, special: Sequence[float]
) -> Characteristic:
    fitted = peer.binning_process_.get_binned_variable(name)
    bounds = [-np.inf, *map(float, fitted.splits), np.inf]
    woe = fitted.binning_table.build()["WoE"].to_numpy()[: len(bounds) - 1].astype(float)
    pairs = zip(pairwise(bounds), (-coefficient * woe).tolist(), strict=True)
    attributes = [Attribute(condition=Interval(low, high), points=points) for (low, high), points in pairs]
    others = [Attribute(condition=Special(tuple(special)), points=0.0), Attribute(condition=Missing(), points=0.0)]
    return Characteristic(feature=name, attributes=(*attributes, *others))
