"""Filters with thresholds, each an option, that every selector of this package has."""

from __future__ import annotations

from dataclasses import dataclass

from scrutable.errors import InputError
from scrutable.plugins import NotNegative, Share
from scrutable.plugins.bases import Candidates, Pool, Selector
from scrutable_selection import filters
from scrutable_selection.correlations import Correlations
from scrutable_selection.marginal import by_marginal_iv


@dataclass(frozen=True, kw_only=True, repr=False)
class FilteringSelector(Selector):
    """Base of this package's selectors: filters in a fixed order, those of one characteristic first.

    Parameters
    ----------
    floor : least information value.
    ceiling : largest information value; what tells more may tell the outcome itself. No limit when None.
    stability : largest population stability index between two periods, where there are dates; no limit when None.
    copies : whether one of two stays that tell apart the same rows.
    correlation : largest correlation of WoE between two characteristics, without its sign; no limit when None.
    clusters : correlation from which characteristics are one cluster, of which one stays; none are made when None.
    vif : largest variance inflation factor, 1 or more; no limit when None.
    marginal : least information value that one has to have beside those that stay; none is asked for when None.
    must, never, prefer, one_of : as in `Selector`.
    """

    quantities = True

    floor: NotNegative = 0.0
    ceiling: NotNegative | None = None
    stability: NotNegative | None = 0.25
    copies: bool = True
    correlation: Share | None = None
    clusters: Share | None = None
    vif: NotNegative | None = None
    marginal: NotNegative | None = None

    def check(self, candidates: Candidates) -> None:
        super().check(candidates)
        of_iv = {"floor": self.floor or None, "ceiling": self.ceiling, "marginal": self.marginal}
        for name, value in of_iv.items() if candidates.of_quantity else ():
            if value is not None:
                fix = "leave it out"
                raise InputError("a quantity has no information values", where=f"select, {name}", got=value, fix=fix)

    def filter(self, pool: Pool) -> None:
        """Drop what the filters say."""
        filters.by_information(pool, self.floor, self.ceiling)
        filters.by_stability(pool, self.stability)
        if pool.names:
            self.compare(pool, Correlations.of(pool.tallies.likelihood(pool.names)))

    def compare(self, pool: Pool, known: Correlations) -> None:
        """Drop what the filters of several characteristics say."""
        if self.copies:
            filters.without_copies(pool, known)
        filters.by_correlation(pool, known, self.correlation)
        filters.by_cluster(pool, known, self.clusters)
        filters.by_vif(pool, known, self.vif)
        by_marginal_iv(pool, self.marginal)
