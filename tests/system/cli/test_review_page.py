"""`scrutable review`: the command as a process of its own, and its page in headless Chromium."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from selenium import webdriver
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from typer.main import get_command

from scrutable import create
from scrutable.cli.app import app
from scrutable.model import Scorecard, load
from scrutable.review import Review, read_review
from scrutable.review.page import ReviewServer, ReviewSession, scales_of

#: The guide, whose section on the browser is tested here.
PAGE = Path(__file__).parents[3] / "docs" / "review.md"
AWKWARD = "<img src=x onerror=alert(1)>"
FEATURES = ["age", "home"]
OPTIONS = ["--target", "paid", "--favourable", "yes", "--protected", "sex", "--id", "loan", "--binner", "quantile"]
OPTIONS += ["--binner-option", 'special_codes={"age": [-9]}', "--who", "ana"]


@pytest.fixture(scope="module")
def applicants(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four hundred applicants: `age` has a special code and missing values, `home` an awkward category."""
    rng = np.random.default_rng(8)
    age = rng.integers(18, 76, 400).astype(float)
    age[::20], age[1::25] = -9.0, np.nan
    home = rng.choice(["own", "rent", "free", AWKWARD, "parents", "other"], 400)
    paid = np.where(rng.random(400) < 0.25 + 0.25 * (age > 40) + 0.25 * (home == "own"), "yes", "no")
    frame = pd.DataFrame(
        {"loan": range(400), "age": age, "home": home, "sex": rng.choice(["f", "m"], 400), "paid": paid}
    )
    path = tmp_path_factory.mktemp("review") / "applicants.csv"
    frame.to_csv(path, index=False)
    return path


def review_of(path: Path) -> Review:
    """The review that the command makes of the applicants."""
    frame = pd.read_csv(path)
    binner = create("binner", "quantile", special_codes={"age": [-9]})
    return Review(frame[FEATURES], frame["paid"], binner=binner, sensitive_features=frame[["sex"]], favourable="yes")


# --- the command --------------------------------------------------------------------------------------------

#: Starts the command in a folder, and gives the process and the address of its page.
Start = Callable[..., tuple[subprocess.Popen[str], str]]


@pytest.fixture
def start(applicants: Path, tmp_path: Path) -> Iterator[Start]:
    """Starts `scrutable review` in the test's folder; what still runs at the end is ended."""
    processes = []

    def begin(*arguments: str) -> tuple[subprocess.Popen[str], str]:
        command = [sys.executable, "-m", "scrutable.cli", "review", str(applicants), *OPTIONS, "--no-browser", "--json"]
        process = subprocess.Popen([*command, *arguments], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
        processes.append(process)
        assert process.stdout is not None
        return process, json.loads(process.stdout.readline())["address"]

    yield begin
    for process in processes:
        process.kill()
        process.communicate()


def ended(process: subprocess.Popen[str]) -> tuple[int, Any]:
    """The exit code, and the line at the end."""
    output, _ = process.communicate(timeout=30)
    return process.returncode, json.loads(output)


def test_ctrl_c_ends_the_review_without_a_file_that_nobody_asked_for(start: Start, tmp_path: Path) -> None:
    process, address = start()
    assert address.startswith("http://127.0.0.1:")
    process.send_signal(signal.SIGINT)
    assert ended(process) == (0, {"edits": 0, "file": None, "said": "0 edits and no file."})
    assert list(tmp_path.iterdir()) == []


def test_the_browser_is_opened_and_the_address_is_said(
    run: Callable[..., Any], applicants: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(ReviewServer, "run", ReviewServer.server_close)
    result = run("review", applicants, *OPTIONS, "--edits", tmp_path / "mine.toml")
    assert (result.exit_code, result.stderr) == (0, "")
    rows, first, second, last = result.stdout.splitlines()
    assert rows == "Bins of all 400 rows"
    assert first == f"The review is at {opened[0]}"
    assert second == f"Edits are saved in {tmp_path / 'mine.toml'}. Finish on the page, or press Ctrl-C."
    assert last == "0 edits and no file."


def test_weights_and_membership_probabilities_reach_the_page(
    run: Callable[..., Any], applicants: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = pd.read_csv(applicants)
    black = np.linspace(0, 1, len(frame))
    frame = frame.assign(p_black=black, p_white=1 - black, times=2.0).drop(columns=["sex", "loan"])
    path = tmp_path / "loans.csv"
    frame.to_csv(path, index=False)
    states: list[dict[str, Any]] = []
    monkeypatch.setattr(ReviewServer, "run", lambda self: states.append(self.session.state()) or self.server_close())
    arguments = ["--target", "paid", "--favourable", "no", "--weight", "times", "--binner", "quantile", "--no-browser"]
    probabilities = ["--protected-probabilities", "race:black=p_black,white=p_white", "--reference", "race=white"]
    result = run("review", path, *arguments, *probabilities, "-o", tmp_path / "r.toml")
    assert result.exit_code == 0, result.output
    [state] = states
    age = state["features"][0]
    rows = age["attributes"]
    assert sum(row["count"] for row in rows) == 2 * len(frame)
    assert sum(row["bad"] for row in rows) == 2 * (frame["paid"] == "yes").sum()
    assert list(age["fiv"]) == ["race: black / white"]
    assert sum(row["groups"]["race"]["black"]["count"] for row in rows) == pytest.approx(2 * black.sum())


def test_a_file_that_is_no_review_is_refused(run: Callable[..., Any], applicants: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    path.write_text("[data]\n")
    result = run("review", applicants, *OPTIONS, "--edits", path, "--no-browser")
    assert result.exit_code == 2
    assert "expected edits" in result.stderr
    assert path.read_text() == "[data]\n"


def test_the_data_are_never_overwritten(run: Callable[..., Any], applicants: Path) -> None:
    before = applicants.read_bytes()
    result = run("review", applicants, *OPTIONS, "--edits", applicants, "--no-browser")
    assert result.exit_code == 2
    assert "two uses" in result.stderr
    assert applicants.read_bytes() == before


def test_a_port_that_is_taken_is_said(run: Callable[..., Any], applicants: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("review", applicants, *OPTIONS, "-o", tmp_path / "r.toml", "--port", port, "--no-browser")
    assert result.exit_code == 2
    assert "the port cannot be used" in result.stderr


def test_the_guides_command_line_works(applicants: Path, tmp_path: Path) -> None:
    section = PAGE.read_text(encoding="utf-8").partition("\n## In the browser\n")[2].partition("\n## ")[0]
    [line] = re.findall(r"^scrutable (review .*)$", section, re.M)
    frame = pd.read_csv(applicants).drop(columns="loan")
    frame["credit_risk"] = frame.pop("paid").map({"yes": "good", "no": "bad"})
    frame.to_csv(tmp_path / "loans.csv", index=False)
    command = [sys.executable, "-m", "scrutable.cli", *line.split(), "--no-browser", "--json"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["edits"] == "review.toml"
        process.send_signal(signal.SIGINT)
        assert ended(process)[0] == 0
    for name in re.findall(r"`(--[a-z-]+)`", section):
        assert name in {option for each in get_command(app).commands["review"].params for option in each.opts}, name


def test_the_guide_names_what_is_on_the_page() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("\n## In the browser\n")[2].partition("\n## ")[0]
    markup = " ".join((resources.files("scrutable.review.page") / "static" / "page.html").read_text().split())
    quoted = re.findall(r'"([^"]+)"', section)
    assert len(quoted) >= 6
    assert [text for text in quoted if text not in markup] == []


# --- the page -----------------------------------------------------------------------------------------------


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

    def drag(self, element: WebElement, onto: WebElement) -> None:
        """As a hand does: press, move, move on, let go."""
        hand = ActionChains(self.driver, duration=50).move_to_element(element).click_and_hold()
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


@pytest.fixture(scope="module")
def driver() -> Iterator[webdriver.Chrome]:
    """Chromium without a window; without it, or its driver, the test is skipped."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        pytest.skip("Chromium or chromedriver is not here")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,1000", "--no-first-run"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("SE_OFFLINE", "true")
        made = webdriver.Chrome(options=options, service=Service(executable_path=driver))
    yield made
    made.quit()


@pytest.fixture
def page(driver: webdriver.Chrome) -> Iterator[Page]:
    """The page in the browser; afterwards its console must be free of errors."""
    driver.set_window_size(1280, 1000)
    driver.get_log("browser")
    yield Page(driver)
    assert [entry for entry in driver.get_log("browser") if entry["source"] != "network"] == []


@pytest.fixture
def address(applicants: Path, tmp_path: Path) -> Iterator[str]:
    """The address of a review in this process, saved in the test's folder."""
    review, frame = review_of(applicants), pd.read_csv(applicants)
    review.who = AWKWARD
    session = ReviewSession(review, tmp_path / "review.toml", scales=scales_of(review, frame[FEATURES]))
    server = ReviewServer(session)
    thread = threading.Thread(target=server.run)
    thread.start()
    yield server.address
    server.shutdown()
    thread.join(10)


def test_a_review_from_the_first_drag_to_the_scorecard(
    page: Page, start: Start, applicants: Path, tmp_path: Path, run: Callable[..., Any]
) -> None:
    process, address = start()
    page.open(address, "age")
    proposed, iv = page.cuts(), page.figure("IV")

    # A cut is dragged, and seen to change figures before it is recorded.
    knob = page.all("[data-cut] .knob")[0]
    ActionChains(page.driver).move_to_element(knob).click_and_hold().move_by_offset(-60, 0).perform()
    page.until(lambda: "→" in page.figure("IV") and page.figure("IV").startswith(iv.split(" ")[0]))
    assert page.said("#tentative") == "Preview: not recorded"
    assert not (tmp_path / "review.toml").exists()
    ActionChains(page.driver).release().perform()
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
    review = review_of(applicants)
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
    ActionChains(page.driver).move_to_element(page.find("#axis svg")).double_click().perform()
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


def test_a_saved_review_goes_on_where_it_ended(page: Page, start: Start, tmp_path: Path) -> None:
    process, address = start("--edits", "mine.toml")
    page.open(address, "age")
    page.focus(page.all("[data-cut]")[0])
    page.press(Keys.DELETE)
    page.record("first day")
    left = page.cuts()
    process.send_signal(signal.SIGINT)
    assert ended(process)[0] == 0
    before = tomllib.loads((tmp_path / "mine.toml").read_text())
    _, address = start("--edits", "mine.toml")
    page.open(address, "age")
    assert page.cuts() == left
    assert "first day" in page.audit()[0]
    assert tomllib.loads((tmp_path / "mine.toml").read_text()) == before


def test_a_server_that_is_gone_is_said(page: Page, start: Start) -> None:
    process, address = start()
    page.open(address, "age")
    process.send_signal(signal.SIGINT)
    assert ended(process)[0] == 0
    page.focus(page.all("[data-cut]")[0])
    page.press(Keys.DELETE)
    page.until(lambda: "The server does not answer" in page.said("#ask-problem"))
    page.find("#ask-cancel").click()


def test_a_cut_that_is_dragged_past_its_neighbour_stops_before_it(page: Page, address: str) -> None:
    page.open(address, "age")
    first, second, *others = page.cuts()
    knob = page.all("[data-cut] .knob")[0]
    ActionChains(page.driver).move_to_element(knob).click_and_hold().move_by_offset(400, 0).release().perform()
    page.record("as far as it goes")
    assert page.cuts() == [second - 1, second, *others]
    assert first < second - 1


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
