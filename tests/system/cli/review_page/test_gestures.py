"""Pointer, keys, boxes and buttons make the edits that they say."""

from __future__ import annotations

from pathlib import Path

from selenium.webdriver import Keys
from selenium.webdriver.common.by import By

from .page import Page


def test_keys_do_what_the_pointer_does(page: Page, address: str, tmp_path: Path) -> None:
    page.open(address, "age")
    proposed = page.cuts()
    page.focus(page.all("[data-cut]")[1])
    page.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    page.until(lambda: page.said("#tentative"))
    assert page.cuts()[1] == proposed[1] - 2
    page.press(Keys.ESCAPE)
    page.until(lambda: not page.said("#tentative"))
    assert page.cuts() == proposed
    assert not (tmp_path / "review.toml").exists()

    page.press(Keys.ARROW_RIGHT, Keys.ENTER)
    page.record("rounder")
    assert page.cuts()[1] == proposed[1] + 1
    assert page.driver.switch_to.active_element.get_attribute("aria-valuenow") == f"{proposed[1] + 1:g}"
    page.press(Keys.DELETE)
    page.record("needless")
    assert page.cuts() == [proposed[0], *proposed[2:]]

    page.find("#cut-value").send_keys("30.5", Keys.ENTER)
    page.until(lambda: page.find("#ask").is_displayed())
    page.find("#ask-value").clear()
    page.find("#ask-value").send_keys("31")
    page.record("law")
    assert 31.0 in page.cuts()
    assert 30.5 not in page.cuts()


def test_boxes_and_buttons_do_what_dragging_does(page: Page, address: str) -> None:
    page.open(address, "age")
    proposed = page.cuts()
    for box in page.all("#table tbody input")[:3]:
        box.click()
    page.find("#merge").click()
    page.record("three in one")
    assert page.cuts() == proposed[2:]
    page.find("#trend option[value=descending]").click()
    page.record("expert view")
    assert page.find("#trend").get_attribute("value") == "descending"
    page.hand().move_to_element(page.find("#axis svg")).double_click().perform()
    page.until(lambda: page.find("#ask").is_displayed())
    added = float(page.find("#ask-value").get_attribute("value") or "")
    page.record("a cut more")
    assert added in page.cuts()

    page.choose("home")
    page.chip("rent").click()
    page.chip("other").click()
    page.find("#move-to").find_elements(By.TAG_NAME, "option")[1].click()
    page.record("together")
    assert any({"rent", "other"} <= set(its) for its in page.groups())
    page.chip("other").click()
    page.find("#split").click()
    page.record("apart")
    assert ["other"] in page.groups()


def test_undo_and_redo_pressed_faster_than_the_server_answers_are_all_done(page: Page, address: str) -> None:
    page.open(address, "age")
    proposed = page.cuts()
    for at in (33.5, 44.5):
        page.find("#cut-value").clear()
        page.find("#cut-value").send_keys(f"{at}", Keys.ENTER)
        page.record(f"a cut at {at}")
    made = page.cuts()
    for button, cuts, n_edits in (("undo", proposed, 0), ("redo", made, 2)):
        page.driver.execute_script(f"for (let i = 0; i < 3; i += 1) document.getElementById('{button}').click()")
        page.until(lambda n_edits=n_edits: len(page.audit()) == n_edits or page.said("#message p"))
        assert (page.said("#message p"), page.cuts(), len(page.audit())) == ("", cuts, n_edits)


def test_a_cut_that_is_dragged_past_its_neighbour_stops_before_it(page: Page, address: str) -> None:
    page.open(address, "age")
    first, second, *others = page.cuts()
    knob = page.all("[data-cut] .knob")[0]
    page.hand().move_to_element(knob).click_and_hold().move_by_offset(400, 0).release().perform()
    page.record("as far as it goes")
    assert page.cuts() == [second - 1, second, *others]
    assert first < second - 1
