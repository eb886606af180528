"""The rows of a certificate: edge values of the model, random draws of them, and applicants of a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Table
from scrutable.model import Model
from scrutable.proof.edges import edge_rows

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationRows:
    """Rows to verify with, and where they come from.

    Parameters
    ----------
    frame : all rows, those of the data last.
    edge : rows of edge values; every cut with the doubles beside it, missing, infinities, special codes, unseen texts.
    drawn : rows of edge values drawn at random, one for each feature.
    data : rows of the given data.
    seed : of the draws.
    """

    frame: pd.DataFrame
    edge: int
    drawn: int
    data: int
    seed: int


def verification_rows(
    model: Model,
    data: pd.DataFrame | Table | None = None,
    *,
    n_random: int = 10_000,
    max_data: int = 100_000,
    seed: int = 0,
) -> VerificationRows:
    """Edge rows, `n_random` draws, and at most `max_data` rows of the data, drawn without replacement.

    Parameters
    ----------
    data : a frame, or a `Table` of rows that were drawn already.

    Examples
    --------
    >>> from scrutable.model import *
    >>> young = Rule(when=(Clause("age", (Interval(upper=21),)),), outcome=0)
    >>> rules = RuleSet(outcome=Outcome(classes=(0, 1), favourable=1), features=(Feature(name="age", kind="numeric"),),
    ...     rules=(young,), fallback=(Rule(when=(), outcome=1),))
    >>> rows = verification_rows(rules, n_random=100)
    >>> rows.drawn, len(rows.frame) == rows.edge + 100
    (100, True)
    """
    import pandas as pd

    from scrutable.model.evaluator import read_inputs

    edge = edge_rows(model, n_random=n_random, seed=seed)
    parts = [edge]
    if data is not None:
        kept = data if isinstance(data, Table) or len(data) <= max_data else data.sample(max_data, random_state=seed)
        columns, _ = read_inputs(model, kept)
        parts.append(pd.DataFrame({name: column.values for name, column in columns.items()})[list(edge)])
    return VerificationRows(
        frame=pd.concat(parts, ignore_index=True),
        edge=len(edge) - n_random,
        drawn=n_random,
        data=len(parts[1]) if data is not None else 0,
        seed=seed,
    )


def alone(
    frame: pd.DataFrame, held: NDArray[np.intp], holds: Callable[[pd.DataFrame], NDArray[np.bool_]]
) -> pd.DataFrame:
    """Each value that is in no held row, in a row of its own beside values that the engine holds, where it holds it."""
    import pandas as pd

    plain = frame.iloc[held[:1]] if len(held) else _plain(frame)
    parts = []
    for name in frame:
        lacking = frame[name][~frame[name].isin(frame[name].iloc[held])].drop_duplicates()
        part = pd.concat([plain] * len(lacking)) if len(lacking) else plain.iloc[:0]
        parts.append(part.assign(**{str(name): lacking.to_numpy()}))
    rows = pd.concat(parts)
    return rows[holds(rows)] if len(rows) else rows


def edge_values(frame: pd.DataFrame) -> int:
    """The number of different values of all columns."""
    return sum(frame[name].nunique(dropna=False) for name in frame)


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    """A row of the smallest numbers from 1, and of the longest texts of a line, that the columns have."""
    import pandas as pd

    values = {}
    for name in frame:
        if frame[name].dtype.kind == "f":
            values[name] = np.where(frame[name] >= 1, frame[name], 1e9).min()
        else:
            texts = [text for text in frame[name] if text is not None and text.isprintable()]
            values[name] = max(texts, key=len, default=None)
    return pd.DataFrame({name: pd.Series([value], dtype=frame[name].dtype) for name, value in values.items()})
