"""LDA-XGB1: the paper's table, stumps beside XGBoost's, exact merging beside the mixed-integer program, and searches.

Run: SCRUTABLE_DATA=... python benchmarks/lda_xgb1.py [--quick] [--json FILE]
"""

from __future__ import annotations

import numpy as np
from lda.beyond import lines_beyond, row_of_picks, rows_beyond, rows_in_sql, side_by_side
from lda.data import compas, simucredit
from lda.speed import rows_of_speed
from lda.stumps import HEADERS, beside_xgboost, credits
from lda.table import rows_of_the_table
from report import lines, options, show
from threadpoolctl import threadpool_limits

PAPERS_SEED = 23


def main() -> None:
    """Print the tables, then every figure beside its bound."""
    chosen = options(__doc__ or "")
    splits = 2 if chosen.quick else 5
    with threadpool_limits(1):
        case = simucredit(PAPERS_SEED)
        rows, table = rows_of_the_table(case)
        lines("SimuCredit, the paper's own reading: P(y = 1), threshold 0.5", ROW_OF_TABLE, table)
        cases = [simucredit(seed) for seed in range(splits)]
        found = side_by_side(cases, np.linspace(0.70, 0.95, 11))
        lines(f"SimuCredit at equal approval rates, means of {splits} splits", ROW_OF_FRONTIER, lines_beyond(found))
        on_compas = side_by_side([compas(seed) for seed in range(splits)], np.linspace(0.60, 0.95, 8))
        lines(f"COMPAS at equal approval rates, means of {splits} splits", ROW_OF_FRONTIER, lines_beyond(on_compas))
        rows += [*rows_beyond(found), row_of_picks(cases), rows_in_sql(case)]
        rows += rows_of_speed(case, 5 if chosen.quick else 9, 1 if chosen.quick else 5)
        beside = [beside_xgboost(each, splits if chosen.quick else 10) for each in credits(chosen.quick)]
        lines("Cards from our stumps, and from XGBoost's; AUC on rows held out", HEADERS, [line for line, _ in beside])
        rows += [row for _, row in beside]
    show("LDA-XGB1", rows, chosen.json)


ROW_OF_TABLE = ("bound", "paper: AUC", "ours: AUC", "paper: AIR", "ours: AIR")
ROW_OF_FRONTIER = ("approved", "AIR", "paper: AUC", "bad rate", "ours: AUC", "bad rate", "AUC gained", "bad rate added")


if __name__ == "__main__":
    main()
