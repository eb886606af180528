"""`scrutable strategy cutoff`: a cutoff for an approval rate, a bad rate or a profit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrutable.cli.options import (
    OUTPUT,
    AsJson,
    Data,
    ModelFile,
    Overwrite,
    Protected,
    ProtectedProbabilities,
    Reference,
    Weight,
    data_config,
)
from scrutable.cli.output import console, emit_json, say_weighted, working
from scrutable.cli.reading import reads_data
from scrutable.cli.terminal import line
from scrutable.errors import InputError, did_you_mean
from scrutable.plugins.choices import parse_pairs
from scrutable.writing.files import write_all
from scrutable_lifecycle.commands.evidence import EvidenceInput, EvidenceOutput, carried, check_evidence
from scrutable_lifecycle.commands.strategy.options import (
    STRATEGY,
    Favourable,
    Picture,
    Target,
    check_outputs,
    drawn,
)

if TYPE_CHECKING:
    from scrutable.data.cohort import Cohort
    from scrutable.measures.scored import Scored
    from scrutable.model import DecisionModel
    from scrutable_lifecycle.strategy import CutoffChoice, Decided, Profit


@reads_data
def cutoff(
    model: ModelFile,
    source: Data,
    target: Target,
    favourable: Favourable = None,
    protected: Protected = None,
    protected_probabilities: ProtectedProbabilities = None,
    weight: Weight = None,
    reference: Reference = None,
    approval_rate: Annotated[
        float | None, typer.Option(help="Share of all applicants to approve.", rich_help_panel=STRATEGY)
    ] = None,
    max_bad_rate: Annotated[
        float | None, typer.Option(help="Most bad payers among the approved.", rich_help_panel=STRATEGY)
    ] = None,
    profit: Annotated[
        str | None,
        typer.Option(
            metavar="KEY=VALUE,…",
            help="Profit per applicant by decision and outcome: approved-good, approved-bad, declined-good, "
            "declined-bad. A value is a number or a column, -COLUMN is minus a column.",
            rich_help_panel=STRATEGY,
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the model with this cutoff.", rich_help_panel=OUTPUT)
    ] = None,
    evidence: EvidenceInput = None,
    evidence_output: EvidenceOutput = None,
    curve: Annotated[
        Path | None, typer.Option(help="Write all alternatives as CSV, a row for each.", rich_help_panel=OUTPUT)
    ] = None,
    picture: Picture = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Choose the cutoff for one aim, and show what it means beside the one the model has.

    Every distinct score is considered, and approving nobody. An approval rate gets the highest cutoff that approves at
    least so many, a bad rate the one that approves the most, a profit the largest; of equal profits the highest cutoff.

    Of segments, -o moves every segment's cutoff by the same points. Reasons whose baselines are of applicants near the
    cutoff are taken anew from the applicants of the file.

    Examples:

    [bold]scrutable strategy cutoff model.json loans.csv --target paid --approval-rate 0.6 -o recut.json[/bold]

    [bold]scrutable strategy cutoff model.json loans.csv --target paid --profit approved-good=100,approved-bad=-500
    --protected sex --picture cutoffs.svg --curve cutoffs.csv[/bold]
    """
    if [approval_rate, max_bad_rate, profit].count(None) != 2:
        given = [value for value in (approval_rate, max_bad_rate, profit) if value is not None]
        allowed = "--approval-rate, --max-bad-rate or --profit"
        raise InputError("give one aim", where="scrutable strategy cutoff", got=given, allowed=allowed)
    inputs = [model, source, *check_evidence(evidence, evidence_output, output)]
    check_outputs(picture, (output, evidence_output, curve), inputs, overwrite=overwrite)
    config = data_config(source, target, favourable, protected, None, None, weight, reference, protected_probabilities)
    with working(f"Reading {source}"):
        from scrutable.measures.scored import score_cohort
        from scrutable_lifecycle.commands.deciders import read_judged
        from scrutable_lifecycle.strategy import choose_cutoff
        from scrutable_lifecycle.strategy.decided import decided

        [judged], cohort = read_judged([model], config)
        scored = score_cohort(judged, cohort)
    found = choose_cutoff(
        scored.score,
        cohort,
        approval_rate=approval_rate,
        max_bad_rate=max_bad_rate,
        profit=None if profit is None else _profit(profit, cohort, target),
        knocked_out=scored.knocked_out,
    )
    now, earned = decided(cohort, scored.approved), found.curve.profit_at(scored.cutoff)
    each = None if earned is None else earned / cohort.total
    contents: dict[str, str | bytes] = {}
    if output is not None:
        contents |= _recut(judged, found, cohort, source, output, evidence, evidence_output)
    if curve is not None:
        contents[str(curve)] = _curve(found)
    contents |= drawn(picture, lambda: _picture(found))
    write_all(contents, overwrite=overwrite)
    written = list(contents)
    if as_json:
        before = {"cutoff": scored.cutoff, **now.to_dict(), "profit": earned, "profit_per_applicant": each}
        emit_json({"basis": scored.basis, **found.to_dict(curve=False), "before": before, "written": written})
    else:
        say_weighted(weight)
        _show(found, scored, now, (earned, each), written)


def _profit(text: str, cohort: Cohort, target: str) -> Profit:
    """The profit that an option states, its columns read; it needs every outcome of the column `target`."""
    from scrutable_lifecycle.judging import amounts_of, need_outcomes
    from scrutable_lifecycle.strategy import Profit
    from scrutable_lifecycle.strategy.profit import AMOUNTS

    known = [name.replace("_", "-") for name in AMOUNTS]
    amounts: dict[str, Any] = {}
    named: dict[str, str] = {}
    for key, value in parse_pairs(text.split(","), "--profit").items():
        if key not in known:
            raise InputError("no part of a profit", where="--profit", got=key, fix=did_you_mean(key, known))
        if isinstance(value, str):
            sign, name = (-1.0, value[1:]) if value.startswith("-") else (1.0, value)
            value = sign * amounts_of(cohort, name, "--profit")
            named[key.replace("-", "_")] = f"{'minus ' if sign < 0 else ''}column {name!r}"
        amounts[key.replace("-", "_")] = value
    missing = [key for key in ("approved-good", "approved-bad") if key.replace("-", "_") not in amounts]
    if missing:
        fix = "for example --profit approved-good=100,approved-bad=-500"
        raise InputError("a part of the profit is missing", where="--profit", got=text, allowed=missing[0], fix=fix)
    need_outcomes(
        cohort,
        target,
        because="a profit needs it",
        fix="drop these rows, or choose by --approval-rate or --max-bad-rate",
        weighted=True,
    )
    return Profit(**amounts, named=named)


def _recut(
    model: DecisionModel,
    found: CutoffChoice,
    cohort: Cohort,
    source: Path,
    output: Path,
    evidence: Path | None,
    evidence_output: Path | None,
) -> dict[str, str | bytes]:
    """The model with the new cutoff and its evidence, by path."""
    from scrutable.model import dumps
    from scrutable_lifecycle.strategy import cut_at

    population = f"all applicants of {source.name}"
    weight = cohort.sample_weight
    recut = cut_at(model, found.cutoff, reference=cohort.table, sample_weight=weight, population=population)
    contents: dict[str, str | bytes] = {str(output): dumps(recut)}
    if evidence is not None:
        changes = {"cutoff": found.to_dict(curve=False)}
        contents[str(evidence_output)] = carried(evidence, model, recut, changes)
    return contents


def _curve(found: CutoffChoice) -> str:
    import pandas as pd

    from scrutable.writing.spreadsheet import csv_text

    return csv_text(pd.DataFrame(found.curve.rows))


def _picture(found: CutoffChoice) -> Any:
    from scrutable_lifecycle.plots.strategy import plot_cutoffs

    return plot_cutoffs(found.curve, cutoff=found.cutoff)


def _show(
    found: CutoffChoice,
    scored: Scored,
    now: Decided,
    earned: tuple[float | None, float | None],
    written: list[str],
) -> None:
    """Print the choice; `earned` is the profit at the model's own cutoff, of all and per applicant."""
    from scrutable.writing.decimals import number
    from scrutable_lifecycle.commands.strategy.tables import decided_table, figure, say_written

    out = console()
    out.print(line((f"Cutoff {number(found.cutoff)}: ", "bold"), f"{found.why}."))
    if scored.basis != "score":
        out.print(f"Cutoffs are of the {scored.basis}, because each segment has its own.")
    profits = zip(("profit", "profit per applicant"), earned, (found.profit, found.profit_per_applicant), strict=True)
    rows = {name: (figure(old), figure(new)) for name, old, new in profits if old is not None and new is not None}
    names = (f"now, {number(scored.cutoff)}", number(found.cutoff))
    out.print(decided_table(names, (now, found.decided), "", further=rows))
    say_written(written)
