"""What the user chooses about the text and the table it reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from scrutable.errors import InputError, did_you_mean
from scrutable_sql.dialects import DIALECTS, Dialect

Form = Literal["select", "view", "table"]
#: A table or view: its name, or schema and name. A dot inside a name is part of the name.
Qualified = str | tuple[str, str]

_FORMS = ("select", "view", "table")


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
        if self.dialect not in DIALECTS:
            raise InputError(
                "unknown dialect", where="option dialect", got=self.dialect, fix=did_you_mean(self.dialect, DIALECTS)
            )
        if self.form not in _FORMS:
            raise InputError("unknown form", where="option form", got=self.form, allowed=", ".join(_FORMS))
        if (self.form == "select") != (self.name is None):
            raise InputError(
                "a view or table has a name, a select has none",
                where="option name",
                got=self.name,
                fix="give form='view' or form='table' together with name=…",
            )
        if self.reasons is not None and self.reasons < 0:
            raise InputError("not a number of reasons", where="option reasons", got=self.reasons, allowed="0 or more")
        for option in ("table", "name"):
            value = getattr(self, option)
            if not isinstance(value, str | None) and len(value) != 2:
                raise InputError("expected a name, or schema and name", where=f"option {option}", got=value)
        for option in ("ids", "booleans"):
            value = getattr(self, option)
            if isinstance(value, str):
                raise InputError("expected several names", where=f"option {option}", got=value, fix=f"give [{value!r}]")
            object.__setattr__(self, option, tuple(value))
        object.__setattr__(self, "columns", dict(self.columns or {}))

    @property
    def engine(self) -> Dialect:
        """The dialect's row of the table."""
        return DIALECTS[self.dialect]

    def column(self, feature: str) -> str:
        """The column that holds a feature."""
        return self.columns.get(feature, feature)


def parts(name: Qualified) -> tuple[str, ...]:
    """Schema, if there is one, and name."""
    return (name,) if isinstance(name, str) else tuple(name)
