"""`scrutable archive table`: a table for the records."""

from __future__ import annotations

from typing import Annotated

import typer

from scrutable import registry
from scrutable.cli import emit


def table(
    dialect: Annotated[str, typer.Option(help="A dialect of SQL, such as postgres.")] = "postgres",
    name: Annotated[str, typer.Option("--name", help="The table.")] = "decision_archive",
) -> None:
    """Print the statement that makes a table for the records in a database.

    `scrutable archive export` writes its rows, and `scrutable replay` reads them out of a file that the database
    wrote. Inputs are JSON texts with every digit, digests hexadecimal.

    Examples: [bold]scrutable archive table --dialect postgres --name risk.decisions[/bold]
    """
    from scrutable_records import table_statement

    emit(table_statement(registry().load("dialect", dialect), name) + ";\n")
