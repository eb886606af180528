"""The selector `standard`, which `scorecard` has by default."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from scrutable.plugins import Share
from scrutable.plugins.bases import Likelihood, Pool
from scrutable_selection.chance import by_chance, gain
from scrutable_selection.correlations import Correlations
from scrutable_selection.filtering import FilteringSelector
from scrutable_selection.filters import by_information, by_stability
from scrutable_selection.maximum import Maximum, maximum
from scrutable_selection.regression import Removed, outside, removed

#: Most characteristics that one regression is fitted on.
_MOST = 500
#: What one coefficient gains by chance in twice the log-likelihood.
_CHANCE = 1.0
#: What a step of the fit may still promise of the log-loss, for the quadratic to tell what each adds.
_ROUGHLY = 0.1


@dataclass(frozen=True, kw_only=True, repr=False)
class StandardSelector(FilteringSelector):
    """Drops what chance may have told, copies, and what adds too little to the others.

    In this order: the lists of the business; what tells nothing, or less than chance may have told; what moves over
    time, copies, and further filters that are asked for; and by a regression on the WoE of all that are left, those
    whose coefficient would be negative or that add too little beside the others.

    Parameters
    ----------
    chance : share of the kept that may be there by chance, as is expected; 1 keeps all.
    adds : least share of what all characteristics gain together in the log-likelihood, that one has to add beside the
        others; and at least what one coefficient gains by chance.
    floor, ceiling, stability, copies, correlation, clusters, vif, marginal : as in `FilteringSelector`.
    must, never, prefer, one_of : as in `Selector`.

    References
    ----------
    Benjamini, Y., Hochberg, Y. (1995). Controlling the false discovery rate. JRSS B 57(1), equation 1.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import load_german_credit
    >>> from scrutable.plugins import Selection
    >>> german = load_german_credit()
    >>> selection = Selection.of(create("learner", "scorecard").fit(german.X, german.y).evidence_)
    >>> selection
    Selection(standard, 12 of 17 kept)
    """

    chance: Share = 0.4
    adds: Share = 0.001

    def choose(self, pool: Pool) -> None:
        by_information(pool, self.floor, self.ceiling)
        by_chance(pool, self.chance)
        by_stability(pool, self.stability)
        _only_most(pool)
        if pool.names:
            likelihood = pool.tallies.likelihood(pool.names)
            known = Correlations.of(likelihood)
            self.compare(pool, known)
            by_adding(pool, likelihood, known, self.adds)


def by_adding(pool: Pool, likelihood: Likelihood, known: Correlations, least: float) -> None:
    """Drop, by the quadratic at the fit of all, one after another what adds least, and fit again until none leaves.

    The quadratic underrates a coefficient that is large, as of a flag whose applicants are all bad. So who left is
    asked again at the fit without, by the score statistic, and stays where that reaches what is asked for.

    Parameters
    ----------
    likelihood, known : of these characteristics, perhaps among others.
    least : share of what all gain together.

    References
    ----------
    Hauck, W. W., Donner, A. (1977). Wald's test as applied to hypotheses in logit analysis. JASA 72(360).
    """
    names, held = list(pool.names), {name for name in pool.names if pool.must(name)}
    left: dict[str, Removed] = {}
    start, price = None, None
    while True:
        part = likelihood.only([likelihood.names.index(name) for name in names])
        fit = maximum(part, nonnegative=True, start=start, promise=_ROUGHLY)
        if price is None:
            price = max(_CHANCE, least * 2.0 * (maximum(likelihood.only([])).log_loss - fit.log_loss))
        leaving, point = removed(names, fit, price, frozenset(held))
        left |= {each.name: each for each in leaving}
        start = point[[True, *(name not in left for name in names)]]
        if not leaving:
            underrated = _underrated(likelihood, names, fit, left, price)
            if not underrated:
                break
            held |= underrated
            left = {name: each for name, each in left.items() if name not in underrated}
            start = None
        names = [name for name in pool.names if name not in left]
    for each in left.values():
        other, correlation = known.closest(each.name, names)
        step, told = _why(each, price)
        reason = f"{told}; it goes most with {other} (correlation {correlation:.2f})" if other else told
        pool.drop(each.name, step=step, reason=reason, figure=each.gain, threshold=price, other=other)


def _underrated(
    likelihood: Likelihood, names: Sequence[str], fit: Maximum, left: Collection[str], price: float
) -> set[str]:
    """Those that left and would yet add what is asked for."""
    if not left:
        return set()
    gains = outside(likelihood, names, fit.intercept, fit.coefficients.tolist(), nonnegative=True)
    return {name for name in left if gains[name] >= price}


def _why(left: Removed, price: float) -> tuple[str, str]:
    """The step, and what it says of one that leaves the regression."""
    if not left.gain:
        return "sign", "beside the others its coefficient would be negative"
    told = f"beside the others it adds {left.gain:.2g} to twice the log-likelihood, and {price:.2g} is asked for"
    return "adds too little", told


def _only_most(pool: Pool) -> None:
    """Drop, where there are more than a regression is fitted on, those that gain least by themselves."""
    by_gain = sorted(pool.names, key=lambda name: (not pool.must(name), -gain(pool[name])))
    for name in by_gain[_MOST:]:
        own = gain(pool[name])
        reason = f"{_MOST} others gain more in twice the log-likelihood than its {own:.1f}, and no more are compared"
        pool.drop(name, step="too many", reason=reason, figure=own, threshold=float(_MOST))
