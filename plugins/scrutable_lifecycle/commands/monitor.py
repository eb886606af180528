"""`scrutable monitor`: a model on new applicants beside a baseline, and whether anything calls for a look."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrutable.cli import (
    check_reference,
    console,
    emit_json,
    page_targets,
    parse_probabilities,
    parse_references,
    reads_data,
    say_weighted,
    told,
    tracked,
    working,
)
from scrutable.cli.options import (
    APPLICANTS,
    DATA,
    OUTPUT,
    AsJson,
    ModelFile,
    Overwrite,
    Panel,
    Part,
    Protected,
    ProtectedProbabilities,
    Reference,
)
from scrutable.data import MIN_GROUP_SIZE
from scrutable.errors import InputError
from scrutable.writing import check_targets, write_all
from scrutable_lifecycle.commands.monitoring_sql import Statement
from scrutable_lifecycle.commands.options import RATIO_HELP, WhichRatio

if TYPE_CHECKING:
    from scrutable_lifecycle.monitoring import Columns, Monitoring

_LIMITS = Panel("Thresholds")


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Thresholds of the figures."""

    psi_warn: Annotated[float, _LIMITS.option(help="PSI of score and reasons.")] = 0.10
    psi_alert: Annotated[float, _LIMITS.option(help="The same, as an alert.")] = 0.25
    csi_warn: Annotated[float, _LIMITS.option(help="CSI of a characteristic.")] = 0.10
    csi_alert: Annotated[float, _LIMITS.option(help="The same, as an alert.")] = 0.25
    auc_drop: Annotated[float, _LIMITS.option(help="Fall of the AUC.")] = 0.05
    impact_ratio: Annotated[float, _LIMITS.option(help="Least ratio of approval rates.")] = 0.80
    ratio: Annotated[WhichRatio, _LIMITS.option(help=RATIO_HELP)] = WhichRatio.FOUR_FIFTHS
    calibration_low: Annotated[float, _LIMITS.option(help="Least observed / expected bad rate.")] = 0.80
    calibration_high: Annotated[float, _LIMITS.option(help="Most observed / expected bad rate.")] = 1.25
    smallest_group: Annotated[float, _LIMITS.option(help="Smaller groups are shown, not judged.")] = MIN_GROUP_SIZE
    significant: Annotated[
        bool, _LIMITS.option("--significant", help="Indices and ratios alert only where significant.")
    ] = False


@reads_data
def monitor(
    model: ModelFile,
    baseline: Annotated[Path, typer.Argument(help="Applicants to compare with: a data file."), APPLICANTS],
    new: Annotated[
        Path | None,
        typer.Argument(help="New applicants: a data file; none with --sql.", show_default=False),
        APPLICANTS,
    ] = None,
    *,
    target: Annotated[
        str | None, DATA.option(help="Column of the outcomes, empty where not yet known."), Part(name="target")
    ] = None,
    favourable: Annotated[
        str | None,
        DATA.option(help="The good outcome as the files call it; as the model does if not given."),
        Part(name="favourable"),
    ] = None,
    date: Annotated[str | None, DATA.option(help="Column of the new file's dates."), Part(name="date")] = None,
    period: Annotated[
        str | None,
        DATA.option(
            metavar="month|quarter|year|values",
            help="How long a period is, month if not given; values: each different one.",
        ),
    ] = None,
    protected: Protected = None,
    protected_probabilities: ProtectedProbabilities = None,
    reference: Reference = None,
    weight: Annotated[
        str | None, DATA.option(help="Column of sample weights; a file without it has none."), Part(name="weight")
    ] = None,
    bands: Annotated[int, _LIMITS.option(min=2, max=100, help="Bands of the score.")] = 10,
    limits: Limits,
    statement: Statement,
    seed: Annotated[int, _LIMITS.option(min=0, help="Seed of the bootstrap.")] = 0,
    output: Annotated[
        str | None,
        OUTPUT.option("--output", "-o", help="A .html or .json file, or a folder for both; with --sql a .sql file."),
    ] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Compare new applicants with a baseline, and raise an alert where something drifted.

    PSI of the score, CSI of each characteristic and what it shifts the mean score by, drift of the reasons; with
    --target AUC, KS and calibration, with --protected approval rates and their ratios, with --date by period.

    With --sql the same figures as a statement, which reads a table of new applicants where it lies.

    Exit code 0: no alert; 1: an alert; 2: bad input.

    Examples:

    [bold]scrutable monitor model.json train.csv new.csv -o monitor.html[/bold]

    [bold]scrutable monitor model.json train.csv new.csv --target paid --date issued --period quarter --protected sex
    --reference sex=male --json[/bold]

    [bold]scrutable monitor model.json train.csv --sql postgres --table risk.applicants -o monitoring.sql[/bold]
    """
    _check_together(favourable, "--favourable", target, "--target")
    _check_together(period, "--period", date, "--date")
    check_reference(reference, protected, protected_probabilities, "--reference")
    statement.check(new, seed)
    targets = [] if statement.sql else page_targets(output, "monitoring")
    check_targets(targets, inputs=[model, baseline, *([] if new is None else [new])], overwrite=overwrite)
    probabilities = parse_probabilities(protected_probabilities)
    references = parse_references(reference)
    thresholds = {**vars(limits), "ratio": limits.ratio.value}

    def columns() -> Columns:
        from scrutable_lifecycle.monitoring import Columns

        return Columns(
            **vars(told()),
            target=target,
            favourable=favourable,
            date=date,
            protected=tuple(protected or ()),
            probabilities=probabilities,
            reference=references,
            weight=weight,
        )

    if statement.sql:
        statement.write(model, baseline, columns, thresholds, bands, output, overwrite=overwrite, as_json=as_json)
        return
    with working(f"Comparing {new} with {baseline}"):
        from scrutable.cli import read_model
        from scrutable_lifecycle.monitoring import monitor as compare

        monitoring = compare(
            read_model(model),
            baseline,
            new,
            columns=columns(),
            period=period or "month",  # type: ignore[arg-type]  # the function refuses others
            thresholds=thresholds,  # type: ignore[arg-type]  # a mapping, too
            bands=bands,
            seed=seed,
            progress=partial(tracked, on="Scoring blocks of rows"),
        )
    _write(monitoring, targets, overwrite)
    if as_json:
        emit_json(monitoring.to_dict())
    else:
        from scrutable_lifecycle.commands.monitoring_tables import show

        say_weighted(weight)
        show(monitoring)
        for path in targets:
            console().print(f"wrote {path}", soft_wrap=True)
    if monitoring.alerts:
        raise typer.Exit(1)


def _check_together(value: str | None, option: str, needed: str | None, other: str) -> None:
    """Refuse an option that does nothing without another."""
    if value is not None and needed is None:
        raise InputError(
            f"{option} does nothing without {other}", where=option, got=value, fix=f"give {other}, or leave it out"
        )


def _write(monitoring: Monitoring, targets: list[str], overwrite: bool) -> None:
    from scrutable_lifecycle.monitoring.document import to_html, to_json

    forms = {".json": to_json, ".html": to_html}
    write_all({path: forms[Path(path).suffix](monitoring) for path in targets}, overwrite=overwrite)
