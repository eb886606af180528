"""Rules tried on the applicants of a file or a frame, before they are added or after."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from scrutable.data import (
    Cohort,
    DataConfig,
    check_columns,
    cohort_for,
    columns_of,
    groups_of,
    place_of,
    read_rows,
    source_of,
    weight_of,
)
from scrutable.data.frames import kind_of, known_column
from scrutable.model import DecisionModel, Feature, Model, numbers_of, texts_of
from scrutable.plugins import DataDictionary
from scrutable_policy.changing import add_rules, deciding
from scrutable_policy.effect import policy_effect
from scrutable_policy.effect_results import PolicyEffect
from scrutable_policy.stated import StatedRule

#: Who and why of rules that are only tried; no model is written.
_TRIED = "tried"


def try_rules(
    model: Model,
    data: Any,
    config: DataConfig,
    *,
    rules: Sequence[StatedRule] = (),
    features: Iterable[Feature] = (),
    dictionary: DataDictionary | None = None,
    allow_protected: Collection[str] = (),
) -> PolicyEffect:
    """What the rules of a model do to applicants, and further ones as if they were added.

    Parameters
    ----------
    data : a frame of any kind or a path; the path of the config when None.
    config : which columns are the outcome, the weight and the protected attributes; a target of "" is no outcome.
    rules : further ones, which need neither who nor why.
    features, dictionary, allow_protected : as in `add_rules`.

    Raises
    ------
    InputError, KindError : as `add_rules` and `policy_effect`; data that cannot be read or lack a column.

    Examples
    --------
    >>> import pandas as pd
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> from scrutable_policy import KnockOutRule
    >>> rows = pd.DataFrame({"age": [16.0] * 10 + [30.0] * 10, "income": [-1.0] * 5 + [10.0] * 15})
    >>> rule = KnockOutRule(code="K7", reason="Applicant is under age", when="age < 18")
    >>> [each.alone for each in try_rules(models_named()["stumps"], rows, DataConfig(target=""), rules=[rule]).rules]
    [5, 10]
    """
    tried = deciding(model)
    config, data = source_of(config, data)
    if rules:
        signed = [replace(rule, who=rule.who or _TRIED, why=rule.why or _TRIED) for rule in rules]
        protected = (*config.attributes, *columns_of(config.protected_probabilities))
        allowed = _read_by(signed, allow_protected)
        tried = add_rules(
            tried, signed, features=features, dictionary=dictionary, protected=protected, allow_protected=allowed
        ).model
    return policy_effect(tried, _cohort(tried, data, config), allow_protected=allow_protected)


def _cohort(model: DecisionModel, data: Any, config: DataConfig) -> Cohort:
    frame = read_rows(data, config, text=texts_of(model), numbers=numbers_of(model))
    check_columns(frame, config.protected, config.protected_probabilities)
    for name in (config.target, config.weight):
        if name:
            known_column(name, frame.columns, place_of(config.path))
    if config.target:
        return cohort_for(frame, config, [model.outcome], kind_of(data))
    rows = Cohort.read(frame, groups=groups_of(frame, config), sample_weight=weight_of(frame, config))
    return replace(rows, kind=kind_of(data))


def _read_by(rules: Sequence[StatedRule], allowed: Collection[str]) -> list[str]:
    """Of the columns that are allowed, those that these rules read; the model's own may read the others."""
    read = {clause.feature for rule in rules for clause in rule.clauses}
    return [name for name in allowed if name in read]
