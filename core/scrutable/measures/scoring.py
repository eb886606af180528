"""What a model says of each row of a frame: score, probability, decision, points and reasons, as a frame."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.config import ReadingConfig
from scrutable.data.frames import Table, known_column
from scrutable.data.reading import place_of, read_rows
from scrutable.errors import InputError
from scrutable.model import Model
from scrutable.model.contents import numbers_of, texts_of
from scrutable.model.evaluator import evaluate

if TYPE_CHECKING:
    import pandas as pd

    from scrutable.data.frames import FrameKind

#: Rows that are scored at once.
_BLOCK = 100_000
_NOTHING = ReadingConfig()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Scores:
    """What a model says of n rows; made by `score`.

    Parameters
    ----------
    results : (n,) each, by name as `OutputFrame` has them, the id of the rows first if one is carried through.
    reasoned, pointed : whether the model gives reasons or rules, and points of characteristics.
    kind : of the frame that `frame` gives; pandas where no frame went in.
    """

    results: Mapping[str, NDArray[Any]]
    reasoned: bool
    pointed: bool
    kind: FrameKind | None = None

    def __len__(self) -> int:
        return len(next(iter(self.results.values())))

    @property
    def columns(self) -> pd.DataFrame:
        """The results as a frame of pandas."""
        import pandas as pd

        return pd.DataFrame(dict(self.results))

    @property
    def approved(self) -> int | None:
        """How many rows are approved; None of a model that does not decide between two classes."""
        return int(self.results["approved"].sum()) if "approved" in self.results else None

    def frame(self) -> Any:
        """A row for each row that went in."""
        if self.kind is None:
            return self.columns
        from scrutable.data.frames import like

        return like(self.columns, self.kind)

    def to_dict(self) -> dict[str, int | None]:
        """Plain values for JSON: how many rows there are, and how many of them are approved."""
        return {"rows": len(self), "approved": self.approved}

    def __repr__(self) -> str:
        decided = "" if self.approved is None else f", {self.approved:,} approved"
        return f"Scores({len(self):,} rows{decided})"


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
    data : n rows with the columns that the model reads: a frame of any kind, a `Table`, or a path.
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
    kinds = {"text": {*texts_of(model), *names}, "numbers": numbers_of(model)}
    rows = data if isinstance(data, Table) else read_rows(data, _NOTHING, **kinds)
    for name in names:
        known_column(name, map(str, rows), f"--id, {place_of(data)}")
    columns = _evaluated(model, rows, reasons, say)
    results = {name: columns[name] for name in columns if points or not name.startswith("points_")}
    if identifier is not None:
        if identifier in results:
            raise named_like_a_result(identifier)
        results = {identifier: _values(rows, identifier), **results}
    return Scores(
        results=results,
        reasoned=any(name.startswith("reason_") or name == "rules" for name in columns),
        pointed=any(name.startswith("points_") for name in columns),
        kind=_kind_of(data),
    )


def named_like_a_result(identifier: str) -> InputError:
    """The error for an id that has the name of a result."""
    fix = "rename the data's column"
    return InputError("the id is named like a result", where="--id", got=identifier, fix=fix)


def _kind_of(data: Any) -> FrameKind | None:
    if isinstance(data, Table | str | os.PathLike):
        return None
    from scrutable.data.frames import kind_of

    return kind_of(data)


def _values(rows: Table | pd.DataFrame, name: str) -> NDArray[Any]:
    if isinstance(rows, Table):
        return rows.column(name).values
    values: NDArray[Any] = rows[name].to_numpy()
    return values


def _evaluated(
    model: Model, rows: Table | pd.DataFrame, reasons: bool, say: Callable[[str], None]
) -> dict[str, NDArray[Any]]:
    """The columns of the result, block by block, so that a long wait shows how far it is."""
    blocks = []
    n_rows = rows.n_rows if isinstance(rows, Table) else len(rows)
    for start in range(0, n_rows, _BLOCK):
        say(f"Scoring: {start:,} of {n_rows:,} rows")
        block = slice(start, start + _BLOCK)
        part = rows.subset(block) if isinstance(rows, Table) else rows.iloc[block]
        blocks.append(evaluate(model, part, reasons=reasons).frame())
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
