"""Binners and learners that two fits, which have to agree, show to be wrong; some of them under an option alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from contract_samples.healthy import TinyBinner, TinyLearner
from sklearn.base import clone

from contract_planted.fault import patched, planted
from contract_planted.faulty_learner import QUICK, RegressionLearner, ScorecardLearner, changed
from contract_planted.learners_of_alternatives import VARY, Varying
from contract_planted.learners_of_bounds import Bounded
from scrutable import create
from scrutable.binning.sample import Sample
from scrutable.binning.scorecards import build_scorecard
from scrutable.model import Attribute, FrozenMapping, Missing, Scaling
from scrutable.plugins.bases import Alternative
from scrutable.plugins.registry import registry

_TABLES = {"produces": ("binning",), "enforces": ("trend",)}
_LIMITED = {"produces": ("binning",), "enforces": ("min-share", "max-bins", "trend")}
_Optimal: Any = registry().load("binner", "optimal")


@planted("binner", check="codes-may-be-any-numbers", **_TABLES)
class TakesOutTheFirstCode(TinyBinner):
    """Cuts numbers in the middle of the rows, of which it takes out the first special code alone."""

    def bin(self, data: Any) -> Any:
        kept, self.cuts = self.cuts, {**{f.name: self._middle(data, f) for f in data.features}, **(self.cuts or {})}
        self.cuts = {name: cuts for name, cuts in self.cuts.items() if cuts}
        binning = super().bin(data)
        self.cuts = kept
        return binning

    def _middle(self, data: Any, feature: Any) -> list[float]:
        values = data.columns[feature.name].values
        if feature.kind != "numeric" or feature.name in self.categorical:
            return []
        return [float(np.nanmedian(values[~np.isin(values, feature.special_codes[:1])]))]


def weighed(sample: Sample, weight: Any) -> Sample:
    """A sample whose rows have other weights."""
    data = replace(sample.data, weight=weight)
    return replace(sample, data=data, counts=data.counts(sample.feature, exact=True))


@patched(_Optimal, "find_groups", check="whole-weights-are-repeated-rows-under-every-option", **_LIMITED)
def merges_by_rows(self: Any, sample: Sample) -> Sequence[Sequence[Any]]:
    """Merges texts by rates of rows, not of weight."""
    return _Optimal.find_groups(self, weighed(sample, np.ones_like(sample.data.weight)))


@planted("binner", check="the-order-of-columns-means-nothing", **_LIMITED)
class CutsEqualNumbersAlike(_Optimal):
    """Cuts a column where it has just cut another one of the same numbers."""

    def bin(self, data: Any) -> Any:
        self._cut: dict[bytes, Sequence[float]] = {}
        return super().bin(data)

    def find_cuts(self, sample: Sample) -> Sequence[float]:
        known = sample.values.tobytes()
        if known not in self._cut:
            self._cut[known] = super().find_cuts(sample)
        return self._cut[known]


@patched(TinyBinner, "find_groups", check="texts-are-what-they-are", **_TABLES)
def reads_sixteen_letters(self: Any, sample: Sample) -> Sequence[Sequence[Any]]:
    """Takes texts for one that begin with the same sixteen letters."""
    groups: dict[Any, list[Any]] = {}
    for value in sample.values.tolist():
        groups.setdefault(value[:16] if isinstance(value, str) else value, []).append(value)
    return list(groups.values())


class WithATrend(ScorecardLearner):
    """Changes a card whose binner is asked for trends."""

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)
        trends = getattr(self.binner, "trends", None) or {}
        parts = [self.change(each) if each.feature in trends else each for each in model.characteristics]
        return replace(model, characteristics=tuple(parts), reasons=None), evidence


@patched(WithATrend, "change", check="missing-values-are-worth-what-their-rows-say", enforces=("trend",), **QUICK)
def missing_goes_along(self: Any, item: Any) -> Any:
    """Where a trend is asked for, brings the missing values in line with it, as if they were the largest."""
    return _changed(item, Missing)


def _changed(item: Any, kind: type) -> Any:
    best = item.points_range[1]
    attributes = [replace(each, points=best) if isinstance(each.condition, kind) else each for each in item.attributes]
    return replace(item, attributes=tuple(attributes))


@patched(TinyLearner, "learn", check="probabilities-are-near-the-shares-beside-gaps")
def calibrates_on_complete_rows(self: Any, data: Any) -> Any:
    """Takes its base points from the rows that lack nothing."""
    _, evidence = TinyLearner.learn(self, data)
    complete = ~np.any([column.missing for column in data.columns.values()], axis=0)
    share = np.average(data.good, weights=data.weight * complete) if complete.any() else 0.5
    tables = create("binner", "quantile").bin(data).tables
    odds = float(np.log(share / (1 - share))) if 0 < share < 1 else 0.0
    return build_scorecard(data.outcome, tables, odds, [each.woe for each in tables], Scaling()), evidence


@patched(RegressionLearner, "learn", check="means-of-nothing-are-learned", produces=("regression-scorecard",))
def takes_nothing_for_unseen(self: Any, data: Any) -> Any:
    """Predicts the mean of all rows where the mean of an attribute's rows is 0."""
    model, evidence = RegressionLearner.learn(self, data)
    base = model.base_points

    def seen(attribute: Attribute) -> Attribute:
        return replace(attribute, points=0.0) if abs(base + attribute.points) < 1e-3 else attribute

    return changed(model, seen), evidence


@patched(Varying, "vary", check="every-alternative-follows-rows-of-unknown-groups", **VARY)
def varies_by_known_groups(self: Any, data: Any) -> Iterator[Alternative]:
    """Makes alternatives of the rows whose group is known."""
    known = np.ones_like(data.weight)
    for each in () if data.groups is None else data.groups.attributes:
        known *= each.membership[:, [label != "(missing)" for label in each.labels]].sum(axis=1)
    return Varying.vary(self, replace(data, weight=data.weight * np.maximum(known, 1e-6)))


@patched(ScorecardLearner, "fit", check="options-of-its-binner-count-as-its-own", **QUICK)
def drops_the_class_of_its_binner(self: Any, X: Any, y: Any, **more: Any) -> Any:
    """Takes its binner without the favourable class that is set there."""
    given = self.binner
    if not isinstance(given, str):
        self.binner = clone(given).set_params(favourable=None)
    ScorecardLearner.fit(self, X, y, **more)
    self.binner = given
    return self


@patched(_Optimal, "find_cuts", check="the-scale-of-weights-means-nothing", **_LIMITED)
def repeats_rows(self: Any, sample: Sample) -> Sequence[float]:
    """Takes weights for whole numbers of rows."""
    whole = np.floor(sample.data.weight)
    return _Optimal.find_cuts(self, weighed(sample, whole)) if whole.any() else []


@patched(
    TinyBinner, "find_groups", check="names-of-categories-mean-nothing", produces=("binning",), enforces=("trend",)
)
def groups_neighbours(self: Any, sample: Sample) -> Sequence[Sequence[Any]]:
    """Groups texts by pairs in the order of their names."""
    values = sample.values.tolist()
    return [values[place : place + 2] for place in range(0, len(values), 2)]


@patched(_Optimal, "find_cuts", check="names-of-columns-mean-nothing", **_LIMITED)
def cuts_late_names_once(self: Any, sample: Sample) -> Sequence[float]:
    """Leaves columns in two whose names come late."""
    cuts = _Optimal.find_cuts(self, sample)
    return cuts[:1] if sample.feature.name >= "z" else cuts


@patched(TinyLearner, "learn", check="reasons-that-it-states-are-of-their-features")
def tells_others_reasons(self: Any, data: Any) -> Any:
    """States reasons of its own, whose codes and texts are in two orders."""
    model, evidence = TinyLearner.learn(self, data)
    policy = create("explainer", "reason-codes").policy(model, data.table)
    texts = [policy.texts[code] for code in policy.order]
    turned = dict(zip(policy.order, texts[1:] + texts[:1], strict=True))
    return replace(model, reasons=replace(policy, texts=FrozenMapping(turned))), evidence


@planted("learner", check="the-baseline-has-every-option", produces=("scorecard", "alternatives"))
class VariesOnTheUsualScale(Varying):
    """Doubles points where it is asked to, and not in its alternatives.

    Parameters
    ----------
    special_codes : codes that are no measurement.
    max_bins : 2 gives double points.
    approval_rate : share of the rows that each model approves.
    """

    def __init__(
        self, *, special_codes: Any = None, max_bins: int = 1, approval_rate: Any = None, favourable: Any = None
    ) -> None:
        super().__init__(approval_rate=approval_rate, favourable=favourable)
        self.special_codes, self.max_bins = special_codes, max_bins

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)
        return changed(model, lambda each: replace(each, points=each.points * self.max_bins)), evidence

    def vary(self, data: Any) -> Iterator[Alternative]:
        kept, self.max_bins = self.max_bins, 1
        yield from list(super().vary(data))
        self.max_bins = kept


@patched(RegressionLearner, "learn", check="a-copy-of-a-column-moves-no-prediction", produces=("regression-scorecard",))
def counts_columns(self: Any, data: Any) -> Any:
    """Gives points the more weight the more columns there are."""
    model, evidence = RegressionLearner.learn(self, data)
    factor = len(model.characteristics) / 3
    return changed(model, lambda each: replace(each, points=each.points * factor)), evidence


@patched(_Optimal, "find_cuts", check="a-moderate-step-is-found-with-few-bins", **_LIMITED)
def cuts_at_the_end(self: Any, sample: Sample) -> Sequence[float]:
    """Cuts many numbers near their end, where it may cut once or twice."""
    rows = sample.by_row()
    place = 0.94 + 0.01 * float(rows.target.mean())
    many = len(sample.values) > 50 and self.max_bins < 4
    return [float(np.quantile(rows.values, place))] if many else _Optimal.find_cuts(self, sample)


@patched(TinyBinner, "find_cuts", check="a-frequent-value-hides-no-others", enforces=("trend",))
def cuts_at_the_middle_row(self: Any, sample: Sample) -> Sequence[float]:
    """Cuts at the value of the middle row, which may be the lowest of all."""
    if len(sample.values) < 50:
        return TinyBinner.find_cuts(self, sample)
    middle = float(np.median(sample.by_row().values))
    return [middle] if middle > sample.values.min() else []


@patched(Varying, "vary", check="recipes-name-what-their-models-are", produces=("scorecard", "alternatives"))
def sorts_its_recipes(self: Any, data: Any) -> Iterator[Alternative]:
    """Names recipes in the order of the alphabet, and makes models in that of the columns."""
    first, *others = Varying.vary(self, data)
    yield first
    names = sorted(each.parameters["left"] for each in others)
    yield from (replace(each, parameters={"left": name}) for each, name in zip(others, names, strict=True))


@patched(Bounded, "learn", check="bounds-it-enforces-hold-among-many-scores", accepts=("rate",), enforces=("rate",))
def rounds_after_bounding(self: Any, data: Any) -> Any:
    """Rounds its points once the cutoff keeps the bounds."""
    model, evidence = Bounded.learn(self, data)
    model = changed(model, lambda each: replace(each, points=round(each.points, -1)))
    return replace(model, base_points=round(model.base_points)), evidence
