"""Types of columns: which of them hold what a model reads and gives without losing any of it."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from scrutable.model import Model, features_read
from scrutable.model.evaluator import kind_of
from scrutable.proof import ColumnCheck

#: Types that hold whole numbers, decimals and truth values, which become doubles without loss.
_WHOLE = (
    *("tinyint", "smallint", "integer", "int", "mediumint", "bigint", "hugeint", "utinyint", "usmallint", "uinteger"),
    *("ubigint", "numeric", "decimal", "boolean", "bool"),
    *(f"{kind}{size}" for kind in ("int", "uint") for size in (8, 16, 32, 64)),
)
_DOUBLES = ("double precision", "double", "float8", "float64")
_TEXTS = (
    *("text", "character varying", "varchar", "name", "string", "enum", "enum8", "enum16"),
    *("char", "longtext", "mediumtext", "tinytext", "clob"),
)
#: Types of half the digits: a number that is put in comes out as another one, on the other side of a cut.
_SINGLE = ("real", "float4", "float32", "float")
#: Where REAL is a double, and columns of expressions have no type.
_SQLITE = ("real", "float", "double", "double precision", "")


def source_types(model: Model, columns: Mapping[str, str], types: Mapping[str, str], dialect: str) -> list[ColumnCheck]:
    """The columns that a model reads, each beside its type in the table.

    Parameters
    ----------
    columns : column by feature. types : type by column, as the database calls it.

    Examples
    --------
    >>> from scrutable.testing.cards import card
    >>> checks = source_types(card(), {}, {"amount": "real", "job": "text"}, "postgres")
    >>> [(check.name, check.differing, check.note) for check in checks if check.differing][0]
    ('type of amount', 1, 'real, which keeps 7 digits: numbers come out on the other side of a cut')
    """
    checks = []
    for feature in features_read(model):
        column = columns.get(feature.name, feature.name)
        told = types.get(column)
        note = "there is no such column" if told is None else _read(told, feature.kind == "numeric", dialect)
        checks.append(_check(f"type of {column}", note))
    return checks


def result_types(types: Mapping[str, str], dialect: str) -> list[ColumnCheck]:
    """The results of a view or table, each beside its type.

    >>> result_types({"score": "real", "approved": "integer"}, "postgres")[0].note
    'real, not a double: scores come out rounded'
    """
    return [_check(f"type of {name}", _given(name, told, dialect)) for name, told in types.items()]


def plain(told: str) -> str:
    """A type without what stands in brackets, or is said of its values beside what they are.

    >>> plain("Nullable(Decimal(18, 3))"), plain("int(11) unsigned"), plain("character varying(20)")
    ('decimal', 'int', 'character varying')
    """
    bare = re.sub(r"(Nullable|LowCardinality)\(", "", told)
    return re.sub(r"\(.*|\b(unsigned|zerofill)\b|\)", "", bare, flags=re.S).strip().lower()


def _read(told: str, numeric: bool, dialect: str) -> str:
    """What is wrong with a column that is read; nothing where it is right."""
    kind = plain(told)
    if dialect == "sqlite" and (kind in _SQLITE or kind in (*_WHOLE, *_TEXTS)):
        return ""  # values have types of their own, and columns only say what they would like
    if numeric and kind in _SINGLE:
        return f"{told}, which keeps 7 digits: numbers come out on the other side of a cut"
    if numeric and kind not in (*_WHOLE, *_DOUBLES):
        return f"{told}, not a number"
    if not numeric and kind in ("character", "bpchar", "fixedstring"):
        return f"{told}, which fills texts up: they are other categories"
    if not numeric and kind not in _TEXTS:
        return f"{told}, not a text"
    return ""


def _given(name: str, told: str, dialect: str) -> str:
    """What is wrong with a column of results."""
    kind = plain(told)
    if dialect == "sqlite":
        return ""
    wanted = np.object_ if name == "decision" else kind_of(name)
    if wanted is np.float64:
        return "" if kind in _DOUBLES else f"{told}, not a double: scores come out rounded"
    if wanted is np.int64:
        return "" if kind in _WHOLE else f"{told}, not a whole number"
    return "" if kind in _TEXTS else f"{told}, not a text"


def _check(name: str, note: str) -> ColumnCheck:
    return ColumnCheck(name=name, what="types", differing=int(bool(note)), note=note)
