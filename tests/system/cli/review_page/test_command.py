"""`scrutable review`: what it prints, opens, refuses, and leaves behind."""

from __future__ import annotations

import json
import re
import shlex
import signal
import socket
from collections.abc import Callable
from http.client import HTTPConnection, HTTPResponse
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np
import pandas as pd
import pytest
from typer.main import get_command

from scrutable.cli.app import app
from scrutable_review.page import ReviewServer

from .page import OPTIONS

#: The guide, whose section on the browser is tested here.
GUIDE = Path(__file__).parents[4] / "docs" / "review.md"


def interrupted(server: ReviewServer) -> None:
    """What happens to a server at Ctrl-C; a process of its own gets one in test_story.py."""
    signal.raise_signal(signal.SIGINT)


def test_ctrl_c_ends_the_review_without_a_file_that_nobody_asked_for(
    run: Callable[..., Any], applicants: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ReviewServer, "run", interrupted)
    result = run("review", applicants, *OPTIONS, "--no-browser", "--json")
    begun, last = map(json.loads, result.stdout.splitlines())
    assert begun["address"].startswith("http://127.0.0.1:")
    assert (result.exit_code, last) == (0, {"edits": 0, "file": None, "said": "0 edits and no file."})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("select", "kept", "told"),
    [
        ("iv:floor=0.25", {"age", "home"}, ""),
        ("iv:floor=0.25,must=[]", {"age"}, "the dictionary's is passed over"),
        ("null", None, ""),
    ],
)
def test_what_the_dictionary_says_must_stay_stays_as_in_a_fit(
    run: Callable[..., Any],
    applicants: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    select: str,
    kept: set[str] | None,
    told: str,
) -> None:
    def look(server: ReviewServer) -> None:
        seen.append(server.session.selection()["selection"])
        interrupted(server)

    seen: list[Any] = []
    dictionary = tmp_path / "known.toml"
    dictionary.write_text('must = ["age", "home"]\n[columns.age]\n[columns.home]\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ReviewServer, "run", look)
    options = ("--dictionary", dictionary, "--option", f"select={select}", "--no-browser", "--json")
    result = run("review", applicants, *OPTIONS, *options)
    assert result.exit_code == 0, result.output
    assert told in " ".join(result.stderr.split())
    [selection] = seen
    assert (None if selection is None else {*selection["kept"]}) == kept


def test_the_browser_is_led_to_the_address_that_is_said_and_holds_the_command_up_until_it_is_closed(
    run: Callable[..., Any], applicants: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def browse(uri: str) -> None:
        assert urlsplit(uri).scheme == "file"  # what other users can read in the list of processes
        [once] = set(re.findall(r'http://[^"]*', Path(unquote(urlsplit(uri).path)).read_text()))
        location = asked(once, "GET", "").getheader("Location")
        address = f"http://{urlsplit(once).netloc}{location}"
        opened.extend([address, uri, once])
        assert asked(address, "POST", "api/finish").status == 200

    def asked(address: str, method: str, name: str) -> HTTPResponse:
        url = urlsplit(address)
        connection = HTTPConnection(str(url.hostname), url.port, timeout=10)
        connection.request(method, f"{url.path}{name}", "{}", {"Content-Type": "application/json"})
        return connection.getresponse()

    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", browse)
    result = run("review", applicants, *OPTIONS, "--edits", tmp_path / "mine.toml")
    assert (result.exit_code, result.stderr) == (0, "")
    rows, first, second, _ = result.stdout.splitlines()
    assert rows == "Bins of all 400 rows"
    address, uri, once = opened
    assert first == f"The review is at {address}"
    assert urlsplit(address).path.strip("/") not in uri + once
    assert second == f"Edits are saved in {tmp_path / 'mine.toml'}. Finish on the page, or press Ctrl-C."
    assert (tmp_path / "mine.toml").exists()
    assert not Path(unquote(urlsplit(uri).path)).exists()


def test_weights_and_membership_probabilities_reach_the_page(
    run: Callable[..., Any], frame: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_the_guides_command_line_works(
    run: Callable[..., Any], frame: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    section = GUIDE.read_text(encoding="utf-8").partition("\n## In the browser\n")[2].partition("\n## ")[0]
    [line] = re.findall(r"^scrutable (review .*)$", section, re.M)
    loans = frame.drop(columns=["loan", "paid"])
    loans.assign(credit_risk=frame["paid"].map({"yes": "good", "no": "bad"})).to_csv(
        tmp_path / "loans.csv", index=False
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ReviewServer, "run", interrupted)
    result = run(*shlex.split(line), "--no-browser", "--json")
    assert result.exit_code == 0, result.output
    told, _ = map(json.loads, result.stdout.splitlines())
    assert told["edits"] == "review.toml"
    for name in re.findall(r"`(--[a-z-]+)`", section):
        params = get_command(app).commands["review"].command.params
        assert name in {option for each in params for option in each.opts}, name


def test_the_guide_names_what_is_on_the_page() -> None:
    section = GUIDE.read_text(encoding="utf-8").partition("\n## In the browser\n")[2].partition("\n## ")[0]
    markup = " ".join((resources.files("scrutable_review.page") / "static" / "page.html").read_text().split())
    quoted = re.findall(r'"([^"]+)"', section)
    assert len(quoted) >= 6
    assert [text for text in quoted if text not in markup] == []
