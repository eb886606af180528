"""Checks of binners and learners: one moderate step is found where it is, and a frequent value does not hide others."""

from __future__ import annotations

import numpy as np

from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.examples.data import fit
from scrutable.testing.contract.examples.known_payers import X, cutting, finds_no_cuts, has_option, sample_of, worth
from scrutable.testing.contract.subject import Subject

_ROWS = 1500
#: Where the step is, of values from 0 to 100, and the shares of good rows below and above it.
_STEP, _SHARES = 30.0, (0.6, 0.9)
#: Values well inside of each side, and the part of the log-odds between the sides that they are to be apart by.
_INSIDE, _PART = (12.0, 65.0), 0.4
#: Bins of binners that find cuts by the outcome.
_FEW = (2, 3)


@deciding("binner", hint="weigh both sides of a cut by their rows in whatever is made largest or least")
def a_moderate_step_is_found_with_few_bins(subject: Subject) -> None:
    """Of many numbers with one step of the rate, two or three bins part those below from those above it."""
    if finds_no_cuts(subject) or not has_option(subject, "max_bins"):
        return
    chance = np.random.default_rng(17)
    values = np.round(chance.uniform(0, 100, _ROWS), 2).tolist()
    good = chance.uniform(size=_ROWS) < np.where(np.array(values) < _STEP, *_SHARES)
    whole = np.log(_SHARES[1] / (1 - _SHARES[1])) - np.log(_SHARES[0] / (1 - _SHARES[0]))
    for bins in _FEW:
        made, other = (
            fit(subject.make(max_bins=bins), sample_of(subject, {X: values}, each))
            for each in (good, np.arange(_ROWS) % 2 == 0)
        )
        if made.binning_[X].conditions == other.binning_[X].conditions:  # its cuts do not ask for the outcome
            return
        below, above = worth(made, _INSIDE)
        told = f"with max_bins={bins} values below a step of the rate and above it are not told apart"
        require(above - below > _PART * whole, told, got=[below, above])


@deciding("binner", "learner", hint="give a value that more rows have than a bin needs a bin of its own")
def a_frequent_value_hides_no_others(subject: Subject) -> None:
    """Where nine rows in ten have one value, it scores apart from the mean of the many others, below or above it."""
    chance = np.random.default_rng(19)
    others = np.round(chance.uniform(1, 100, 2 * _ROWS), 1)
    values = np.where(np.arange(2 * _ROWS) % 10 > 0, 0.0, others)
    good = chance.uniform(size=2 * _ROWS) < np.where(values == 0, 0.85, 0.4)
    for sign in (1.0, -1.0):
        made = fit(cutting(subject, 0.5 * sign), sample_of(subject, {X: (sign * values).tolist()}, good))
        frequent, *each = worth(made, [0.0, *(sign * value for value in range(10, 100, 10))])
        other = sum(each) / len(each)
        side = "above" if sign > 0 else "below"
        told = f"a value that nine in ten rows have is not told apart from the others {side} it"
        require(frequent > other, told, got=[frequent, other])
