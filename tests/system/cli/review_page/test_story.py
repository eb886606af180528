"""A review from its first edit to the scorecard, and one that is interrupted."""

from __future__ import annotations

import signal
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
from selenium.webdriver import Keys

from scrutable.model import Scorecard, load
from scrutable_review import read_review

from .page import AWKWARD, FEATURES, OPTIONS, Page, Start, ended, review_of


def test_a_review_from_the_first_drag_to_the_scorecard(
    page: Page, start: Start, applicants: Path, tmp_path: Path, run: Callable[..., Any]
) -> None:
    process, address = start()
    page.open(address, "age")
    proposed, iv = page.cuts(), page.figure("IV")

    # A cut is dragged, and seen to change figures before it is recorded.
    knob = page.all("[data-cut] .knob")[0]
    page.hand().move_to_element(knob).click_and_hold().move_by_offset(-60, 0).perform()
    page.until(lambda: "→" in page.figure("IV") and page.figure("IV").startswith(iv.split(" ")[0]))
    assert page.said("#tentative") == "Preview: not recorded"
    assert not (tmp_path / "review.toml").exists()
    page.hand().release().perform()
    page.record("policy limit")
    moved = page.cuts()
    assert moved[0] < proposed[0]
    assert moved[1:] == proposed[1:]
    assert page.figure("IV") != iv
    assert [edit.why for edit in read_review(tmp_path / "review.toml") if edit.action == "move"] == ["policy limit"]

    # A bin is dropped on its neighbour.
    bins = page.all("#axis .bin")
    page.drag(bins[1], bins[2])
    page.record("few applicants")
    assert page.cuts() == [moved[0], *moved[2:]]
    assert len(page.audit()) == 2

    # That is undone by a key, and made again by another.
    page.press_with_control("z")
    page.until(lambda: page.cuts() == moved)
    assert len(page.audit()) == 1
    page.press_with_control("z", Keys.SHIFT)
    page.until(lambda: page.cuts() == [moved[0], *moved[2:]])
    page.find("#undo").click()
    page.until(lambda: page.cuts() == moved)
    page.find("#redo").click()
    page.until(lambda: len(page.audit()) == 2)

    # Missing values are dropped on a bin; special codes get a policy from their box.
    bars = page.all("#chart .field")
    page.drag(bars[-1], bars[0])
    page.record("treated as young")
    assert page.find("[data-policy=missing]").get_attribute("value") == "with 0"
    page.find("[data-policy=special] option[value=neutral]").click()
    page.record("no verdict")
    assert page.find("[data-policy=special]").get_attribute("value") == "neutral"

    # Categories: one is split off, others are put together.
    page.choose("home")
    crowd = next((its for its in page.groups() if len(its) > 1), None)
    if crowd is None:  # every category is on its own yet
        page.drag(page.card("rent"), page.card("free"))
        page.record("both pay nothing down")
        crowd = ["rent", "free"]
    page.drag(page.chip(crowd[0]), page.find("[data-own]"))
    page.record("differs from the rest")
    assert [crowd[0]] in page.groups()
    page.drag(page.chip(AWKWARD), page.card("own"))
    page.record("alike")
    assert any({"own", AWKWARD} <= set(its) for its in page.groups())

    groups = page.groups()
    page.find("#finish").click()
    page.until(lambda: page.find("#end").is_displayed())
    code, said = ended(process)
    assert (code, said["edits"]) == (0, len([e for e in read_review(tmp_path / "review.toml") if e.action != "start"]))

    # The file is what a review loads, and what a scorecard is fitted with.
    review = review_of(pd.read_csv(applicants))
    review.load(tmp_path / "review.toml")
    rows = {name: review.table(name).rows for name in FEATURES}
    assert [row.upper for row in rows["age"] if row.kind == "interval"][:-1] == [moved[0], *moved[2:]]
    assert [list(row.values) for row in rows["home"] if row.kind == "categories"] == groups
    assert [row.policy for row in rows["age"] if row.kind in ("missing", "special")] == ["neutral", "with"]
    output, edits = tmp_path / "model.json", tmp_path / "review.toml"
    options = [each for each in OPTIONS if each not in ("--who", "ana")]
    result = run("fit", applicants, *options, "--edits", edits, "--test-size", 0, "-o", output)
    assert result.exit_code == 0, result.output
    model = load(output)
    assert isinstance(model, Scorecard)
    fitted = {each.feature: [a.condition.describe() for a in each.attributes] for each in model.characteristics}
    assert fitted == {name: [row.condition for row in rows[name]] for name in fitted}
    assert set(fitted) == set(FEATURES)


def test_an_interrupted_review_is_said_to_be_over_and_goes_on_where_it_ended(
    page: Page, start: Start, tmp_path: Path
) -> None:
    process, address = start("--edits", "mine.toml")
    page.open(address, "age")
    page.focus(page.all("[data-cut]")[0])
    page.press(Keys.DELETE)
    page.record("first day")
    left = page.cuts()
    process.send_signal(signal.SIGINT)
    assert ended(process) == (0, {"edits": 1, "file": "mine.toml", "said": "1 edit in mine.toml."})
    before = tomllib.loads((tmp_path / "mine.toml").read_text())

    page.focus(page.all("[data-cut]")[0])
    page.press(Keys.DELETE)
    page.until(lambda: "The server does not answer" in page.said("#ask-problem"))
    page.find("#ask-cancel").click()

    _, address = start("--edits", "mine.toml")
    page.open(address, "age")
    assert page.cuts() == left
    assert "first day" in page.audit()[0]
    assert tomllib.loads((tmp_path / "mine.toml").read_text()) == before


def test_ctrl_c_finishes_a_review_and_other_signals_stop_it(start: Start) -> None:
    running = {number: start()[0] for number in (signal.SIGINT, signal.SIGTERM)}
    for number, process in running.items():
        process.send_signal(number)
    said = {"edits": 0, "file": None, "said": "0 edits and no file."}
    assert [ended(process) for process in running.values()] == [(0, said), (143, said)]
