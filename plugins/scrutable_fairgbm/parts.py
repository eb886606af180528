"""The training rows in two: those that trees are grown on, and those held out, with what settled it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from scrutable.errors import InputError
from scrutable.fairness import Bound
from scrutable.model import FrozenMapping, Json
from scrutable_fairgbm.held_out_in_words import HeldOutBy
from scrutable_fairgbm.row_sets import HeldOutShare, RowSet, held_out_rows, share_held_out, smallest_side


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parts:
    """Rows to grow trees on, and others.

    Parameters
    ----------
    rows : on which trees are grown.
    held : held out, or given for validation; None for none.
    by : what settled it.
    smallest : rows of the smallest side of a bound, of all rows; None without bounds.
    """

    rows: RowSet
    held: RowSet | None
    by: HeldOutBy
    smallest: float | None

    @classmethod
    def of(
        cls,
        every: RowSet,
        bounds: Sequence[Bound],
        validation: RowSet | None,
        *,
        wanted: HeldOutShare,
        dates: Any,
        stopping: bool,
        seed: int,
    ) -> Self:
        """The parts of all rows; those of validation, where there are some, are held out instead.

        Parameters
        ----------
        bounds : that multipliers keep by the rows held out.
        wanted, dates, stopping, seed : as in `held_out_rows`.

        Raises
        ------
        InputError : dates where no rows are to be held out, stopping without rows, or as in `held_out_rows`.
        """
        if dates is not None and (validation is not None or wanted is None):
            raise InputError(
                "dates say which rows are held out, and none are to be",
                where="dates",
                fix="leave dates out, or leave validation out and set held_out",
            )
        smallest = smallest_side(every.rates(bounds))
        if validation is not None:
            return cls(rows=every, held=validation, by="validation", smallest=smallest)
        held = held_out_rows(every, bounds, wanted, dates, stopping=stopping, seed=seed)
        if held is None and stopping:
            raise InputError("early stopping needs rows", where="held_out", got=None, allowed="a share, or validation=")
        by = _settled_by(wanted, dates, smallest, some=held is not None)
        if held is None:
            return cls(rows=every, held=None, by=by, smallest=smallest)
        return cls(rows=every.part(~held), held=every.part(held), by=by, smallest=smallest)

    @property
    def n_held(self) -> int:
        """How many rows are held out."""
        return 0 if self.held is None else len(self.held.good)

    def to_json(self) -> FrozenMapping[Json]:
        """What evidence holds of them."""
        return FrozenMapping(
            {
                "by": self.by,
                "rows_of_trees": len(self.rows.good),
                "rows": self.n_held,
                "smallest_side": self.smallest,
            }
        )


def _settled_by(wanted: HeldOutShare, dates: Any, smallest: float | None, *, some: bool) -> HeldOutBy:
    if dates is not None:
        return "dates"
    if wanted != "auto":
        return "option"
    if not some:
        return "no bounds" if smallest is None else "too few rows"
    return "stopping" if share_held_out(smallest) is None else "size"
