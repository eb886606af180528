"""How long merging and fitting take, beside the paper's own tools in the same run."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from clock import median_seconds, timed, yardstick
from report import Row
from scipy.linalg import block_diag
from scipy.optimize import minimize

from lda.data import Case
from lda.table import BOUNDS
from scrutable import create
from scrutable.binning.tables import Trend
from scrutable.data.training import TrainingData
from scrutable.measures.numerics.binned_logistic import Block, fit_binned_logistic
from scrutable_lda_xgb1.contrast import contrasts_of
from scrutable_lda_xgb1.fronts import front
from scrutable_lda_xgb1.joined_prebins import PreBinned
from scrutable_lda_xgb1.options import MergeOptions
from scrutable_lda_xgb1.study import Study
from scrutable_lda_xgb1.sweep import Candidate, Sweep, candidates

RIDGE = 1e-4


def rows_of_speed(case: Case, runs: int, milp_runs: int) -> Iterator[Row]:
    """Fronts, the sweep beside the mixed-integer program, and the regression beside SLSQP."""
    sorting = yardstick(runs)
    study = _study(case)
    counted = [(each.counted(study.contrasts), each.trend) for each in study.prebins]
    options = MergeOptions()

    def against_sorting(name: str, bound: float, work: Callable[[], object], note: str) -> Row:
        seconds = median_seconds(work, runs)
        note = f"CPU, median of {runs}; peer: sorting a million doubles; {note}"
        return Row(name=name, value=seconds, unit="s", relation="<=", bound=bound, peer=sorting, note=note)

    sizes = ", ".join(str(each.n) for each, _ in counted)
    yield against_sorting(
        "whole fronts, 7 SimuCredit features",
        0.1,
        lambda: [front(pre, options, trend=trend) for pre, trend in counted],
        f"pre-bins: {sizes}",
    )
    for n, bound in ((100, 0.2), (200, 1.5)):
        for trend in (None, "ascending"):
            pre = simulated(n, seed=1)
            size = len(front(pre, options, trend=trend).iv)
            name = f"whole front, {n} pre-bins, {'monotone' if trend else 'free'}"
            yield against_sorting(name, bound, _front_of(pre, options, trend), f"{size} merges, seed 1")
    yield against_sorting("sweep of 11 bounds after XGB1", 2.0, lambda: _sweep(study), "merges and fits")
    yield _beside_milp(study, milp_runs)
    yield _beside_slsqp(study, min(runs, 5))


def simulated(n: int, seed: int) -> PreBinned:
    """Pre-bins of a feature whose favourable rate rises, with noise, and that tells the group."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(40, 120, n)
    along = np.linspace(-1.5, 1.5, n)
    good = 1 + rng.binomial(rows, 1 / (1 + np.exp(-along - rng.normal(0, 0.3, n))))
    protected = 1 + rng.binomial(rows, 1 / (1 + np.exp(0.8 * along + rng.normal(0, 0.3, n))))
    return PreBinned(
        n=n,
        good=good.astype(float),
        bad=(1 + rows - np.minimum(good, rows)).astype(float),
        protected=protected[:, None].astype(float),
        reference=(1 + rows - np.minimum(protected, rows))[:, None].astype(float),
        limits=np.array([np.inf]),
    )


def _front_of(pre: PreBinned, options: MergeOptions, trend: Trend | None) -> Callable[[], object]:
    return lambda: front(pre, options, trend=trend)


def _study(case: Case) -> Study:
    first, groups = case.fitting()
    learner = create("learner", "lda-xgb1", **case.options)
    data: TrainingData = learner.read(*first, **groups, sample_weight=None)
    widest = create("constraint", "fairness-information-value", bound=1e300, rows="events")
    contrasts = contrasts_of(learner.bounds(widest, data), data)
    binner = create("binner", "xgb1", trends=case.trends)
    return Study.of(data, binner, contrasts, MergeOptions())


def _sweep(study: Study) -> list[Candidate]:
    """The paper's sweep: merges for each bound, and the regression on each. Fronts found earlier are forgotten."""
    return list(candidates(replace(study), Sweep(bounds=BOUNDS, budgets=(), gap_shares=()), RIDGE))


def _beside_milp(study: Study, runs: int) -> Row:
    """Pair by pair, since the machine may slow down; both must give the same regressions."""
    ratios, peers = [], []
    for _ in range(runs):
        seconds, ours = timed(lambda: _sweep(study))
        peer, theirs = timed(lambda: _sweep(replace(study, solver="milp")))
        ratios.append(peer / seconds)
        peers.append(peer)
        for one, other in zip(ours, theirs, strict=True):
            assert one.merged.left_out == other.merged.left_out
            pairs = zip(one.merged.binned, other.merged.binned, strict=True)
            assert all(a.table.conditions == b.table.conditions for a, b in pairs)
    return Row(
        name="sweep of 11 bounds, CBC / dynamic program",
        value=statistics.median(ratios),
        unit="x",
        relation=">=",
        bound=100.0,
        note=f"CPU, median of {runs} pairs; same bins; CBC took {statistics.median(peers):.0f} s",
    )


def _beside_slsqp(study: Study, runs: int) -> Row:
    """The regression of the monotone card, and the same problem by SLSQP on a dense matrix, as in the paper."""
    merged = replace(study, contrasts=()).merged().binned
    blocks, rows = [each.block() for each in merged], study.data.coded([each.table.coding for each in merged])
    ours = fit_binned_logistic(blocks, rows, ridge=RIDGE)
    columns = [
        block.basis[each.table.index(study.data.columns[each.table.feature.name])]
        for block, each in zip(blocks, merged, strict=True)
    ]
    timings = [timed(lambda: _slsqp(blocks, columns, study.data.good)) for _ in range(runs)]
    missed = timings[-1][1] - ours.objective
    return Row(
        name="constrained logistic fit, SimuCredit",
        value=median_seconds(lambda: fit_binned_logistic(blocks, rows, ridge=RIDGE), max(runs, 5)),
        unit="s",
        relation="<=",
        bound=0.05,
        peer=statistics.median(seconds for seconds, _ in timings),
        note=f"CPU; peer: SLSQP, whose objective is {missed:.0e} higher; KKT residual {ours.kkt_residual:.0e}",
    )


def _slsqp(blocks: Sequence[Block], columns: Sequence[np.ndarray], good: np.ndarray) -> float:
    """The least objective that SLSQP finds."""
    design = np.concatenate([np.ones((len(good), 1)), *columns], axis=1)
    penalised = block_diag(np.zeros((1, 1)), *(block.basis for block in blocks))
    sign = np.where(good, -1.0, 1.0)

    def objective(x: np.ndarray) -> tuple[float, np.ndarray]:
        log_odds, values = design @ x, penalised @ x
        pull = design.T @ (1 / (1 + np.exp(-log_odds)) - good) / len(good)
        loss = float(np.logaddexp(0.0, sign * log_odds).mean() + 0.5 * RIDGE * values @ values)
        return loss, pull + RIDGE * penalised.T @ values

    bounds: list[tuple[float | None, float | None]] = [(None, None)]
    bounds += [(low, high) for block in blocks for low, high in zip(block.lower, block.upper, strict=True)]
    found = minimize(
        objective,
        np.zeros(design.shape[1]),
        jac=True,
        method="SLSQP",
        bounds=bounds,
        options={"maxiter": 1000, "ftol": 1e-12},
    )
    return float(found.fun)
