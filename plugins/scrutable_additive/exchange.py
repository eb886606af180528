"""Small cards by the loss itself: sets of jumps by forward selection and exchange."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scrutable.data import BinSums
from scrutable_additive.jumps import Jumps, Limits
from scrutable_additive.patterns import Fit, Patterns, probability
from scrutable_additive.tallies import Part, Rows

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
#: The block of a jump, and (bins,) 1 where a bin has it.
Member = tuple[int, NDArray[np.uint16]]

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
    counts : (2, …, 2, 2) weight of the favourable rows and of all, by whether they have each of the jumps.
    patterns : of these.
    fit : the sizes that lose least.
    """

    jumps: Ints
    counts: Floats
    patterns: Patterns
    fit: Fit


@dataclass(slots=True, eq=False)
class Exchange:
    """The search for sets of jumps of least logistic loss.

    Parameters
    ----------
    rows : the rows.
    good : of some rows (m,) what part of those of weight 1 counts as favourable.
    jumps, limits : the candidates, and how small the set has to be.
    seen : every set that was fitted and whose sizes are as trends ask, by its jumps.
    """

    rows: Rows
    good: Callable[[Part], Floats]
    jumps: Jumps
    limits: Limits
    seen: dict[tuple[int, ...], ChosenJumps | None] = field(default_factory=dict)
    _most: float = field(init=False)
    _spread: Floats = field(init=False)
    _beside: dict[tuple[int, ...], ChosenJumps | None] = field(default_factory=dict, init=False)
    _known: dict[int, Member] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._most = max(self.rows.family.factors)
        share = self.jumps.sums(self.rows.by_bin(self._all, self._most)) / self.rows.amount
        self._spread = np.maximum(share * (1 - share), _NARROW)

    def search(self) -> list[ChosenJumps]:
        """All sets that were fitted, those of least loss first.

        It begins with the jumps of the card that was given, and with none.
        """
        none = np.empty(0, dtype=np.intp)
        begins = [begin for begin in (self.jumps.start, none) if self.jumps.within(begin, self.limits)]
        for begin, counts in zip(begins, self._count(none, begins), strict=True):
            if (fitted := self._fitted(begin, counts)) is not None:
                self._settled(self._forward(fitted))
        every = (each for each in self.seen.values() if each is not None)
        allowed = [each for each in every if self.jumps.within(each.jumps, self.limits)]
        return sorted(allowed, key=lambda each: (each.fit.loss, each.jumps.tolist()))

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
            at = place % len(chosen.jumps)
            without = self._fitted(np.delete(chosen.jumps, at), chosen.counts.sum(axis=at), chosen)
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
        refused, order = 0, iter(np.argsort(-self._gains(chosen), kind="stable").tolist())
        while True:
            together: list[int] = []
            while len(tried) + len(together) < _TRIED and refused < 4 * _TRIED:
                if (jump := next(order, None)) is None:
                    break
                if jump in chosen.jumps or not self.jumps.within(_with(chosen.jumps, jump), self.limits):
                    refused += 1
                else:
                    together.append(jump)
            if not together:
                return min(tried, key=lambda each: each.fit.loss, default=None)
            fitted = self._fitted_beside(chosen, together)
            tried += [each for each in fitted if each is not None]
            refused += sum(each is None for each in fitted)

    def _fitted_beside(self, chosen: ChosenJumps, jumps: Sequence[int]) -> list[ChosenJumps | None]:
        """The set with each of some jumps more; their rows are counted in one pass."""
        sets = {jump: _with(chosen.jumps, jump) for jump in jumps}
        new = [jump for jump, every in sets.items() if tuple(every.tolist()) not in self.seen]
        counts = self._count(chosen.jumps, [np.array([jump]) for jump in new]) if new else []
        for jump, own in zip(new, counts, strict=True):
            at = int(np.searchsorted(chosen.jumps, jump))
            self._fitted(sets[jump], np.moveaxis(own, len(chosen.jumps), at), chosen)
        return [self.seen[tuple(every.tolist())] for every in sets.values()]

    def _gains(self, chosen: ChosenJumps) -> Floats:
        """(J,) about what each jump would save beside these: its slope squared over its curvature."""
        log_odds = np.array([chosen.fit.intercept])
        for size in chosen.fit.sizes.tolist():  # of every code
            log_odds = (log_odds[:, None] + [0.0, size]).reshape(-1)
        expected, members = probability(log_odds), self._members(chosen.jumps)
        by_bin = self.rows.by_bin(
            lambda part: self.good(part) - self._all(part) * expected[_code(part, members)], self._most
        )
        slope = self.jumps.sums(by_bin)
        gains = np.where(self.jumps.directed_beside(chosen.jumps) * slope < 0, 0.0, slope**2 / self._spread)
        rounded: Floats = np.round(gains / self._spread.max(), _DIGITS)
        return rounded

    def _fitted(self, jumps: Ints, counts: Floats, near: ChosenJumps | None = None) -> ChosenJumps | None:
        """The set with its best sizes; None where these go against a trend."""
        key = tuple(jumps.tolist())
        if key not in self.seen:
            patterns = Patterns.of(counts)
            fit = patterns.fit(None if near is None else _started(jumps, near))
            against = (self.jumps.directed(jumps) * fit.sizes < 0).any()
            self.seen[key] = None if against else ChosenJumps(jumps, counts, patterns, fit)
        return self.seen[key]

    def _count(self, chosen: Ints, beside: Sequence[Ints]) -> list[Floats]:
        """(2, …, 2, 2) as in `ChosenJumps`, of the chosen jumps with each of some sets after them; one pass."""
        base, further = self._members(chosen), [self._members(each) for each in beside]
        sizes = [1 << len(chosen) + len(each) for each in beside]
        starts = np.cumsum([0, *sizes], dtype=np.int64)
        unit = self.rows.unit(self._most)
        sums = [BinSums(unit, (int(starts[-1]),)) for _ in range(2)]
        for part in self.rows.chunks():
            common = _code(part, base)
            codes = np.stack([_code(part, each, common) for each in further])
            for each, amounts in zip(sums, (self.good(part), self._all(part)), strict=True):
                each.add_layers(codes, starts, unit.weighed(amounts, part.weight))
        counts = np.stack([each.values for each in sums], axis=1)
        return [own.reshape(*[2] * (len(own).bit_length() - 1), 2) for own in np.split(counts, starts[1:-1])]

    def _all(self, part: Part) -> Floats:
        """(m,) what rows of weight 1 count."""
        return self.rows.family.factor(part.target)

    def _members(self, jumps: Ints) -> list[Member]:
        """Where bins have each of some jumps."""
        return [self._member(jump) for jump in jumps.tolist()]

    def _member(self, jump: int) -> Member:
        if jump not in self._known:
            place = int(self.jumps.block[jump])
            bins = self.jumps.of_bins(np.array([jump]), self.rows.slices[place])
            self._known[jump] = place, bins[:, 0].astype(np.uint16)
        return self._known[jump]


def _code(part: Part, members: Sequence[Member], code: NDArray[np.uint16] | None = None) -> NDArray[np.uint16]:
    """(m,) jumps of each row as bits, after those of a code; that of the last jump is the lowest."""
    code = np.zeros(len(part.weight), dtype=np.uint16) if code is None else code
    for place, member in members:
        code = 2 * code + member[part.codes[place]]
    return code


def _with(jumps: Ints, jump: int) -> Ints:
    """The jumps and one more, rising."""
    return np.sort(np.append(jumps, jump))


def _started(jumps: Ints, near: ChosenJumps) -> Fit:
    """Where the sizes of a set begin: with those of a set near by, the others being 0."""
    known = dict(zip(near.jumps.tolist(), near.fit.sizes.tolist(), strict=True))
    return Fit(np.array([known.get(jump, 0.0) for jump in jumps.tolist()]), near.fit.intercept, near.fit.loss)
