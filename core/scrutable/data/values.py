"""Checked scalars of the model representation: texts, doubles, fixed-point numbers and frozen mappings."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, TypeVar

from scrutable.errors import ModelError, each_located, under
from scrutable.writing.decoder import check_text

#: Points, leaf values and rule weights are whole multiples of this.
UNIT = 2.0**-30
#: No sum of points may leave [-LIMIT, LIMIT], so that every sum of units is exact in a double.
LIMIT = 2.0**23

V = TypeVar("V")


class FrozenMapping(Mapping[str, V]):
    """An immutable, hashable mapping that keeps its keys sorted, so that equal models have equal bytes.

    >>> FrozenMapping({"b": 1, "a": 2})
    FrozenMapping({'a': 2, 'b': 1})
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, V] | None = None) -> None:
        self._items = dict(sorted((items or {}).items()))

    def __getitem__(self, key: str) -> V:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(tuple(self._items.items()))

    def __repr__(self) -> str:
        return f"FrozenMapping({self._items!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenMapping, (self._items,)


#: Anything JSON can hold, frozen. Infinities and NaN are not among it. The codec knows it by its mark.
Json = Annotated[bool | int | float | str | tuple["Json", ...] | FrozenMapping["Json"] | None, "json"]


def freeze(value: Any, where: str = "value") -> Json:
    """Any nest of mappings, sequences, numbers and texts as frozen JSON; undefined numbers (NaN) become None.

    >>> freeze({"b": [1, 2.5], "a": float("nan")})
    FrozenMapping({'a': None, 'b': (1, 2.5)})
    """
    try:
        return frozen(value)
    except ModelError as error:
        raise under(error, where) from None


def frozen(value: Any) -> Json:
    """Freeze a value for callers who say themselves what errors are about; see `freeze`."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, str):
        return text(value, "")
    if isinstance(value, float):
        return None if math.isnan(value) else finite(value, "")
    if isinstance(value, Mapping):
        items = each_located(((str(key), item) for key, item in value.items()), frozen)
        return FrozenMapping({text(key, ""): item for key, item in items})
    if isinstance(value, list | tuple):
        return tuple(item for _, item in each_located(enumerate(value), frozen))
    raise ModelError("not a value that JSON can hold", got=value)


def snap(value: float) -> float:
    """Round to the nearest multiple of 2^-30, ties to even, so that sums of points are exact in any order.

    >>> snap(0.1) == 107374182 * 2.0**-30
    True
    """
    checked = finite(value, "points")
    if abs(checked) > LIMIT:
        raise ModelError("points are too large to add up exactly", got=value, allowed="between -2^23 and 2^23")
    return round(checked / UNIT) * UNIT + 0.0


def rounded(points: float, decimals: int | None) -> float:
    """Points with so many decimals, or all of them for None, as a model holds them.

    >>> rounded(2 / 3, 2) == snap(0.67)
    True
    """
    return snap(points if decimals is None else round(points, decimals))


def within_limit(total: float, where: str, *, fix: str = "use a smaller PDO or base score") -> None:
    """Refuse a model whose largest possible sum of points could be inexact; `fix` says what helps."""
    if total > LIMIT:
        raise ModelError(
            "the largest possible score is too large to add up exactly",
            where=where,
            got=total,
            allowed="at most 2^23 = 8388608 points",
            fix=fix,
        )


def finite(value: object, where: str) -> float:
    """A finite double; -0.0 becomes 0.0 so that equal numbers have equal bytes."""
    number = double(value, where)
    if math.isinf(number):
        raise ModelError("expected a finite number", where=where, got=value)
    return number


def double(value: object, where: str) -> float:
    """An IEEE double that is not NaN; -0.0 becomes 0.0."""
    if type(value) is not float and not isinstance(value, numbers.Real):  # an abstract class takes its time
        raise ModelError("expected a number", where=where, got=value)
    try:
        number = float(value)
    except OverflowError:
        raise ModelError("too large for an IEEE double", where=where, got=value) from None
    if math.isnan(number):
        raise ModelError("NaN is not a number a model may hold", where=where, fix="use the Missing condition")
    return number + 0.0


def text(value: object, where: str) -> str:
    """A string that every engine can store: no NUL, no lone surrogate."""
    if not isinstance(value, str):
        raise ModelError("expected text", where=where, got=value, fix="put it in quotes")
    check_text(value, where, ModelError)
    return value


def name(value: str, where: str) -> str:
    """A text that is not empty."""
    if not text(value, where):
        raise ModelError("a name may not be empty", where=where, got=value, fix="give it a name")
    return value


def several(value: object, where: str) -> tuple[Any, ...]:
    """A tuple of what is listed; a text or a single thing is no list.

    >>> several(["rent", "own"], "categories")
    ('rent', 'own')
    """
    if isinstance(value, list | tuple):
        return tuple(value)
    raise ModelError("expected several, in a tuple", where=where, got=value, fix="put it in parentheses: (..., )")


def unique(values: tuple[Any, ...], where: str) -> None:
    """Refuse repeated values."""
    seen: set[Any] = set()
    for value in values:
        if value in seen:
            raise ModelError("listed twice", where=where, got=value, fix="keep one of them")
        seen.add(value)
