"""How the simulated applicants are drawn. Imports numpy and pandas, so it is only imported once someone wants them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pandas as pd

Floats = npt.NDArray[np.float32]
Codes = npt.NDArray[np.int8]
Gaps = Mapping[str, float]  # by value of sex or group: the difference from men of group A

NO_RECORD = -9.0


@dataclass(frozen=True)
class _Text:
    """A text column: each label's share among men of group A, its effect on the log-odds, and how shares differ."""

    shares: Mapping[str, float]
    effects: Mapping[str, float] = field(default_factory=dict)
    gaps: Mapping[str, Gaps] = field(default_factory=dict)


_SEX = _Text({"male": 0.5, "female": 0.5})
_GROUP = _Text({"A": 0.60, "B": 0.25, "C": 0.15})
_TEXTS = {
    "housing": _Text(
        {"owned": 0.46, "with family": 0.14, "rented": 0.40},
        {"owned": -0.3, "rented": 0.25},
        {"owned": {"B": -0.06, "C": -0.14}, "rented": {"B": 0.06, "C": 0.14}},
    ),
    "contract": _Text(
        {"permanent": 0.68, "fixed term": 0.14, "self-employed": 0.12, "none": 0.06},
        {"permanent": -0.25, "fixed term": 0.2, "self-employed": 0.3, "none": 0.7},
        {"permanent": {"female": -0.08, "C": -0.06}, "fixed term": {"female": 0.08, "C": 0.06}},
    ),
    "purpose": _Text(
        {"home": 0.30, "car": 0.30, "other": 0.15, "debt consolidation": 0.25},
        {"home": -0.2, "car": -0.1, "debt consolidation": 0.4},
    ),
    "region": _Text(
        {"north": 0.25, "east": 0.25, "south": 0.25, "west": 0.25},
        gaps={
            "north": {"B": -0.05, "C": -0.12},
            "east": {"B": -0.05, "C": -0.12},
            "south": {"B": -0.05, "C": 0.36},
            "west": {"B": 0.15, "C": -0.12},
        },
    ),
}
_NUMBERS = (
    "income",
    "employment_months",
    "debt_ratio",
    "credit_amount",
    "duration_months",
    "bureau_score",
    "late_payments",
)
INPUTS = (*_NUMBERS, *_TEXTS)
_STATED = ("income", "employment_months", "debt_ratio", "housing", "contract")

_INTERCEPT = -1.89
_DURATIONS = {12: 0.15, 24: 0.25, 36: 0.30, 48: 0.18, 60: 0.12}


def draw_applicants(n: int, seed: int, missing: float, disparity: float) -> pd.DataFrame:
    """Draw `n` applicants as `make_credit` describes them."""
    # Blanking has a stream of its own, so that another missing share leaves every other value as it was.
    value_seed, blank_seed = np.random.SeedSequence(seed).spawn(2)
    draws = _Draws(n, np.random.default_rng(value_seed), disparity)
    draws.draw_numbers()
    for name, text in _TEXTS.items():
        draws.add_text(name, text)
    default = draws.draw_default()
    draws.blank(np.random.default_rng(blank_seed), missing)
    return pd.DataFrame({**draws.columns(), "default": default}, copy=False)


class _Draws:
    """The columns drawn so far, and the log-odds of default that they add up to, an array over the applicants each."""

    def __init__(self, n: int, rng: np.random.Generator, disparity: float) -> None:
        self._n, self._rng, self._disparity = n, rng, disparity
        self._numbers: dict[str, Floats] = {}
        self._codes: dict[str, Codes] = {}
        self._labels: dict[str, list[str]] = {}
        self._log_odds: Floats = np.full(n, _INTERCEPT, np.float32)
        self._cell: Codes = np.zeros(n, np.int8)  # sex and group in one number; all alike until both are drawn
        self.add_text("sex", _SEX)
        self.add_text("group", _GROUP)
        self._cell = self._codes["sex"] * np.int8(len(_GROUP.shares)) + self._codes["group"]

    def draw_numbers(self) -> None:
        common = self._normal()
        spread = 0.45 * (0.5 * common + 0.866 * self._normal())
        wage = 2400 * np.exp(spread + self._gap({"female": -0.18, "B": -0.08, "C": -0.22}))
        income = self._add_number("income", wage, 300, 100_000)
        self._log_odds -= 0.7 * np.log(income / 2400)

        tenure = 70 * np.exp(self._gap({"female": -0.2, "C": -0.3}))
        months = self._add_number(
            "employment_months", tenure * self._rng.standard_exponential(self._n, np.float32), 0, 480
        )
        self._log_odds -= 0.006 * np.minimum(months, 120)

        debt = 35 + 14 * (0.866 * self._normal() - 0.5 * common) + self._gap({"B": 2, "C": 4})
        ratio = self._add_number("debt_ratio", debt, 0, 100)
        self._log_odds += 0.03 * (ratio - 35)

        amount = self._add_number("credit_amount", 6000 * np.exp(0.6 * self._normal()), 500, 100_000)
        self._log_odds += 0.25 * np.log(amount / 6000)

        terms = self._pick(np.array([list(_DURATIONS.values())], np.float32), np.zeros(self._n, np.int8))
        duration = self._add_number("duration_months", np.array(list(_DURATIONS), np.float32)[terms], 12, 60)
        self._log_odds += 0.015 * (duration - 36)

        self._draw_bureau_score(common)

        late = self._add_number("late_payments", self._rng.poisson(0.35, self._n).astype(np.float32), 0, 99)
        self._log_odds += 0.6 * np.minimum(late, 4)

    def add_text(self, name: str, text: _Text) -> None:
        by_label = [share + self._gap_by_cell(text.gaps.get(label, {})) for label, share in text.shares.items()]
        codes = self._pick(np.stack(by_label, axis=1), self._cell)
        self._codes[name], self._labels[name] = codes, list(text.shares)
        self._log_odds += np.array([text.effects.get(label, 0) for label in text.shares], np.float32)[codes]

    def draw_default(self) -> Codes:
        probability = 1 / (1 + np.exp(-self._log_odds))
        return (self._uniform() < probability).astype(np.int8)

    def blank(self, rng: np.random.Generator, share: float) -> None:
        for name in _STATED:
            chosen = rng.random(self._n, np.float32) < share
            if name in self._numbers:
                self._numbers[name][chosen] = np.nan
            else:
                self._codes[name][chosen] = -1

    def columns(self) -> dict[str, Floats | pd.Categorical[str]]:
        texts: dict[str, pd.Categorical[str]] = {
            name: pd.Categorical.from_codes(codes, categories=pd.Index(self._labels[name]))
            for name, codes in self._codes.items()
        }
        everything: dict[str, Floats | pd.Categorical[str]] = {**self._numbers, **texts}
        return {name: everything[name] for name in ("sex", "group", *INPUTS)}

    def _draw_bureau_score(self, common: Floats) -> None:
        raw = 620 + 80 * (0.6 * common + 0.8 * self._normal()) + self._gap({"B": -12, "C": -30})
        score = self._add_number("bureau_score", raw, 300, 850)
        unknown = self._uniform() < 0.08 + self._gap({"B": 0.03, "C": 0.08})
        self._log_odds += np.where(unknown, np.float32(0.5), -0.010 * (score - 620))
        score[unknown] = NO_RECORD

    def _add_number(self, name: str, values: Floats, lowest: float, highest: float) -> Floats:
        self._numbers[name] = np.clip(np.rint(values), lowest, highest)
        return self._numbers[name]

    def _gap(self, gaps: Gaps) -> Floats:
        return self._gap_by_cell(gaps)[self._cell]

    def _gap_by_cell(self, gaps: Gaps) -> Floats:
        cells = [gaps.get(sex, 0) + gaps.get(group, 0) for sex in _SEX.shares for group in _GROUP.shares]
        return np.array(cells, np.float32) * np.float32(self._disparity)

    def _pick(self, shares: Floats, cell: Codes) -> Codes:
        """Draw a column number an applicant, by the shares in the row of `shares` that is the applicant's cell."""
        uniform, codes = self._uniform(), np.zeros(self._n, np.int8)
        for bounds in np.cumsum(shares, axis=1)[:, :-1].T:
            codes += uniform >= bounds[cell]
        return codes

    def _normal(self) -> Floats:
        return self._rng.standard_normal(self._n, np.float32)

    def _uniform(self) -> Floats:
        return self._rng.random(self._n, np.float32)
