"""Learners that decide wrongly."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from contract_samples.healthy import TinyLearner
from sklearn.linear_model import LogisticRegression

from contract_planted.fault import patched, planted
from scrutable import create
from scrutable.binning.scorecards import build_scorecard
from scrutable.data.training import read_training
from scrutable.model import (
    Attribute,
    Categories,
    Characteristic,
    Clause,
    Evidence,
    Interval,
    KnockOut,
    Missing,
    Otherwise,
    Policy,
    RegressionScorecard,
    Scaling,
    Special,
)
from scrutable.model.evaluator import evaluate
from scrutable.plugins.bases import Alternative
from scrutable.plugins.bases.alternative import BASELINE
from scrutable.plugins.options import Share
from scrutable.plugins.registry import registry

_Scorecard: Any = registry().load("learner", "scorecard")
_RegressionScorecard: Any = registry().load("learner", "scorecard-regressor")
_QUICK = {"options": {"binner": "quantile"}, "produces": ("scorecard",)}


def changed(model: Any, change: Any) -> Any:
    """A scorecard whose attributes are changed one by one."""
    parts = [replace(each, attributes=tuple(map(change, each.attributes))) for each in model.characteristics]
    return replace(model, characteristics=tuple(parts))


def negated(attribute: Attribute) -> Attribute:
    return replace(attribute, points=-attribute.points)


def binner_of(learner: Any) -> Any:
    """The binner that a learner was given, or the one of its name."""
    return create("binner", learner.binner) if isinstance(learner.binner, str) else learner.binner


class Changing(TinyLearner):
    """Changes attributes of a healthy model."""

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)
        return changed(model, self.change), evidence

    def change(self, attribute: Attribute) -> Attribute:
        return attribute


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


@patched(Changing, "change", check="missing-values-are-worth-what-their-rows-say")
def missing_is_neutral(self: Any, attribute: Attribute) -> Attribute:
    """Counts rows with missing values, and gives them 0 points."""
    return replace(attribute, points=0.0) if isinstance(attribute.condition, Missing) else attribute


@patched(Changing, "change", check="missing-values-are-worth-what-their-rows-say")
def missing_is_worst(self: Any, attribute: Attribute) -> Attribute:
    """Declines whoever says nothing."""
    return replace(attribute, points=-500.0) if isinstance(attribute.condition, Missing) else attribute


@patched(Changing, "change", check="special-codes-are-worth-what-their-rows-say")
def codes_are_neutral(self: Any, attribute: Attribute) -> Attribute:
    """Gives special codes 0 points."""
    return replace(attribute, points=0.0) if isinstance(attribute.condition, Special) else attribute


@patched(TinyLearner, "read", check="special-codes-are-worth-what-their-rows-say")
def codes_are_numbers(self: Any, X: Any, y: Any, **options: Any) -> Any:
    """Takes special_codes, and reads them as numbers."""
    return read_training(X, y, **options, favourable=self.favourable)


@patched(Changing, "change", check="unseen-texts-are-neither-best-nor-worst")
def unseen_is_best(self: Any, attribute: Attribute) -> Attribute:
    """Approves whoever brings a new text."""
    return replace(attribute, points=300.0) if isinstance(attribute.condition, Otherwise) else attribute


@planted("learner", check="unseen-texts-are-neither-best-nor-worst")
class UnseenIsWorst(TinyLearner):
    """Gives new texts the points of the worst that was seen."""

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)
        parts = []
        for each in model.characteristics:
            worst = min(one.points for one in each.attributes if not isinstance(one.condition, Otherwise | Missing))
            change = partial(self.change, worst=worst)
            parts.append(replace(each, attributes=tuple(map(change, each.attributes))))
        return replace(model, characteristics=tuple(parts)), evidence

    def change(self, attribute: Attribute, worst: float) -> Attribute:
        return replace(attribute, points=worst) if isinstance(attribute.condition, Otherwise) else attribute


@patched(Changing, "change", check="what-no-row-lacked-may-be-missing-later")
def never_missing_is_best(self: Any, attribute: Attribute) -> Attribute:
    """Approves whoever leaves out what nobody left out before."""
    nobody = isinstance(attribute.condition, Missing) and not attribute.statistics.count
    return replace(attribute, points=300.0) if nobody else attribute


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


@planted("learner", check="trends-hold-in-the-score", enforces=("trend",), **_QUICK)
class ClaimsTrends(TinyLearner):
    """Claims trends, takes them, and ignores them.

    Parameters
    ----------
    trends : what it ignores.
    """

    def __init__(self, *, trends: Any = None, favourable: Any = None, binner: Any = None) -> None:
        super().__init__(favourable=favourable)
        self.trends, self.binner = trends, binner


@patched(_Scorecard, "learn", check="trends-hold-against-the-rows", enforces=("trend",), **_QUICK)
def trusts_the_binner(self: Any, data: Any) -> Any:
    """Keeps a trend only where the binner's bins keep it already."""
    tables = binner_of(self).bin(data).tables
    model = build_scorecard(data.outcome, tables, 0.0, [table.woe for table in tables], Scaling())
    return model, Evidence(model_sha256="")


@patched(_Scorecard, "learn", check="trends-hold-against-the-rows", enforces=("trend",), **_QUICK)
def turns_trends_with_the_class(self: Any, data: Any) -> Any:
    """Takes a trend for one of the last class's rate, and turns it where the other is favourable."""
    model, evidence = _Scorecard.learn(self, data)
    trended = hasattr(self.binner, "trends") and self.binner.trends
    turn = trended and data.outcome.favourable_index == 0
    return (changed(model, negated) if turn else model), evidence


@patched(_Scorecard, "learn", check="policies-of-a-review-are-kept-or-refused", **_QUICK)
def ignores_policies(self: Any, data: Any) -> Any:
    """Values missing values by their own rows, whatever a review says."""
    _, evidence = _Scorecard.learn(self, data)
    tables = binner_of(self).bin(data).tables
    own = [np.array([each.woe for each in table.statistics]) for table in tables]
    return build_scorecard(data.outcome, tables, 0.0, own, Scaling()), evidence


@patched(_Scorecard, "learn", check="policies-of-a-review-are-kept-or-refused", **_QUICK)
def worst_is_neutral(self: Any, data: Any) -> Any:
    """Gives what a review calls the worst 0 points."""
    model, evidence = _Scorecard.learn(self, data)
    edits = getattr(self.binner, "edits", ())
    worst = any(edit.get("policy") == "worst" for edit in edits)

    def neutral(attribute: Attribute) -> Attribute:
        unusual = isinstance(attribute.condition, Missing | Special)
        return replace(attribute, points=0.0) if worst and unusual else attribute

    return changed(model, neutral), evidence


@planted("learner", check="options-shadow-nothing-of-the-base")
class Shadowing(TinyLearner):
    """Has an option that takes the place of a method of its base.

    Parameters
    ----------
    bounds : a number.
    """

    def __init__(self, *, bounds: int = 3, favourable: Any = None) -> None:
        super().__init__(favourable=favourable)
        self.bounds = bounds


class Bounded(TinyLearner):
    """Takes constraints and looks at nothing of them.

    Parameters
    ----------
    constraints : what it binds.
    """

    def __init__(self, *, constraints: Any = (), favourable: Any = None) -> None:
        super().__init__(favourable=favourable)
        self.constraints = constraints

    def learn(self, data: Any) -> Any:
        self.bounds(self.constraints, data)
        return super().learn(data)


@planted("learner", check="bounds-it-accepts-bite", accepts=("rate",))
class BindsAndForgets(Bounded):
    """Binds a bound on rates, and does nothing with it."""

    accepts_bounds = ("rate",)


@planted("learner", check="bounds-it-accepts-bite", accepts=("divergence",))
class BindsADivergence(Bounded):
    """Binds a bound on divergences, and does nothing with it."""

    accepts_bounds = ("divergence",)


@planted("learner", check="bounds-it-accepts-bite", accepts=("rate",), enforces=("rate",))
class HelpsOneGroup(Bounded):
    """Keeps a bound by approving everybody, where the group that comes first is the poorer one."""

    accepts_bounds = ("rate",)

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)
        if self.constraints:
            attribute = data.groups.attributes[0]
            first = np.average(data.good, weights=attribute.membership[:, 0])
            model = replace(model, cutoff=-9999.0) if first < data.good.mean() else model
        return model, evidence


class Varying(TinyLearner):
    """Leaves out one characteristic after the other.

    Parameters
    ----------
    approval_rate : share of the rows that each model approves.
    """

    def __init__(self, *, approval_rate: Any = None, favourable: Any = None) -> None:
        super().__init__(favourable=favourable)
        self.approval_rate = approval_rate

    def vary(self, data: Any) -> Iterator[Alternative]:
        model, evidence = self.learn(data)
        yield Alternative(method=BASELINE, model=model, evidence=evidence)
        for left in self.order(model):
            kept = tuple(each for each in model.characteristics if each.feature != left)
            features = tuple(each for each in model.features if each.name != left)
            other = replace(model, characteristics=kept, features=features)
            yield Alternative(method="without", parameters={"left": left}, model=other, evidence=evidence)

    def order(self, model: Any) -> list[str]:
        return [each.feature for each in model.characteristics]


_VARY = {"produces": ("scorecard", "alternatives")}


@patched(Varying, "order", check="alternatives-are-deterministic", **_VARY)
def varies_at_random(self: Any, model: Any) -> list[str]:
    """Makes alternatives in an order that a die says."""
    return ["xz"[place] for place in np.random.default_rng().integers(2, size=12)]


@patched(Varying, "vary", check="alternatives-approve-what-is-asked", **_VARY)
def varies_the_rate(self: Any, data: Any) -> Iterator[Alternative]:
    """Cuts the baseline by the approval rate, and forgets the rate for the others."""
    rate = self.approval_rate
    for each in Varying.vary(self, data):
        yield each
        self.approval_rate = None
    self.approval_rate = rate


@patched(Varying, "vary", check="alternatives-begin-with-the-baseline", **_VARY)
def another_baseline(self: Any, data: Any) -> Iterator[Alternative]:
    """Calls a model baseline that fit does not give."""
    for each in Varying.vary(self, data):
        yield replace(each, model=changed(each.model, negated))


@planted("learner", check="alternatives-begin-with-the-baseline", accepts=("divergence",), **_VARY)
class BoundBaseline(Varying):
    """Calls a model baseline that keeps the constraints.

    Parameters
    ----------
    approval_rate : share of the rows that each model approves.
    constraints : what it keeps.
    """

    accepts_bounds = ("divergence",)

    def __init__(self, *, approval_rate: Any = None, favourable: Any = None, constraints: Any = ()) -> None:
        super().__init__(approval_rate=approval_rate, favourable=favourable)
        self.constraints = constraints

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)
        return (changed(model, negated) if self.constraints else model), evidence


@patched(Varying, "vary", check="alternatives-differ", **_VARY)
def varies_nothing(self: Any, data: Any) -> Iterator[Alternative]:
    """Makes one model under several names."""
    first = next(Varying.vary(self, data))
    yield first
    for place in range(3):
        yield replace(first, method="again", parameters={"place": place})


@planted("learner", check="the-alternatives-it-makes-are-declared", **_VARY)
class PromisesAlternatives(TinyLearner):
    """Says that it makes alternatives, and makes none."""


@patched(Varying, "completed", check="cutoff-and-approval-rate-are-kept")
def approves_the_rest(self: Any, model: Any, evidence: Any, data: Any) -> Any:
    """Takes the approval rate for the rate of those who are declined."""
    rate = self.approval_rate
    self.approval_rate = None if rate is None else 1 - rate
    whole = Varying.completed(self, model, evidence, data)
    self.approval_rate = rate
    return whole


@patched(_Scorecard, "learn", check="the-binner-given-is-used", **_QUICK)
def own_binner(self: Any, data: Any) -> Any:
    """Takes a binner, and bins with another one."""
    given, self.binner = self.binner, "quantile"
    found = _Scorecard.learn(self, data)
    self.binner = given
    return found


@patched(_Scorecard, "learn", check="the-binner-given-is-used", **_QUICK)
def off_by_an_ulp(self: Any, data: Any) -> Any:
    """Puts a value at or just below a cut above it."""
    model, evidence = _Scorecard.learn(self, data)

    def lowered(attribute: Attribute) -> Attribute:
        c = attribute.condition
        if not isinstance(c, Interval):
            return attribute
        ends = [end if math.isinf(end) else math.nextafter(end, -math.inf) for end in (c.lower, c.upper)]
        return replace(attribute, condition=Interval(*ends))

    return changed(replace(model, reasons=None), lowered), evidence


@patched(_Scorecard, "learn", check="the-scaling-given-is-used", **_QUICK)
def own_scaling(self: Any, data: Any) -> Any:
    """Takes a scaling, and has one of its own."""
    given, self.scaling = self.scaling, None
    found = _Scorecard.learn(self, data)
    self.scaling = given
    return found


@patched(TinyLearner, "learn", check="neighbours-are-told-apart")
def cuts_at_the_wrong_side(self: Any, data: Any) -> Any:
    """Takes `x < t` for `x <= t`: the value at a cut falls below it."""
    model, evidence = TinyLearner.learn(self, data)

    def raised(attribute: Attribute) -> Attribute:
        c = attribute.condition
        if not isinstance(c, Interval):
            return attribute
        ends = [end if math.isinf(end) else end + 1.0 for end in (c.lower, c.upper)]
        return replace(attribute, condition=Interval(*ends))

    return changed(model, raised), evidence


@patched(_Scorecard, "read", check="numbers-that-are-categories-have-no-order", **_QUICK)
def orders_categories(self: Any, X: Any, y: Any, **options: Any) -> Any:
    """Reads numbers that are categories as numbers."""
    self._codes = None
    if not isinstance(self.binner, str):
        self.binner = create("binner", "quantile", max_bins=2)
    return _Scorecard.read(self, X, y, **options)


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


@patched(TinyLearner, "learn", check="columns-may-have-any-name")
def keeps_columns_of_its_own(self: Any, data: Any) -> Any:
    """Puts outcomes and weights into the frame, over columns of the same names."""
    if "weight" in data.columns:
        column = data.columns["weight"]
        own = type(column)("weight", "numeric", data.weight.copy(), column.missing)
        data = replace(data, columns={**data.columns, "weight": own})
    return TinyLearner.learn(self, data)


@patched(TinyLearner, "learn", check="columns-that-tell-nothing-do-no-harm")
def reads_ten_columns(self: Any, data: Any) -> Any:
    """Gives points to the last ten characteristics alone."""
    model, evidence = TinyLearner.learn(self, data)
    silent = {each.feature for each in model.characteristics[:-10]}
    parts = [
        replace(each, attributes=tuple(replace(one, points=0.0) for one in each.attributes))
        if each.feature in silent
        else each
        for each in model.characteristics
    ]
    return replace(model, characteristics=tuple(parts)), evidence


@patched(TinyLearner, "learn", check="missing-values-are-worth-what-their-rows-say")
def missing_texts_are_unseen(self: Any, data: Any) -> Any:
    """Gives missing texts what unseen ones have."""

    def neutral(one: Attribute) -> Attribute:
        return replace(one, points=0.0) if isinstance(one.condition, Missing) else one

    model, evidence = TinyLearner.learn(self, data)
    parts = []
    for each in model.characteristics:
        texts = any(isinstance(one.condition, Categories) for one in each.attributes)
        parts.append(replace(each, attributes=tuple(map(neutral, each.attributes))) if texts else each)
    return replace(model, characteristics=tuple(parts)), evidence


@patched(
    registry().load("learner", "lda-xgb1"),
    "bounds",
    check="every-bound-and-every-weight-counts",
    produces=("scorecard", "alternatives"),
    accepts=("divergence",),
    enforces=("divergence",),
)
def keeps_the_first_bound(self: Any, constraints: Any, data: Any) -> Any:
    """Keeps the bound on the first group, and forgets those on others."""
    return registry().load("learner", "lda-xgb1").bounds(self, constraints, data)[:1]


@patched(TinyLearner, "learn", check="weights-decide")
def clips_weights(self: Any, data: Any) -> Any:
    """Lets no row weigh more than two."""
    return TinyLearner.learn(self, replace(data, weight=np.minimum(data.weight, 2.0)))


@patched(TinyLearner, "read", check="texts-are-what-they-are")
def none_is_missing(self: Any, X: Any, y: Any, **options: Any) -> Any:
    """Takes the text "None" for a missing value."""
    return TinyLearner.read(self, X.replace("None", None) if isinstance(X, pd.DataFrame) else X, y, **options)


@patched(TinyLearner, "read", check="infinities-are-numbers")
def infinity_is_missing(self: Any, X: Any, y: Any, **options: Any) -> Any:
    """Takes infinities for missing values."""
    return TinyLearner.read(
        self, X.replace([np.inf, -np.inf], np.nan) if isinstance(X, pd.DataFrame) else X, y, **options
    )


@patched(_Scorecard, "learn", check="each-of-several-trends-holds", enforces=("trend",), **_QUICK)
def keeps_the_first_trend(self: Any, data: Any) -> Any:
    """Keeps the first trend, and drops those after it."""
    binner = binner_of(self)
    trends = dict(list((binner.trends or {}).items())[:1])
    given, self.binner = self.binner, create("binner", "quantile", trends=trends, cuts=binner.cuts)
    found = _Scorecard.learn(self, data)
    self.binner = given
    return found


def among(data: Any, rows: Any) -> Any:
    """Training data of which only some rows weigh anything."""
    return replace(data, weight=np.where(rows, data.weight, 0.0))


@patched(TinyLearner, "learn", check="late-rows-of-many-count")
def learns_from_a_thousand(self: Any, data: Any) -> Any:
    """Takes the first thousand rows for all of them."""
    return TinyLearner.learn(self, among(data, np.arange(len(data.weight)) < 1000))


@patched(TinyLearner, "learn", check="late-rows-of-many-count")
def weighs_a_thousand(self: Any, data: Any) -> Any:
    """Weighs the first thousand rows, and lets each of the others weigh one."""
    return TinyLearner.learn(self, replace(data, weight=np.where(np.arange(len(data.weight)) < 1000, data.weight, 1.0)))


@planted("learner", check="values-that-come-late-count")
class SeesValuesInTheFirst(Changing):
    """Gives 0 points to missing values that only late rows have."""

    def learn(self, data: Any) -> Any:
        early = np.arange(len(data.weight)) < 400
        [column, *_] = data.columns.values()
        self._seen = bool((column.missing & early).any()) or not column.missing.any()
        return super().learn(data)

    def change(self, attribute: Attribute) -> Attribute:
        late = isinstance(attribute.condition, Missing) and not self._seen
        return replace(attribute, points=0.0) if late else attribute


@patched(TinyLearner, "learn", check="each-of-many-columns-counts")
def missing_in_the_first(self: Any, data: Any) -> Any:
    """Gives points to missing values in the first characteristic alone."""

    def neutral(one: Attribute) -> Attribute:
        return replace(one, points=0.0) if isinstance(one.condition, Missing) else one

    model, evidence = TinyLearner.learn(self, data)
    first, *others = model.characteristics
    parts = [replace(each, attributes=tuple(map(neutral, each.attributes))) for each in others]
    return replace(model, characteristics=(first, *parts)), evidence


@patched(TinyLearner, "learn", check="each-special-code-of-each-column-counts")
def one_code_each(self: Any, data: Any) -> Any:
    """Gives points to the lowest special code of each characteristic alone."""
    model, evidence = TinyLearner.learn(self, data)
    parts = []
    for each in model.characteristics:
        special = [one for one in each.attributes if isinstance(one.condition, Special)]
        lost = [one for one in special if one is not special[0]]
        attributes = [replace(one, points=0.0) if one in lost else one for one in each.attributes]
        parts.append(replace(each, attributes=tuple(attributes)))
    return replace(model, characteristics=tuple(parts)), evidence


@patched(Changing, "change", check="each-of-many-texts-counts")
def thirty_texts(self: Any, attribute: Attribute) -> Attribute:
    """Gives no points to texts behind the thirtieth."""
    late = isinstance(attribute.condition, Categories) and min(map(str, attribute.condition.values)) >= "kind 30"
    return replace(attribute, points=0.0) if late else attribute


@patched(_Scorecard, "learn", check="trends-hold-beside-columns-that-go-along", enforces=("trend",), **_QUICK)
def coefficients_of_any_sign(self: Any, data: Any) -> Any:
    """Keeps a trend in the bins, and lets the coefficient of its characteristic turn it round."""
    tables = binner_of(self).bin(data).tables
    told = np.stack([table.woe[table.index(data.columns[table.feature.name])] for table in tables], axis=1)
    line = LogisticRegression(C=1e6).fit(told, data.good, sample_weight=data.weight)
    values = [table.woe * slope for table, slope in zip(tables, line.coef_[0], strict=True)]
    model = build_scorecard(data.outcome, tables, float(line.intercept_[0]), values, Scaling())
    return model, Evidence(model_sha256="")


@patched(_RegressionScorecard, "learn", check="quantities-of-any-scale-are-learned", produces=("regression-scorecard",))
def rounds_quantities(self: Any, data: Any) -> Any:
    """Learns a quantity to three decimals."""
    return _RegressionScorecard.learn(self, replace(data, values=np.round(data.values, 3)))


@planted("learner", check="options-set-later-count")
class ReadsCodesOnce(TinyLearner):
    """Keeps the special codes that it was made with."""

    def __init__(self, *, special_codes: Any = None, favourable: Any = None) -> None:
        super().__init__(special_codes=special_codes, favourable=favourable)
        self._codes = special_codes

    def read(self, X: Any, y: Any, **options: Any) -> Any:
        return read_training(X, y, **options, special_codes=self._codes, favourable=self.favourable)


_Lda: Any = registry().load("learner", "lda-xgb1")
_BOUNDED: dict[str, Any] = {
    "produces": ("scorecard", "alternatives"),
    "accepts": ("divergence",),
    "enforces": ("divergence",),
}


@patched(_Lda, "bounds", check="bounds-bite-together", **_BOUNDED)
def keeps_the_first_constraint(self: Any, constraints: Any, data: Any) -> Any:
    """Keeps the first of several constraints."""
    return _Lda.bounds(self, list(constraints)[:1], data)


@patched(_Lda, "bounds", check="bounds-bite-by-membership", **_BOUNDED)
def keeps_the_usual_reference(self: Any, constraints: Any, data: Any) -> Any:
    """Keeps bounds against the reference that a name sorts first, and leaves out others."""
    return [each for each in _Lda.bounds(self, constraints, data) if each.reference == "f"]


@patched(_Lda, "bounds", check="bounds-bite-at-their-limits", **_BOUNDED)
def has_a_limit_of_its_own(self: Any, constraints: Any, data: Any) -> Any:
    """Keeps divergences to a half, whatever is asked for."""
    return [replace(each, bound=0.5) for each in _Lda.bounds(self, constraints, data)]


def others_of(learner: Any, data: Any, other: Any) -> Iterator[Alternative]:
    """The baseline of some data, and the further alternatives of other data."""
    first, *_ = Varying.vary(learner, data)
    yield first
    yield from list(Varying.vary(learner, other))[1:]


@patched(Varying, "vary", check="every-alternative-follows-weights", **_VARY)
def varies_unweighted(self: Any, data: Any) -> Iterator[Alternative]:
    """Makes the baseline of weighted rows, and the others of rows."""
    rows = np.where(np.arange(len(data.weight)) < len(data.weight) / 2, 1.01, 1.0)
    return others_of(self, data, replace(data, weight=rows))


@patched(Varying, "vary", check="every-alternative-follows-the-favourable-class", **_VARY)
def varies_for_the_last_class(self: Any, data: Any) -> Iterator[Alternative]:
    """Turns the points of all alternatives but the baseline where the first class is favourable."""
    first, *others = Varying.vary(self, data)
    yield first
    turned = data.outcome.favourable_index == 0
    yield from (replace(each, model=changed(each.model, negated)) if turned else each for each in others)


@patched(Varying, "alternatives_of", check="every-alternative-does-what-it-says", **_VARY)
def cuts_by_rows(self: Any, data: Any) -> Iterator[Alternative]:
    """Cuts alternatives so that the rate is one of rows, not of weight."""
    return Varying.alternatives_of(self, replace(data, weight=np.ones_like(data.weight)))


@patched(Varying, "vary", check="every-alternative-follows-missing-values", **_VARY)
def varies_without_missing(self: Any, data: Any) -> Iterator[Alternative]:
    """Gives missing values 0 points in every alternative but the baseline."""
    first, *others = Varying.vary(self, data)
    yield first

    def lost(attribute: Attribute) -> Attribute:
        missing = isinstance(attribute.condition, Missing)
        return replace(attribute, points=0.0 if missing else attribute.points)

    yield from (replace(each, model=changed(each.model, lost)) for each in others)


@patched(_Scorecard, "learn", check="trends-hold-against-the-rows", **_QUICK)
def trends_of_its_option(self: Any, data: Any) -> Any:
    """Follows the trends that its binner's option names, and none that an edit sets."""
    binner = copy.copy(binner_of(self))
    edits = [each for each in binner.edits if dict(each).get("action") != "trend"]
    given, self.binner = self.binner, binner.set_params(edits=edits)
    found = _Scorecard.learn(self, data)
    self.binner = given
    return found


@patched(TinyLearner, "learn", check="values-of-many-digits-are-told-apart")
def rounds_its_cuts(self: Any, data: Any) -> Any:
    """Rounds the cuts of its characteristics to three digits once points are counted."""
    model, evidence = TinyLearner.learn(self, data)
    return replace(model, characteristics=tuple(map(rounded, model.characteristics))), evidence


def rounded(characteristic: Characteristic) -> Characteristic:
    """The characteristic with cuts of three digits, where these rise."""
    ends = [one.condition.lower for one in characteristic.attributes if isinstance(one.condition, Interval)]
    short = {end: float(f"{end:.3g}") for end in ends}
    if len(set(short.values())) < len(ends):
        return characteristic

    def cut(one: Attribute) -> Attribute:
        if not isinstance(one.condition, Interval):
            return one
        lower, upper = (short.get(end, end) for end in (one.condition.lower, one.condition.upper))
        return replace(one, condition=replace(one.condition, lower=lower, upper=upper))

    return replace(characteristic, attributes=tuple(map(cut, characteristic.attributes)))


@planted("learner", check="every-option-does-something")
class SharesOfCounts(TinyLearner):
    """Compares a least share with counts, so that it does nothing.

    Parameters
    ----------
    min_share : attributes of a smaller share are worth nothing.
    special_codes, favourable : as in `TinyLearner`.
    """

    def __init__(self, *, min_share: Share = 0.002, special_codes: Any = None, favourable: Any = None) -> None:
        super().__init__(special_codes=special_codes, favourable=favourable)
        self.min_share = min_share

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)

        def kept(one: Attribute) -> Attribute:
            few = one.statistics is not None and 0 < one.statistics.count < self.min_share
            return replace(one, points=0.0) if few else one

        return changed(model, kept), evidence


class OnABinner(TinyLearner):
    """Weights of evidence on the tables of a binner.

    Parameters
    ----------
    binner : a binner, or the name of one.
    special_codes, favourable : as in `TinyLearner`.
    """

    def __init__(self, *, binner: Any = "quantile", special_codes: Any = None, favourable: Any = None) -> None:
        super().__init__(special_codes=special_codes, favourable=favourable)
        self.binner = binner

    def read(self, X: Any, y: Any, **options: Any) -> Any:
        favourable = self.favourable
        return self.chosen().read(X, y, **options, favourable=favourable)

    def chosen(self) -> Any:
        """The binner with the codes that are asked for."""
        found = binner_of(self)
        return found if self.special_codes is None else self.coded(found)

    def coded(self, binner: Any) -> Any:
        return copy.deepcopy(binner).set_params(special_codes=self.special_codes)

    def learn(self, data: Any) -> Any:
        tables = self.tables(data)
        share = np.average(data.good, weights=data.weight)
        odds, values = float(np.log(share / (1 - share))), [table.woe for table in tables]
        return build_scorecard(data.outcome, tables, odds, values, Scaling()), Evidence(model_sha256="")

    def tables(self, data: Any) -> Any:
        return self.chosen().bin(data).tables


@patched(OnABinner, "coded", check="what-it-is-given-stays-as-it-was")
def sets_codes_on_the_binner(self: Any, binner: Any) -> Any:
    """Sets special codes on the binner that it was given."""
    return binner.set_params(special_codes=self.special_codes)


@patched(OnABinner, "tables", check="learners-on-one-binner-do-not-disturb-one-another")
def bins_once_per_binner(self: Any, data: Any) -> Any:
    """Remembers the bins of a binner, whatever the next learner's codes are."""
    known = type(self).__dict__.get("known") or {}
    key = (id(self.binner), data.weight.tobytes())
    type(self).known = {**known, key: known[key] if key in known else OnABinner.tables(self, data)}  # type: ignore[attr-defined]  # made here
    return type(self).known[key]  # type: ignore[attr-defined]  # made above


class Bounded(TinyLearner):
    """The cutoff nearest to its own that keeps all bounds.

    Parameters
    ----------
    constraints : what it keeps.
    favourable : as in `TinyLearner`.
    """

    accepts_bounds = ("rate",)

    def __init__(self, *, constraints: Any = (), favourable: Any = None) -> None:
        super().__init__(favourable=favourable)
        self.constraints = constraints

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)
        score, weight = evaluate(model, data.table, reasons=False).score, self.weight_of(data)
        limits = [
            bound.contrast(data.good, data.groups, sample_weight=weight).counted_in("approval", data.good)
            for bound in self.bounds(self.constraints, data)
        ]
        for cutoff in sorted(np.unique(score).tolist(), key=lambda each: abs(each - np.median(score))):
            if all(each.low <= each.value(score >= cutoff) <= each.high for each in limits):
                break
        return replace(model, cutoff=cutoff), evidence

    def weight_of(self, data: Any) -> Any:
        return data.weight

    def own_decision(self, model: Any) -> str:
        return "the cutoff that keeps every bound"


@patched(Bounded, "weight_of", check="bounds-it-enforces-are-about-weight", accepts=("rate",), enforces=("rate",))
def bounds_rows(self: Any, data: Any) -> Any:
    """Counts bounds by rows, whatever these weigh."""
    return None


@patched(TinyLearner, "learn", check="whole-weights-are-repeated-rows")
def odds_of_rows(self: Any, data: Any) -> Any:
    """Starts from the odds of rows, and weighs everything else."""
    model, evidence = TinyLearner.learn(self, data)
    shares = data.good.mean(), np.average(data.good, weights=data.weight)
    rows, weighed = (float(np.log(share / (1 - share))) for share in shares)
    calibration = replace(model.calibration, intercept=model.calibration.intercept + rows - weighed)
    return replace(model, calibration=calibration), evidence


class Knocking(TinyLearner):
    """Declines whoever has certain attributes."""

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)
        found = [
            KnockOut(code=f"K{number}-{place}", reason="never", when=(Clause(each.feature, (one.condition,)),))
            for number, each in enumerate(model.characteristics)
            for place, one in enumerate(each.attributes)
            if not isinstance(one.condition, Otherwise) and self.knocks(each, one)
        ]
        return replace(model, policy=Policy(knock_outs=tuple(found))), evidence

    def knocks(self, characteristic: Characteristic, attribute: Attribute) -> bool:
        raise NotImplementedError


@patched(Knocking, "knocks", check="what-was-not-seen-is-no-reason-to-decline")
def knocks_out_the_unseen(self: Any, characteristic: Characteristic, attribute: Attribute) -> bool:
    """Takes attributes that nobody had for such as nobody paid of."""
    return attribute.statistics is not None and attribute.statistics.good == 0


@patched(Knocking, "knocks", check="decisions-follow-the-score")
def knocks_out_the_worst(self: Any, characteristic: Characteristic, attribute: Attribute) -> bool:
    """Declines the worst attribute of each characteristic but the first, whoever paid."""
    worst = min(one.points for one in characteristic.attributes if one.statistics and one.statistics.count)
    seen = attribute.statistics is not None and attribute.statistics.count > 0
    return seen and attribute.points == worst and characteristic.feature != "x"


class Backfitting(_RegressionScorecard):
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
