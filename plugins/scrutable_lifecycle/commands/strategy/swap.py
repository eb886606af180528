"""`scrutable strategy swap`: whom a challenger approves that the champion declines, and the other way round."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrutable.cli.options import (
    AsJson,
    Data,
    Overwrite,
    Protected,
    ProtectedProbabilities,
    Reference,
    Weight,
    data_config,
)
from scrutable.cli.output import console, emit_json, say_weighted, working
from scrutable.cli.reading import reads_data
from scrutable.writing.files import write_all
from scrutable_lifecycle.commands.strategy.options import (
    STRATEGY,
    At,
    Favourable,
    Picture,
    Target,
    check_outputs,
    drawn,
)

if TYPE_CHECKING:
    from scrutable_lifecycle.strategy import SwapSet


@reads_data
def swap(
    champion: Annotated[Path, typer.Argument(help="The model in use.")],
    challenger: Annotated[Path, typer.Argument(help="The model that might replace it.")],
    source: Data,
    target: Target,
    favourable: Favourable = None,
    protected: Protected = None,
    protected_probabilities: ProtectedProbabilities = None,
    weight: Weight = None,
    reference: Reference = None,
    at: Annotated[
        At,
        typer.Option(
            help="The challenger decides at its own cutoff, or at the champion's approval rate.",
            rich_help_panel=STRATEGY,
        ),
    ] = At.CUTOFF,
    picture: Picture = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
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
    check_outputs(picture, (), [champion, challenger, source], overwrite=overwrite)
    config = data_config(source, target, favourable, protected, None, None, weight, reference, protected_probabilities)
    with working(f"Reading {source}"):
        from scrutable_lifecycle.commands.deciders import read_judged
        from scrutable_lifecycle.strategy import swap_set

        [before, after], cohort = read_judged([champion, challenger], config)
        found = swap_set(
            before,
            after,
            cohort,
            at="cutoff" if at == At.CUTOFF else "approval rate",
        )
    contents = drawn(picture, lambda: _picture(found))
    write_all(contents, overwrite=overwrite)
    written = list(contents)
    if as_json:
        emit_json({**found.to_dict(), "written": written})
    else:
        say_weighted(weight)
        _show(found, written)


def _picture(found: SwapSet) -> Any:
    from scrutable_lifecycle.plots.strategy import plot_swap_set

    return plot_swap_set(found)


def _show(found: SwapSet, written: list[str]) -> None:
    from scrutable.writing.decimals import number
    from scrutable_lifecycle.commands.strategy.tables import decided_table, parts_table, say_written

    out = console()
    out.print(f"{found.rows:,} rows")
    parts = [(name.replace("_", " "), part) for name, part in found.parts.items()]
    out.print(parts_table(parts, f"Champion and challenger {found.describe()}; shares of groups are of the group"))
    names = (f"champion, {number(found.champion_cutoff)}", f"challenger, {number(found.challenger_cutoff)}")
    out.print(decided_table(names, (found.champion, found.challenger), "Approved"))
    for name, part in (("champion", found.champion_knocked_out), ("challenger", found.challenger_knocked_out)):
        if part.counts.applicants:
            out.print(f"Knock-outs of the {name} decline {part.counts.share:.1%} of the applicants.")
    say_written(written)
