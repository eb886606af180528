"""The path by attributes: it is the model's, nested, tells of nobody alone, and any of its cards can be had."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.data import min_cell
from scrutable.data.datasets import load_german_credit, make_credit
from scrutable.errors import InputError
from scrutable.model import Interval, Scorecard
from scrutable.plugins import CardPath

GERMAN = load_german_credit()
CREDIT = make_credit(3000, seed=4)


def learned(data: Any = GERMAN, **options: Any) -> Any:
    favourable = getattr(data, "favourable", "good")
    return create("learner", "additive", favourable=favourable, **options).fit(data.X, data.y)


def path_of(learner: Any) -> CardPath:
    path = CardPath.of(learner.evidence_)
    assert path is not None
    return path


def groups(path: CardPath, place: int) -> dict[str, set[frozenset[int]]]:
    """By feature, the attributes that are together, from the joins alone."""
    together = {each.feature: [{at} for at in range(len(each.conditions))] for each in path.finest}
    for card in path.cards[: place + 1]:
        for each in card.joined:
            parts = together[each.feature]
            first, second = (next(part for part in parts if at in part) for at in (each.first, each.second))
            if first is not second:
                parts.remove(second)
                first |= second
    return {feature: set(map(frozenset, parts)) for feature, parts in together.items()}


@pytest.mark.parametrize("data", [GERMAN, CREDIT], ids=["german", "credit"])
def test_what_is_together_has_the_same_points_on_the_model(data: Any) -> None:
    learner = learned(data)
    path, model = path_of(learner), learner.model_
    assert isinstance(model, Scorecard)
    points = {each.feature: each for each in model.characteristics}
    for feature, parts in groups(path, path.chosen).items():
        if len(parts) == 1:
            assert feature not in points or np.ptp([a.points for a in points[feature].attributes]) < 1e-6
            continue
        conditions = next(each.conditions for each in path.finest if each.feature == feature)
        own = [[worth(points[feature], conditions[at]) for at in sorted(part)] for part in parts]
        assert all(np.ptp(each) < 1e-6 for each in own)
        assert len({round(each[0], 6) for each in own}) == len(own)


def worth(characteristic: Any, condition: Any) -> float:
    """The points of the attribute that holds a condition of the first card."""
    for attribute in characteristic.attributes:
        held = attribute.condition
        if held == condition:
            return attribute.points
        if type(held) is type(condition):
            inside = (
                held.lower <= condition.lower and condition.upper <= held.upper
                if isinstance(held, Interval)
                else set(getattr(condition, "values", ())) <= set(getattr(held, "values", ()))
            )
            if inside and not (hasattr(held, "codes") and held.codes != condition.codes):
                return attribute.points
    raise AssertionError(condition)


def test_steps_and_characteristics_are_those_of_what_is_together() -> None:
    path = path_of(learned(CREDIT))
    for place, card in enumerate(path.cards):
        sizes = [len(parts) for parts in groups(path, place).values() if len(parts) > 1]
        assert (sum(sizes), len(sizes)) == (card.steps, card.characteristics)
    assert all(before.kept >= after.kept for before, after in itertools.pairwise(path.cards))


def test_any_card_can_be_chosen_by_hand() -> None:
    path = path_of(learned())
    for steps in (path.cards[0].steps, path.cards[path.chosen + 7].steps):
        learner = learned(steps=steps)
        again = path_of(learner)
        assert again.model.steps == steps
        assert [card.joined for card in again.cards] == [card.joined for card in path.cards]
        own = [len({round(a.points, 6) for a in each.attributes}) for each in learner.model_.characteristics]
        assert abs(sum(own) - steps) <= len(own)  # what nobody had may have points of its own


def test_a_number_of_steps_that_no_card_has_is_refused() -> None:
    path = path_of(learned())
    steps = [card.steps for card in path.cards]
    lacking = next(each for each in range(1, max(steps)) if each not in steps)
    told = f"the path has no card of {lacking} steps; the next ones have .*max_steps={lacking} "
    with pytest.raises(InputError, match=told):
        learned(steps=lacking)
    with pytest.raises(InputError, match=f"no card of {lacking} steps"):
        path.to(lacking)


def test_a_change_says_what_merges_and_what_leaves() -> None:
    path = path_of(learned())
    change = path.to(path.cards[-2].steps)
    before, after = groups(path, path.chosen), groups(path, len(path.cards) - 2)
    assert set(change.without) == {each for each in after if len(after[each]) == 1 < len(before[each])}
    lost = sum(len(each.parts) - 1 for each in change.merges) + sum(len(before[each]) for each in change.without)
    assert lost == change.model.steps - change.other.steps
    back = path.to(path.cards[0].steps)
    assert back.other.steps > back.model.steps
    assert "more steps" in back.describe()
    assert path.to(path.model.steps).merges == ()
    assert json.loads(json.dumps(change.to_dict()))["other"]["steps"] == change.other.steps


def test_no_interval_of_the_path_tells_of_few_persons() -> None:
    rng = np.random.default_rng(5)
    income = np.round(rng.lognormal(7, 0.6, 400), 2)
    income[:3] = [123_456.78, 234_567.89, 345_678.91]  # three persons whom a cut would single out
    good = (rng.random(400) < 1 / (1 + np.exp(2 - income / 1000))).astype(int)
    frame = pd.DataFrame({"income": income})
    for least in (0, 10):
        learner = create("learner", "additive", min_count=least).fit(frame, good)
        [finest] = path_of(learner).finest
        for each in finest.conditions:
            if isinstance(each, Interval):
                inside = int(((income >= each.lower) & (income < each.upper)).sum())
                assert inside >= max(least, min_cell())
