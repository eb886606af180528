"""Names that users choose."""

from __future__ import annotations

import re
from collections.abc import Collection

from scrutable.errors import InputError


def check_name(option: str, value: object, taken: Collection[str], language: str, *, but: str = "") -> None:
    """Refuse what a language does not take for a name.

    Parameters
    ----------
    taken, but : names that the file has for something else, and a pattern of others.

    Raises
    ------
    InputError : no word of ASCII letters, digits and underscores, a word of the language, or one that the file uses.

    Examples
    --------
    >>> check_name("function", "class", {"class"}, "Java")
    Traceback (most recent call last):
    scrutable.errors.InputError: option function: no name that Java takes, or one that the file has for something \
else; got 'class'; allowed: a letter, then letters, digits and underscores; no keyword. Fix: for example \
function='credit_score'.
    """
    plain = isinstance(value, str) and re.fullmatch("[A-Za-z][A-Za-z0-9_]{0,60}", value)
    if not plain or value in taken or re.fullmatch(but, str(value)):
        raise InputError(
            f"no name that {language} takes, or one that the file has for something else",
            where=f"option {option}",
            got=value,
            allowed="a letter, then letters, digits and underscores; no keyword",
            fix=f"for example {option}='credit_score'",
        )
