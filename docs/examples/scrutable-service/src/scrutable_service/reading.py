"""What a request says: strict JSON, and of each applicant the fields that the model reads, or why it is refused."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

#: A field that the model reads, and whether it is a number; else it is a text.
Field = tuple[str, bool]

_LACKING = object()
_NUMBER, _TEXT = "a number, or null where it is missing", "a text, or null where it is missing"
_KINDS = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list", dict: "an object"}
#: Characters of the longest name of a field that an answer repeats.
_LONGEST = 100


class RefusedError(Exception):
    """A request that cannot be answered: what is wrong, in which field of which applicant, and what is allowed.

    No value is told, since values are somebody's data; only of which kind it is.

    Examples
    --------
    >>> RefusedError("expected a number", field="income", got="a text", allowed="a number").told
    {'what': 'expected a number', 'field': 'income', 'got': 'a text', 'allowed': 'a number'}
    """

    def __init__(self, what: str, *, status: int = 422, **parts: str | int | None) -> None:
        super().__init__(what)
        self.status = status
        self.told = {"what": what, **{name: part for name, part in parts.items() if part is not None}}


def parsed(body: bytes) -> Any:
    """What JSON says. Refused are NaN and Infinity, which are no JSON, and a field that is there twice.

    >>> parsed(b'{"age": 41, "job": null}')
    {'age': 41, 'job': None}
    """
    try:
        return _DECODER.decode(body.decode())
    except UnicodeDecodeError as error:
        raise RefusedError("not UTF-8", status=400, at=error.start) from None
    except json.JSONDecodeError as error:
        raise RefusedError("not JSON", status=400, at=error.pos) from None
    except (ValueError, RecursionError):
        raise RefusedError("a number of too many digits, or too many brackets", status=400) from None


def row_of(fields: Sequence[Field], given: Any, applicant: int | None = None) -> tuple[float | str | None, ...]:
    """The values of an applicant, in the order of the fields; further fields are ignored.

    Parameters
    ----------
    applicant : its position in a list, from 0.

    Raises
    ------
    RefusedError : a field is not there, or its value is of another kind than the model reads.

    Examples
    --------
    >>> row_of([("age", True), ("job", False)], {"job": None, "age": 41, "name": "ignored"})
    (41.0, None)
    """
    if type(given) is not dict:
        raise RefusedError("expected an object of fields", applicant=applicant, got=kind_of(given), allowed="an object")
    values: list[float | str | None] = []
    for name, is_number in fields:
        value = given.get(name, _LACKING)
        if value is not None:
            wrong = _wrong_number(value) if is_number else _wrong_text(value)
            if wrong:
                allowed = _NUMBER if is_number else _TEXT
                raise RefusedError(wrong, field=name, applicant=applicant, got=kind_of(value), allowed=allowed)
        values.append(float(value) if is_number and value is not None else value)
    return tuple(values)


def kind_of(value: Any) -> str:
    """What a value is, in words.

    >>> kind_of([]), kind_of(None)
    ('a list', 'null')
    """
    if value is _LACKING:
        return "nothing"
    return value.word if isinstance(value, _Constant) else _KINDS.get(type(value), "null")


def _wrong_number(value: Any) -> str | None:
    if type(value) is float:
        return None if math.isfinite(value) else "a number that is too large"
    if type(value) is not int:
        return "the field is not there" if value is _LACKING else "expected a number"
    try:
        return None if float(value) == value else "a whole number of more digits than a double holds"
    except OverflowError:
        return "a number that is too large"


def _wrong_text(value: Any) -> str | None:
    if type(value) is not str:
        return "the field is not there" if value is _LACKING else "expected a text"
    if "\0" in value or (not value.isascii() and any("\ud800" <= each <= "\udfff" for each in value)):
        return "a text with NUL or half a character"
    return None


class _Constant:
    """NaN or an infinity, which Python's reader takes and JSON does not have."""

    def __init__(self, word: str) -> None:
        self.word = word


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise RefusedError("the field is there twice", status=400, field=twice[:_LONGEST])
    for name, value in pairs:
        if type(value) is _Constant:
            raise RefusedError("not JSON", status=400, field=name[:_LONGEST], got=value.word, allowed=_NUMBER)
    return fields


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_Constant)
