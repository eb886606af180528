"""`scrutable explain`: the reasons of each decision in words, or the rules that voted on it."""

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
    explainer: Annotated[
        str | None,
        typer.Option(help="An explainer's name; reason-codes if not given, and for a rule set the rules that voted."),
    ] = None,
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
    """Why each applicant got the score and the decision; for a rule set, which rules voted for what.

    Examples: [bold]scrutable explain model.json applicants.csv --only-declined[/bold],
    [bold]scrutable explain model.json applicants.csv --row 7 --json[/bold]
    """
    with working(f"Explaining {data}"):
        numbered = _explain(model, data, row or [], explainer, option or [], reference, identifier)
    if only_declined and any(found.approved is None for _, _, found in numbered):
        raise InputError("a decision needs two classes", where="--only-declined", fix="leave it out")
    shown = [(number, who, found) for number, who, found in numbered if not (only_declined and found.approved)]
    if as_json:
        emit_json([{"id": who, **_plain(found), "row": number} for number, who, found in shown])
        return
    out = console()
    for number, who, found in shown[:limit]:
        out.print(_describe(f"Row {number}" if who is None else f"Row {number}, {identifier} {who}", found))
        out.print()
    out.print(_summary(numbered, len(shown), limit))


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
    model: Path,
    data: Path,
    rows: list[int],
    explainer: str | None,
    option: list[str],
    reference: Path | None,
    identifier: str | None,
) -> list[tuple[int, Any, Any]]:
    """Row number, id and explanation, or votes, of each applicant asked for."""
    from scrutable.cli.tables import read_model_and_data, records
    from scrutable.model import RuleSet
    from scrutable.rulesets import row_votes

    its, applicants = read_model_and_data(model, data, identifier)
    numbers = _numbers(rows, len(applicants), data)
    picked: pd.DataFrame = applicants.iloc[[number - 1 for number in numbers]]
    found: Sequence[Any]
    if explainer is None and isinstance(its, RuleSet):
        _refuse_further(option, reference)
        found = row_votes(its, picked)
    else:
        compared = None if reference is None else read_model_and_data(model, reference, None)[1]
        chosen = choice(explainer or "reason-codes", option, "--option")
        found = chosen.create("explainer").explain(its, picked, reference=compared)
    names = [None] * len(picked) if identifier is None else [row[identifier] for row in records(picked[[identifier]])]
    return list(zip(numbers, names, found, strict=True))


def _refuse_further(option: list[str], reference: Path | None) -> None:
    for given, name in ((option, "--option"), (reference, "--reference")):
        if given:
            fix = "leave it out, or name an explainer with --explainer"
            raise InputError("votes of rules are what they are, without an explainer", where=name, got=given, fix=fix)


def _describe(who: str, found: Any) -> Group:
    from scrutable.cli.votes import describe_votes
    from scrutable.rulesets import RowVotes

    return describe_votes(who, found) if isinstance(found, RowVotes) else describe(who, found)


def _plain(found: Any) -> dict[str, Any]:
    from scrutable.rulesets import RowVotes

    return found.to_dict() if isinstance(found, RowVotes) else asdict(found)


def _summary(numbered: list[tuple[int, Any, Any]], n_shown: int, limit: int) -> str:
    declined = sum(found.approved is False for _, _, found in numbered)
    decided = "" if any(found.approved is None for _, _, found in numbered) else f", {declined:,} declined"
    rest = f"; {n_shown - limit:,} more are not shown, see --limit" if n_shown > limit else ""
    return f"{len(numbered):,} applicants{decided}{rest}."


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
