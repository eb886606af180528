"""Choosing a card on the page: what it is shown, what is recorded, and what is refused."""

from __future__ import annotations

import http.client
import json
import threading
from pathlib import Path

import pandas as pd
import pytest

from scrutable.errors import InputError
from scrutable.model import Categories, FrozenMapping, Interval
from scrutable.plugins import CardPath, FinestAttributes, Joined, PathCard, read_whole
from scrutable_review import Review
from scrutable_review.page import ReviewServer, ReviewSession
from scrutable_review.page.session import StaleError

AWKWARD = "<img src=x onerror=alert(1)>"


@pytest.fixture
def cards() -> CardPath:
    """Two cards of the frame's features."""
    age = FinestAttributes(feature="age", conditions=(Interval(upper=30), Interval(30, 50), Interval(50)))
    home = FinestAttributes(feature="home", conditions=(Categories(("own",)), Categories((AWKWARD, "rent"))))
    figures = (FrozenMapping({"auc": 0.7, "log_loss": 0.6}), FrozenMapping({"auc": 0.69, "log_loss": 0.62}))
    join = (Joined(feature="age", first=0, second=1), Joined(feature="home", first=0, second=1))
    return CardPath(
        learner="additive",
        option="steps",
        cards=(
            PathCard(steps=5, characteristics=2, kept=0.9, figures=figures[0]),
            PathCard(
                steps=2,
                characteristics=1,
                kept=0.8,
                figures=figures[1],
                joined=join,
            ),
        ),
        chosen=0,
        finest=(age, home),
    )


@pytest.fixture
def session(review: Review, tmp_path: Path, cards: CardPath) -> ReviewSession:
    return ReviewSession(review, tmp_path / "review.toml", cards=cards)


def test_the_state_has_the_cards_and_the_choice(session: ReviewSession, review: Review, tmp_path: Path) -> None:
    state = json.loads(json.dumps(session.state()))
    assert [(card["steps"], card["chosen"]) for card in state["cards"]["cards"]] == [(5, True), (2, False)]
    assert (state["cards"]["steps"], state["cards"]["learner"], state["choice"]) == ([5, 2], "additive", None)
    assert ReviewSession(review, tmp_path / "other.toml").state()["cards"] is None


def test_looking_at_a_card_records_nothing(session: ReviewSession) -> None:
    looked = session.card(2)
    assert looked["merges"] == [{"feature": "age", "parts": ["< 30", "[30, 50)"], "whole": "< 50"}]
    assert looked["without"] == ["home"]
    assert session.review.choice is None
    assert not session.path.exists()


def test_a_choice_is_in_the_file_at_once(session: ReviewSession) -> None:
    told = session.choose(2, why="two can be read", revision=0)
    assert told["choice"] == {
        "learner": "additive", "option": "steps", "steps": 2, "who": "ana", "why": "two can be read"
    }  # fmt: skip
    assert (told["revision"], told["saved"]) == (1, True)
    assert read_whole(session.path).choice == session.review.choice
    assert "the card of 2 steps in" in session.summary()["said"]
    with pytest.raises(StaleError):
        session.choose(5, why="x", revision=0)
    assert session.choose(None)["choice"] is None
    assert read_whole(session.path).choice is None


def test_edits_keep_the_choice_and_a_file_is_continued_with_it(
    session: ReviewSession, frame: pd.DataFrame, cards: CardPath
) -> None:
    session.choose(2, who="ben", why="x")
    session.edit({"feature": "age", "action": "cut", "at": 60.5, "why": "x"})
    session.undo()
    again = Review(frame[["age", "home"]], frame["paid"], binner="quantile", special_codes={"age": [-9]})
    later = ReviewSession(again, session.path, cards=cards)
    assert later.state()["choice"]["who"] == "ben"


def test_a_choice_that_cannot_be_saved_is_none(session: ReviewSession) -> None:
    session.choose(2, why="x")
    session.path.write_text("# mine\n")
    with pytest.raises(InputError, match="changed by something else"):
        session.choose(None)
    assert session.state()["choice"]["steps"] == 2
    assert session.path.read_text() == "# mine\n"


@pytest.mark.parametrize(
    ("steps", "who", "why", "told"),
    [
        (3, "ana", "x", "the path has no card of 3 steps"),
        ("2", "ana", "x", "not a number of steps"),
        (True, "ana", "x", "not a number of steps"),
        (2, "ana", " ", "says who chose, and why"),
        (2, 3, None, "why"),
    ],
)
def test_what_is_no_choice_is_refused(
    session: ReviewSession, steps: object, who: object, why: object, told: str
) -> None:
    with pytest.raises(InputError, match=told):
        session.choose(steps, who=who, why=why)
    assert session.review.choice is None
    assert not session.path.exists()


def test_cards_of_other_columns_are_refused(review: Review, tmp_path: Path, cards: CardPath) -> None:
    review.features = ("age",)
    with pytest.raises(InputError, match="cards are of other columns"):
        ReviewSession(review, tmp_path / "review.toml", cards=cards)


def test_without_a_path_there_is_nothing_to_choose(review: Review, tmp_path: Path) -> None:
    session = ReviewSession(review, tmp_path / "review.toml")
    for act in (lambda: session.card(2), lambda: session.choose(2, why="x")):
        with pytest.raises(InputError, match="there is no path of cards"):
            act()


def test_the_server_answers_for_cards(session: ReviewSession) -> None:
    server = ReviewServer(session)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        for path, body, expected in (
            ("api/card", {"steps": 2}, 200),
            ("api/card", {"steps": 3}, 422),
            ("api/choose", {"steps": 2, "why": "x", "revision": 0}, 200),
            ("api/choose", {"steps": 5, "why": "x", "revision": 0}, 409),
            ("api/choose", {"steps": 5}, 422),
        ):
            connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
            sent, kind = json.dumps(body).encode(), {"Content-Type": "application/json"}
            connection.request("POST", f"/{server.token}/{path}", sent, kind)
            assert connection.getresponse().status == expected
            connection.close()
    finally:
        server.shutdown()
        thread.join(10)
    assert session.review.choice is not None
