"""Selection on the page, from the log to the model with what was decided by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrutable.model import Scorecard, load, load_evidence
from scrutable.plugins import Selection, read_whole

from .page import AWKWARD, OPTIONS, Page, Start, ended

#: What a fit of the same applicants is told.
COLUMNS = OPTIONS[:12]
#: A floor that one of the two characteristics is below.
SELECT = ("--learner", "scorecard", "--option", "select=iv:floor=0.25")


def rows(page: Page) -> dict[str, list[str]]:
    """The cells of each characteristic's row, but for its buttons."""
    cells = page.texts("#selection-table tbody tr", "[...each.children].map((part) => part.textContent)")
    return {name: further[:-1] for name, *further in cells}


def decide(page: Page, text: str, feature: str, why: str) -> None:
    """Press a button of a characteristic, see what that would change, and say why."""
    page.find(f'#selection-table button[aria-label="{text}: {feature}"]').click()
    page.until(lambda: "AUC on these rows" in page.said("#ask-what"))
    page.find("#ask-why").send_keys(why)
    page.find("#ask-record").click()
    page.until(lambda: not page.find("#ask").is_displayed() and page.find("#selection-change").is_displayed())


def test_what_left_is_forced_in_and_what_stays_taken_out(
    page: Page, start: Start, applicants: Path, tmp_path: Path, run: Callable[..., Any]
) -> None:
    process, address = start(*SELECT)
    page.open(address, "home")
    page.find("#show-selection").click()
    page.until(lambda: page.all("#selection-table tbody tr"))
    before = rows(page)
    [kept] = [name for name, cells in before.items() if cells[1] == "kept"]
    [left] = [name for name, cells in before.items() if cells[1] == "left"]
    assert before[left][2].startswith("its information value")
    assert before[left][3] == "floor"
    assert "keeps 1 of 2" in page.said("#selection-said")
    assert not page.find("#selection-change").is_displayed()

    decide(page, "Must stay", left, f"the board asks {AWKWARD}")
    assert f"{left} comes onto the card; 2 characteristics instead of 1" in page.said("#selection-changed")
    assert rows(page)[left][1] == "kept"
    assert rows(page)[left][5] == f"must stay: the board asks {AWKWARD} (ana)"
    assert page.all("img") == []
    decide(page, "Take out", kept, "volatile")
    assert f"{kept} leaves; 1 characteristic instead of 2" in page.said("#selection-changed")
    assert f"{kept} left, since volatile." in page.said("#selection-changed")
    page.find("#undo").click()
    page.until(lambda: rows(page).get(kept, ["", ""])[1] == "kept")
    page.find("#redo").click()
    page.until(lambda: rows(page).get(kept, ["", ""])[1] == "left")
    spare = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    for width in (500, 800, 1280):
        page.driver.set_window_size(width, 800)
        page.until(lambda: page.driver.execute_script(spare) == 0)

    page.choose(left)
    assert "select: must stay" in page.audit()[1]
    page.find("#finish").click()
    page.until(lambda: page.find("#end").is_displayed())
    assert ended(process)[0] == 0
    edits = tmp_path / "review.toml"
    assert [(edit.feature, edit.stays) for edit in read_whole(edits).edits] == [(left, "must"), (kept, "never")]

    made, beside = tmp_path / "made.json", tmp_path / "evidence.json"
    output = ("--test-size", 0, "--edits", edits, "-o", made, "--evidence", beside)
    result = run("fit", applicants, *COLUMNS, *SELECT, *output)
    assert result.exit_code == 0, result.output
    fitted, evidence = load(made), load_evidence(beside)
    assert isinstance(fitted, Scorecard)
    assert [each.feature for each in fitted.characteristics] == [left]
    chosen = Selection.of(evidence)
    assert chosen is not None
    assert {entry.feature: entry.who for entry in chosen.log} == {left: "ana", kept: "ana"}
    trail: Any = evidence.binning["audit"]
    assert [(each["action"], each["detail"], each["who"]) for each in trail] == [
        ("select", "must stay", "ana"),
        ("select", "never stays", "ana"),
    ]


def test_a_fit_without_selection_refuses_what_was_decided(
    applicants: Path, tmp_path: Path, run: Callable[..., Any]
) -> None:
    edits = tmp_path / "review.toml"
    edits.write_text('[[edit]]\nfeature = "age"\naction = "select"\nstays = "never"\nwho = "ana"\nwhy = "x"\n')
    result = run("fit", applicants, *COLUMNS[:8], "--edits", edits, "-o", tmp_path / "m.json")
    assert result.exit_code == 2
    assert "this learner does not select any" in " ".join(result.output.split())


@pytest.mark.parametrize("learner", ["rug", "additive"])
def test_learners_without_selection_are_refused(applicants: Path, run: Callable[..., Any], learner: str) -> None:
    result = run("review", applicants, *OPTIONS, "--no-browser", "--learner", learner)
    assert result.exit_code == 2
    assert "selects no characteristics" in result.output
