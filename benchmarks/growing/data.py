"""Applicants of any number: numbers and texts, some missing, about a fifth bad, and groups."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd


class Applicants(NamedTuple):
    """Columns, outcomes (1 is good), and a column of groups."""

    X: pd.DataFrame
    y: pd.Series
    groups: pd.Series


def applicants(rows: int, columns: int = 30, categories: int = 12, groups: int = 2, seed: int = 0) -> Applicants:
    """One column in five is a text with so many categories, all of them there, some rare; one in four tells a group."""
    draw = np.random.default_rng(seed)
    group = draw.integers(0, groups, rows)
    worth, made = np.zeros(rows), {}
    for at in range(columns):
        weight = (-1.0) ** at / (1 + at % 7)
        if at % 5 == 4:
            place = np.minimum(draw.exponential(categories / 4, rows).astype(int), categories - 1)
            place[:categories] = np.arange(min(rows, categories))
            worth += weight * draw.normal(size=categories)[place]
            values = np.array([f"c{place}" for place in range(categories)], dtype=object)[place]
            values[draw.random(rows) < 0.03] = None
        else:
            values = draw.normal(size=rows) + 0.3 * (group == 0) * (at % 4 == 0)
            worth += weight * np.tanh(values)
            if at % 5 == 1:
                values = np.exp(values).round(2)
            if at % 5 == 2:
                values = np.round(10 * values)
            values[draw.random(rows) < 0.03] = np.nan
        made[f"x{at}"] = values
    good = worth + draw.logistic(size=rows)
    outcome = pd.Series((good > np.quantile(good, 0.2)).astype(int), name="paid")
    return Applicants(pd.DataFrame(made), outcome, pd.Series(group, name="group").map("g{}".format))
