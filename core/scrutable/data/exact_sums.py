"""Exact sums of doubles by cell: neither the order of what is added nor how it is gathered changes a bit."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

#: Every double is a whole multiple of 2 to the power of minus this, which is a whole number of limbs.
_UNIT = 1152
_BITS = 32
_LIMB = 2**_BITS - 1
#: Digits of a double.
_DIGITS = 53


@dataclass(frozen=True, slots=True, eq=False)
class Limbs:
    """Doubles cut into limbs, to be added to several sums.

    Parameters
    ----------
    parts : the place of a limb, the rows that have it (None: all), and the limbs of those.
    """

    parts: tuple[tuple[int, npt.NDArray[np.bool_] | None, npt.NDArray[np.int64]], ...]

    @classmethod
    def of(cls, values: Floats, count: npt.NDArray[Any] | None = None) -> Limbs:
        """Cut finite doubles, each of which is to be added `count` times, or once.

        >>> [(place, wholes.tolist()) for place, _, wholes in Limbs.of(np.array([3.0])).parts if wholes.any()]
        [(36, [3])]
        """
        mantissa, exponent = np.frexp(values)
        signed = np.ldexp(mantissa, _DIGITS).astype(np.int64)
        times = np.sign(signed) if count is None else np.sign(signed) * count
        window, shift = np.divmod(exponent.astype(np.int64) + (_UNIT - _DIGITS), _BITS)
        whole = np.abs(signed)
        low = (whole & _LIMB) << shift
        high = (whole >> _BITS << shift) + (low >> _BITS)
        cut = [limb * times for limb in (low & _LIMB, high & _LIMB, high >> _BITS)]
        parts = []
        windows = np.unique(window).tolist()
        for place in windows:
            rows = None if len(windows) == 1 else window == place
            for further, limb in enumerate(cut):
                parts.append((place + further, rows, limb if rows is None else limb[rows]))
        return cls(tuple(parts))


class ExactSums:
    """Sums of finite doubles, held as whole multiples of one unit in limbs of 32 bits; cells are added as they occur.

    They are right as long as fewer than 2^31 doubles are added.

    Examples
    --------
    >>> sums = ExactSums()
    >>> sums.add(np.array([0, 0, 1]), np.array([0.1, 1e16, -2.5]))
    >>> sums.add(np.array([0, 1]), np.array([-1e16, 0.5]), count=np.array([1, 4]))
    >>> sums.rounded(3).tolist()
    [0.1, -0.5, 0.0]
    """

    def __init__(self) -> None:
        self._limbs: dict[int, npt.NDArray[np.int64]] = {}

    def add(self, index: npt.NDArray[Any], values: Floats | None = None, count: npt.NDArray[Any] | None = None) -> None:
        """Add to cells.

        Parameters
        ----------
        index : (n,) the cell of each value, from 0 on.
        values : (n,) finite doubles; 1 each where None.
        count : (n,) how often each is added; once where None.
        """
        if values is None:
            self._put(_UNIT // _BITS, index, np.ones(len(index), dtype=np.int64) if count is None else count)
        else:
            self.add_limbs(index, Limbs.of(values, count))

    def add_limbs(self, index: npt.NDArray[Any], limbs: Limbs) -> None:
        """Add what is cut into limbs already."""
        for place, rows, wholes in limbs.parts:
            self._put(place, index if rows is None else index[rows], wholes)

    def exact(self, cells: int) -> list[Fraction]:
        """The sums themselves, of so many cells."""
        return [Fraction(total, 2**_UNIT) for total in self._totals(cells)]

    def rounded(self, cells: int) -> Floats:
        """(cells,) the doubles nearest to the sums."""
        return np.array([_quotient(total) for total in self._totals(cells)], dtype=np.float64)

    def folded(self, cells: int) -> ExactSums:
        """The sums of each so many cells, one upon another.

        >>> sums = ExactSums()
        >>> sums.add(np.array([0, 1, 3]), np.array([0.5, 1.5, 2.0]))
        >>> sums.folded(2).rounded(2).tolist()
        [0.5, 3.5]
        """
        made = ExactSums()
        for place, held in self._limbs.items():
            whole = np.concatenate([held, np.zeros(-len(held) % cells, dtype=np.int64)])
            made._limbs[place] = whole.reshape(-1, cells).sum(axis=0)
        return made

    def _put(self, place: int, index: npt.NDArray[Any], wholes: npt.NDArray[Any]) -> None:
        cells = int(index.max()) + 1 if index.size else 0
        held = self._limbs.get(place)
        if held is None or len(held) < cells:
            grown = np.zeros(cells, dtype=np.int64)
            if held is not None:
                grown[: len(held)] = held
            held = self._limbs[place] = grown
        np.add.at(held, index, wholes)

    def _totals(self, cells: int) -> list[int]:
        totals = [0] * cells
        for place, limbs in self._limbs.items():
            for cell in np.flatnonzero(limbs[:cells]).tolist():
                totals[cell] += int(limbs[cell]) << (_BITS * place)
        return totals


def exact_total(values: Floats | None, count: npt.NDArray[Any]) -> Fraction:
    """The sum of values, each so often; of the counts where there are no values.

    >>> exact_total(np.array([0.5, 0.25]), np.array([1, 2]))
    Fraction(1, 1)
    """
    if values is None:
        return Fraction(int(count.sum()))
    sums = ExactSums()
    sums.add(np.zeros(len(count), dtype=np.intp), values, count)
    [total] = sums.exact(1)
    return total


def _quotient(total: int) -> float:
    """A sum in doubles; a quotient of whole numbers is rounded once."""
    try:
        return total / (1 << _UNIT)
    except OverflowError:
        return inf if total > 0 else -inf
