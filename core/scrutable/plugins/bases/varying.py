"""What learners have in common that make alternatives: bounds of another strength, and what to leave out first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scrutable.data.attribute import ProtectedAttribute
from scrutable.data.sizes import is_small
from scrutable.data.training import TrainingData
from scrutable.fairness import Bound, DivergenceBound
from scrutable.measures.comparing import effective_sizes
from scrutable.model import Scorecard
from scrutable.model.evaluator import evaluate

#: How much of what its bounds allow an alternative may take, as multiples: from loose to strict.
ALLOWANCES = (2.0, 1.0, 0.5, 0.25)
#: The smallest ratio that a bound may ask for.
_LEAST = 0.01


def allowing(bounds: Sequence[Bound], allowance: float) -> tuple[Bound, ...]:
    """Bounds that allow a multiple of what these allow: of a slack, of what a ratio lacks to 1, of a divergence.

    Parameters
    ----------
    allowance : 1 leaves them as they are, 0.5 halves what they allow.

    Examples
    --------
    >>> from scrutable.fairness import RateBound
    >>> bound = RateBound(rate="approval", attribute="sex", group="f", reference="m", ratio=0.8)
    >>> [round(each.ratio, 9) for factor in (2, 0.5) for each in allowing([bound], factor)]
    [0.6, 0.9]
    """
    return tuple(_allowing(bound, allowance) for bound in bounds)


def costly_characteristics(model: Scorecard, data: TrainingData) -> list[str]:
    """The characteristics whose points tell groups' mean scores apart, the one that adds most to a gap first.

    The gap is that between the groups of lowest and of highest mean score of an attribute, among groups of
    `MIN_GROUP_SIZE` effective rows or more. A characteristic that makes it smaller is not among them.

    Examples
    --------
    >>> import scrutable
    >>> from scrutable.data.datasets import make_credit
    >>> credit = make_credit(2000, seed=1)
    >>> learner = scrutable.create("learner", "scorecard", binner="quantile", favourable=0)
    >>> data = learner.read(credit.X, credit.y, sensitive_features=credit.sensitive_features, sample_weight=None)
    >>> costly_characteristics(learner.learn(data)[0], data)[:2]
    ['bureau_score', 'debt_ratio']
    """
    if data.groups is None:
        return []
    points = evaluate(model, data.table, reasons=False).points
    costs: dict[str, float] = {}
    for attribute in data.groups.attributes:
        for name, cost in _costs(points, attribute, data.weight):
            costs[name] = max(costs.get(name, 0.0), cost)
    return sorted((name for name, cost in costs.items() if cost > 0), key=lambda name: (-costs[name], name))


def _allowing(bound: Bound, allowance: float) -> Bound:
    if isinstance(bound, DivergenceBound):
        return replace(bound, bound=bound.bound * allowance)
    if bound.ratio is not None:
        return replace(bound, ratio=max(1 - (1 - bound.ratio) * allowance, _LEAST))
    return replace(bound, slack=min((bound.slack or 0.0) * allowance, 1.0))


def _costs(
    points: Mapping[str, NDArray[np.float64]], attribute: ProtectedAttribute, weight: NDArray[np.float64]
) -> Iterator[tuple[str, float]]:
    """By how much the mean points of each characteristic are higher in the group of highest mean score."""
    sizes = dict(zip(attribute.labels, effective_sizes(attribute, weight), strict=True))
    places = [attribute.labels.index(label) for label in attribute.known if not is_small(sizes[label])]
    if len(places) < 2:
        return
    shares = weight[:, None] * attribute.membership[:, places]
    shares = shares / shares.sum(axis=0)
    means = {name: values @ shares for name, values in points.items()}
    total = np.sum(list(means.values()), axis=0)
    lowest, highest = int(np.argmin(total)), int(np.argmax(total))
    for name, mean in means.items():
        yield name, float(mean[highest] - mean[lowest])
