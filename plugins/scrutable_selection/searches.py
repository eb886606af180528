"""The selectors `stepwise`, `best-subset` and `group-penalty`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scrutable.plugins import Count, NotNegative, Share
from scrutable.plugins.bases import Likelihood
from scrutable_selection.best_subset import best_subsets
from scrutable_selection.group_path import group_path
from scrutable_selection.searching import Searched, SearchingSelector
from scrutable_selection.stepwise import stepwise


@dataclass(frozen=True, kw_only=True, repr=False)
class StepwiseSelector(SearchingSelector):
    """Characteristics that enter and leave one at a time, by likelihood ratios; see `stepwise`.

    Parameters
    ----------
    direction : "forward", "backward" or "both".
    criterion : "p", "aic" or "bic".
    enter, leave : largest p to enter, and largest p to stay, which is not smaller.
    charge : what a characteristic is charged for: its one "coefficient", or its "attributes" but one, with which its
        WoE was fitted.
    positive : whether coefficients are kept at 0 or above.
    most : how many characteristics may be chosen; any number if None.
    floor, ceiling, stability, copies, correlation, clusters, vif, marginal : as in `FilteringSelector`.
    must, never, prefer, one_of : as in `Selector`.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import load_german_credit
    >>> from scrutable.plugins import Selection
    >>> german = load_german_credit()
    >>> learner = create("learner", "scorecard", select="stepwise:criterion=bic").fit(german.X, german.y)
    >>> selection = Selection.of(learner.evidence_)
    >>> selection
    Selection(stepwise, 8 of 17 kept)
    """

    direction: Literal["forward", "backward", "both"] = "both"
    criterion: Literal["p", "aic", "bic"] = "p"
    enter: Share = 0.05
    leave: Share = 0.1
    charge: Literal["coefficient", "attributes"] = "coefficient"
    most: Count | None = None

    def search(self, likelihood: Likelihood, must: list[str], charged: list[int]) -> Searched:
        ended = stepwise(
            likelihood,
            direction=self.direction,
            criterion=self.criterion,
            enter=self.enter,
            leave=self.leave,
            freedom=charged if self.charge == "attributes" else None,
            nonnegative=self.positive,
            must=must,
            most=self.most,
        )
        why = {"": "it did not enter"}
        for at, step in enumerate(ended.steps, 1):
            p = f"its likelihood ratio was {step.statistic:.3g} (p {step.p:.2g})"
            why[step.name] = f"it left at step {at}, where {p}" if not step.entered else why[""]
        order = ", ".join(f"{'' if step.entered else 'without '}{step.name}" for step in ended.steps)
        return Searched(names=ended.names, why=why, about=f"Steps: {order or 'none'}.")


@dataclass(frozen=True, kw_only=True, repr=False)
class BestSubsetSelector(SearchingSelector):
    """At most so many characteristics, the best for the quadratic of the log-loss at the full fit; see `best_subsets`.

    Parameters
    ----------
    most : how many.
    positive : whether coefficients are kept at 0 or above.
    nodes : sets of sets that are bounded before the best one known is taken, with its gap.
    floor, ceiling, stability, copies, correlation, clusters, vif, marginal : as in `FilteringSelector`.
    must, never, prefer, one_of : as in `Selector`.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import load_german_credit
    >>> from scrutable.plugins import Selection
    >>> german = load_german_credit()
    >>> learner = create("learner", "scorecard", select="best-subset:most=3").fit(german.X, german.y)
    >>> selection = Selection.of(learner.evidence_)
    >>> selection.kept
    ('checking_status', 'duration_months', 'credit_history')
    """

    most: Count = 10
    nodes: Count = 2000

    def search(self, likelihood: Likelihood, must: list[str], charged: list[int]) -> Searched:
        size = max(self.most, len(must))
        [best] = best_subsets(likelihood, [size], nonnegative=self.positive, must=must, node_limit=self.nodes)
        gap = (
            "no other set is better"
            if best.proven
            else f"another one could be better by {best.quadratic_gap:.3g}, since the search was ended"
        )
        about = (
            f"Of at most {size} characteristics on the quadratic at the full fit {gap}. Fitted, the set has a "
            f"log-loss of {best.log_loss:.6g}; with all characteristics it is {best.full_log_loss:.6g}."
        )
        return Searched(names=best.names, why={"": f"the best {len(best.names)} are others"}, about=about)


@dataclass(frozen=True, kw_only=True, repr=False)
class GroupPenaltySelector(SearchingSelector):
    """The set on the path of a penalty that an information criterion chooses; see `group_path`.

    Parameters
    ----------
    criterion : "bic" or "ebic", which charges for the many sets that could have been.
    gamma : weight of what "ebic" adds.
    penalties : number of penalties on the path.
    least : the last of them, in standard errors by root of a degree of freedom.
    most : how many characteristics may be chosen; any number if None.
    positive : whether what one that leaves would add is told as 0 where its coefficient would be negative.
    floor, ceiling, stability, copies, correlation, clusters, vif, marginal : as in `FilteringSelector`.
    must, never, prefer, one_of : as in `Selector`.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import load_german_credit
    >>> from scrutable.plugins import Selection
    >>> german = load_german_credit()
    >>> learner = create("learner", "scorecard", select="group-penalty").fit(german.X, german.y)
    >>> selection = Selection.of(learner.evidence_)
    >>> selection
    Selection(group-penalty, 3 of 17 kept)
    """

    criterion: Literal["bic", "ebic"] = "bic"
    gamma: Share = 0.5
    penalties: Count = 50
    least: NotNegative = 1.0
    most: Count | None = None

    def search(self, likelihood: Likelihood, must: list[str], charged: list[int]) -> Searched:
        path = group_path(
            likelihood,
            penalties=self.penalties,
            least=self.least,
            criterion=self.criterion,
            gamma=self.gamma,
            freedom=charged,
            must=must,
            most=self.most,
        )
        why = {"": "it does not enter the path"}
        why |= {name: f"it enters the path as number {at}, too late" for at, name in enumerate(path.order, 1)}
        about = f"In the order in which they enter as the penalty falls: {', '.join(path.order) or 'none'}."
        return Searched(names=path.names, why=why, about=about)
