"""Training data as binners and learners read it: checked once, in one place."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _check_sample_weight, check_consistent_length, column_or_1d, validate_data

from scrutable.errors import InputError, KindError, did_you_mean
from scrutable.fairness import Groups
from scrutable.frames import Column, Table, as_table
from scrutable.model import Feature, Outcome
from scrutable.model.features import Kind, Value
from scrutable.protected import refuse_protected

#: Codes that are no measurement: by column, or a list of those that count in every column that holds them.
SpecialCodes = Mapping[str, Sequence[Value]] | Sequence[Value]
#: A text column of at least this many rows with more different values than this share of them is no characteristic.
IDENTIFIER_ROWS = 50
IDENTIFIER_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainingData:
    """n rows to learn from.

    Parameters
    ----------
    features : what each input column is.
    columns : values of each feature.
    outcome : the classes, and which one is favourable.
    classes : the classes as the outcomes held them, sorted.
    label : (n,) index of each row's class.
    weight : (n,) sample weights; ones where none were given.
    groups : protected groups, where they were given.
    """

    features: tuple[Feature, ...]
    columns: Mapping[str, Column]
    outcome: Outcome
    classes: NDArray[Any]
    label: NDArray[np.intp]
    weight: NDArray[np.float64]
    groups: Groups | None = None

    @property
    def good(self) -> NDArray[np.bool_]:
        """Rows with the favourable outcome."""
        good: NDArray[np.bool_] = self.label == self.outcome.favourable_index
        return good

    @property
    def outcomes(self) -> NDArray[Any]:
        """(n,) outcomes as fairness constraints read them: whether favourable, or of more than two classes which."""
        return self.good if self.outcome.binary else self.classes[self.label]

    @property
    def table(self) -> Table:
        """The inputs as a table, for the evaluator."""
        readers = {name: (lambda column=column: column) for name, column in self.columns.items()}
        return Table(len(self.label), readers)

    def fingerprint(self) -> str:
        """SHA-256 of inputs, outcomes, weights and groups, whatever kind of frame they came in."""
        digest = hashlib.sha256()
        for feature in self.features:
            digest.update(f"{feature.name}\0{feature.kind}\0".encode())
            digest.update(_canonical(self.columns[feature.name]))
        digest.update(repr(self.outcome.classes).encode())
        digest.update(self.label.astype("<i8").tobytes())
        digest.update(self.weight.astype("<f8").tobytes())
        for attribute in self.groups.attributes if self.groups else ():
            digest.update(repr((attribute.name, attribute.labels, attribute.reference)).encode())
            digest.update(attribute.membership.astype("<f8").tobytes())
        return digest.hexdigest()


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
    favourable : the favourable class; the last of the sorted classes when None.
    allow_protected : input columns that may be protected or tell a protected attribute.
    reference_groups : reference label of each protected attribute; the largest group where none is named.
    multi_class : whether more than two classes are welcome.

    Raises
    ------
    InputError, KindError : data that cannot be used, rows in different order, a single class, a column without
        values, a protected column among the inputs, an option that names an unknown column.
    """
    table = as_table(X)
    refuse_reordered(X, {"y": y, "sensitive_features": sensitive_features, "sample_weight": sample_weight})
    outcome, classes, label = _read_target(y, favourable, multi_class)
    check_consistent_length(label, np.empty(table.n_rows))
    weight = _read_weight(sample_weight, table.n_rows, label, len(outcome.classes))
    columns = _read_columns(table)
    groups = None
    if sensitive_features is not None:
        groups = Groups.from_frame(sensitive_features, reference=reference_groups, expected_rows=table.n_rows)
        refuse_protected(table, groups, allow_protected)
    codes = _codes(() if special_codes is None else special_codes, table)
    _known_names(categorical, table, "categorical")
    features = tuple(_feature(column, codes[name]) for name, column in columns.items())
    return TrainingData(
        features=features,
        columns=columns,
        outcome=outcome,
        classes=classes,
        label=label,
        weight=weight,
        groups=groups,
    )


def remember(estimator: Any, X: Any, data: TrainingData) -> None:
    """Note on a fitted estimator the names and number of features that scikit-learn wants noted."""
    _note_features(estimator, X, data.table, reset=True)


def read_again(estimator: Any, X: Any, names: Sequence[str]) -> Table:
    """Rows for a fitted estimator, checked against what it was fitted on; columns without names get these."""
    table = as_table(X, names=names)
    _note_features(estimator, X, table, reset=False)
    return table


def is_nominal(feature: Feature, column: Column, categorical: Iterable[str]) -> bool:
    """Whether values are categories: texts, or numbers that the user or the frame declares to be codes."""
    return feature.kind == "categorical" or column.nominal or feature.name in categorical


def _note_features(estimator: Any, X: Any, table: Table, *, reset: bool) -> None:
    """Let scikit-learn note, or check, names and number of features; a dict or `Table` is shown as a frame."""
    if isinstance(X, Mapping | Table):
        X = pd.DataFrame(columns=list(table.names))
    validate_data(estimator, X, skip_check_array=True, reset=reset)


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
                got=f"{theirs[0]!r} first, where X has {index[0]!r}",
                fix="sort them alike, or reset both indexes if the rows do belong together as they stand",
            )


def _read_target(y: Any, favourable: Any, multi_class: bool) -> tuple[Outcome, NDArray[Any], NDArray[np.intp]]:
    if y is None:
        raise InputError("fit requires y to be passed, but the target y is None", where="y")
    target = str(getattr(y, "name", None) or "outcome")
    values = column_or_1d(y, warn=True)
    _refuse_missing_target(values)
    if values.dtype == object and all(isinstance(value, bool) for value in values):
        values = values.astype(bool)
    kind = type_of_target(values, input_name="y", raise_unknown=True)
    if kind not in ("binary", "multiclass"):
        raise InputError(f"Unknown label type: {kind}", where="y", allowed="classes, not measurements")
    classes, label = np.unique(values, return_inverse=True)
    if len(classes) < 2:
        raise InputError(
            "only one class", where="y", got=_plain(classes[0]), allowed="two classes", fix="check the target column"
        )
    if len(classes) > 2 and not multi_class:
        raise InputError(
            "Only binary classification is supported. The type of the target is multiclass",
            where="y",
            got=[_plain(value) for value in classes[:10]],
            allowed="two classes",
        )
    labels = tuple(_plain(value) for value in classes)
    if favourable is not None and favourable not in labels:
        raise InputError("unknown class", where="favourable", got=favourable, allowed=str(list(labels)))
    best = labels[-1] if favourable is None else favourable
    return Outcome(classes=labels, favourable=best, target=target), classes, label


def _refuse_missing_target(values: NDArray[Any]) -> None:
    missing = np.array([value is None or value != value for value in values.tolist()], dtype=bool)
    if missing.any():
        raise InputError(
            "Input y contains NaN", where=f"y, row {int(np.argmax(missing))}", fix="drop the rows without an outcome"
        )
    if values.dtype.kind == "f" and np.isinf(values).any():
        raise InputError("Input y contains infinity", where=f"y, row {int(np.argmax(np.isinf(values)))}")


def _read_weight(sample_weight: Any, n_rows: int, label: NDArray[np.intp], n_classes: int) -> NDArray[np.float64]:
    if sample_weight is None:
        return np.ones(n_rows)
    weight: NDArray[np.float64] = _check_sample_weight(sample_weight, np.empty((n_rows, 1)), dtype=np.float64)
    if (weight < 0).any():
        raise InputError("weights may not be negative", where="sample_weight", got=float(weight.min()))
    weighed = np.bincount(label, weights=weight, minlength=n_classes)
    if (weighed == 0).any():
        raise InputError("only one class has weight", where="sample_weight", got=weighed.tolist())
    return weight


def _codes(given: SpecialCodes, table: Table) -> dict[str, tuple[Value, ...]]:
    """The special codes of each column."""
    if isinstance(given, Mapping):
        _known_names(given, table, "special_codes")
        for name, codes in given.items():
            _refuse_no_list(codes, f"special_codes, column {name!r}")
        return {name: tuple(given.get(name, ())) for name in table}
    _refuse_no_list(given, "special_codes")
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


def _read_columns(table: Table) -> dict[str, Column]:
    """Every column; one error names all that cannot be inputs."""
    columns: dict[str, Column] = {}
    refused: dict[str, InputError] = {}
    for name in table:
        try:
            columns[name] = table.column(name)
            _refuse_unsuitable(columns[name])
        except InputError as error:
            refused[name] = error
    if len(refused) == 1:
        raise next(iter(refused.values()))
    if refused:
        named: dict[str, list[str]] = {}
        for name, its in refused.items():
            named.setdefault(its.what, []).append(repr(name))
        kind = KindError if all(isinstance(its, KindError) for its in refused.values()) else InputError
        raise kind(
            "; ".join(f"{what} ({', '.join(names)})" for what, names in named.items()),
            where=f"{len(refused)} columns",
            fix="leave these columns out, or convert them to numbers",
        )
    return columns


def _refuse_unsuitable(column: Column) -> None:
    where = f"column {column.name!r}"
    if column.missing.all():
        raise InputError("every value is missing", where=where, fix="leave the column out")
    _refuse_identifier(column, where)


def _feature(column: Column, codes: Sequence[Value]) -> Feature:
    kind: Kind = "numeric" if column.kind == "numeric" else "categorical"
    return Feature(name=column.name, kind=kind, special_codes=tuple(codes))


def _refuse_identifier(column: Column, where: str) -> None:
    """Text that differs in nearly every row tells who an applicant is, not what they are like."""
    if column.kind != "categorical" or len(column.values) < IDENTIFIER_ROWS:
        return
    present = column.values[~column.missing]
    distinct = len(set(present.tolist()))
    if distinct > IDENTIFIER_SHARE * len(present):
        raise InputError(
            "text that differs in nearly every row, such as an identifier or a date",
            where=where,
            got=f"{distinct} different values in {len(present)} rows, {present[0]!r} among them",
            fix="leave the column out, or convert it to a number (numbers with a decimal comma are text, too)",
        )


def _known_names(names: Iterable[str], table: Table, option: str) -> None:
    if isinstance(names, str):
        raise InputError("expected a list of names", where=option, got=names, fix=f"{option}=[{names!r}]")
    for name in names:
        if name not in table:
            raise InputError("unknown column", where=option, got=name, fix=did_you_mean(name, table.names))


def _canonical(column: Column) -> bytes:
    if column.kind == "numeric":
        values = np.where(np.isnan(column.values), np.nan, column.values)
        return values.astype("<f8").tobytes()
    texts = ("" if value is None else f"={value}" for value in column.values)
    return "\0".join(texts).encode("utf-8", "surrogatepass")


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
