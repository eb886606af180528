"""`scrutable score`: run a model on applicants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from scrutable.cli.known_columns import APPLICANTS, Part, reads_data
from scrutable.cli.options import Engine, ModelFile
from scrutable.cli.output import console, emit, emit_json, emit_json_lines, table, tracked, working
from scrutable.cli.reading import told
from scrutable.errors import InputError
from scrutable.writing.files import check_targets, write_whole
from scrutable.writing.temporary import temporary_folder

if TYPE_CHECKING:
    from scrutable.measures.scoring import Scores
    from scrutable.model import Model

#: Rows that a terminal shows.
_SHOWN = 20
#: Bytes that another program gets at once.
_PIPED = 2**20


@reads_data
def score(
    model: ModelFile,
    data: Annotated[Path, typer.Argument(help="A data file of applicants."), APPLICANTS],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A .csv or .parquet file to write.")] = None,
    identifier: Annotated[
        str | None, typer.Option("--id", help="Column of the data to carry through."), Part(name="id")
    ] = None,
    points: Annotated[bool, typer.Option("--points", help="Add the points of each characteristic.")] = False,
    reasons: Annotated[bool, typer.Option("--reasons", help="Add the reason codes, or the rules that apply.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the output.")] = False,
    engine: Engine = None,
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

    With --engine, such as duckdb, the rows are scored where they live, however many they are, and go to a .parquet file
    or a table, bank.duckdb::scores. What is read is a pattern of .parquet or .csv files, a table, or a query.

    Examples: [bold]scrutable score model.json applicants.csv --id loan_id --reasons -o scores.csv[/bold]
    """
    if output is not None and engine is None:
        _check_suffix(output)
    if output is not None and (engine is None or "::" not in str(output)):
        check_targets([output], inputs=[model, data], overwrite=overwrite)
    from scrutable.cli.tables import read_model

    scored = read_model(model)
    asked = _Asked(identifier, points, reasons)
    done: Mapping[str, int | None] | None
    if engine is not None:
        done = _where_they_live(engine, scored, data, output, asked, overwrite)
    elif output is None and not as_json and _piped_in_blocks(scored, data, asked):
        return
    else:
        done = None if output is None else _in_blocks(scored, data, output, asked, overwrite)
    if done is None:
        with working(f"Reading {data}") as say:
            scores = _score(scored, data, asked, say)
            if output is not None:
                _write(scores, output, overwrite)
        if output is None:
            _print(scores, as_json)
            return
        done = scores.to_dict()
    if as_json:
        emit_json({**done, "written": str(output)})
    else:
        decided = "" if done["approved"] is None else f", {done['approved']:,} approved"
        console().print(f"{done['rows']:,} rows{decided}; wrote {output}", soft_wrap=True)


class _Asked(NamedTuple):
    """What is asked for beside the scores."""

    identifier: str | None
    points: bool
    reasons: bool


def _check_asked(model: Model, asked: _Asked, *, reasoned: bool, pointed: bool) -> None:
    """Refuse points of a model that gives none, and reasons of one that holds no policy."""
    if asked.reasons and not reasoned:
        fix = f"leave --reasons out; {_instead(model)}"
        raise InputError("the model holds no reason policy", where="--reasons", got=type(model).__name__, fix=fix)
    if asked.points and not pointed:
        what = "the model gives no points of characteristics"
        raise InputError(what, where="--points", got=type(model).__name__, fix="leave --points out")


def _where_they_live(
    engine: str, model: Model, data: Path, output: Path | None, asked: _Asked, overwrite: bool
) -> Mapping[str, int | None]:
    """Score rows by a source, which works where they are."""
    if output is None:
        fix = "name a .parquet file or a table by --output"
        raise InputError("an engine writes what it works out, and shows nothing", where="--engine", fix=fix)
    from scrutable.cli.categories import Strangers
    from scrutable.cli.reading import opened
    from scrutable.measures.scored_files import is_points, results_asked, says_why
    from scrutable.measures.scoring import named_like_a_result
    from scrutable.model.contents import texts_of

    identifier, points, reasons = asked
    names = results_asked(model, points=points, reasons=reasons)
    _check_asked(model, asked, reasoned=any(map(says_why, names)), pointed=any(map(is_points, names)))
    if identifier in names:
        raise named_like_a_result(identifier)
    with working(f"Reading {data}") as say:
        source = opened(engine, data, model, text=[] if identifier is None else [identifier])
        done = source.score_into(model, str(output), names, identifier=identifier, overwrite=overwrite, say=say)
        say("Looking at categories")
        strangers = Strangers(model)
        for batch in source.batches(texts_of(model)):
            strangers.look(batch)
    strangers.tell()
    return done.to_dict()


def _is_small(data: Path) -> bool:
    from scrutable.data.frames.plain_csv import is_small

    return is_small(data)


def _piped_in_blocks(model: Model, data: Path, asked: _Asked) -> bool:
    """Score a large file into a file that another program then gets, as it gets nothing where anything is wrong."""
    if _is_small(data) or console().is_terminal:
        return False
    with temporary_folder() as folder:
        scores = folder / "scores.csv"
        if _in_blocks(model, data, scores, asked) is None:
            return False
        with open(scores, "rb") as handle:
            while block := handle.read(_PIPED):
                emit(block)
    return True


def _in_blocks(
    model: Model, data: Path, output: Path, asked: _Asked, overwrite: bool = False
) -> Mapping[str, int | None] | None:
    """Score a large file block by block; None where it is small, or has to be read whole."""
    if _is_small(data):
        return None
    from scrutable.cli.categories import Strangers
    from scrutable.measures.scored_files import score_file

    strangers = Strangers(model)
    done = score_file(
        model,
        data,
        output,
        told=told(),
        **asked._asdict(),
        overwrite=overwrite,
        seen=strangers.look,
        progress=partial(tracked, on="Scoring blocks of rows"),
    )
    if done is None:
        return None
    strangers.tell()
    return done.to_dict()


def _score(model: Model, data: Path, asked: _Asked, say: Callable[[str], None]) -> Scores:
    from scrutable.cli.tables import read_applicants
    from scrutable.measures.scoring import score as scores_of

    identifier, points, reasons = asked
    applicants = read_applicants(model, data, identifier)
    scores = scores_of(model, applicants, identifier=identifier, points=points, reasons=reasons, say=say)
    _check_asked(model, asked, reasoned=scores.reasoned, pointed=scores.pointed)
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
