"""Value objects to JSON and back, driven by their type hints; one mechanism for all of them and for the schema.

A dataclass is an object with its fields in order, without those that are at their default. Where several classes are
possible, `type` says which; one whose `type_implied` is true does without. Infinite ends of intervals are the strings
"inf" and "-inf".
"""

from __future__ import annotations

import dataclasses
import functools
import math
import re
import types
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from scrutable.data.values import FrozenMapping, double, frozen
from scrutable.errors import ModelError, did_you_mean, each_located, under

T = TypeVar("T")
_INFINITIES = {"inf": math.inf, "-inf": -math.inf}
_SCALARS: dict[type, str] = {bool: "true or false", int: "an integer", float: "a number", str: "text"}


def encode(value: Any, *, tagged: bool = False) -> Any:
    """A value object as dicts, lists, texts and numbers that `json` writes."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _encode_object(value, tagged)
    if isinstance(value, tuple):
        return [encode(item, tagged=tagged) for item in value]
    if isinstance(value, FrozenMapping):
        return {key: encode(item, tagged=tagged) for key, item in value.items()}
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def decode(cls: type[T], data: Any, where: str) -> T:
    """A value object of class `cls` from what `json` read; errors name the place by its path from `where`."""
    try:
        return cast(T, _decode_object(cls, data))
    except ModelError as error:
        raise under(error, where) from None


def tag(cls: type) -> str:
    """What `type` says for a class: its name in lower case with hyphens.

    >>> from scrutable.model.trees import TreeEnsemble
    >>> tag(TreeEnsemble)
    'tree-ensemble'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", cls.__name__).lower()


@functools.cache
def fields_of(cls: type) -> dict[str, tuple[Any, dataclasses.Field[Any]]]:
    """Resolved type and field of every constructor argument of a dataclass."""
    hints = get_type_hints(cls, include_extras=True)
    return {field.name: (hints[field.name], field) for field in dataclasses.fields(cls) if field.init}


def members(hint: Any) -> tuple[Any, ...]:
    """The alternatives of a union, else the type alone."""
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def is_json(hint: Any) -> bool:
    """Whether a hint is `Json`, which stands for itself: `==` on hints that refer to themselves is not reliable."""
    return get_origin(hint) is Annotated and "json" in hint.__metadata__


def is_required(field: dataclasses.Field[Any]) -> bool:
    """Whether a field has no default."""
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def is_implied(cls: type) -> bool:
    """Whether an object without `type` is of this class, where it is one of several."""
    return getattr(cls, "type_implied", False)


def ambiguous(hint: Any) -> bool:
    """Whether `type` must say which class is meant."""
    return sum(_is_class(member) for member in members(_item_type(hint))) > 1


def _is_class(hint: Any) -> bool:
    return dataclasses.is_dataclass(hint)


def _item_type(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) in (tuple, FrozenMapping) else hint


def _encode_object(value: Any, tagged: bool) -> dict[str, Any]:
    own, layout = _layout(value.__class__)
    out: dict[str, Any] = {"type": own} if tagged and not is_implied(value.__class__) else {}
    for key, field, needs_tag in layout:
        item = getattr(value, key)
        if is_required(field) or item != _default(field):
            out[key] = encode(item, tagged=needs_tag)
    return out


@functools.cache
def _layout(cls: type) -> tuple[str, tuple[tuple[str, dataclasses.Field[Any], bool], ...]]:
    """The tag of a dataclass; of each field its name, itself, and whether what it holds needs a tag."""
    return tag(cls), tuple((key, field, ambiguous(hint)) for key, (hint, field) in fields_of(cls).items())


def _default(field: dataclasses.Field[Any]) -> Any:
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def _decoder(hint: Any) -> Callable[[Any], Any]:
    """What makes a value that a hint allows of what `json` read."""
    if is_json(hint):
        return frozen
    if len(members(hint)) > 1:
        return _union_decoder(members(hint))
    origin = get_origin(hint)
    if origin is Annotated:
        return _extended
    if origin is Literal:
        return _as_it_is
    if origin is tuple:
        return partial(_decode_list, _decoder(get_args(hint)[0]))
    if origin is FrozenMapping:
        return partial(_decode_mapping, _decoder(get_args(hint)[0]))
    return partial(_decode_object if _is_class(hint) else _scalar, hint)


def _union_decoder(options: tuple[Any, ...]) -> Callable[[Any], Any]:
    decode_one: Callable[[Any], Any]
    classes = {tag(option): option for option in options if isinstance(option, type) and _is_class(option)}
    scalars = [option for option in options if option is not types.NoneType]
    if len(classes) > 1:
        implied = next((own for own, option in classes.items() if is_implied(option)), None)
        decode_one = partial(_decode_tagged, classes, implied)
    elif len(scalars) == 1:
        decode_one = _decoder(scalars[0])
    else:
        decode_one = partial(_decode_scalar, scalars)
    return partial(_decode_optional, decode_one) if types.NoneType in options else decode_one


def _as_it_is(data: Any) -> Any:
    return data


def _decode_optional(decode_one: Callable[[Any], Any], data: Any) -> Any:
    return None if data is None else decode_one(data)


def _decode_list(decode_item: Callable[[Any], Any], data: Any) -> tuple[Any, ...]:
    _expect(isinstance(data, list), "a list", data)
    return tuple(item for _, item in each_located(enumerate(data), decode_item))


def _decode_mapping(decode_item: Callable[[Any], Any], data: Any) -> FrozenMapping[Any]:
    _expect(isinstance(data, dict), "an object", data)
    return FrozenMapping(dict(each_located(data.items(), decode_item)))


def _decode_tagged(classes: dict[str, type], implied: str | None, data: Any) -> Any:
    """An object of the class that its `type` names."""
    _expect(isinstance(data, dict), "an object", data)
    named = data.get("type", implied)
    if not isinstance(named, str) or named not in classes:
        raise ModelError("unknown type", got=named, allowed=", ".join(sorted(classes)))
    return _decode_object(classes[named], {key: item for key, item in data.items() if key != "type"})


def _decode_scalar(scalars: list[Any], data: Any) -> Any:
    """A value of one of several types: of its own if that is among them."""
    if type(data) in scalars:
        return data
    for option in scalars:
        if get_origin(option) or (option is float and type(data) is int):
            return _decoder(option)(data)
    raise ModelError("unexpected value", got=data, allowed=" or ".join(_SCALARS[o] for o in scalars))


def _decode_object(cls: type, data: Any) -> Any:
    _expect(isinstance(data, dict), "an object", data)
    decoders, required = _decoders_of(cls)
    for key in data:
        if key not in decoders:
            raise ModelError("unknown field", got=key, fix=did_you_mean(key, decoders))
    for key in required:
        if key not in data:
            raise ModelError("a field is missing", got=sorted(data), allowed=f"with {key!r}")
    pairs = ((key, (decoders[key], item)) for key, item in data.items())
    arguments = dict(each_located(pairs, lambda pair: pair[0](pair[1])))
    try:
        return cls(**arguments)
    except ModelError as error:
        error.where = f": {error.where}" if error.where else ""
        raise


@functools.cache
def _decoders_of(cls: type) -> tuple[dict[str, Callable[[Any], Any]], list[str]]:
    """What makes each field of a class, and the fields without a default."""
    known = fields_of(cls)
    required = [key for key, (_, field) in known.items() if is_required(field)]
    return {key: _decoder(hint) for key, (hint, _) in known.items()}, required


def _scalar(cls: type, data: Any) -> Any:
    accepted = (int, float) if cls is float else (cls,)
    _expect(type(data) in accepted, _SCALARS[cls], data)
    return double(data, "") if cls is float else data


def _extended(data: Any) -> float:
    if isinstance(data, str) and data in _INFINITIES:
        return _INFINITIES[data]
    number: float = _scalar(float, data)
    _expect(math.isfinite(number), 'a number within the range of doubles, "inf" or "-inf"', data)
    return number


def _expect(condition: bool, allowed: str, data: Any) -> None:
    if not condition:
        raise ModelError("unexpected value", got=data, allowed=allowed)
