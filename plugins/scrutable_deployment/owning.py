"""Who owns the views that are there: in PostgreSQL a view reads with its owner's rights, not with its reader's."""

from __future__ import annotations

from collections.abc import Sequence

from scrutable.errors import InputError
from scrutable_deployment.database import Database
from scrutable_deployment.names import Named, in_quotes, spoken


def check_owner(database: Database, views: Sequence[Named]) -> None:
    """Refuse to deploy beside views of another role, which could not read what this one makes.

    Elsewhere nothing is asked: DuckDB and SQLite have no roles, and a view that MariaDB replaces gets a new definer.

    Parameters
    ----------
    views : that are there or not.

    Raises
    ------
    InputError : a view has another owner than the present role.
    """
    if database.dialect.name != "postgres" or not views:
        return
    given = ", ".join(f"({place}, {database.literal(in_quotes(view))})" for place, view in enumerate(views))
    rows = database.rows(
        "SELECT place, pg_catalog.pg_get_userbyid(relowner), CURRENT_USER"
        f" FROM (VALUES {given}) AS given (place, name)"
        " JOIN pg_catalog.pg_class ON oid = pg_catalog.to_regclass(name)"
        " WHERE relkind = 'v' AND pg_catalog.pg_get_userbyid(relowner) <> CURRENT_USER ORDER BY place",
        "asking who owns the views",
        "SELECT on the database's catalogue",
    )
    for place, owner, role in rows:
        raise InputError(
            "the view belongs to another role; views read with their owner's rights, so that readers would be refused",
            where=f"view {spoken(views[place])}, owner",
            got=f"present role {role}",
            allowed=owner,
            fix=f"deploy as {owner}, where a role may act as it with ?options=-crole%3D{owner} in the URL; or give the"
            f" present role all views of the name with ALTER VIEW … OWNER TO",
        )
