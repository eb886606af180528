"""A session: what the page is told, and the file that holds every edit."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from scrutable.errors import InputError
from scrutable_review import Review, read_review
from scrutable_review.page import ReviewSession, scales_of
from scrutable_review.page.session import StaleError


def an_edit(session: ReviewSession, **further: Any) -> dict[str, Any]:
    """The first cut of age dropped."""
    cut = session.review.table("age").rows[0].upper
    return {"feature": "age", "action": "merge", "at": cut, "why": "thin bin"} | further


def test_the_state_has_tables_scales_and_progress(session: ReviewSession) -> None:
    state = json.loads(json.dumps(session.state()))
    assert (state["source"], state["file"], state["who"]) == ("loans.csv", str(session.path), "ana")
    assert [each["feature"] for each in state["features"]] == ["age", "home"]
    age, home = state["features"]
    assert age["scale"]["integer"] is True
    assert home["scale"] is None
    assert age["iv"] == session.review.table("age").iv
    assert list(age["fiv"]) == list(session.review.table("age").fiv)
    assert (state["revision"], state["saved"], state["undo"], state["redo"], state["audit"]) == (
        0,
        False,
        False,
        False,
        [],
    )


def test_each_edit_is_in_the_file_at_once(session: ReviewSession, review: Review) -> None:
    assert not session.path.exists()
    told = session.edit(an_edit(session))
    assert (told["changed"]["n_edits"], told["revision"], told["undo"], told["saved"]) == (1, 1, True, True)
    assert told["audit"][-1]["who"] == "ana"
    assert [edit.why for edit in read_review(session.path) if edit.action != "start"] == ["thin bin"]
    told = session.undo()
    assert (told["changed"]["n_edits"], told["redo"]) == (0, True)
    assert read_review(session.path) == ()
    session.redo()
    assert [edit for edit in read_review(session.path) if edit.action != "start"] == list(review.edits)


def test_a_preview_changes_neither_the_review_nor_the_file(session: ReviewSession) -> None:
    before = session.state()
    edit = an_edit(session, why="")
    told = session.preview(edit)
    assert len(told["table"]["attributes"]) == len(before["features"][0]["attributes"]) - 1
    assert told["table"]["iv"] <= before["features"][0]["iv"]
    assert told["detail"].startswith("age: cut at ")
    assert session.state() == before
    assert not session.path.exists()


def test_a_file_is_continued(session: ReviewSession, frame: pd.DataFrame) -> None:
    session.edit(an_edit(session))
    again = Review(frame[["age", "home"]], frame["paid"], binner="quantile", special_codes={"age": [-9]})
    later = ReviewSession(again, session.path, scales=scales_of(again, frame))
    assert later.state()["saved"] is True
    assert [edit.why for edit in again.edits] == ["thin bin"]
    assert again.table("age").iv == session.review.table("age").iv


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("not TOML", "not valid TOML"),
        ("[data]\npath = 'loans.csv'\n", "expected edits"),
        ("[[edit]]\nfeature = 'income'\naction = 'cut'\nat = 1.0\nwho = 'a'\nwhy = 'x'\n", "unknown column"),
    ],
)
def test_a_file_that_is_no_review_of_these_data_is_refused_and_stays(
    review: Review, tmp_path: Path, content: str, told: str
) -> None:
    path = tmp_path / "other.toml"
    path.write_text(content)
    with pytest.raises(InputError, match=told):
        ReviewSession(review, path)
    assert path.read_text() == content


def test_a_folder_that_is_not_there_is_refused_before_any_work_is_lost(review: Review, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="its folder does not exist"):
        ReviewSession(review, tmp_path / "none" / "review.toml")


def test_a_file_that_somebody_else_changed_is_not_overwritten(session: ReviewSession) -> None:
    session.edit(an_edit(session))
    session.path.write_text("# mine\n")
    audit = session.state()["audit"]
    for act in (session.undo, lambda: session.edit({"feature": "age", "action": "cut", "at": 60.5, "why": "x"})):
        with pytest.raises(InputError, match="changed by something else"):
            act()
        assert session.state()["audit"] == audit
    assert session.path.read_text() == "# mine\n"


@pytest.mark.parametrize("there", [False, True])
def test_two_reviews_of_one_file_lose_no_edit(
    review: Review, frame: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    path = tmp_path / "review.toml"
    if there:
        review.save(path)
    other = Review(frame[["age", "home"]], frame["paid"], binner="quantile", special_codes={"age": [-9]}, who="ben")
    first, second = ReviewSession(review, path), ReviewSession(other, path)
    kept: list[str] = []

    def edits(session: ReviewSession, why: str) -> None:
        with suppress(InputError):
            session.edit(an_edit(session, why=why))
            kept.append(why)

    rival = threading.Thread(target=edits, args=(second, "of the second"))
    save = review.save

    def while_the_other_saves(*arguments: Any, **options: Any) -> None:
        rival.start()
        rival.join(0.2)  # it is done, or waits
        save(*arguments, **options)

    monkeypatch.setattr(review, "save", while_the_other_saves)
    edits(first, "of the first")
    rival.join()
    assert len(kept) == 1
    assert [edit.why for edit in read_review(path) if edit.action != "start"] == kept
    for session in (first, second):
        assert len(session.state()["audit"]) == (1 if session.summary()["said"].endswith(f"in {path}.") else 0)


def test_an_edit_of_an_older_state_is_refused(session: ReviewSession) -> None:
    session.edit(an_edit(session), revision=0)
    for act in (lambda: session.edit(an_edit(session), revision=0), lambda: session.undo(revision=0)):
        with pytest.raises(StaleError, match="changed in another window"):
            act()
    assert len(session.review.edits) == 1


def test_a_refused_edit_leaves_all_as_it_was(session: ReviewSession) -> None:
    before = session.state()
    with pytest.raises(InputError, match="reason"):
        session.edit(an_edit(session, why=" "))
    assert session.state() == before
    assert not session.path.exists()


def test_finishing_leaves_a_file_even_without_edits(session: ReviewSession) -> None:
    assert session.summary()["file"] is None
    assert session.finish() == {"edits": 0, "file": str(session.path), "said": f"0 edits in {session.path}."}
    assert read_review(session.path) == ()
    session.edit(an_edit(session))
    assert session.summary()["said"] == f"1 edit in {session.path}."


@pytest.mark.real_data
def test_heloc_can_be_reviewed(data_dir: Path, tmp_path: Path) -> None:
    frame = pd.read_csv(data_dir / "heloc.csv.gz", sep=" ", header=None)
    frame.columns = ["y", *(f"x{place}" for place in range(1, 24))]
    X = frame.drop(columns="y")
    review = Review(X, frame["y"], binner="quantile", special_codes=[-7, -8, -9], favourable=0, who="ana")
    session = ReviewSession(review, tmp_path / "review.toml", scales=scales_of(review, X))
    state = json.loads(json.dumps(session.state(), allow_nan=False))
    assert len(state["features"]) == 23
    for feature in state["features"]:
        assert sum(row["count"] for row in feature["attributes"]) == 10459
        assert feature["scale"]["values"][0] == X[feature["feature"]][X[feature["feature"]] > -7].min()
    first = state["features"][0]
    cut = first["attributes"][0]["upper"]
    told = session.edit({"feature": "x1", "action": "move", "at": cut, "to": cut + 1, "why": "rounder"})
    expected = int((~frame["x1"].isin([-7, -8, -9]) & (frame["x1"] < cut + 1)).sum())
    assert told["changed"]["attributes"][0]["count"] == expected


def test_an_edit_that_cannot_be_saved_leaves_what_could_be_redone(session: ReviewSession) -> None:
    session.edit(an_edit(session))
    session.undo()
    content = session.path.read_bytes()
    session.path.write_text("# mine\n")
    with pytest.raises(InputError, match="changed by something else"):
        session.edit({"feature": "age", "action": "cut", "at": 60.5, "why": "x"})
    assert ", which was changed by something else" in session.finish()["said"]
    session.path.write_bytes(content)
    session.redo()
    assert [edit.why for edit in session.review.edits] == ["thin bin"]
    assert [edit.why for edit in read_review(session.path) if edit.action != "start"] == ["thin bin"]
    session.path.unlink()
    assert session.summary() == {
        "edits": 1,
        "file": None,
        "said": f"1 edit and no file: {session.path} is gone.",
    }


def test_a_review_of_other_bins_is_not_continued(session: ReviewSession, frame: pd.DataFrame) -> None:
    session.edit(an_edit(session))
    other = Review(frame[["age", "home"]], frame["paid"], binner="manual", special_codes={"age": [-9]})
    with pytest.raises(InputError, match="other bins; got \"binner 'quantile' in the file, 'manual' here\""):
        ReviewSession(other, session.path)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ({"action": "missing", "policy": "with", "bin": 18}, "age, missing values: with the bin of 18"),
        ({"action": "special", "policy": "worst", "codes": [-9]}, "age, special codes -9: worst"),
        ({"action": "special", "policy": "neutral"}, "age, special codes: neutral"),
        ({"action": "trend", "trend": "ascending"}, "age, trend: ascending"),
    ],
)
def test_the_dialog_says_what_an_edit_is_about(session: ReviewSession, edit: dict[str, Any], words: str) -> None:
    assert session.preview({"feature": "age", **edit})["detail"] == words
