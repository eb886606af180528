"""The rows of a table whose key is not in another table yet."""

from __future__ import annotations

from scrutable_sql.options import SQLOptions
from scrutable_sql.quoting import name


def new_rows(table: str, target: str, options: SQLOptions) -> str:
    """A query in brackets of what is new in a table; both are as they stand in the text.

    Where a column only rises, rows below the greatest that is there are left out by a comparison that an index meets;
    the first time, where nothing is there, all rows are new.

    Examples
    --------
    >>> options = SQLOptions(form="insert", name="scores", key="id", new_only=True)
    >>> print(new_rows("applicants", "scores", options))
    (SELECT a.* FROM applicants AS a WHERE NOT EXISTS (SELECT 1 FROM scores AS b WHERE b."id" = a."id"))
    """
    assert options.key is not None, "checked before"
    d = options.target
    a, b = (d.alias.removesuffix("t") + letter for letter in "ab")
    conditions = [d.not_yet.format(target=target, alias=b, key=name(options.key, d))]
    if options.rising is not None:
        column, c = name(options.rising, d), f"{d.alias.removesuffix('t')}c"
        greatest = f"(SELECT MAX(b.{column}) FROM {target} {b})"
        least, last = (f"(SELECT {each}(c.{column}) FROM {table} {c})" for each in ("MIN", "MAX"))
        # an upper end, which leaves nothing out, tells planners that it is a short range
        conditions = [f"a.{column} >= COALESCE({greatest}, {least})", f"a.{column} <= {last}", *conditions]
    return f"(SELECT a.* FROM {table} {a} WHERE {' AND '.join(conditions)})"
