"""One run of `scrutable notices`: the notices of the applicants of a file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from scrutable.cli.output import tracked, working
from scrutable.cli.reading import read_data
from scrutable.cli.tables import read_model
from scrutable.model import Model
from scrutable.plugins.bases import Export, Exporter
from scrutable.plugins.registry import registry


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is asked for, as the options of `scrutable notices` say.

    Parameters
    ----------
    workers : processes; None for one a processor.
    quiet : whether to show no progress.
    """

    model: Path
    data: Path
    lender: Path
    date: str
    formats: Sequence[str]
    identifier: str | None
    name: str | None
    address: Sequence[str]
    language: str | None
    templates: Path | None
    paper: str
    workers: int | None
    quiet: bool


@dataclass(frozen=True, kw_only=True)
class Made:
    """The notices as files, and how many applicants and notices there are."""

    export: Export
    applicants: int
    notices: int


def make_notices(asked: Asked) -> Made:
    """Read, decide, and make the files.

    Raises
    ------
    InputError, ModelError, UnsupportedModel : files that cannot be read, and as in the exporter `notices`.
    """
    with working(f"Reading {asked.data}"):
        model = read_model(asked.model)
        applicants = _read(model, asked)
    exporter: Exporter = registry().create(
        "exporter",
        "notices",
        applicants=applicants,
        lender=asked.lender,
        date=asked.date,
        formats=tuple(asked.formats),
        id=asked.identifier,
        name=asked.name,
        address=tuple(asked.address),
        language=asked.language,
        templates=asked.templates,
        paper=asked.paper,
        workers=asked.workers or os.cpu_count() or 1,
    )
    count = 0

    def follow(items: Iterable[Any], total: int) -> Iterable[Any]:
        nonlocal count
        count = total
        return items if asked.quiet else tracked(items, total, "Making notices")

    export = exporter.export_followed(model, progress=follow)
    return Made(export=export, applicants=len(applicants), notices=count)


def _read(model: Model, asked: Asked) -> pd.DataFrame:
    """The applicants; ids, names and addresses as they stand in the file, such as an id of 007."""
    named = [name for name in (asked.identifier, asked.name, *asked.address) if name is not None]
    return read_data(asked.data, model, text=named)
