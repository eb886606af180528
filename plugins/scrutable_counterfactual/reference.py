"""What the reference population says: how points and values spread and go together, and which values there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from scrutable.data.frames import Column
from scrutable_counterfactual.arrays import Floats
from scrutable_counterfactual.domains import Domain

Scaling = Literal["range", "mad", "none"]

_COLLINEAR = 1e-10


@dataclass(frozen=True, kw_only=True, eq=False)
class Reference:
    """Statistics of a population, in the order of the domains.

    Parameters
    ----------
    columns : its columns.
    points : (rows, features).
    """

    columns: Sequence[Column]
    points: Floats

    @classmethod
    def of(cls, domains: Sequence[Domain], columns: Sequence[Column]) -> Reference:
        """The statistics of columns in the order of the domains."""
        pairs = zip(domains, columns, strict=True)
        points = np.stack([domain.points[domain.locate(column)] for domain, column in pairs], axis=1)
        return cls(columns=columns, points=points)

    @cached_property
    def mean(self) -> Floats:
        """(features,) mean points."""
        mean: Floats = self.points.mean(axis=0)
        return mean

    def whitening(self) -> Floats:
        """The transposed Cholesky factor of the inverse covariance of points (paper: section 2.2, closeness).

        Features whose points do not vary have no part in it: their rows and columns are zero.

        Where the points of some features determine those of another, the covariance has no inverse; its diagonal is
        then raised by 1e-6 of itself, which keeps such combinations at a large but finite distance.
        """
        n = self.points.shape[1]
        varying = np.flatnonzero(np.ptp(self.points, axis=0) > 0) if len(self.points) > 1 else np.arange(0)
        whole = np.zeros((n, n))
        if len(varying):
            covariance = np.atleast_2d(np.cov(self.points[:, varying].T))
            deviation = np.sqrt(np.diag(covariance))
            correlation = covariance / np.outer(deviation, deviation)
            if np.linalg.eigvalsh(correlation)[0] < _COLLINEAR:
                correlation = correlation + 1e-6 * np.eye(len(varying))
            factor = np.linalg.cholesky(np.linalg.inv(correlation)) / deviation[:, None]
            whole[np.ix_(varying, varying)] = factor.T
        return np.triu(whole)


def spread(values: Floats, scaling: Scaling) -> float:
    """The range, or the median absolute deviation, of finite values, by which a distance is divided.

    A deviation of 0, where most values are one, gives way to the mean absolute deviation, and no spread at all to 1.

    >>> spread(np.array([0.0, 0.0, 0.0, 0.0, 10.0]), "mad")
    2.0
    """
    finite = values[np.isfinite(values)]
    if scaling == "none" or not len(finite):
        return 1.0
    if scaling == "range":
        width = float(np.ptp(finite))
    else:
        away = np.abs(finite - np.median(finite))
        width = float(np.median(away)) or float(away.mean())
    return width or 1.0


def observed(domain: Domain, column: Column) -> Floats:
    """The distinct finite ordinary numbers of a column, rising."""
    values = np.unique(column.values[np.isfinite(column.values)])
    return values[domain.ordinary[domain.locate(Column(column.name, "numeric", values))]]


def frequency(column: Column) -> Counter[str]:
    """How often each text occurs."""
    return Counter(value for value in column.values if value is not None)
