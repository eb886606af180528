"""The service as a process: a change of model loses no request, and logs tell of nobody."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
from scrutable import dump
from scrutable.testing import card

GOOD = {"amount": 25, "job": "cook"}
JSON = {"content-type": "application/json"}
VERSIONS = {f"v{each}": replace(card(), base_points=500 + each) for each in (1, 2)}


@contextmanager
def served(path: Path, log: Path) -> Iterator[tuple[int, str]]:
    """The process and the address of a service, which ends by TERM, and with 0."""
    with log.open("w") as told:
        process = subprocess.Popen([sys.executable, "-m", "scrutable_service", path, "--port", "0"], stderr=told)
    try:
        yield process.pid, address(log, process)
    finally:
        process.terminate()
        assert process.wait(30) in (0, -signal.SIGTERM)


def address(log: Path, process: subprocess.Popen[bytes]) -> str:
    for _ in range(600):
        line = re.search(r"served at (http://127\.0\.0\.1:\d+)", log.read_text())
        if line:
            return line[1]
        assert process.poll() is None, log.read_text()
        time.sleep(0.05)
    raise AssertionError(log.read_text())


def link(folder: Path, version: str) -> None:
    """The link to a version, replaced in one step."""
    (folder / "next").symlink_to(f"{version}.json")
    (folder / "next").replace(folder / "model.json")


def wait_for(client: httpx.Client, what: Any) -> dict[str, Any]:
    for _ in range(200):
        told = client.get("/health").json()
        if what(told):
            return dict(told)
        time.sleep(0.05)
    raise AssertionError(told)


def test_models_change_without_a_lost_request_and_each_answer_is_of_one(tmp_path: Path) -> None:
    for version, model in VERSIONS.items():
        dump(model, tmp_path / f"{version}.json")
    link(tmp_path, "v1")
    scores = {version: model.base_points + 20 for version, model in VERSIONS.items()}
    answers: list[httpx.Response] = []
    done = threading.Event()
    log = tmp_path / "log"
    with served(tmp_path / "model.json", log) as (pid, base), httpx.Client(base_url=base) as client:

        def ask() -> None:
            with httpx.Client(base_url=base) as own:
                while not done.is_set():
                    answers.append(own.post("/score", json=GOOD))
                    answers.append(own.post("/score/batch", json=[GOOD, GOOD]))

        asking = threading.Thread(target=ask)
        asking.start()
        try:
            for version in ("v2", "v1", "v2"):
                link(tmp_path, version)
                os.kill(pid, signal.SIGHUP)
                wait_for(client, lambda told, version=version: told["model"]["version"] == version)
            (tmp_path / "v9.json").write_text("{}")
            link(tmp_path, "v9")
            os.kill(pid, signal.SIGHUP)
            told = wait_for(client, lambda told: told["last_failed_change"])
            assert told["model"]["version"] == "v2"
            assert "not a Scrutable file" in told["last_failed_change"]["reason"]
        finally:
            done.set()
            asking.join()
        secret = client.post("/score?job=Zanzibar", json={"amount": "Zanzibar", "job": "Zanzibar"})
        assert secret.status_code == 422
        for size in (70_000, 200_000, 2_000_000, 20_000_000):
            assert client.post("/score", content=b" " * size, headers=JSON).status_code == 413
    assert {each.status_code for each in answers} == {200}
    seen = set()
    for each in answers:
        told = each.json()
        for result in told.get("results", [told]):
            assert result["score"] == scores[told["model"]["version"]]
        seen.add(told["model"]["version"])
    assert seen == set(VERSIONS)
    assert "Zanzibar" not in log.read_text() + secret.text
    assert "the model stays v2" in log.read_text()


def test_a_file_that_is_no_model_is_an_error_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text("{}")
    command = [sys.executable, "-m", "scrutable_service", tmp_path / "model.json"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert "not a Scrutable file" in ended.stderr
    assert "Traceback" not in ended.stderr
