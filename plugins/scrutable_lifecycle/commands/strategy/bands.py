"""`scrutable strategy bands`: applicants, outcomes and gains by score band."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

from scrutable.cli import check_outputs, console, picture_content, reads_data, table, working
from scrutable.cli.options import Ending, ModelFile
from scrutable.errors import InputError
from scrutable_lifecycle.commands.strategy.options import STRATEGY, Applicants, Picture

if TYPE_CHECKING:
    from rich.table import Table

    from scrutable_lifecycle.strategy import Band, GainsTable, ModelBands, ScoreBands


@reads_data
def bands(
    model: ModelFile,
    applicants: Applicants,
    *,
    count: Annotated[
        int | None, STRATEGY.option("--bands", help="So many bands of equal shares; 10 if not given.")
    ] = None,
    width: Annotated[float | None, STRATEGY.option(help="Width of a band in points.")] = None,
    edges: Annotated[str | None, STRATEGY.option(metavar="A,B,…", help="Where bands meet, ascending.")] = None,
    safest_first: Annotated[
        bool, STRATEGY.option("--safest-first", help="Add up gains from the highest scores.")
    ] = False,
    picture: Picture = None,
    ending: Ending,
) -> None:
    """Count applicants by score band: outcomes, odds, what a cutoff there would mean, gains and KS.

    Bands are ranges of the score, ascending, [lower, upper). Of segments with cutoffs of their own, they are ranges of
    the score minus the applicant's cutoff. Knocked-out applicants are in no band and are counted apart.

    Examples:

    [bold]scrutable strategy bands model.json loans.csv --target paid --favourable yes --protected sex[/bold]

    [bold]scrutable strategy bands model.json loans.csv --target paid --width 20 --picture bands.svg[/bold]
    """
    check_outputs(picture, (), [model, applicants.source], overwrite=ending.overwrite)
    with working(f"Reading {applicants.source}"):
        from scrutable_lifecycle.commands.deciders import read_deciders
        from scrutable_lifecycle.strategy import bands_of

        [judged] = read_deciders([model])
        banded = bands_of(
            judged,
            applicants.source,
            applicants.config,
            bands=count,
            width=width,
            edges=None if edges is None else _numbers(edges),
            riskiest_first=not safest_first,
        )
    contents = picture_content(picture, banded.plot)
    ending.tell(banded, contents, _show, weight=applicants.weight)


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        fix = "for example --edges 500,520"
        raise InputError("not numbers", where="--edges", got=text, allowed="numbers with commas", fix=fix) from None


def _show(banded: ModelBands) -> None:
    from scrutable.writing import number
    from scrutable_lifecycle.commands.strategy.tables import parts_table

    out, bands, gains = console(), banded.bands, banded.gains
    out.print(_bands_table(bands, banded.basis))
    out.print(_meaning(bands))
    out.print(_gains_table(bands, gains))
    if gains.ks_at is not None:
        out.print(f"KS is {gains.ks:.1%}, at the cutoff {number(gains.ks_at)}.")
    if bands.everybody.groups:
        out.print()
        named = [*((band.title, band.part) for band in bands.bands), ("knocked out", bands.knocked_out)]
        out.print(parts_table(named, "By group; shares are of the group"))
        out.print(_meaning_by_group(bands))


def _bands_table(bands: ScoreBands, basis: str) -> Table:
    from scrutable_lifecycle.commands.strategy.tables import COUNTS, counts_row, odds

    named = [(band.title, band.part) for band in bands.bands]
    named += [("knocked out", bands.knocked_out), ("everybody", bands.everybody)]
    rows = [(name, *counts_row(part.counts), odds(part.counts)) for name, part in named]
    return table((basis, *COUNTS, "odds"), rows, title=f"Bands of the {basis}, [lower, upper)", right=range(1, 8))


def _gains_table(scored: ScoreBands, gains: GainsTable) -> Table:
    from scrutable_lifecycle.commands.strategy.tables import percent
    from scrutable_lifecycle.commands.wording import figure

    bands, order = (scored.bands, "riskiest") if gains.riskiest_first else (scored.bands[::-1], "safest")
    rows = [
        (band.title, *map(percent, (row.share, row.bads, row.goods)), figure(row.lift, 3), percent(row.ks))
        for band, row in zip(bands, gains.rows, strict=True)
    ]
    headers = ("up to and with", "of all", "of the bad", "of the good", "lift", "KS")
    return table(headers, rows, title=f"Gains, the {order} first", right=range(1, 6))


def _meaning(bands: ScoreBands) -> Table:
    """Approval and bad rate where a band's lower end is the cutoff."""
    from scrutable.writing import number
    from scrutable_lifecycle.commands.strategy.tables import percent

    rows = [
        (number(band.lower), percent(band.from_here.approval_rate), percent(band.from_here.bad_rate))
        for band in _with_an_end(bands)
    ]
    headers = ("cutoff", "approved", "bad rate among them")
    return table(headers, rows, title="A cutoff at the lower end of a band", right=range(3))


def _meaning_by_group(bands: ScoreBands) -> Table:
    from scrutable.writing import number
    from scrutable_lifecycle.commands.strategy.tables import percent
    from scrutable_lifecycle.commands.wording import figure

    rows = [
        (
            number(band.lower),
            f"{group.attribute}: {group.group}",
            percent(group.approval_rate),
            percent(group.bad_rate),
            "" if group.is_reference else figure(group.adverse_impact_ratio, 3),
        )
        for band in _with_an_end(bands)
        for group in band.from_here.groups
    ]
    headers = ("cutoff", "group", "approved", "bad rate among them", "adverse impact ratio")
    return table(headers, rows, title="A cutoff at the lower end of a band, by group", right=(0, 2, 3, 4))


def _with_an_end(bands: ScoreBands) -> list[Band]:
    """The bands whose lower end can be a cutoff."""
    return [band for band in bands.bands if band.lower > -math.inf]
