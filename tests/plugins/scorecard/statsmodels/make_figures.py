"""What statsmodels says of the regressions that the tests fit, on the bundled German credit data.

figures.json beside this was made by Python 3.11 with statsmodels 0.15.0, where Scrutable is installed, too:

    python make_figures.py figures.json
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.data.frames import as_table

#: Characteristics that no bound holds, with or without weights.
NAMES = ["checking_status", "duration_months", "credit_history", "purpose", "savings", "employment_since"]
ATTRIBUTES = ["checking_status", "duration_months", "savings"]
QUANTITY = "credit_amount"


def weights(rows: int) -> np.ndarray:
    """Weights of 0, 1 and 2.5, so that they are no counts."""
    return np.array([1.0, 2.5, 0.0, 1.0, 1.0])[np.arange(rows) % 5]


def told(fit: Any, robust: Any) -> dict[str, Any]:
    """What is compared, by its name in the figures."""
    known = {
        "coefficient": fit.params,
        "model_error": fit.bse,
        "sandwich_error": robust.bse,
        "z": fit.tvalues,
        "p": fit.pvalues,
        "low": fit.conf_int()[:, 0],
        "high": fit.conf_int()[:, 1],
        "sandwich_p": robust.pvalues,
    }
    return {name: np.asarray(values).tolist() for name, values in known.items()} | {"log_likelihood": float(fit.llf)}


def main(target: str) -> None:
    """Write the figures of every regression."""
    sm, influence = map(importlib.import_module, ("statsmodels.api", "statsmodels.stats.outliers_influence"))
    german = load_german_credit()
    good, amount = (german.y == "good").to_numpy(float), german.X[QUANTITY].to_numpy(float) / 1000
    made: dict[str, Any] = {}
    for name, weight in (("plain", np.ones(len(good))), ("weighted", weights(len(good)))):
        own = weight > 0
        kept = weight[own]

        def logistic(columns: Any, own: Any = own, kept: Any = kept) -> dict[str, Any]:
            options = {"tol": 1e-14, "maxiter": 100}
            exog, family = sm.add_constant(columns)[own], sm.families.Binomial()
            fit = sm.GLM(good[own], exog, family=family, freq_weights=kept).fit(**options)
            robust = sm.GLM(good[own], exog, family=family, var_weights=kept).fit(cov_type="HC0", **options)
            null = {"null_log_likelihood": float(fit.llnull), "aic": float(fit.aic), "bic": float(fit.bic_llf)}
            return told(fit, robust) | null

        binner = create("binner", "quantile")
        woe = binner.fit_transform(german.X[NAMES], german.y, sample_weight=weight)
        made[f"woe, {name}"] = logistic(np.asarray(woe))
        binning = create("binner", "quantile").fit(german.X[ATTRIBUTES], german.y, sample_weight=weight).binning_
        table, columns = as_table(german.X[ATTRIBUTES]), []
        for each in binning.tables:
            index = each.index(table.column(each.feature.name))
            counts = np.bincount(index, weight, len(each.conditions))
            columns += [index == place for place in np.flatnonzero(counts) if place != counts.argmax()]
        made[f"attributes, {name}"] = logistic(np.stack(columns, axis=1).astype(float))
        inputs = german.X[NAMES]
        binner = create("binner", "quantile")
        means = binner.bin_quantity(binner.read_quantity(inputs, amount, sample_weight=weight))
        table = as_table(inputs)
        encoded = [own.means[own.index(table.column(own.feature.name))] for own in means.tables]
        exog = sm.add_constant(np.stack(encoded, axis=1) - np.average(amount, weights=weight))[weight > 0]
        model = sm.WLS(amount[own], exog, weights=kept)
        fit, null = model.fit(), sm.WLS(amount[own], np.ones(own.sum()), weights=kept).fit()
        further = {"null_log_likelihood": float(null.llf), "aic": float(fit.aic), "bic": float(fit.bic)}
        made[f"mean, {name}"] = told(fit, model.fit(cov_type="HC0", use_t=True)) | further
        if name == "plain":
            exog = sm.add_constant(np.asarray(woe))
            factors = [float(influence.variance_inflation_factor(exog, place + 1)) for place in range(len(NAMES))]
            made["woe, plain"]["vif"] = factors
    Path(target).write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
