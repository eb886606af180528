from __future__ import annotations

import numpy as np
import pytest

from scrutable.errors import InputError
from scrutable.measures.numerics.blocks import Block, one_hot_block, woe_block


def test_without_a_trend_every_bin_has_a_free_coefficient():
    block = one_hot_block(3, ordered=[0, 1])
    np.testing.assert_array_equal(block.basis, np.eye(3))
    assert np.isneginf(block.lower).all()
    assert np.isposinf(block.upper).all()


@pytest.mark.parametrize("ordered", [[0, 2, 3], [True, False, True, True]])
def test_a_trend_bounds_the_steps_between_ordered_bins_only(ordered):
    block = one_hot_block(4, trend="descending", ordered=ordered)
    np.testing.assert_array_equal(block.basis @ [10.0, 7.0, -1.0, -2.0], [10.0, 7.0, 9.0, 7.0])
    assert block.upper.tolist() == [np.inf, np.inf, 0.0, 0.0]
    assert np.isneginf(block.lower).all()


def test_the_list_gives_the_order_of_the_trend():
    block = one_hot_block(3, trend="ascending", ordered=[2, 0])
    np.testing.assert_array_equal(block.basis @ [1.0, 5.0, 3.0], [4.0, 5.0, 3.0])
    assert block.lower.tolist() == [0.0, -np.inf, -np.inf]


def test_a_trend_over_no_bin_leaves_all_free():
    block = one_hot_block(2, trend="ascending", ordered=[])
    np.testing.assert_array_equal(block.basis, np.eye(2))
    assert np.isneginf(block.lower).all()


def test_woe_block_has_one_coefficient():
    assert woe_block([0.5, -0.5]).lower.tolist() == [-np.inf]
    block = woe_block([0.5, -0.5], sign="positive")
    assert (block.lower.tolist(), block.upper.tolist(), block.n_bins) == ([0.0], [np.inf], 2)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: one_hot_block(4, trend="up"), r"unknown trend; got 'up'"),
        (lambda: one_hot_block(4, trend="ascending", ordered=[1, 1]), r"ordered bins: a bin is listed twice"),
        (lambda: one_hot_block(4, trend="ascending", ordered=[1, 9]), r"ordered bins: .*out of range; got 9"),
        (lambda: one_hot_block(4, trend="ascending", ordered=[True, False]), r"ordered bins: expected one whole"),
        (lambda: woe_block([np.inf]), r"basis: expected a finite matrix"),
        (lambda: woe_block([1.0], sign="negative"), r"unknown sign; got 'negative'"),
        (lambda: Block(np.eye(1), np.array([1.0]), np.array([0.0])), r"bounds: .*no room"),
        (lambda: Block(np.eye(1), np.zeros(2), np.ones(2)), r"bounds: .*allowed: 1 lower bounds"),
    ],
)
def test_bad_input_is_named(call, text):
    with pytest.raises(InputError, match=text):
        call()
