"""Where texts beside points go, so that they cover as little as possible."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

Spot = tuple[float, float]

#: Distances from the point to the text, in inches.
_ACROSS, _UP = (0.14, 0.4, 0.8), (0.0, 0.18, -0.18, 0.36, -0.36, 0.6, -0.6, 0.9, -0.9)
_EDGE = 0.06


def find_places(
    anchors: Sequence[Spot], widths: Sequence[float], obstacles: Sequence[Spot], frame: Spot, height: float = 0.17
) -> list[Spot]:
    """For each anchor the left end and the middle line of its text, chosen one after the other.

    A place outside the frame costs most, then each other text under it or on the line to it, then each obstacle under
    the text, then distance.
    All sizes are inches from the frame's lower left corner.

    >>> find_places([(1.0, 1.0)], [0.5], obstacles=[(1.3, 1.0)], frame=(4.0, 4.0))
    [(0.36, 1.0)]
    """
    chosen: list[Spot] = []
    for anchor, width in zip(anchors, widths, strict=True):

        def cost(spot: Spot, anchor: Spot = anchor, width: float = width) -> tuple[int, int, int, float]:
            (left, middle), right = spot, spot[0] + width
            inside = left >= _EDGE and right <= frame[0] - _EDGE and height / 2 <= middle <= frame[1] - height / 2
            texts = sum(
                left < other[0] + wide + _EDGE and other[0] < right + _EDGE and abs(middle - other[1]) < height
                for other, wide in zip(chosen, widths, strict=False)
            )
            texts += sum(
                _crosses(anchor, (left if left > anchor[0] else right, middle), (other[0] + wide / 2, other[1]), height)
                for other, wide in zip(chosen, widths, strict=False)
            )
            under = sum(left - _EDGE < x < right + _EDGE and abs(y - middle) < height / 2 + _EDGE for x, y in obstacles)
            away = abs(left + width / 2 - anchor[0]) - width / 2 + abs(middle - anchor[1])
            return (not inside, texts, under, away)

        sides = ((anchor[0] + gap, anchor[0] - gap - width) for gap in _ACROSS)
        tries = [(x, anchor[1] + up) for x, up in itertools.product(itertools.chain(*sides), _UP)]
        chosen.append(min(tries, key=cost))
    return chosen


def _crosses(start: Spot, end: Spot, middle: Spot, height: float) -> bool:
    """Whether a line passes the middle of a text."""
    if not min(start[0], end[0]) < middle[0] < max(start[0], end[0]):
        return False
    y = start[1] + (end[1] - start[1]) * (middle[0] - start[0]) / (end[0] - start[0])
    return abs(y - middle[1]) < height / 2
