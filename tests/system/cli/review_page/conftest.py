"""Applicants, the command as a process of its own, and its page in headless Chromium."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from scrutable_review.page import ReviewServer, ReviewSession, scales_of

from .page import AWKWARD, FEATURES, OPTIONS, Page, Serve, Start, review_of


@pytest.fixture(scope="session")
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


@pytest.fixture
def frame(applicants: Path) -> pd.DataFrame:
    """The applicants as a frame."""
    return pd.read_csv(applicants)


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


@pytest.fixture(scope="session")
def driver() -> Iterator[webdriver.Chrome]:
    """Chromium without a window; without it, or its driver, the test is skipped."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        pytest.skip("Chromium or chromedriver is not here: apt-get install chromium chromium-driver")
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
def serve() -> Iterator[Serve]:
    """Serves reviews in this process until the test ends."""
    running = []

    def begin(frame: pd.DataFrame, path: Path) -> str:
        review = review_of(frame)
        review.who = AWKWARD
        server = ReviewServer(ReviewSession(review, path, scales=scales_of(review, frame[FEATURES])))
        thread = threading.Thread(target=server.run)
        thread.start()
        running.append((server, thread))
        return server.address

    yield begin
    for server, thread in running:
        server.shutdown()
        thread.join(10)
        assert not thread.is_alive()


@pytest.fixture
def address(serve: Serve, frame: pd.DataFrame, tmp_path: Path) -> str:
    """The address of a review in this process, saved in the test's folder."""
    return serve(frame, tmp_path / "review.toml")
