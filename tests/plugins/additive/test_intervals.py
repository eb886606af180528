"""Intervals of points beside a logistic regression on indicators, written out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.plugins.additive.problems import drawn, every_row

from scrutable_additive.attributes import Attributes
from scrutable_additive.dense import DenseFit, dense_fit
from scrutable_additive.intervals import intervals
from scrutable_additive.levels import Levels
from scrutable_additive.metric import Metric
from scrutable_additive.path import path_from
from scrutable_additive.problem import Problem

FACTOR = 20.0


def made(seed: int, place: int) -> tuple[Problem, DenseFit, Levels]:
    """The steps of a card of the path that begins with the dense fit."""
    problem = drawn(seed, 2000)
    fit = dense_fit(problem.rows, problem.penalties)
    metric = Metric.at(fit, problem.rows)
    path = path_from(metric.dense, metric, problem.layouts, 0.0)
    return problem, fit, Levels.of(path, path.cards[place])


def by_newton(problem: Problem, fit: DenseFit, levels: Levels) -> np.ndarray:
    """(L,) standard errors of the distance of each step from the average, from a matrix of indicators of steps."""
    rows = every_row(problem.rows)
    bins = [start + own for start, own in zip(problem.rows.starts, rows.codes, strict=False)]
    odds = fit.intercept + sum(fit.values[own] for own in bins)
    curvature = rows.weight * np.exp(-odds) / (1 + np.exp(-odds)) ** 2
    shown = sum(np.eye(levels.size)[levels.of_bin[own]] for own in bins)
    design = np.concatenate([np.ones((len(odds), 1)), shown], axis=1)
    covariance = np.linalg.pinv((design.T * curvature) @ design, rcond=1e-12, hermitian=True)
    average = np.zeros((levels.size, levels.size))
    for own in levels.slices:
        average[own, own] = curvature @ shown[:, own] / curvature.sum()
    contrast = np.concatenate([np.zeros((levels.size, 1)), np.eye(levels.size) - average], axis=1)
    return np.sqrt(np.maximum(np.diag(contrast @ covariance @ contrast.T), 0.0))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("place", [0, 3, 6])
def test_they_are_those_of_a_regression_on_indicators(seed: int, place: int) -> None:
    problem, fit, levels = made(seed, place)
    card = Attributes.of(problem, np.append(levels.values, 0.0)[levels.of_bin])
    told = intervals(levels, problem.layouts, card, FACTOR)
    errors, checked = by_newton(problem, fit, levels), 0
    for layout, of_bin, values in zip(problem.layouts, card.of_bin, card.values, strict=True):
        sides = told.get(layout.name)
        assert (sides is None) == (np.ptp(values) == 0)
        if sides is not None:
            unseen = set(range(len(values))) - set(of_bin[layout.count > 0].tolist())
            assert {at for at, each in enumerate(sides) if each is None} == unseen
            for attribute, step in {*zip(of_bin.tolist(), levels.of_bin[layout.bins].tolist(), strict=True)}:
                if attribute not in unseen and step >= 0:
                    low, high = sides[attribute]
                    assert high - low == pytest.approx(2 * 1.959964 * FACTOR * errors[step], rel=1e-3)
                    assert (high + low) / 2 == pytest.approx(FACTOR * values[attribute], abs=1e-6)
                    checked += 1
    assert checked >= 4


def test_attributes_that_rounding_made_have_the_average_of_their_steps() -> None:
    problem, _, levels = made(1, 0)
    coarse = np.round(levels.values)
    card = Attributes.of(problem, np.append(coarse - levels.averages(coarse), 0.0)[levels.of_bin])
    exact = Attributes.of(problem, np.append(levels.values, 0.0)[levels.of_bin])
    told = intervals(levels, problem.layouts, card, 1.0)
    fine = intervals(levels, problem.layouts, exact, 1.0)
    assert {name: len(each) for name, each in told.items()} != {name: len(each) for name, each in fine.items()}
    for layout, own, of_bin in zip(problem.layouts, card.values, card.of_bin, strict=True):
        weights, steps = np.zeros(len(own)), levels.of_bin[layout.bins]
        middle = np.zeros(len(own))
        for step in set(steps[layout.count > 0].tolist()):
            attribute = of_bin[np.flatnonzero(steps == step)[0]]
            middle[attribute] += levels.weight[step] * levels.values[step]
            weights[attribute] += levels.weight[step]
        if layout.name in told:
            known = np.array([each is not None for each in told[layout.name]])
            assert (known == (weights > 0)).all()
            middles = np.array([sum(each) / 2 for each in told[layout.name] if each is not None])
            away = middles - (middle[known] / weights[known])
            np.testing.assert_allclose(away, away[0], atol=1e-9)
            assert weights[known] @ (middles - own[known]) == pytest.approx(0.0, abs=1e-9)


def test_four_times_as_many_rows_make_them_half_as_wide() -> None:
    problem, _, levels = made(2, 2)
    card = Attributes.of(problem, np.append(levels.values, 0.0)[levels.of_bin])
    wide = intervals(levels, problem.layouts, card, 1.0)
    narrow = intervals(replace(levels, matrix=4 * levels.matrix), problem.layouts, card, 1.0)
    for name, each in wide.items():
        for one, other in zip(each, narrow[name], strict=True):
            assert (one is None) == (other is None)
            if one is not None:
                assert one[1] - one[0] == pytest.approx(2 * (other[1] - other[0]))
