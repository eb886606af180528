"""A page of a review as a user sees it, and what it is a review of."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
from selenium import webdriver
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from scrutable import create
from scrutable_review import Review

AWKWARD = "<img src=x onerror=alert(1)>"
FEATURES = ["age", "home"]
OPTIONS = ["--target", "paid", "--favourable", "yes", "--protected", "sex", "--id", "loan", "--binner", "quantile"]
OPTIONS += ["--binner-option", 'special_codes={"age": [-9]}', "--who", "ana"]

#: Starts the command in a folder, and gives the process and the address of its page.
Start = Callable[..., tuple[subprocess.Popen[str], str]]
#: Serves a review of a frame in this process, saved in a file, and gives the address of its page.
Serve = Callable[[pd.DataFrame, Path], str]


def review_of(frame: pd.DataFrame) -> Review:
    """The review that the command makes of the applicants."""
    binner = create("binner", "quantile", special_codes={"age": [-9]})
    return Review(frame[FEATURES], frame["paid"], binner=binner, sensitive_features=frame[["sex"]], favourable="yes")


def ended(process: subprocess.Popen[str]) -> tuple[int, Any]:
    """The exit code, and the line at the end."""
    output, _ = process.communicate(timeout=30)
    return process.returncode, json.loads(output)


class Page:
    """The page as a user sees it."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def find(self, css: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def all(self, css: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def until(self, holds: Callable[[], Any]) -> Any:
        return WebDriverWait(self.driver, 15, poll_frequency=0.05).until(lambda _: holds())

    def open(self, address: str, feature: str) -> None:
        self.driver.get("about:blank")
        self.driver.get(f"{address}#{feature}")
        self.until(lambda: self.said("#feature") == feature)

    def choose(self, feature: str) -> None:
        self.find(f'#features button[title="{feature}"]').click()
        self.until(lambda: self.said("#feature") == feature)

    def record(self, why: str) -> None:
        """Give the reason that the dialog asks for, and wait until the edit is in the audit trail."""
        self.until(lambda: self.find("#ask").is_displayed())
        self.find("#ask-why").send_keys(why)
        self.find("#ask-record").click()
        self.until(lambda: not self.find("#ask").is_displayed() and why in self.audit()[0])

    def hand(self) -> ActionChains:
        """The pointer, each of whose moves takes 50 milliseconds."""
        return ActionChains(self.driver, duration=50)

    def drag(self, element: WebElement, onto: WebElement) -> None:
        """As a hand does: press, move, move on, let go."""
        hand = self.hand().move_to_element(element).click_and_hold()
        hand.move_by_offset(8, 0).move_to_element(onto).release().perform()

    def press(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def press_with_control(self, key: str, *further: str) -> None:
        hand = ActionChains(self.driver).key_down(Keys.CONTROL)
        for each in further:
            hand.key_down(each)
        hand.send_keys(key)
        for each in further:
            hand.key_up(each)
        hand.key_up(Keys.CONTROL).perform()

    def focus(self, element: WebElement) -> None:
        self.driver.execute_script("arguments[0].focus()", element)

    def texts(self, css: str, what: str = "each.textContent") -> list[Any]:
        """Something of each element, all read in one instant."""
        return self.driver.execute_script(f"return [...document.querySelectorAll('{css}')].map((each) => {what})")

    def cuts(self) -> list[float]:
        return [float(text) for text in self.texts("[data-cut]", "each.getAttribute('aria-valuenow')")]

    def groups(self) -> list[list[str]]:
        chips = "[...each.querySelectorAll('.chip')].map((chip) => chip.textContent)"
        return self.texts("#groups .group", chips)

    def chip(self, text: str) -> WebElement:
        return next(each for each in self.all(".chip") if each.text == text)

    def card(self, text: str) -> WebElement:
        return self.all("#groups .group")[next(i for i, its in enumerate(self.groups()) if text in its)]

    def figure(self, name: str) -> str:
        """What stands beside a name under the feature's."""
        return dict(self.texts("#figures div", "[...each.children].map((part) => part.textContent)"))[name]

    def audit(self) -> list[str]:
        return self.texts("#audit tbody tr", "each.innerText")

    def said(self, css: str) -> str:
        return self.texts(css)[0]
