"""The applicants of a data file: inputs, outcome, protected groups and weights, each column in its role."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.data.arrays import weights
from scrutable.data.config import DataConfig
from scrutable.data.frames import as_table
from scrutable.data.frames.names import known_column
from scrutable.data.grouped import columns_of, read_groups
from scrutable.data.groups import Groups
from scrutable.data.labelling import label
from scrutable.data.masking import Masked
from scrutable.data.population import Population, Positions, read_population
from scrutable.data.reading import read_rows
from scrutable.errors import InputError, KindError


@dataclass(frozen=True, kw_only=True)
class Applicants:
    """Rows with the role of each column settled; protected columns are no inputs."""

    X: pd.DataFrame
    y: pd.Series
    groups: Groups | None
    weight: NDArray[np.float64] | None

    def subset(self, rows: Positions) -> Applicants:
        """The rows at these positions."""
        return Applicants(
            X=self.X.iloc[rows],
            y=self.y.iloc[rows],
            groups=None if self.groups is None else self.groups.subset(rows),
            weight=None if self.weight is None else self.weight[rows],
        )


def read_applicants(config: DataConfig, *, text: Iterable[str] = ()) -> Applicants:
    """The rows of `read_everyone` that have an outcome."""
    everyone, population = read_everyone(config, text=text)
    return everyone.subset(population.known)


def read_everyone(config: DataConfig, *, text: Iterable[str] = ()) -> tuple[Applicants, Population]:
    """Read a data file, give each column its role, and say which rows have an outcome.

    Parameters
    ----------
    text : columns to read as text even where every value looks like a number.

    Raises
    ------
    InputError : the file cannot be read, lacks a column that is named, or no column is left as an input.
    """
    frame = read_rows(config.path, config, text=text)
    protected = [*config.protected, *columns_of(config.protected_probabilities)]
    aside = [config.target, *protected, *config.drop]
    single = (config.id, config.weight, config.date, config.accepted)
    aside += dict.fromkeys(name for name in single if name is not None and name not in aside)
    for name in aside:
        known_column(name, frame.columns, f"file {config.path!r}")
    if config.target in protected:
        raise InputError("the target cannot be a protected attribute", where=f"column {config.target!r}")
    X = frame.drop(columns=aside)
    if not len(X.columns):
        raise InputError("no column is left as an input", where=f"file {config.path!r}", fix="drop fewer columns")
    population = read_population(frame, config)
    everyone = Applicants(
        X=X,
        y=_target(frame[config.target], population),
        groups=read_groups(frame, config.protected, config.protected_probabilities, reference=config.reference),
        weight=None if config.weight is None else weights_of(frame, config.weight, f"file {config.path!r}"),
    )
    return everyone, population


def class_named(y: pd.Series, wanted: str | int | float | bool) -> Any:
    """The class that a text or number of a command line or config names."""
    classes = y.drop_duplicates().sort_values().tolist()
    for value in classes:
        if str(value) == str(wanted) or label(value) == label(wanted):
            return value
    raise InputError(
        "no such class in the target",
        where=f"favourable, column {y.name!r}",
        got=wanted,
        allowed=" or ".join(repr(value) for value in classes[:10]),
        fix="name the class that is good for the applicant",
    )


def weights_of(frame: pd.DataFrame, name: str, where: str) -> NDArray[np.float64]:
    """(n,) sample weights in a column of a file.

    Parameters
    ----------
    where : how errors name the file.

    Raises
    ------
    InputError : no such column; a weight that is missing, no finite number or negative, with its row, counted from 0;
        none above 0.

    Examples
    --------
    >>> weights_of(pd.DataFrame({"w": [2, 1]}), "w", "file 'loans.csv'").tolist()
    [2.0, 1.0]
    """
    known_column(name, frame.columns, where)
    where = f"{where}, column {name!r}"
    column = as_table(frame[[name]]).column(name)
    if column.kind != "categorical":
        return weights(column.values, len(frame), where)
    no_number = pd.to_numeric(pd.Series(column.values), errors="coerce").isna().to_numpy()
    first = int(no_number.argmax())  # the first row where each text could be a number
    raise KindError(
        "weights must be numbers",
        where=f"{where}, row {first}",
        got=Masked(column.values[first]),
        allowed="zero or more",
        fix="correct the column",
    )


def _target(y: pd.Series, population: Population) -> pd.Series:
    """The target, whose outcomes are all there but for those of the declined."""
    missing = y.isna().to_numpy()
    there = np.ones(len(y), dtype=bool)
    there[population.rejected] = False
    if (missing & there).any():
        raise InputError(
            "the outcome is missing",
            where=f"column {y.name!r}, row {int((missing & there).argmax()) + 1} below the header",
            got=f"{int((missing & there).sum())} rows without an outcome",
            fix="drop these rows, or name the column that says who was accepted with --accepted",
        )
    if missing.any() and y.dtype.kind == "f" and (y[~missing] % 1 == 0).all():
        return y.where(~missing, y[~missing].iloc[0]).astype(np.int64)  # whole numbers beside gaps are read as doubles
    return y
