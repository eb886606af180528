"""Texts in pictures of a discretisation keep apart, and a missing matplotlib is named."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from matplotlib.figure import Figure

from scrutable.errors import PluginError
from scrutable_fcca.plots import plot_compression, plot_thresholds

from .test_picture_of_compression import path_of


def test_no_two_texts_overlap_and_none_leaves_the_page(check_texts_apart: Callable[[Figure], None]) -> None:
    paths, accuracy = {"$": path_of(40), "x" * 90: path_of(9)}, {"$": {0.1 * q: 0.7 for q in range(9)}}
    for figure in (plot_thresholds(_thresholds()), plot_compression(paths, accuracy=accuracy)):
        check_texts_apart(figure)


def test_a_missing_matplotlib_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    text = r"pictures: a library it needs is not installed; got 'matplotlib'. Fix: pip install 'scrutable\[plots\]'."
    for draw in (lambda: plot_thresholds(_thresholds()), lambda: plot_compression(path_of(3))):
        with pytest.raises(PluginError, match=text):
            draw()


def _thresholds() -> dict[str, list[Any]]:
    """50 features, every other one categorical, with up to seven thresholds."""
    count = 200
    return {
        "feature": [f"{'long ' * 20}feature {at % 50}" for at in range(count)],
        "above": [f">= {at}" if at % 2 else f"'{'category ' * (at % 7)}{at}'" for at in range(count)],
        "importance": [float(at**3) for at in range(count)],
        "kept_until": [at / count for at in range(count)],
        "scaled": [at / count for at in range(count)],
    }
