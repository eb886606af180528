"""Checks of binners and learners of a quantity: values of other means are told apart at any scale."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from scrutable.binning.mean_binning import MeanTable
from scrutable.errors import InputError
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.examples.data import learns_quantities
from scrutable.testing.contract.examples.known_payers import EACH, X, cuts_for, frame_of, worth
from scrutable.testing.contract.subject import Subject

#: Factor and constant of the quantity, as of losses in units, in shares of a hundred and in millions.
_SCALES = ((1.0, 0.0), (1e-4, 0.0), (1e6, 0.0), (1.0, -5.0), (1e-3, 7.0))
_MEANS: tuple[dict[Any, float], ...] = (
    {1.0: 0.1, 2.0: 0.9, None: 0.5},
    {1.0: 0.9, 2.0: 0.1, None: 0.95},
    {"a": 0.1, "b": 0.9, None: 0.05},
)
_NEAR = 0.05


@deciding("learner", hint="measure errors, stops and penalties in units of the quantity's own spread")
def quantities_of_any_scale_are_learned(subject: Subject) -> None:
    """Predictions of a quantity are near its means, by weight, whatever its unit and zero are, negative ones too."""
    if not learns_quantities(subject):
        return
    for means in _MEANS:
        for factor, constant in _SCALES:
            rows, quantity, weight = _quantities(means, factor, constant)
            for given in (None, weight):
                predicted = np.array(worth(subject.make().fit(rows, quantity, sample_weight=given), list(means)))
                wanted = _by_hand(quantity, len(means), given)
                unit = f"a quantity times {factor:g} plus {constant:g}{'' if given is None else ', weighted'}"
                right = np.abs(predicted - wanted).max() < _NEAR * factor
                require(right, f"predictions of {unit}, are far from its means {wanted}", got=predicted)


@deciding("learner", hint="ask whether a value was seen by its rows, not by whether its mean is 0")
def means_of_nothing_are_learned(subject: Subject) -> None:
    """A number, a text and a missing value whose rows all have a quantity of 0 are predicted to have none."""
    if not learns_quantities(subject):
        return
    for values in ([1.0, 2.0, 3.0, None], ["a", "b", "c", None]):
        for place, value in enumerate(values):
            means = [0.5 + (each + 1) / 10 if each != place else 0.0 for each in range(len(values))]
            rows = frame_of({X: values * EACH})
            predicted = worth(subject.make().fit(rows, np.array(means * EACH)), values)
            told = f"all rows of {value!r} have a quantity of 0, and another one is predicted"
            require(abs(predicted[place]) < _NEAR, told, got=predicted)


@deciding("binner", hint="leave bin_quantity to the base class, and cut by Sample.target and Sample.weight")
def bins_of_quantities_are_told_apart(subject: Subject) -> None:
    """Of a quantity, unless it is refused, values of another mean have attributes of their own, with their means."""
    cuts = cuts_for(subject, 2.0)
    for means in _MEANS:
        options = {} if "a" in means else cuts
        for factor, constant in _SCALES:
            rows, quantity, weight = _quantities(means, factor, constant)
            for given in (None, weight):
                binner = subject.make(**options)
                try:
                    data = binner.read_quantity(rows, quantity, sensitive_features=None, sample_weight=given)
                    [table] = binner.bin_quantity(data).tables
                except InputError:  # it is a binner for classes
                    return
                places = table.index(data.columns[X])[: len(means)]  # values take turns
                _are_counted(table, places, _by_hand(quantity, len(means), given), factor)


def _quantities(means: dict[Any, float], factor: float, constant: float) -> tuple[pd.DataFrame, Any, Any]:
    """Rows of each value in turns, a quantity with such means, and weights, by which the means are others."""
    noise = np.random.default_rng(0).uniform(-0.1, 0.1, len(means) * EACH)
    plain = np.array(list(means.values()) * EACH) + noise
    return frame_of({X: list(means) * EACH}), plain * factor + constant, np.where(noise > 0, 3.0, 0.5)


def _by_hand(quantity: Any, values: int, weight: Any) -> Any:
    """(values,) weighted mean of each value, rows taking turns."""
    weight = np.ones(len(quantity)) if weight is None else weight
    shape = (EACH, values)
    return np.average(quantity.reshape(shape), axis=0, weights=weight.reshape(shape))


def _are_counted(table: MeanTable, places: Any, wanted: Any, factor: float) -> None:
    """Require that each value has an attribute of its own, with the mean that is counted by hand."""
    require(len(set(places.tolist())) == len(wanted), "values of other means share an attribute", got=places)
    far = np.abs(table.means[places] - wanted).max() / factor
    require(far < 1e-6, f"means of attributes are not those of their rows, {wanted}", got=table.means[places])
