"""What a model says of each row of a frame: score, probability, decision, points and reasons, as a frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.data.config import ReadingConfig
from scrutable.data.frames.names import known_column
from scrutable.data.frames.same_kind import FrameKind, kind_of, like
from scrutable.data.reading import place_of, read_rows
from scrutable.errors import InputError
from scrutable.model import Model
from scrutable.model.contents import numbers_of, texts_of
from scrutable.model.evaluator import evaluate

#: Rows that are scored at once.
_BLOCK = 100_000
_NOTHING = ReadingConfig()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Scores:
    """What a model says of n rows; made by `score`.

    Parameters
    ----------
    columns : (n rows) as `OutputFrame` names them, the id of the rows first if one is carried through.
    reasoned, pointed : whether the model gives reasons or rules, and points of characteristics.
    kind : of the frame that `frame` gives.
    """

    columns: pd.DataFrame
    reasoned: bool
    pointed: bool
    kind: FrameKind

    @property
    def approved(self) -> int | None:
        """How many rows are approved; None of a model that does not decide between two classes."""
        return int(self.columns["approved"].sum()) if "approved" in self.columns else None

    def frame(self) -> Any:
        """A row for each row that went in."""
        return like(self.columns, self.kind)

    def to_dict(self) -> dict[str, int | None]:
        """Plain values for JSON: how many rows there are, and how many of them are approved."""
        return {"rows": len(self.columns), "approved": self.approved}

    def __repr__(self) -> str:
        decided = "" if self.approved is None else f", {self.approved:,} approved"
        return f"Scores({len(self.columns):,} rows{decided})"


def score(
    model: Model,
    data: Any,
    *,
    identifier: str | None = None,
    points: bool = False,
    reasons: bool = False,
    say: Callable[[str], None] = lambda _: None,
) -> Scores:
    """Score, probability and decision of every row; with more than two classes votes and probabilities of each class.

    Parameters
    ----------
    data : n rows with the columns that the model reads: a frame of any kind, or a path.
    identifier : a column to carry through.
    points, reasons : whether to add points of characteristics, and reason codes or the rules that apply.
    say : is told now and then how far it is.

    Raises
    ------
    InputError, KindError : data that cannot be read, or a column that is not there or of another kind; an id that is
        named like a result.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> import polars as pl
    >>> known = {"amount": [1.0, 9.0], "job": ["x", "cook"], "age": [10.0, 40.0], "region": [1.0, 1.0]}
    >>> rows = pl.DataFrame({"loan": ["a", "b"], **known})
    >>> scores = score(models_named()["scorecard"], rows, identifier="loan")
    >>> scores
    Scores(2 rows, 1 approved)
    >>> scores.frame()["loan"].to_list()
    ['a', 'b']
    """
    names = [] if identifier is None else [identifier]
    rows = read_rows(data, _NOTHING, text={*texts_of(model), *names}, numbers=numbers_of(model))
    for name in names:
        known_column(name, rows.columns, f"--id, {place_of(data)}")
    columns = _evaluated(model, rows, reasons, say)
    table = pd.DataFrame({name: columns[name] for name in columns if points or not name.startswith("points_")})
    if identifier is not None:
        if identifier in table:
            fix = "rename the data's column"
            raise InputError("the id is named like a result", where="--id", got=identifier, fix=fix)
        table.insert(0, identifier, rows[identifier].to_numpy())
    return Scores(
        columns=table,
        reasoned=any(name.startswith("reason_") or name == "rules" for name in columns),
        pointed=any(name.startswith("points_") for name in columns),
        kind=kind_of(data),
    )


def _evaluated(model: Model, rows: pd.DataFrame, reasons: bool, say: Callable[[str], None]) -> dict[str, NDArray[Any]]:
    """The columns of the result, block by block, so that a long wait shows how far it is."""
    blocks = []
    for start in range(0, len(rows), _BLOCK):
        say(f"Scoring: {start:,} of {len(rows):,} rows")
        blocks.append(evaluate(model, rows.iloc[start : start + _BLOCK], reasons=reasons).frame())
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
