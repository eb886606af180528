"""CPU time of counterfactuals: boosted stumps beside the paper's mixed-integer program, and deeper boosting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from clock import median_seconds, timed
from report import Row

from compressing.data import Flags, first_fold
from compressing.program import solve_general
from compressing.targets import TARGETS
from scrutable_fcca.counterfactuals.boxes import solve_boxes
from scrutable_fcca.counterfactuals.problem import Costs, Counterfactuals, Plausibility, Problem
from scrutable_fcca.counterfactuals.stumps import solve_stumps
from scrutable_fcca.inputs import Inputs
from scrutable_fcca.target import Doubles
from scrutable_fcca.training import TargetOptions, Trained, train_target

Solve = Callable[[Any, Doubles, Flags, Problem], Counterfactuals]

#: The program stops within 1e-6 of its optimum.
_EQUAL = 1e-5
_BOUNDS = TARGETS["counterfactual"]
_DEEP = {2: "mean", 3: "median"}


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """Rows of a data set that boosting of some depth gets right, in an order drawn at random."""

    name: str
    trained: Trained
    points: Doubles
    good: Flags

    @classmethod
    def of(cls, name: str, depth: int) -> Case:
        """The paper's model, but for the depth, on the first fold; rows of any probability."""
        train = first_fold(name).train
        points = Inputs.of(train.data).encode(train.columns)
        trained = train_target(points, train.y, np.ones(len(points)), TargetOptions(max_depth=depth))
        right = np.flatnonzero((trained.target.score(points) > 0) == train.y)
        drawn = np.random.default_rng(0).permutation(right)
        return cls(name=name, trained=trained, points=points[drawn], good=train.y[drawn])

    def solving(self, solve: Solve, rows: slice = slice(None)) -> Callable[[], Counterfactuals]:
        """The search of counterfactuals of some of the rows."""
        return lambda: solve(self.trained.target, self.points[rows], ~self.good[rows], self.problem)

    @cached_property
    def problem(self) -> Problem:
        """The paper's: everything may change."""
        return Problem(plausible=Plausibility.free(self.points.shape[1]), costs=Costs())


def rows_of_stumps(names: Sequence[str], compared: int, runs: int) -> Iterator[Row]:
    """Time of ours on all rows; the program solves as many of each data set, and its costs are compared."""
    different, of = 0, 0
    for name in names:
        case = Case.of(name, 1)
        ours = median_seconds(case.solving(solve_stumps), runs) / len(case.points)
        few = case.solving(solve_stumps, slice(compared))
        exact, together = few(), median_seconds(few, runs)
        taken, general = timed(case.solving(solve_general, slice(compared)))
        theirs = taken / len(general.cost)
        different += int((~np.isclose(exact.cost, general.cost, rtol=0, atol=_EQUAL)).sum())
        of += len(general.cost)
        yield Row(
            name=f"counterfactual of stumps, {name}",
            value=1e6 * ours,
            unit="µs",
            relation="<=",
            bound=_BOUNDS["stumps"],
            peer=1e6 * theirs,
            note=f"CPU, {len(case.points)} rows at once; peer: the mixed-integer program, made and solved by HiGHS",
        )
        yield Row(
            name=f"counterfactual of stumps, {name}: program / ours",
            value=taken / together,
            unit="x",
            relation=">=",
            bound=_BOUNDS["faster"],
            note=f"the same {len(general.cost)} rows; {theirs / ours:.0f} x by the mean of all {len(case.points)} for "
            "ours, which reads the target once for all",
        )
    yield Row(
        name="counterfactuals of stumps that cost other than the program's",
        value=different,
        unit="rows",
        relation="<=",
        bound=0,
        note=f"of {of}; by more than {_EQUAL:g}",
    )


def rows_of_deep(names: Sequence[str], count: int) -> Iterator[Row]:
    """Time of single rows; the bound of depth 2 is on their mean, that of depth 3 on their median."""
    for depth, middle in _DEEP.items():
        for name in names:
            case = Case.of(name, depth)
            case.solving(solve_boxes, slice(1))()  # compiles
            rows = range(min(count, len(case.points)))
            found = [timed(case.solving(solve_boxes, slice(i, i + 1))) for i in rows]
            seconds = 1e3 * np.array([taken for taken, _ in found])
            unproven = sum(each.status(0) == "limit" for _, each in found)
            yield Row(
                name=f"counterfactual of boosting, depth {depth}, {name}",
                value=float(getattr(np, middle)(seconds)),
                unit="ms",
                relation="<=",
                bound=_BOUNDS[f"depth_{depth}"],
                note=f"{middle} CPU of {len(seconds)} rows one by one; mean {seconds.mean():.1f}, median "
                f"{np.median(seconds):.1f}, most {seconds.max():.1f}; {unproven} not proven",
            )
