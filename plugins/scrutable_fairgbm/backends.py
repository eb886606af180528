"""Libraries that grow the trees: what the training loop asks of them."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, cast

from scrutable.errors import InputError
from scrutable.plugins import machine_libraries
from scrutable_fairgbm.gradients import Floats, Singles
from scrutable_fairgbm.handover.inputs import BoosterInputs
from scrutable_fairgbm.handover.nodes import Boosted
from scrutable_fairgbm.options import TreeOptions

BackendName = Literal["lightgbm", "xgboost"]
#: (n,) raw scores to (n,) gradients and hessians of the loss.
Gradient = Callable[[Floats], tuple[Singles, Singles]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Task:
    """Rows to grow trees on, and rows to look at.

    Parameters
    ----------
    inputs : what the columns of the matrices stand for.
    matrix : (n, F) training rows.
    start : (n,) scores before the first tree, in log-odds.
    held_matrix, held_start : the same of m rows that no tree is grown on; None where there are none.
    options : of the trees.
    """

    inputs: BoosterInputs
    matrix: Floats
    start: Floats
    held_matrix: Floats | None
    held_start: Floats | None
    options: TreeOptions


class Backend(Protocol):
    """A booster that is grown a tree at a time, on gradients given to it."""

    def step(self, gradient: Gradient) -> None:
        """Ask for the gradients at the present scores, and grow one more tree."""

    @property
    def n_trees(self) -> int:
        """Number of trees so far; a round in which no split is worth making may leave none."""

    def held_scores(self) -> Floats:
        """(m,) scores of the rows that no tree is grown on; good until the next step."""

    def final_scores(self, n_trees: int) -> tuple[Floats, Floats | None]:
        """(n,) and (m,) scores of the training rows and of the others after the first trees."""

    def trees(self, n_trees: int) -> Boosted:
        """The first trees, for a model; what each row started from is not in them."""


class NoTrees:
    """Stands in where no feature can be split: scores stay where they start."""

    n_trees = 0

    def __init__(self, task: Task) -> None:
        self._task = task

    def step(self, gradient: Gradient) -> None:
        gradient(self._task.start)

    def held_scores(self) -> Floats:
        assert self._task.held_start is not None
        return self._task.held_start

    def final_scores(self, n_trees: int) -> tuple[Floats, Floats | None]:
        return self._task.start, self._task.held_start

    def trees(self, n_trees: int) -> Boosted:
        return Boosted((), 0.0)


def start_backend(name: str, task: Task) -> Backend:
    """The backend of a name, ready for its first tree.

    Raises
    ------
    InputError : an unknown name, or a library that is not installed.
    PluginError : the machine lacks a library that this one needs.
    """
    if name not in ("lightgbm", "xgboost"):
        raise InputError("unknown backend", where="backend", got=name, allowed="'lightgbm' or 'xgboost'")
    try:
        with machine_libraries(f"backend {name!r}"):
            module = importlib.import_module(f"scrutable_fairgbm.{name}_backend")
    except ImportError as error:
        raise InputError(
            "a library it needs is not installed", where="backend", got=name, fix="pip install 'scrutable[fairgbm]'"
        ) from error
    return cast(Backend, module.start(task))
