"""How many rows an imported points table scores otherwise than the software that it comes from.

Run: SCRUTABLE_DATA=folder python benchmarks/points_tables.py [--quick] [--json FILE]

OptBinning fits HELOC, with special codes, and is asked for its scores; scorecardpy's scores of German credit are those
that tests/exporters/points_table/tables/make_scorecardpy_card.py kept.
"""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from optbinning import BinningProcess, Scorecard
from report import Row, options, show
from sklearn.linear_model import LogisticRegression

from scrutable import evaluate
from scrutable.data.datasets import load_german_credit
from scrutable.model import Outcome
from scrutable.proof import certify, exporter_at, verification_rows
from scrutable_points_table.tables import ImportedCard, from_optbinning, read_points_table

_KEPT = Path(__file__).parents[1] / "tests" / "exporters" / "points_table" / "tables" / "scorecardpy"
_SCALINGS: dict[str | None, dict[str, float] | None] = {
    "pdo_odds": {"pdo": 20, "odds": 50, "scorecard_points": 600},
    "min_max": {"min": 0, "max": 1000},
    None: None,
}


def main() -> None:
    """Print the rows that differ, in Python and in DuckDB."""
    chosen = options(__doc__ or "")
    rows = list(scorecardpy())
    if os.environ.get("SCRUTABLE_DATA"):
        rows += optbinning_rows(2 if chosen.quick else 5)
    show("Points tables", rows, chosen.json)


def scorecardpy() -> list[Row]:
    """German credit by scorecardpy."""
    found = read_points_table(_KEPT / "card.csv", cutoff=500)
    X = load_german_credit().X
    theirs = pd.read_csv(_KEPT / "scores.csv")["score"].to_numpy()
    return [_differing("scorecardpy, German credit", found, X, theirs), _in_duckdb("scorecardpy", found, X)]


def optbinning_rows(most: int) -> list[Row]:
    """HELOC by OptBinning, with each scaling; whole points are equal to the last bit, others within a bound."""
    raw = pd.read_csv(Path(os.environ["SCRUTABLE_DATA"], "heloc.csv.gz"), sep=" ", header=None)
    X, y = raw.iloc[:, 1:].set_axis([f"x{i}" for i in range(1, 24)], axis=1).astype(float), raw[0].to_numpy()
    cases = [("pdo_odds", True), ("min_max", True), ("pdo_odds", False), ("min_max", False), (None, False)]
    rows = []
    for method, rounding in cases[:most]:
        process = BinningProcess(list(X.columns), special_codes=[-7, -8, -9], max_n_bins=5)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            card = Scorecard(
                process,
                LogisticRegression(max_iter=1000),
                scaling_method=method,
                scaling_method_params=_SCALINGS[method],
                rounding=rounding,
            ).fit(X, y)
            theirs = card.score(X)
        found = from_optbinning(card, outcome=Outcome(classes=(0, 1), favourable=0))
        name = f"OptBinning, HELOC, {method or 'no scaling'}{', rounded' if rounding else ''}"
        rows.append(_differing(name, found, X, theirs) if rounding else _distance(name, found, X, theirs))
        if method == "pdo_odds" and rounding:
            rows.append(_in_duckdb("OptBinning", found, X))
    return rows


def _scores(found: ImportedCard, X: pd.DataFrame) -> Any:
    score = evaluate(found.model, X).score
    assert score is not None
    return -score if found.report.negated else score


def _differing(name: str, found: ImportedCard, X: pd.DataFrame, theirs: Any) -> Row:
    differing = int((_scores(found, X) != theirs).sum())
    return Row(name=name, value=differing, unit="rows differ", relation="<=", bound=0, note=f"of {len(X):,}")


def _distance(name: str, found: ImportedCard, X: pd.DataFrame, theirs: Any) -> Row:
    """The largest difference; their own sums of doubles are allowed to round by 1e-10."""
    ours = _scores(found, X)
    equal = int((np.round(ours, 6) == np.round(theirs, 6)).sum())
    return Row(
        name=name,
        value=float(np.abs(ours - theirs).max()),
        unit="points",
        relation="<=",
        bound=found.report.largest_difference + 1e-10,
        note=f"largest of {len(X):,} rows; {equal:,} equal to 6 decimals",
    )


def _in_duckdb(name: str, found: ImportedCard, X: pd.DataFrame) -> Row:
    [run] = certify(found.model, [exporter_at("duckdb")], verification_rows(found.model, X)).runs
    differing = sum(run.differing().values())
    note = f"certificate over {run.n_rows:,} rows"
    return Row(name=f"{name}, in DuckDB", value=differing, unit="values differ", relation="<=", bound=0, note=note)


if __name__ == "__main__":
    main()
