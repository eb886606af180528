"""Binners: features into attributes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import ClassifierTags, Tags

from scrutable.binning.audit import Edit, MeanEdit
from scrutable.binning.bins import Bins
from scrutable.binning.counting import BinCounter, Counter, D, E, MeanCounter, T
from scrutable.binning.cuts import shortened, usable
from scrutable.binning.edits import BinEdit, read_edits
from scrutable.binning.mean_binning import MeanBinning, MeanTable
from scrutable.binning.mixed import warn_of_mixed
from scrutable.binning.replay import Replay
from scrutable.binning.sample import NoQuantitiesError, Sample, distinct, pooled
from scrutable.binning.tables import Binning, BinTable, Trend
from scrutable.binning.trends import Trends, check_columns, check_trends
from scrutable.data.features import Value
from scrutable.data.frames import select
from scrutable.data.training import (
    QuantityData,
    SpecialCodes,
    TrainingData,
    is_nominal,
    read_again,
    read_quantity_training,
    read_training,
    refuse_unfitted,
    remember,
)
from scrutable.data.training_rows import TrainingRows
from scrutable.errors import InputError, PluginError
from scrutable.model import Feature
from scrutable.plugins.bases.capable import one_of, overriders, overrides
from scrutable.plugins.bases.constructors import estimator
from scrutable.plugins.bases.where_rows_live import Needs, read_where_it_lives
from scrutable.plugins.options import check_options
from scrutable.plugins.registry import registry

__all__ = ["Binner", "Cuts", "Edits", "Merges", "Proposal", "Sample", "distinct"]

Cuts = Mapping[str, Sequence[float]]
Merges = Mapping[str, Sequence[Sequence[Value]]]
#: Rising cuts of a numeric feature, or groups of values of a categorical one.
Proposal = list[float] | list[tuple[Value, ...]]
#: Decisions about bins, by hand.
Edits = Sequence[BinEdit | Mapping[str, Any]]


def check_binner(binner: Binner, favourable: Any = None) -> None:
    """Refuse options of a binner that cannot be, whatever the data is.

    Parameters
    ----------
    favourable : the favourable class that whoever uses the binner is asked for; None where none is.

    Raises
    ------
    InputError : names the option.
    """
    check_options(binner)
    if binner.encoding not in ("woe", "index"):
        raise InputError("unknown encoding", where="encoding", got=binner.encoding, allowed="'woe' or 'index'")
    if None not in (favourable, binner.favourable) and favourable != binner.favourable:
        raise InputError(
            "the binner favours another class than whoever uses it",
            where="binner, favourable",
            got=binner.favourable,
            allowed=repr(favourable),
            fix="leave it out of the binner's options",
        )


@estimator
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
    edits : decisions by hand, which are replayed in their order on what the binner and the options above give: each a
        `BinEdit`, or a mapping with its fields.
    special_codes : values that are no measurement, by feature, or a list for every feature that holds them; each
        becomes an attribute of its own.
    categorical : numeric features whose numbers are categories.
    favourable : the favourable class; when None, the one whose label says it ("paid"), or the last of the sorted ones.
    encoding : what `transform` returns, "woe" or "index" (the position of the attribute).

    Attributes
    ----------
    binning_ : `Binning` with a table of attributes for each feature, and the audit trail of the user's edits.
    """

    #: What it asks of rows: counts by value ("values"), by bins that rows have ("codes"), or the rows themselves.
    needs: ClassVar[Needs] = "rows"

    trends: Trends | None = None
    cuts: Cuts | None = None
    merges: Merges | None = None
    edits: Edits = ()
    special_codes: SpecialCodes | None = None
    categorical: Iterable[str] = ()
    favourable: Any = None
    encoding: str = "woe"

    def fit(self, X: Any, y: Any = None, *, sensitive_features: Any = None, sample_weight: Any = None) -> Self:
        """Find the attributes of every column of X.

        Parameters
        ----------
        X : (n, features) frame or array; or rows that live elsewhere, such as a relation of DuckDB, for a binner whose
            `needs` are no rows. The other parameters are then names of its columns.
        y : (n,) outcomes of two classes.
        sensitive_features : (n, attributes) protected attributes; used to keep them out of the inputs, and by binners
            that enforce a bound on them.
        sample_weight : (n,) weights of zero or more.

        Raises
        ------
        InputError, KindError : data or options that cannot be used; the message names the column.
        """
        X = read_where_it_lives(self, X)
        data = self.read(X, y, sensitive_features=sensitive_features, sample_weight=sample_weight)
        binning = self.bin(data)
        remember(self, X, data)
        self.binning_ = binning
        return self

    def read(self, X: Any, y: Any, **options: Any) -> TrainingData:
        """Training data as this binner's options describe it; a learner that uses it adds options of its own."""
        check_binner(self)
        return read_training(X, y, **self._described() | {"favourable": self.favourable} | options)

    def read_quantity(self, X: Any, y: Any, **options: Any) -> QuantityData:
        """Training data with a continuous target as this binner's options describe it; see `read`."""
        check_binner(self)
        if self.favourable is not None:
            where = f"{type(self).__name__}, favourable"
            raise InputError("a quantity has no favourable class", where=where, got=self.favourable, fix="leave it out")
        return read_quantity_training(X, y, **self._described() | options)

    def bin(self, data: TrainingData) -> Binning:
        """The binning of training data that is already read; learners call this.

        Whoever values attributes by it takes `BinTable.woe`, which follows the policies for missing values and special
        codes, or refuses them by `scrutable.binning.refuse_policies`.
        """
        replay = self.started(data)
        replay.apply_all(read_edits(self.edits))
        self._warn_of_mixed(replay, data)
        return Binning(tables=tuple(replay.table(f.name) for f in data.features), audit=tuple(replay.audit))

    def bin_quantity(self, data: QuantityData) -> MeanBinning:
        """Bin data with a continuous target: feature by feature, with the mean of the quantity in each attribute.

        Raises
        ------
        InputError : the binner looks at classes, or at all features at once.
        """
        with self._naming_binners_of_quantities():
            replay = self._started(data, MeanCounter, self._propose_each)
        replay.apply_all(read_edits(self.edits))
        return MeanBinning(tables=tuple(replay.table(f.name) for f in data.features), audit=tuple(replay.audit))

    def started(self, data: TrainingData) -> Replay[TrainingData, BinTable, Edit]:
        """The bins that the binner and its options give, before any of the edits, ready to be edited."""
        return self._started(data, BinCounter, self.propose)

    def prebins(self, data: TrainingData) -> Replay[TrainingData, BinTable, Edit]:
        """What a learner may start from that merges attributes itself, and keeps to `asked_trends`.

        The user's cuts, merges and edits are in place; nothing is pooled for a trend, since what is merged too early
        cannot be parted again. Whoever cannot keep policies for missing values and special codes refuses them by
        `scrutable.binning.refuse_policies`.
        """
        self.check_options(data)
        readable = self._readable(self.propose(data, self.trends or {}), data)
        return self._unpooled(data, BinCounter, data.features, readable)

    def prebins_quantity(self, data: QuantityData) -> Replay[QuantityData, MeanTable, MeanEdit]:
        """What a learner of a quantity may start from that merges attributes itself; see `prebins`.

        Raises
        ------
        InputError : the binner looks at classes, or at all features at once.
        """
        self.check_options(data)
        with self._naming_binners_of_quantities():
            readable = self._readable(self._propose_each(data, self.trends or {}), data)
            return self._unpooled(data, MeanCounter, data.features, readable)

    def fixed(self, feature: Feature, data: TrainingData, proposal: Proposal) -> Proposal:
        """A proposal for a feature with the user's cuts, merges and edits in place, and nothing pooled for a trend."""
        return self._unpooled(data, BinCounter, (feature,), {feature.name: proposal}).bins[feature.name].proposal

    def asked_trends(self) -> Trends:
        """The trend of each feature, by the option or the last edit that says one."""
        asked = dict(self.trends or {})
        for edit in read_edits(self.edits):
            if edit.trend is not None or edit.action == "start":
                asked.pop(edit.feature, None)
            if edit.trend in ("ascending", "descending"):
                asked[edit.feature] = edit.trend
        return asked

    def propose(self, data: TrainingData, trends: Trends) -> dict[str, Proposal]:
        """For each feature the rising cuts (numeric) or the groups of values (categorical) that the binner wants.

        The default asks `find_cuts` and `find_groups` feature by feature; a binner that looks at all features, or at
        the groups, at once overrides this. What the user fixed is put in its place afterwards, and cuts are pooled
        until the favourable rate follows the trend.
        """
        return self._propose_each(data, trends)

    def check_options(self, data: TrainingRows) -> None:
        """Refuse options that cannot be, or do not fit the data; a binner with options of its own adds to it.

        Raises
        ------
        InputError : names the option and the column.
        """
        check_options(self)
        check_trends(self.trends or {}, data, self.categorical)
        for option, nominal in (("cuts", False), ("merges", True)):
            check_columns(option, getattr(self, option) or {}, data, self.categorical, nominal=nominal)

    def versions(self) -> dict[str, str]:
        """Versions of further libraries that shape the bins."""
        return {}

    def transform(self, X: Any) -> NDArray[Any]:
        """WoE or position of the attribute of each value.

        Returns
        -------
        (n, features) array, doubles for WoE, integers for positions.
        """
        refuse_unfitted(self)
        features = [table.feature for table in self.binning_.tables]
        rows = read_again(self, X, [feature.name for feature in features])
        columns = select(rows, ((feature.name, feature.kind) for feature in features))
        index = [(table, table.index(columns[table.feature.name])) for table in self.binning_.tables]
        if self.encoding == "index":
            return np.stack([position for _, position in index], axis=1)
        return np.stack([table.woe[position] for table, position in index], axis=1)

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

    def _warn_of_mixed(self, replay: Replay[TrainingData, BinTable, Edit], data: TrainingData) -> None:
        """Warn of telling values that the binner puts with others; what the user fixed is the user's decision."""
        shaped = (edit.feature for edit in read_edits(self.edits) if edit.shapes_bins)
        fixed = {*(self.cuts or {}), *(self.merges or {}), *shaped}
        known = [name for name in replay.counters if name not in fixed]
        warn_of_mixed(map(replay.table, known), data, self)

    def _described(self) -> dict[str, Any]:
        return {"special_codes": self.special_codes, "categorical": self.categorical}

    def _started(
        self,
        data: D,
        counter: Callable[[Feature, D, Callable[[], Sample]], Counter[D, T, E]],
        propose: Callable[[D, Trends], dict[str, Proposal]],
    ) -> Replay[D, T, E]:
        self.check_options(data)
        trends = self.trends or {}
        proposals = self._readable(propose(data, trends), data)
        trended = tuple(feature for feature in data.features if feature.name in trends)
        untrended = propose(data.of_features(trended), {}) if trended else {}
        free = proposals | self._readable(untrended, data)
        counters = {f.name: counter(f, data, partial(self._sample, f, data, None)) for f in data.features}
        replay = Replay(counters, {name: self._bins(each, free[name]) for name, each in counters.items()})
        for feature in data.features:
            for edit in self._options(feature.name):
                replay.apply(edit)
            if trend := trends.get(feature.name):
                replay.apply(self._trend_option(feature, data, trend, proposals[feature.name]))
        return replay

    def _options(self, name: str) -> Iterator[BinEdit]:
        """The user's cuts or merges of a feature as an edit."""
        if name in (self.cuts or {}):
            yield BinEdit(feature=name, action="cuts", cuts=tuple((self.cuts or {})[name]))
        elif name in (self.merges or {}):
            groups = tuple(tuple(group) for group in (self.merges or {})[name])
            yield BinEdit(feature=name, action="merges", groups=groups)

    def _trend_option(self, feature: Feature, data: TrainingRows, trend: Trend, proposal: Proposal) -> BinEdit:
        """A trend as an edit: the binner's own cuts follow it; the user's stay, and points will follow the trend."""
        cuts = (self.cuts or {}).get(feature.name)
        if cuts is None:
            sample = self._sample(feature, data, trend)
            cuts = pooled([cut for cut in proposal if isinstance(cut, float)], sample)
        return BinEdit(feature=feature.name, action="trend", trend=trend, cuts=tuple(cuts))

    def _unpooled(
        self,
        data: D,
        counter: Callable[[Feature, D, Callable[[], Sample]], Counter[D, T, E]],
        features: Sequence[Feature],
        proposals: Mapping[str, Proposal],
    ) -> Replay[D, T, E]:
        """Proposals for some features, with the user's cuts, merges and edits, and nothing pooled for a trend."""
        counters = {f.name: counter(f, data, partial(self._sample, f, data, None)) for f in features}
        bins = {name: self._bins(each, proposals[name]) for name, each in counters.items()}
        replay = Replay(counters, bins, pool=False)
        for feature in features:
            for edit in self._options(feature.name):
                replay.apply(edit)
        names = {feature.name for feature in data.features} - {feature.name for feature in features}
        replay.apply_all(read_edits(self.edits), but=names)
        return replay

    @contextmanager
    def _naming_binners_of_quantities(self) -> Iterator[None]:
        """Say which binners bin for a quantity where this one does not."""
        try:
            if overrides(type(self), Binner, "propose"):
                raise NoQuantitiesError(type(self).__name__)
            yield
        except NoQuantitiesError as error:
            error.fix = f"use the binner {one_of(_binning_quantities())}"
            raise

    def _bins(self, counter: Counter[Any, Any, Any], proposal: Proposal) -> Bins:
        return counter.bins(is_nominal(counter.feature, counter.column, self.categorical), proposal)

    def _propose_each(self, data: TrainingRows, trends: Trends) -> dict[str, Proposal]:
        samples = (self._sample(feature, data, trends.get(feature.name)) for feature in data.features)
        return {sample.feature.name: self._propose_one(sample, data) for sample in samples}

    def _readable(self, proposals: Mapping[str, Proposal], data: TrainingRows) -> dict[str, Proposal]:
        """Proposals with cuts that have no more digits than it takes to part the rows."""
        features = {feature.name: feature for feature in data.features}
        return {name: _readable(features[name], data, proposal) for name, proposal in proposals.items()}

    def _propose_one(self, sample: Sample, data: TrainingRows) -> Proposal:
        if is_nominal(sample.feature, data.columns[sample.feature.name], self.categorical):
            return [tuple(group) for group in self.find_groups(sample)]
        return usable(self.find_cuts(sample), f"{type(self).__name__}, column {sample.feature.name!r}")

    def _sample(self, feature: Feature, data: TrainingRows, trend: Trend | None) -> Sample:
        nominal = is_nominal(feature, data.columns[feature.name], self.categorical)
        counts = data.counts(feature, exact=nominal)
        return Sample(feature=feature, counts=counts, data=data, every=data.every, trend=trend)


def _binning_quantities() -> list[str]:
    """Names of the binners that look at one feature after another, which can do so for a quantity."""
    at_once = overriders("binner", Binner, "propose")
    return [name for name in registry().names("binner") if name not in at_once]


def _readable(feature: Feature, data: TrainingRows, proposal: Proposal) -> Proposal:
    cuts = [cut for cut in proposal if not isinstance(cut, tuple)]
    if not cuts or feature.kind != "numeric":
        return proposal
    counts = data.counts(feature)
    seen = counts.rows.any(axis=1)
    return shortened(cuts, counts.buckets.low[seen], counts.buckets.high[seen])
