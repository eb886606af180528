"""One protected attribute: its groups, and how far each row belongs to each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from scrutable.data.exact_sums import ExactSums
from scrutable.data.masking import Masked
from scrutable.errors import InputError, did_you_mean

#: Label of the rows whose membership is not known. Text that reads the same joins them.
MISSING = "(missing)"

#: Rows of memberships sum to 1 within this.
SUM_TOLERANCE = 1e-6
#: Parts into which a probability is cut where rows are drawn evenly.
_LEVELS = 4


@dataclass(frozen=True, eq=False)
class ProtectedAttribute:
    """One protected attribute: its groups, and how far each row belongs to each of them.

    Parameters
    ----------
    name : name of the attribute.
    labels : (g,) names of the groups; text by code point, numbers and bins ascending, "(missing)" last.
    reference : the label that the other groups are compared with.
    membership : (n, g) shares from 0 to 1, each row summing to 1 within 1e-6. Known groups are 0 or 1; probabilities
        (such as those of Bayesian improved surname geocoding) count as weights.

    Raises
    ------
    InputError : fewer than two groups, an unknown reference, or a membership that breaks the rules above.

    Examples
    --------
    >>> sex = ProtectedAttribute("sex", ("f", "m"), "m", np.array([[1.0, 0.0], [0.25, 0.75]]))
    >>> sex.hard, sex.sizes
    (False, {'f': 1.25, 'm': 0.75})
    """

    name: str
    labels: tuple[str, ...]
    reference: str
    membership: npt.NDArray[np.float64] = field(repr=False)

    def __post_init__(self) -> None:
        membership = np.array(self.membership, dtype=np.float64)
        membership.setflags(write=False)
        object.__setattr__(self, "membership", membership)
        _check_labels(self)
        check_membership(self.name, self.labels, self.membership)

    @cached_property
    def hard(self) -> bool:
        """Whether every row belongs wholly to one group."""
        return bool(((self.membership == 0) | (self.membership == 1)).all())

    @property
    def known(self) -> tuple[str, ...]:
        """The labels that are groups; "(missing)" says that the membership of a row is not known."""
        return tuple(label for label in self.labels if label != MISSING)

    @cached_property
    def codes(self) -> npt.NDArray[np.intp]:
        """(n,) position of each row's most probable group, ties to the first."""
        codes: npt.NDArray[np.intp] = np.argmax(self.membership, axis=1)
        return codes

    @property
    def strata(self) -> npt.NDArray[np.intp]:
        """(n,) a number of each row's memberships, to draw rows evenly: its group, or its probabilities to a quarter.

        >>> sex = ProtectedAttribute("sex", ("f", "m"), "m", np.array([[0.9, 0.1], [0.6, 0.4], [0.55, 0.45]]))
        >>> sex.strata.tolist()
        [0, 1, 1]
        """
        if self.hard:
            return self.codes
        import pandas as pd

        strata = np.zeros(len(self.membership), dtype=np.intp)
        for column in np.rint(self.membership.T * _LEVELS).astype(np.intp):
            strata = pd.factorize(strata * (_LEVELS + 1) + column)[0]
        return strata

    @property
    def reference_index(self) -> int:
        """Position of the reference among the labels."""
        return self.labels.index(self.reference)

    @property
    def sizes(self) -> dict[str, float]:
        """Rows in each group; for probabilities, the expected number."""
        return dict(zip(self.labels, sizes_of_groups(self.membership).tolist(), strict=True))


def sizes_of_groups(
    membership: npt.NDArray[np.float64], count: npt.NDArray[np.intp] | None = None
) -> npt.NDArray[np.float64]:
    """(g,) rows in each group, exact in any order; for probabilities, the expected number.

    Parameters
    ----------
    count : (n,) how many rows each of these stands for; 1 each if None.

    >>> sizes_of_groups(np.array([[1.0, 0.0], [0.25, 0.75]]), np.array([2, 1])).tolist()
    [2.25, 0.75]
    """
    groups = membership.shape[1]
    sums = ExactSums()
    for group, members in enumerate(membership.T):
        inside = np.flatnonzero(members)
        shares = None if (members[inside] == 1).all() else members[inside]
        sums.add(np.full(inside.size, group), shares, None if count is None else count[inside])
    return sums.rounded(groups)


def attribute_place(name: str) -> str:
    """How errors name a protected attribute."""
    return f"protected attribute {name!r}"


def _check_labels(attribute: ProtectedAttribute) -> None:
    labels = attribute.labels
    if len(labels) < 2:
        raise InputError(
            "there is only one group, so nothing can be compared",
            where=attribute_place(attribute.name),
            got=labels[0] if labels else None,
            allowed="at least two groups",
            fix="leave this attribute out, add rows of other groups, or set its bins",
        )
    if len(set(labels)) < len(labels):
        raise InputError(
            "two groups share a label",
            where=attribute_place(attribute.name),
            got=list(labels),
            fix="rename one of them",
        )
    if attribute.reference not in labels:
        raise InputError(
            "the reference is not one of the groups",
            where=attribute_place(attribute.name),
            got=attribute.reference,
            allowed=did_you_mean(attribute.reference, labels),
            fix="name a group that occurs, or leave the reference out for the largest",
        )


def check_membership(
    name: str, labels: Sequence[str], membership: npt.NDArray[np.float64], tolerance: float = SUM_TOLERANCE
) -> None:
    """Refuse memberships that are no probabilities, or whose rows do not sum to 1 within a tolerance.

    Raises
    ------
    InputError : names the attribute, and the row by its position, from 0.
    """
    where = attribute_place(name)
    if membership.ndim != 2 or membership.shape[1] != len(labels) or not len(membership):
        raise InputError(
            "membership has one row per applicant and one column per group",
            where=where,
            got=f"shape {membership.shape}",
            allowed=f"(rows, {len(labels)}) with at least one row",
            fix="check the rows that are chosen, and that every group has its column",
        )
    outside = np.argwhere(~((membership >= 0) & (membership <= 1)))
    if outside.size:
        row, column = outside[0]
        raise InputError(
            "a membership probability is missing or outside its range",
            where=f"{where}, row {row}, group {labels[column]!r}",
            got=Masked(float(membership[row, column])),
            allowed="numbers from 0 to 1",
            fix="correct the probabilities",
        )
    sums = membership.sum(axis=1)
    wrong = np.flatnonzero(np.abs(sums - 1) > tolerance)
    if wrong.size:
        raise InputError(
            "membership probabilities do not sum to 1",
            where=f"{where}, row {wrong[0]}",
            got=Masked(float(sums[wrong[0]])),
            allowed=f"1 within {tolerance:.1g}",
            fix="divide each row by its sum, or add a column for the groups left out",
        )
