"""Error rates by class and group, and the scores that papers on disparate mistreatment make of them.

The RUG paper prints the constraints (8), (12) and (21) and tables of scores DMC, ODM and EOP in per cent, without a
formula for the scores. All are 1 where the rates are equal, and 1 is a hundred per cent. Their scales differ, so each
has a name of its own: what is called DMC is a sum over two classes (`dmc_sum_score`) or a mean over any number of them
(`dmc_mean_score`).

Every group counts, however small. One without a row of a class has no rate there: the others are compared, and a
`SmallGroupWarning` names it.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.data import Floats, classes_of, favourable, outcomes, weights
from scrutable.errors import InputError
from scrutable.fairness import Groups, ProtectedAttribute, SmallGroupWarning, events_of

if TYPE_CHECKING:
    from scrutable.model import ClassLabel


def error_rates(
    y: Any, predicted: Any, groups: Groups, attribute: str, *, sample_weight: Any = None
) -> dict[Any, dict[str, float]]:
    """By class and group of one attribute, the share of the rows of that class that are predicted to be of another.

    The key None holds the rates over all classes. A rate is NaN where a group has no row of the class. Rows of unknown
    membership are no group.

    Parameters
    ----------
    y : (n,) booleans, True where the outcome is favourable, or the label of each row's class.
    predicted : (n,) the same for the decision, or for the predicted class.
    groups : protected groups of the same n rows.
    attribute : name of the protected attribute.
    sample_weight : (n,) weights; None means 1 each.

    Raises
    ------
    InputError : an unknown attribute, a missing value, or lengths that differ.
    KindError : outcomes and predictions of different kinds: booleans, text, numbers.

    Examples
    --------
    >>> groups = Groups.from_frame({"sex": ["f", "f", "m", "m"]}, min_group_size=0)
    >>> rates = error_rates([True, False, True, False], [False, False, True, True], groups, "sex")
    >>> rates[True], rates[None]
    ({'f': 1.0, 'm': 0.0}, {'f': 0.5, 'm': 0.5})
    """
    Groups.check(groups)
    protected = groups[attribute]
    outcome = outcomes(y, "y", groups.rows)
    classes = classes_of(outcome)
    counted = np.column_stack([outcome == each for each in classes] + [np.ones(groups.rows, dtype=bool)])
    weight = weights(sample_weight, groups.rows)
    rates = _rates(counted, events_of("error", outcome, predicted) * weight, weight, protected)
    columns = [protected.labels.index(label) for label in protected.known]
    return {
        given: dict(zip(protected.known, row[columns].tolist(), strict=True))
        for given, row in zip((*classes, None), rates, strict=True)
    }


def eop_score(y: Any, predicted: Any, groups: Groups, *, sample_weight: Any = None) -> dict[str, float]:
    """By attribute, 1 - abs(difference of false negative rates), the largest between any two groups; from 0 to 1.

    A false negative is a good payer who is declined: positive is the favourable outcome. Its rate is 1 - opportunity.
    Arguments and errors are those of `error_rates`, with booleans for `y` and `predicted`; NaN where there are no two
    groups with good payers.

    >>> groups = Groups.from_frame({"sex": ["f", "f", "m", "m"]}, min_group_size=0)
    >>> eop_score([True] * 4, [True, False, True, True], groups)
    {'sex': 0.5}
    """
    Groups.check(groups)
    gaps = _gaps(favourable(y, "y", groups.rows), predicted, groups, sample_weight, (True,))
    return {name: 1 - gap for name, (gap,) in gaps.items()}


def dmc_sum_score(y: Any, predicted: Any, groups: Groups, *, sample_weight: Any = None) -> dict[str, float]:
    """By attribute, 1 - abs(difference of false positive rates) - abs(that of false negative rates); from -1 to 1.

    For two classes, booleans or labels; which of them is positive does not matter. Each difference is the largest
    between any two groups. Arguments and errors are those of `error_rates`; NaN where there are no two groups with
    rows of each class.

    Raises
    ------
    InputError : more or fewer than two classes.

    Examples
    --------
    >>> groups = Groups.from_frame({"sex": ["f", "f", "m", "m"]}, min_group_size=0)
    >>> dmc_sum_score([True, False, True, False], [False, False, True, True], groups)
    {'sex': -1.0}
    """
    Groups.check(groups)
    outcome = outcomes(y, "y", groups.rows)
    classes = classes_of(outcome)
    if len(classes) != 2:
        raise InputError(
            "this score is one of two classes",
            where="y",
            got=f"{len(classes)} class{'' if len(classes) == 1 else 'es'}",
            allowed="two classes",
            fix="use dmc_mean_score",
        )
    gaps = _gaps(outcome, predicted, groups, sample_weight, classes)
    return {name: 1 - sum(differences) for name, differences in gaps.items()}


def dmc_mean_score(y: Any, predicted: Any, groups: Groups, *, sample_weight: Any = None) -> dict[str, float]:
    """By attribute, 1 - mean over the classes of the largest difference of error rates between two groups; 0 to 1.

    For two classes this is half as far from 1 as `dmc_sum_score`. The classes are those of `y` that occur in two
    groups at least. Arguments and errors are those of `error_rates`; NaN where there is no such class.

    >>> groups = Groups.from_frame({"sex": ["f", "f", "m", "m"]}, min_group_size=0)
    >>> dmc_mean_score(["paid", "late", "paid", "late"], ["paid", "late", "paid", "default"], groups)
    {'sex': 0.5}
    """
    Groups.check(groups)
    outcome = outcomes(y, "y", groups.rows)
    scores = {}
    for name, gaps in _gaps(outcome, predicted, groups, sample_weight, classes_of(outcome)).items():
        compared = [gap for gap in gaps if not math.isnan(gap)]
        scores[name] = 1 - math.fsum(compared) / len(compared) if compared else math.nan
    return scores


def odm_score(y: Any, predicted: Any, groups: Groups, *, sample_weight: Any = None) -> dict[str, float]:
    """By attribute, 1 - the largest difference of overall error rates between two groups; from 0 to 1.

    Arguments and errors are those of `error_rates`; NaN where there are no two groups.

    >>> groups = Groups.from_frame({"sex": ["f", "f", "m", "m"]}, min_group_size=0)
    >>> odm_score(["paid", "late", "paid", "late"], ["paid", "late", "paid", "default"], groups)
    {'sex': 0.5}
    """
    Groups.check(groups)
    gaps = _gaps(y, predicted, groups, sample_weight, (None,))
    return {name: 1 - gap for name, (gap,) in gaps.items()}


def _gaps(
    y: Any, predicted: Any, groups: Groups, sample_weight: Any, classes: Sequence[ClassLabel | None]
) -> dict[str, list[float]]:
    """By attribute, the largest difference of error rates between two groups in each class; NaN where there is none.

    A class of None stands for all rows.
    """
    gaps: dict[str, list[float]] = {}
    empty = []
    for name in groups.names:
        by_class = error_rates(y, predicted, groups, name, sample_weight=sample_weight)
        gaps[name] = []
        for given in classes:
            rates = by_class.get(given, {})
            defined = [rate for rate in rates.values() if not math.isnan(rate)]
            gaps[name].append(max(defined) - min(defined) if len(defined) > 1 else math.nan)
            among = "" if given is None else f" of class {given!r}"
            empty += [f"{label!r} of {name!r} has no row{among}" for label in rates if math.isnan(rates[label])]
    if empty:
        fix = "Fix: measure more rows, or merge groups or classes"
        # Level 3 is whoever asked for a score.
        warnings.warn(f"groups that are not compared: {'; '.join(empty)}. {fix}.", SmallGroupWarning, stacklevel=3)
    return gaps


def _rates(counted: Any, wrong: Floats, weight: Floats, attribute: ProtectedAttribute) -> Floats:
    """(k, g) quotients of the wrong rows' weight and of all rows' weight among those counted."""
    rows = np.asarray(counted, dtype=np.float64).T
    total = rows @ (weight[:, None] * attribute.membership)
    errors = rows @ (wrong[:, None] * attribute.membership)
    quotient: Floats = np.divide(errors, total, out=np.full(total.shape, np.nan), where=total > 0)
    return quotient
