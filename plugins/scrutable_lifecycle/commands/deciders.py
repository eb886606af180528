"""Models of files, and the applicants of a file that they are measured on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scrutable.cli.tables import read_model
from scrutable.data.cohort import Cohort
from scrutable.data.config import DataConfig
from scrutable.model import DecisionModel
from scrutable_lifecycle.judging import deciding, judged_cohort


def read_deciders(paths: Sequence[Path]) -> tuple[DecisionModel, ...]:
    """The models of files, each of which decides between two classes.

    Raises
    ------
    ModelError, InputError : a file that holds no such model.
    """
    return tuple(deciding(read_model(path), f"file {str(path)!r}") for path in paths)


def read_judged(paths: Sequence[Path], config: DataConfig) -> tuple[tuple[DecisionModel, ...], Cohort]:
    """The models of files, and the applicants of the config's file; errors as `read_deciders` and `judged_cohort`."""
    models = read_deciders(paths)
    return models, judged_cohort(models, None, config)
