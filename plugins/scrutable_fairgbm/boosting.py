"""The training loop: trees from one side, multipliers from the other, round by round."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrutable_fairgbm.backends import Backend
from scrutable_fairgbm.gradients import Floats, Singles
from scrutable_fairgbm.handover.nodes import Boosted
from scrutable_fairgbm.history import History
from scrutable_fairgbm.operating import RunningThreshold
from scrutable_fairgbm.players import Player, View
from scrutable_fairgbm.rates import RateRows
from scrutable_fairgbm.stopping import Stopping


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Watch:
    """Rows that no tree is grown on.

    Parameters
    ----------
    threshold : their running threshold.
    judged : the threshold at which bounds count for stopping: where nothing else is asked for, one that approves as
        many as are good. At even odds the first trees would give everybody one decision, which keeps every bound.
    stopping : keeps their loss; None where nothing asks for it.
    rates : bounds on them, where their groups are known.
    """

    threshold: RunningThreshold
    judged: RunningThreshold
    stopping: Stopping | None
    rates: RateRows | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trained:
    """What a training run leaves: trees, scores and multipliers after the last round that is kept, and the history."""

    boosted: Boosted
    score: Floats
    held_score: Floats | None
    multipliers: Floats
    history: History


def boost(
    backend: Backend,
    player: Player,
    threshold: RunningThreshold,
    watch: Watch | None,
    *,
    n_rounds: int,
    names: tuple[str, ...],
    constant: Floats,
    limits: Floats,
    verbose: int = 0,
) -> Trained:
    """Grow trees, one a round.

    Parameters
    ----------
    threshold : where decisions stand on training rows.
    names : of the constraints.
    constant : (C,) taken from what the player measures before it is kept.
    limits : (C, 2) least and largest value of each constraint, less the constant.
    verbose : rounds after which a line is printed again; 0 for none.
    """
    run = _Run(backend, player, threshold, watch)
    for number in range(n_rounds):
        if run.stopped():
            break
        run.step()
        if verbose and (number + 1) % verbose == 0:
            print(f"round {number + 1}: {_told(player, names, constant)}")
    else:
        run.stopped()
    stopping = watch.stopping if watch else None
    kept = stopping.best if stopping else len(run.thresholds)
    score, held_score = backend.final_scores(run.n_trees[kept])
    return Trained(
        boosted=backend.trees(run.n_trees[kept]),
        score=score,
        held_score=held_score,
        multipliers=run.multipliers[kept],
        history=History(
            names=names,
            values=np.array(run.values).reshape(len(run.values), len(names)) - constant,
            limits=limits,
            multipliers=np.array(run.multipliers[:-1]).reshape(len(run.values), len(names)),
            thresholds=np.array(run.thresholds),
            losses=np.array(stopping.losses if stopping else ()),
            kept=kept,
        ),
    )


class _Run:
    """The state of a training run."""

    def __init__(self, backend: Backend, player: Player, threshold: RunningThreshold, watch: Watch | None) -> None:
        self._backend, self._player, self._threshold, self._watch = backend, player, threshold, watch
        self._held: tuple[Floats, float] | None = None
        self.values: list[Floats] = []
        self.multipliers: list[Floats] = [player.values]
        self.thresholds: list[float] = []
        self.n_trees = [backend.n_trees]

    def stopped(self) -> bool:
        """Look at the rows held out, and say whether to stop."""
        if self._watch is None:
            return False
        score = self._backend.held_scores()
        self._held = score, self._watch.threshold.at(score)
        stopping, rates = self._watch.stopping, self._watch.rates
        if stopping is None:
            return False
        beyond = 0.0
        if rates is not None and rates.n_bounds:
            value = rates.values(rates.errors(score, self._watch.judged.at(score)))
            beyond = float(np.abs(value - np.clip(value, rates.low, rates.high)).max())
        return stopping.add(score, beyond)

    def step(self) -> None:
        """Grow a tree."""
        self._backend.step(self._gradients)
        self.values.append(self._player.measured)
        self.multipliers.append(self._player.values)
        self.n_trees.append(self._backend.n_trees)

    def _gradients(self, score: Floats) -> tuple[Singles, Singles]:
        self.thresholds.append(self._threshold.at(score))
        held_score, held_threshold = self._held if self._held is not None else (None, 0.0)
        return self._player.gradients(
            View(
                score=score,
                threshold=self.thresholds[-1],
                held_score=held_score,
                held_threshold=held_threshold,
            )
        )


def _told(player: Player, names: tuple[str, ...], constant: Floats) -> str:
    constraints = zip(names, player.measured - constant, player.values, strict=True)
    return (
        "; ".join(f"{name} {value:+.4f} (multiplier {own:+.3f})" for name, value, own in constraints) or "no constraint"
    )
