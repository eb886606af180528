"""Checks of binners and learners on numbers of many digits: cuts stay where they are, in whatever unit a column is."""

from __future__ import annotations

import itertools

import numpy as np

from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.examples.data import fit
from scrutable.testing.contract.examples.known_payers import X, cuts_for, frame_of, rows_with, sample_of, worth, worths
from scrutable.testing.contract.subject import Subject

#: Neighbours that have their first digits in common.
_PAIRS = ((1234.5, 1234.6), (1e6, 1e6 + 1), (0.12345, 0.12346), (-98765.5, -98765.25))
#: Values of a column in one unit, and a place and a factor that make another unit of them.
_VALUES = np.arange(1.0, 25.0)
_UNITS = ((1000.0, 1e-3), (0.0, 1e4), (-5.0, 0.25))
_HINT = "keep cuts as they were found: round one only for people to read, never in what decides"


@deciding("binner", "learner", hint=_HINT)
def values_of_many_digits_are_told_apart(subject: Subject) -> None:
    """Two values that differ in their last digit alone score apart."""
    for pair, shares in zip(_PAIRS, itertools.cycle(((0.1, 0.9), (0.9, 0.1)))):
        sample = rows_with(subject, dict(zip(pair, shares, strict=True)))
        low, high = worth(fit(subject.make(**cuts_for(subject, pair[1])), sample), pair)
        told = low < high if shares[0] < shares[1] else high < low
        require(told, f"{pair[0]} and {pair[1]} do not score as their rows say", got=[low, high])


@deciding("binner", "learner", hint=_HINT)
def a_column_may_have_any_unit(subject: Subject) -> None:
    """A column times a number and plus another, whole numbers or many digits, gives the same rows the same scores."""
    chance = np.random.default_rng(3)
    column = np.repeat(_VALUES, 20)
    good = chance.uniform(size=len(column)) < 0.1 + 0.8 * (column > 7) - 0.4 * (column > 17)
    usual = _scores(subject, column, good)
    for start, factor in _UNITS:
        scores = _scores(subject, start + factor * column, good)
        far = float(np.abs(scores - usual).max())
        spread = float(np.ptp(usual))
        fault = f"x and {start:g} + {factor:g} x score the same rows differently"
        require(far <= 1e-3 * spread, fault, got=f"{far:g} apart, where scores differ by up to {spread:g}")


def _scores(subject: Subject, column: np.ndarray, good: np.ndarray) -> np.ndarray:
    """(values,) what each value of a column is worth; a binner that finds no cuts is given one of the values."""
    sample = sample_of(subject, {X: column.tolist()}, good)
    values = np.unique(column)
    estimator = fit(subject.make(**cuts_for(subject, float(values[7]))), sample)
    return np.array(worths(estimator, frame_of({X: values.tolist()})))
