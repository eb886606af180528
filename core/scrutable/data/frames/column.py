"""One column, as doubles or as texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from scrutable.data.frames.levels import Levels, bucketed_numbers, distinct_numbers
from scrutable.data.masking import Masked
from scrutable.errors import InputError, KindError

Kind = Literal["numeric", "categorical", "empty"]
Values = npt.NDArray[Any]

_SURROGATE = re.compile("[\ud800-\udfff]")
_NONE = np.array(None, dtype=object)
_NUMBERS = (bool, int, float, Decimal, np.bool_, np.integer, np.floating)
_TO_NUMBER_OR_TEXT = "convert the column to numbers (such as days before the application) or to text"


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """Texts, each known by its position among the different ones.

    Parameters
    ----------
    levels : (m + 1,) the different texts and, last, None.
    codes : (n,) position of each value; -1 or m where it is missing.
    declared : whether the levels are those that a frame declares: in its order, some of them perhaps of no value.
    """

    levels: Values
    codes: npt.NDArray[np.integer[Any]]
    declared: bool = False

    def observed(self) -> Coded:
        """The levels that values have, in the order of their first value.

        >>> declared = Coded(np.array(["a", "b", "c", None]), np.array([2, 0, -1]), declared=True)
        >>> declared.observed().levels.tolist(), declared.observed().codes.tolist()
        (['c', 'a', None], [0, 1, 2])
        """
        if not self.declared:
            return self
        last, n_rows = len(self.levels) - 1, len(self.codes)
        codes = np.where(self.codes < 0, last, self.codes)
        first = np.full(last + 1, n_rows)
        first[codes[::-1]] = np.arange(n_rows - 1, -1, -1)  # of several the last written, which is the first value
        first[last] = n_rows
        order = np.argsort(first[:last], kind="stable")[: np.count_nonzero(first[:last] < n_rows)]
        new = np.full(last + 1, len(order))
        new[order] = np.arange(len(order))
        return Coded(np.append(self.levels[order], _NONE), new[codes])


class Column:
    """Values of one column, in the form that every model is defined on; immutable.

    Parameters
    ----------
    name : column name.
    kind : `numeric`, `categorical`, or `empty` where every value is missing and the dtype (float, object or null)
        says nothing about what they would have been; `select` turns an empty column into either kind.
    values : shape (n,), or texts as `Coded`, which become objects when they are asked for.
    nominal : True for numeric codes that the frame itself declares categorical.

    Examples
    --------
    >>> from_array("age", np.array([41, 17]))
    Column(name='age', kind='numeric', values=array([41., 17.]), nominal=False)
    """

    __slots__ = ("_buckets", "_coded", "_distinct", "_values", "kind", "name", "nominal")

    def __init__(self, name: str, kind: Kind, values: Values | Coded, nominal: bool = False) -> None:
        self.name, self.kind, self.nominal = name, kind, nominal
        self._values = None if isinstance(values, Coded) else _read_only(values)
        self._coded = values if isinstance(values, Coded) else None
        self._distinct: Levels | None = None
        self._buckets: tuple[tuple[Any, ...], Levels] | None = None

    def __repr__(self) -> str:
        return f"Column(name={self.name!r}, kind={self.kind!r}, values={self.values!r}, nominal={self.nominal!r})"

    @property
    def values(self) -> Values:
        """Shape (n,), read-only. Numeric: float64, NaN where missing, infinities ordinary values.

        Otherwise: objects, each a str exactly as given, or None where missing.
        """
        if self._values is None:
            self._values = _read_only(self.coding.levels[self.coding.codes])
        return self._values

    @property
    def coded(self) -> Coded:
        """The texts of a categorical column, each different one once."""
        if self._coded is None:
            import pandas as pd

            # None at the end keeps pandas from its table of UTF-8 texts, in which half a character is its own escape
            codes, levels = pd.factorize(np.append(self.values, _NONE))
            self._coded = Coded(np.append(levels, _NONE), codes[:-1])
        self._coded = self._coded.observed()
        return self._coded

    @property
    def coding(self) -> Coded:
        """The texts as they are held, with levels that no value may have; quicker where the order does not matter."""
        return self.coded if self._coded is None else self._coded

    @property
    def distinct(self) -> Levels:
        """Its different values, each by itself, and which of them each row has; found when first asked for.

        >>> from_array("home", np.array(["rents", None, "owns", "rents"])).distinct.place.tolist()
        [0, 2, 1, 0]
        """
        if self._distinct is None:
            self._distinct = distinct_numbers(self.values) if self.kind == "numeric" else self._texts()
        return self._distinct

    def buckets(self, apart: Sequence[Any] = ()) -> Levels:
        """Its numbers in some thousands of buckets, those of `apart` by themselves; texts, and codes, as in `distinct`.

        What was found last is kept; see `scrutable.data.frames.levels.bucketed_numbers`.
        """
        if self.kind != "numeric" or self.nominal:
            return self.distinct
        if self._buckets is None or self._buckets[0] != tuple(apart):
            self._buckets = tuple(apart), bucketed_numbers(self.values, apart)
        return self._buckets[1]

    def holding(self, levels: Levels) -> Column:
        """A column of the least value of each of its levels."""
        if self.kind == "numeric":
            return Column(self.name, self.kind, levels.low, self.nominal)
        return Column(self.name, self.kind, Coded(levels.low, np.arange(len(levels.low))), self.nominal)

    def _texts(self) -> Levels:
        levels, codes = self.coded.levels, np.asarray(self.coded.codes, dtype=np.int32)
        return Levels(levels, levels, np.where(codes < 0, np.int32(len(levels) - 1), codes))

    @property
    def missing(self) -> npt.NDArray[np.bool_]:
        """True where the value is missing, shape (n,)."""
        return np.isnan(self.values) if self.kind == "numeric" else np.equal(self.values, _NONE)

    @property
    def encodable(self) -> npt.NDArray[np.bool_]:
        """Texts that UTF-8 can hold, which half a character of UTF-16 is not; missing ones among them. Shape (n,)."""
        levels = self.coded.levels.tolist()
        encodable = np.array([text is None or not _SURROGATE.search(text) for text in levels], dtype=bool)
        of_rows: npt.NDArray[np.bool_] = encodable[self.coded.codes]
        return of_rows

    def take(self, rows: npt.NDArray[np.intp] | slice) -> Column:
        """The column at these row positions."""
        if self._values is None:
            return Column(self.name, self.kind, replace(self.coding, codes=self.coding.codes[rows]), self.nominal)
        return Column(self.name, self.kind, self.values[rows], self.nominal)


def _read_only(values: Values) -> Values:
    view = values.view()  # the caller's own array stays writable
    view.setflags(write=False)
    return view


def from_array(name: str, values: Values) -> Column:
    """Column of a one-dimensional NumPy array of numbers, of texts, or of Python objects.

    Raises
    ------
    KindError : a dtype or an object that is neither a number nor a text, or both in one column.
    InputError : complex numbers, or integers beyond the largest double.

    Examples
    --------
    >>> from_array("paid", np.array([True, None], dtype=object)).values.tolist()
    [1.0, nan]
    """
    kind = values.dtype.kind
    if kind in "biuf":
        return from_numbers(name, values)
    if kind == "c":
        raise complex_data(f"column {name!r}")
    if kind in "OUT":
        return _from_objects(name, values.astype(object, copy=False))
    raise unusable(name, values.dtype)


def from_numbers(name: str, values: Values) -> Column:
    """Numeric column; an empty one when the numbers are floats and all missing, since float is what an unknown is."""
    numbers = np.ascontiguousarray(values, dtype=np.float64)
    if values.dtype.kind == "f" and np.isnan(numbers[:1]).all() and np.isnan(numbers).all():
        return empty(name, len(numbers))
    return Column(name, "numeric", numbers)


def empty(name: str, n_rows: int) -> Column:
    """Column without any value."""
    return Column(name, "empty", np.full(n_rows, None, dtype=object))


def unusable(name: str, got: object) -> KindError:
    """The error for values that are neither numbers nor texts; the wording is the one that scikit-learn checks for."""
    return KindError(
        "each argument must be a string or a number",
        where=f"column {name!r}",
        got=Masked(got),
        allowed="numbers, booleans or text, any of them missing",
        fix=_TO_NUMBER_OR_TEXT,
    )


def complex_data(where: str) -> InputError:
    """The error for complex numbers."""
    return InputError(
        "Complex data not supported", where=where, allowed="real numbers", fix="give the real and imaginary parts apart"
    )


def _from_objects(name: str, objects: Values) -> Column:
    present = ~missing_among(objects)
    values = objects[present]
    types = set(map(type, values.tolist()))
    if not types:
        return empty(name, len(objects))
    if all(issubclass(kind, str) for kind in types):
        texts = np.full(len(objects), None, dtype=object)
        texts[present] = values if types == {str} else [str(value) for value in values]
        return Column(name, "categorical", texts)
    if all(issubclass(kind, _NUMBERS) for kind in types):
        numbers = np.full(len(objects), np.nan)
        numbers[present] = doubles(values, f"column {name!r}")
        return Column(name, "numeric", numbers)
    raise _refusal(name, values)


def missing_among(values: Values) -> npt.NDArray[np.bool_]:
    """Which values are missing: None, NaN, NA, NaT and decimals that are no number, those that signal it among them.

    >>> missing_among(np.array([1, None, Decimal("sNaN")], dtype=object)).tolist()
    [False, True, True]
    """
    import pandas as pd

    if values.dtype == object:
        undefined = (isinstance(value, Decimal) and value.is_nan() for value in values.tolist())
        missing: npt.NDArray[np.bool_] = np.fromiter(undefined, dtype=bool, count=len(values))
        missing[~missing] = pd.isna(values[~missing])
        return missing
    return np.asarray(pd.isna(values))


def doubles(numbers: Values, where: str) -> npt.NDArray[np.float64]:
    """Numbers as doubles.

    Raises
    ------
    InputError : a whole number beyond the largest double.
    """
    try:
        return numbers.astype(np.float64)
    except OverflowError:
        raise InputError(
            "a number is too large for an IEEE double",
            where=where,
            got="a whole number beyond that",
            allowed="numbers up to about 1.8e308, or infinity",
            fix="correct the value",
        ) from None


def _refusal(name: str, values: Values) -> InputError:
    text = next((value for value in values if isinstance(value, str)), None)
    number = next((value for value in values if isinstance(value, _NUMBERS)), None)
    other = [value for value in values if not isinstance(value, (str, *_NUMBERS))]
    if any(isinstance(value, complex) for value in other):
        return complex_data(f"column {name!r}")
    if other:
        return unusable(name, other[0])
    return KindError(
        "text and numbers in one column",
        where=f"column {name!r}",
        got=(Masked(text), Masked(number)),
        allowed="numbers or text, any of them missing",
        fix="make every value a number, or make every value text, for example with .astype(str)",
    )
