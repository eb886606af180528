"""Selection on the page: what it is shown, what a decision would change, what is recorded, and what is refused."""

from __future__ import annotations

import http.client
import json
import threading
from pathlib import Path

import pandas as pd
import pytest

from scrutable import create
from scrutable.data import DataConfig
from scrutable.errors import InputError
from scrutable.plugins import Choice, Selection, read_whole
from scrutable_review import Refits, Review, ReviewedBins, review_bins
from scrutable_review.page import ReviewServer, ReviewSession

from .conftest import AWKWARD

#: Keeps age, whose information value is far above that of home.
CODES = {"age": [-9]}
CHOSEN = Choice(name="scorecard", options={"select": "iv:floor=0.1"})


@pytest.fixture
def bins(frame: pd.DataFrame) -> ReviewedBins:
    config = DataConfig(target="paid", favourable="yes", protected=("sex",))
    return review_bins(frame, config, binner=Choice(name="quantile", options={"special_codes": CODES}), who="ana")


@pytest.fixture
def session(bins: ReviewedBins, tmp_path: Path) -> ReviewSession:
    return ReviewSession(bins.review, tmp_path / "review.toml", refits=Refits(CHOSEN, bins.rows))


def an_edit(feature: str, stays: str, **further: str) -> dict[str, str]:
    return {"feature": feature, "action": "select", "stays": stays, "why": f"asked for {AWKWARD}"} | further


def test_the_log_is_told_with_the_card(session: ReviewSession) -> None:
    assert session.state()["learner"] == "scorecard"
    told = json.loads(json.dumps(session.selection()))
    assert (told["selection"]["kept"], told["change"], told["by_hand"]) == (["age"], None, {})
    [left] = told["selection"]["log"]
    assert (left["feature"], left["step"], left["kept"]) == ("home", "floor", False)
    assert list(told["points"]) == ["age"]
    assert 0.5 < told["auc"] < 1
    assert not session.path.exists()


def test_a_preview_says_what_the_refit_would_change_and_records_nothing(session: ReviewSession) -> None:
    told = session.preview(an_edit("home", "must", why=""))
    assert told["detail"] == "home: must stay"
    assert (told["change"]["came"], told["change"]["size"]) == (("home",), (1, 2))
    assert told["change"]["said"].startswith("home comes onto the card; 2 characteristics instead of 1; AUC on these")
    assert session.review.edits == ()
    assert session.selection()["selection"]["kept"] == ["age"]


def test_decisions_are_recorded_and_the_refit_says_what_they_changed(session: ReviewSession) -> None:
    table = session.review.table("home")
    changed = session.edit(an_edit("home", "must"), revision=0)
    assert (changed["changed"]["stays"], changed["changed"]["n_edits"]) == ("must", 1)
    assert session.review.table("home") == table
    entry = changed["audit"][-1]
    assert (entry["action"], entry["detail"], entry["who"]) == ("select", "must stay", "ana")
    told = session.selection()
    assert told["selection"]["kept"] == ["age", "home"]
    assert told["change"]["came"] == ("home",)
    assert told["change"]["detail"] == "home: must stay"
    assert told["by_hand"]["home"]["who"] == "ana"

    session.edit(an_edit("age", "never", who="ben"), revision=1)
    told = session.selection()
    assert told["selection"]["kept"] == ["home"]
    assert told["change"]["left"] == {"age": f"asked for {AWKWARD}"}
    log = {each["feature"]: (each["step"], each["who"]) for each in told["selection"]["log"]}
    assert log == {"age": ("by hand", "ben"), "home": ("floor", "ana")}
    session.undo()
    assert session.selection()["selection"]["kept"] == ["age", "home"]
    session.edit(an_edit("home", "free"))
    assert session.selection()["selection"]["kept"] == ["age"]
    assert session.state()["features"][1]["stays"] == "free"


def test_a_file_with_decisions_is_continued_and_fits_the_same_card(
    session: ReviewSession, bins: ReviewedBins, frame: pd.DataFrame
) -> None:
    session.edit(an_edit("home", "must"))
    header, edits, _ = read_whole(session.path)
    assert [(edit.action, edit.stays) for edit in edits] == [("select", "must")]
    assert header is not None
    again = Review(
        frame[["age", "home"]],
        frame["paid"],
        binner=create("binner", "quantile", special_codes=CODES),
        favourable="yes",
    )
    assert ReviewSession(again, session.path).state()["features"][1]["stays"] == "must"
    learner = create("learner", "scorecard", select="iv:floor=0.1", binner=again.binner())
    chosen = Selection.of(learner.fit(frame[["age", "home"]], frame["paid"]).evidence_)
    assert chosen is not None
    assert chosen.to_dict() == session.selection()["selection"]


def test_cards_are_fitted_once(session: ReviewSession, monkeypatch: pytest.MonkeyPatch) -> None:
    fits, fit = [], Refits._fit
    monkeypatch.setattr(Refits, "_fit", lambda self, binner: fits.append(binner) or fit(self, binner))
    session.selection()
    session.preview(an_edit("home", "must", why=""))
    session.edit(an_edit("home", "must"))
    session.selection()
    session.selection()
    assert len(fits) == 3  # before it, as previewed without a reason, and as recorded with one


def test_learners_that_select_nothing_are_refused(bins: ReviewedBins) -> None:
    for name in ("additive", "rug"):
        with pytest.raises(InputError, match="--learner: the learner selects no characteristics"):
            Refits(Choice(name=name), bins.rows)
    with pytest.raises(InputError, match="the learner is given a binner"):
        Refits(Choice(name="scorecard", options={"binner": "quantile"}), bins.rows)


def test_without_a_learner_that_selects_there_is_no_selection(bins: ReviewedBins, tmp_path: Path) -> None:
    session = ReviewSession(bins.review, tmp_path / "review.toml")
    assert session.state()["learner"] is None
    with pytest.raises(InputError, match="no learner selects here"):
        session.selection()


def test_the_server_answers_for_the_selection(session: ReviewSession) -> None:
    server = ReviewServer(session)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        for path, body, expected in (
            ("api/selection", {}, 200),
            ("api/preview", {"edit": an_edit("home", "must")}, 200),
            ("api/preview", {"edit": an_edit("home", "always")}, 422),
            ("api/edit", {"edit": an_edit("home", "must"), "revision": 0}, 200),
            ("api/edit", {"edit": an_edit("home", "never"), "revision": 0}, 409),
        ):
            connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
            sent, kind = json.dumps(body).encode(), {"Content-Type": "application/json"}
            connection.request("POST", f"/{server.token}/{path}", sent, kind)
            assert connection.getresponse().status == expected, path
            connection.close()
    finally:
        server.shutdown()
        thread.join(10)
    assert session.review.by_hand["home"].stays == "must"
