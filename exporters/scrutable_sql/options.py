"""What the user chooses about the text and the table it reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from scrutable.errors import InputError, did_you_mean
from scrutable_sql.dialects import DIALECTS, Dialect
from scrutable_sql.quoting import Qualified

Form = Literal["select", "view", "table"]


@dataclass(frozen=True, kw_only=True)
class SQLOptions:
    """Options of the exporter `sql`; one object, checked once.

    Parameters
    ----------
    dialect : `duckdb`, `sqlite` or `postgres`.
    table : the table or view to read: a name, or a pair of schema and name.
    columns : column of the table by feature, where it is not the feature's name.
    ids : columns of the table to carry through, as they are, before the results.
    reasons : how many of the model's reasons to return; None for as many as its reason policy gives, 0 for none.
    points : whether to return the points of every characteristic.
    booleans : numeric features whose columns are BOOLEAN. PostgreSQL refuses to cast those to a double directly and
        needs to be told; the other engines do not.
    form : `select`, or `view` or `table` to create one called `name`.
    name : the view or table to create.
    url : connection for `run` on PostgreSQL, as psycopg takes it. Never part of an export.

    Raises
    ------
    InputError : an option has a value that it cannot have.
    """

    dialect: str = "duckdb"
    table: Qualified = "applicants"
    columns: Mapping[str, str] = field(default_factory=dict)
    ids: tuple[str, ...] = ()
    reasons: int | None = None
    points: bool = True
    booleans: tuple[str, ...] = ()
    form: Form = "select"
    name: Qualified | None = None
    url: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for option, possible, allowed, example in _CHECKS:
            value = getattr(self, option)
            if not possible(value):
                raise InputError(
                    "not a value that the option can have",
                    where=f"option {option}",
                    got=value,
                    allowed=allowed,
                    fix=f"for example {option}={example}",
                )
        if self.dialect not in DIALECTS:
            raise InputError(
                "unknown dialect",
                where="option dialect",
                got=self.dialect,
                allowed=", ".join(DIALECTS),
                fix=did_you_mean(self.dialect, DIALECTS),
            )
        if (self.form == "select") != (self.name is None):
            raise InputError(
                "a view or table has a name, a select has none",
                where="option name",
                got=self.name,
                fix="give form='view' or form='table' together with name=…",
            )
        for option in ("ids", "booleans"):
            object.__setattr__(self, option, tuple(getattr(self, option)))
        object.__setattr__(self, "columns", dict(self.columns))

    @property
    def engine(self) -> Dialect:
        """The dialect's row of the table."""
        return DIALECTS[self.dialect]

    def column(self, feature: str) -> str:
        """The column that holds a feature."""
        return self.columns.get(feature, feature)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(map(_is_text, value))


def _is_table(value: Any) -> bool:
    return _is_text(value) or (_are_texts(value) and len(value) == 2)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


#: Option, whether a value is possible, the values that are, in words, and an example.
_CHECKS: tuple[tuple[str, Callable[[Any], bool], str, str], ...] = (
    ("dialect", _is_text, "a text", "'duckdb'"),
    ("table", _is_table, "a name, or schema and name", "('bank', 'applicants')"),
    (
        "columns",
        lambda value: isinstance(value, Mapping) and _are_texts([*value, *value.values()]),
        "the name of a column by the name of a feature",
        "{'income': 'net_income'}",
    ),
    ("ids", _are_texts, "several names", "['customer']"),
    ("reasons", lambda value: value is None or _is_count(value), "None, or an integer from 0", "4"),
    ("points", lambda value: isinstance(value, bool), "True or False", "False"),
    ("booleans", _are_texts, "several names", "['employed']"),
    ("form", lambda value: value in ("select", "view", "table"), "'select', 'view' or 'table'", "'view'"),
    ("name", lambda value: value is None or _is_table(value), "None, a name, or schema and name", "'scores'"),
    ("url", lambda value: value is None or _is_text(value), "None or a text", "'postgresql://localhost/bank'"),
)
