"""Where a model comes from; no clock time, so that the same fit gives the same bytes."""

from __future__ import annotations

from dataclasses import dataclass, field

from scrutable.data.values import FrozenMapping, Json, text


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Learner, its parameters, library versions, seed and a fingerprint of the training data."""

    learner: str = ""
    parameters: FrozenMapping[Json] = field(default_factory=FrozenMapping)
    versions: FrozenMapping[str] = field(default_factory=FrozenMapping)
    seed: int | None = None
    data_fingerprint: str = ""

    def __post_init__(self) -> None:
        for value in (self.learner, self.data_fingerprint, *self.versions, *self.versions.values()):
            text(value, "provenance")
