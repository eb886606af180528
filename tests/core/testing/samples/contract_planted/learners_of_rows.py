"""Learners that take outcomes, weights and rows for something else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from contract_samples.healthy import TinyLearner

from contract_planted.fault import patched, planted
from contract_planted.faulty_learner import RegressionLearner, changed, negated
from scrutable import create
from scrutable.binning import build_scorecard
from scrutable.data.training import read_training
from scrutable.model import Attribute, Characteristic, Evidence, RegressionScorecard, Scaling


@patched(TinyLearner, "read", check="scores-favour-the-favourable-class")
def ignores_favourable(self: Any, X: Any, y: Any, **options: Any) -> Any:
    """Favours the last class, whichever is asked for."""
    return read_training(X, y, **options, special_codes=self.special_codes)


@patched(TinyLearner, "learn", check="scores-favour-the-favourable-class")
def scores_the_last_class(self: Any, data: Any) -> Any:
    """Names the class that is asked for, and gives points to the last one."""
    model, evidence = TinyLearner.learn(self, data)
    return (changed(model, negated) if data.outcome.favourable_index == 0 else model), evidence


@patched(TinyLearner, "learn", check="scores-favour-the-favourable-class")
def favours_true(self: Any, data: Any) -> Any:
    """Turns its points where classes are no texts."""
    model, evidence = TinyLearner.learn(self, data)
    return (model if isinstance(data.outcome.favourable, str) else changed(model, negated)), evidence


@patched(TinyLearner, "learn", check="weights-decide", known_failures={"weights-matter": "none are kept"})
def excused_from_weights(self: Any, data: Any) -> Any:
    """Ignores weights, behind a declaration."""
    return TinyLearner.learn(self, replace(data, weight=np.ones_like(data.weight)))


@patched(TinyLearner, "learn", check="weights-decide")
def inverts_weights(self: Any, data: Any) -> Any:
    """Divides by weights."""
    return TinyLearner.learn(self, replace(data, weight=1 / np.maximum(data.weight, 1e-6)))


@patched(TinyLearner, "learn", check="weights-decide")
def weighs_the_intercept(self: Any, data: Any) -> Any:
    """Uses weights for the base points alone."""
    model, evidence = TinyLearner.learn(self, replace(data, weight=np.ones_like(data.weight)))
    return replace(model, base_points=TinyLearner.learn(self, data)[0].base_points), evidence


@patched(TinyLearner, "learn", check="weights-decide")
def clips_weights(self: Any, data: Any) -> Any:
    """Lets no row weigh more than two."""
    return TinyLearner.learn(self, replace(data, weight=np.minimum(data.weight, 2.0)))


@patched(TinyLearner, "learn", check="whole-weights-are-repeated-rows")
def odds_of_rows(self: Any, data: Any) -> Any:
    """Starts from the odds of rows, and weighs everything else."""
    model, evidence = TinyLearner.learn(self, data)
    shares = data.good.mean(), np.average(data.good, weights=data.weight)
    rows, weighed = (float(np.log(share / (1 - share))) for share in shares)
    calibration = replace(model.calibration, intercept=model.calibration.intercept + rows - weighed)
    return replace(model, calibration=calibration), evidence


@patched(TinyLearner, "learn", check="rows-count-wherever-they-stand")
def learns_from_the_first(self: Any, data: Any) -> Any:
    """Takes the first two thirds of the rows for all of them."""
    place = np.arange(len(data.weight))
    return TinyLearner.learn(self, replace(data, weight=np.where(place < len(place) * 2 / 3, data.weight, 0.0)))


@patched(TinyLearner, "learn", check="probabilities-are-near-the-shares")
def loses_the_intercept(self: Any, data: Any) -> Any:
    """Has base points as if half of all rows were good."""
    model, evidence = TinyLearner.learn(self, data)
    return replace(model, base_points=Scaling().offset), evidence


@planted("learner", check="a-fit-knows-nothing-of-those-before")
class StartsWarm(TinyLearner):
    """Starts where the last fit of anybody ended."""

    last: Any = None

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)
        before = type(self).last or 0.0
        type(self).last = model.characteristics[0].attributes[0].points
        return replace(model, base_points=model.base_points + before), evidence


@patched(TinyLearner, "read", check="index-and-types-do-not-matter")
def goes_by_the_index(self: Any, X: Any, y: Any, **options: Any) -> Any:
    """Sorts its rows by index labels, and their outcomes not."""
    X = X.sort_index().reset_index(drop=True) if hasattr(X, "sort_index") else X
    y = y.reset_index(drop=True) if hasattr(y, "reset_index") else y
    if isinstance(options["sensitive_features"], pd.DataFrame):
        options["sensitive_features"] = options["sensitive_features"].reset_index(drop=True)
    return TinyLearner.read(self, X, y, **options)


@patched(TinyLearner, "evaluate", check="rows-are-worth-the-same-alone")
def scores_against_the_batch(self: Any, X: Any) -> Any:
    """Scores rows by how they compare with those beside them."""
    found = TinyLearner.evaluate(self, X)
    return replace(found, score=found.score - found.score.mean())


@patched(TinyLearner, "learn", check="groups-change-nothing-unless-asked")
def sees_groups(self: Any, data: Any) -> Any:
    """Weighs groups against one another, though nobody asked for that."""
    if data.groups is None:
        return TinyLearner.learn(self, data)
    membership = data.groups.attributes[0].membership
    return TinyLearner.learn(self, replace(data, weight=data.weight * (1 + membership[:, 0])))


@patched(RegressionLearner, "learn", check="quantities-of-any-scale-are-learned", produces=("regression-scorecard",))
def rounds_quantities(self: Any, data: Any) -> Any:
    """Learns a quantity to three decimals."""
    return RegressionLearner.learn(self, replace(data, values=np.round(data.values, 3)))


class Backfitting(RegressionLearner):
    """Means of attributes, one characteristic after another, until nothing moves."""

    most, smallest = 200, 1e-9

    def learn(self, data: Any) -> Any:
        tables = create("binner", "quantile").bin_quantity(data).tables
        places = [table.index(data.columns[table.feature.name]) for table in tables]
        effects = [np.zeros(len(table.conditions)) for table in tables]
        overall = float(np.average(data.values, weights=data.weight))
        rest = data.values - overall
        for _ in range(self.most):
            before = rest
            for place, effect in zip(places, effects, strict=True):
                rest = rest + effect[place]
                count = np.bincount(place, data.weight, len(effect))
                effect[:] = np.bincount(place, data.weight * rest, len(effect)) / np.maximum(count, 1e-300)
                rest = rest - effect[place]
            if np.abs(rest - before).max() <= self.smallest:
                break
        parts = []
        for table, effect in zip(tables, effects, strict=True):
            pairs = zip(table.conditions, effect.tolist(), strict=True)
            attributes = tuple(Attribute(condition=condition, points=points) for condition, points in pairs)
            parts.append(Characteristic(feature=table.feature.name, attributes=attributes))
        features = tuple(table.feature for table in tables)
        given = {"outcome": data.outcome, "features": features, "characteristics": tuple(parts)}
        return RegressionScorecard(**given, base_points=overall), Evidence(model_sha256="")


@planted("learner", check="predictions-move-with-the-quantity", produces=("regression-scorecard",))
class StopsAtAThousandth(Backfitting):
    """Stops where nothing moves by more than a thousandth, in whatever unit."""

    smallest = 1e-3


@planted("learner", check="the-order-of-columns-changes-no-prediction", produces=("regression-scorecard",))
class GoesThroughOnce(Backfitting):
    """Goes through the characteristics once."""

    most = 1


class _Elsewhere(TinyLearner):
    """A learner of codes that is healthy."""

    needs = "codes"

    def learn(self, data: Any) -> Any:
        tables = create("binner", "quantile").bin(data).tables
        share = self.share(data)
        odds, values = float(np.log(share / (1 - share))), [table.woe for table in tables]
        return build_scorecard(data.outcome, tables, odds, values, Scaling()), Evidence(model_sha256="")

    def share(self, data: Any) -> float:
        """Of good rows."""
        return float(data.by_outcome[1, 1] / data.every.weight)


@planted("learner", check="rows-elsewhere-teach-the-same")
class ReadsRowsElsewhere(TinyLearner):
    """Says that it needs no rows, and reads them."""

    needs = "codes"


@patched(_Elsewhere, "share", check="rows-elsewhere-teach-the-same")
def learns_of_the_first_batch(self: Any, data: Any) -> float:
    """Takes the share of good rows from the first batch."""
    return float(next(data.batches()).good.mean())
