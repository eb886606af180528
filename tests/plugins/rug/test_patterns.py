"""Patterns are the samples that no rule tells apart, however the rules come in."""

from __future__ import annotations

import numpy as np
import pytest

from scrutable_rug.patterns import Partition


def check(partition: Partition, kinds: np.ndarray, masks: np.ndarray) -> None:
    """The partition is the one that a sort of the samples finds."""
    expected = np.unique(np.column_stack([kinds, masks.T]), axis=0, return_inverse=True)[1].ravel()
    together = np.unique(np.column_stack([expected, partition.of]), axis=0)
    assert len(together) == len(partition) == expected.max() + 1
    assert len(np.unique(together[:, 1])) == len(partition)
    assert (partition.of[partition.first] == np.arange(len(partition))).all()


@pytest.mark.parametrize("batches", [[1, 1, 1], [5, 0, 8], [62, 1], [63, 130], [9, 70]])
@pytest.mark.parametrize("seed", range(4))
def test_refined_like_a_sort_of_the_samples(seed: int, batches: list[int]) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 3000))
    kinds = np.unique(rng.integers(0, 3, n), return_inverse=True)[1]
    partition, seen = Partition(kinds), np.zeros((0, n), dtype=bool)
    for size in batches:
        masks = rng.random((size, n)) < rng.choice([0.002, 0.02, 0.3])
        before, patterns = partition.of.copy(), len(partition)
        parents = partition.refine(masks)
        seen = np.vstack([seen, masks])
        check(partition, kinds, seen)
        assert (parents[:patterns] == np.arange(patterns)).all()
        assert (parents[partition.of] == before).all()


def test_every_sample_for_itself() -> None:
    n = 1000
    bits = (np.arange(n) >> np.arange(10)[:, None]) & 1
    partition = Partition(np.zeros(n, dtype=np.int64))
    partition.refine(bits.astype(bool))
    assert len(partition) == n
    partition.refine(bits.astype(bool))
    assert len(partition) == n


def test_of_a_copy() -> None:
    kinds = np.zeros(3, dtype=np.int64)
    Partition(kinds).refine(np.array([[True, False, False]]))
    assert not kinds.any()
