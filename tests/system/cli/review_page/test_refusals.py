"""What cannot be recorded is said, and changes nothing."""

from __future__ import annotations

from pathlib import Path

from selenium.webdriver import Keys

from .page import Page


def test_nothing_is_recorded_without_a_reason_or_after_a_cancel(page: Page, address: str, tmp_path: Path) -> None:
    page.open(address, "age")
    proposed, iv = page.cuts(), page.figure("IV")
    page.focus(page.all("[data-cut]")[0])
    page.press(Keys.DELETE)
    page.until(lambda: page.find("#ask").is_displayed() and "→" in page.said("#ask-effect"))
    page.find("#ask-record").click()
    assert page.said("#ask-problem") == "Say why: the audit trail needs a reason."
    page.press(Keys.ESCAPE)
    page.until(lambda: not page.find("#ask").is_displayed())
    assert (page.cuts(), page.figure("IV"), page.audit()) == (proposed, iv, [])
    assert not (tmp_path / "review.toml").exists()


def test_what_cannot_be_done_is_said_and_changes_nothing(page: Page, address: str) -> None:
    page.open(address, "age")
    proposed = page.cuts()
    bins = page.all("#axis .bin")
    page.drag(bins[0], bins[2])
    page.until(lambda: page.said("#message p") == "Only intervals that lie side by side can be merged.")
    page.find("#dismiss").click()
    assert not page.find("#message").is_displayed()
    page.find("#cut-value").send_keys("forty", Keys.ENTER)
    page.until(lambda: "A cut is a number" in page.said("#message p"))
    page.find("#cut-value").clear()
    page.find("#cut-value").send_keys(f"{proposed[0]:g}", Keys.ENTER)
    page.until(lambda: page.said("#ask-problem"))
    page.find("#ask-why").send_keys("twice")
    page.find("#ask-record").click()
    page.until(lambda: page.find("#ask-record").is_enabled() and "cut" in page.said("#ask-problem"))
    page.find("#ask-cancel").click()
    assert (page.cuts(), page.audit()) == (proposed, [])


def test_another_window_that_is_behind_is_told_and_brought_up_to_date(page: Page, address: str) -> None:
    page.open(address, "age")
    proposed = page.cuts()
    here = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    page.open(address, "age")
    page.focus(page.all("[data-cut]")[0])
    page.press(Keys.DELETE)
    page.record("elsewhere")
    page.driver.close()
    page.driver.switch_to.window(here)
    page.focus(page.all("[data-cut]")[1])
    page.press(Keys.DELETE)
    page.until(lambda: page.find("#ask").is_displayed())
    page.find("#ask-why").send_keys("here")
    page.find("#ask-record").click()
    page.until(lambda: "changed in another window" in page.said("#ask-problem"))
    page.find("#ask-cancel").click()
    page.until(lambda: page.cuts() == proposed[1:])
