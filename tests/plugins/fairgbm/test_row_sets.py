"""Which rows are held out, by chance or by date, and rows given for validation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.errors import InputError
from scrutable.fairness import Groups, RateBound
from scrutable.model import Calibration
from scrutable_fairgbm.learner import FairGBMClassifier
from scrutable_fairgbm.row_sets import RowSet, held_out_rows

pytestmark = pytest.mark.filterwarnings("ignore::scrutable.fairness.BrokenBoundWarning")

BOUND = RateBound(rate="approval", given=True, attribute="sex", group="f", reference="m", slack=0.0)


def sample(seed: int = 0, n: int = 600) -> tuple[pd.DataFrame, np.ndarray, pd.DataFrame]:
    rng = np.random.default_rng(seed)
    sex = rng.choice(["f", "m"], n, p=[0.4, 0.6])
    X = pd.DataFrame({"a": rng.normal(0, 1, n) - 0.5 * (sex == "f"), "b": rng.normal(0, 1, n)})
    return X, (X["a"] + X["b"] + rng.logistic(0, 1, n) > 0).to_numpy().astype(int), pd.DataFrame({"sex": sex})


def learner(**options: Any) -> FairGBMClassifier:
    wish = create("constraint", "opportunity", slack=0.0)
    return FairGBMClassifier(**{"constraints": wish, "n_estimators": 20, "max_leaves": 4, **options})


def rows(groups: Groups, good: np.ndarray) -> RowSet:
    n = len(good)
    return RowSet(matrix=np.zeros((n, 1)), good=good, weight=np.ones(n), groups=groups, start=np.zeros(n))


@pytest.mark.parametrize("part", [0.05, 0.1, 0.37, 0.5, 0.6, 0.9])
@pytest.mark.parametrize("soft", [False, True])
def test_as_many_rows_are_held_out_as_were_asked_for_in_each_cell(part: float, soft: bool) -> None:
    rng = np.random.default_rng(0)
    women, good = rng.random(3000), rng.random(3000) < 0.7
    share = women if soft else (women > 0.5).astype(float)
    groups = Groups.from_probabilities({"sex": pd.DataFrame({"f": share, "m": 1 - share})})
    held = held_out_rows(rows(groups, good), [BOUND], part, None, stopping=False, seed=3)
    assert held is not None
    assert held.sum() == pytest.approx(part * 3000, abs=1)
    for cell in (good & (women > 0.5), good & (women < 0.5), ~good & (women > 0.5)):
        assert held[cell].sum() == pytest.approx(part * cell.sum(), abs=2)


def test_missing_dates_and_dates_of_several_kinds_are_refused() -> None:
    X, y, sex = sample()
    dates = pd.Series(pd.date_range("2024-01-01", periods=600))
    dates[7] = pd.NaT
    with pytest.raises(InputError, match=r"dates: a date is missing; got '1 missing, the first in row 7'"):
        learner().fit(X, y, sensitive_features=sex, dates=dates)
    with pytest.raises(InputError, match=r"dates of kinds that cannot be sorted"):
        learner().fit(X, y, sensitive_features=sex, dates=pd.Series([*["2024"] * 599, 2025], dtype=object))
    with pytest.raises(InputError, match=r"no earlier date is left for the trees; got .2024-01-01"):
        learner().fit(X, y, sensitive_features=sex, dates=pd.Series(pd.to_datetime(["2024-01-01"] * 600, utc=True)))


def test_texts_are_read_as_the_days_they_say() -> None:
    X, y, sex = sample()
    days = pd.date_range("2023-11-01", periods=600, freq="D")
    models = [
        learner(held_out=0.2).fit(X, y, sensitive_features=sex, dates=dates).model_
        for dates in (days, days.strftime("%Y-%m-%d"), days.strftime("%Y%m%d").to_numpy(), np.arange(600))
    ]
    assert all(model.trees == models[0].trees for model in models)
    with pytest.raises(InputError, match=r"dates, row 0: a text that is no date; got '01/11/2023'; .*pd.to_datetime"):
        learner().fit(X, y, sensitive_features=sex, dates=days.strftime("%d/%m/%Y"))


@pytest.mark.parametrize("options", [{"held_out": None}, {}])
def test_dates_that_nobody_would_look_at_are_refused(options: dict[str, Any]) -> None:
    X, y, sex = sample()
    validation = None if options else (X, y, sex)
    with pytest.raises(InputError, match="dates say which rows are held out, and none are to be"):
        learner(**options).fit(X, y, sensitive_features=sex, dates=np.arange(600), validation=validation)


def test_a_group_that_held_out_rows_do_not_have_is_bounded_by_training_rows_alone() -> None:
    X, y, sex = sample(n=1200)
    sex = sex.assign(sex=np.where((np.arange(1200) < 900) & (np.arange(1200) % 5 == 0), "x", sex["sex"]))
    fitted = learner().fit(X, y, sensitive_features=sex, dates=np.arange(1200))
    found: Any = fitted.evidence_.metrics
    assert found["rows_held_out"] == 120
    assert {row["group"]: row["kept"] for row in found["constraints_held_out"]}["x"] is None
    assert np.isfinite(list(found["multipliers"].values())).all()
    assert fitted.history_.multipliers.any(axis=0).all()


def test_validation_rows_are_read_as_training_rows_are() -> None:
    X, y, sex = sample()
    own = learner(early_stopping=5)
    with pytest.raises(InputError, match=r"validation groups: its rows have the index labels of X in another order"):
        own.fit(X, y, sensitive_features=sex, validation=(X, y, sex[::-1]))
    with pytest.raises(InputError, match=r"attribute 'sex': groups that training rows do not have; got \['w'\]"):
        own.fit(X, y, sensitive_features=sex, validation=(X, y, sex.replace("f", "w")))
    with pytest.raises(InputError, match=r"expected validation rows"):
        own.fit(X, y, sensitive_features=sex, validation=(X, y, sex, y, y))
    doubled = own.fit(X, y, sensitive_features=sex, validation=(X, y, sex, np.where(y == 1, 3.0, 1.0))).history_
    equal = own.fit(X, y, sensitive_features=sex, validation=(X, y, sex)).history_
    assert (doubled.losses[:3] != equal.losses[:3]).all()


def test_scores_that_were_bent_stay_calibrated_when_trees_are_added() -> None:
    X, y, sex = sample()
    own = learner(class_weight={0: 6.0, 1: 1.0}, warm_start=True).fit(X, y, sensitive_features=sex)
    own.set_params(class_weight=None, constraints=(), n_estimators=25).fit(X, y)
    model: Any = own.model_
    assert model.calibration != Calibration(slope=1.0)
    assert own.predict_proba(X)[:, 1].mean() == pytest.approx(y.mean(), abs=0.02)
