"""`scrutable strategy swap`: whom a challenger approves that the champion declines, and the other way round."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrutable.cli import check_outputs, console, picture_content, reads_data, working
from scrutable.cli.options import Ending
from scrutable_lifecycle.commands.strategy.options import STRATEGY, Applicants, At, Picture

if TYPE_CHECKING:
    from scrutable_lifecycle.strategy import SwapSet


@reads_data
def swap(
    champion: Annotated[Path, typer.Argument(help="The model in use.")],
    challenger: Annotated[Path, typer.Argument(help="The model that might replace it.")],
    applicants: Applicants,
    *,
    at: Annotated[
        At, STRATEGY.option(help="The challenger decides at its own cutoff, or at the champion's approval rate.")
    ] = At.CUTOFF,
    picture: Picture = None,
    ending: Ending,
) -> None:
    """Compare the decisions of two models on the same applicants, overall and by group.

    At their own cutoffs a challenger can look better by approving more or fewer; --at approval-rate takes that away.
    Equal scores are approved together, so that it then gets the closest rate that it can have; both rates are told.
    Outcomes that are not known, as of most whom the champion declined, are counted as unknown.

    Examples:

    [bold]scrutable strategy swap champion.json challenger.json loans.csv --target paid --protected sex[/bold]

    [bold]scrutable strategy swap champion.json challenger.json loans.csv --target paid --at approval-rate
    --picture swap.svg[/bold]
    """
    check_outputs(picture, (), [champion, challenger, applicants.source], overwrite=ending.overwrite)
    with working(f"Reading {applicants.source}"):
        from scrutable_lifecycle.commands.deciders import read_deciders
        from scrutable_lifecycle.strategy import swap_set

        before, after = read_deciders([champion, challenger])
        swapped = swap_set(
            before, after, applicants.source, applicants.config, at="cutoff" if at == At.CUTOFF else "approval rate"
        )
    contents = picture_content(picture, swapped.plot)
    ending.tell(swapped, contents, _show, weight=applicants.weight)


def _show(swapped: SwapSet) -> None:
    from scrutable.writing import number
    from scrutable_lifecycle.commands.strategy.tables import decided_table, parts_table

    out = console()
    out.print(f"{swapped.rows:,} rows")
    parts = [(name.replace("_", " "), part) for name, part in swapped.parts.items()]
    out.print(parts_table(parts, f"Champion and challenger {swapped.describe()}; shares of groups are of the group"))
    names = (f"champion, {number(swapped.champion_cutoff)}", f"challenger, {number(swapped.challenger_cutoff)}")
    out.print(decided_table(names, (swapped.champion, swapped.challenger), "Approved"))
    for name, part in (("champion", swapped.champion_knocked_out), ("challenger", swapped.challenger_knocked_out)):
        if part.counts.applicants:
            out.print(f"Knock-outs or overrides of the {name} decline {part.counts.share:.1%} of the applicants.")
