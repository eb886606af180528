"""Counterfactuals: OptBinning 1.0, a mixed-integer program and the paper's tables, side by side.

Run: SCRUTABLE_DATA=... python benchmarks/counterfactual.py [--quick] [--json FILE]

Times are CPU time on one thread. HELOC has twelve characteristics, and one scorecard on both sides: ours has the
attributes, coefficients and intercept of OptBinning's. Adult has eight features and a scorecard of our learner. All of
it takes about four minutes; `--quick` takes fewer applicants, cases and repetitions.
"""

from __future__ import annotations

import warnings

from recourse.adult_tables import rows_of_adult
from recourse.agreement import rows_of_agreement
from recourse.faults import rows_of_faults
from recourse.heloc_tables import rows_of_heloc
from recourse.speed import rows_of_batch, rows_of_several, rows_of_single
from report import options, show
from threadpoolctl import threadpool_limits


def main() -> None:
    """Tables of the paper first, then every figure beside its bound."""
    chosen = options(__doc__ or "")
    quick = chosen.quick
    # OptBinning calls scikit-learn and pandas in ways that they warn of
    warnings.filterwarnings("ignore", category=FutureWarning)
    with threadpool_limits(1):
        rows = [
            *rows_of_heloc(),
            *rows_of_adult(30.0, 1.0 if quick else 3.0),
            *rows_of_single(15 if quick else 30, 3 if quick else 5),
            *rows_of_batch(400 if quick else 2000, 3 if quick else 5),
            *rows_of_several(50 if quick else 500),
            *rows_of_agreement(40 if quick else 800),
            *rows_of_faults(2 if quick else 12),
        ]
    show("Counterfactuals", rows, chosen.json)


if __name__ == "__main__":
    main()
