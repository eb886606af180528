"""Sums over the rows that have a pair of features, from packed bits: rows are counted 64 at a time.

What is summed are whole numbers, so that sums are exact and ties are ties. A plane is a set of rows with the same
number; where there are too many different ones, a row is in the planes of the binary digits of its number. A matrix
product of 5000 rows and 100 features takes four to ten times as long as counting bits.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrutable.measures.numerics import compiled, compiled_part
from scrutable_fcca.target import Doubles, Flags, Indices

Words = NDArray[np.uint64]

_DIGITS = 48  # binary, of a sum of absolute numbers
_MOST_VALUES = 64  # to make a plane of each; there are fewer binary digits
_PLANE = 8  # words that take as long to count as a plane takes to begin


class Planes(NamedTuple):
    """Rows as bits: F features, W words of 64 rows each, K numbers of each row that sums are taken of.

    words : (F, W) whether the rows have the feature.
    start : (P + 1,) first word of each of the P planes.
    number : (P,) which of the K numbers a plane belongs to.
    worth : (P,) what a row of the plane adds to its sum.
    n_numbers : K.
    """

    words: Words
    start: Indices
    number: Indices
    worth: Indices
    n_numbers: int

    @classmethod
    def of(cls, rows: Flags, numbers: Indices) -> Planes:
        """Planes of (n, F) features and (K, n) numbers of rows."""
        words, start, number, worth = [np.zeros((rows.shape[1], 0), np.uint64)], [0], [], []
        for k, values in enumerate(numbers):
            for value, members in _parts(values):
                words.append(packed(rows[members]))
                start.append(start[-1] + words[-1].shape[1])
                number.append(k)
                worth.append(value)
        joined = np.ascontiguousarray(np.concatenate(words, axis=1))
        return cls(joined, _indices(start), _indices(number), _indices(worth), len(numbers))

    def everything(self) -> Words:
        """The mask of all rows."""
        return np.full(self.words.shape[1], ~np.uint64(0))


def _products(planes: Planes, mask: Words) -> Indices:
    """The same sums by a matrix product of each plane, which counts exactly."""
    n_features = len(planes.words)
    sums = np.zeros((planes.n_numbers, n_features, n_features), np.int64)
    here = np.unpackbits((planes.words & mask).view(np.uint8), axis=1)
    for p, worth in enumerate(planes.worth):
        rows = here[:, 64 * planes.start[p] : 64 * planes.start[p + 1]].astype(np.float64)
        sums[planes.number[p]] += (rows @ rows.T).astype(np.int64) * worth
    return sums


@compiled(steps=lambda planes, mask: planes.words.size * (8 + len(planes.words) // 8), small=_products)
def pair_sums(planes: Planes, mask: Words) -> Indices:
    """(K, F, F) sums over the rows of a mask that have both features; on the diagonal, one feature."""
    n_features, n_words = planes.words.shape
    sums = np.zeros((planes.n_numbers, n_features, n_features), np.int64)
    here = np.empty(n_words, np.uint64)
    for g in range(n_features):
        for w in range(n_words):
            here[w] = planes.words[g, w] & mask[w]
        for p in range(len(planes.worth)):
            begin, end = planes.start[p], planes.start[p + 1]
            row, worth = sums[planes.number[p], g], planes.worth[p]
            for h in range(g, n_features):
                row[h] += _in_common(here[begin:end], planes.words[h, begin:end]) * worth
    for k in range(planes.n_numbers):
        for g in range(n_features):
            for h in range(g):
                sums[k, g, h] = sums[k, h, g]
    return sums


def as_whole(values: Doubles) -> tuple[Indices, float]:
    """The values in whole units, and the unit; 2^47 to 2^48 of them make up the sum of the absolute values.

    >>> as_whole(np.array([0.5, -0.25]))[0].tolist() == [2**47, -(2**46)]
    True
    """
    exponent = math.frexp(math.fsum(np.abs(values)))[1] - _DIGITS
    return np.rint(np.ldexp(values, -exponent)).astype(np.int64), math.ldexp(1.0, exponent)


def distinct_columns(features: Flags) -> Indices:
    """The first of each set of columns that are equal or opposite; none of those that never change."""
    bits = np.packbits(features ^ features[0], axis=0).T
    first: dict[bytes, int] = {bytes(bits.shape[1]): -1}
    for j, column in enumerate(bits):
        first.setdefault(column.tobytes(), j)
    return np.array([j for j in first.values() if j >= 0], dtype=np.int64)


def distinct_rows(features: Flags, numbers: Indices) -> tuple[Flags, Indices]:
    """Distinct rows of (n, F) features, and the sums of the (K, n) numbers over each."""
    keys = packed(features.T)
    order = np.lexsort(keys.T) if keys.shape[1] else np.arange(len(keys))
    changes = (keys[order[1:]] != keys[order[:-1]]).any(axis=1)
    start = np.flatnonzero(np.append(True, changes))
    return features[order[start]], np.add.reduceat(numbers[:, order], start, axis=1)


def packed(rows: Flags) -> Words:
    """(F, W) the rows of (n, F) features as bits, 64 a word."""
    bits = np.packbits(rows, axis=0).T
    padded = np.zeros((len(bits), -(-bits.shape[1] // 8) * 8), np.uint8)
    padded[:, : bits.shape[1]] = bits
    return padded.view(np.uint64)


@compiled_part
def _in_common(one: Words, other: Words) -> np.int64:
    """Number of bits that are set in both; the arithmetic is what compilers know as one instruction (popcnt)."""
    count = np.uint64(0)
    for w in range(len(one)):
        x = one[w] & other[w]
        x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
        x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
        x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
        count += (x * np.uint64(0x0101010101010101)) >> np.uint64(56)
    return np.int64(count)


def _parts(values: Indices) -> list[tuple[int, Flags]]:
    """Numbers other than 0, and who has them, that add up to the values; of two ways, the one quicker to count."""
    distinct = np.unique(values[values != 0])
    by_digit = []
    unit = int(np.gcd.reduce(distinct)) if len(distinct) else 1
    for sign in (-1, 1):
        size = np.maximum(sign * values, 0) // unit
        digits = range(int(size.max(initial=0)).bit_length())
        by_digit += [(sign * unit << b, (size >> b & 1).astype(np.bool_)) for b in digits]
    if len(distinct) > _MOST_VALUES:
        return by_digit
    return min([(int(value), values == value) for value in distinct], by_digit, key=_words)


def _words(parts: list[tuple[int, Flags]]) -> int:
    return sum(-(-int(members.sum()) // 64) + _PLANE for _, members in parts)


def _indices(values: list[int]) -> Indices:
    return np.array(values, dtype=np.int64)
