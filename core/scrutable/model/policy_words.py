"""What stands around a score, in words."""

from __future__ import annotations

from scrutable.model.conditions import describe_all
from scrutable.model.grades import Grade
from scrutable.model.policy import Adjustment, KnockOut, Override
from scrutable.model.segments import SingleModel
from scrutable.writing.decimals import number


def exception_in_words(model: SingleModel) -> str:
    """What follows "approved where the score reaches the cutoff and no knock-out applies" in a sentence.

    >>> from scrutable.testing.contract.examples.models import models_named
    >>> exception_in_words(models_named()["stumps"])
    ''
    """
    return ", unless an override decides" if model.policy.overrides else ""


def policy_in_words(model: SingleModel) -> list[str]:
    """A line for each knock-out, score adjustment and override, in their order, and one for the grades.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> policy_in_words(models_named()["stumps"])
    ['Knock-out K1: income below zero, where Income < 0']
    """
    features = {feature.name: feature for feature in model.features}
    lines = [f"{_said(rule)}, where {describe_all(rule.when, features)}" for rule in model.policy.rules]
    grades = model.policy.grades
    if grades:
        bands = [f"{_named(each)} from {number(each.at_least)}" for each in grades[:-1]]
        lines.append(f"Grades: {', '.join([*bands, f'{_named(grades[-1])} below'])}")
    return lines


def _named(grade: Grade) -> str:
    return f"{grade.name} ({grade.label})" if grade.label else grade.name


def _said(rule: KnockOut | Adjustment | Override) -> str:
    kind = f"{rule.kind[:1].upper()}{rule.kind[1:]} {rule.code}"
    told = "" if isinstance(rule, KnockOut) or rule.explained else " (never told as a reason)"
    if isinstance(rule, Adjustment):
        return f"{kind}: {rule.points:+g} points, {rule.reason}{told}"
    if isinstance(rule, Override):
        return f"{kind}: {'declines' if rule.declines else 'approves'}, {rule.reason}{told}"
    return f"{kind}: {rule.reason}"
