"""Commands that are told to stop, at work or while they import, and the processes that work for them."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrutable.data.datasets import load_german_credit

Run = Callable[..., Any]

#: Ways to stop a command, each in a fork of its own: as it imports a module, in the hands of a library that lets
#: nothing through, and in a computation that hears nothing. What becomes of each is printed.
WAYS = """
import hashlib, json, os, signal, sys, tempfile, threading, time
from scrutable.cli import ending, main

ending.PATIENCE = 0.5

def imports(module):
    def stop(event, arguments):
        if event == "import" and arguments[0] == module:
            os.kill(os.getpid(), number)
    sys.addaudithook(stop)
    main()

def deaf_library():
    while True:
        try:
            os.kill(os.getpid(), number)
            time.sleep(600)
        except BaseException:
            pass

def long_computation():
    threading.Timer(0.1, os.kill, (os.getpid(), number)).start()
    hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)

ways = {module: lambda module=module: imports(module) for module in ("scrutable.cli.app", "typer", "numpy", "pandas")}
ways |= {way.__name__: lambda way=way: ending.orderly(way) for way in (deaf_library, long_computation)}
found = []
for way, go in ways.items():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        said = tempfile.TemporaryFile()
        if (child := os.fork()) == 0:
            os.dup2(said.fileno(), 2)
            try:
                go()
            except SystemExit as error:
                os._exit(error.code)
            os._exit(0)
        found.append((way, number.name, child, said))
for way, number, child, said in found:
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    said.seek(0)
    print(json.dumps([way, number, code, said.read().decode()]))
"""

#: `scrutable`, with notices that take for ever; each process that makes one says so.
NOTICES = """
import os, sys, time

def slow(task):
    os.write(1, b"working\\n")  # at once, so that two processes do not mix their lines
    time.sleep(600)

if __name__ == "__main__":
    from scrutable_documents.notices import formats
    formats._made = slow
    from scrutable.cli import main
    main()
"""


def test_a_command_that_is_stopped_ends_in_order_wherever_it_is(model: Path, loans: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WAYS, "score", model, loans], capture_output=True, text=True, check=True, timeout=120
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    expected = {
        "SIGTERM": [143, "Stopped by SIGTERM.\n"],
        "SIGHUP": [129, "Stopped by SIGHUP.\n"],
        "SIGINT": [130, ""],
    }
    assert len(found) == 18
    assert [each for each in found if each[2:] != expected[each[1]]] == []


def test_what_a_killed_command_left_is_said_to_be_removed(run: Run, model: Path, tmp_path: Path) -> None:
    left = tmp_path / ".scrutable-0.tmp"
    (left / "files").mkdir(parents=True)
    (left / "files" / "0").write_text("half a fi")
    (left / "lock").touch()
    result = run("export", model, "--to", "json", "--output", tmp_path)
    assert result.exit_code == 0, result.output
    assert "Note: removed the unfinished files that a run that was killed had left in" in result.stderr
    assert not left.exists()


@pytest.fixture
def notices(run: Run, model: Path, tmp_path: Path) -> list[str]:
    """Arguments of a batch that keeps two processes busy."""
    lender, applicants = tmp_path / "lender.toml", tmp_path / "applicants.csv"
    lender.write_text(run("notices", "--example-lender").stdout)
    load_german_credit().frame.iloc[:100].to_csv(applicants, index=False)
    said = f"notices {model} {applicants} --lender {lender} --date 2026-11-22 --format docx --workers 2 --draft"
    return [*shlex.split(said), "--output", str(tmp_path / "notices")]


@pytest.mark.parametrize(
    ("number", "code", "said"),
    [(signal.SIGTERM, 143, "Stopped by SIGTERM."), (signal.SIGKILL, -9, None)],
)
def test_notices_that_are_stopped_leave_neither_processes_nor_folders(
    notices: list[str], tmp_path: Path, number: int, code: int, said: str | None
) -> None:
    script = tmp_path / "slow.py"
    script.write_text(NOTICES)
    running = subprocess.Popen(
        [sys.executable, script, *notices], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    assert [running.stdout.readline() for _ in range(2)] == ["working\n"] * 2
    running.send_signal(number)
    _, told = running.communicate(timeout=60)  # the pipes are closed when the last process has ended
    assert running.returncode == code
    if said is not None:
        assert told.splitlines()[-1] == said
        assert not (tmp_path / "notices").exists()
