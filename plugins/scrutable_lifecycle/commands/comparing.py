"""One run of `scrutable compare`: read the models and the applicants, compare, and what is written of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scrutable.cli.reading import read_data
from scrutable.cli.tables import read_evidence
from scrutable.data.cohort_file import weights_of
from scrutable.data.config import DataConfig
from scrutable.errors import InputError, did_you_mean
from scrutable.model import DecisionModel, Evidence, dumps, dumps_evidence
from scrutable.writing.files import json_text
from scrutable.writing.spreadsheet import csv_text
from scrutable_lifecycle.commands.evidence import without_decisions
from scrutable_lifecycle.commands.judging import need_outcomes, read_judged
from scrutable_lifecycle.search import SearchResult, compare_models


def compare_files(
    paths: Sequence[Path],
    config: DataConfig,
    development: Path | None,
    evidence: Mapping[str, Path],
    settings: Mapping[str, Any],
) -> SearchResult:
    """The models of these files, the champion's first, compared on the rows of a file.

    Raises
    ------
    InputError, ModelError : files that cannot be used, no protected attribute, rows without an outcome, weights that
        the development rows lack, evidence of another model, and as in `compare_models`.
    """
    if not config.attributes:
        fix = "name at least one column, or the columns of probabilities with --protected-probabilities"
        raise InputError("a comparison looks at protected groups", where="--protected", fix=fix)
    read, cohort = read_judged(paths, config)
    models = dict(zip(_names(paths), read, strict=True))
    known = _evidence(evidence, models)
    need_outcomes(cohort, config.target)
    seen = weight = None
    if development is not None:
        seen = read_data(development, *read)
        if config.weight is not None:
            weight = weights_of(seen, config.weight, f"file {str(development)!r}")
    return compare_models(
        models,
        cohort,
        None,
        sensitive_features=None,
        development=seen,
        development_weight=weight,
        evidence=known,
        **settings,
    )


def files(result: SearchResult, *, picture: bool) -> dict[str, str | bytes]:
    """What a comparison writes, by its name in the folder."""
    contents: dict[str, str | bytes] = {
        "model.json": dumps(result.picked.model),
        "evidence.json": dumps_evidence(result.evidence()),
        "comparison.json": json_text(result.log()),
        "frontier.csv": csv_text(result.frame()),
    }
    if picture:
        from scrutable.plots import render

        contents["frontier.svg"] = render(result.plot(), "svg")
    return contents


def _evidence(paths: Mapping[str, Path], models: Mapping[str, DecisionModel]) -> dict[str, Evidence]:
    """What is known of the models, without what was measured at cutoffs that a comparison may move."""
    for name in paths:
        if name not in models:
            fix = did_you_mean(name, models)
            raise InputError("not the name of a model that is compared", where="--evidence", got=name, fix=fix)
    return {name: without_decisions(read_evidence(path, models[name])) for name, path in paths.items()}


def _names(paths: Sequence[Path]) -> list[str]:
    """Names of files; whole paths where two files share a name."""
    stems = [path.stem for path in paths]
    names = [stem if stems.count(stem) == 1 else str(path) for path, stem in zip(paths, stems, strict=True)]
    for name in names:
        if names.count(name) > 1:
            raise InputError("a model is given twice", where="models", got=name, fix="give each file once")
    return names
