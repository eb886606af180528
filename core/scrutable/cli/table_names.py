"""Names of tables on the command line: a name, or schema.name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scrutable.errors import InputError

#: Options of exporters that name a table or a view, and how the command line names it too.
_NAMES = {"table": "--table", "name": "--name", "texts": ""}


def table_name(name: str | None) -> Any:
    """A name, or the list of a schema and a name.

    Raises
    ------
    InputError : more parts than two.

    Examples
    --------
    >>> table_name("applicants"), table_name("risk.applicants")
    ('applicants', ['risk', 'applicants'])
    """
    if name is None:
        return None
    schema, dot, rest = name.partition(".")
    if not dot:
        return name
    if not schema or not rest or "." in rest:
        fix = """a name that holds a dot goes into --option, for example --option 'table="a.b"'"""
        raise InputError(
            "not a name of a table", where="--table, --name", got=name, allowed="name or schema.name", fix=fix
        )
    return [schema, rest]


def refuse_dotted(pairs: Iterable[str]) -> None:
    """Refuse `table=schema.name` among options, which are JSON or texts: it would be one name that holds a dot.

    `name=` and `texts=`, which name tables too, are refused alike.

    Raises
    ------
    InputError : such an option.

    Examples
    --------
    >>> refuse_dotted(["table=applicants", 'table="a.b"', 'name=["risk", "scores"]'])
    >>> refuse_dotted(["table=Risk.applicants_v"])
    Traceback (most recent call last):
    ...
    scrutable.errors.InputError: --option table: schema and name, or one name with a dot; got 'Risk.applicants_v'...
    """
    for pair in pairs:
        key, _, value = (part.strip() for part in pair.partition("="))
        if key in _NAMES and "." in value and not value.startswith(('"', "[")):
            schema, _, name = value.partition(".")
            raise InputError(
                "schema and name, or one name with a dot",
                where=f"--option {key}",
                got=value,
                allowed=f"""'{key}=["{schema}", "{name}"]', or '{key}="{value}"' for one name""",
                fix=f"write which of both it is{f', or give {_NAMES[key]} {value}' if _NAMES[key] else ''}",
            )
