"""What conditions imply, whatever applicants there are: nothing is drawn, every part of each feature's domain is tried.

A conjunction asks each feature by itself, so that it can hold where each feature has a value that does; and one implies
another where it does so feature by feature.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scrutable.model import Clause, Conjunction, Feature, clause_holds, witnesses


def can_hold(when: Conjunction, features: Mapping[str, Feature]) -> bool:
    """Whether some applicant could satisfy all clauses.

    Parameters
    ----------
    features : by name; every one that the clauses read.

    Examples
    --------
    >>> from scrutable.model import Feature, read_conditions
    >>> age = {"age": Feature(name="age", kind="numeric")}
    >>> can_hold(read_conditions("age < 20 and age is missing"), age)
    False
    """
    return impossible_feature(when, features) is None


def impossible_feature(when: Conjunction, features: Mapping[str, Feature]) -> str | None:
    """The first feature that has no value with which all clauses on it hold; None where each has one."""
    for name in dict.fromkeys(clause.feature for clause in when):
        own = _on(when, name)
        if not any(_all_hold(own, features[name], value) for value in witnesses(features[name], _conditions(own))):
            return name
    return None


def implies(when: Conjunction, other: Conjunction, features: Mapping[str, Feature]) -> bool:
    """Whether everybody who satisfies the clauses satisfies the other ones, too.

    Examples
    --------
    >>> from scrutable.model import Feature, read_conditions
    >>> known = {name: Feature(name=name, kind="numeric") for name in ("age", "debts")}
    >>> narrow, wide = read_conditions("age < 18 and debts > 3"), read_conditions("age < 21 or missing")
    >>> implies(narrow, wide, known), implies(wide, narrow, known)
    (True, False)
    """
    if not can_hold(when, features):
        return True
    for name in dict.fromkeys(clause.feature for clause in other):
        own, theirs, feature = _on(when, name), _on(other, name), features[name]
        for value in witnesses(feature, _conditions([*own, *theirs])):
            if _all_hold(own, feature, value) and not _all_hold(theirs, feature, value):
                return False
    return True


def _on(when: Conjunction, name: str) -> list[Clause]:
    return [clause for clause in when if clause.feature == name]


def _conditions(clauses: Iterable[Clause]) -> list[object]:
    return [condition for clause in clauses for condition in clause.any_of]


def _all_hold(clauses: Iterable[Clause], feature: Feature, value: float | str | None) -> bool:
    return all(clause_holds(clause, feature, value) for clause in clauses)
