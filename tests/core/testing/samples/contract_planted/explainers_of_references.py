"""Explainers that do not compare with the rows of the reference that they are given."""

from __future__ import annotations

from typing import Any

import numpy as np
from contract_samples.healthy import TinyExplainer

from contract_planted.fault import patched
from contract_planted.faulty_explainer import POINTS, REASONS, SEGMENTS, Reasoned, Segmented
from scrutable.model import Scorecard, dumps
from scrutable.model.evaluator import evaluate


@patched(TinyExplainer, "explain", check="a-reference-that-is-given-counts", **POINTS)
def ignoring_reference(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """The reference population is ignored."""
    return TinyExplainer.explain(self, model, X)


@patched(TinyExplainer, "explain", check="late-rows-of-a-reference-count", **POINTS)
def first_of_reference(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Of the reference only the first 100 rows count."""
    return TinyExplainer.explain(self, model, X, reference=None if reference is None else reference.iloc[:100])


@patched(Reasoned, "explain", check="without-a-reference-the-models-reasons-count", **REASONS)
def own_reasons_only(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Without a reference the rows themselves are one."""
    return Reasoned.explain(self, model, X, reference=X if reference is None else reference)


@patched(Reasoned, "policy", check="weights-of-the-reference-count", **REASONS)
def unweighted_reference(self: Any, model: Any, reference: Any, *, weight: Any = None) -> Any:
    """Rows of the reference count once each."""
    return Reasoned.policy(self, model, reference)


@patched(Reasoned, "policy", check="weights-of-the-reference-count", **REASONS)
def whole_weights(self: Any, model: Any, reference: Any, *, weight: Any = None) -> Any:
    """Weights of the reference are rounded up to copies of rows."""
    return Reasoned.policy(self, model, reference, weight=None if weight is None else np.ceil(weight))


@patched(TinyExplainer, "explain", check="every-sort-of-reference-row-counts", **POINTS)
def complete_rows_only(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Of the reference only complete rows count, where there are any."""
    complete = None if reference is None else reference.dropna()
    return TinyExplainer.explain(
        self, model, X, reference=reference if complete is None or complete.empty else complete
    )


@patched(TinyExplainer, "explain", check="every-sort-of-reference-row-counts", **POINTS)
def approved_rows_only(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Of the reference only approved rows count, where there are any."""
    if reference is not None and isinstance(model, Scorecard):
        approved = evaluate(model, reference).approved
        reference = reference[approved] if approved.any() else reference
    return TinyExplainer.explain(self, model, X, reference=reference)


@patched(TinyExplainer, "explain", check="rows-of-a-reference-count-as-often-as-they-stand-there", **POINTS)
def rows_that_differ(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Of the reference the rows that differ count, each once."""
    return TinyExplainer.explain(self, model, X, reference=None if reference is None else reference.drop_duplicates())


_AVERAGED: dict[tuple[str, int], Any] = {}


@patched(TinyExplainer, "explain", check="nothing-is-kept-between-calls", **POINTS)
def first_reference_kept(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """The first reference of so many rows is kept for a model."""
    if reference is not None:
        reference = _AVERAGED.setdefault((dumps(model), len(reference)), reference.copy())
    return TinyExplainer.explain(self, model, X, reference=reference)


_BY_IDENTITY: dict[tuple[int, int], Any] = {}


@patched(TinyExplainer, "explain", check="nothing-is-kept-between-calls", **POINTS)
def changed_in_place(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """A reference that is the same object is taken for what it was."""
    if reference is not None:
        reference = _BY_IDENTITY.setdefault((id(model), id(reference)), reference.copy())
    return TinyExplainer.explain(self, model, X, reference=reference)


@patched(Segmented, "rows", check="other-segments-change-nothing", **SEGMENTS)
def whole_reference(self: Any, model: Any, segment: Any, reference: Any) -> Any:
    """Each segment is compared with the reference rows of all."""
    return reference


@patched(Segmented, "rows", check="a-segment-is-explained-as-its-model-alone", **SEGMENTS)
def half_of_the_segment(self: Any, model: Any, segment: Any, reference: Any) -> Any:
    """Each segment is compared with every second of its reference rows."""
    return Segmented.rows(self, model, segment, reference).iloc[::2]
