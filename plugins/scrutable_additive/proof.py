"""That the points of a model keep trends, by the model alone."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from scrutable.binning import BentTrend
from scrutable.errors import PluginError
from scrutable.model import Interval, RegressionScorecard, Scorecard


def prove_trends(model: Scorecard | RegressionScorecard, trends: Mapping[str, BentTrend]) -> None:
    """Check the points of every interval of the characteristics that are on the model.

    Raises
    ------
    PluginError : some do not keep their trend.

    Examples
    --------
    >>> from scrutable.testing.cards import card
    >>> prove_trends(card(), {"amount": "ascending"})
    """
    for each in model.characteristics:
        points = [attribute.points for attribute in each.attributes if isinstance(attribute.condition, Interval)]
        trend = trends.get(each.feature)
        if trend is not None and not keeps(points, trend):
            raise PluginError("points do not keep their trend", where=f"trends, column {each.feature!r}", got=points)


def keeps(points: Sequence[float], trend: BentTrend) -> bool:
    """Whether points of successive intervals keep a trend. Intervals of the same points are one step.

    Differences of points are exact, since points are multiples of a power of two.

    >>> keeps([0.0, 1.0, 3.0, 3.0, 6.0], "ascending convex"), keeps([0.0, 2.0, 3.0, 5.0], "convex")
    (True, False)
    """
    steps = [value for value, _ in itertools.groupby(points)]
    gains = [after - before for before, after in itertools.pairwise(steps)]
    bends = [after - before for before, after in itertools.pairwise(gains)]
    asked = {
        "ascending": all(gain >= 0 for gain in gains),
        "descending": all(gain <= 0 for gain in gains),
        "convex": all(bend >= 0 for bend in bends),
        "concave": all(bend <= 0 for bend in bends),
    }
    return all(asked[word] for word in trend.split())
