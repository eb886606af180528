"""The selector `iv`: a floor of the information value, and filters that are asked for."""

from __future__ import annotations

from dataclasses import dataclass

from scrutable.plugins import NotNegative
from scrutable.plugins.bases import Pool
from scrutable_selection.filtering import FilteringSelector


@dataclass(frozen=True, kw_only=True, repr=False)
class IVSelector(FilteringSelector):
    """Drops characteristics whose information value is below a floor, then what the other filters say.

    Parameters
    ----------
    floor : least information value.
    ceiling, stability, copies, correlation, clusters, vif, marginal : as in `FilteringSelector`.
    must, never, prefer, one_of : as in `Selector`.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import load_german_credit
    >>> from scrutable.plugins import Selection
    >>> german = load_german_credit()
    >>> learner = create("learner", "scorecard", select="iv:floor=0.3,must=telephone").fit(german.X, german.y)
    >>> selection = Selection.of(learner.evidence_)
    >>> selection.kept
    ('checking_status', 'telephone')
    >>> selection.log[0].describe()
    'duration_months: its information value is 0.289, below the floor of 0.3 (floor)'
    """

    quantities = False

    floor: NotNegative = 0.02

    def choose(self, pool: Pool) -> None:
        self.filter(pool)
