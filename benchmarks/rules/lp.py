"""The master problem on patterns beside the linear program (3) of the paper, which has a row for each sample."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import highspy
import numpy as np
from clock import timed
from report import Row
from scipy.sparse import csc_array, eye_array, hstack

from rules.data import Problem
from rules.options import Setting
from scrutable_rug.coding import code_table
from scrutable_rug.generation import generate
from scrutable_rug.master import Master
from scrutable_rug.pricing import PricingOptions
from scrutable_rug.rows import Rows
from scrutable_rug.rule_search import Deadline, Look, Pool, Search
from scrutable_rug.trees import TreeOptions

#: Relative difference of two objectives that count as equal; HiGHS keeps each row to 1e-7.
SAME = 1e-6


@dataclass(frozen=True, kw_only=True)
class Case:
    """A data set, how its rules are made, and how many times faster than the plain program it must be."""

    problem: Problem
    bound: float
    setting: Setting
    whole_sequence: bool = True
    note: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class Made:
    """The rules that a fit makes; `sizes` says how many there are at each solution of the master problem."""

    y: np.ndarray
    n_classes: int
    masks: np.ndarray  # (J, n)
    classes: np.ndarray
    costs: np.ndarray
    sizes: list[int]


def rows_of_lp(cases: Sequence[Case], runs: int) -> Iterator[Row]:
    """The plain program beside patterns: on the last rules alone, on those of each step, and one beside all steps."""
    for case in cases:
        made = rules_of(case)
        timings = [timed(partial(on_patterns, made, made.sizes)) for _ in range(runs)]
        alone = statistics.median(seconds_alone(made) for _ in range(runs))
        whole = statistics.median(seconds for seconds, _ in timings)
        sizes = made.sizes if case.whole_sequence else made.sizes[-1:]
        plain = [plain_program(made, size) for size in sizes]
        _, objective = timings[-1]
        last, expected = plain[-1]
        assert abs(expected - objective) <= SAME * expected
        note = f"{last:.2f} s and {alone:.3f} s CPU; {len(made.y)} rows, {len(made.costs)} rules{case.note}"
        yield _row(case, "last rules", last / alone, note)
        steps = f"{len(made.sizes)} solutions"
        if case.whole_sequence:
            total = sum(seconds for seconds, _ in plain)
            yield _row(case, "whole sequence", total / whole, f"{total:.1f} s and {whole:.3f} s CPU; {steps}")
        else:
            note = f"{last:.2f} s and {whole:.3f} s CPU; 1 and {steps}"
            yield _row(case, "plain once, ours whole sequence", last / whole, note)


def rules_of(case: Case) -> Made:
    """The rules of a fit, in the order in which they entered."""
    problem, setting = case.problem, case.setting
    learner = setting.learner(problem)
    data = learner.read(problem.X, problem.y, sensitive_features=None, sample_weight=None)
    table = code_table(data.features, data.columns, min_share=learner.rare_share)
    rows = Rows.of(table, data.label, problem.n_classes)
    search = Search(iterations=setting.calls)
    look = Look(
        rows,
        TreeOptions(max_depth=setting.depth),
        PricingOptions(penalty=learner.penalty, cost=learner.cost),
        search,
        np.random.default_rng(0),
    )
    pool = Pool(Master(data.label, rows.n_classes), learner.penalty)
    found = generate(pool, look, data.weight, search, Deadline.after(None))
    return Made(
        y=data.label,
        n_classes=rows.n_classes,
        masks=np.stack([rule.cover for rule in found.rules]),
        classes=np.array([rule.label for rule in found.rules]),
        costs=np.array([learner.penalty * rule.cost for rule in found.rules]),
        sizes=[step.rules for step in found.steps],
    )


def on_patterns(made: Made, sizes: Sequence[int]) -> float:
    """The last objective, after rules were added up to each of these numbers; telling patterns apart is part of it."""
    master = Master(made.y, made.n_classes)
    objective, start = np.nan, 0
    for end in sizes:
        master.add(made.masks[start:end], made.classes[start:end], made.costs[start:end])
        objective, start = master.solve().objective, end
    return objective


def seconds_alone(made: Made) -> float:
    """CPU time of the last solution without those before it."""
    return timed(lambda: on_patterns(made, made.sizes[-1:]))[0]


def plain_program(made: Made, size: int) -> tuple[float, float]:
    """CPU time of HiGHS at its defaults on one thread, without making the matrix; and the objective."""
    right = np.where(made.classes[:size] == made.y[:, None], 1.0, -1.0)
    votes = csc_array(np.where(made.masks[:size].T, right, 0.0))
    n = len(made.y)
    matrix = csc_array(hstack([votes, eye_array(n)], format="csc"))
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = size + n, n
    program.col_cost_ = np.concatenate([made.costs[:size], np.ones(n)])
    program.col_lower_, program.col_upper_ = np.zeros(size + n), np.full(size + n, np.inf)
    program.row_lower_, program.row_upper_ = np.ones(n), np.full(n, np.inf)
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_ = matrix.indptr
    program.a_matrix_.index_ = matrix.indices
    program.a_matrix_.value_ = matrix.data
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)

    def solve() -> float:
        solver.passModel(program)
        solver.run()
        assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
        return float(solver.getInfo().objective_function_value)

    return timed(solve)


def _row(case: Case, what: str, value: float, note: str) -> Row:
    name = f"LP, {case.problem.name}, {what}: plain / patterns"
    return Row(name=name, value=value, unit="x", relation=">=", bound=case.bound, note=note)
