"""Which rules apply to which rows, by the evaluator's own conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable.model import Model, Rule, RuleSet
from scrutable.model.evaluator import read_inputs
from scrutable.model.evaluator.assign import ClauseMasks

Booleans = NDArray[np.bool_]


def rule_hits(model: Model, X: Any) -> Booleans:
    """Whether each rule applies to each row.

    Parameters
    ----------
    X : a frame (pandas, polars, pyarrow), a dict of columns or a `Table`, n rows.

    Returns
    -------
    (n, rules) Booleans, the rules in the model's order; the fallback is not among them

    Raises
    ------
    InputError : the model is no rule set, or a column is not there.
    KindError : a column is of another kind than the model reads.

    Examples
    --------
    >>> from scrutable.model import Clause, Feature, Interval, Outcome
    >>> young, old = (Clause("age", (interval,)) for interval in (Interval(upper=21), Interval(60, 99)))
    >>> model = RuleSet(outcome=Outcome(classes=("bad", "good"), favourable="good"),
    ...     features=(Feature(name="age", kind="numeric"),), fallback=(Rule(when=(), outcome="bad"),),
    ...     rules=(Rule(when=(young,), outcome="bad"), Rule(when=(old,), outcome="good", weight=0.5)))
    >>> rule_hits(model, {"age": [19.0, 40.0, 65.0]}).tolist()
    [[True, False], [False, False], [False, True]]
    """
    rules = rule_set(model)
    return hits_of(rules.rules, rules, X)


def hits_of(rules: Sequence[Rule], model: RuleSet, X: Any) -> Booleans:
    """(n, rules) whether each of these rules of the model, of its fallback for example, applies to each row."""
    columns, n_rows = read_inputs(model, X)
    return ClauseMasks(model.features, columns, n_rows).conjunctions([rule.when for rule in rules])


def rule_set(model: Model) -> RuleSet:
    """The model, after a refusal of any other kind."""
    if isinstance(model, RuleSet):
        return model
    raise InputError(
        "only rule sets have rules to read",
        where="model",
        got=model.kind,
        allowed="a rule set",
        fix="`scrutable show` prints every kind of model; of a segmented one, read the rule set of a segment",
    )
