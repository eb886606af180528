"""`scrutable proof`: a script that proves a model's statement in a database that we cannot reach."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrutable.cli import console, emit, emit_json, read_model, working
from scrutable.cli.options import AsJson, ModelFile, Overwrite
from scrutable.plugins import library, parse_names
from scrutable.writing import check_targets, read_text, write_all
from scrutable_deployment.names import named


def proof(
    model: ModelFile,
    dialect: Annotated[str, typer.Option(help="Dialect of the database, for example tsql, oracle, snowflake.")],
    output: Annotated[str, typer.Option("--output", "-o", help="A file, or - for standard output.")],
    rows: Annotated[
        int, typer.Option(min=1, help="Rows that stand in the script, those of edge values first.")
    ] = 1_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the draws.")] = 0,
    salt: Annotated[
        str | None,
        typer.Option(help="Salt of the digest, 16 hexadecimal digits or more; drawn at random if not given."),
    ] = None,
    text: Annotated[
        Path | None,
        typer.Option(help="The text of a view as its database gives it back, in place of the exported statement."),
    ] = None,
    table: Annotated[str | None, typer.Option(help="Table that this text reads, name or schema.name.")] = None,
    key: Annotated[str | None, typer.Option(help="Column by which this text carries the row's key through.")] = None,
    column: Annotated[
        list[str] | None, typer.Option(metavar="FEATURE=COLUMN", help="Column of a feature in this text. Repeatable.")
    ] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Write one query that proves a model in a database that we cannot reach, and whose one row is given back.

    It holds its own rows and what must come out, reads no table and makes nothing. Its row says what the engine is, how
    many rows were compared, how many differ, and a digest of all results. scrutable verify --returned checks it.

    Examples:

    [bold]scrutable proof model.json --dialect tsql --rows 1000 -o proof.sql[/bold]

    [bold]scrutable proof model.json --dialect oracle --text deployed.sql --table RISK.APPLICANTS --key ID -o -[/bold]
    """
    with working(f"Writing a proof of {model}"):
        library("sqlglot", "scrutable[deployment]")
        from scrutable_deployment.proving import proof_script

        made = proof_script(
            read_model(model),
            dialect,
            rows=rows,
            seed=seed,
            salt=salt,
            text=None if text is None else read_text(text),
            table=None if table is None else named(table, "--table"),
            key=key,
            columns=parse_names(column or (), "--column", once="the feature"),
        )
    if output == "-":
        emit_json(made.to_dict()) if as_json else emit(made.text)
        return
    check_targets([output], inputs=[path for path in (model, text) if path is not None], overwrite=overwrite)
    write_all({output: made.text}, overwrite=overwrite)
    if as_json:
        emit_json({"proof": made.name, "rows": made.rows.coverage, "written": [output]})
        return
    console().print(f"wrote {output}: {made.rows.coverage}", soft_wrap=True)
