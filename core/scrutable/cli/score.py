"""`scrutable score`: run a model on applicants."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrutable.cli.output import console, emit, emit_json, printable, table, working
from scrutable.errors import InputError
from scrutable.files import check_target, write_whole

if TYPE_CHECKING:
    import pandas as pd

    from scrutable.model import Model

_SHOWN = 20


def score(
    model: Annotated[Path, typer.Argument(help="A model file.")],
    data: Annotated[Path, typer.Argument(help="A CSV or Parquet file of applicants.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A .csv or .parquet file to write.")] = None,
    identifier: Annotated[str | None, typer.Option("--id", help="Column of the data to carry through.")] = None,
    points: Annotated[bool, typer.Option("--points", help="Add the points of each characteristic.")] = False,
    reasons: Annotated[bool, typer.Option("--reasons", help="Add the reason codes.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the output.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Write a JSON object a row; with --output, one that sums up.")
    ] = False,
) -> None:
    """Score, probability and decision for every applicant.

    Without --output, a terminal shows the first rows, and a pipe gets all of them as CSV. In CSV, a text that begins
    with = + - @ gets a single quote before it, so that no spreadsheet takes it for a formula.

    Examples: [bold]scrutable score model.json applicants.csv --id loan_id --reasons -o scores.csv[/bold]
    """
    if output is not None:
        _check_output(output, overwrite)
    with working(f"Scoring {data}"):
        found = _score(model, data, identifier, points, reasons)
        if output is not None:
            _write(found, output, overwrite)
    approved = int(found["approved"].sum()) if "approved" in found else None
    if output is not None and as_json:
        emit_json({"rows": len(found), "approved": approved, "written": str(output)})
    elif output is not None:
        decided = "" if approved is None else f", {approved:,} approved"
        console().print(f"{len(found):,} rows{decided}; wrote {printable(output)}", soft_wrap=True)
    else:
        _print(found, as_json)


def _score(model: Path, data: Path, identifier: str | None, points: bool, reasons: bool) -> pd.DataFrame:
    import pandas as pd

    from scrutable.cli.scoring import read_model_and_data
    from scrutable.model.evaluator import evaluate

    its, applicants = read_model_and_data(model, data, identifier)
    if reasons:
        _refuse_without_reasons(its)
    columns = dict(evaluate(its, applicants).frame())
    named = [name for name in columns if name.startswith("points_")] if not points else []
    named += [name for name in columns if name.startswith("reason_")] if not reasons else []
    found = pd.DataFrame({name: values for name, values in columns.items() if name not in named})
    if identifier is None:
        return found
    if identifier in found:
        raise InputError("the id is named like a result", where="--id", got=identifier, fix="rename the data's column")
    found.insert(0, identifier, applicants[identifier].to_numpy())
    return found


def _refuse_without_reasons(model: Model) -> None:
    if getattr(model, "reasons", None) is None:
        fix = "fit it with an explainer, or leave --reasons out"
        raise InputError("the model holds no reason policy", where="--reasons", got=type(model).__name__, fix=fix)


def _check_output(output: Path, overwrite: bool) -> None:
    if output.suffix not in (".csv", ".parquet"):
        raise InputError(
            "unknown kind of file",
            where=f"--output {str(output)!r}",
            got=output.suffix,
            allowed=".csv, .parquet",
            fix="name the output accordingly",
        )
    check_target(output, overwrite=overwrite)


def _write(found: pd.DataFrame, output: Path, overwrite: bool) -> None:
    from scrutable.cli.scoring import csv_text

    content = found.to_parquet(index=False) if output.suffix == ".parquet" else csv_text(found)
    write_whole(output, content, overwrite=overwrite)


def _print(found: pd.DataFrame, as_json: bool) -> None:
    from scrutable.cli.scoring import csv_text, records

    out = console()
    if as_json:
        emit("".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in records(found)))
    elif not out.is_terminal:
        emit(csv_text(found))
    else:
        rows = [[_cell(value) for value in row.values()] for row in records(found.head(_SHOWN))]
        right = [position for position, name in enumerate(found.columns) if found[name].dtype.kind in "if"]
        out.print(table([printable(name) for name in found.columns], rows, right=right))
        if len(found) > _SHOWN:
            out.print(f"{len(found) - _SHOWN:,} more rows; --output FILE writes them all")


def _cell(value: object) -> str:
    return "" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)
