"""Which rows of a file have an outcome: not the indeterminates, and not those declined earlier."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.data.config import DataConfig
from scrutable.data.indeterminate import without_indeterminates
from scrutable.data.labelling import label
from scrutable.data.masking import shared
from scrutable.errors import InputError

Positions = NDArray[np.intp]

_ACCEPTED = ("1", "true", "yes", "accepted", "approved")
_DECLINED = ("0", "false", "no", "declined", "rejected")


@dataclass(frozen=True, kw_only=True, eq=False)
class Population:
    """Positions of the rows by what is known of their outcome.

    Parameters
    ----------
    known, indeterminate, rejected : positions; together all rows.
    dates : (n,) dates of all rows; None where no column is named.
    accepted_named : whether a column says who was accepted.
    """

    known: Positions
    indeterminate: Positions
    rejected: Positions
    dates: pd.Series | None
    accepted_named: bool


def read_population(frame: pd.DataFrame, config: DataConfig) -> Population:
    """What a file says of each row's outcome.

    Raises
    ------
    InputError : a column of acceptances with other values, nobody accepted, no indeterminate row.
    """
    rows = np.arange(len(frame))
    accepted = np.ones(len(frame), dtype=bool) if config.accepted is None else _accepted(frame[config.accepted])
    neither = np.zeros(len(frame), dtype=bool)
    if config.indeterminate is not None:
        inside = rows[accepted]
        found = without_indeterminates(frame[config.target].to_numpy()[inside], config.indeterminate)
        neither[inside[found.indeterminate]] = True
    return Population(
        known=rows[accepted & ~neither],
        indeterminate=rows[neither],
        rejected=rows[~accepted],
        dates=None if config.date is None else frame[config.date],
        accepted_named=config.accepted is not None,
    )


def _accepted(column: pd.Series) -> NDArray[np.bool_]:
    codes, levels = pd.factorize(column)
    words = [label(level).casefold() for level in levels]
    unknown = [level for level, word in zip(levels, words, strict=True) if word not in (*_ACCEPTED, *_DECLINED)]
    if unknown or (codes < 0).any():
        raise InputError(
            "cannot tell who was accepted",
            where=f"--accepted, column {column.name!r}",
            got=shared(unknown[0], (column == unknown[0]).sum())
            if unknown
            else f"{int((codes < 0).sum())} missing values",
            allowed=f"{', '.join(_ACCEPTED)} for accepted, {', '.join(_DECLINED)} for declined",
            fix="translate the column",
        )
    accepted: NDArray[np.bool_] = np.array([word in _ACCEPTED for word in words], dtype=bool)[codes]
    if not accepted.any():
        where = f"--accepted, column {column.name!r}"
        raise InputError("nobody was accepted, so no outcome is known", where=where, fix="check the column")
    return accepted
