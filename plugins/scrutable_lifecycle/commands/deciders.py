"""Models of files that are measured."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scrutable.cli import read_model
from scrutable.model import DecisionModel
from scrutable_lifecycle.measured_rows import deciding


def read_deciders(paths: Sequence[Path]) -> tuple[DecisionModel, ...]:
    """The models of files, each of which decides between two classes.

    Raises
    ------
    ModelError, InputError : a file that holds no such model.
    """
    return tuple(deciding(read_model(path), f"file {str(path)!r}") for path in paths)
