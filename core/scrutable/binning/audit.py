"""Audit trails of bins: what was decided, by whom, why, and what it did."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Protocol

from scrutable.binning.edits import Action
from scrutable.model import FrozenMapping


class Record(Protocol):
    """An entry of an audit trail."""

    def to_dict(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A decision of the user's that was honoured, and what it did to the information values.

    Parameters
    ----------
    feature, action, detail, who, why : what was decided, by whom and for which reason.
    iv_before, iv_after : information value about the outcome.
    fiv_before, fiv_after : fairness information values, by attribute and groups; infinite where only one of two groups
        has an attribute.
    """

    feature: str
    action: Action
    detail: str
    who: str = ""
    why: str = ""
    iv_before: float
    iv_after: float
    fiv_before: Mapping[str, float] = field(default_factory=FrozenMapping)
    fiv_after: Mapping[str, float] = field(default_factory=FrozenMapping)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what has no bound is None."""
        return _plain(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanEdit:
    """A decision of the user's that was honoured, and what it did to the share of the variance that is explained."""

    feature: str
    action: Action
    detail: str
    who: str = ""
    why: str = ""
    explained_before: float
    explained_after: float
    fiv_before: Mapping[str, float] = field(default_factory=FrozenMapping)
    fiv_after: Mapping[str, float] = field(default_factory=FrozenMapping)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what has no bound is None."""
        return _plain(self)


def _plain(edit: Any) -> dict[str, Any]:
    """An entry of an audit trail as plain values; fairness information values without bound are None."""
    plain = {each.name: getattr(edit, each.name) for each in fields(edit)}
    for name in ("fiv_before", "fiv_after"):
        plain[name] = {groups: fiv if math.isfinite(fiv) else None for groups, fiv in plain[name].items()}
    return plain
