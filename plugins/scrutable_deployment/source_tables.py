"""From what is deployed to the table whose rows it scores, through views that stand on views."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from scrutable.errors import InputError
from scrutable_deployment.catalogues import Deployed, read_deployed
from scrutable_deployment.database import Database
from scrutable_deployment.deployed_text import Rows, query_of, references, whole
from scrutable_deployment.names import Named, is_same, spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A table, and the query that scores its rows.

    Parameters
    ----------
    source : the table or view with the columns that a model reads.
    query : what is deployed, down to the source; None where a table is deployed, which has no text.
    over : the query over other rows in the source's place.
    """

    source: Deployed
    query: str | None = None
    over: Callable[[Rows], str] | None = None


def scored_by(database: Database, deployed: Deployed, columns: Collection[str], table: Named | None) -> Scored:
    """What is deployed, as one query over the table whose rows it scores.

    Parameters
    ----------
    columns : that the table has, since the model reads them.
    table : the table, where it is told.

    Raises
    ------
    InputError : it is not told and cannot be found, or the text reads another one.
    """
    if deployed.text is None:
        if table is None:
            raise InputError(
                "a table does not tell whose rows it scores",
                where=deployed.title,
                fix="name the table that the model's inputs are in with --table",
            )
        return Scored(source=read_deployed(database, table))
    known: dict[Named, Deployed] = {}

    def looked_up(name: Named) -> Deployed:
        if name not in known:
            known[name] = read_deployed(database, name)
        return known[name]

    def view_of(name: Named) -> str | None:
        if _is_source(looked_up(name), columns, table):
            return None
        text = looked_up(name).text
        return None if text is None else query_of(text, database.dialect.sqlglot)

    first = query_of(deployed.text, database.dialect.sqlglot)
    query = whole(first, database.dialect.sqlglot, database.quoted, view_of)
    read = dict.fromkeys(place.name for place in references(query, database.dialect.sqlglot))
    sources = [name for name in read if _is_source(looked_up(name), columns, table)]
    if len(sources) != 1:
        raise InputError(
            "the text does not read the table of the model's inputs"
            if not sources
            else "the text reads several tables",
            where=deployed.title,
            got=", ".join(map(spoken, read)) or "no table",
            allowed=spoken(table) if table is not None else f"a table with {', '.join(columns)}",
            fix="name the table with --table, and columns that are called otherwise with --column",
        )

    def over(rows: Rows) -> str:
        return whole(first, database.dialect.sqlglot, database.quoted, view_of, rows)

    return Scored(source=looked_up(sources[0]), query=query, over=over)


def _is_source(one: Deployed, columns: Collection[str], table: Named | None) -> bool:
    if table is None:
        return set(columns) <= set(one.columns)
    return is_same(one.name, table)
