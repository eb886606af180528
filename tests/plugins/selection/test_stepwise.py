"""Stepwise selection beside a brute force over statsmodels' likelihoods, step by step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2
from tests.plugins.selection.coded import Coded, drawn

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.errors import InputError
from scrutable.measures.numerics import bin_counts, one_hot_block, weight_of_evidence
from scrutable_selection.likelihood import CodedLikelihood
from scrutable_selection.stepwise import stepwise

PROVEN = settings(deadline=None, derandomize=True, max_examples=12)
SEEDS = st.integers(0, 10**6)
#: Name, whether it entered, statistic, p, log-likelihood after it.
Told = tuple[str, bool, float, float, float]


def digits(value: float) -> float:
    """A number to six digits, so that rounding does not tell copies apart."""
    return float(f"{value:.6g}")


def independent(design: np.ndarray) -> np.ndarray:
    """The columns that those before do not say, as statsmodels' steps overflow with others."""
    return design[:, np.abs(np.diag(np.linalg.qr(design)[1])) > 1e-9]


class BruteForce:
    """Fits every candidate at every step by statsmodels, and takes the best by the criterion."""

    def __init__(
        self,
        columns: list[np.ndarray],
        y: np.ndarray,
        weight: np.ndarray,
        criterion: str,
        enter: float,
        leave: float,
        freedom: list[int],
    ) -> None:
        self.columns, self.y, self.weight, self.freedom = columns, y, weight, freedom
        self.criterion, self.enter, self.leave = criterion, enter, leave
        self.known: dict[tuple[int, ...], float] = {}

    def likelihood(self, members: list[int]) -> float:
        key = tuple(sorted(members))
        if key not in self.known:
            design = independent(np.column_stack([np.ones(len(self.y)), *(self.columns[each] for each in key)]))
            model = sm.GLM(self.y, design, family=sm.families.Binomial(), freq_weights=self.weight)
            self.known[key] = float(model.fit(tol=1e-13, maxiter=200).llf)
        return self.known[key]

    def change(self, small: list[int], member: int) -> tuple[float, float]:
        """Statistic of a member beside others, and how far the criterion is from letting it in, below 0 if it does."""
        statistic = 2 * (self.likelihood([*small, member]) - self.likelihood(small))
        df = self.freedom[member]
        charge = {"p": 0.0, "aic": 2.0, "bic": np.log(self.weight.sum())}[self.criterion]
        return statistic, chi2.sf(statistic, df) if self.criterion == "p" else charge * df - statistic

    def told(self, members: list[int], member: int, entered: bool, statistic: float) -> Told:
        df = self.freedom[member]
        return f"x{member}", entered, statistic, chi2.sf(max(statistic, 0), df), self.likelihood(members)

    def run(self, direction: str) -> list[Told]:
        members = list(range(len(self.columns))) if direction == "backward" else []
        steps: list[Told] = []
        while direction != "backward":
            others = [each for each in range(len(self.columns)) if each not in members]
            tried = {each: self.change(members, each) for each in others}
            best = min(others, key=lambda each: (digits(tried[each][1]), -round(tried[each][0], 5), each), default=None)
            limit = self.enter if self.criterion == "p" else -1e-8
            if best is None or tried[best][1] > limit:
                return steps
            members = [*members, best]
            steps.append(self.told(members, best, True, tried[best][0]))
            if direction == "both":
                members = self.dropped(members, steps)
        self.dropped(members, steps)
        return steps

    def dropped(self, members: list[int], steps: list[Told]) -> list[int]:
        while members:
            tried = {each: self.change([other for other in members if other != each], each) for each in members}
            worst = max(members, key=lambda each: (digits(tried[each][1]), -round(tried[each][0], 5), -each))
            if tried[worst][1] <= (self.leave if self.criterion == "p" else 1e-8):
                break
            members = [each for each in members if each != worst]
            steps.append(self.told(members, worst, False, tried[worst][0]))
        return members


def compare(
    case: Coded, direction: Any, criterion: Any, freedom: list[int], enter: float = 0.05, leave: float = 0.1
) -> int:
    """Compare all steps; how many there are."""
    columns = list(case.design.T[1:])
    expected = BruteForce(columns, case.y, case.weight, criterion, enter, leave, freedom).run(direction)
    chosen = stepwise(
        case.likelihood, direction=direction, criterion=criterion, enter=enter, leave=leave, freedom=freedom
    )
    assert [(step.name, step.entered) for step in chosen.steps] == [each[:2] for each in expected]
    for step, (_, _, statistic, p, likelihood) in zip(chosen.steps, expected, strict=True):
        assert step.statistic == pytest.approx(max(statistic, 0.0), abs=1e-6)
        assert step.p == pytest.approx(p, rel=1e-5, abs=1e-12) or statistic < 1e-6
        assert step.log_likelihood == pytest.approx(likelihood, abs=1e-6)
    return len(expected)


@PROVEN
@given(SEEDS, st.sampled_from(["forward", "backward", "both"]), st.sampled_from(["p", "aic", "bic"]))
def test_each_step_is_that_of_a_brute_force(seed: int, direction: str, criterion: str) -> None:
    case = drawn(seed, rows=250)
    attributes = [len(woe) - 1 for woe in case.woe]
    for freedom in ([1] * len(attributes), attributes):
        compare(case, direction, criterion, freedom)


@pytest.mark.parametrize("direction", ["forward", "backward", "both"])
def test_copies_and_constants_are_taken_in_the_order_of_the_columns(direction: str) -> None:
    for seed in range(4):
        case = drawn(seed, rows=200, degenerate=True)
        compare(case, direction, "bic", [1] * len(case.woe))


def test_an_entry_can_make_an_earlier_one_superfluous() -> None:
    rng = np.random.default_rng(4)
    parts = rng.normal(size=(2, 600))
    mixed = parts.sum(axis=0) + 0.5 * rng.normal(size=600)
    y = (rng.random(600) < 1 / (1 + np.exp(-parts.sum(axis=0)))).astype(int)
    codes = np.array([np.digitize(each, [-1, -0.3, 0.3, 1]) for each in (mixed / 1.4, *parts)])
    woe = [weight_of_evidence(bin_counts(code, 5, y)) for code in codes]
    likelihood = CodedLikelihood.of_woe(["x0", "x1", "x2"], codes, woe, y.astype(float), 1.0 - y)
    assert compare(Coded(codes, woe, y, np.ones(600), likelihood), "both", "p", [1, 1, 1]) == 4
    assert [step.name for step in stepwise(likelihood).steps if not step.entered] == ["x0"]


@pytest.fixture(scope="module")
def german() -> Coded:
    """German credit by the default binning."""
    data = load_german_credit()
    y = (np.asarray(data.y) == data.favourable).astype(int)
    values = np.asarray(create("binner", "optimal").fit(data.X, data.y).transform(data.X))
    pairs = [np.unique(column, return_inverse=True) for column in values.T]
    codes, woe = np.array([each[1] for each in pairs]), [each[0] for each in pairs]
    names = [f"x{number}" for number in range(len(codes))]
    return Coded(codes, woe, y, np.ones(len(y)), CodedLikelihood.of_woe(names, codes, woe, y * 1.0, 1.0 - y))


@pytest.mark.parametrize(("direction", "criterion"), [("forward", "p"), ("backward", "aic"), ("both", "bic")])
def test_german_credit_step_by_step(german: Coded, direction: str, criterion: str) -> None:
    assert compare(german, direction, criterion, [1] * len(german.woe)) >= 4


def test_what_must_be_and_the_most_allowed_are_kept() -> None:
    case = drawn(12, most=8)
    names = case.likelihood.names
    free = stepwise(case.likelihood, criterion="aic").names
    useless = [name for name in names if name not in free]
    for direction in ("forward", "backward", "both"):
        chosen = stepwise(case.likelihood, criterion="aic", direction=direction, must=useless[:1], most=3)
        assert set(useless[:1]) <= set(chosen.names)
        assert len(chosen.names) <= 3
        assert any(step.forced for step in chosen.steps) == (direction == "backward")


def test_characteristics_of_several_columns_enter_whole() -> None:
    case = drawn(8)
    blocks = [one_hot_block(len(woe)) for woe in case.woe]
    good = case.weight * case.y
    likelihood = CodedLikelihood.of(case.likelihood.names, blocks, case.codes, good, case.weight - good)
    freedom = [len(woe) - 1 for woe in case.woe]
    chosen = stepwise(likelihood, freedom=freedom, criterion="aic", direction="forward")
    columns = [np.eye(len(woe))[code][:, 1:] for code, woe in zip(case.codes, case.woe, strict=True)]
    expected = BruteForce(columns, case.y, case.weight, "aic", 0.05, 0.1, freedom).run("forward")
    assert [step.name for step in chosen.steps] == [each[0] for each in expected]
    assert np.allclose([step.statistic for step in chosen.steps], [each[2] for each in expected], atol=1e-5)
    assert [len(each) for each in chosen.coefficients] == [len(case.woe[int(name[1:])]) for name in chosen.names]


def test_coefficients_of_zero_or_more() -> None:
    for seed in range(6):
        case = drawn(seed, most=8)
        chosen = stepwise(case.likelihood, nonnegative=True, criterion="aic")
        assert all(value >= 0 for each in chosen.coefficients for value in each)


def test_options_out_of_range_are_refused() -> None:
    case = drawn(1)
    with pytest.raises(InputError, match="from enter"):
        stepwise(case.likelihood, enter=0.2, leave=0.1)
    with pytest.raises(InputError, match="unknown choice"):
        stepwise(case.likelihood, criterion="r2")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a number a characteristic"):
        stepwise(case.likelihood, freedom=[1])
    with pytest.raises(InputError, match="unusable number"):
        stepwise(case.likelihood, must=("x0", "x1"), most=1)
