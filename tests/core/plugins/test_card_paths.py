"""Paths of cards: what is together in words, what is refused, and choices in files."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scrutable.errors import InputError, ModelError
from scrutable.model import Categories, Evidence, FrozenMapping, Interval, Missing
from scrutable.plugins import (
    CARD_PATH,
    CardChoice,
    CardPath,
    FinestAttributes,
    Joined,
    PathCard,
    dump_review,
    read_whole,
    write_review,
)

AGE = FinestAttributes(feature="age", conditions=(Interval(upper=25), Interval(25, 40), Interval(40), Missing()))
HOME = FinestAttributes(feature="home", conditions=(Categories(("own",)), Categories(("rent", "free"))))


def joined(feature: str, first: int, second: int) -> Joined:
    return Joined(feature=feature, first=first, second=second)


def measured(auc: float, log_loss: float) -> FrozenMapping[float]:
    return FrozenMapping({"auc": auc, "log_loss": log_loss})


def a_path() -> CardPath:
    cards = (
        PathCard(steps=5, characteristics=2, kept=0.99, figures=measured(0.7, 0.5), joined=(joined("age", 0, 3),)),
        PathCard(steps=4, characteristics=2, kept=0.95, joined=(joined("age", 1, 2),)),
        PathCard(steps=2, characteristics=1, kept=0.8, figures=measured(0.66, 0.55), joined=(joined("home", 0, 1),)),
        PathCard(steps=0, characteristics=0, kept=0.0, figures=measured(0.5, 0.69), joined=(joined("age", 2, 3),)),
    )
    return CardPath(learner="mine", option="steps", cards=cards, chosen=0, finest=(AGE, HOME))


def evidence(path: Any) -> Evidence:
    return Evidence(model_sha256="", metrics=FrozenMapping({CARD_PATH: path}))


def test_evidence_keeps_a_path() -> None:
    assert CardPath.of(evidence(a_path().to_json())) == a_path()
    assert CardPath.of(Evidence(model_sha256="")) is None


def test_what_merges_is_said_from_the_larger_card_to_the_smaller() -> None:
    path = a_path()
    assert [(each.feature, each.parts, each.whole) for each in path.to(4).merges] == [
        ("age", ("[25, 40)", ">= 40"), ">= 25")
    ]
    small = path.to(2)
    assert small.without == ("home",)
    assert small.lost == pytest.approx({"auc": 0.04, "log_loss": 0.05})
    assert path.to(0).without == ("age", "home")
    back = replace(path, chosen=2).to(5)
    assert (back.without, back.merges) == (("home",), path.to(4).merges)
    assert (
        back.describe()
        == "3 more steps gain 0.0400 of the AUC on the training rows, and keep 99.00% of the variance instead of 80.00%"
    )


def test_cards_for_a_quantity_are_compared_by_the_share_of_variance_that_they_tell() -> None:
    cards = (
        PathCard(steps=3, characteristics=1, kept=1.0, figures=FrozenMapping({"r2": 0.5, "rmse": 2.0})),
        PathCard(steps=2, characteristics=1, kept=0.9, figures=FrozenMapping({"r2": 0.4, "rmse": 2.5})),
        PathCard(steps=0, characteristics=0, kept=0.0),
    )
    path = CardPath(learner="mine", option="steps", cards=cards, chosen=0)
    assert [figure.title for figure in path.figures] == ["R²", "RMSE"]
    assert path.to(2).lost == pytest.approx({"r2": 0.1, "rmse": 0.5})
    assert path.to(2).describe().startswith("1 fewer step costs 0.1000 of the R² on the training rows")
    assert path.to(0).describe().endswith("the card of 2 costs 0.1000 of the R² on the training rows")
    assert path.to_dict()["cards"][1] == {**cards[1].to_dict(), "chosen": False}
    assert [card.merit for card in cards] == [0.5, 0.4, None]


def test_special_values_are_named_beside_the_interval() -> None:
    cards = (a_path().cards[0], PathCard(steps=4, characteristics=2, kept=0.9, joined=(joined("age", 0, 1),)))
    [merge] = replace(a_path(), cards=cards).to(4).merges
    assert merge.parts == ("< 25 or missing", "[25, 40)")
    assert merge.whole == "< 40 or missing"


def test_many_categories_are_counted() -> None:
    values = tuple(f"c{place:02}" for place in range(40))
    town = FinestAttributes(feature="town", conditions=(Categories(values[:39]), Categories(values[39:])))
    cards = (PathCard(steps=2, characteristics=1, kept=1.0), PathCard(steps=1, characteristics=1, kept=0.5))
    path = CardPath(
        learner="mine",
        option="steps",
        cards=(cards[0], replace(cards[1], joined=())),
        chosen=0,
        finest=(town, replace(HOME, conditions=HOME.conditions)),
    )
    with_join = replace(path, cards=(cards[0], replace(cards[1], joined=(joined("town", 0, 1), joined("home", 0, 1)))))
    assert with_join.to(1).without == ("town", "home")
    three = FinestAttributes(feature="town", conditions=(*town.conditions, Missing()))
    [merge] = replace(with_join, finest=(three, HOME)).to(1).merges
    assert merge.whole.endswith("or 'c11' or 28 more")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"chosen": 4}, "no such card"),
        ({"cards": a_path().cards[::-1]}, "steps must fall"),
        (
            {"cards": (PathCard(steps=3, characteristics=1, kept=1.0, joined=(joined("age", 0, 9),)),)},
            "no such attribute",
        ),
        (
            {"cards": (PathCard(steps=3, characteristics=1, kept=1.0, joined=(joined("x", 0, 1),)),)},
            "no such attribute",
        ),
    ],
)
def test_paths_that_are_none_are_refused(change: dict[str, Any], told: str) -> None:
    with pytest.raises(ModelError, match=told):
        replace(a_path(), **{"chosen": 0, **change})


@pytest.mark.parametrize("entry", [3, (), FrozenMapping({"cards": ()}), FrozenMapping({"learner": 7})])
def test_evidence_that_tells_of_no_path_is_refused(entry: Any) -> None:
    with pytest.raises(ModelError, match="card_path"):
        CardPath.of(evidence(entry))


@pytest.mark.parametrize(
    "figures",
    [
        {"kept": -0.1},
        {"steps": -1},
        *(
            {"figures": FrozenMapping(each)}
            for each in ({"auc": 1.5}, {"log_loss": 1e300}, {"r2": math.nan}, {"f1": 1})
        ),
    ],
)
def test_figures_that_no_card_has_are_refused(figures: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match="no figure of a card"):
        PathCard(**{"steps": 2, "characteristics": 1, "kept": 0.5, **figures})


def test_a_choice_goes_through_a_file(tmp_path: Path) -> None:
    choice = a_path().choice(4, who='A "B"\n', why="= [[edit]]")
    write_review(tmp_path / "review.toml", (), choice=choice)
    assert read_whole(tmp_path / "review.toml") == (None, (), choice)
    assert dump_review(()) == ""
    with pytest.raises(InputError, match=r"no card of 3 steps; the next ones have \d+ and \d+"):
        a_path().choice(3, who="a", why="b")


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("who", " ", "says who chose, and why"),
        ("why", "", "says who chose, and why"),
        ("steps", 0, "no number of steps"),
        ("steps", True, "no number of steps"),
        ("steps", 3.5, "no number of steps"),
        ("why", 3, "why"),
        ("more", 3, "not a choice of a card"),
    ],
)
def test_choices_that_are_none_are_refused(field: str, value: Any, told: str) -> None:
    table = {"learner": "mine", "option": "steps", "steps": 4, "who": "ana", "why": "x", field: value}
    with pytest.raises(InputError, match=told):
        CardChoice.read(table, "file 'review.toml', [choice]")
