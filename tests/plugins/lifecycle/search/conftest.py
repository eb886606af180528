"""A learner whose alternatives leave out a characteristic each, and simulated applicants for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable.binning.scorecards import build_scorecard, centred
from scrutable.data.training import TrainingData, read_training
from scrutable.measures.numerics.binned_logistic import fit_binned_logistic
from scrutable.measures.numerics.blocks import one_hot_block
from scrutable.model import Evidence, FrozenMapping, Scaling, Scorecard
from scrutable.plugins.bases import Alternative, Learner, estimator
from scrutable.plugins.registry import registry


@estimator
class LeavingOut(Learner):
    """A scorecard of all characteristics, and one without each set of them."""

    without: Any = (("wealth",), ("income",), ("wealth", "income"), ("age",))
    max_bins: int = 6
    approval_rate: float | None = None
    cutoff: float | None = None
    reference_groups: dict[str, str] | None = None
    favourable: Any = None
    allow_protected: Any = ()

    def read(self, X: Any, y: Any, *, sensitive_features: Any, sample_weight: Any) -> TrainingData:
        return read_training(
            X,
            y,
            sensitive_features=sensitive_features,
            sample_weight=sample_weight,
            favourable=self.favourable,
            allow_protected=self.allow_protected,
            reference_groups=self.reference_groups,
        )

    def learn(self, data: TrainingData) -> tuple[Scorecard, Evidence]:
        binning = registry().create("binner", "quantile", max_bins=self.max_bins).bin(data)
        blocks = [one_hot_block(len(table.conditions)) for table in binning.tables]
        fit = fit_binned_logistic(blocks, data.coded([table.coding for table in binning.tables]), ridge=1e-3)
        intercept, values = centred(fit.values, binning.tables, fit.intercept)
        model = build_scorecard(data.outcome, binning.tables, intercept, values, Scaling())
        return model, Evidence(model_sha256="", binning=binning.to_json())

    def vary(self, data: TrainingData) -> Iterator[Alternative]:
        yield self._alternative(data, "baseline", ())
        for names in self.without:
            yield self._alternative(data, "leave-out", names)

    def _alternative(self, data: TrainingData, method: str, names: Any) -> Alternative:
        kept = tuple(feature for feature in data.features if feature.name not in names)
        model, evidence = self.learn(replace(data, features=kept))
        parameters = FrozenMapping({} if method == "baseline" else {"without": tuple(names)})
        return Alternative(method=method, parameters=parameters, model=model, evidence=evidence)


@pytest.fixture(scope="session")
def leaving_out() -> type[LeavingOut]:
    """The learner."""
    return LeavingOut


@pytest.fixture(scope="session")
def people() -> pd.DataFrame:
    """Applicants; `wealth` and `income` go with sex and area, `thrift` and `age` do not."""
    return make_people(3000, 4)


def make_people(n: int, seed: int) -> pd.DataFrame:
    """Simulated applicants with their outcome, groups and weight."""
    draw = np.random.default_rng(seed)
    sex = draw.choice(["f", "m"], n, p=[0.4, 0.6])
    area = draw.choice(["north", "south", "west"], n, p=[0.5, 0.3, 0.2])
    wealth = draw.normal(size=n) + 1.2 * (sex == "m") + 0.3 * (area == "north")
    income = draw.normal(size=n) + 0.5 * (sex == "m") + 0.8 * (area == "north")
    thrift, age = draw.normal(size=n), draw.integers(20, 70, n).astype(float)
    age[draw.random(n) < 0.05] = np.nan
    logit = 0.6 * wealth + 0.5 * income + 1.0 * thrift + 0.01 * (np.nan_to_num(age, nan=40) - 45)
    paid = np.where(logit + draw.logistic(size=n) > 0.3, "yes", "no")
    columns = {"wealth": wealth, "income": income, "thrift": thrift, "age": age, "sex": sex, "area": area}
    return pd.DataFrame({**columns, "paid": paid, "weight": draw.integers(1, 4, n).astype(float)})
