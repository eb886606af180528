"""Exporters that give other reasons."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from contract_planted.faulty_exporter import Faulty, each_attribute, fault, patch
from scrutable.model import RuleSet, Scorecard, SegmentedModel
from scrutable.model.evaluator import evaluate
from scrutable.plugins.bases import Export


@patch("changed")
def alphabetic_ties(self: Any, model: Any) -> Any:
    """Ties between reasons go to the first code in the alphabet."""
    if getattr(model, "reasons", None) is None:
        return model
    return replace(model, reasons=replace(model.reasons, order=tuple(sorted(model.reasons.order))))


@fault()
class ReasonsOfThePassed(Faulty):
    """A knock-out whose applicant reaches the cutoff is followed by reasons."""

    def changed(self, model: Any) -> Any:
        lower = getattr(model, "cutoff", None)
        if lower is None or isinstance(model, RuleSet) or model.reasons is None:
            return model
        return replace(model, cutoff=1e6, reasons=replace(model.reasons, near=None))

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        right = evaluate(model, self.rows).frame()
        return {**found, **{name: right[name] for name in found if not name.startswith(("reason_", "short_"))}}


@patch("changed")
def lost_attribute_codes(self: Any, model: Any) -> Any:
    """Reason codes of single attributes are passed over."""
    if not isinstance(model, Scorecard):
        return model
    return each_attribute(model, lambda one: replace(one, reason_code=None))


@patch("told")
def one_reason_short(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """The last reason is cut off."""
    return found | ({"reason_3": np.full_like(found["reason_3"], None)} if "reason_3" in found else {})


@patch("told")
def every_number_is_short(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Where there is no reason, nothing is short by 0."""
    return {name: np.nan_to_num(its) if name.startswith("short_") else its for name, its in found.items()}


@patch("changed", "every-field-counts")
def three_reasons(self: Any, model: Any) -> Any:
    """A fourth reason is never given."""
    if model.reasons is None or model.reasons.k <= 3:
        return model
    return replace(model, reasons=replace(model.reasons, k=3))


@fault()
class ReasonsOfTheFirstSegment(Faulty):
    """As many reasons are given as in the first segment."""

    def changed(self, model: Any) -> Any:
        return model if model.reasons is None else replace(model, reasons=replace(model.reasons, k=self._first.k))

    def export(self, model: Any, *, evidence: Any = None) -> Export:
        type(self)._first = (model.segments[0].model if isinstance(model, SegmentedModel) else model).reasons
        return super().export(model)

    _first: ClassVar[Any] = None


@patch("told")
def sixteen_reasons(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Of the reason codes only the first sixteen are known."""
    order = getattr(getattr(model, "reasons", None), "order", ())
    lost = [name for name in found if name.startswith("reason_")]
    return found | {name: np.where(np.isin(found[name], order[16:]), None, found[name]) for name in lost}
