"""Options of components, checked against what their constructors state, before any work begins."""

from __future__ import annotations

import functools
import inspect
import math
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from numbers import Integral, Real
from typing import Annotated, Any, Literal

from scrutable.checks import as_options
from scrutable.errors import InputError, did_you_mean

_UNIONS = (typing.Union, types.UnionType)


@dataclass(frozen=True, slots=True)
class Limits:
    """The numbers that an option may be; a constructor states it as `Annotated[float, Limits(0, 1)]`.

    Parameters
    ----------
    low, high : the smallest and the largest one.
    above : whether it must be larger than `low`.

    Examples
    --------
    >>> Limits(0, 0.5).said, Limits(0, above=True).said, Limits(1).said, Limits(high=0).said
    ('from 0 to 0.5', 'above 0', 'from 1', 'to 0')
    """

    low: float = -math.inf
    high: float = math.inf
    above: bool = False

    @property
    def said(self) -> str:
        """In words, such as follow "a number"."""
        low = "" if self.low == -math.inf else f"{'above' if self.above else 'from'} {self.low:g}"
        return f"{low} to {self.high:g}".strip() if self.high < math.inf else low

    def hold(self, value: float) -> bool:
        """Whether a number is within them."""
        return self.low <= value <= self.high and not (self.above and value == self.low)


#: A share of rows, and how many there are of something.
Share = Annotated[float, Limits(0, 1)]
Count = Annotated[int, Limits(1)]
NotNegative = Annotated[float, Limits(0)]


def check_options(component: Any) -> None:
    """Refuse options that their type, as the constructor states it, cannot be.

    Numbers must be finite and within their `Limits`; a truth value is no number. Options whose type says more than
    numbers, texts, truth values, None and literals are left to the component, but for two kinds of mappings: those that
    stand for an object of options, and those that give some columns values of their own where one value may do for all.

    Raises
    ------
    InputError : names the option, and says what it may be.

    Examples
    --------
    >>> class Tree:
    ...     def __init__(self, *, depth: Annotated[int, Limits(1, 8)] = 3, cost: Literal["length", "unit"] = "unit"):
    ...         self.depth, self.cost = depth, cost
    >>> check_options(Tree())
    >>> check_options(Tree(depth=0))
    Traceback (most recent call last):
    ...
    scrutable.errors.InputError: depth: unusable number; got 0; allowed: a whole number from 1 to 8.
    """
    cls: Any = type(component)
    for name, alternatives in stated(cls).items():
        value = getattr(component, name, None)
        if (options := _object_of(alternatives)) is not None:
            if isinstance(value, Mapping):
                as_options(value, options, name)
        elif isinstance(value, Mapping) and (values := _by_column(alternatives)):
            for column, each in value.items():
                _check(each, values, name, f"{name}, column {column!r}")
        else:
            _check(value, alternatives, name, name)


def _check(value: Any, alternatives: Alternatives, name: str, where: str) -> None:
    if not any(_fits(value, hint, limits) for hint, limits in alternatives if _judged(hint)):
        raise _unusable(name, value, alternatives, where)


Alternatives = tuple[tuple[Any, Limits], ...]


@functools.lru_cache(maxsize=1000)
def stated(cls: Any) -> dict[str, Alternatives]:
    """The types that each option may have, of those options of which they say everything."""
    try:
        hints = typing.get_type_hints(cls if is_dataclass(cls) else cls.__init__, include_extras=True)
    except NameError:  # a hint that its module imports for type checkers only
        return {}
    known = {name: tuple(_alternatives(hints[name])) for name in inspect.signature(cls).parameters if name in hints}
    return {name: each for name, each in known.items() if _says_everything(each) or _object_of(each)}


def _alternatives(hint: Any, limits: Limits = Limits()) -> Iterator[tuple[Any, Limits]]:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        found = next((each for each in arguments[1:] if isinstance(each, Limits)), limits)
        yield from _alternatives(arguments[0], found)
    elif origin in _UNIONS:
        for each in arguments:
            yield from _alternatives(each, limits)
    else:
        yield hint, limits


def _object_of(alternatives: Alternatives) -> Any:
    """The object of options for which a mapping may stand; None where it may be something else, too."""
    mapping: Any = Mapping
    others = [hint for hint, _ in alternatives if not _judged(hint) and typing.get_origin(hint) is not mapping]
    return others[0] if len(others) == 1 and isinstance(others[0], type) and is_dataclass(others[0]) else None


def _by_column(alternatives: Alternatives) -> Alternatives:
    """What the values of a mapping may be, of an option that may be one such value, too."""
    mapping: Any = Mapping
    hints = [hint for hint, _ in alternatives if typing.get_origin(hint) is mapping]
    values = tuple(_alternatives(typing.get_args(hints[0])[1])) if len(hints) == 1 else ()
    return values if set(values) <= set(alternatives) else ()


def _says_everything(alternatives: Alternatives) -> bool:
    mappings = len(_by_column(alternatives)) > 0
    return sum(not _judged(hint) for hint, _ in alternatives) == mappings


def _judged(hint: Any) -> bool:
    return hint in (bool, int, float, str, type(None)) or typing.get_origin(hint) is Literal


def _fits(value: Any, hint: Any, limits: Limits) -> bool:
    if typing.get_origin(hint) is Literal:
        return any(type(value) is type(each) and value == each for each in typing.get_args(hint))
    if hint in (int, float):
        number = isinstance(value, Integral if hint is int else Real) and not isinstance(value, bool)
        return number and _is_finite(value) and limits.hold(value)
    return type(value).__name__ in ("bool", "bool_") if hint is bool else isinstance(value, hint)


def _is_finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond every double
        return False


def _unusable(name: str, value: Any, alternatives: Alternatives, where: str) -> InputError:
    words = [word for hint, _ in alternatives for word in typing.get_args(hint) if isinstance(word, str)]
    number = any(hint in (int, float) for hint, _ in alternatives)
    near = did_you_mean(value, words) if words and isinstance(value, str) else ""
    return InputError(
        "unusable number" if number else f"unknown {name.replace('_', ' ')}" if words else "a value of the wrong type",
        where=where,
        got=value,
        allowed=_listed([each for hint, limits in alternatives for each in _said(hint, limits)]),
        fix=near if near.startswith("did you mean") else None,
    )


def _said(hint: Any, limits: Limits) -> list[str]:
    if typing.get_origin(hint) is Literal:
        return [repr(each) for each in typing.get_args(hint)]
    if hint in (int, float):
        return [f"a {'whole' if hint is int else 'finite'} number {limits.said}".strip()]
    return [{bool: "True or False", str: "text", type(None): "None"}.get(hint, "a mapping from columns to such values")]


def _listed(words: list[str]) -> str:
    *others, last = dict.fromkeys(words)
    return f"{', '.join(others)} or {last}" if others else last
