"""What a dialect of SQL is: everything in which the engines differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Reading:
    """How columns of one kind are read.

    Parameters
    ----------
    kinds : what the engine calls columns, or values, of this kind.
    value : the double or the text of a column, `{}`; missing is NULL, and texts are compared by code point.
    with_nan : the same where NaN may stay as it is, if that is less work.
    """

    kinds: tuple[str, ...]
    value: str
    with_nan: str = ""


@dataclass(frozen=True, slots=True)
class Bits:
    """How whole numbers of 64 bits, or of 128, none of them negative, are taken apart.

    Parameters
    ----------
    common : the bits that two of them, `{0}` and `{1}`, have in common.
    right : the bits of one, `{0}`, moved to the right by `{1}`.
    item : of some `{items}`, the one whose place, from 1, is that of the lowest of some `{bits}`, and NULL where these
        are none; empty where the dialect has no lists.
    wide : the type of whole numbers of 128 bits; empty where these cannot be taken apart alike.
    """

    common: str = "{0} & {1}"
    right: str = "{0} >> {1}"
    item: str = ""
    wide: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calling:
    """How a query is written as something that is called with a value for each feature.

    Parameters
    ----------
    opening, closing : what stands around the query, by `{name}`, `{arguments}`, `{results}` and, where the query is a
        text itself, a `{tag}` that it does not hold.
    argument : how one is declared, by `{name}` and `{type}`.
    value : how it is read in the query.
    result : how a column that comes back is declared, where these are.
    plain : whether names of arguments are letters, digits and underscores, not quoted.
    called : how it is called, in words.
    """

    opening: str
    closing: str = ""
    argument: str = "{name} {type}"
    value: str = "{name}"
    result: str = "{name} {type}"
    plain: bool = False
    called: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """How an engine tells which columns a table has, and of which types.

    Parameters
    ----------
    source : what is read, from after FROM on, with a row for each column: of the `{table}` in the `{schema}`, both text
        literals or what stands for them, or of the `{relation}`, a text literal of both as they are quoted.
    current : what stands for the schema where a table is named without one.
    column, type, shown : a column's name; the word for its type, which the next lists hold; how people know the type.
    numeric, categorical, boolean : the words of types that can be read as such; Boolean ones are numeric where empty.
    short : the words among these of floating types of less than 64 bits, which lose digits.
    folded : whether names that differ in nothing but case are one.
    """

    source: str
    current: str = ""
    column: str = "column_name"
    type: str = "LOWER(data_type)"
    shown: str = "data_type"
    numeric: tuple[str, ...]
    categorical: tuple[str, ...]
    boolean: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    folded: bool = True

    def words(self, kind: str) -> tuple[str, ...]:
        """The words of types that hold numeric, categorical or boolean features."""
        if kind == "categorical":
            return self.categorical
        return self.boolean if kind == "boolean" and self.boolean else self.numeric


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    r"""One engine: a declaration, which the exporter `sql` writes by.

    A plugin that adds one offers it by the hook `scrutable_dialects`, and has it tested in the engine itself.

    Parameters
    ----------
    name : as users call it.
    title : as people call it.
    since : the versions and settings under which the text is right, in words.
    proven : whether the project's tests run its texts in the engine itself.
    run_in : another engine in which the tests run its texts, in words; where neither is, they are only written and
        parsed back.
    in_order : whether results are known to come back in the order of the table.
    parser : as sqlglot calls it, where that is another name.
    double, text : its names of IEEE doubles and of texts, that may be NULL, in casts.
    integer : its name of integers of 64 bits in casts of doubles that are integers.
    stored_double, stored_text, stored_boolean, stored_integer : their names as columns of a table, where `run` makes
        one; the first two are those of casts unless they are given.
    temporary : how a table begins that only `run` sees.
    infinity : the double +inf; None where there is none, and no row holds one either.
    holds_nan, holds_empty : whether a column can hold NaN, and the text of no characters.
    kind : the engine's word for what a `{column}` of the `{table}` holds, one of a `Reading`'s kinds if it can be read;
        None where no expression tells.
    numeric, categorical : how such columns are read.
    boolean : how columns of truth values are read, where they are not read as numbers.
    excluded : the input that the engine cannot hold exactly, in words.
    prefix : what stands before every text literal.
    unquoted : printable characters of ASCII that do not stand between quotes, since settings or clients give them a
        meaning there.
    spelled : how these and all that are not printable ASCII are called, by their `{codes}`, the hexadecimal digits of
        their `{utf8}` or `{utf16}`, or `{escapes}` such as \u00fc; one by one, by the `{code}` of a character or its
        16-bit `{unit}`.
    concatenated : what stands between the pieces of such a text, and around them.
    letter : what stands before a name that is not all printable ASCII, and how its other characters are written inside
        of the quotes, by their `{code}` or each `{byte}` of UTF-8; None where the dialect has no such way.
    guard : what is appended to texts before they are compared, in engines that ignore blanks at the end.
    exact_literal : a double from its `{quoted}` decimal text or its `{scientific}` notation; None where the engine may
        miss the nearest double, so that doubles are written as an integer over a power of two. SQLite 3.40 misses
        about 1 in 10,000.
    decimals_are_doubles : whether a literal like 0.5 is a double, rather than of a decimal type.
    smallest : the smallest double above 0 that is sure to be held.
    power : a power of two, `{}`, in that quotient; integers there must not be divided as integers.
    dividend : the integer that is divided.
    column : how a column, `{}`, is called.
    alias : what names the table.
    row_numbers : columns that every table has unless it has one of that name.
    fence, fence_after : what keeps a step from being merged into the next, which would work out each expression many
        times over: before and at the end of its query, where `{nulls}` are as many as it has columns. A filter on a
        column of the table should pass it.
    fence_table : what is put after the table, where the engine would else merge all steps to read fewer columns.
    lateral : whether the steps are a LATERAL query of each row, which filters on columns of the table never meet.
    ending : what stands at the end of the whole query.
    create_table : how a table is made from a query; None where the dialect has no such statement.
    unsigned_literals : whether whole numbers in a text are of unsigned types, which no signed one holds.
    greatest : its function for the greatest of several values.
    logarithm : the natural one of a double, `{}`.
    remainder : of an integer, `{0}`, divided by another.
    bits : how points and reasons that are put together in one whole number are taken apart; None where they are kept
        apart.
    smallest_slope : the smallest slope of a calibration, above 0, with which no multiplication raises an underflow.
    max_name, name_bytes : longest name, in bytes of UTF-8 or in characters; PostgreSQL cuts longer ones silently.
    forbidden : a regular expression of what no name may contain.
    no_alias : a regular expression of what columns of a table can be called and results cannot.
    literals : how rows of literals are written: as `selects` put together, as a list of `values`, or as ClickHouse's
        `function`.
    nowhere : what a SELECT without a table ends with.
    max_columns : most columns of one result.
    max_cases : how deep CASE can nest.
    max_list : most values in one IN list.
    create_columns : how a table of some `{columns}` is made by its `{name}`, unless it is there where the dialect can.
    calling : how a query is called with values of one application; None where it cannot be.
    calling_table : what stands around a query that is called with the name of a `{table}`, and what that name is read
        by; None where it cannot be.
    with_first : whether WITH stands before INSERT.
    not_yet : whether a `{key}` of a row, `a`, is not in a `{target}` yet.
    catalogue : how the columns of a table are told; None where no statement tells them.
    raising : an expression that stops the statement with a `{message}`; empty where there is none.
    schemes : of the URLs by which SQLAlchemy connects to the engine, as `run` takes them; those of ours are known.
    """

    name: str
    title: str
    since: str
    proven: bool = False
    run_in: str = ""
    in_order: bool = False
    parser: str = ""
    double: str
    text: str
    stored_double: str = ""
    stored_text: str = ""
    stored_boolean: str = "BOOLEAN"
    stored_integer: str = "BIGINT"
    integer: str = "BIGINT"
    temporary: str = "CREATE TEMPORARY TABLE"
    infinity: str | None
    holds_nan: bool = True
    holds_empty: bool = True
    kind: str | None
    numeric: Reading
    categorical: Reading
    boolean: Reading | None = None
    excluded: str
    prefix: str = ""
    unquoted: str = ""
    spelled: str = "CHR({code})"
    concatenated: tuple[str, str] = (" || ", "({})")
    letter: tuple[str, str] | None = None
    guard: str = ""
    exact_literal: str | None = "CAST({quoted} AS {double})"
    decimals_are_doubles: bool = False
    smallest: float = 0.0
    power: str = "{}.0"
    dividend: str = "{}"
    column: str = "t.{}"
    alias: str = "AS t"
    row_numbers: tuple[str, ...] = ()
    fence: str = ""
    fence_after: str = ""
    fence_table: str = ""
    lateral: bool = False
    ending: str = ""
    create_table: str | None = "CREATE TABLE {} AS"
    unsigned_literals: bool = False
    greatest: str = "GREATEST"
    logarithm: str = "LN({})"
    remainder: str = "{0} % {1}"
    bits: Bits | None = None
    smallest_slope: float = 0.0
    max_name: int | None = None
    name_bytes: bool = True
    forbidden: str | None = None
    no_alias: str | None = None
    literals: Literal["selects", "values", "function"] = "selects"
    nowhere: str = ""
    max_columns: int = 100_000
    max_cases: int = 200
    max_list: int = 100_000
    create_columns: str = "CREATE TABLE IF NOT EXISTS {name} ({columns})"
    calling: Calling | None = None
    calling_table: tuple[str, str] | None = None
    with_first: bool = False
    not_yet: str = "NOT EXISTS (SELECT 1 FROM {target} {alias} WHERE b.{key} = a.{key})"
    catalogue: Catalogue | None = None
    raising: str = ""
    schemes: tuple[str, ...] = ()

    def reading(self, kind: str) -> Reading:
        """How columns are read that are numeric, categorical or boolean."""
        if kind == "categorical":
            return self.categorical
        return self.boolean or self.numeric if kind == "boolean" else self.numeric

    @property
    def sqlglot(self) -> str:
        """The dialect as sqlglot calls it."""
        return self.parser or self.name

    @property
    def heading(self) -> str:
        """For whom the text is, and whether it was ever run there."""
        whom = f"{self.title} {self.since}"
        if self.proven:
            return f"For {whom}."
        tests = "run by the project's tests"
        return f"Written for {whom}; " + (f"{tests} in {self.run_in}, not there." if self.run_in else f"not {tests}.")

    def stored(self, kind: str) -> str:
        """The type of a column that `run` makes: numeric, categorical, boolean or integer."""
        types = {
            "numeric": self.stored_double or self.double,
            "categorical": self.stored_text or self.text,
            "boolean": self.stored_boolean,
            "integer": self.stored_integer,
        }
        return types[kind]
