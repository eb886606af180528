"""The most likely line of log-odds, beside scikit-learn's and by its equations."""

from __future__ import annotations

from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from scrutable.errors import InputError
from scrutable.measures import calibration_line
from scrutable.measures.calibration_line import Levels, likeliest_line


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 2**32 - 1),
    st.floats(-0.05, 0.05),
    st.sampled_from([1.0, 50.0, 1e4]),
    st.sampled_from([0.0, 600.0, -1e5]),
)
def test_the_scores_of_the_likelihood_are_zero(seed: int, slope: float, scale: float, centre: float) -> None:
    generator = np.random.default_rng(seed)
    x = centre + scale * generator.normal(0, 1, 300)
    event = generator.random(300) < expit(40 * slope * (x - centre) / scale)
    event[:4] = [True, False, True, False]
    x[:4] = centre + scale * np.array([3.0, 3.0, -3.0, -3.0])  # the outcomes overlap
    weight = generator.integers(0, 4, 300).astype(float) + np.repeat([1.0, 0.0], [4, 296])
    intercept, found = likeliest_line(Levels.of(x, event, weight))
    rest = weight * (event - expit(intercept + found * x))
    assert abs(rest.sum()) < 1e-7
    assert abs((rest * (x - centre) / scale).sum()) < 1e-7


def test_it_is_unpenalised_logistic_regression() -> None:
    generator = np.random.default_rng(0)
    x = generator.normal(600, 50, 4000)
    event = generator.random(4000) < expit(0.03 * x - 17)
    intercept, slope = likeliest_line(Levels.of(x, event, np.ones(4000)))
    peer = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-10).fit((x[:, None] - 600) / 50, event)
    assert slope == pytest.approx(peer.coef_[0, 0] / 50, rel=1e-6)
    assert intercept == pytest.approx(peer.intercept_[0] - 12 * peer.coef_[0, 0], rel=1e-6)


def test_neither_the_order_nor_repeated_rows_matter() -> None:
    x, event = np.array([1.0, 2.0, 2.0, 3.0, 1.0]), np.array([False, True, False, True, True])
    weight = np.array([2.0, 1.0, 3.0, 1.0, 1.0])
    found = likeliest_line(Levels.of(x, event, weight))
    assert likeliest_line(Levels.of(x[::-1], event[::-1], weight[::-1])) == found
    times = weight.astype(int)
    assert likeliest_line(Levels.of(x.repeat(times), event.repeat(times), np.ones(8))) == found


def test_what_has_no_most_likely_line_is_refused() -> None:
    good = np.array([False, False, True, True])
    for x in ([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 2.0, 4.0], [4.0, 3.0, 2.0, 1.0]):
        with pytest.raises(InputError, match="separates the good payers from the bad ones"):
            likeliest_line(Levels.of(np.array(x), good, np.ones(4)))
    with pytest.raises(InputError, match="the same for every row"):
        likeliest_line(Levels.of(np.ones(4), good, np.ones(4)))
    with pytest.raises(InputError, match="outcomes of both classes"):
        Levels.of(np.arange(4.0), good, np.array([1.0, 1.0, 0.0, 0.0]))


def test_no_step_is_halved_in_vain_at_the_top(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty halvings of a step that rounding hides cost more than all that leads there."""
    climbed = Mock(wraps=calibration_line._likelihood)
    monkeypatch.setattr(calibration_line, "_likelihood", climbed)
    draw = np.random.default_rng(5)
    x = draw.normal(size=5_000)
    likeliest_line(Levels.of(x, draw.random(5_000) < expit(x), np.ones(5_000)))
    assert climbed.call_count < 15
