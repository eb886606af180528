"""The master problem's optimum, by each backend, against the program written out row by row and solved by SciPy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import get_args

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from scrutable.errors import InputError
from scrutable_rug.fairness_rows import FairnessRow
from scrutable_rug.master import BackendName, Master, Solution

BACKENDS = ["simplex", "interior-point", "portable"]
Batch = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass
class Case:
    """A random master problem, and the rules added to it so far."""

    y: np.ndarray
    classes: int
    loss: str
    weight: np.ndarray | None
    rows: list[FairnessRow]
    batches: list[Batch] = field(default_factory=list)

    @classmethod
    def draw(cls, seed: int, *, classes: int, loss: str, weighed: bool, slack: float | None) -> Case:
        rng = np.random.default_rng([seed, classes, weighed, slack is None])
        n = int(rng.integers(5, 70))
        y = rng.integers(0, classes, n)
        weight = rng.choice([0.5, 1.0, 2.0, 3.7], n) if weighed else None
        rows = [] if slack is None else gaps(y, rng.integers(0, 3, n), weight, slack)
        return cls(y, classes, loss, weight, rows)

    def drawn(self, rng: np.random.Generator) -> Batch:
        """Rules, some of which cost nothing, and one of which may be there already."""
        k = int(rng.integers(1, 8))
        masks, of = rng.random((k, len(self.y))) < rng.uniform(0.1, 0.9), rng.integers(0, self.classes, k)
        costs = rng.choice([0.0, 0.1, 1.0, 2.5], k)
        if self.batches and rng.random() < 0.5:
            old = self.batches[-1]
            masks, of, costs = np.vstack([masks, old[0][:1]]), np.append(of, old[1][0]), np.append(costs, old[2][0])
        self.batches.append((masks, of, costs))
        return self.batches[-1]

    def master(self, backend: BackendName) -> Master:
        return Master(self.y, self.classes, loss=self.loss, weight=self.weight, rows=self.rows, backend=backend)

    @property
    def rules(self) -> Batch:
        masks, of, costs = zip(*self.batches, strict=True)
        return np.vstack(masks), np.concatenate(of), np.concatenate(costs)

    @property
    def votes(self) -> np.ndarray:
        masks, of, _ = self.rules
        wrong = -1.0 if self.loss == "unit" else -1.0 / (self.classes - 1)
        return np.where(masks, np.where(of[:, None] == self.y, 1.0, wrong), 0.0).T

    @property
    def weights(self) -> np.ndarray:
        return np.ones(len(self.y)) if self.weight is None else self.weight

    def optimum(self) -> float:
        """Value of program (3), one row a sample."""
        votes, n = self.votes, len(self.y)
        above, most = [-np.hstack([votes, np.eye(n)])], [-np.ones(n)]
        for row in self.rows:
            q = np.append(np.zeros(votes.shape[1]), row.q)
            above += [q[None], -q[None]]
            most += [np.array([row.high]), np.array([-row.low])]
        costs = np.append(self.rules[2], self.weights)
        found = linprog(costs, A_ub=np.vstack(above), b_ub=np.concatenate(most))
        assert found.status == 0
        return float(found.fun)


def gaps(y: np.ndarray, group: np.ndarray, weight: np.ndarray | None, slack: float) -> list[FairnessRow]:
    """By class, the mean slacks of the groups differ from that of group 0 by at most `slack`."""
    weight, rows = np.ones(len(y)) if weight is None else weight, []
    for k in np.unique(y):
        of = [weight * ((y == k) & (group == g)) for g in range(3)]
        rows += [
            FairnessRow(
                name=f"class {k}, group {g}", q=of[g] / of[g].sum() - of[0] / of[0].sum(), low=-slack, high=slack
            )
            for g in (1, 2)
            if of[g].any() and of[0].any()
        ]
    return rows


def check_optimal(case: Case, found: Solution, tolerance: float = 1e-6) -> None:
    """Feasibility, and complementary slackness, of weights, slacks and duals."""
    costs, votes = case.rules[2], case.votes
    margin, q = votes @ found.weights, np.array([row.q for row in case.rows]).reshape(-1, len(case.y))
    assert (found.weights >= 0).all()
    np.testing.assert_allclose(found.hinge, np.maximum(1 - margin, 0), atol=1e-12)
    assert (found.slack >= found.hinge - 1e-12).all()
    assert found.objective == pytest.approx(costs @ found.weights + case.weights @ found.slack, rel=1e-9)
    assert found.gap == pytest.approx(0, abs=1e-8)
    room = case.weights - found.multipliers @ q
    assert (found.duals >= 0).all()
    assert (found.duals <= room + tolerance).all()
    reduced = costs - found.duals @ votes
    assert (reduced >= -tolerance).all()
    assert abs(reduced * found.weights).sum() <= tolerance
    assert ((room - found.duals) * found.slack).sum() <= tolerance
    assert (found.duals * (margin + found.slack - 1)).sum() <= tolerance
    np.testing.assert_allclose(found.on_slack, q @ found.slack, atol=1e-12)
    np.testing.assert_allclose(found.on_hinge, q @ found.hinge, atol=1e-12)
    for row, value, multiplier in zip(case.rows, found.on_slack, found.multipliers, strict=True):
        assert row.low - tolerance <= value <= row.high + tolerance
        away = value - row.low if multiplier > 0 else row.high - value
        assert abs(multiplier) * away <= tolerance


def grown(backend: BackendName, case: Case, seed: int, times: int) -> Iterator[Solution]:
    """The solutions while rules are added."""
    master, rng = case.master(backend), np.random.default_rng(seed)
    for _ in range(times):
        master.add(*case.drawn(rng))
        yield master.solve()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("slack", [None, 0.0, 0.05])
@pytest.mark.parametrize("weighed", [False, True])
@pytest.mark.parametrize(("classes", "loss"), [(2, "unit"), (3, "unit"), (3, "paper")])
def test_optimum_of_the_program_row_by_row(
    backend: BackendName, classes: int, loss: str, weighed: bool, slack: float | None
) -> None:
    for seed in range(1 if backend == "portable" else 2):
        case = Case.draw(seed, classes=classes, loss=loss, weighed=weighed, slack=slack)
        for found in grown(backend, case, seed, 3):
            assert found.objective == pytest.approx(case.optimum(), rel=1e-8, abs=1e-8)
            check_optimal(case, found)


@pytest.mark.parametrize("slack", [None, 0.01])
def test_backends_agree_on_trees_and_a_warm_start_changes_nothing(slack: float | None) -> None:
    X, y = make_classification(400, 8, n_informative=5, n_classes=3, flip_y=0.2, random_state=3)
    group, beta = (X[:, 0] > 0).astype(int), np.ones(len(y))
    case = Case(y, 3, "unit", None, [] if slack is None else gaps(y, group, None, slack))
    masters = {backend: case.master(backend) for backend in BACKENDS}
    for seed in range(5):
        tree = DecisionTreeClassifier(max_depth=3, random_state=seed).fit(X, y, sample_weight=beta)
        leaf = tree.apply(X)
        leaves = np.unique(leaf)
        of = tree.tree_.value[leaves, 0].argmax(axis=1)
        case.batches.append((leaf == leaves[:, None], of, np.ones(len(leaves))))
        found = {}
        for backend, master in masters.items():
            master.add(*case.batches[-1])
            found[backend] = master.solve()
        beta = found["simplex"].duals
    for backend, solution in found.items():
        check_optimal(case, solution, tolerance=1e-5)
        assert solution.objective == pytest.approx(found["simplex"].objective, rel=1e-8)
        cold = case.master(backend)
        cold.add(*case.rules)
        assert cold.solve().objective == pytest.approx(solution.objective, rel=1e-8)
    assert solution.n_patterns < len(y)


@pytest.mark.parametrize("backend", BACKENDS)
def test_weights_count_as_repeated_samples(backend: BackendName) -> None:
    case = Case.draw(5, classes=3, loss="unit", weighed=False, slack=0.02)
    times = np.random.default_rng(1).integers(0, 4, len(case.y))
    masks, of, costs = case.drawn(np.random.default_rng(2))
    group = np.arange(len(case.y)) % 3
    rows = gaps(case.y, group, times.astype(float), 0.02)
    once = Master(case.y, 3, weight=times, rows=rows, backend=backend)
    again = gaps(np.repeat(case.y, times), np.repeat(group, times), None, 0.02)
    repeated = Master(np.repeat(case.y, times), 3, rows=again, backend=backend)
    once.add(masks, of, costs)
    repeated.add(np.repeat(masks, times, axis=1), of, costs)
    found, expected = once.solve(), repeated.solve()
    assert found.objective == pytest.approx(expected.objective, rel=1e-8)
    assert not found.duals[times == 0].any()
    assert found.duals.sum() == pytest.approx(found.bound - rows_value(rows, found), rel=1e-7)


def rows_value(rows: list[FairnessRow], found: Solution) -> float:
    """What the bounds of the fairness rows add to the value of the duals."""
    return sum(m * (row.low if m > 0 else row.high) for row, m in zip(rows, found.multipliers.tolist(), strict=True))


@pytest.mark.parametrize("backend", BACKENDS)
def test_slack_above_the_hinge_loss_is_told_apart(backend: BackendName) -> None:
    # The rule is right on the whole of group 0 and on no sample of group 1, which no weight can mend.
    y, group = np.zeros(8, dtype=int), np.array([0, 0, 0, 0, 1, 1, 1, 1])
    rows = [FairnessRow(name="gap", q=np.where(group == 0, 0.25, -0.25), low=-0.1, high=0.1)]
    master = Master(y, 2, rows=rows, backend=backend)
    master.add((group == 0)[None], np.array([0]), np.array([0.0]))
    found = master.solve()
    assert found.on_slack == pytest.approx([-0.1])
    assert (found.slack - found.hinge).sum() == pytest.approx(4 * (found.on_slack - found.on_hinge)[0])
    assert found.objective == pytest.approx(4 + 4 * 0.9)


def test_rows_that_bound_gaps_are_always_met() -> None:
    for seed in range(20):
        case = Case.draw(seed, classes=3, loss="paper", weighed=True, slack=0.0)
        case.master("auto")


@pytest.mark.parametrize(
    "bounds",
    [[(0.5, np.inf), (-np.inf, 0.4)], [(-np.inf, 0.5)], [(-np.inf, -1.0)]],
    ids=["against one another", "below 1", "negative"],
)
def test_rows_that_may_have_no_solution_are_refused(bounds: list[tuple[float, float]]) -> None:
    rows = [FairnessRow(name=f"row {i}", q=np.full(4, 0.25), low=a, high=b) for i, (a, b) in enumerate(bounds)]
    with pytest.raises(InputError, match=r"'row 0'.*no slacks of at least 1 meet the bounds together"):
        Master(np.array([0, 1, 0, 1]), 2, rows=rows)


def test_rows_are_refused_exactly_where_a_linear_program_says_so() -> None:
    refused = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n, n_rows = int(rng.integers(2, 60)), int(rng.integers(1, 6))
        q = rng.normal(size=(n_rows, n)) + rng.choice([0.0, 0.5, 2.0]) * rng.choice([-1, 1], n_rows)[:, None]
        q[:, rng.random(n) < 0.2] = 0.0
        low = np.where(rng.random(n_rows) < 0.3, -np.inf, rng.normal(0, n, n_rows))
        high = np.where(
            np.isinf(low) | (rng.random(n_rows) < 0.7), np.maximum(low, -n) + 1 + rng.random(n_rows), np.inf
        )
        rows = [
            FairnessRow(name=f"{k}", q=q[k], low=low[k], high=high[k])
            for k in range(n_rows)
            if np.isfinite([low[k], high[k]]).any()
        ]
        sides = [side for row in rows for side in (-row.q, row.q)]
        most = [side for row in rows for side in (-row.low, row.high)]
        kept = np.isfinite(most)
        met = linprog(np.zeros(n), A_ub=np.array(sides)[kept], b_ub=np.array(most)[kept], bounds=(1, None)).status == 0
        refused += not met
        with nullcontext() if met else pytest.raises(InputError, match="no slacks of at least 1"):
            Master(rng.integers(0, 2, n), 2, rows=rows)
    assert 10 <= refused <= 50


def test_bad_arguments_are_named() -> None:
    y, ok = np.array([0, 1, 1]), np.ones((1, 3), dtype=bool)
    row = FairnessRow(name="gap", q=np.array([1.0, -1, 0]))
    with pytest.raises(InputError, match=r"weight: a value out of range.*at least 0"):
        Master(y, 2, weight=np.array([1.0, -1, 0]))
    with pytest.raises(InputError, match="'gap': a coefficient on a sample of weight 0"):
        Master(y, 2, weight=np.array([1.0, 0, 1]), rows=[row])
    with pytest.raises(InputError, match="'gap': another shape"):
        Master(np.array([0, 1]), 2, rows=[row])
    with pytest.raises(InputError, match="'gap': bounds that nothing meets"):
        FairnessRow(name="gap", q=row.q, low=1.0, high=0.0)
    with pytest.raises(InputError, match="loss: unknown loss; got 'hinge'"):
        Master(y, 2, loss="hinge")
    with pytest.raises(InputError, match="backend: unknown backend; got 'simplx'; allowed: did you mean 'simplex'"):
        Master(y, 2, backend="simplx")
    with pytest.raises(InputError, match="y: expected the class of each sample"):
        Master(y + 1, 2)
    master = Master(y, 2)
    with pytest.raises(InputError, match="no rule to weigh"):
        master.solve()
    with pytest.raises(InputError, match="masks: expected a row of Booleans"):
        master.add(ok.astype(int), np.array([0]), np.array([1.0]))
    with pytest.raises(InputError, match="classes: expected a class"):
        master.add(ok, np.array([2]), np.array([1.0]))
    with pytest.raises(InputError, match="costs: a value out of range"):
        master.add(ok, np.array([1]), np.array([-1.0]))
    assert master.n_rules == 0


def test_auto_is_one_of_the_backends() -> None:
    assert set(get_args(BackendName)) == {"auto", *BACKENDS}


@pytest.mark.parametrize(("many", "much"), [(1e7, 1e7), (1e7, -1), (0, 1e7), (8, 200)])
def test_auto_finds_the_optimum_whichever_way_it_goes(
    monkeypatch: pytest.MonkeyPatch, many: float, much: float
) -> None:
    """By simplex; then by interior points; on clusters; and by all of them in turn."""
    monkeypatch.setattr("scrutable_rug.automatic._MANY", many)
    monkeypatch.setattr("scrutable_rug.automatic._MUCH", much)
    for seed in range(8):
        case = Case.draw(seed, classes=2 + seed % 2, loss="unit", weighed=seed > 3, slack=None)
        for found in grown("auto", case, seed, 4):
            assert found.objective == pytest.approx(case.optimum(), rel=1e-8, abs=1e-8)
            check_optimal(case, found)


@pytest.mark.parametrize("enough", [1e-6, 0.0])
def test_auto_finds_the_optimum_with_fairness_rows(monkeypatch: pytest.MonkeyPatch, enough: float) -> None:
    """By interior points, or where these do not end near enough by simplex."""
    monkeypatch.setattr("scrutable_rug.automatic._ENOUGH", enough)
    for seed in range(8):
        case = Case.draw(seed, classes=2 + seed % 2, loss="unit", weighed=seed > 3, slack=0.02)
        for found in grown("auto", case, seed, 4):
            assert found.objective == pytest.approx(case.optimum(), rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
def test_samples_that_all_weigh_nothing_cost_nothing(backend: BackendName) -> None:
    master = Master(np.array([0, 1, 1]), 2, weight=np.zeros(3), backend=backend)
    master.add(np.array([[True, True, False]]), np.array([0]), np.array([1.0]))
    found = master.solve()
    assert (found.objective, found.bound, found.duals.tolist()) == (0.0, 0.0, [0.0, 0.0, 0.0])
