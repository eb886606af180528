"""How much there is to read in a rule set: in the whole, and for an applicant."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.model import Model
from scrutable.model.rulesets.hits import rule_hits, rule_set
from scrutable.model.rulesets.reading import rule_length


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSetFigures:
    """Size of a rule set, as in Table 1 of the RUG paper; the fallback does not count.

    Parameters
    ----------
    rules : number of rules (NoR).
    average_length : mean number of conditions of a rule (Avg. RL); None where there is no rule.
    rules_per_row : mean number of rules that apply to a row (Avg. NoRpS), 0 for those that the fallback decides.
    average_length_per_row : mean over the rows to which a rule applies of the mean length of those that do
        (Avg. RLpS); None where there is no such row.
    covered : share of the rows to which a rule applies; the fallback decides the others.

    The last three are None where no rows were given.
    """

    rules: int
    average_length: float | None
    rules_per_row: float | None = None
    average_length_per_row: float | None = None
    covered: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for tables and JSON."""
        return asdict(self)


def rule_set_figures(model: Model, X: Any = None) -> RuleSetFigures:
    """Number and length of the rules, over all and per row.

    Parameters
    ----------
    X : rows to count on, as `evaluate` takes them.

    Raises
    ------
    InputError : the model is no rule set, or a column is not there.
    KindError : a column is of another kind than the model reads.

    Examples
    --------
    >>> from scrutable.model import Clause, Feature, Interval, Outcome, Rule, RuleSet
    >>> middle, old = (Clause("age", (interval,)) for interval in (Interval(18, 70), Interval(60)))
    >>> model = RuleSet(outcome=Outcome(classes=("bad", "good"), favourable="good"),
    ...     features=(Feature(name="age", kind="numeric"),), fallback=(Rule(when=(), outcome="bad"),),
    ...     rules=(Rule(when=(middle,), outcome="good"), Rule(when=(old,), outcome="good")))
    >>> found = rule_set_figures(model, {"age": [17.0, 40.0, 65.0, None]})
    >>> found.rules, found.average_length, found.rules_per_row, found.average_length_per_row, found.covered
    (2, 1.5, 0.75, 1.75, 0.5)
    """
    rules = rule_set(model).rules
    lengths = np.array([rule_length(rule.when) for rule in rules], dtype=float)
    whole = RuleSetFigures(rules=len(rules), average_length=_mean(lengths))
    if X is None:
        return whole
    hits = rule_hits(model, X)
    count = hits.sum(axis=1)
    covered = count > 0
    return replace(
        whole,
        rules_per_row=_mean(count),
        average_length_per_row=_mean((hits[covered] @ lengths) / count[covered]),
        covered=_mean(covered),
    )


def _mean(values: NDArray[Any]) -> float | None:
    return float(values.mean()) if len(values) else None
