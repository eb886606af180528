"""Sums of weights that are the same to the last bit in whatever order the rows are."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

#: Powers of two up to this and down to its inverse are normal doubles.
_NORMAL = 1000


def exact_bincount(index: npt.NDArray[np.intp], weight: Floats, n_bins: int) -> Floats:
    """Sum finite weights per bin: the doubles nearest to the sums, so that the order of the rows does not matter.

    Weights are cut into layers of whole multiples of a power of two, coarse enough that every sum within a layer is
    below 2^53 of them and therefore exact (pre-rounded summation: Demmel and Nguyen, "Parallel reproducible summation",
    IEEE Trans. Comput. 64(7), 2015). Where the layers are added, there is one rounding.

    >>> exact_bincount(np.array([0, 0, 0]), np.array([0.1, 1e16, -1e16]), 1).tolist()
    [0.1]
    """
    sums = [np.ldexp(np.bincount(index, whole, n_bins), exponent) for whole, exponent in exact_layers(weight)]
    if len(sums) > 2:
        return np.array([math.fsum(layers) for layers in zip(*(each.tolist() for each in sums), strict=True)])
    return np.add(*sums) if len(sums) == 2 else (sums or [np.zeros(n_bins)])[0]


def exact_layers(weight: Floats) -> list[tuple[Floats, int]]:
    """Finite weights as layers of whole numbers times a power of two: (n,) and the exponent, the coarsest first.

    Within a layer all sums of them are below 2^53, and so exact.

    >>> [(whole.tolist(), exponent) for whole, exponent in exact_layers(np.array([1.0, 2.0]))]
    [([1.0, 2.0], 0)]
    """
    if weight.size and (np.rint(weight) == weight).all() and np.abs(weight).sum() < 2.0**53:
        return [(weight, 0)]  # exact as they are
    layers: list[tuple[Floats, int]] = []
    spare_bits = 53 - int(weight.size).bit_length()
    rest = weight
    while (largest := float(np.abs(rest).max(initial=0.0))) > 0:
        exponent = int(np.frexp(largest)[1]) - spare_bits
        whole = np.rint(times_power(rest, -exponent))
        layers.append((whole, exponent))
        rest = rest - times_power(whole, exponent)
    return layers


def times_power(amounts: Floats, exponent: int, out: Floats | None = None) -> Floats:
    """Amounts times a power of two, by a product where that is a normal double, which is faster than `ldexp`."""
    if abs(exponent) > _NORMAL:
        scaled: Floats = np.ldexp(amounts, exponent, out=out)
        return scaled
    product: Floats = np.multiply(amounts, 2.0**exponent, out=out)
    return product


def exact_sum(weight: Floats) -> float:
    """The double nearest to the sum of finite weights, the same in whatever order the rows are.

    >>> exact_sum(np.array([0.1, 0.2, 0.3]))
    0.6
    """
    sums = [math.ldexp(float(whole.sum()), exponent) for whole, exponent in exact_layers(weight)]
    return math.fsum(sums) if len(sums) > 2 else sum(sums, 0.0)
