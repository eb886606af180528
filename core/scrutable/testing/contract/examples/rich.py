"""One sample that has much of what data has at once, and options under which checks are made on it."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from scrutable.testing.contract.estimators.each_option import SILENT, default_of, stated_of, values_of
from scrutable.testing.contract.examples.data import TrainingSample, learns_quantities
from scrutable.testing.contract.examples.known_payers import finds_no_cuts, has_option, options_for
from scrutable.testing.contract.subject import Subject

#: Special codes of `amount`: one far below its numbers, and one among them.
CODES = (-9.0, 40.0)
NUMBERS = ("amount", "years")
#: Two dozen texts that begin with the same thirty letters.
TEXTS = tuple(f"what the applicant asks for: number {place:02}" for place in range(24))
_ROWS = 3000
#: More numbers than are kept as they are, each of which more than thirty rows have.
_GRID = np.round(np.geomspace(2.0, 90.0, 56), 1)
#: What binners of few attributes merge by, and learners of few steps.
_FEW: tuple[dict[str, Any], ...] = ({"max_bins": 2}, {"max_groups": 3}, {"max_bins": 3, "min_share": 0.2})


def settings(subject: Subject) -> Iterator[dict[str, Any]]:
    """Options under which checks are made: none, those that force merging, and another value of each of its own."""
    yield {}
    for few in _FEW:
        if all(has_option(subject, name) for name in few):
            yield few
    for name, alternatives in stated_of(subject).items():
        if name not in SILENT:
            yield from (
                {name: value} for value in itertools.islice(values_of(alternatives, default_of(subject, name)), 1)
            )


def by_hand(subject: Subject, sample: TrainingSample) -> dict[str, Any]:
    """Cuts for a binner that finds none by itself."""
    cuts = {name: [float(np.nanmedian(sample.X[name]))] for name in NUMBERS if name in sample.X}
    return {"cuts": cuts} if finds_no_cuts(subject) else {}


def with_codes(subject: Subject, codes: tuple[float, ...] = CODES) -> dict[str, Any] | None:
    """Options that declare the special codes of `amount`; None if it has no place for them."""
    return options_for(subject, special_codes={"amount": list(codes)})


def rich(subject: Subject) -> TrainingSample:
    """Numbers of many values, two columns of the same numbers that tell otherwise, codes, gaps, and long texts."""
    return _rich(learns_quantities(subject)).copy()


@functools.cache
def _rich(quantity: bool) -> TrainingSample:
    chance, place = np.random.default_rng(77), np.arange(_ROWS)
    amount, years = (_GRID[chance.permutation(_ROWS) % len(_GRID)] for _ in range(2))
    amount = np.select([place % 10 == 3, place % 15 == 4, place % 20 == 6], [np.nan, *CODES], amount)
    years = np.where(place % 9 == 5, np.nan, years)
    text = chance.integers(0, len(TEXTS), _ROWS)
    odds = np.select([np.isnan(amount), amount == CODES[0], amount == CODES[1]], [-1.0, 1.5, -1.5], 0.0)
    odds += np.where(odds == 0, np.where(amount < 20, -0.8, 0.8), 0.0)
    odds += np.select([np.isnan(years), years < 8, years < 60], [0.8, 1.2, -0.4], 1.0)
    odds += np.linspace(-1.2, 1.2, len(TEXTS))[text * 7 % len(TEXTS)]
    good = chance.uniform(size=_ROWS) < 1 / (1 + np.exp(-odds))
    y = odds / 4 + chance.normal(0, 0.05, _ROWS) if quantity else good
    words = pd.Series(np.array(TEXTS, dtype=object)[text], dtype=object)
    sex = np.array(["f", "m"], dtype=object)[chance.integers(0, 2, _ROWS)]
    return TrainingSample.of({"amount": amount, "years": years, "text": words}, y, sex=sex)
