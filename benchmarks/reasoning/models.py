"""The models whose reasons are compared: on three real data sets, with every method that each kind has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from boosting.data import taiwan
from recourse.heloc import FEATURES, SPECIAL, folder

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.model import Scorecard
from scrutable.model.segments import SingleModel

#: Of scorecards.
METHODS = ("below-average", "near-cutoff", "below-maximum", "below-neutral", "shapley")
#: Rows that rules and trees learn from; reasons are compared on all of them.
_LEARNT_FROM = 3_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Data:
    """Applicants, and which of them were good."""

    name: str
    X: pd.DataFrame
    good: np.ndarray
    special: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """A model with a reason policy, and all the rows that it is asked about."""

    name: str
    model: SingleModel
    X: pd.DataFrame


def data_sets() -> Iterator[Data]:
    """German credit, HELOC and Taiwan default."""
    german = load_german_credit()
    yield Data(name="german credit", X=german.X, good=(german.y == "good").to_numpy(int))
    frame = pd.read_csv(folder() / "heloc.csv.gz", sep=r"\s+", header=None)
    X = frame[list(FEATURES)].set_axis(list(FEATURES.values()), axis=1).astype(float)
    yield Data(name="heloc", X=X, good=(frame[0] == 0).to_numpy(int), special=SPECIAL)
    problem = taiwan()
    yield Data(name="taiwan default", X=problem.frame, good=problem.y)


def cases(data: Data) -> Iterator[Case]:
    """A scorecard with each method, rules, and a few shallow trees."""
    special = {name: list(data.special) for name in data.X} if data.special else None
    binner = create("binner", "quantile", special_codes=special)
    card = create("learner", "scorecard", binner=binner, explainer=None)
    scorecard: Scorecard = card.fit(data.X, data.good).model_
    for method in METHODS:
        yield _case(data, f"scorecard, {method}", scorecard, method)
    few = np.random.default_rng(0).permutation(len(data.X))[:_LEARNT_FROM]
    X, good = data.X.iloc[few], data.good[few]
    rules = create("learner", "rug", max_depth=2, special_codes=special).fit(X, good).model_
    yield _case(data, "rules, votes-against", rules, None)
    boosted = create("learner", "fairgbm", max_depth=2, n_estimators=20, special_codes=special)
    yield _case(data, "trees, shapley", boosted.fit(X, good).model_, "shapley")


def _case(data: Data, name: str, model: SingleModel, method: str | None) -> Case:
    policy = create("explainer", "reason-codes", method=method).policy(model, data.X)
    return Case(name=f"{data.name}: {name}", model=replace(model, reasons=policy), X=data.X)
