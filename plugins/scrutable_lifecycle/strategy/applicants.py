"""Applicants as strategies count them: outcomes that may be unknown, weights, knock-outs, groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.arrays import Bools, Floats, favourable, weights
from scrutable.data.groups import check_groups
from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.measures.numerics.counts import exact_bincount

#: Places of the outcomes in every table of counts.
GOOD, BAD, UNKNOWN = 0, 1, 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Applicants:
    """n checked rows; made by `read`.

    Parameters
    ----------
    outcome : (n,) `GOOD`, `BAD` or `UNKNOWN`.
    weight : (n,) sample weights.
    knocked_out : (n,) True where a knock-out declines before the score.
    groups : protected groups of the rows, if any.
    """

    outcome: NDArray[np.intp]
    weight: Floats
    knocked_out: Bools
    groups: Groups | None

    @classmethod
    def read(
        cls, rows: int, good: Any = None, *, groups: Groups | None = None, sample_weight: Any = None, knocked_out: Any
    ) -> Applicants:
        """Check columns that belong to the same n rows.

        Parameters
        ----------
        good : (n,) booleans, True for a good payer; None or NaN where the outcome is not known. None: nowhere known.
        knocked_out : (n,) booleans; None where there are no knock-outs.

        Raises
        ------
        InputError : lengths that differ, negative weights.
        KindError : outcomes or knock-outs that are not booleans.

        Examples
        --------
        >>> Applicants.read(3, [True, False, None], knocked_out=None).outcome.tolist()
        [0, 1, 2]
        """
        if groups is not None:
            check_groups(groups)
            groups = Groups.from_frame(groups, expected_rows=rows)
        out = np.zeros(rows, dtype=bool) if knocked_out is None else favourable(knocked_out, "knocked_out", rows)
        return cls(outcome=_outcomes(good, rows), weight=weights(sample_weight, rows), knocked_out=out, groups=groups)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.weight)

    @property
    def known(self) -> Bools:
        """(n,) True where the outcome is known."""
        known: Bools = self.outcome != UNKNOWN
        return known

    @property
    def in_play(self) -> Bools:
        """(n,) rows that the score decides about: those with weight that no knock-out declines.

        Raises
        ------
        InputError : there is none.
        """
        inside: Bools = ~self.knocked_out & (self.weight > 0)
        if not inside.any():
            raise InputError(
                "there is no applicant that the score decides about",
                where="knocked_out",
                got=f"{int(self.knocked_out.sum())} of {self.rows} knocked out",
                fix="give applicants with weight that no knock-out declines",
            )
        return inside

    def by_group(self) -> Iterator[tuple[str, str, str, Floats]]:
        """Attribute, group, reference, and the (n,) weights with which rows count in the group."""
        for attribute in self.groups.attributes if self.groups is not None else ():
            for label, membership in zip(attribute.labels, attribute.membership.T, strict=True):
                yield attribute.name, label, attribute.reference, self.weight * membership

    def tally(self, index: NDArray[np.intp], parts: int, weight: Floats) -> Floats:
        """(parts, 3) weights of the good, the bad and the unknown in each part; exact, in whatever order the rows are.

        Parameters
        ----------
        index : (n,) the part of each row, from 0 on; -1 where it is in none.
        """
        inside = index >= 0
        cells = 3 * index[inside] + self.outcome[inside]
        return exact_bincount(cells, weight[inside], 3 * parts).reshape(parts, 3)


def _outcomes(good: Any, rows: int) -> NDArray[np.intp]:
    import pandas as pd

    if good is None:
        return np.full(rows, UNKNOWN, dtype=np.intp)
    values = np.asarray(good, dtype=object if isinstance(good, list | tuple) else None)  # NaN makes numbers of booleans
    missing = np.asarray(pd.isna(values), dtype=bool)
    if missing.ndim == 1 and missing.all() and missing.size == rows:
        return np.full(rows, UNKNOWN, dtype=np.intp)
    paid = favourable(np.where(missing, False, values) if missing.any() else values, "good", rows)
    return np.where(missing, UNKNOWN, np.where(paid, GOOD, BAD)).astype(np.intp)
