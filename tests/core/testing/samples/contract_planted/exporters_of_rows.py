"""Exporters that read rows and values wrongly, or mix up rows."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from contract_planted.faulty_exporter import Faulty, fault, numbers_of, patch, texts_of
from scrutable.model import Categories, Special, loads
from scrutable.model.evaluator import OutputFrame, evaluate
from scrutable.plugins.bases import Export


@patch("read")
def codes_in_intervals(self: Any, model: Any, X: Any) -> Any:
    """Special codes are measured like any value."""
    X = X.copy()
    for feature in model.features:
        if feature.kind == "numeric":
            codes = X[feature.name].isin(feature.special_codes)
            X.loc[codes, feature.name] = np.nextafter(X.loc[codes, feature.name], np.inf)
    return X


@patch("read")
def missing_is_zero(self: Any, model: Any, X: Any) -> Any:
    """Missing numbers are zeros."""
    return X.fillna(dict.fromkeys(numbers_of(model), 0.0))


@patch("read")
def unseen_is_missing(self: Any, model: Any, X: Any) -> Any:
    """Categories that nobody named are missing."""
    known = ["cook", "clerk", "nurse", "own", "rent", "n/a", "it's", "free", "it's", "with", "family"]
    known += ["it's free", "with family"]
    return X.assign(**{name: X[name].where(X[name].isin(known), None) for name in texts_of(model)})


@patch("read")
def folding_case(self: Any, model: Any, X: Any) -> Any:
    """Categories are compared without regard to case."""
    return X.assign(**{name: [text and text.lower() for text in X[name]] for name in texts_of(model)})


@patch("read")
def trimming(self: Any, model: Any, X: Any) -> Any:
    """Blanks around categories are cut off."""
    return X.assign(**{name: [text and text.strip(" ") for text in X[name]] for name in texts_of(model)})


@patch("read")
def single_precision(self: Any, model: Any, X: Any) -> Any:
    """Numbers are rounded to single precision."""
    return X.assign(**{name: X[name].astype("float32").astype(float) for name in numbers_of(model)})


@patch("read")
def losing_infinity(self: Any, model: Any, X: Any) -> Any:
    """Infinite numbers are missing."""
    return X.replace([np.inf, -np.inf], np.nan)


@patch("read")
def others_are_coded(self: Any, model: Any, X: Any) -> Any:
    """A special code that no attribute of its own asks for is another special code."""
    X = X.copy()
    for feature in model.features:
        if len(feature.special_codes) > 1:
            X[feature.name] = X[feature.name].replace(feature.special_codes[1], feature.special_codes[0])
    return X


@fault("rows-are-run-by-themselves")
class ByPosition(Faulty):
    """Columns are taken in the order of the frame."""

    def read(self, model: Any, X: Any) -> Any:
        names = list(dict.fromkeys(feature.name for feature in model.features))
        return X.set_axis([*names, *map(str, range(len(X.columns) - len(names)))], axis=1) if self._fits(X) else X

    def _fits(self, X: Any) -> bool:
        return "of_no_use" in X


@patch("told", "rows-are-run-by-themselves")
def sorting_rows(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Rows come back in the order of their labels."""
    labels = -np.asarray(self.rows.index) if "of_no_use" in self.rows else np.arange(len(self.rows))
    return {name: values[np.argsort(labels, kind="stable")] for name, values in found.items()}


@patch("read", "many-rows-run-alike")
def first_batch(self: Any, model: Any, X: Any) -> Any:
    """Rows after the first 512 are read as the one before them."""
    return X.iloc[[min(place, 511) for place in range(len(X))]]


@patch("read", "no-rows-give-no-results")
def somebody_for_nobody(self: Any, model: Any, X: Any) -> Any:
    """Where there are no rows, somebody without any value gets a decision."""
    return X if len(X) else X.reindex([0])


@patch("told", "rows-are-run-by-themselves")
def order_of_labels(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Rows come back in rising order of their labels."""
    return {name: values[np.argsort(self.rows.index, kind="stable")] for name, values in found.items()}


@patch("read", "texts-that-look-like-numbers-stay-texts")
def guessing_types(self: Any, model: Any, X: Any) -> Any:
    """Columns are read as numbers where they look like them."""
    return X.assign(**{name: _guessed(X[name]) for name in texts_of(model)})


def _guessed(column: Any) -> Any:
    try:
        return column.map(lambda text: text and str(int(text)))
    except ValueError:
        return column


@patch("read")
def first_code_of_several(self: Any, model: Any, X: Any) -> Any:
    """Of several special codes of an attribute the first one is written; the others are numbers."""
    for each in getattr(model, "characteristics", ()):
        for condition in (one.condition for one in each.attributes):
            if isinstance(condition, Special) and len(condition.codes) > 1:
                X = X.assign(**{each.feature: X[each.feature].replace(condition.codes[1], np.nan)})
    return X


@patch("run")
def codes_of_the_first_segment(self: Any, export: Export, X: Any) -> OutputFrame:
    """Special codes of a column are those of the first segment that reads it."""
    model = loads(export.text)
    for place, each in enumerate(getattr(model, "segments", ())):
        for feature in each.model.features:
            first = next(its for its in model.features if its.name == feature.name)
            codes = set(feature.special_codes) - set(first.special_codes)
            chosen = evaluate(model, X).frame()["segment"] == each.name if place else np.zeros(len(X), bool)
            lost = chosen & X[feature.name].isin(codes).to_numpy()
            X = X.assign(**{feature.name: X[feature.name].mask(lost)})
    return OutputFrame(evaluate(model, X).frame())


@patch("read", "many-rows-run-alike")
def texts_of_the_first_batch(self: Any, model: Any, X: Any) -> Any:
    """Texts that are not among the first 4,096 rows are unseen."""
    known = {name: set(X[name].iloc[:4096]) for name in texts_of(model)}
    return X.assign(**{name: X[name].where(X[name].isin(texts), "unseen") for name, texts in known.items()})


@patch("read", "names-that-look-alike-are-told-apart")
def one_variable_for_two_names(self: Any, model: Any, X: Any) -> Any:
    """Columns become variables, in which every sign is an underscore and case is lost."""
    values = {re.sub(r"\W", "_", name).lower(): X[name].tolist() for name in X}
    return {name: values[re.sub(r"\W", "_", name).lower()] for name in X}


@patch("told", "rows-are-run-by-themselves")
def segments_put_together(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Segments are scored apart, and their rows put together in the order of their labels."""
    if "segment" not in found:
        return found
    return {name: values[np.argsort(self.rows.index, kind="stable")] for name, values in found.items()}


@patch("read")
def categories_in_a_byte(self: Any, model: Any, X: Any) -> Any:
    """Categories are numbered in a byte, so that the 257th is the first."""
    for each in getattr(model, "characteristics", ()):
        named = [one.condition.values for one in each.attributes if isinstance(one.condition, Categories)]
        listed = [value for values in named for value in values]
        X = X.assign(**{each.feature: X[each.feature].replace(listed[256:], listed[: len(listed[256:])])})
    return X
