"""`scrutable strategy rounding`: what rounded points would change."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from scrutable.cli import check_outputs, console, reads_data, table, working
from scrutable.cli.options import OUTPUT, Ending, EvidenceFiles, ModelFile
from scrutable_lifecycle.commands.strategy.options import STRATEGY, Applicants, At

if TYPE_CHECKING:
    from scrutable_lifecycle.strategy import RoundingEffect


@reads_data
def rounding(
    model: ModelFile,
    applicants: Applicants,
    *,
    decimals: Annotated[int, STRATEGY.option(min=0, max=6, help="Decimals of the points; 0 for whole points.")] = 0,
    keep: Annotated[At, OUTPUT.option(help="What the model that is written keeps of the model as it is.")] = At.CUTOFF,
    output: Annotated[Path | None, OUTPUT.option("--output", "-o", help="Write the rounded model.")] = None,
    evidence: EvidenceFiles,
    ending: Ending,
) -> None:
    """Round the points of a scorecard, and show what that does to its ranking, its decisions and its groups.

    The rounded scorecard is measured at the same cutoff and at the same approval rate. Baselines of its reasons are
    taken anew, averages from the applicants of the file.

    Examples:

    [bold]scrutable strategy rounding model.json loans.csv --target paid --protected sex -o rounded.json[/bold]

    [bold]scrutable strategy rounding model.json loans.csv --target paid --decimals 1 --json[/bold]
    """
    inputs = [model, applicants.source, *evidence.inputs(output)]
    check_outputs(None, (output, evidence.evidence_output), inputs, overwrite=ending.overwrite)
    with working(f"Reading {applicants.source}"):
        from scrutable.model import carried_over, dumps, rounded
        from scrutable_lifecycle.commands.deciders import read_deciders
        from scrutable_lifecycle.strategy import rounding_effect

        [judged] = read_deciders([model])
        population = f"all applicants of {applicants.source.name}"
        effect = rounding_effect(judged, applicants.source, applicants.config, decimals=decimals, population=population)
    contents: dict[str, str | bytes] = {}
    if output is not None:
        chosen = effect.same_cutoff if keep == At.CUTOFF else effect.same_approval_rate
        contents[str(output)] = dumps(chosen.model)
        changes = {"rounding": effect.to_dict()}
        carry = partial(carried_over, model=chosen.model, changes=changes, rounded=partial(rounded, decimals=decimals))
        contents |= evidence.contents(judged, carry)
    ending.tell(effect, contents, _show, weight=applicants.weight)


def _show(effect: RoundingEffect) -> None:
    from scrutable.writing import number
    from scrutable_lifecycle.commands.strategy.tables import decided_table, parts_table, percent
    from scrutable_lifecycle.commands.wording import figure

    out = console()
    both = ((effect.same_cutoff, "same cutoff"), (effect.same_approval_rate, "same approval rate"))
    rows = [
        ("AUC", *(f"{value:.4f}" for value in effect.auc)),
        ("KS", *(f"{value:.4f}" for value in effect.ks)),
        ("distinct scores", *(f"{value:,}" for value in effect.distinct_scores)),
        ("rows per distinct score", *(figure(value) for value in effect.rows_per_score)),
    ]
    title = f"Points with {effect.decimals} decimals, {effect.rows:,} rows"
    out.print(table(("", "as it is", "rounded"), rows, title=title, right=(1, 2)))
    out.print(
        f"No score changes by more than {effect.largest_change:.4g} points; {effect.bound:.4g} is the most it could."
    )
    names = [f"{name}, {number(each.model.cutoff)}" for each, name in both]
    decisions = [effect.as_is, *(each.decided for each, _ in both)]
    out.print(decided_table([f"as it is, {number(effect.cutoff)}", *names], decisions, "Approved"))
    for each, name in both:
        parts = [("approved, now declined", each.newly_declined), ("declined, now approved", each.newly_approved)]
        title = f"Rounded at the {name}: {percent(each.flipped, 2)} of the decisions change"
        out.print(parts_table(parts, title))
