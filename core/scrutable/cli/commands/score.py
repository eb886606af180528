"""`scrutable score`: run a model on applicants."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrutable.cli.options import ModelFile
from scrutable.cli.output import console, emit, emit_json, emit_json_lines, table, working
from scrutable.cli.reading import reads_data
from scrutable.errors import InputError
from scrutable.writing.files import check_targets, write_whole

if TYPE_CHECKING:
    from scrutable.measures.scoring import Scores
    from scrutable.model import Model

#: Rows that a terminal shows.
_SHOWN = 20


@reads_data
def score(
    model: ModelFile,
    data: Annotated[Path, typer.Argument(help="A CSV or Parquet file of applicants.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A .csv or .parquet file to write.")] = None,
    identifier: Annotated[str | None, typer.Option("--id", help="Column of the data to carry through.")] = None,
    points: Annotated[bool, typer.Option("--points", help="Add the points of each characteristic.")] = False,
    reasons: Annotated[bool, typer.Option("--reasons", help="Add the reason codes, or the rules that apply.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the output.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Write a JSON object a row; with --output, one that sums up.")
    ] = False,
) -> None:
    """Score, probability and decision for every applicant.

    The probability is that of the favourable outcome; approved is 1 or 0, and knock_out is the code of the rule that
    declined before the score, mostly empty. With more than two classes there are votes and probabilities of each class,
    by their positions, and predicted is the position of one. Of a regression scorecard the score is the prediction.

    Without --output, a terminal shows the first rows, and a pipe gets all of them as CSV. In CSV, a text that a
    spreadsheet may take for a formula, such as =1+1, gets a single quote before it.

    Examples: [bold]scrutable score model.json applicants.csv --id loan_id --reasons -o scores.csv[/bold]
    """
    if output is not None:
        _check_suffix(output)
        check_targets([output], inputs=[model, data], overwrite=overwrite)
    with working(f"Reading {data}") as say:
        scores = _score(model, data, identifier, points, reasons, say)
        if output is not None:
            _write(scores, output, overwrite)
    if output is not None and as_json:
        emit_json({**scores.to_dict(), "written": str(output)})
    elif output is not None:
        decided = "" if scores.approved is None else f", {scores.approved:,} approved"
        console().print(f"{len(scores):,} rows{decided}; wrote {output}", soft_wrap=True)
    else:
        _print(scores, as_json)


def _score(
    path: Path, data: Path, identifier: str | None, points: bool, reasons: bool, say: Callable[[str], None]
) -> Scores:
    from scrutable.cli.tables import read_model_and_columns
    from scrutable.measures.scoring import score as scores_of

    model, applicants = read_model_and_columns(path, data, identifier)
    scores = scores_of(model, applicants, identifier=identifier, points=points, reasons=reasons, say=say)
    if reasons and not scores.reasoned:
        fix = f"leave --reasons out; {_instead(model)}"
        raise InputError("the model holds no reason policy", where="--reasons", got=type(model).__name__, fix=fix)
    if points and not scores.pointed:
        what = "the model gives no points of characteristics"
        raise InputError(what, where="--points", got=type(model).__name__, fix="leave --points out")
    return scores


def _instead(model: Model) -> str:
    """Where else the reasons of a score may be found."""
    from scrutable.model import RegressionScorecard, Scorecard
    from scrutable.plugins.bases.capable import producers, such_as

    if isinstance(model, RegressionScorecard):
        return "a prediction is no decision; --points shows what it is made of"
    if isinstance(model, Scorecard):
        return "`scrutable explain --reference FILE` compares with the applicants of a file"
    return f"only scorecards have reasons, which other learners make{such_as(producers('learner', 'scorecard'))}"


def _check_suffix(output: Path) -> None:
    if output.suffix not in (".csv", ".parquet"):
        raise InputError(
            "unknown kind of file",
            where=f"--output {str(output)!r}",
            got=output.suffix,
            allowed=".csv, .parquet",
            fix="name the output accordingly",
        )


def _write(scores: Scores, output: Path, overwrite: bool) -> None:
    from scrutable.writing.spreadsheet import csv_of

    content = csv_of(scores.results) if output.suffix == ".csv" else scores.columns.to_parquet(index=False)
    write_whole(output, content, overwrite=overwrite)


def _print(scored: Scores, as_json: bool) -> None:
    from scrutable.data.frames.records import records
    from scrutable.writing.spreadsheet import csv_of

    out = console()
    if as_json:
        emit_json_lines(records(scored.columns))
    elif not out.is_terminal:
        emit(csv_of(scored.results))
    else:
        scores = scored.columns
        rows = [[_cell(value) for value in row.values()] for row in records(scores.head(_SHOWN))]
        right = [position for position, name in enumerate(scores.columns) if scores[name].dtype.kind in "if"]
        out.print(table(list(scores.columns), rows, right=right))
        if len(scores) > _SHOWN:
            out.print(f"{len(scores) - _SHOWN:,} more rows; --output FILE writes them all")


def _cell(value: object) -> str:
    return "" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)
