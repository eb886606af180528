"""RUG and FairRUG: the paper's tables, the package ruleopt and the plain linear program, side by side.

Run: SCRUTABLE_DATA=... python benchmarks/rug.py [--quick] [--json FILE]

All of it takes about half an hour; `--quick` takes fewer data sets, rows, calls and splits, as its notes say.
"""

from __future__ import annotations

from collections.abc import Iterator

from report import Row, lines, options, show
from rules import accuracy, certificates, data, fairness, in_sql, lp, speed
from rules.options import Setting
from threadpoolctl import threadpool_limits

#: What the notes of a quick run say of the loan set.
SAMPLE = "; a sample of 400,000 rows, whose bounds are others"


def main() -> None:
    """Print the table of accuracies, then every figure beside its bound."""
    chosen = options(__doc__ or "")
    quick = chosen.quick
    with threadpool_limits(1):
        loan = data.loan(40_000) if quick else data.problem("loan")
        make_ready()
        rows = [*lp.rows_of_lp(lp_cases(loan, quick), 3), *speed.rows_of_fits(fits(loan, quick))]
        rows += rows_of_accuracy(quick)
        rows += fairness.rows_of_fairness(fair_cases(quick), 2 if quick else 5)
        rows += [certified(quick), in_sql.row_in_sql(500 if quick else 5000)]
    show("RUG", rows, chosen.json)


def make_ready() -> None:
    """Compile what is compiled when first used."""
    small = data.problem("wine")
    for backend in ("simplex", "interior-point"):
        Setting().learner(small, backend=backend).fit(small.X, small.y)


def lp_cases(loan: data.Problem, quick: bool) -> list[lp.Case]:
    """The plain program on all rows of the loan set takes minutes, so it is solved once.

    A quick run takes a tenth of the rows and solves both as often, with the options of the other data sets.
    """
    setting = Setting(calls=4 if quick else 10)
    bounds = {"bank_mkt": 10.0} if quick else {"bank_mkt": 10.0, "magic": 10.0, "adult": 10.0, "skinnonskin": 100.0}
    cases = [lp.Case(problem=data.problem(name), bound=bound, setting=setting) for name, bound in bounds.items()]
    if quick:
        shallow = Setting(depth=3, calls=setting.calls)
        return [*cases, lp.Case(problem=loan, bound=10.0, setting=shallow, note=f"; depth 3{SAMPLE}")]
    note = "; depth 3"
    return [*cases, lp.Case(problem=loan, bound=100.0, setting=Setting(depth=3), whole_sequence=False, note=note)]


def fits(loan: data.Problem, quick: bool) -> Iterator[speed.Case]:
    """Both depths of the authors' grid."""
    names = ("bank_mkt", "magic") if quick else ("bank_mkt", "magic", "adult", "default")
    pairs = 1 if quick else 5
    for depth in (3, 5):
        setting = Setting(depth=depth)
        for name in names:
            yield speed.Case(problem=data.problem(name), bound=2.0, setting=setting, pairs=pairs)
        if not quick:
            yield speed.Case(problem=data.problem("skinnonskin"), bound=4.0, setting=setting, pairs=pairs, seconds=1.5)
        if depth == 3 or not quick:
            yield speed.Case(
                problem=loan,
                bound=2.0 if quick else 4.0,
                setting=setting,
                pairs=3 if depth == 3 and not quick else 1,
                seconds=12.0,
                note=SAMPLE if quick else "",
            )


def rows_of_accuracy(quick: bool) -> Iterator[Row]:
    """The tables, the package and the loss."""
    small, setting = ["seeds", "transfusion", "banknote"], Setting()
    names = small if quick else list(accuracy.PAPERS)
    yield from accuracy.rows_of_the_tables(names, 3 if quick else 10, [setting] if quick else accuracy.GRID)
    rows, table = accuracy.beside_package(names, 2 if quick else 5, setting)
    columns = ("data set", "ours", "ruleopt", "gained (s.e.)", "splits", "first of them")
    lines("Accuracy, means of splits, same options", columns, table)
    yield from rows
    many = ["glass-like", "seeds"] if quick else ["glass-like", "wine", "seeds", "nursery"]
    yield from accuracy.rows_of_losses(many, 2 if quick else 5, setting)


def fair_cases(quick: bool) -> list[fairness.Case]:
    """Compas as the paper counts it and by its two largest groups, and adult."""
    return [fairness.compas()] if quick else [fairness.compas(), fairness.compas("two groups"), fairness.adult()]


def certified(quick: bool) -> Row:
    """Four small data sets, up to rules of two or three conditions."""
    names = ("wine", "seeds", "transfusion", "banknote" if quick else "tictactoe")
    depth = 2 if quick else 3
    return certificates.row_of_certificates([certificates.Case(name=name, depth=depth, penalty=1.0) for name in names])


if __name__ == "__main__":
    main()
