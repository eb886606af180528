"""`scrutable sample`: a sample to fit on, from accounts and their payment history."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrutable.cli import (
    check_outputs,
    console,
    heading,
    note,
    picture_content,
    picture_format,
    reads_data,
    table,
    told,
    working,
)
from scrutable.cli.options import DATA, OUTPUT, Ending, Panel
from scrutable.errors import InputError
from scrutable.writing import changed_texts, check_row_file, row_file

if TYPE_CHECKING:
    from rich.table import Table

    from scrutable_sample.columns import SampleColumns
    from scrutable_sample.definition import OutcomeDefinition
    from scrutable_sample.result import PerformanceSample
    from scrutable_sample.table_options import TableOptions

OUTCOME, SAMPLING, TABLES = Panel("Outcome"), Panel("Sampling"), Panel("Tables")
#: The option of the picture of roll rates.
_ROLLS = "--roll-picture"
#: How a count that is kept back is shown.
_FEW = "few"


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Options of the columns."""

    account: Annotated[str, DATA.option(help="Column of the account, in both files.")] = "account"
    month: Annotated[str, DATA.option(help="Column of the history: month or date.")] = "month"
    days: Annotated[str, DATA.option("--days-past-due", help="Column of the history.")] = "days_past_due"
    balance: Annotated[str | None, DATA.option(help="Column of the history: balance, or amount past due.")] = None
    observed: Annotated[
        str, DATA.option(metavar="COLUMN|DATE", help="Column of the accounts: date of observation; or one for all.")
    ] = "observed"
    opened: Annotated[
        str | None, DATA.option(help="Column of the accounts: date of opening, for vintages; else as observed.")
    ] = None
    exclude: Annotated[
        list[str] | None,
        DATA.option(metavar="CONDITION", help='Accounts to leave out, such as "income < 100". Repeatable.'),
    ] = None
    until: Annotated[str | None, DATA.option(metavar="MONTH", help="The last month of the history that is whole.")] = (
        None
    )

    def names(self) -> SampleColumns:
        """What the columns are called."""
        from scrutable_sample.columns import SampleColumns

        return SampleColumns(
            account=self.account,
            month=self.month,
            days=self.days,
            balance=self.balance,
            observed=self.observed,
            opened=self.opened,
        )


@dataclass(frozen=True, kw_only=True)
class Definition:
    """Options of the definition."""

    bad: Annotated[float, OUTCOME.option(help="Days past due from which on an account is bad.")] = 90
    indeterminate: Annotated[
        float, OUTCOME.option(help="Days from which on it is neither good nor bad; 0: no such accounts.")
    ] = 30
    window: Annotated[int, OUTCOME.option(help="Months of the performance window.")] = 12
    least_months: Annotated[int, OUTCOME.option(help="Months seen that an account needs, unless it is bad.")] = 1
    least_balance: Annotated[
        float | None, OUTCOME.option(help="Below this balance a month counts as paid in time.")
    ] = None
    negative: Annotated[str, OUTCOME.option(metavar="refuse|current|missing", help="What days below 0 mean.")] = (
        "refuse"
    )

    def stated(self) -> OutcomeDefinition:
        """The definition, checked."""
        from scrutable_sample.definition import OutcomeDefinition

        return OutcomeDefinition(**{**vars(self), "indeterminate": self.indeterminate or None})


@dataclass(frozen=True, kw_only=True)
class Tables:
    """Options of the tables."""

    statuses: Annotated[str, TABLES.option(metavar="A,B,…", help="Days at which statuses of roll rates begin.")] = (
        "30,60,90"
    )
    roll_months: Annotated[
        int | None, TABLES.option(help="Months of each window of roll rates; half the window if not given.")
    ] = None
    cohort: Annotated[str, TABLES.option(metavar="month|quarter|year", help="Accounts of a vintage.")] = "quarter"
    settled: Annotated[
        float, TABLES.option(help="A cumulative bad rate has settled that grows by less of itself a month.")
    ] = 0.02
    step: Annotated[int, TABLES.option(help="Months on book from one count of a vintage to the next.")] = 3

    def stated(self) -> TableOptions:
        """The options, checked."""
        from scrutable_sample.table_options import TableOptions

        try:
            statuses = tuple(float(part) for part in self.statuses.split(","))
        except ValueError:
            fix, allowed = "for example --statuses 30,60,90", "numbers with commas"
            raise InputError("not numbers", where="--statuses", got=self.statuses, allowed=allowed, fix=fix) from None
        return TableOptions(**{**vars(self), "statuses": statuses})


@reads_data
def sample(
    history: Annotated[Path, typer.Argument(metavar="HISTORY", help="A file with a row for each account and month.")],
    accounts: Annotated[Path, DATA.option(help="A file with a row for each account, and what is known of it.")],
    output: Annotated[Path, OUTPUT.option("--output", "-o", help="The sample, a .csv or .parquet file.")],
    *,
    columns: Columns,
    definition: Definition,
    out_of_time: Annotated[
        str | None,
        SAMPLING.option(metavar="DATE|SHARE", help="Hold out accounts observed from here on; with --holdout."),
    ] = None,
    holdout: Annotated[Path | None, SAMPLING.option(help="File of the accounts held out, .csv or .parquet.")] = None,
    keep: Annotated[
        list[str] | None,
        SAMPLING.option(metavar="OUTCOME=SHARE", help="Draw so many of an outcome, such as good=1/5. Repeatable."),
    ] = None,
    seed: Annotated[int, SAMPLING.option(help="Seed of the draw.")] = 0,
    tables: Tables,
    picture: Annotated[Path | None, OUTPUT.option(help="Draw the vintages: a file in .svg or .png.")] = None,
    roll_picture: Annotated[
        Path | None, OUTPUT.option(help="Draw the roll rates from month to month: a file in .svg or .png.")
    ] = None,
    ending: Ending,
) -> None:
    """Make a sample to fit on: good, bad or indeterminate by payment history, roll rates, vintages.

    The sample has the columns of the accounts and `outcome`, and `weight` where rows were drawn. Accounts without an
    outcome are left out, and counted by why. Counts of fewer people than may be told of are kept back.

    Examples:

    [bold]scrutable sample history.csv --accounts accounts.csv --opened opened -o sample.csv[/bold]

    [bold]scrutable sample history.csv --accounts accounts.csv --bad 60 --window 18 --exclude "status = 'fraud'"
    --out-of-time 2019-07 --holdout later.csv --keep good=1/5 -o sample.csv --picture vintages.svg[/bold]
    """
    _check_files(output, holdout, out_of_time)
    if roll_picture is not None:
        picture_format(roll_picture, _ROLLS)
    check_outputs(picture, (output, holdout, roll_picture), [history, accounts], overwrite=ending.overwrite)
    with working(f"Reading {history}"):
        from scrutable_sample.performance import performance_sample

        made = performance_sample(
            history,
            accounts,
            columns=columns.names(),
            definition=definition.stated(),
            exclude=columns.exclude or (),
            until=columns.until,
            out_of_time_from=out_of_time,
            keep=_shares(keep or ()),
            seed=seed,
            tables=tables.stated(),
            told=told(),
        )
    contents = _contents(made, output, holdout)
    contents |= picture_content(picture, lambda: made.plot("vintages"))
    contents |= picture_content(roll_picture, lambda: made.plot("rolls"), _ROLLS)
    ending.tell(made, contents, lambda made: _show(made, output, columns))


def _check_files(output: Path, holdout: Path | None, since: str | None) -> None:
    if (holdout is None) != (since is None):
        where, fix = "--out-of-time, --holdout", "give both: what is held out in time, and the file that it goes to"
        raise InputError("one is given without the other", where=where, fix=fix)
    for path, option in ((output, "--output"), (holdout, "--holdout")):
        if path is not None:
            check_row_file(path, option)


def _contents(made: PerformanceSample, output: Path, holdout: Path | None) -> dict[str, str | bytes]:
    contents: dict[str, str | bytes] = {}
    for path, option, rows in ((output, "--output", made.development), (holdout, "--holdout", made.holdout)):
        if path is not None:
            if changed := changed_texts(rows, path):
                note(
                    f"{', '.join(changed)}: a quote stands before texts that spreadsheets take for formulas; "
                    f"{option} {path.with_suffix('.parquet').name} keeps them as they are, which a model has to learn"
                )
            contents[str(path)] = row_file(rows, path)
    return contents


def _shares(texts: Sequence[str]) -> dict[str, float]:
    from scrutable.plugins import parse_names

    shares = {}
    for outcome, text in parse_names(texts, "--keep", "OUTCOME=SHARE", once="the outcome").items():
        above, slash, below = text.partition("/")
        try:
            shares[outcome] = float(above) / float(below) if slash else float(text)
        except (ValueError, ZeroDivisionError):
            fix = "for example --keep good=1/5"
            raise InputError("not a share", where="--keep", got=text, allowed="0.2 or 1/5", fix=fix) from None
    return shares


def _show(made: PerformanceSample, output: Path, columns: Columns) -> None:
    out = console()
    out.print(f"{made.accounts:,} accounts; history up to {made.until}", soft_wrap=True)
    out.print(made.definition.in_words(), soft_wrap=True)
    out.print(_outcomes(made))
    left_out = [(why, _count(n)) for why, n in made.exclusions.items()]
    left_out += [(f"row of the history {why}", _count(n)) for why, n in made.rows_left_out.items() if n != 0]
    left_out += [("account of the history that is not asked for", _count(made.not_asked_for))]
    out.print(table(("left out", "how many"), left_out, right=[1]))
    if made.with_gaps != 0:
        out.print(f"accounts with an outcome and months of the window without a row: {_count(made.with_gaps)}")
    if made.drawn:
        out.print(_drawn(made))
    out.print(_roll_rates(made))
    out.print(f"{made.roll_rates.in_words()}.", soft_wrap=True)
    out.print(_monthly_rolls(made))
    out.print(_vintages(made))
    out.print(f"{made.vintages.in_words()}.", soft_wrap=True)
    out.print(heading("Fit on it by"))
    out.print(_command(made, output, columns), soft_wrap=True, markup=False)


def _outcomes(made: PerformanceSample) -> Table:
    rows = [
        (each.part, *map(_count, (each.good, each.bad, each.indeterminate)), _share(each.bad_rate))
        for each in made.counts
    ]
    return table(("accounts", "good", "bad", "indeterminate", "bad rate"), rows, title="Outcomes", right=range(1, 5))


def _drawn(made: PerformanceSample) -> Table:
    weights = [_FEW if each.weight is None else f"{each.weight:.6g}" for each in made.drawn]
    rows = [
        (each.outcome, _count(each.rows), _count(each.drawn), weight)
        for each, weight in zip(made.drawn, weights, strict=True)
    ]
    title = "Drawn; weights restore the accounts to develop on"
    return table(("outcome", "accounts", "drawn", "weight"), rows, title=title, right=range(1, 4))


def _roll_rates(made: PerformanceSample) -> Table:
    rates = made.roll_rates
    rows = [(row.status, _count(row.accounts), *map(_count, row.next), _share(row.stays)) for row in rates.rows]
    months = rates.months
    title = f"Roll rates: worst days past due in months 1 to {months}, and in months {months + 1} to {2 * months}"
    headers = ("at first", "accounts", *rates.statuses, "as late or later")
    return table(headers, rows, title=title, right=range(1, len(headers)))


def _monthly_rolls(made: PerformanceSample) -> Table:
    rolls = made.monthly_rolls
    rows = [
        (row.status, _count(row.months), *(_FEW if share is None else _share(share) for share in row.shares))
        for row in rolls.rows
        if row.months != 0
    ]
    title = "From one month to the next: shares of the days past due a month later"
    headers = ("this month", "months", *rolls.statuses)
    return table(headers, rows, title=title, right=range(1, len(headers)))


def _vintages(made: PerformanceSample) -> Table:
    told = made.vintages
    longest = max((len(cohort.bads) for cohort in told.cohorts), default=0)
    months = [told.step * (place + 1) for place in range(longest)]
    everybody = sum(cohort.accounts for cohort in told.cohorts)
    of_all = told.rates[told.step - 1 :: told.step]
    rows = [(cohort.name, f"{cohort.accounts:,}", *_growing(cohort.rates, longest)) for cohort in told.cohorts]
    rows += [("all", f"{everybody:,}", *_growing(of_all, longest))] if rows else []
    headers = ("opened", "accounts", *map(str, months))
    title = f"Vintages: cumulative share of {told.bad:g} or more days past due by months on book"
    return table(headers, rows, title=title, right=range(1, len(headers)))


def _command(made: PerformanceSample, output: Path, columns: Columns) -> str:
    names = made.development.columns
    words = ["scrutable", "fit", str(output), "--target", "outcome", "--favourable", "good", "--id", columns.account]
    if made.definition.indeterminate is not None and (made.development["outcome"] == "indeterminate").any():
        words += ["--indeterminate", "indeterminate"]
    if made.drawn:
        words += ["--weight", "weight"]
    if columns.observed in names:
        words += ["--date", columns.observed]
    if columns.opened and columns.opened in names and columns.opened != columns.observed:
        words += ["--drop", columns.opened]
    return shlex.join([*words, "-o", "model.json"])


def _count(count: int | None) -> str:
    return _FEW if count is None else f"{count:,}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _growing(rates: Sequence[float | None], cells: int) -> list[str]:
    """Rates that grow, in so many cells; of one that is kept back only that it is above the last that is told."""
    last, texts = 0.0, []
    for rate in rates:
        last = last if rate is None else rate
        texts.append(f"> {last:.2%}" if rate is None else f"{rate:.2%}")
    return texts + [""] * (cells - len(texts))
