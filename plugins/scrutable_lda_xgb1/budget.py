"""One budget of fairness information value for all features: which merge of each gives the most information value.

A multiple-choice knapsack. With one contrast, features are taken in one after the other: the choices among the first
of them that no other beats in IV and FIV are kept, as long as the convex hull of what the others can add to them
(the linear relaxation) leads to more than the best choice known. Several contrasts go to HiGHS.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array, vstack

from scrutable_lda_xgb1.joined_prebins import Floats

Positions = npt.NDArray[np.intp]

_TOLERANCE = 1e-11  # of IV
_ROUNDING = 1e-12  # of FIV, within which a sum is added up once more in the caller's order
_WIDTHS = (64, 1024, None)  # choices kept at a feature, until all are
_SCALE = 1e5  # of IV for HiGHS, which stops within 1e-6 of the optimum


def spread(fronts: Sequence[tuple[Floats, Floats]], budget: npt.ArrayLike) -> list[int] | None:
    """Choose one point of each feature for the highest total IV, to 1e-10, within a budget of total FIV.

    Parameters
    ----------
    fronts : for each feature the IV (k,) and the FIV, (k,) or (k, bounds), of its points in any order. A point (0, 0)
        stands for leaving the feature out.
    budget : largest total FIV, added up from the first feature to the last; (bounds,) where points have several and
        it is not the same for each.

    Returns
    -------
    position of the point of each feature; None where no choice keeps the budget.

    Examples
    --------
    >>> one, other = (np.array([0.0, 0.5]), np.array([0.0, 0.3])), (np.array([0.0, 0.4]), np.array([0.0, 0.2]))
    >>> spread([one, other], 0.5), spread([one, other], 0.4), spread([one, other], 0.2)
    ([1, 1], [1, 0], [0, 1])
    """
    if not fronts or not all(len(iv) for iv, _ in fronts):
        return None if fronts else []
    columns = [fiv.reshape(len(iv), -1) for iv, fiv in fronts]
    ivs, bounds = [iv for iv, _ in fronts], columns[0].shape[1]
    room = np.broadcast_to(np.asarray(budget, dtype=np.float64), bounds)
    if bounds != 1:
        return _by_milp(ivs, columns, room)
    search = _Search([_Feature.of(iv, fiv[:, 0]) for iv, fiv in zip(ivs, columns, strict=True)], float(room[0]))
    return search.run()


@dataclass(frozen=True, slots=True, eq=False)
class _Feature:
    """The points of a feature that no other beats, by rising IV and FIV.

    Parameters
    ----------
    position : where the caller has them.
    corners : positions among them of the corners of their convex hull.
    """

    iv: Floats
    fiv: Floats
    position: Positions
    corners: Positions

    @classmethod
    def of(cls, iv: Floats, fiv: Floats) -> _Feature:
        position = _undominated(iv, fiv)
        iv, fiv = iv[position], fiv[position]
        corners = np.arange(len(iv))
        while True:
            slope = np.diff(iv[corners]) / np.diff(fiv[corners])
            above = np.concatenate([[True], slope[:-1] > slope[1:], [True]])[: len(corners)]
            if above.all():
                return cls(iv, fiv, position, corners)
            corners = corners[above]

    def edges(self) -> tuple[Floats, Floats]:
        """What each edge of the hull adds to IV and FIV."""
        return np.diff(self.iv[self.corners]), np.diff(self.fiv[self.corners])


class _Hull:
    """The convex hull of the sums of one point of each feature: their edges by falling slope.

    Attributes
    ----------
    iv, fiv : of its corners.
    owner : number of the feature of the edge before each corner but the first.
    """

    def __init__(self, features: Sequence[_Feature]) -> None:
        edges = [feature.edges() for feature in features]
        rise = np.concatenate([np.empty(0), *(iv for iv, _ in edges)])
        run = np.concatenate([np.empty(0), *(fiv for _, fiv in edges)])
        order = np.argsort(-rise / run, kind="stable")
        first_iv, first_fiv = sum(float(f.iv[0]) for f in features), sum(float(f.fiv[0]) for f in features)
        self.iv = first_iv + np.append(0.0, np.cumsum(rise[order]))
        self.fiv = first_fiv + np.append(0.0, np.cumsum(run[order]))
        self.owner = np.repeat(np.arange(len(features)), [len(iv) for iv, _ in edges])[order]
        self._features = features

    def before(self, room: Floats) -> Positions:
        """Last corner with at most this FIV, to rounding; -1 without any."""
        return np.searchsorted(self.fiv, room + _ROUNDING, side="right") - 1

    def limit(self, room: Floats) -> Floats:
        """Highest IV of the hull with at most this FIV, to rounding; -inf without any."""
        limit: Floats = np.interp(room + _ROUNDING, self.fiv, self.iv, left=-np.inf)
        return limit

    def price(self, room: float) -> float:
        """Slope of the edge that reaches over this FIV; 0 beyond the last."""
        after = int(np.searchsorted(self.fiv, room, side="right"))
        if not 0 < after < len(self.fiv):
            return 0.0
        return float((self.iv[after] - self.iv[after - 1]) / (self.fiv[after] - self.fiv[after - 1]))

    def points(self, corner: int) -> list[int]:
        """The point of each feature that makes up a corner."""
        passed = np.bincount(self.owner[:corner], minlength=len(self._features))
        return [int(f.corners[steps]) for f, steps in zip(self._features, passed, strict=True)]


@dataclass(frozen=True, slots=True, eq=False)
class _Choices:
    """Choices among the first features: IV, FIV, the choice that each extends and the point that it adds."""

    iv: Floats
    fiv: Floats
    origin: Positions
    point: Positions

    def take(self, which: Positions) -> _Choices:
        return _Choices(self.iv[which], self.fiv[which], self.origin[which], self.point[which])


class _Search:
    def __init__(self, features: Sequence[_Feature], room: float) -> None:
        self._room, self._price = room, _Hull(features).price(room)
        # Where a hull has long edges the relaxation is loose, so such features come first.
        self._order = sorted(range(len(features)), key=lambda at: -self._longest(features[at]))
        self._features = [features[at] for at in self._order]
        self._hulls = [_Hull(self._features[at:]) for at in range(len(features) + 1)]
        # The least FIV there is.
        self._best = [0] * len(features)
        self._iv = float(self._hulls[0].iv[0])

    def run(self) -> list[int] | None:
        if not self._keeps(self._best):
            return None
        nothing = np.zeros(1, dtype=np.intp)
        start = _Choices(np.zeros(1), np.zeros(1), nothing, nothing)
        self._complete([start])
        for width in _WIDTHS:
            if self._is_whole(start, width):
                break
        return [int(feature.position[point]) for feature, point in self._as_given(self._best)]

    def _as_given(self, points: list[int]) -> list[tuple[_Feature, int]]:
        """Features and their points in the caller's order."""
        pairs = list(zip(self._features, points, strict=True))
        return [pairs[at] for at in np.argsort(self._order)]

    def _keeps(self, points: list[int]) -> bool:
        return sum(float(feature.fiv[point]) for feature, point in self._as_given(points)) <= self._room

    def _longest(self, feature: _Feature) -> float:
        iv, fiv = feature.edges()
        slope = iv / fiv
        return float(iv[(slope < 4 * self._price) & (slope > self._price / 4)].max(initial=0.0))

    def _is_whole(self, start: _Choices, width: int | None) -> bool:
        """Search with so many choices a feature; False where some were dropped for no better reason than that."""
        made, whole = [start], True
        for taken in range(1, len(self._features) + 1):
            choices = self._extended(made[-1], taken)
            choices = choices.take(_undominated(choices.iv, choices.fiv))
            if width is not None and len(choices.iv) > width:
                choices = choices.take(np.argsort(-self._limit(choices, taken), kind="stable")[:width])
                whole = False
            made.append(choices)
            self._complete(made)
        return whole

    def _extended(self, choices: _Choices, taken: int) -> _Choices:
        """Choices with a point of the next feature, as far as they may lead to a better one."""
        feature, hull = self._features[taken - 1], self._hulls[taken]
        # Pairs whose priced IVs add up to enough: for each point a first few of the choices, by falling priced IV.
        value = choices.iv - self._price * choices.fiv
        falling = np.argsort(-value, kind="stable")
        needed = self._iv - self._price * self._room - (hull.iv - self._price * hull.fiv).max()
        needed = needed - (feature.iv - self._price * feature.fiv)
        counts = np.searchsorted(-value[falling], -needed, side="right")
        point = np.repeat(np.arange(len(counts)), counts)
        origin = falling[np.arange(len(point)) - np.repeat(np.cumsum(counts) - counts, counts)]
        extended = _Choices(
            choices.iv[origin] + feature.iv[point], choices.fiv[origin] + feature.fiv[point], origin, point
        )
        return extended.take(np.flatnonzero(self._limit(extended, taken) > self._iv + _TOLERANCE))

    def _limit(self, choices: _Choices, taken: int) -> Floats:
        """Highest IV that choices among so many features can lead to."""
        return choices.iv + self._hulls[taken].limit(self._room - choices.fiv)

    def _complete(self, made: Sequence[_Choices]) -> None:
        """Try the last corner within the budget of the other features' hull after each choice."""
        choices, hull = made[-1], self._hulls[len(made) - 1]
        corner = hull.before(self._room - choices.fiv)
        iv = np.where(corner < 0, -np.inf, choices.iv + hull.iv[corner])
        better = np.flatnonzero(iv > self._iv)
        for at in better[np.argsort(-iv[better], kind="stable")]:
            points = [*_points(made, at), *hull.points(int(corner[at]))]
            if self._keeps(points):
                self._best, self._iv = points, float(iv[at])
                return


def _points(made: Sequence[_Choices], choice: int) -> list[int]:
    points = []
    for choices in reversed(made[1:]):
        points.append(int(choices.point[choice]))
        choice = choices.origin[choice]
    return points[::-1]


def _undominated(iv: Floats, fiv: Floats) -> Positions:
    """Positions of the points that no other has at least the IV of for at most the FIV, by rising FIV."""
    order = np.lexsort((-iv, fiv))
    return order[iv[order] > np.append(-np.inf, np.maximum.accumulate(iv[order])[:-1])]


def _by_milp(ivs: Sequence[Floats], columns: Sequence[Floats], room: Floats) -> list[int] | None:
    """One variable for each point; a choice that the solver's tolerance let over the budget is ruled out by a row."""
    sizes = [len(iv) for iv in ivs]
    first, owner = np.cumsum([0, *sizes[:-1]]), np.repeat(np.arange(len(ivs)), sizes)
    iv, fiv = np.concatenate(ivs), np.concatenate(columns)
    variables = np.arange(len(iv))
    rows = [LinearConstraint(csr_array((np.ones(len(iv)), (owner, variables))), 1.0, 1.0)]
    if fiv.shape[1]:
        rows.append(LinearConstraint(fiv.T, -np.inf, room + _ROUNDING))
    over = csr_array((0, len(iv)))
    while True:
        ruled_out = [LinearConstraint(over, -np.inf, len(ivs) - 1.0)] if over.shape[0] else []
        solved = milp(
            -_SCALE * iv,
            integrality=np.ones(len(iv), dtype=np.int64),
            bounds=Bounds(0, 1),
            constraints=[*rows, *ruled_out],
            options={"mip_rel_gap": 0.0},
        )
        if solved.x is None:
            return None
        chosen = first + [int(part.argmax()) for part in np.split(solved.x, first[1:])]
        if all(sum(column) <= limit for column, limit in zip(fiv[chosen].T.tolist(), room, strict=True)):
            return [int(at) for at in chosen - first]
        over = vstack(
            [over, csr_array((np.ones(len(ivs)), (np.zeros(len(ivs), dtype=int), chosen)), shape=(1, len(iv)))]
        )
