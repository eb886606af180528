"""Archives to change, and the models that decided in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from archives import CARD, N_ROWS, applicants, by_what

from scrutable.model import fingerprint
from scrutable.testing.contract.examples.models import models_named
from scrutable_records import Archive, Decider, Said, StoredRecords, replay


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """Forty decisions of a scorecard in two parts."""
    made, rows = Archive(tmp_path / "decisions"), applicants()
    for part in (slice(0, 25), slice(25, N_ROWS)):
        made.append(CARD, {name: values[part] for name, values in rows.items()}, Said(id="loan", now="2026-11-27"))
    return made


@pytest.fixture(scope="session")
def models() -> Mapping[str, Decider]:
    """Every kind of model, by its fingerprint."""
    return {fingerprint(model): Decider(model) for model in models_named().values()}


@pytest.fixture
def named(models: Mapping[str, Decider]) -> Callable[..., dict[str, list[int]]]:
    """What a replay of an archive names: numbers of records, by what differs."""

    def look(archive: Archive, **options: Any) -> dict[str, list[int]]:
        return by_what(replay(StoredRecords(archive.folder), models, **options))

    return look
