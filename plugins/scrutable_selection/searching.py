"""What selectors that search for a set of characteristics have in common: the filters before, and the log."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from scrutable.plugins.bases import Candidate, Likelihood, Pool
from scrutable_selection.filtering import FilteringSelector
from scrutable_selection.maximum import maximum
from scrutable_selection.regression import outside


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """A set that a search ended with.

    Parameters
    ----------
    names : the characteristics that stay.
    why : why one that is not in it leaves, as a clause; by name, or for all others under "".
    about : what is to be said of the search, in sentences.
    """

    names: tuple[str, ...]
    why: dict[str, str]
    about: str


@dataclass(frozen=True, kw_only=True, repr=False)
class SearchingSelector(FilteringSelector):
    """Base of selectors that search for a set among what the filters leave.

    Parameters
    ----------
    positive : whether coefficients are kept at 0 or above, as those of the scorecard are.
    """

    positive: bool = True

    @abstractmethod
    def search(self, likelihood: Likelihood, must: list[str], charged: list[int]) -> Searched:
        """The set.

        Parameters
        ----------
        likelihood : of all that the filters leave.
        must : what has to be in it.
        charged : attributes of each but one, with which its WoE was fitted.
        """

    def choose(self, pool: Pool) -> None:
        self.filter(pool)
        if not pool.names:
            return
        likelihood = pool.tallies.likelihood(pool.names)
        must = [name for name in pool.names if pool.must(name)]
        searched = self.search(likelihood, must, [_charged(each) for each in pool.there])
        pool.about = searched.about
        part = likelihood.only([likelihood.names.index(name) for name in searched.names])
        fit = maximum(part, nonnegative=self.positive)
        gains = outside(likelihood, searched.names, fit.intercept, fit.coefficients.tolist(), nonnegative=self.positive)
        for name, gain in gains.items():
            why = searched.why.get(name, searched.why[""])
            told = f"{why}; beside those that stay it would add about {gain:.2g} to twice the log-likelihood"
            pool.drop(name, step=self.called, reason=told, figure=gain)


def _charged(candidate: Candidate) -> int:
    return max(1, int(np.count_nonzero(candidate.table.counts_seen)) - 1)
