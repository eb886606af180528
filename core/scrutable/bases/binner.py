"""Binners: features into attributes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import ClassifierTags, Tags
from sklearn.utils.validation import check_is_fitted

from scrutable.bases.sample import Sample, distinct, no_quantities, pooled
from scrutable.binning import Action, AttributeTable, Binning, BinTable, Edit, Trend, categories, intervals, tabulate
from scrutable.errors import InputError, PluginError, did_you_mean
from scrutable.frames import select
from scrutable.mean_binning import MeanBinning, MeanEdit, MeanTable, tabulate_means
from scrutable.model import Feature
from scrutable.model.conditions import AttributeCondition
from scrutable.model.features import Value
from scrutable.training import (
    QuantityData,
    SpecialCodes,
    TrainingData,
    TrainingRows,
    is_nominal,
    read_again,
    read_quantity_training,
    read_training,
    remember,
)
from scrutable.trends import Trends, check_columns, check_trends

__all__ = ["Binner", "Cuts", "Merges", "Proposal", "Sample", "distinct"]

Cuts = Mapping[str, Sequence[float]]
Merges = Mapping[str, Sequence[Sequence[Value]]]
#: Rising cuts of a numeric feature, or groups of values of a categorical one.
Proposal = list[float] | list[tuple[Value, ...]]
Conditions = tuple[AttributeCondition, ...]
D = TypeVar("D", bound=TrainingRows)
T = TypeVar("T", bound=AttributeTable)
E = TypeVar("E", Edit, MeanEdit)
#: What counts the rows of each attribute of a feature.
_Count = Callable[[Feature, Conditions, Trend | None], T]
_EditOf = Callable[[T, T, Action, str], E]
#: Options by which the user fixes attributes, and what the audit trail calls it.
_EDITS: dict[str, Action] = {"cuts": "cuts", "merges": "merge"}


class Binner(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Base of every binner: reads the data, honours the user's cuts, merges and trends, and tabulates.

    A subclass finds cuts of a numeric feature (`find_cuts`) and groups of categories (`find_groups`), or both for all
    features at once (`propose`).

    Parameters
    ----------
    trends : "ascending" or "descending" by feature: how points may move as the value rises. Bins found by the binner
        are pooled until the favourable rate follows the trend; cuts given by the user stay, and learners keep to the
        trend in the points.
    cuts : fixed cuts by feature; an attribute is [lower, upper), so each cut opens the attribute above it.
    merges : groups of categories that belong together, by categorical feature; values named nowhere are grouped by
        the binner as usual.
    special_codes : values that are no measurement, by feature, or a list for every feature that holds them; each
        becomes an attribute of its own.
    categorical : numeric features whose numbers are categories.
    favourable : the favourable class; the last of the sorted classes when None.
    encoding : what `transform` returns, "woe" or "index" (the position of the attribute).

    Attributes
    ----------
    binning_ : `Binning` with a table of attributes for each feature, and the audit trail of the user's edits.
    """

    def __init__(
        self,
        *,
        trends: Trends | None = None,
        cuts: Cuts | None = None,
        merges: Merges | None = None,
        special_codes: SpecialCodes | None = None,
        categorical: Iterable[str] = (),
        favourable: Any = None,
        encoding: str = "woe",
    ) -> None:
        self.trends = trends
        self.cuts = cuts
        self.merges = merges
        self.special_codes = special_codes
        self.categorical = categorical
        self.favourable = favourable
        self.encoding = encoding

    def fit(self, X: Any, y: Any = None, *, sensitive_features: Any = None, sample_weight: Any = None) -> Self:
        """Find the attributes of every column of X.

        Parameters
        ----------
        X : (n, features) frame or array.
        y : (n,) outcomes of two classes.
        sensitive_features : (n, attributes) protected attributes; used to keep them out of the inputs, and by binners
            that enforce a bound on them.
        sample_weight : (n,) weights of zero or more.

        Raises
        ------
        InputError, KindError : data or options that cannot be used; the message names the column.
        """
        if self.encoding not in ("woe", "index"):
            raise InputError("unknown encoding", where="encoding", got=self.encoding, allowed="'woe' or 'index'")
        data = self.read(X, y, sensitive_features=sensitive_features, sample_weight=sample_weight)
        binning = self.bin(data)
        remember(self, X, data)
        self.binning_ = binning
        return self

    def read(self, X: Any, y: Any, **options: Any) -> TrainingData:
        """Training data as this binner's options describe it; a learner that uses it adds options of its own."""
        return read_training(X, y, **self._described() | {"favourable": self.favourable} | options)

    def read_quantity(self, X: Any, y: Any, **options: Any) -> QuantityData:
        """As `read`, for a continuous target."""
        if self.favourable is not None:
            where = f"{type(self).__name__}, favourable"
            raise InputError("a quantity has no favourable class", where=where, got=self.favourable, fix="leave it out")
        return read_quantity_training(X, y, **self._described() | options)

    def bin(self, data: TrainingData) -> Binning:
        """The binning of training data that is already read; learners call this."""

        def count(feature: Feature, conditions: Conditions, trend: Trend | None) -> BinTable:
            return tabulate(feature, conditions, data.columns[feature.name], data.good, data.weight, trend)

        tables, edits = self._edited(data, self.propose, count, Edit.of)
        return Binning(tables=tables, audit=edits)

    def bin_quantity(self, data: QuantityData) -> MeanBinning:
        """As `bin`, for a continuous target: feature by feature, with the mean of the quantity in each attribute.

        Raises
        ------
        InputError : the binner looks at classes, or at all features at once.
        """

        def count(feature: Feature, conditions: Conditions, trend: Trend | None) -> MeanTable:
            return tabulate_means(feature, conditions, data.columns[feature.name], data.values, data.weight, trend)

        if type(self).propose is not Binner.propose:
            raise no_quantities(type(self).__name__)
        tables, edits = self._edited(data, self._propose_each, count, MeanEdit.of)
        return MeanBinning(tables=tables, audit=edits)

    def prebins(self, data: TrainingData) -> dict[str, Proposal]:
        """For each feature what a learner may start from that merges attributes itself.

        The user's cuts and merges are in place; nothing is pooled for a trend, since what is merged too early cannot
        be parted again.
        """
        self._check_options(data)
        found = self.propose(data, self.trends or {})
        return {feature.name: self._fixed(feature, data, found[feature.name]) for feature in data.features}

    def propose(self, data: TrainingData, trends: Trends) -> dict[str, Proposal]:
        """For each feature the rising cuts (numeric) or the groups of values (categorical) that the binner wants.

        The default asks `find_cuts` and `find_groups` feature by feature; a binner that looks at all features, or at
        the groups, at once overrides this. What the user fixed is put in its place afterwards, and cuts are pooled
        until the favourable rate follows the trend.
        """
        return self._propose_each(data, trends)

    def versions(self) -> dict[str, str]:
        """Versions of further libraries that shape the bins."""
        return {}

    def transform(self, X: Any) -> NDArray[Any]:
        """WoE or position of the attribute of each value.

        Returns
        -------
        (n, features) array, doubles for WoE, integers for positions.
        """
        check_is_fitted(self)
        features = [table.feature for table in self.binning_.tables]
        rows = read_again(self, X, [feature.name for feature in features])
        columns = select(rows, ((feature.name, feature.kind) for feature in features))
        index = [(table, table.index(columns[table.feature.name])) for table in self.binning_.tables]
        if self.encoding == "index":
            return np.stack([position for _, position in index], axis=1)
        return np.stack([np.array([s.woe for s in table.statistics])[position] for table, position in index], axis=1)

    def find_cuts(self, sample: Sample) -> Sequence[float]:
        """Rising cuts of a numeric feature; none leaves it in one piece."""
        raise PluginError("a binner has find_cuts and find_groups, or propose", where=type(self).__name__)

    def find_groups(self, sample: Sample) -> Sequence[Sequence[Value]]:
        """Groups of categories; values left out are treated like values never seen."""
        raise PluginError("a binner has find_cuts and find_groups, or propose", where=type(self).__name__)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags(multi_class=False)
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _described(self) -> dict[str, Any]:
        return {"special_codes": self.special_codes, "categorical": self.categorical}

    def _edited(
        self, data: D, propose: Callable[[D, Trends], dict[str, Proposal]], count: _Count[T], edit: _EditOf[T, E]
    ) -> tuple[tuple[T, ...], tuple[E, ...]]:
        """The tables of all features, and the audit trail."""
        self._check_options(data)
        trends = self.trends or {}
        found = propose(data, trends)
        trended = tuple(feature for feature in data.features if feature.name in trends)
        free = found | (propose(replace(data, features=trended), {}) if trended else {})
        for feature in trended:
            sample = self._sample(feature, data, trends[feature.name])
            found[feature.name] = pooled([cut for cut in found[feature.name] if isinstance(cut, float)], sample)
        edits: list[E] = []
        tables = [self._table(f, data, found[f.name], free[f.name], count, edit, edits) for f in data.features]
        return tuple(tables), tuple(edits)

    def _propose_each(self, data: TrainingRows, trends: Trends) -> dict[str, Proposal]:
        return {f.name: self._propose_one(self._sample(f, data, trends.get(f.name)), data) for f in data.features}

    def _propose_one(self, sample: Sample, data: TrainingRows) -> Proposal:
        if is_nominal(sample.feature, data.columns[sample.feature.name], self.categorical):
            return [tuple(group) for group in self.find_groups(sample)]
        return _usable(self.find_cuts(sample), f"{type(self).__name__}, column {sample.feature.name!r}")

    def _fixed(self, feature: Feature, data: TrainingRows, found: Proposal) -> Proposal:
        """A proposal with the user's cuts or merges of the feature in place."""
        if feature.name in (self.cuts or {}):
            return [float(cut) for cut in (self.cuts or {})[feature.name]]
        if feature.name not in (self.merges or {}):
            return found
        merged = [tuple(group) for group in (self.merges or {})[feature.name]]
        named = [value for group in merged for value in group]
        self._check_merge(feature, data, named)
        rest = [tuple(value for value in group if value not in named) for group in found if isinstance(group, tuple)]
        return [*merged, *filter(None, rest)]

    def _table(
        self,
        feature: Feature,
        data: TrainingRows,
        found: Proposal,
        free: Proposal,
        count: _Count[T],
        edit: _EditOf[T, E],
        edits: list[E],
    ) -> T:
        name = feature.name
        trend = (self.trends or {}).get(name)

        def conditions(proposal: Proposal) -> Conditions:
            build: Any = categories if is_nominal(feature, data.columns[name], self.categorical) else intervals
            built: Conditions = build(proposal, feature)
            return built

        table = count(feature, conditions(self._fixed(feature, data, found)), trend)
        for option, action in _EDITS.items():
            given = getattr(self, option) or {}
            if name in given:
                detail = str([float(v) if action == "cuts" else tuple(v) for v in given[name]])
                edits.append(edit(count(feature, conditions(free), None), table, action, detail))
                if trend:  # the cuts stay; it is the points that will follow the trend
                    edits.append(edit(table, table, "trend", trend))
                return table
        if trend:
            edits.append(edit(count(feature, conditions(free), None), table, "trend", trend))
        return table

    def _check_merge(self, feature: Feature, data: TrainingRows, named: list[Value]) -> None:
        where = f"merges, column {feature.name!r}"
        known = distinct(self._sample(feature, data, None))
        for value in named:
            if value not in known:
                fix = did_you_mean(str(value), map(str, known))
                raise InputError("the value is not in the data", where=where, got=value, fix=fix)
            if named.count(value) > 1:
                raise InputError("the value is in two groups", where=where, got=value, fix="keep it in one of them")

    def _sample(self, feature: Feature, data: TrainingRows, trend: Trend | None) -> Sample:
        column = data.columns[feature.name]
        ordinary = ~column.missing & ~np.isin(column.values, np.array(feature.special_codes, column.values.dtype))
        ordinary &= data.weight > 0
        return Sample(
            feature=feature,
            values=column.values[ordinary],
            target=data.target[ordinary],
            weight=data.weight[ordinary],
            total=float(data.weight.sum()),
            trend=trend,
            continuous=isinstance(data, QuantityData),
        )

    def _check_options(self, data: TrainingRows) -> None:
        check_trends(self.trends or {}, data, self.categorical)
        for option, nominal in (("cuts", False), ("merges", True)):
            check_columns(option, getattr(self, option) or {}, data, self.categorical, nominal=nominal)


def _usable(cuts: Sequence[float], where: str) -> list[float]:
    """A cut at an infinity opens an attribute that the next double, or nothing, would open as well."""
    if not isinstance(cuts, Sequence | np.ndarray) or not all(isinstance(cut, Real) for cut in cuts):
        raise PluginError("find_cuts must return a list of numbers", where=where, got=cuts)
    return [float(cut) for cut in cuts if np.isfinite(cut)]
