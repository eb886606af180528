"""Values out of JSON and TOML: where every file of models, evidence, configs and reason dictionaries is read.

Budgets bound what an input asks of the machine: whatever is in a file, reading it takes time and memory in proportion
to its size. What is written is held to the same budgets, so that whatever was written can be read.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from scrutable.errors import InputError, ScrutableError, each_located, under
from scrutable.writing.files import LARGEST, AnyPath, read_text

#: Characters of a text or a key, values of a list or a table, lists and tables within one another, digits of a whole
#: number.
TEXT, ITEMS, DEPTH, DIGITS = 100_000, 1_000_000, 64, 400
#: Bytes of a TOML file, which Python reads at a hundredth of the speed of JSON.
LARGEST_TOML = 2**23

_BEYOND = 10**DIGITS
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_TOML_TEXTS = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*+"|\'[^\'\n]*+\'|\#[^\n]*+', re.DOTALL
)
_TOML_DEEP = re.compile(r"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){" + str(DEPTH) + "}")

T = TypeVar("T")


def read_json(path: AnyPath) -> Any:
    """The value in a JSON file; errors as of `from_json`, or as of `scrutable.writing.files.read_text`."""
    return from_json(read_text(path), f"file {str(path)!r}")


def read_toml(path: AnyPath) -> dict[str, Any]:
    """The content of a TOML file; errors as of `from_toml`, or as of `scrutable.writing.files.read_text`."""
    return from_toml(read_text(path, LARGEST_TOML), f"file {str(path)!r}")


def from_json(text: str, where: str, kind: type[ScrutableError] = InputError) -> Any:
    """The value that a JSON text stands for.

    Parameters
    ----------
    where : how errors name the text.
    kind : of the errors.

    Raises
    ------
    ScrutableError : of `kind`: no JSON, a key twice in an object, NaN or infinity, or a value beyond the budgets.

    Examples
    --------
    >>> from_json('{"points": [1, 2.5]}', "here")
    {'points': [1, 2.5]}
    >>> from_json('{"points": 1, "points": 2}', "here")
    Traceback (most recent call last):
    ...
    scrutable.errors.InputError: here: a key stands twice in one object; got 'points'. Fix: keep one of the two.
    """

    def unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
            raise kind("a key stands twice in one object", where=where, got=twice, fix="keep one of the two")
        return members

    def no_constant(name: str) -> NoReturn:
        allowed, fix = '"inf" or "-inf" as text, in intervals only', "write the number that is meant, or null"
        raise kind("not a number that JSON has", where=where, got=name, allowed=allowed, fix=fix)

    def read() -> Any:
        return json.loads(text, object_pairs_hook=unrepeated, parse_constant=no_constant)

    try:
        return _parsed(read, len(text), LARGEST, where, kind)
    except json.JSONDecodeError as error:
        raise kind(
            "not whole, valid JSON",
            where=f"{where}, line {error.lineno}, column {error.colno}",
            got=error.msg,
            fix="restore the file from where it was exported; it may have been cut off",
        ) from error


def from_toml(text: str, where: str) -> dict[str, Any]:
    """The table that a TOML text stands for.

    Raises
    ------
    InputError : no TOML, or a value beyond the budgets.

    Examples
    --------
    >>> from_toml('k = 2\\n[codes]\\nage = "R1"', "here")
    {'k': 2, 'codes': {'age': 'R1'}}
    """

    def read() -> dict[str, Any]:
        if _TOML_DEEP.search(_TOML_TEXTS.sub("_", text)):  # the parser's time would grow with the square of the depth
            raise _too_deep(where, InputError)
        import tomllib

        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            fix = "correct the line that is named"
            raise InputError("not valid TOML", where=where, got=str(error), fix=fix) from None

    return _parsed(read, len(text), LARGEST_TOML, where, InputError)


def checked(value: T, where: str, kind: type[ScrutableError] = InputError) -> T:
    """A value of texts, numbers, lists and mappings, if it is within the budgets.

    Raises
    ------
    ScrutableError : of `kind`; `where` goes on with the path to the place.

    Examples
    --------
    >>> checked({"a": [1, "\\ud800"]}, "here")
    Traceback (most recent call last):
    ...
    scrutable.errors.InputError: here.a[1]: text with NUL or a lone surrogate cannot be stored in a database; got ...
    """
    try:
        _check(value, 0, kind)
    except kind as error:
        raise under(error, where) from None
    return value


def check_text(text: str, where: str, kind: type[ScrutableError] = InputError) -> None:
    """Refuse a text that no database or file can hold, or one beyond the budget."""
    if _UNSTORABLE.search(text):
        what, fix = "text with NUL or a lone surrogate cannot be stored in a database", "write it without"
        raise kind(what, where=where, got=text, fix=fix)
    if len(text) > TEXT:
        raise _beyond("a text is too long", f"{len(text):,} characters", TEXT, where, kind)


def _parsed(read: Callable[[], T], size: int, largest: int, where: str, kind: type[ScrutableError]) -> T:
    """What is read, within the budgets; a parser's own errors that say where stay as they are."""
    if size > largest:
        raise _beyond("the text is too long", f"{size:,} characters", largest, where, kind)
    try:
        value = read()
    except RecursionError as error:
        raise _too_deep(where, kind) from error
    except (json.JSONDecodeError, ScrutableError):
        raise
    except ValueError as error:  # Python reads no integer of thousands of digits
        raise _beyond("a number is too long", f"more than {DIGITS} digits", DIGITS, where, kind) from error
    return checked(value, where, kind)


def _check(value: Any, depth: int, kind: type[ScrutableError]) -> None:
    if isinstance(value, str):
        check_text(value, "", kind)
    elif isinstance(value, dict | list):
        if depth == DEPTH:
            raise _too_deep("", kind)
        if len(value) > ITEMS:
            raise _beyond("a list is too long", f"{len(value):,} values", ITEMS, "", kind)
        if isinstance(value, dict):
            for key, _ in each_located(value.items(), lambda each: _check(each, depth + 1, kind)):
                check_text(key, "", kind)
        else:
            for _ in each_located(enumerate(value), lambda each: _check(each, depth + 1, kind)):
                pass
    elif isinstance(value, int) and not -_BEYOND < value < _BEYOND:
        raise _beyond("a number is too long", f"more than {DIGITS} digits", DIGITS, "", kind)


def _too_deep(where: str, kind: type[ScrutableError]) -> ScrutableError:
    return _beyond("nested too deeply", f"more than {DEPTH} lists or tables within one another", DEPTH, where, kind)


def _beyond(what: str, got: str, most: int, where: str, kind: type[ScrutableError]) -> ScrutableError:
    fix = "correct the value, or look whether this is the right file"
    return kind(what, where=where, got=got, allowed=f"at most {most:,}", fix=fix)
