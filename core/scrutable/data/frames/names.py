"""Column names: texts, each once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from scrutable.errors import InputError, did_you_mean


def checked_names(
    names: Iterable[Any], where: str = "column names", fix: str = "rename or drop the repeated columns"
) -> tuple[str, ...]:
    """Column names as texts.

    Integers become texts where all names are integers, since frames made from arrays have such names. A mixture is
    refused: 1 and "1" would become one name. `fix` is what to do about repeated names.

    Raises
    ------
    InputError : names of other kinds, or repeated names.

    Examples
    --------
    >>> checked_names([0, 1])
    ('0', '1')
    """
    given = list(names)
    texts = [_text(name, where) for name in given] if not _all_integers(given) else [str(int(name)) for name in given]
    repeated = [name for name, count in Counter(texts).items() if count > 1]
    if repeated:
        raise InputError(
            f"duplicate column names: {', '.join(map(repr, repeated))}",
            where=where,
            allowed="every name once",
            fix=fix,
        )
    return tuple(texts)


def known_column(name: str, columns: Iterable[str], where: str) -> None:
    """Refuse a name that is none of the columns.

    Raises
    ------
    InputError : names the closest column.
    """
    known = list(columns)
    if name not in known:
        allowed, fix = did_you_mean(name, known), "correct the name of the column"
        raise InputError("no such column", where=where, got=name, allowed=allowed, fix=fix)


def _all_integers(names: list[Any]) -> bool:
    return all(hasattr(name, "__index__") and not isinstance(name, bool) for name in names)


def _text(name: Any, where: str) -> str:
    if isinstance(name, str):
        return str(name)
    raise InputError(
        "names must be all text or all integers",
        where=where,
        got=name,
        allowed="text such as 'age'",
        fix="rename the columns, for example X.columns = X.columns.map(str)",
    )
