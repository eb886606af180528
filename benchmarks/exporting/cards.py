"""The models that are timed, and applicants for them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pandas.api.types import is_numeric_dtype
from scipy.stats import norm

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.model import (
    Attribute,
    Calibration,
    Categories,
    Characteristic,
    Clause,
    Feature,
    FrozenMapping,
    Interval,
    Leaf,
    Missing,
    Otherwise,
    Outcome,
    ReasonPolicy,
    Scorecard,
    Split,
    TreeEnsemble,
)
from scrutable.model.conditions import AttributeCondition

N_NUMBERS, N_TEXTS, N_CUTS = 11, 4, 5
CATEGORIES = tuple(f"category {i}" for i in range(6))
OUTCOME = Outcome(classes=("bad", "good"), favourable="good")
CALIBRATION = Calibration(slope=0.03, intercept=-16)


def scorecard(seed: int = 0) -> Scorecard:
    """Fifteen characteristics, eleven of six intervals and four of three groups of categories, and four reasons."""
    rng = np.random.default_rng(seed)
    numbers = [Characteristic(feature=f"number_{i}", attributes=_intervals(rng)) for i in range(N_NUMBERS)]
    texts = [Characteristic(feature=f"text_{i}", attributes=_groups(rng)) for i in range(N_TEXTS)]
    items = (*numbers, *texts)
    order = tuple(f"R{i:02}" for i in range(len(items)))
    return Scorecard(
        outcome=OUTCOME,
        features=tuple(
            Feature(name=item.feature, kind="numeric" if item in numbers else "categorical") for item in items
        ),
        characteristics=items,
        base_points=500,
        cutoff=600,
        calibration=CALIBRATION,
        reasons=ReasonPolicy(
            method="below-average",
            population="made up",
            cutoff=600,
            baselines=FrozenMapping({item.feature: 20.0 for item in items}),
            codes=FrozenMapping({item.feature: code for item, code in zip(items, order, strict=True)}),
            texts=FrozenMapping({code: f"reason {code}" for code in order}),
            order=order,
        ),
    )


def stumps(edges: int | None = None, n: int = 1000, seed: int = 0) -> TreeEnsemble:
    """Stumps on fifteen numbers, cut at edges of bins, as histogram boosters are, or each at its own number."""
    rng = np.random.default_rng(seed)
    names = [f"number_{i}" for i in range(N_NUMBERS + N_TEXTS)]
    cuts = rng.normal(size=n) if edges is None else rng.choice(norm.ppf(np.arange(1, edges + 1) / (edges + 1)), n)
    trees = tuple(
        Split(
            Clause(names[i % len(names)], (Interval(upper=float(cuts[i]), closed="right"), Missing())),
            Leaf(float(rng.normal() / 100)),
            Leaf(float(rng.normal() / 100)),
        )
        for i in range(n)
    )
    return TreeEnsemble(
        outcome=OUTCOME,
        features=tuple(Feature(name=name, kind="numeric") for name in names),
        trees=trees,
        base_score=0.1,
        cutoff=0.0,
        calibration=Calibration(slope=1),
    )


def learnt_stumps(n: int, seed: int = 0) -> tuple[Scorecard, dict[str, NDArray[Any]]]:
    """What 1,000 rounds of boosted stumps on fifteen columns of the German credit data become, and n rows of these."""
    german = load_german_credit()
    X = german.X.iloc[:, :15]
    learner = create("learner", "fairgbm", max_depth=1, n_estimators=1000).fit(X, german.y)
    drawn = X.iloc[np.random.default_rng(seed).integers(0, len(X), n)]
    columns = {
        name: drawn[name].to_numpy(dtype=float if is_numeric_dtype(drawn[name]) else object) for name in drawn.columns
    }
    return learner.model_, columns


def applicants(n: int, seed: int = 1) -> dict[str, NDArray[Any]]:
    """Columns for both models; one value in twenty is missing."""
    rng = np.random.default_rng(seed)
    columns: dict[str, NDArray[Any]] = {}
    for i in range(N_NUMBERS + N_TEXTS):
        columns[f"number_{i}"] = np.where(rng.random(n) < 0.05, np.nan, rng.normal(size=n))
    for i in range(N_TEXTS):
        columns[f"text_{i}"] = np.array(CATEGORIES, dtype=object)[rng.integers(0, len(CATEGORIES), n)]
        columns[f"text_{i}"][rng.random(n) < 0.05] = None
    return columns


def _intervals(rng: np.random.Generator) -> tuple[Attribute, ...]:
    cuts = [-np.inf, *np.sort(rng.normal(size=N_CUTS)).round(4).tolist(), np.inf]
    points = rng.integers(-30, 60, size=N_CUTS + 2).tolist()
    conditions: list[AttributeCondition] = [*(Interval(low, high) for low, high in pairwise(cuts)), Missing()]
    return tuple(Attribute(condition=each, points=worth) for each, worth in zip(conditions, points, strict=True))


def _groups(rng: np.random.Generator) -> tuple[Attribute, ...]:
    groups = [Categories(CATEGORIES[start : start + 2]) for start in range(0, len(CATEGORIES), 2)]
    points = rng.integers(-30, 60, size=len(groups) + 2).tolist()
    conditions: list[AttributeCondition] = [*groups, Otherwise(), Missing()]
    return tuple(Attribute(condition=each, points=worth) for each, worth in zip(conditions, points, strict=True))
