"""The text of a view as data: what it reads, and the very same text over other rows.

A text is cut at the places that the parser tells, and otherwise stays as the database gives it, letter by letter: what
runs over other rows is what is deployed.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlglot
from sqlglot import TokenType, exp

from scrutable.errors import InputError
from scrutable_deployment.names import Named, apart, is_same

#: How deep views may stand on views.
_DEEPEST = 20
_BEGINNINGS = (TokenType.WITH, TokenType.SELECT, TokenType.L_PAREN)


@dataclass(frozen=True, slots=True)
class Reference:
    """A place where a query reads a table: from `start` up to `end` in its text, and whether an alias follows."""

    name: Named
    start: int
    end: int
    aliased: bool


@dataclass(frozen=True, slots=True)
class Rows:
    """What stands in a table's place.

    Parameters
    ----------
    source : the table.
    tables : common table expressions, the last of which is the rows; `name` is its name, as it is read.
    """

    source: Named
    tables: Sequence[str]
    name: str


def query_of(text: str, dialect: str) -> str:
    """The query of a view's text, without the CREATE before it or the semicolon behind.

    Parameters
    ----------
    dialect : as sqlglot calls it.

    Raises
    ------
    InputError : the text cannot be read.

    Examples
    --------
    >>> query_of("CREATE VIEW a.b AS WITH c AS (SELECT 1) SELECT * FROM c;", "duckdb")
    'WITH c AS (SELECT 1) SELECT * FROM c'
    """
    tokens = _tokens(text, dialect)
    if tokens and tokens[-1].token_type == TokenType.SEMICOLON:
        text, tokens = text[: tokens[-1].start], tokens[:-1]
    if any(token.token_type == TokenType.SEMICOLON for token in tokens):
        raise _unreadable("several statements")
    if not tokens or tokens[0].token_type != TokenType.CREATE:
        return text.strip()
    depth = 0
    for token, following in itertools.pairwise(tokens):
        depth += _deeper(token)
        if depth == 0 and token.token_type == TokenType.ALIAS and following.token_type in _BEGINNINGS:
            return text[following.start :].strip()
    raise _unreadable("no query in it")


def references(query: str, dialect: str) -> list[Reference]:
    """Where a query reads tables that it does not make itself, from left to right; catalogues are left out.

    Examples
    --------
    >>> [each.name for each in references("WITH c AS (SELECT 1) SELECT * FROM c, risk.loans AS t", "postgres")]
    [('risk', 'loans')]
    """
    tree = _parsed(query, dialect)
    own = {each.alias.casefold() for each in tree.find_all(exp.CTE)}
    read = [_reference(table) for table in tree.find_all(exp.Table) if isinstance(table.this, exp.Identifier)]
    kept = [each for each in read if not (isinstance(each.name, str) and each.name.casefold() in own)]
    return sorted((each for each in kept if not _is_catalogue(each.name)), key=lambda each: each.start)


def replaced(query: str, places: Sequence[tuple[Reference, str]]) -> str:
    """The query with other texts where it reads some tables.

    A column may be called by its table's name, so that what takes a table's place is called so too.
    """
    for place, text in sorted(places, key=lambda each: each[0].start, reverse=True):
        query = query[: place.start] + text + query[place.end :]
    return query


def whole(
    query: str,
    dialect: str,
    quoted: Callable[[Named], str],
    view_of: Callable[[Named], str | None],
    rows: Rows | None = None,
    depth: int = 0,
) -> str:
    """The query with the views that it reads written out, down to what no view is or is to be kept.

    Parameters
    ----------
    view_of : the query of a view, None for what stays as it is.
    rows : what stands in a table's place; it is made where the table is read, since not every engine looks further out.
    """
    if depth > _DEEPEST:
        raise _unreadable(f"views on views, more than {_DEEPEST}")
    places, reads = [], False
    for place in references(query, dialect):
        if rows is not None and is_same(place.name, rows.source):
            places.append((place, f"{rows.name}{called(place, quoted)}"))
            reads = True
        elif (inner := view_of(place.name)) is not None:
            text = whole(inner, dialect, quoted, view_of, rows, depth + 1)
            places.append((place, f"({text}\n){called(place, quoted)}"))
    if not reads or rows is None:
        return replaced(query, places)
    made, start = ",\n".join(rows.tables), _after_with(query, dialect)
    text = replaced(query, places)
    return f"{text[:start]}\n{made},{text[start:]}" if start else f"WITH\n{made}\n{text}"


def over(query: str, dialect: str, rows: Rows, quoted: Callable[[Named], str]) -> str:
    """The query over other rows.

    Raises
    ------
    InputError : the query does not read the source.

    Examples
    --------
    >>> print(over("SELECT age FROM loans AS t", "duckdb", Rows("loans", ["r AS (SELECT 1 AS age)"], "r"), str))
    WITH
    r AS (SELECT 1 AS age)
    SELECT age FROM r AS t
    """
    if not any(is_same(place.name, rows.source) for place in references(query, dialect)):
        raise InputError("the text does not read the table", where="deployed text", got=rows.source)
    return whole(query, dialect, quoted, lambda name: None, rows)


def parts_of(query: str, dialect: str) -> tuple[str, str, str]:
    """A query with common table expressions: those, with WITH before them, its last SELECT, and what ends the whole.

    Examples
    --------
    >>> parts_of("WITH a AS (SELECT 1 AS b) SELECT b FROM a SETTINGS max_threads = 1", "clickhouse")
    ('WITH a AS (SELECT 1 AS b)', 'SELECT b FROM a', ' SETTINGS max_threads = 1')
    """
    depth, last, ending = 0, -1, len(query)
    for token in _tokens(query, dialect):
        depth += _deeper(token)
        if depth == 0 and last < 0 and token.token_type == TokenType.SELECT:
            last = token.start
        elif depth == 0 and last >= 0 and token.token_type == TokenType.SETTINGS:
            ending = min(ending, token.start)
    if last <= 0:
        raise _unreadable("no common table expressions before its SELECT")
    settings = query[ending:]
    return query[:last].rstrip(), query[last:ending].rstrip(), f" {settings}" if settings else ""


def results_named(query: str, dialect: str, known: Sequence[str]) -> list[str]:
    """The known ones among the columns that a query gives.

    >>> results_named("SELECT id, score, 1 AS approved FROM a", "duckdb", ["score", "approved"])
    ['score', 'approved']
    """
    tree = _parsed(query, dialect)
    return [name for name in tree.named_selects if name in known] if isinstance(tree, exp.Query) else []


def called(place: Reference, quoted: Callable[[Named], str]) -> str:
    """What follows another text in a table's place, so that columns find it by the table's name."""
    if place.aliased:
        return ""
    return f" {quoted(apart(place.name)[1])}"


def _reference(table: exp.Table) -> Reference:
    given = [table.args.get(key) for key in ("this", "db", "catalog")]
    parts = [part for part in given if isinstance(part, exp.Identifier)]  # in bank..loans, the schema is none
    name: Named = (table.db, table.name) if table.db else table.name
    start = min(part.meta["start"] for part in parts)
    return Reference(name, start, table.this.meta["end"] + 1, bool(table.alias))


def _is_catalogue(name: Named) -> bool:
    schema, own = apart(name)
    return schema in ("pg_catalog", "information_schema") or (schema is None and own.startswith("pg_"))


@functools.lru_cache(maxsize=16)
def _parsed(query: str, dialect: str) -> exp.Expr:
    """A query as the parser reads it, which takes a while."""
    try:
        return sqlglot.parse_one(query, dialect=dialect)
    except sqlglot.errors.SqlglotError as error:
        raise _unreadable(type(error).__name__) from error


def _after_with(query: str, dialect: str) -> int:
    """Where the first common table expression of a query begins; 0 where it has none."""
    first, second = _tokens(query, dialect)[:2]
    if first.token_type != TokenType.WITH:
        return 0
    return int((second if second.token_type == TokenType.RECURSIVE else first).end + 1)


def _deeper(token: Any) -> int:
    """By how much a token changes how deep brackets nest; a text that is a bracket is none."""
    return int(token.token_type == TokenType.L_PAREN) - int(token.token_type == TokenType.R_PAREN)


def _tokens(text: str, dialect: str) -> list[Any]:
    try:
        return list(sqlglot.tokenize(text, dialect=dialect))
    except sqlglot.errors.SqlglotError as error:
        raise _unreadable(type(error).__name__) from error


def _unreadable(why: str) -> InputError:
    return InputError(
        "its text cannot be read",
        where="deployed text",
        got=why,
        fix="deploy the exported text as it is; a view of yours may stand on it",
    )
