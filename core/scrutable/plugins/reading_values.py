"""Values from a command line or a config file, checked against the types that a constructor states."""

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Literal

from scrutable.data.config import STATED
from scrutable.errors import InputError, did_you_mean
from scrutable.writing.decoder import from_json

_SCALARS = {bool: "true or false", int: "a whole number", float: "a number", str: "text", type(None): "null"}
_ANY_MAPPING, _WITH = "a mapping", "a mapping with "
_UNIONS = (typing.Union, types.UnionType)
_UNFIT = object()
#: Characters of a key that errors show: each item below it is given them.
_KEY = 100


def checked_options(cls: Callable[..., Any], options: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Keyword arguments for a class, or for one of its methods, each known to it and of the type that it states.

    Raises
    ------
    InputError : an option that the class does not have, or a value of another type.

    Examples
    --------
    >>> from scrutable.model import Scaling
    >>> checked_options(Scaling, {"pdo": 40}, "scaling")
    {'pdo': 40.0}
    >>> checked_options(Scaling, {"pdq": 40}, "scaling")
    Traceback (most recent call last):
    ...
    scrutable.errors.InputError: scaling: unknown option; got 'pdq'; allowed: did you mean 'pdo'?. Fix: ...
    """
    known, hints = _stated(cls)
    refuse_unknown(options, known, where)
    return {key: coerce(value, hints.get(key, Any), f"{where}, option {key!r}") for key, value in options.items()}


def refuse_unknown(given: Iterable[str], known: Collection[str], where: str) -> None:
    """Refuse a key that is not known, and name the closest one that is."""
    for key in given:
        if key not in known:
            fix = "correct the name, or leave it out"
            raise InputError("unknown option", where=where, got=key, allowed=did_you_mean(key, known), fix=fix)


def coerce(value: Any, hint: Any, where: str) -> Any:
    """The value as its type hint asks: lists become tuples where a tuple is asked for, mappings become dataclasses.

    Where a list is asked for and nothing fits as it is, a text is one with commas between its items, and a single value
    is a list of one; the items of a list, and what stands between commas, are taken as they are. Hints that say nothing
    about plain data are taken to accept everything.

    Raises
    ------
    InputError : a value of another type; the message says which would do.

    Examples
    --------
    >>> coerce("sex, age_group", tuple[str, ...] | None, "attributes"), coerce("0.1,0.2", list[float], "bounds")
    (('sex', 'age_group'), [0.1, 0.2])
    """
    fitted = _fit(value, hint, where)
    return _checked(_fit_listed(value, hint, where) if fitted is _UNFIT else fitted, value, hint, where)


def read_value(text: str) -> Any:
    """What a text stands for: JSON if it reads as JSON, else itself.

    >>> read_value("5"), read_value("NaN"), read_value("one-hot"), read_value('["a"]')
    (5, 'NaN', 'one-hot', ['a'])
    """
    try:
        return from_json(text, "value")
    except InputError:
        return text


def _checked(fitted: Any, value: Any, hint: Any, where: str) -> Any:
    if fitted is _UNFIT:
        raise InputError(
            "a value of the wrong type", where=where, got=value, allowed=_spoken(hint), fix="correct the value"
        )
    return fitted


def _fit(value: Any, hint: Any, where: str) -> Any:
    """The value as it is, if it fits."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in _UNIONS:
        exact = tuple(each for each in arguments if each is type(value))
        return _first_fit(_fit, value, exact + arguments, where)
    if origin is Literal:
        return value if value in arguments else _UNFIT
    if hint in _SCALARS:
        return _fit_scalar(value, hint)
    if is_dataclass(hint) and isinstance(hint, type):
        return _build(value, hint, where)
    if isinstance(origin, type):
        return _fit_container(value, origin, arguments, where)
    return value if hint is Any or not isinstance(hint, type) or isinstance(value, hint) else _UNFIT


def _fit_scalar(value: Any, hint: type[Any]) -> Any:
    if hint is float and type(value) is int:
        try:
            return float(value)
        except OverflowError:  # beyond every double
            return _UNFIT
    return value if type(value) is hint else _UNFIT


def _first_fit(fit: Callable[[Any, Any, str], Any], value: Any, hints: tuple[Any, ...], where: str) -> Any:
    """The first fit; a mapping's own error says more than that no alternative fits."""
    return next((fitted for hint in hints if (fitted := fit(value, hint, where)) is not _UNFIT), _UNFIT)


def _fit_container(value: Any, origin: type[Any], arguments: tuple[Any, ...], where: str) -> Any:
    if issubclass(origin, Mapping):
        if not isinstance(value, Mapping):
            return _UNFIT
        return {key: coerce(item, arguments[-1], f"{where}, {repr(key)[:_KEY]}") for key, item in value.items()}
    if not issubclass(origin, Iterable):
        return value
    if not isinstance(value, list | tuple) or (_fixed(origin, arguments) and len(value) != len(arguments)):
        return _UNFIT
    hints = arguments if _fixed(origin, arguments) else (arguments[0],) * len(value)
    items = [_checked(_fit(item, hint, where), item, hint, where) for item, hint in zip(value, hints, strict=True)]
    return tuple(items) if origin is tuple else items


def _fit_listed(value: Any, hint: Any, where: str) -> Any:
    """A list of what stands between the commas of a text, or of a single value, where a list is asked for."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in _UNIONS:
        return _first_fit(_fit_listed, value, arguments, where)
    if not _is_list(origin) or _fixed(origin, arguments) or isinstance(value, Mapping | list | tuple):
        return _UNFIT
    texts = [item.strip() for item in value.split(",")] if isinstance(value, str) else [value]
    items = [_fit_item(item, arguments[0], where) for item in texts]
    if any(item is _UNFIT or item == "" for item in items):
        return _UNFIT
    return tuple(items) if origin is tuple else items


def _fit_item(item: Any, hint: Any, where: str) -> Any:
    """What the item's text stands for, or the text itself where that does not fit."""
    fitted = _fit(read_value(item) if isinstance(item, str) else item, hint, where)
    return _fit(item, hint, where) if fitted is _UNFIT else fitted


def _is_list(origin: Any) -> bool:
    return isinstance(origin, type) and issubclass(origin, Iterable) and not issubclass(origin, Mapping)


def _fixed(origin: type[Any], arguments: tuple[Any, ...]) -> bool:
    return origin is tuple and ... not in arguments


def _build(value: Any, cls: type[Any], where: str) -> Any:
    if isinstance(value, cls):
        return value
    if not isinstance(value, Mapping):
        return _UNFIT
    given = checked_options(cls, value, where)
    for name in _required(cls):
        if name not in given:
            raise InputError(
                "a value is missing", where=where, got=list(given), allowed=f"{name} = …", fix=f"add {name}"
            )
    return cls(**given)


def _required(cls: type[Any]) -> list[str]:
    """The fields of a dataclass that a mapping has to have."""
    return [
        each.name
        for each in fields(cls)
        if each.metadata == STATED or (each.default is MISSING and each.default_factory is MISSING)
    ]


@functools.cache
def _stated(cls: Callable[..., Any]) -> tuple[Mapping[str, inspect.Parameter], dict[str, Any]]:
    """The parameters of a class or a method, and their types as far as it states them."""
    stated: Any = cls
    known = inspect.signature(cls).parameters
    try:
        plain = inspect.isclass(cls) and not is_dataclass(cls)
        hints = typing.get_type_hints(stated.__init__ if plain else stated)
    except NameError:  # a hint that its module imports for type checkers only; the class checks its values itself
        return known, {}
    if is_dataclass(cls):
        hints |= {each.name: _without_none(hints[each.name]) for each in fields(cls) if each.metadata == STATED}
    return known, hints


def _without_none(hint: Any) -> Any:
    """What a field that has to be stated holds."""
    return typing.Union[tuple(each for each in typing.get_args(hint) if each is not type(None))]  # noqa: UP007


def _spoken(hint: Any) -> str:
    """A type hint in words.

    >>> _spoken(float | None), _spoken(Literal["woe", "one-hot"]), _spoken(tuple[str, ...])
    ('a number or null', "'woe' or 'one-hot'", 'a list of text')
    """
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in _UNIONS:
        told = dict.fromkeys(map(_spoken, arguments))
        named = any(each.startswith(_WITH) for each in told)  # says more than that any mapping would do
        return " or ".join(each for each in told if not (named and each == _ANY_MAPPING))
    if origin is Literal:
        return " or ".join(map(repr, arguments))
    if hint in _SCALARS:
        return _SCALARS[hint]
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _ANY_MAPPING if arguments[-1] is Any else "a mapping from name to " + _spoken(arguments[-1])
    if _is_list(origin):
        return "a list of " + " and ".join(dict.fromkeys(_spoken(each) for each in arguments if each is not ...))
    if is_dataclass(hint) and isinstance(hint, type):
        return _WITH + ", ".join(each.name for each in fields(hint))
    return getattr(hint, "__name__", str(hint))
