"""Options of commands that learn models, and what they say."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from scrutable.cli.options import (
    BinnerName,
    BinnerOption,
    Drop,
    EditsFile,
    Favourable,
    Identifier,
    Protected,
    ProtectedProbabilities,
    Reference,
    Weight,
    binner_choice,
    data_config,
)
from scrutable.data import DataConfig
from scrutable.plugins import Choice
from scrutable_lifecycle.commands.options import Constraint, LearnerName, LearnerOption, constraint_choices
from scrutable_lifecycle.config import DEFAULT_LEARNER, ReviewConfig
from scrutable_lifecycle.learner_options import default_binner


@dataclass(frozen=True, kw_only=True)
class Columns:
    """What the columns of the data are, beside the outcome."""

    favourable: Favourable = None
    protected: Protected = None
    protected_probabilities: ProtectedProbabilities = None
    drop: Drop = None
    identifier: Identifier = None
    weight: Weight = None
    reference: Reference = None

    def config(self, source: Path, target: str) -> DataConfig:
        """What is said of the data."""
        return data_config(source, target, **vars(self))


@dataclass(frozen=True, kw_only=True)
class BesideLearner:
    """What goes with a learner: its options, its binner, and what they have to keep."""

    option: LearnerOption = None
    binner: BinnerName = None
    binner_option: BinnerOption = None
    edits: EditsFile = None
    constraint: Constraint = None

    def beside(self, learner: str) -> dict[str, Any]:
        """Parts of a run but for the learner, by name."""
        review = ReviewConfig.of(self.edits)
        return {
            "binner": binner_choice(self.binner, self.binner_option, partial(default_binner, learner, review)),
            "review": review,
            "constraints": constraint_choices(self.constraint),
        }


@dataclass(frozen=True, kw_only=True)
class OneLearner:
    """The learner, which stands before what goes with it."""

    learner: LearnerName = DEFAULT_LEARNER


@dataclass(frozen=True, kw_only=True)
class Learning(BesideLearner, OneLearner):
    """The learner, its binner, and what they have to keep."""

    def stated(self) -> dict[str, Any]:
        """Parts of a run, by name."""
        return {**self.beside(self.learner), "learner": Choice.of(self.learner, self.option or (), "--option")}
