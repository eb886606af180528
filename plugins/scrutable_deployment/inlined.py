"""Rows of literals as common table expressions: nothing is loaded, nothing is left, no right to write is needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

#: Rows of one part, where each is a SELECT of its own: parsers go as deep as such a list is long.
_PART = 100


@dataclass(frozen=True, slots=True)
class Inlined:
    """A column of rows of literals.

    Parameters
    ----------
    name : of the column.
    kind : the type that it is cast to, in the dialect's words.
    values : doubles, whole numbers, texts or None.
    """

    name: str
    kind: str
    values: Sequence[Any]


def inlined(exporter: Any, name: str, columns: Sequence[Inlined]) -> list[str]:
    """Common table expressions, the last of which has the name and the rows.

    Parameters
    ----------
    exporter : the exporter `sql` of the dialect.
    name : a plain one of ASCII, which stands nowhere else in the statement; the others begin with it.

    Examples
    --------
    >>> from scrutable import create
    >>> exporter = create("exporter", "sql", dialect="sqlite")
    >>> print(*inlined(exporter, "rows", [Inlined("age", "REAL", [19.0, None])]), sep=",")
    rows_literals (in_1) AS (
    VALUES
    (19),
    (NULL)
    ),rows AS (
    SELECT
    CAST(in_1 AS REAL) AS "age"
    FROM rows_literals
    )
    """
    d = exporter.target
    rows = [[exporter.literal(value) for value in row] for row in zip(*(each.values for each in columns), strict=True)]
    names = [f"in_{i}" for i in range(1, len(columns) + 1)]
    casts = ",\n".join(
        f"CAST({inner} AS {each.kind}) AS {exporter.quoted(each.name)}"
        for inner, each in zip(names, columns, strict=True)
    )
    literals = f"{name}_literals"
    made = _MAKERS[d.literals](exporter, literals, names, columns, rows)
    return [*made, f"{name} AS (\nSELECT\n{casts}\nFROM {literals}\n)"]


def _values(
    exporter: Any, name: str, names: Sequence[str], columns: Sequence[Inlined], rows: Sequence[Sequence[str]]
) -> list[str]:
    return [f"{name} ({', '.join(names)}) AS (\nVALUES\n{_bracketed(rows)}\n)"]


def _function(
    exporter: Any, name: str, names: Sequence[str], columns: Sequence[Inlined], rows: Sequence[Sequence[str]]
) -> list[str]:
    structure = ", ".join(f"{inner} {each.kind}" for inner, each in zip(names, columns, strict=True))
    return [f"{name} AS (\nSELECT * FROM values({exporter.literal(structure)},\n{_bracketed(rows)})\n)"]


def _selects(
    exporter: Any, name: str, names: Sequence[str], columns: Sequence[Inlined], rows: Sequence[Sequence[str]]
) -> list[str]:
    """Parts of few rows, and then all parts together; the first row of each says what the columns are."""
    made, nowhere = [], exporter.target.nowhere
    for start in range(0, len(rows), _PART):
        part = rows[start : start + _PART]
        first = ", ".join(
            f"CAST({value} AS {each.kind}) AS {inner}"
            for value, inner, each in zip(part[0], names, columns, strict=True)
        )
        lines = [f"SELECT {first}{nowhere}", *(f"SELECT {', '.join(row)}{nowhere}" for row in part[1:])]
        made.append("\nUNION ALL ".join(lines))
    if len(made) == 1:
        return [f"{name} AS (\n{made[0]}\n)"]
    parts = [f"{name}_{i} AS (\n{text}\n)" for i, text in enumerate(made, 1)]
    together = "\nUNION ALL ".join(f"SELECT {', '.join(names)} FROM {name}_{i}" for i in range(1, len(made) + 1))
    return [*parts, f"{name} AS (\n{together}\n)"]


def _bracketed(rows: Sequence[Sequence[str]]) -> str:
    return ",\n".join(f"({', '.join(row)})" for row in rows)


_MAKERS = {"values": _values, "function": _function, "selects": _selects}
