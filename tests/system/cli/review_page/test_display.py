"""What the page shows: texts as they are, figures as used, in windows of any width."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from selenium.webdriver.common.by import By

from scrutable.writing.decimals import number

from .page import AWKWARD, FEATURES, Page, Serve


def test_texts_from_the_data_stay_texts(page: Page, address: str) -> None:
    page.open(address, "home")
    page.drag(page.chip(AWKWARD), page.card("own"))
    page.record(f"why {AWKWARD}")
    assert AWKWARD in page.chip(AWKWARD).text
    assert page.audit()[0].count(AWKWARD) == 3  # in the edit, as who, and in why
    assert page.all("img, iframe, object") == []
    page.find("#by option[value=sex]").click()
    assert [each.text for each in page.all("#legend span")][2:] == ["bad rate of f", "bad rate of m"]


def test_the_page_fits_wide_and_narrow_windows(page: Page, address: str) -> None:
    spare = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    for width in (1280, 800, 500):
        page.driver.set_window_size(width, 800)
        for feature in FEATURES:
            page.open(address, feature)
            assert page.driver.execute_script(spare) == 0, (width, feature)
    page.find("#filter").send_keys("AG")
    assert [each.text for each in page.all("#features .name")] == ["age"]


SPELT = [0, -0.0, 0.5, 5e-05, 0.0001, 9.945e-09, 1e16, 1e15, -1.5e20, 1e100, 123456, 0.1 * 3, -2.5e-300, 5e-324]


def test_numbers_are_spelled_as_tables_spell_them(page: Page, address: str) -> None:
    page.open(address, "age")
    script = """
        const [values, done] = arguments;
        import("./dom.js").then(({ plainNumber }) => done(values.map((value) => plainNumber(value))), done);
    """
    assert page.driver.execute_async_script(script, SPELT) == [number(each) for each in SPELT]


def test_the_list_and_the_heading_show_the_information_value_as_used(page: Page, address: str) -> None:
    page.open(address, "age")
    select = page.all("[data-policy=special]")[0]
    select.find_element(By.CSS_SELECTOR, "option[value=worst]").click()
    page.until(lambda: page.said("#ask-what") == "age, special codes -9: worst")
    page.record("a refusal to tell")
    shown, plain = (float(page.figure(name).split(" ")[0]) for name in ("IV", "IV without policies"))
    listed = page.all("#features button[data-feature=age] .iv")[0].text
    assert float(listed.removeprefix("IV ")) == pytest.approx(shown, abs=0.0006)
    assert abs(shown - plain) > 0.002


def test_an_attribute_of_one_known_group_has_no_information_value(
    page: Page, serve: Serve, frame: pd.DataFrame, tmp_path: Path
) -> None:
    page.open(serve(frame.assign(sex=frame["sex"].where(frame["sex"] == "f")), tmp_path / "review.toml"), "age")
    shown = page.texts("#features .facts", "[...each.children].map((part) => part.textContent)")
    assert [facts[2] for facts in shown] == ["FIV sex –", "FIV sex –"]
