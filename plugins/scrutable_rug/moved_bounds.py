"""Bounds that hold in predictions: those of the program are moved until its slacks come out right.

A linear program bounds slacks, and a sample's slack can be far from its error; the program can even raise it above the
hinge loss. So bounds on slacks are kept where the same bounds on errors are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import ScrutableError
from scrutable_rug.deciding import Deciding
from scrutable_rug.fairness_rows import FairnessRow
from scrutable_rug.generation import Generated
from scrutable_rug.master import Master, Solution
from scrutable_rug.pricing import Candidate
from scrutable_rug.rows import Floats, Rows
from scrutable_rug.rule_search import Deadline, Look, Pool

_HALVINGS = 4  # of a move that leaves no solution
_KEPT = 1e-12  # excess that is rounding
_SHORTER, _LONGER = 0.5, 1.5  # what a step becomes after one that went too far, and after one that did not


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trial:
    """A solution, how far its predictions break a bound at most, and the share of them that is wrong."""

    solution: Solution
    excess: float
    errors: float


def calibrated(
    generated: Generated,
    pool: Pool,
    look: Look,
    bounds: Sequence[FairnessRow],
    weight: Floats,
    deciding: Deciding,
    rounds: int,
    deadline: Deadline,
) -> Generated:
    """Rules and weights that keep the bounds in predictions on the training rows.

    In each round rules that the duals ask for are added, the bounds of the program are moved against what predictions
    are beyond them, and it is solved again, until predictions keep the bounds. Where they never do, it is the solution
    whose largest excess and share of errors add up to least.

    Parameters
    ----------
    generated : what the program gives with the bounds on slacks.
    bounds : bounds on errors, the rows of the master problem.
    weight : (n,) sample weights.
    deciding : how weights become predictions.
    rounds : most times that the program is solved again.
    deadline : when it is not solved again.
    """
    if not bounds or not rounds:
        return generated
    measure = _Measure(bounds, look.rows, deciding, deciding.fallback_labels(generated, look.rows, weight), weight)
    moved, last, step = np.zeros((3, len(bounds)))
    step += 1.0
    solution, trials = generated.solution, []
    for left in reversed(range(rounds + 1)):
        trial, beyond = measure.trial(solution, pool.rules)
        trials.append(trial)
        if trial.excess == 0 or not left or deadline.passed:
            break
        turned = beyond * last
        step *= np.where(turned < 0, _SHORTER, np.where(turned > 0, _LONGER, 1.0))
        pool.add(look.by_trees(solution))
        before, moved, last = moved, moved - step * beyond, beyond
        found_again = _solved(pool.master, before, moved)
        if found_again is None:
            break
        solution, moved = found_again
    best = min(trials, key=lambda each: (each.excess > 0, each.excess + each.errors)).solution
    weights = np.pad(best.weights, (0, len(pool.rules) - len(best.weights)))
    solution = replace(best, weights=weights)
    return replace(generated, rules=tuple(pool.rules), solution=solution, rounds=len(trials) - 1)


def _solved(master: Master, before: Floats, moved: Floats) -> tuple[Solution, Floats] | None:
    """The optimum for moved bounds, or for bounds on the way there: bounds that hang together can be moved apart."""
    for _ in range(_HALVINGS):
        try:
            return master.solve(moved), moved
        except ScrutableError:
            moved = (moved + before) / 2
    return None


@dataclass(frozen=True, slots=True, eq=False)
class _Measure:
    """What weighted rules say of the training rows, beside what they are."""

    bounds: Sequence[FairnessRow]
    rows: Rows
    deciding: Deciding
    fallback: NDArray[np.intp]
    weight: Floats

    def trial(self, solution: Solution, rules: Sequence[Candidate]) -> tuple[Trial, Floats]:
        """A solution, and how far beyond each bound its predictions are."""
        wrong = (self._predicted(solution.weights, rules) != self.rows.label).astype(float)
        measured = np.array([bound.q @ wrong for bound in self.bounds])
        beyond = measured - np.clip(measured, [b.low for b in self.bounds], [b.high for b in self.bounds])
        beyond[np.abs(beyond) <= _KEPT] = 0.0
        errors = float(self.weight @ wrong / self.weight.sum())
        return Trial(solution=solution, excess=float(np.abs(beyond).max()), errors=errors), beyond

    def _predicted(self, weights: Floats, rules: Sequence[Candidate]) -> NDArray[np.intp]:
        """(n,) class with the most votes, the lowest of equals; the fallback's where there is none."""
        votes, own = np.zeros((self.rows.n_classes, len(self.fallback))), self.deciding.votes(weights)
        for at in np.flatnonzero(own).tolist():
            votes[rules[at].label, rules[at].cover] += own[at]
        return np.where(votes.any(axis=0), votes.argmax(axis=0), self.fallback)
