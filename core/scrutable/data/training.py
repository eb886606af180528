"""Training data as binners and learners read it: checked once, in one place."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypedDict, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted, validate_data

from scrutable.data.assumed_outcome import warn_of_assumed
from scrutable.data.attribute import ProtectedAttribute
from scrutable.data.coded_rows import CodedArrays, CodedRows, Coding
from scrutable.data.exact import exact_sum
from scrutable.data.features import Feature, Kind, Value
from scrutable.data.frames import Column, Table, as_table
from scrutable.data.groups import Groups
from scrutable.data.inputs import read_columns, refuse_unknown_names
from scrutable.data.masking import Masked
from scrutable.data.outcome import Outcome, Quantity
from scrutable.data.protected import refuse_protected, refuse_unknown
from scrutable.data.row_hashes import RowHashes, numbers
from scrutable.data.sample_weights import read_weight, refuse_weightless_class
from scrutable.data.separation import Alone
from scrutable.data.source import Source
from scrutable.data.streamed.reading import read_streamed
from scrutable.data.suspects import warn_of_suspects
from scrutable.data.targets import read_classes, read_quantity, refuse_other_length
from scrutable.data.training_rows import AllRows, Batch, LabelledRows, TrainingRows
from scrutable.data.value_counts import RowCounts
from scrutable.errors import InputError


class UnfittedError(InputError, NotFittedError):  # type: ignore[misc]  # a class of scikit-learn, which is not typed
    """An estimator that is asked before it was fitted."""


Floats = NDArray[np.float64]
#: Codes that are no measurement: by column, or a list of those that count in every column that holds them.
SpecialCodes = Mapping[str, Sequence[Value]] | Sequence[Value]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowsInMemory(TrainingRows):
    """n rows to learn from that are in memory, which some learners cannot do without.

    Parameters
    ----------
    features : what each input column is.
    columns : values of each feature.
    weight : (n,) sample weights; ones where none were given.
    groups : protected groups, where they were given.
    """

    features: tuple[Feature, ...]
    columns: Mapping[str, Column]
    weight: Floats
    groups: Groups | None = None
    _counts: dict[tuple[Feature, bool], RowCounts] = field(default_factory=dict, init=False, repr=False)
    #: Buckets that were divided last, by the ends at which they were.
    _divided: dict[Feature, tuple[tuple[float, ...], RowCounts]] = field(default_factory=dict, init=False, repr=False)
    _every: AllRows | None = field(default=None, init=False, repr=False)

    @property
    def every(self) -> AllRows:
        if self._every is None:
            weight = self.weight[self.weight > 0]
            every = AllRows(
                weight=exact_sum(weight),
                target=exact_sum(self.weight * self.target),
                count=len(weight),
                lightest=float(weight.min()),
                heaviest=float(weight.max()),
            )
            object.__setattr__(self, "_every", every)
        assert self._every is not None
        return self._every

    def counts(self, feature: Feature, *, exact: bool = False) -> RowCounts:
        if (feature, exact) not in self._counts:
            self._counts[feature, exact] = self._counted(feature, exact=exact)
        return self._counts[feature, exact]

    def counts_between(self, feature: Feature, ends: Sequence[float]) -> RowCounts:
        counts = self.counts(feature, exact=not ends)
        if counts.buckets.parts_at(ends):
            return counts
        known = self._divided.get(feature)
        if known is None or known[0] != tuple(ends):
            self._divided[feature] = known = tuple(ends), self._counted(feature, ends=ends)
        return known[1]

    def _counted(self, feature: Feature, **how: Any) -> RowCounts:
        column, good = self.columns[feature.name], self.target == 1.0
        return RowCounts(column, good, self.weight, self.groups, feature.special_codes, **how)

    def of_features(self, features: tuple[Feature, ...]) -> Self:
        return replace(self, features=features)

    def coded(self, codings: Sequence[Coding]) -> CodedRows:
        counted = [self.counts_between(each.feature, each.ends) for each in codings]
        blocks = (each.codes(counts.column)[counts.levels.place] for each, counts in zip(codings, counted, strict=True))
        return CodedArrays(blocks, [each.size for each in codings], self.target, self.weight)

    def effective_sizes(self, attribute: ProtectedAttribute) -> Floats:
        sums = [
            (exact_sum(self.weight * member), exact_sum(self.weight * (self.weight * member)))
            for member in attribute.membership.T
        ]
        return np.array([total * total / squares if squares else 0.0 for total, squares in sums])

    @property
    @abstractmethod
    def target(self) -> Floats:
        """(n,) the target in numbers: the quantity, or 1 where the outcome is favourable and 0 elsewhere."""

    @property
    @abstractmethod
    def told(self) -> Column:
        """The target for a fingerprint."""

    @property
    def table(self) -> Table:
        """The inputs as a table, for the evaluator."""
        readers = {name: (lambda column=column: column) for name, column in self.columns.items()}
        return Table(len(self.weight), readers)

    def fingerprint(self) -> str:
        hashes = RowHashes(self.described())
        hashes.add([self.columns[feature.name] for feature in self.features] + self._beside_inputs())
        return hashes.digest()

    def _beside_inputs(self) -> list[Column]:
        """Target, weights and memberships."""
        attributes = self.groups.attributes if self.groups else ()
        members = [numbers(each.name, member) for each in attributes for member in each.membership.T]
        return [self.told, numbers("weight", self.weight), *members]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainingData(RowsInMemory, LabelledRows):
    """n rows in memory to learn classes from.

    Parameters
    ----------
    outcome : the classes, and which one is favourable.
    classes : the classes as the outcomes held them, sorted.
    label : (n,) index of each row's class.
    """

    outcome: Outcome
    classes: NDArray[Any]
    label: NDArray[np.intp]
    #: Counted when they are first asked for.
    _alone: dict[str, Alone] | None = field(default=None, init=False, repr=False)

    @property
    def good(self) -> NDArray[np.bool_]:
        """Rows with the favourable outcome."""
        good: NDArray[np.bool_] = self.label == self.outcome.favourable_index
        return good

    @property
    def by_outcome(self) -> Floats:
        seen, good = self.weight > 0, self.good
        rows = [np.count_nonzero(seen & each) for each in (~good, good)]
        return np.array([rows, [exact_sum(self.weight[each]) for each in (~good, good)]], dtype=np.float64)

    def batches(self, names: Sequence[str] | None = None) -> Iterator[Batch]:
        yield Batch(table=self.table, good=self.good, weight=self.weight)

    def witnesses(self) -> tuple[NDArray[Any], Groups]:
        assert self.groups is not None
        return self.outcomes, self.groups

    @property
    def alone(self) -> dict[str, Alone]:
        if not self.outcome.binary:
            return {}
        if self._alone is None:
            alone = {feature.name: Alone.of(self.counts(feature)) for feature in self.features}
            object.__setattr__(self, "_alone", alone)
        return dict(self._alone or {})

    @property
    def target(self) -> Floats:
        return self.good.astype(np.float64)

    @property
    def outcomes(self) -> NDArray[Any]:
        """(n,) outcomes as fairness constraints read them: whether favourable, or of more than two classes which."""
        return self.good if self.outcome.binary else self.classes[self.label]

    @property
    def told(self) -> Column:
        return numbers("outcome", self.label)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuantityData(RowsInMemory):
    """n rows in memory to learn a quantity from.

    Parameters
    ----------
    outcome : what is measured.
    values : (n,) finite measurements.
    """

    outcome: Quantity
    values: Floats

    @property
    def target(self) -> Floats:
        return self.values

    @property
    def told(self) -> Column:
        return numbers("outcome", self.values)


def read_training(
    X: Any,
    y: Any,
    *,
    sensitive_features: Any = None,
    sample_weight: Any = None,
    special_codes: SpecialCodes | None = None,
    categorical: Iterable[str] = (),
    favourable: Any = None,
    allow_protected: Sequence[str] = (),
    reference_groups: Mapping[str, str] | None = None,
    multi_class: bool = False,
) -> TrainingData:
    """Check everything that `fit` is given; whoever fits is not touched, so that a failure leaves it as it was.

    Parameters
    ----------
    special_codes : codes that are no measurement, by column, or a list for every column that holds them.
    categorical : numeric columns whose numbers are categories.
    favourable : the favourable class; when None, the one whose label says it ("paid"), or the last of the sorted ones.
    allow_protected : input columns that may be protected or tell a protected attribute.
    reference_groups : reference label of each protected attribute; the largest group where none is named.
    multi_class : whether more than two classes are welcome.

    Raises
    ------
    InputError, KindError : data that cannot be used, rows in different order, a single class, a column without
        values, a protected column among the inputs, an option that names an unknown column.
    """
    if isinstance(X, Source):
        streamed: Any = read_streamed(
            X,
            y,
            sensitive_features=sensitive_features,
            sample_weight=sample_weight,
            codes_of=_listed_codes(special_codes, X.names),
            categorical=categorical,
            favourable=favourable,
            allow_protected=allow_protected,
            reference_groups=reference_groups,
        )
        return cast(TrainingData, streamed)  # which learners that do with counts and codes take in its place
    table = _table(X, y, sensitive_features, sample_weight)
    outcome, classes, label = read_classes(y, favourable, multi_class)
    refuse_other_length(len(label), table.n_rows, "y")
    weight = read_weight(sample_weight, table.n_rows)
    refuse_weightless_class(weight, label, len(classes))
    inputs = _read_inputs(table, sensitive_features, special_codes, categorical, allow_protected, reference_groups)
    if favourable is None:
        warn_of_assumed(outcome, float(np.average(label == outcome.favourable_index, weights=weight)))
    return TrainingData(outcome=outcome, classes=classes, label=label, weight=weight, **inputs)


def read_quantity_training(
    X: Any,
    y: Any,
    *,
    sensitive_features: Any = None,
    sample_weight: Any = None,
    special_codes: SpecialCodes | None = None,
    categorical: Iterable[str] = (),
    allow_protected: Sequence[str] = (),
    reference_groups: Mapping[str, str] | None = None,
) -> QuantityData:
    """Check everything that `fit` is given for a continuous target; see `read_training`.

    Examples
    --------
    >>> data = read_quantity_training({"ltv": [0.5, 0.9, 0.7]}, [0.1, 0.4, 0.2])
    >>> data.values.tolist(), data.weight.tolist()
    ([0.1, 0.4, 0.2], [1.0, 1.0, 1.0])
    """
    table = _table(X, y, sensitive_features, sample_weight)
    quantity, values = read_quantity(y)
    refuse_other_length(len(values), table.n_rows, "y")
    weight = read_weight(sample_weight, table.n_rows)
    inputs = _read_inputs(table, sensitive_features, special_codes, categorical, allow_protected, reference_groups)
    return QuantityData(outcome=quantity, values=values, weight=weight, **inputs)


def remember(estimator: Any, X: Any, data: TrainingRows) -> None:
    """Note on a fitted estimator the names and number of features that scikit-learn wants noted."""
    names = tuple(feature.name for feature in data.features)
    _note_features(estimator, X, names, reset=True)


def refuse_unfitted(estimator: Any) -> None:
    """Refuse to go on with an estimator that was not fitted.

    Raises
    ------
    UnfittedError : it was not; scikit-learn's tools know it as a NotFittedError.
    """
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        raise UnfittedError("not fitted yet", where=type(estimator).__name__, fix="call fit first") from None


def read_again(estimator: Any, X: Any, names: Sequence[str]) -> Table:
    """Rows for a fitted estimator, checked against what it was fitted on; columns without names get these."""
    table = as_table(X, names=names, where="X")
    _note_features(estimator, X, table.names, reset=False)
    return table


def is_nominal(feature: Feature, column: Column, categorical: Iterable[str]) -> bool:
    """Whether values are categories: texts, or numbers that the user or the frame declares to be codes."""
    return feature.kind == "categorical" or column.nominal or feature.name in categorical


def _note_features(estimator: Any, X: Any, names: Sequence[str], *, reset: bool) -> None:
    """Let scikit-learn note, or check, names and number of features; what it does not know is shown as a frame."""
    if isinstance(X, Mapping | Table | Source):
        X = pd.DataFrame(columns=list(names))
    try:
        validate_data(estimator, X, skip_check_array=True, reset=reset)
    except ValueError as error:
        raise InputError(str(error).strip(), where="X", fix="give the columns of fit, in their order") from None


def refuse_reordered(X: Any, others: Mapping[str, Any]) -> None:
    """Rows belong together by position; the same index labels in another order say that they do not."""
    index = getattr(X, "index", None)
    for name, other in others.items():
        theirs = getattr(other, "index", None)
        if not (isinstance(index, pd.Index) and isinstance(theirs, pd.Index)) or index.equals(theirs):
            continue
        if len(index) == len(theirs) and theirs.isin(index).all():
            raise InputError(
                "its rows have the index labels of X in another order",
                where=name,
                got=f"{Masked(theirs[0])!r} first, where X has {Masked(index[0])!r}",
                fix="sort them alike, or reset both indexes if the rows do belong together as they stand",
            )


class _Inputs(TypedDict):
    """Fields of `TrainingRows` that do not depend on the target."""

    features: tuple[Feature, ...]
    columns: dict[str, Column]
    groups: Groups | None


def _table(X: Any, y: Any, sensitive_features: Any, sample_weight: Any) -> Table:
    table = as_table(X, where="X")
    refuse_reordered(X, {"y": y, "sensitive_features": sensitive_features, "sample_weight": sample_weight})
    return table


def _read_inputs(
    table: Table,
    sensitive_features: Any,
    special_codes: SpecialCodes | None,
    categorical: Iterable[str],
    allow_protected: Sequence[str],
    reference_groups: Mapping[str, str] | None,
) -> _Inputs:
    columns = read_columns(table)
    codes = _codes(special_codes, table)
    groups = None
    if sensitive_features is not None:
        groups = Groups.from_frame(sensitive_features, reference=reference_groups, expected_rows=table.n_rows)
        refuse_protected(table, groups, allow_protected, codes)
    else:
        refuse_unknown(table.names, allow_protected)
        _refuse_references(reference_groups)
    refuse_unknown_names(categorical, table.names, "categorical")
    warn_of_suspects((column for name, column in columns.items() if name not in categorical), codes)
    features = tuple(_feature(column, codes[name]) for name, column in columns.items())
    return {"features": features, "columns": columns, "groups": groups}


def _refuse_references(given: Mapping[str, str] | None) -> None:
    """Refuse reference groups where there are no protected attributes."""
    if given:
        raise InputError(
            "there are no groups to compare",
            where="reference_groups",
            got=dict(given),
            fix="give the protected attributes, or leave it out",
        )


def _listed_codes(given: SpecialCodes | None, names: Sequence[str]) -> SpecialCodes:
    """Special codes whose form, and whose columns, were checked."""
    given = () if given is None else given
    if isinstance(given, Mapping):
        refuse_unknown_names(given, names, "special_codes")
        for name, codes in given.items():
            _refuse_no_list(codes, f"special_codes, column {name!r}")
        return given
    _refuse_no_list(given, "special_codes")
    return given


def _codes(given: SpecialCodes | None, table: Table) -> dict[str, tuple[Value, ...]]:
    """The special codes of each column."""
    given = _listed_codes(given, table.names)
    if isinstance(given, Mapping):
        return {name: tuple(given.get(name, ())) for name in table}
    return {name: tuple(code for code in given if _holds(table.column(name), code)) for name in table}


def _refuse_no_list(codes: Any, where: str) -> None:
    if isinstance(codes, str) or not isinstance(codes, Sequence | np.ndarray):
        raise InputError(
            "expected a list of codes",
            where=where,
            got=codes,
            allowed="lists of codes by column, or one list for every column that holds them",
            fix="special_codes={'age': [-9]}, or special_codes=[-9]",
        )


def _holds(column: Column, code: Value) -> bool:
    return isinstance(code, str) == (column.kind == "categorical") and bool((column.values == code).any())


def _feature(column: Column, codes: Sequence[Value]) -> Feature:
    kind: Kind = "numeric" if column.kind == "numeric" else "categorical"
    return Feature(name=column.name, kind=kind, special_codes=tuple(codes))
