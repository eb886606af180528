"""Options of components, checked against what their constructors state, before any work begins."""

from __future__ import annotations

import functools
import inspect
import math
import types
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from numbers import Integral, Real
from typing import Annotated, Any, Literal

from scrutable.binning.trend_words import trend_meant
from scrutable.errors import InputError, did_you_mean
from scrutable.errors.checks import as_options, is_finite

_UNIONS = (typing.Union, types.UnionType)
#: Options that are mappings from columns and nothing else.
_BY_COLUMN = ("trends", "cuts", "merges", "special_codes")
#: Options that are left to what binds them: it knows how to make one that the component can keep.
_TOLD_ELSEWHERE = ("constraints",)


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

    Numbers must be finite and within their `Limits`; a truth value is no number. Any list, set or array may stand for a
    list, any mapping for a mapping, and a mapping for an object of options; what types do not say is left to the
    component.

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
    scrutable.errors.InputError: depth: unusable number; got 0; allowed: a whole number from 1 to 8. Fix: correct ...
    """
    cls: Any = type(component)
    for name, alternatives in stated(cls).items():
        value = getattr(component, name, inspect.Parameter.empty)
        if value is inspect.Parameter.empty or name in _TOLD_ELSEWHERE:
            continue
        options = _object_of(alternatives)
        if options is not None and (isinstance(value, Mapping) or not _has_words(alternatives)):
            as_options(value, options, name)
        else:
            _check(value, alternatives, name, name)


Alternatives = tuple[tuple[Any, Limits], ...]


def _check(value: Any, alternatives: Alternatives, name: str, where: str) -> None:
    """Refuse a value that fits no alternative; of a mapping, the first such value in it."""
    mappings = [hint for hint, _ in alternatives if _is(hint, Mapping)]
    if isinstance(value, Mapping) and len(mappings) == 1:
        values = _values(mappings[0])
        noun = "column " if name in _BY_COLUMN or set(values) <= set(alternatives) else ""
        for key, each in value.items():
            _check(each, values, name, f"{where}, {noun}{key!r}")
    elif not any(_fits(value, hint, limits) for hint, limits in alternatives):
        raise _unusable(name, value, alternatives, where)


@functools.lru_cache(maxsize=1000)
def stated(cls: Any) -> dict[str, Alternatives]:
    """The types that each option may have."""
    try:
        hints = typing.get_type_hints(cls if is_dataclass(cls) else cls.__init__, include_extras=True)
    except NameError:  # a hint that its module imports for type checkers only
        return {}
    return {name: tuple(_alternatives(hints[name])) for name in inspect.signature(cls).parameters if name in hints}


def _alternatives(hint: Any, limits: Limits = Limits()) -> Iterator[tuple[Any, Limits]]:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        own = next((each for each in arguments[1:] if isinstance(each, Limits)), limits)
        yield from _alternatives(arguments[0], own)
    elif origin in _UNIONS:
        for each in arguments:
            yield from _alternatives(each, limits)
    else:
        yield hint, limits


def _object_of(alternatives: Alternatives) -> Any:
    """The object of options for which a mapping may stand; None where it may be something else, too."""
    others = [hint for hint, _ in alternatives if not _is_scalar(hint) and not _is(hint, Mapping)]
    return others[0] if len(others) == 1 and isinstance(others[0], type) and is_dataclass(others[0]) else None


def _has_words(alternatives: Alternatives) -> bool:
    """Whether something else than an object of options, a mapping or None is allowed."""
    return any(_is_scalar(hint) and hint is not type(None) for hint, _ in alternatives)


def _is_scalar(hint: Any) -> bool:
    return hint in (bool, int, float, str, type(None)) or typing.get_origin(hint) is Literal


def _is(hint: Any, kind: Any) -> bool:
    """Whether a hint is a container of a kind, whose types it says."""
    origin = typing.get_origin(hint)
    return isinstance(origin, type) and issubclass(origin, kind)


def _is_list(hint: Any) -> bool:
    return _is(hint, Iterable) and not _is(hint, Mapping)


def _values(hint: Any) -> Alternatives:
    """What may be in a container: the values of a mapping, the items of a list."""
    arguments = typing.get_args(hint)[-1:] if _is(hint, Mapping) else typing.get_args(hint)
    return tuple(alternative for each in arguments if each is not ... for alternative in _alternatives(each))


def _fits(value: Any, hint: Any, limits: Limits) -> bool:
    if typing.get_origin(hint) is Literal:
        return any(_same(value, each) for each in typing.get_args(hint))
    if hint in (int, float):
        number = isinstance(value, Integral if hint is int else Real) and not isinstance(value, bool)
        return number and is_finite(value) and limits.hold(value)
    if hint is bool:
        return type(value).__name__ in ("bool", "bool_")
    if _is(hint, Mapping):
        return isinstance(value, Mapping) and _all_fit(value.values(), hint)
    if _is_list(hint):
        listed = isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)
        return listed and (not isinstance(value, Collection) or _all_fit(value, hint))
    if typing.get_origin(hint) is Callable:
        return callable(value)
    return not _can_be_told(hint) or isinstance(value, hint)


def _all_fit(values: Iterable[Any], hint: Any) -> bool:
    allowed = _values(hint)
    return all(any(_fits(each, *alternative) for alternative in allowed) for each in values)


def _same(value: Any, word: Any) -> bool:
    """Whether a value is a word that is allowed; numpy's texts are texts."""
    kind = str if isinstance(word, str) and isinstance(value, str) else type(word)
    return isinstance(value, kind) and (kind is str or type(value) is kind) and bool(value == word)


def _can_be_told(hint: Any) -> bool:
    """Whether a hint is a class that values are instances of."""
    return isinstance(hint, type) and hint not in (object, Any) and not getattr(hint, "_is_protocol", False)


def _unusable(name: str, value: Any, alternatives: Alternatives, where: str) -> InputError:
    words = [word for hint, _ in alternatives for word in typing.get_args(hint) if isinstance(word, str)]
    number = any(hint in (int, float) for hint, _ in alternatives)
    meant = trend_meant if "ascending" in words else did_you_mean
    near = meant(value, words) if words and isinstance(value, str) else ""
    mapped = all(_is(hint, Mapping) for hint, _ in alternatives if hint is not type(None))
    wrong = "expected a mapping" if mapped else "a value of the wrong type"
    quotes = any(hint is str for hint, _ in alternatives) and isinstance(value, Real)
    listed = any(_is_list(hint) and _fits([value], hint, limits) for hint, limits in alternatives)
    thing = (name if where == name else name.removesuffix("s")).replace("_", " ")
    by_column_last = sorted(alternatives, key=lambda each: _is(each[0], Mapping))
    mended = f"write [{value!r}]" if listed else "put it in quotes" if quotes else "correct the value"
    return InputError(
        "unusable number" if number else f"unknown {thing}" if words else wrong,
        where=where,
        got=value,
        allowed=_listed([each for hint, limits in by_column_last for each in _said(hint, limits, alternatives)]),
        fix=near if near.startswith(("did you mean", "write")) else mended,
    )


def _said(hint: Any, limits: Limits, beside: Alternatives = ()) -> list[str]:
    """What a hint allows, in words.

    Parameters
    ----------
    beside : all that is allowed in its place.
    """
    if typing.get_origin(hint) is Literal:
        return [repr(each) for each in typing.get_args(hint)]
    if hint in (int, float):
        return [f"a {'whole' if hint is int else 'finite'} number {limits.said}".strip()]
    if _is(hint, Mapping) or _is_list(hint):
        values = _values(hint)
        if values == ((Any, Limits()),):
            return ["a list" if _is_list(hint) else "a mapping"]
        inner = _listed([each for inside in values for each in _said(*inside)])
        if not _is(hint, Mapping):
            return [f"a list of {inner}"]
        return ["a mapping from columns to such values" if set(values) <= set(beside) else f"a mapping to {inner}"]
    if typing.get_origin(hint) is Callable:
        return ["a function"]
    said = {bool: "True or False", str: "text", type(None): "None", Any: "anything"}
    return [said.get(hint, getattr(hint, "__name__", str(hint)))]


def _listed(words: list[str]) -> str:
    *others, last = dict.fromkeys(words)
    return f"{', '.join(others)} or {last}" if others else last
