"""The section on where the model comes from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from scrutable.model import Provenance, SegmentedModel
from scrutable_documents.common.sections import Block, Facts, Gap, Heading, Section
from scrutable_documents.report.subject import Subject

#: A seed that only drew the rows held out is no part of a model.
_NO_SEED = "none stated; a seed that only drew the held-out rows is not recorded in the model"


def provenance(subject: Subject) -> Section:
    """Learner, parameters, versions, seed, and the fingerprints of data and model."""
    blocks: list[Block] = [Facts([("Model, SHA-256", subject.fingerprint)]), *_blocks(subject.model.provenance)]
    if isinstance(subject.model, SegmentedModel):
        for segment in subject.model.segments:
            blocks += [Heading(f"Segment {segment.name}"), *_blocks(segment.model.provenance)]
    return Section("provenance", "Provenance", blocks)


def _blocks(origin: Provenance) -> list[Block]:
    if origin == Provenance():
        return [Gap("The model does not say how it was made.")]
    pairs = [
        ("Learner", origin.learner or "not stated"),
        ("Seed of the learner", _NO_SEED if origin.seed is None else str(origin.seed)),
        ("Training data, fingerprint", origin.data_fingerprint or "not stated"),
        *((f"Parameter {key}", _text(value)) for key, value in origin.parameters.items()),
        *((f"Version of {key}", value) for key, value in origin.versions.items()),
    ]
    return [Facts(pairs)]


def _text(value: Any) -> str:
    if value is None:
        return "not set"
    return value if isinstance(value, str) else json.dumps(_plain(value), ensure_ascii=False)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
