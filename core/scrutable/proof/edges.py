"""Rows on which a careless engine goes wrong: every value that tells a model's conditions apart, and lookalikes."""

from __future__ import annotations

import math
import random
import unicodedata
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from scrutable.model.conditions import Clause
from scrutable.model.contents import clauses_of
from scrutable.model.domain import Observed, witnesses
from scrutable.model.regression import RegressionScorecard
from scrutable.model.scorecard import Scorecard
from scrutable.model.segments import Model, SegmentedModel

if TYPE_CHECKING:
    import pandas as pd

_LOOKALIKES = ("", " ", "NULL", "None", "nan", "NaN", "NA", "0", "'", '"', "\\", "\n", "%", "--", ";", "é", "😀")


def edge_rows(model: Model, *, n_random: int = 50, seed: int = 0) -> pd.DataFrame:
    """Every edge value of every feature in a row of its own, the other features drawn from theirs at random.

    Numeric features get every cut with the doubles beside it and its single-precision and 15-digit neighbours, ±inf,
    NaN, -0.0 and special codes; categorical ones get every category, unseen texts, and texts that equal a category
    only for an engine that trims, folds case or normalises Unicode; missing is None there. The same seed gives the
    same rows.

    Parameters
    ----------
    model : any model that reads at least one feature.
    n_random : further rows with all features drawn at random.
    seed : of the draws.

    Returns
    -------
    one float64 or object column per feature

    Examples
    --------
    >>> from scrutable.model import *
    >>> young = Rule(when=(Clause("age", (Interval(upper=21),)),), outcome=0)
    >>> rules = RuleSet(outcome=Outcome(classes=(0, 1), favourable=1), features=(Feature(name="age", kind="numeric"),),
    ...     rules=(young,), fallback=(Rule(when=(), outcome=1),))
    >>> 21.0 in edge_rows(rules)["age"].tolist()
    True
    """
    import pandas as pd

    chance = random.Random(seed)
    pools = edge_values(model)
    rows = [
        [value if name == key else chance.choice(pool) for name, pool in pools.items()]
        for key, values in pools.items()
        for value in values
    ]
    rows += [[chance.choice(pool) for pool in pools.values()] for _ in range(n_random)]
    chance.shuffle(rows)
    dtypes = {feature.name: float if feature.kind == "numeric" else object for feature in model.features}
    columns = zip(pools, zip(*rows, strict=True), strict=True)
    return pd.DataFrame({name: pd.Series(values, dtype=dtypes[name]) for name, values in columns})


def edge_values(model: Model) -> dict[str, list[Observed]]:
    """The edge values of each feature; None is missing."""
    conditions = _conditions(model)
    edges: dict[str, dict[str, Observed]] = {}
    for feature in model.features:
        values = witnesses(feature, conditions.get(feature.name, []))
        beside = _numbers_beside(values) if feature.kind == "numeric" else _texts_beside(values)
        # -0.0 equals 0.0, so the text of a value tells it apart rather than the value
        edges.setdefault(feature.name, {}).update((repr(value), value) for value in [*values, *beside])
    return {name: list(values.values()) for name, values in edges.items()}


def _conditions(model: Model) -> dict[str, list[Any]]:
    """Every condition in the model, by feature; their order is that of the edge values."""
    conditions: dict[str, list[Any]] = {}

    def add(clauses: Iterable[Clause]) -> None:
        for clause in clauses:
            conditions.setdefault(clause.feature, []).extend(clause.any_of)

    if isinstance(model, SegmentedModel):
        add(clause for segment in model.segments for clause in segment.when)
    for single in model.parts:
        if isinstance(single, Scorecard | RegressionScorecard):
            for cut in single.cuts:
                conditions.setdefault(cut.feature, []).extend(cut.conditions)
        add(clauses_of(single))
    return conditions


def _numbers_beside(values: list[Observed]) -> Iterator[float]:
    """-0.0, and what is left of each number after a trip through single precision or 15 digits."""
    import numpy as np

    yield -0.0
    for value in values:
        if isinstance(value, float) and math.isfinite(value):
            yield float(f"{value:.15g}")
            with np.errstate(over="ignore", under="ignore"):
                yield float(np.float32(value))


def _texts_beside(values: list[Observed]) -> Iterator[str]:
    yield from _LOOKALIKES
    for value in values:
        if isinstance(value, str):
            yield from (value.upper(), value.lower(), value.swapcase(), value.casefold())
            yield from (value + " ", " " + value, value + "\n", value.strip(), value + "\u200b", value[:63])
            for form in ("NFC", "NFD", "NFKC", "NFKD"):
                yield unicodedata.normalize(form, value)
