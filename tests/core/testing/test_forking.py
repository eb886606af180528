"""Answers of forks: each from a process of its own, whatever the one before did or printed."""

from __future__ import annotations

import contextlib
import os
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scrutable.testing.contract import forking
from scrutable.testing.contract.check import Fault

#: A package whose import does what its options say, in place of what a component makes.
MADE = """
import os, sys, time
from scrutable.testing.contract import other_process

times = 0

def make(subject):
    global times
    times += 1
    print("printed", flush=True)
    os.write(1, b"written")
    options = subject.options
    if "end" in options:
        os._exit(3)
    if "leave" in options:
        sys.exit("enough")
    if "wait" in options:
        if os.fork() == 0:
            time.sleep(600)
        time.sleep(options["wait"])
    return {"times": str(times), "seed": str(hash("a text")), "folder": os.getcwd(), "set": os.environ.get("SET", "")}

other_process._MAKERS["odd"] = make
"""


def asked(**options: Any) -> dict[str, Any]:
    return {
        "component": {"kind": "learner", "name": "odd", "path": "odd:Odd", "summary": "", "options": options},
        "what": "odd",
    }


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[forking.Forking]:
    """A server whose forks make of a component what `MADE` says."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "sitecustomize.py").write_text(MADE)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield forking.Forking()


def test_each_answer_is_of_a_process_of_its_own(
    server: forking.Forking, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    first = server.answer(asked(), 60)
    monkeypatch.setenv("SET", "later")
    second = server.answer(asked(), 60)
    assert (first["times"], second["times"]) == ("1", "1")
    assert first["seed"] == second["seed"] != str(hash("a text"))
    assert (second["folder"], first["set"], second["set"]) == (str(tmp_path), "", "later")


def test_what_ends_without_an_answer_is_told(server: forking.Forking) -> None:
    for options, said in (({"end": 1}, "code 3"), ({"leave": 1}, "SystemExit: enough")):
        with pytest.raises(Fault, match=said):
            server.answer(asked(**options), 60)
    assert server.answer(asked(), 60)["times"] == "1"


def test_what_takes_too_long_ends_with_all_that_it_started(server: forking.Forking) -> None:
    with pytest.raises(Fault, match="no end after 1 s"):
        server.answer(asked(wait=600), 1)
    assert server.answer(asked(wait=0), 60)["times"] == "1"


def test_answers_reach_a_process_that_holds_more_than_a_thousand_files(server: forking.Forking) -> None:
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.ExitStack() as held:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, max(allowed, 2048)), most))
        held.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (allowed, most))
        for _ in range(1100):
            held.enter_context(open(os.devnull))
        server._end()
        assert server.answer(asked(), 60)["times"] == "1"


def test_a_question_that_was_interrupted_leaves_no_answer_to_the_next(
    server: forking.Forking, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("selectors.DefaultSelector.select", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            server.answer(asked(), 60)
    monkeypatch.setenv("SET", "next")
    assert server.answer(asked(), 60)["set"] == "next"


def test_a_fork_of_the_asking_process_has_a_server_of_its_own(server: forking.Forking) -> None:
    server.answer(asked(), 60)
    if (child := os.fork()) == 0:
        answered = server.answer(asked(), 60)["times"] == "1"
        server._end()
        os._exit(0 if answered else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert server.answer(asked(), 60)["times"] == "1"
