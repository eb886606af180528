"""Small cards by the loss itself: sets of jumps by forward selection and exchange."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scrutable.data import exact_sum
from scrutable_additive.jumps import Jumps, Limits
from scrutable_additive.patterns import Fit, Patterns, probability
from scrutable_additive.tallies import Groups, Rows

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

#: Candidates that are fitted for each jump that is added or taken out.
_TRIED = 8
#: What an exchange has to save, as a share of the loss.
_LEAST = 1e-7
#: Least share of rows that gains are counted by.
_NARROW = 1e-9
#: Digits to which gains are compared, so that candidates that tell the same are taken in their order.
_DIGITS = 9


@dataclass(frozen=True, slots=True, eq=False)
class ChosenJumps:
    """A set of jumps with real sizes.

    Parameters
    ----------
    jumps : (k,) places among the candidates, rising.
    patterns : of the rows.
    fit : the sizes that lose least.
    """

    jumps: Ints
    patterns: Patterns
    fit: Fit


@dataclass(slots=True, eq=False)
class Exchange:
    """The search for sets of jumps of least logistic loss.

    Parameters
    ----------
    rows : the rows.
    good : (n,) weight of each that counts as favourable.
    jumps, limits : the candidates, and how small the set has to be.
    seen : every set that was fitted and whose sizes are as trends ask, by its jumps.
    """

    rows: Rows
    good: Floats
    jumps: Jumps
    limits: Limits
    seen: dict[tuple[int, ...], ChosenJumps | None] = field(default_factory=dict)
    _groups: Groups = field(init=False)
    _spread: Floats = field(init=False)
    _beside: dict[tuple[int, ...], ChosenJumps | None] = field(default_factory=dict, init=False)
    _columns: dict[int, NDArray[np.int8]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._groups = self.rows.groups()
        share = self.jumps.sums(self._groups.by_bin(self.rows.weight)) / exact_sum(self.rows.weight)
        self._spread = np.maximum(share * (1 - share), _NARROW)

    def search(self) -> list[ChosenJumps]:
        """All sets that were fitted, those of least loss first.

        It begins with the jumps of the card that was given, and with none.
        """
        for begin in (self._reduced(self.jumps.start), self._fitted(np.empty(0, dtype=np.intp))):
            if begin is not None:
                self._settled(self._forward(begin))
        fitted = (each for each in self.seen.values() if each is not None)
        allowed = [each for each in fitted if self.jumps.within(each.jumps, self.limits)]
        return sorted(allowed, key=lambda each: (each.fit.loss, each.jumps.tolist()))

    def _reduced(self, start: Ints) -> ChosenJumps | None:
        return self._fitted(start) if self.jumps.within(start, self.limits) else None

    def _forward(self, chosen: ChosenJumps) -> ChosenJumps:
        """With the jump added that saves most, again and again."""
        while len(chosen.jumps) < self.limits.jumps:
            more = self._best_beside(chosen)
            if more is None or more.fit.loss >= chosen.fit.loss * (1 - _LEAST):
                break
            chosen = more
        return chosen

    def _settled(self, chosen: ChosenJumps) -> ChosenJumps:
        """With one jump taken out and the best other put in, until nothing is saved."""
        place, failed = 0, 0
        while failed < len(chosen.jumps):
            out = chosen.jumps[place % len(chosen.jumps)]
            others = chosen.jumps[chosen.jumps != out]
            without = self._fitted(others, chosen)
            better = None if without is None else self._best_beside(without)
            if better is not None and better.fit.loss < chosen.fit.loss * (1 - _LEAST):
                chosen, failed = better, 0
            else:
                failed += 1
            place += 1
        return chosen

    def _best_beside(self, chosen: ChosenJumps) -> ChosenJumps | None:
        """The set with one jump more that loses least, of those that promise most."""
        key = tuple(chosen.jumps.tolist())
        if key not in self._beside:
            self._beside[key] = self._looked_beside(chosen)
        return self._beside[key]

    def _looked_beside(self, chosen: ChosenJumps) -> ChosenJumps | None:
        tried: list[ChosenJumps] = []
        refused = 0
        for jump in np.argsort(-self._gains(chosen), kind="stable"):
            if len(tried) >= _TRIED or refused >= 4 * _TRIED:
                break
            more = np.sort(np.append(chosen.jumps, jump))
            fitted = None
            if jump not in chosen.jumps and self.jumps.within(more, self.limits):
                fitted = self._fitted(more, chosen)
            if fitted is None:
                refused += 1
            else:
                tried.append(fitted)
        return min(tried, key=lambda each: each.fit.loss, default=None)

    def _gains(self, chosen: ChosenJumps) -> Floats:
        """(J,) about what each jump would save beside these: its slope squared over its curvature."""
        log_odds = np.array([chosen.fit.intercept])
        for size in chosen.fit.sizes.tolist():  # of every code
            log_odds = (log_odds[:, None] + [0.0, size]).reshape(-1)
        expected = probability(log_odds)[self._code(chosen.jumps)]
        slope = self.jumps.sums(self._groups.by_bin(self.good - self.rows.weight * expected))
        gains = np.where(self.jumps.directed_beside(chosen.jumps) * slope < 0, 0.0, slope**2 / self._spread)
        rounded: Floats = np.round(gains / self._spread.max(), _DIGITS)
        return rounded

    def _fitted(self, jumps: Ints, near: ChosenJumps | None = None) -> ChosenJumps | None:
        """The set with its best sizes; None where these go against a trend."""
        key = tuple(jumps.tolist())
        if key not in self.seen:
            patterns = Patterns.of(self._code(jumps), len(jumps), self.good, self.rows.weight)
            fit = patterns.fit(None if near is None else _started(jumps, near))
            against = (self.jumps.directed(jumps) * fit.sizes < 0).any()
            self.seen[key] = None if against else ChosenJumps(jumps, patterns, fit)
        return self.seen[key]

    def _code(self, jumps: Ints) -> Ints:
        code = np.zeros(len(self.rows.target), dtype=np.intp)
        for jump in jumps.tolist():
            code <<= 1
            code |= self._column(jump)
        return code

    def _column(self, jump: int) -> NDArray[np.int8]:
        """(n,) 1 where a row has a jump."""
        if jump not in self._columns:
            place = int(self.jumps.block[jump])
            own = slice(int(self.rows.starts[place]), int(self.rows.starts[place + 1]))
            member = self.jumps.of_bins(np.array([jump]), own)[:, 0].astype(np.int8)
            self._columns[jump] = member[self.rows.blocks[place]]
        return self._columns[jump]


def _started(jumps: Ints, near: ChosenJumps) -> Fit:
    """Where the sizes of a set begin: with those of a set near by, the others being 0."""
    known = dict(zip(near.jumps.tolist(), near.fit.sizes.tolist(), strict=True))
    return Fit(np.array([known.get(jump, 0.0) for jump in jumps.tolist()]), near.fit.intercept, near.fit.loss)
