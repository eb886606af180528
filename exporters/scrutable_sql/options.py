"""What the user chooses about the text and the table it reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self, get_args

from scrutable.errors import InputError
from scrutable.plugins.bases import ResultOptions, Watch
from scrutable_sql.dbt_versions import check_versions
from scrutable_sql.dialects import Dialect, dialect_named
from scrutable_sql.quoting import Qualified

Form = Literal["select", "view", "table", "dbt", "insert", "function", "set"]

#: The column that says which model decided a row.
FINGERPRINT = "model_fingerprint"
#: The column that says which of its versions that is.
VERSION = "model_version"
#: Names of dbt models: they are names of files too.
_MODEL = re.compile("[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class SQLOptions(ResultOptions):
    """Options of the exporter `sql`, and those of `ResultOptions`; one object, checked once.

    Parameters
    ----------
    dialect : run and proven are `duckdb`, `sqlite`, `postgres`, `mariadb`, `clickhouse` and `spark`; written only are
        `mysql`, `bigquery`, `snowflake`, `tsql`, `oracle`, `redshift`, `databricks` and `trino`. Plugins add others.
    table : the table or view to read: a name, or a pair of schema and name.
    columns : column of the table by feature, where it is not the feature's name.
    ids : columns of the table to carry through, as they are, before the results.
    reasons : how many of the model's reasons to return; None for as many as its reason policy gives, 0 for none.
    shortfalls : whether to return by how much each reason falls short, beside its code.
    points : whether to return what the score is made of: the points of every characteristic of a scorecard, the rules
        that apply of a rule set.
    fingerprint : whether an `insert`, a `table` or a `view` has a last column `model_fingerprint`, which says of each
        row which model decided it.
    version : the number of a version. These forms have it in a column `model_version`, before that of the fingerprint;
        the file of a dbt model is then `<name>_v<version>.sql`, one of the versions of the model.
    texts : a table for the texts of reasons, of this model and of others, by fingerprint, language and code. Further
        files create it, fill it, and create the view `<name>_reasons`: a row for each reason of each declined
        application, with its text.
    booleans : numeric features whose columns are BOOLEAN. PostgreSQL refuses to cast those to a double directly and
        needs to be told; the other engines do not.
    utf8_names : whether names of tables and columns may hold other characters than printable ASCII where the dialect
        cannot write those in ASCII. The text then holds them as UTF-8, and the client that runs it must read it so: one
        with another character set, such as mariadb with latin1, looks for another name. Dialects that can, PostgreSQL,
        ClickHouse and BigQuery, never need it.
    form : `select`, or `view` or `table` to create one called `name`, or `insert` to add rows to a table of that name,
        or `function` to create one that is called with a value for each feature, or `set` for one that is called with
        the name of a table, or `dbt` for a model of that name and a `<name>.yml` that documents and tests its columns.
    name : the view, table or function to create, the table to add to, or the dbt model.
    key : the column of the table that tells its rows apart; it is carried through, before `ids`.
    new_only : whether an `insert` adds, or a dbt model that is `incremental` works out, only rows whose key is not
        there yet.
    rising : a column among `key` and `ids` that only grows, such as a date: with `new_only`, rows below the greatest
        that is there are not even looked at, nor are those where it is NULL.
    id_types : by name, the types of `key` and `ids`; where dbt is told all of them, its contract is enforced.
    relation : how a dbt model finds the table: `ref`, or `source`, for which `table` is a pair of source and table.
    materialized : what dbt makes of the model: `view`, `table`, `incremental` or `ephemeral`.
    latest : the version that `ref` finds where it names none; `version` unless it is given.
    earlier : the text of the `<name>.yml` that was written for earlier versions, which stay in the new one.
    checks : whether further files hold statements that tell what is wrong with the table: `score_columns.sql` columns
        that are missing or of a type that cannot be read or loses digits, where the dialect can tell; `score_check.sql`
        rows without a score, with unseen categories and with numbers out of range, inputs that are missing in all rows
        or never were in the fit. Each row they return is a violation.
    tolerated : the share of rows that may have an unseen category, a number out of range, or an input missing that
        never was in the fit, in a column.
    raising : whether these statements stop with an error at a violation, or at an alert, rather than return it.
    monitoring : what `scrutable_lifecycle.monitoring.watch` makes of a baseline. Further files then hold statements
        that watch the table: `score_monitoring.sql` returns counts, shares, indices and ratios with what their
        thresholds say, `score_monitoring_alerts.sql` the alerts among them.
    test_rows : how many rows a second file, `score_test.sql`, runs the statement on and compares with what the model
        says of them; 0 for no such file.
    url : database for `run`, as SQLAlchemy takes it, for example `postgresql://localhost/bank` (with psycopg) or
        `mariadb+pymysql://localhost/bank`; not needed where the engine runs in this process. Never part of an export.

    Raises
    ------
    InputError : an option has a value that it cannot have.
    """

    dialect: str = "duckdb"
    table: Qualified = "applicants"
    columns: Mapping[str, str] = field(default_factory=dict)
    ids: tuple[str, ...] = ()
    reasons: int | None = None
    shortfalls: bool = True
    points: bool = True
    fingerprint: bool = False
    version: int | None = None
    texts: Qualified | None = None
    booleans: tuple[str, ...] = ()
    utf8_names: bool = False
    form: Form = "select"
    name: Qualified | None = None
    relation: Literal["ref", "source"] = "ref"
    materialized: Literal["view", "table", "incremental", "ephemeral"] = "view"
    key: str | None = None
    latest: int | None = None
    earlier: str | None = None
    new_only: bool = False
    rising: str | None = None
    id_types: Mapping[str, str] = field(default_factory=dict)
    checks: bool = True
    tolerated: float = 0.0
    raising: bool = False
    monitoring: Watch | None = field(default=None, repr=False)
    test_rows: int = 0
    url: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
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
        dialect_named(self.dialect)
        if (self.form == "select") != (self.name is None):
            raise InputError(
                "whatever is created or added to has a name, a select has none",
                where="option name",
                got=self.name,
                fix="give form='view', 'table', 'insert', 'function', 'set' or 'dbt' together with name=…",
            )
        if self.form == "dbt":
            self._check_dbt()
        check_versions(self.form, self.name, self.version, self.latest, self.earlier)
        for option in ("ids", "booleans"):
            object.__setattr__(self, option, tuple(getattr(self, option)))
        for option in ("columns", "id_types"):
            object.__setattr__(self, option, dict(getattr(self, option)))
        if self.key is not None and self.key not in self.ids:
            object.__setattr__(self, "ids", (self.key, *self.ids))
        self._check_new_only()
        self._check_texts()
        self._check_marks()
        if self.monitoring is not None and self.form in ("function", "set"):
            raise InputError(
                "what is called with values has no table to watch",
                where="option monitoring",
                got=f"form={self.form!r}",
                fix="give another form",
            )

    @property
    def target(self) -> Dialect:
        """The dialect's row of the table."""
        return dialect_named(self.dialect)

    @property
    def created(self) -> Qualified | None:
        """The view or table that the text creates; None if it is a query."""
        return self.name if self.form in ("view", "table") else None

    @property
    def reasons_view(self) -> Qualified | None:
        """The view of reasons and their texts, beside the view or table of results; None where there is none."""
        if self.texts is None or self.name is None:
            return None
        return f"{self.name}_reasons" if isinstance(self.name, str) else (self.name[0], f"{self.name[1]}_reasons")

    @property
    def called(self) -> bool:
        """Whether the text creates something that is called with values, and reads no table."""
        return self.form == "function"

    def column(self, feature: str) -> str:
        """The column that holds a feature."""
        return self.columns.get(feature, feature)

    @property
    def marks(self) -> tuple[str, ...]:
        """Columns after the results, which are the same in each row."""
        version = [] if self.version is None or self.form == "dbt" else [VERSION]
        return (*version, *([FINGERPRINT] if self.fingerprint else []))

    def _check_marks(self) -> None:
        for option in ("version", "fingerprint"):
            value = getattr(self, option)
            kept = ("insert", "table", "view", *(["dbt"] if option == "version" else []))
            if value not in (None, False) and self.form not in kept:
                raise InputError(
                    "only rows that are kept, or a view, say which model decided them",
                    where=f"option {option}",
                    got=value,
                    fix="give form='insert', 'table' or 'view', and name=…",
                )

    def _check_texts(self) -> None:
        if self.texts is not None and self.form not in ("view", "table", "insert"):
            raise InputError(
                "texts are joined to a view or a table of results",
                where="option texts",
                got=self.texts,
                fix="give form='view', 'table' or 'insert', and name=…",
            )

    def of_a_select(self, **changes: Any) -> Self:
        """The options under which what is created, or dbt's model, is the query by itself."""
        alone: dict[str, Any] = {"form": "select", "name": None, "new_only": False, "rising": None}
        alone |= {"version": None, "latest": None, "earlier": None}
        return replace(self, **alone, **changes)

    def _check_new_only(self) -> None:
        adds = self.form == "insert" or (self.form == "dbt" and self.materialized == "incremental")
        if self.new_only and not (adds and self.key is not None):
            raise InputError(
                "new rows are told by a key, and added to what is there",
                where="option new_only",
                got=True,
                fix="give key=… too, and form='insert', or form='dbt' with materialized='incremental'",
            )
        if self.rising is not None and (not self.new_only or self.rising not in self.ids):
            raise InputError(
                "a rising column is carried through, and tells where new rows begin",
                where="option rising",
                got=self.rising,
                allowed=f"with new_only=True, one of {', '.join(map(repr, self.ids))}",
                fix="name it in ids",
            )
        if self.called and self.ids:
            raise InputError(
                "what is called with values of one application carries no column through",
                where="options ids and key",
                got=list(self.ids),
                fix="leave them out, and take them from the table beside the call",
            )

    def _check_dbt(self) -> None:
        if not isinstance(self.name, str) or not _MODEL.fullmatch(self.name):
            raise InputError(
                "no name for a dbt model",
                where="option name",
                got=self.name,
                allowed="letters of ASCII, digits and underscores, no digit first",
                fix="for example name='scores'",
            )
        if self.relation == "source" and isinstance(self.table, str):
            raise InputError(
                "a dbt source needs its own name and the table's",
                where="option table",
                got=self.table,
                fix=f"give table=('name of the source', {self.table!r}), or relation='ref'",
            )


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(map(_is_text, value))


def _is_table(value: Any) -> bool:
    return _is_text(value) or (_are_texts(value) and len(value) == 2)


def _is_number(value: Any) -> bool:
    return value is None or (_is_count(value) and 1 <= value < 10**9)


def _is_truth(value: Any) -> bool:
    return isinstance(value, bool)


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
    ("shortfalls", _is_truth, "True or False", "False"),
    ("points", _is_truth, "True or False", "False"),
    ("fingerprint", _is_truth, "True or False", "True"),
    ("version", _is_number, "None, or an integer from 1, of at most nine digits", "3"),
    ("texts", lambda value: value is None or _is_table(value), "None, a name, or schema and name", "'reason_texts'"),
    ("booleans", _are_texts, "several names", "['employed']"),
    ("utf8_names", _is_truth, "True or False", "True"),
    (
        "form",
        lambda value: value in get_args(Form),
        "'select', 'view', 'table', 'dbt', 'insert', 'function' or 'set'",
        "'view'",
    ),
    ("name", lambda value: value is None or _is_table(value), "None, a name, or schema and name", "'scores'"),
    ("relation", lambda value: value in ("ref", "source"), "'ref' or 'source'", "'source'"),
    (
        "materialized",
        lambda value: value in ("view", "table", "incremental", "ephemeral"),
        "'view', 'table', 'incremental' or 'ephemeral'",
        "'table'",
    ),
    ("key", lambda value: value is None or _is_text(value), "None or a name", "'application_id'"),
    ("new_only", _is_truth, "True or False", "True"),
    ("rising", lambda value: value is None or _is_text(value), "None or a name", "'received_on'"),
    (
        "id_types",
        lambda value: isinstance(value, Mapping) and _are_texts([*value, *value.values()]),
        "the type of a column by its name",
        "{'application_id': 'bigint'}",
    ),
    ("checks", _is_truth, "True or False", "False"),
    (
        "tolerated",
        lambda value: isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1,
        "a share from 0 to 1",
        "0.01",
    ),
    ("latest", _is_number, "None, or an integer from 1, of at most nine digits", "2"),
    ("earlier", lambda value: value is None or _is_text(value), "None or a text", "the text of scores.yml"),
    ("raising", _is_truth, "True or False", "True"),
    (
        "monitoring",
        lambda value: value is None or isinstance(value, Watch),
        "what scrutable_lifecycle.monitoring.watch returns",
        "watch(model, baseline)",
    ),
    ("test_rows", lambda value: _is_count(value), "an integer from 0", "200"),
    ("url", lambda value: value is None or _is_text(value), "None or a text", "'postgresql://localhost/bank'"),
)
