"""Evidence: what is known about a model and does not run with it, kept in a second file beside it."""

from __future__ import annotations

from dataclasses import dataclass, field

from scrutable.data.values import FrozenMapping, Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Metrics per group, search log, binning tables with their audit trail, and reference statistics.

    Each is a mapping of JSON values; who writes an entry owns its layout. `model_sha256` names the model it belongs to.
    """

    model_sha256: str
    metrics: FrozenMapping[Json] = field(default_factory=FrozenMapping)
    search_log: tuple[Json, ...] = ()
    binning: FrozenMapping[Json] = field(default_factory=FrozenMapping)
    reference: FrozenMapping[Json] = field(default_factory=FrozenMapping)
