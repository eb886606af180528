"""One training run, from training data to trees: rows, bounds, multipliers and the booster brought together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from scrutable.errors import InputError
from scrutable.errors.checks import check_number
from scrutable.fairness import Bound, RateBound
from scrutable_fairgbm.backends import Task, start_backend
from scrutable_fairgbm.boosting import Trained, Watch, boost
from scrutable_fairgbm.families import Family, ceiling, families
from scrutable_fairgbm.gradients import Floats
from scrutable_fairgbm.handover.inputs import BoosterInputs
from scrutable_fairgbm.lagrangian import PROXIES, Proxy, ProxyLagrangian
from scrutable_fairgbm.multipliers import Pace, SignedMultipliers
from scrutable_fairgbm.operating import Operating, RunningThreshold
from scrutable_fairgbm.options import TreeOptions
from scrutable_fairgbm.players import Player
from scrutable_fairgbm.rates import RateRows
from scrutable_fairgbm.row_sets import RowSet
from scrutable_fairgbm.stopping import Metric, Stopping

Method = Literal["signed", "proxy-lagrangian"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a run goes; the learner's options of the same names.

    Parameters
    ----------
    trees_before : of the model that a warm start goes on from; what the booster draws goes on after them.

    Raises
    ------
    InputError : a value out of range.
    """

    backend: str
    method: Method
    proxy: Proxy
    multiplier_rate: float
    n_rounds: int
    operating: Operating | None
    early_stopping: int | None
    stopping_metric: Metric
    trees: TreeOptions
    verbose: int
    trees_before: int = 0

    def __post_init__(self) -> None:
        if self.method not in ("signed", "proxy-lagrangian"):
            raise InputError(
                "unknown method", where="method", got=self.method, allowed="'signed' or 'proxy-lagrangian'"
            )
        check_number(self.multiplier_rate, "multiplier_rate", "above 0, and finite", low=2.0**-60)
        if self.proxy not in PROXIES:
            raise InputError("unknown proxy", where="proxy", got=self.proxy, allowed=", ".join(map(repr, PROXIES)))
        if self.stopping_metric not in ("log-loss", "auc"):
            raise InputError(
                "unknown metric",
                where="stopping_metric",
                got=self.stopping_metric,
                allowed="'log-loss' or 'auc'",
            )


def run(
    plan: Plan,
    inputs: BoosterInputs,
    rows: RowSet,
    held: RowSet | None,
    bounds: Sequence[Bound],
    factors: tuple[float, float],
    offset: float,
    multipliers: dict[str, float],
) -> Trained:
    """Train.

    Parameters
    ----------
    rows, held : on which trees are grown, and others.
    factors : by which the losses of bad and of good payers are multiplied.
    offset : log-odds added to what rows start from.
    multipliers : to start from, by name of their constraint; 0 for those that are not there.
    """
    rates = rows.rates(bounds)
    base = np.where(rates.good, factors[1], factors[0])
    held_rates = held.rates(bounds, some=True) if held is not None and (held.groups is not None or not bounds) else None
    player, told = _player(plan, rates, held_rates, bounds, rows, base, multipliers)
    task = Task(
        inputs=inputs,
        matrix=rows.matrix,
        start=rows.start + offset,
        held_matrix=None if held is None else held.matrix,
        held_start=None if held is None else held.start + offset,
        options=replace(plan.trees, seed=(plan.trees.seed + plan.trees_before) % 2**31),
    )
    seed = plan.trees.seed
    operating = plan.operating if plan.method == "signed" else None
    return boost(
        start_backend(plan.backend, task),
        player,
        RunningThreshold(operating, rows.good, rows.weight, seed),
        None if held is None else _watch(plan, operating, held, held_rates, factors),
        n_rounds=plan.n_rounds,
        names=told.names,
        constant=told.constant,
        limits=told.limits,
        verbose=plan.verbose,
    )


def log_odds(rows: RowSet, factors: tuple[float, float]) -> float:
    """The log-odds of a good payer among rows weighed by class."""
    good = factors[1] * float(rows.weight[rows.good].sum())
    bad = factors[0] * float(rows.weight[~rows.good].sum())
    if not good or not bad:
        raise InputError(
            "rows to grow trees on are of one class", where="held_out", fix="hold out fewer, or other rows"
        )
    return float(np.log(good / bad))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Told:
    """What the multipliers are called, what is taken from each measurement to be a gap, and limits of the gaps."""

    names: tuple[str, ...]
    constant: Floats
    limits: Floats


def _player(
    plan: Plan,
    rates: RateRows,
    held: RateRows | None,
    bounds: Sequence[Bound],
    rows: RowSet,
    base: Floats,
    kept: dict[str, float],
) -> tuple[Player, _Told]:
    """Who holds the multipliers, and what they are about."""
    if plan.method == "signed":
        names = _names([bound for bound in bounds if isinstance(bound, RateBound)])
        pace = Pace(multiplier_rate=plan.multiplier_rate, learning_rate=plan.trees.learning_rate)
        start = np.array([kept.get(name, 0.0) for name in names])
        limits = np.stack([rates.low - rates.constant, rates.high - rates.constant], axis=1)
        player = SignedMultipliers(rates, held, pace, start=start, base=base)
        return player, _Told(names=names, constant=rates.constant, limits=limits)
    constraints = families(bounds, rows.groups, rates) + _ceilings(plan.operating, rates)
    names = tuple(name for family in constraints for name in family.names)
    start = np.array([kept.get(name, 0.0) for name in names])
    printed = ProxyLagrangian(rates, constraints, rate=plan.multiplier_rate, proxy=plan.proxy, start=start, base=base)
    violated = np.tile([-np.inf, 0.0], (len(names), 1))  # of violations
    return printed, _Told(names=names, constant=np.zeros(len(names)), limits=violated)


def _names(bounds: Sequence[RateBound]) -> tuple[str, ...]:
    """What each bound is called; those that differ only in their limits say these, too."""
    said = [bound.describe() for bound in bounds]
    limits = [f"slack {b.slack:g}" if b.ratio is None else f"ratio {b.ratio:g}" for b in bounds]
    return tuple(
        name if said.count(name) == 1 else f"{name}, {limit}" for name, limit in zip(said, limits, strict=True)
    )


def _ceilings(operating: Operating | None, rates: RateRows) -> list[Family]:
    """The paper's way to a point of the ROC curve: a ceiling is one more constraint, at even odds (appendix D)."""
    if operating is None:
        return []
    kind, limit = operating.ceiling
    among = {"declined_good": True, "approved_bad": False, "approval": None}[kind]
    return [ceiling(f"{kind} of everyone", among, limit, rates)]


def _watch(
    plan: Plan, operating: Operating | None, held: RowSet, rates: RateRows | None, factors: tuple[float, float]
) -> Watch:
    stopping, threshold = None, RunningThreshold(operating, held.good, held.weight, plan.trees.seed)
    judged, share = threshold, float(np.average(held.good, weights=held.weight))
    if plan.early_stopping is not None:
        weight = held.weight * np.where(held.good, factors[1], factors[0])
        stopping = Stopping(plan.stopping_metric, plan.early_stopping, held.good, weight)
    if operating is None and 0 < share < 1:
        judged = RunningThreshold(Operating(approval=share), held.good, held.weight, plan.trees.seed)
    return Watch(threshold=threshold, judged=judged, stopping=stopping, rates=rates)
