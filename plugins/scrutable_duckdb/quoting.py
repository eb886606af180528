"""Names and texts as DuckDB's SQL has them, quoted by sqlglot."""

from __future__ import annotations


def name_of(*parts: str) -> str:
    """The quoted name of a column or, with what it stands in before it, of a table.

    >>> name_of("bank", 'a "b"')
    '"bank"."a ""b""\"'
    """
    from sqlglot import exp

    return ".".join(exp.to_identifier(part, quoted=True).sql("duckdb") for part in parts)


def text_of(text: str) -> str:
    """A text as a literal.

    >>> text_of("it's")
    "'it''s'"
    """
    from sqlglot import exp

    return exp.Literal.string(text).sql("duckdb")
