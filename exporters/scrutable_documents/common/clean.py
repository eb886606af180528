"""Texts from data, without what no document can hold."""

from __future__ import annotations

from collections.abc import Sequence

from scrutable.errors import InputError
from scrutable.writing import visible

#: What stands between words and lines.
_BLANKS = "\t\n\r\u2028\u2029"


def cleaned(value: object) -> str:
    r"""A value as text in one line. A character that would not be seen, such as a mark of direction, shows as "\ufffd".

    >>> cleaned("Ann\x00 \n Lee")
    'Ann� Lee'
    """
    return " ".join(visible(value, keep=_BLANKS, how=lambda _: "\ufffd").split())


def lines(value: object) -> tuple[str, ...]:
    r"""The lines of a text, each cleaned; empty ones are left out.

    >>> lines("1 Main Street\nSpringfield\n")
    ('1 Main Street', 'Springfield')
    """
    return tuple(line for line in map(cleaned, str(value).split("\n")) if line)


def one_text(given: object, where: str) -> str:
    """A text as it was given.

    Raises
    ------
    InputError : something else was given.
    """
    if not isinstance(given, str):
        raise InputError("expected a text", where=where, got=given, fix="put it in quotes")
    return given


def several(given: object, where: str) -> tuple[str, ...]:
    """One text, or a list of texts, as a tuple.

    Raises
    ------
    InputError : something else was given.

    Examples
    --------
    >>> several("factor", "option"), several(["one", "two"], "option")
    (('factor',), ('one', 'two'))
    """
    parts = (given,) if isinstance(given, str) else given
    if not isinstance(parts, Sequence) or not all(isinstance(part, str) for part in parts):
        raise InputError(
            "expected a text or several", where=where, got=given, fix="put it in quotes, several in a list"
        )
    return tuple(parts)
