"""Archived models, by their fingerprints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from scrutable.errors import InputError
from scrutable.model import Model, fingerprint, load
from scrutable.writing import AnyPath
from scrutable_records.decided import Decider


def read_models(folder: AnyPath) -> Mapping[str, Decider]:
    """The models of a folder and the folders in it, by fingerprint; other JSON files are passed over.

    Raises
    ------
    InputError : there is no such folder, or no model in it.
    ModelError : a file that says that it is a model, and breaks the rules of models or was changed.
    """
    home = Path(folder)
    if not home.is_dir():
        fix = "give the folder of the archived model files"
        raise InputError("is not a folder", where=f"--models {str(folder)!r}", fix=fix)
    models = {fingerprint(model): Decider(model) for model in map(load, _model_files(home))}
    if not models:
        raise InputError(
            "no model file in it",
            where=f"folder {str(folder)!r}",
            allowed="files as `scrutable fit` writes them, whose names end in .json",
            fix="give the folder of the archived model files",
        )
    return models


def _model_files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*.json")) if path.is_file() and _is_model(path)]


def _is_model(path: Path) -> bool:
    """Whether a file says that it is a model."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(content, dict) and "schema_version" in content and "type" in content


def decider_of(model: Model) -> Mapping[str, Decider]:
    """One model, by its fingerprint."""
    return {fingerprint(model): Decider(model)}
