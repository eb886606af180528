"""Cards from the pre-bins of our stumps beside those from XGBoost's, and from ours with gradients always added up."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pandas as pd
import xgboost
from clock import timed
from growing.data import applicants
from report import Row

from lda.data import folder
from scrutable import create
from scrutable.binning import Trends
from scrutable.data.datasets import load_german_credit, make_credit
from scrutable.data.training import TrainingData
from scrutable.fairness import auc
from scrutable_lda_xgb1 import boosting, stumps
from scrutable_lda_xgb1.ranks import Ranked

HEADERS = ("data", "rows", "cuts", "XGBoost's", "both", "scores", "AUC", "exact", "XGBoost's", "CPU", "XGBoost's")


class Credit(NamedTuple):
    """Applicants, and what a learner has to know of them."""

    name: str
    X: pd.DataFrame
    good: np.ndarray
    options: dict[str, Any]


def credits(quick: bool) -> Iterator[Credit]:
    """Public data, and simulated applicants."""
    for name, data in (("German", load_german_credit()), ("simulated", make_credit(20_000, seed=3))):
        options = {"special_codes": data.special_codes}
        yield Credit(name, data.X, (data.y == data.favourable).to_numpy(), options)
    heloc = pd.read_csv(folder() / "heloc.csv.gz", sep=r"\s+", header=None).add_prefix("x")
    yield Credit("HELOC", heloc.drop(columns="x0"), (heloc["x0"] == 0).to_numpy(), {"special_codes": [-7, -8, -9]})
    taiwan = pd.read_csv(folder() / "taiwan_default.csv.gz")
    yield Credit("Taiwan", taiwan.drop(columns=["y", "X_1"]), (taiwan["y"] == 0).to_numpy(), {})
    adult = pd.read_csv(folder() / "adult.csv.gz", header=None, skipinitialspace=True).add_prefix("x")
    *inputs, last = adult.columns
    yield Credit("Adult", adult[inputs].drop(columns=["x8", "x9"]), (adult[last] == adult[last].max()).to_numpy(), {})
    bank = pd.read_csv(folder() / "bank_mkt.csv.gz", sep=None, engine="python")
    *inputs, last = bank.columns
    yield Credit("bank", bank[inputs], (bank[last] == bank[last].max()).to_numpy(), {})
    X, y, _ = applicants(50_000 if quick else 200_000, 26)
    yield Credit("26 columns", X, y.to_numpy() == 1, {})


def beside_xgboost(credit: Credit, splits: int) -> tuple[list[str], Row]:
    """A line of the table, and what AUC is lost on rows held out."""
    runs = [
        [_run(credit, seed, cutter) for cutter in (stumps.stump_cuts, _always, by_xgboost)] for seed in range(splits)
    ]
    (ours, _, theirs), aucs = runs[0], np.array([[run.auc for run in each] for each in runs])
    lost = aucs[:, 2] - aucs[:, 0]
    error = float(lost.std(ddof=1) / np.sqrt(splits))
    cuts = (len(ours.cuts), len(theirs.cuts), len(ours.cuts & theirs.cuts))
    seconds = (f"{np.median([each[at].seconds for each in runs]):.2f} s" for at in (0, 2))
    row = Row(
        name=f"AUC lost beside XGBoost's stumps, {credit.name}",
        value=float(lost.mean()),
        unit="",
        relation="<=",
        bound=max(2 * error, 1e-4),
        note=f"on 30% held out, paired over {splits} splits, standard error {error:.1e}; bound: two of it, or 0.0001",
    )
    alike = np.mean([np.corrcoef(each[0].score, each[2].score)[0, 1] for each in runs])
    means = (f"{mean:.5f}" for mean in aucs.mean(axis=0))
    return [credit.name, f"{len(credit.good):,}", *map(str, cuts), f"{alike:.4f}", *means, *seconds], row


class _Run(NamedTuple):
    score: np.ndarray
    auc: float
    cuts: set[tuple[int, int]]
    seconds: float


def _run(credit: Credit, seed: int, cutter: Any) -> _Run:
    held_out = np.random.default_rng(seed).random(len(credit.good)) < 0.3
    kept: list[tuple[float, list[list[int]]]] = []

    def noted(ranked: Sequence[Ranked], *others: Any) -> list[list[int]]:
        seconds, chosen = timed(partial(cutter, ranked, *others))
        kept.append((seconds, [[each.opens[at] for at in own] for each, own in zip(ranked, chosen, strict=True)]))
        return [*chosen]

    with patch("scrutable_lda_xgb1.binners.stump_cuts", noted):
        learner = create("learner", "lda-xgb1", favourable=1, explainer=None, **credit.options)
        learner.fit(credit.X[~held_out], credit.good[~held_out].astype(int))
    [(seconds, cuts)] = kept
    score = learner.evaluate(credit.X[held_out]).score
    told = {(feature, cut) for feature, own in enumerate(cuts) for cut in own}
    return _Run(score, auc(credit.good[held_out], score), told, seconds)


def _always(*given: Any) -> list[list[int]]:
    with patch.object(stumps, "boosted", partial(boosting.boosted, stumps=1)):
        chosen: list[list[int]] = stumps.stump_cuts(*given)
    return chosen


def by_xgboost(
    ranked: Sequence[Ranked], data: TrainingData, trends: Trends, given: boosting.Boosting
) -> list[list[int]]:
    """The cuts that XGBoost's stumps make of the same bins."""
    rows = data.coded([each.coding for each in ranked])
    index = np.concatenate([chunk.codes for chunk in rows.chunks()], axis=1)
    bins = [np.where(own == each.size, np.nan, own) for own, each in zip(index, ranked, strict=True)]
    signs = {"ascending": 1, "descending": -1}
    options = {
        "objective": "binary:logistic",
        "max_depth": 1,
        "tree_method": "hist",
        "learning_rate": given.learning_rate,
        "max_bin": given.max_bin,
        "lambda": given.reg_lambda,
        "alpha": given.reg_alpha,
        "nthread": 1,
        "monotone_constraints": str(tuple(signs.get(trends.get(each.feature.name, ""), 0) for each in ranked)),
    }
    matrix = xgboost.DMatrix(np.stack(bins, axis=1), label=data.target, weight=data.weight, nthread=1)
    booster = xgboost.Booster(options, [matrix])
    for number in range(given.n_estimators):
        booster.update(matrix, number)
    cuts: list[set[int]] = [set() for _ in ranked]
    for tree in json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]["model"]["trees"]:
        if len(tree["left_children"]) > 1:
            cuts[tree["split_indices"][0]].add(int(np.ceil(tree["split_conditions"][0])) - 1)
    return [sorted(at for at in own if 0 <= at < len(each.opens)) for own, each in zip(cuts, ranked, strict=True)]
