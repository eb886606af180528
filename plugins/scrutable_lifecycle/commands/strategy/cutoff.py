"""`scrutable strategy cutoff`: a cutoff for an approval rate, a bad rate or a profit."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from scrutable.cli import check_outputs, console, line, picture_content, reads_data, working
from scrutable.cli.options import OUTPUT, Ending, EvidenceFiles, ModelFile
from scrutable.errors import InputError, did_you_mean
from scrutable.plugins import parse_pairs
from scrutable_lifecycle.commands.strategy.options import STRATEGY, Applicants, Picture

if TYPE_CHECKING:
    from scrutable_lifecycle.strategy import ModelCutoff


@reads_data
def cutoff(
    model: ModelFile,
    applicants: Applicants,
    *,
    approval_rate: Annotated[float | None, STRATEGY.option(help="Share of all applicants to approve.")] = None,
    max_bad_rate: Annotated[float | None, STRATEGY.option(help="Most bad payers among the approved.")] = None,
    profit: Annotated[
        str | None,
        STRATEGY.option(
            metavar="KEY=VALUE,…",
            help="Profit per applicant by decision and outcome: approved-good, approved-bad, declined-good, "
            "declined-bad. A value is a number or a column, -COLUMN is minus a column.",
        ),
    ] = None,
    output: Annotated[Path | None, OUTPUT.option("--output", "-o", help="Write the model with this cutoff.")] = None,
    evidence: EvidenceFiles,
    curve: Annotated[Path | None, OUTPUT.option(help="Write all alternatives as CSV, a row for each.")] = None,
    picture: Picture = None,
    ending: Ending,
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
    inputs = [model, applicants.source, *evidence.inputs(output)]
    check_outputs(picture, (output, evidence.evidence_output, curve), inputs, overwrite=ending.overwrite)
    with working(f"Reading {applicants.source}"):
        from scrutable_lifecycle.commands.deciders import read_deciders
        from scrutable_lifecycle.strategy import cutoff_of

        [judged] = read_deciders([model])
        chosen = cutoff_of(
            judged,
            applicants.source,
            applicants.config,
            approval_rate=approval_rate,
            max_bad_rate=max_bad_rate,
            profit=None if profit is None else _profit(profit),
        )
    contents: dict[str, str | bytes] = {}
    if output is not None:
        contents |= _recut(chosen, applicants.source, output, evidence)
    if curve is not None:
        from scrutable.writing import csv_text

        contents[str(curve)] = csv_text(chosen.frame())
    contents |= picture_content(picture, chosen.plot)
    ending.tell(chosen, contents, _show, weight=applicants.weight)


def _profit(text: str) -> dict[str, float | str]:
    """The amounts that an option states: numbers, and names of columns."""
    from scrutable_lifecycle.strategy.profit import AMOUNTS

    known = [name.replace("_", "-") for name in AMOUNTS]
    amounts = parse_pairs(text.split(","), "--profit")
    for key in amounts:
        if key not in known:
            raise InputError("no part of a profit", where="--profit", got=key, fix=did_you_mean(key, known))
    missing = [key for key in ("approved-good", "approved-bad") if key not in amounts]
    if missing:
        fix = "for example --profit approved-good=100,approved-bad=-500"
        raise InputError("a part of the profit is missing", where="--profit", got=text, allowed=missing[0], fix=fix)
    return {key.replace("-", "_"): amount for key, amount in amounts.items()}


def _recut(chosen: ModelCutoff, source: Path, output: Path, evidence: EvidenceFiles) -> dict[str, str | bytes]:
    """The model with the new cutoff and its evidence, by path."""
    from scrutable.model import carried_over, dumps

    recut = chosen.recut(f"all applicants of {source.name}")
    changes = {"cutoff": chosen.choice.to_dict(curve=False)}
    carry = partial(carried_over, model=recut, changes=changes)
    return {str(output): dumps(recut), **evidence.contents(chosen.model, carry)}


def _show(chosen: ModelCutoff) -> None:
    from scrutable.writing import number
    from scrutable_lifecycle.commands.strategy.tables import decided_table
    from scrutable_lifecycle.commands.wording import figure

    out, choice = console(), chosen.choice
    out.print(line((f"Cutoff {number(choice.cutoff)}: ", "bold"), f"{choice.why}."))
    if chosen.basis != "score":
        out.print(f"Cutoffs are of the {chosen.basis}, because each segment has its own.")
    names = ("profit", "profit_per_applicant")
    profits = [(name, getattr(chosen, name), getattr(choice, name)) for name in names]
    rows = {
        name.replace("_", " "): (figure(old), figure(new))
        for name, old, new in profits
        if old is not None and new is not None
    }
    titles = (f"now, {number(chosen.cutoff)}", number(choice.cutoff))
    out.print(decided_table(titles, (chosen.before, choice.decided), "", further=rows))
