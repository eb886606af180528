"""`scrutable explain`: the reasons of each decision, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer
from rich.console import Group
from rich.table import Table
from rich.text import Text

from scrutable.cli.choices import choice
from scrutable.cli.output import console, emit_json, printable, working
from scrutable.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


class Reason(Protocol):
    """One reason that can say itself."""

    code: str

    def describe(self) -> str: ...


class Explanation(Protocol):
    """What the command shows of an explanation."""

    score: float
    cutoff: float
    approved: bool
    reasons: Sequence[Reason]


def explain(
    model: Annotated[Path, typer.Argument(help="A model file.")],
    data: Annotated[Path, typer.Argument(help="A CSV or Parquet file of applicants.")],
    row: Annotated[
        list[int] | None, typer.Option(help="Row to explain; 1 is the first below the header. Repeatable.")
    ] = None,
    explainer: Annotated[str, typer.Option(help="An explainer's name.")] = "reason-codes",
    option: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Option of the explainer; values are JSON or text.")
    ] = None,
    reference: Annotated[
        Path | None, typer.Option(help="Applicants to compare with, instead of the model's own baselines.")
    ] = None,
    only_declined: Annotated[bool, typer.Option("--only-declined", help="Leave out approved applicants.")] = False,
    identifier: Annotated[str | None, typer.Option("--id", help="Column to call applicants by.")] = None,
    limit: Annotated[int, typer.Option(min=0, help="Show at most this many as text; JSON has all.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """Why each applicant got the score and the decision.

    Examples: [bold]scrutable explain model.json applicants.csv --only-declined[/bold],
    [bold]scrutable explain model.json applicants.csv --row 7 --json[/bold]
    """
    with working(f"Explaining {data}"):
        numbered = _explain(model, data, row or [], choice(explainer, option or (), "--option"), reference, identifier)
    shown = [(number, who, found) for number, who, found in numbered if not (only_declined and found.approved)]
    if as_json:
        emit_json([{"id": who, **asdict(found), "row": number} for number, who, found in shown])
        return
    out = console()
    for number, who, found in shown[:limit]:
        out.print(describe(f"Row {number}" if who is None else f"Row {number}, {identifier} {who}", found))
        out.print()
    declined = sum(not found.approved for _, _, found in numbered)
    rest = f"; {len(shown) - limit:,} more are not shown, see --limit" if len(shown) > limit else ""
    out.print(f"{len(numbered):,} applicants, {declined:,} declined{rest}.")


def describe(who: str, found: Explanation) -> Group:
    """An explanation on a few lines."""
    decision = ("approved", "green") if found.approved else ("declined", "red")
    score = f": score {found.score:.1f}, cutoff {found.cutoff:.1f}"
    reasons = Table.grid(padding=(0, 1))
    for place, reason in enumerate(found.reasons, 1):
        reasons.add_row(f" {place}.", printable(reason.code), printable(reason.describe()))
    if not found.reasons:
        reasons.add_row(" nothing falls below the baseline")
    return Group(Text.assemble((printable(who), "bold"), " ", decision, score), reasons)


def _explain(
    model: Path, data: Path, rows: list[int], chosen: Any, reference: Path | None, identifier: str | None
) -> list[tuple[int, Any, Any]]:
    """Row number, id and explanation of each applicant asked for."""
    from scrutable.cli.tables import read_model_and_data, records

    its, applicants = read_model_and_data(model, data, identifier)
    numbers = _numbers(rows, len(applicants), data)
    compared = None if reference is None else read_model_and_data(model, reference, None)[1]
    picked: pd.DataFrame = applicants.iloc[[number - 1 for number in numbers]]
    found = chosen.create("explainer").explain(its, picked, reference=compared)
    names = [None] * len(picked) if identifier is None else [row[identifier] for row in records(picked[[identifier]])]
    return list(zip(numbers, names, found, strict=True))


def _numbers(rows: list[int], n_rows: int, data: Path) -> list[int]:
    for number in rows:
        if not 1 <= number <= n_rows:
            raise InputError(
                "no such row",
                where=f"--row, file {str(data)!r}",
                got=number,
                allowed=f"1 to {n_rows}",
                fix="correct it",
            )
    return rows or list(range(1, n_rows + 1))
