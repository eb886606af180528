"""Commands in forks of one process that has imported everything, each brought to an end at one step, or in one way.

Run as a script: it reads from standard input a list of trials as JSON, and prints what became of each, a line a trial.
"""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

#: What a process does to files, as Python's audit hooks name it; the first of it need room.
NEED_ROOM = ("open", "os.mkdir")
EVENTS = (*NEED_ROOM, "os.link", "os.rename", "os.remove", "os.rmdir", "os.chmod")
#: What whole files end with.
ENDS = {".html": "</html>\n", ".svg": "</svg>\n", ".sql": ";\n"}


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A command, the names of the files that it writes, and how it is ended.

    Parameters
    ----------
    arguments : of the command; `{}` in them is the folder that it writes in.
    way : "kill" or "no room" before a step, "limit" of the bytes of a file, or the name of a signal after a time.
    at : the step, the bytes, or the milliseconds.
    """

    arguments: list[str]
    names: list[str]
    way: str
    at: int


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How it ended: exit code or minus the signal, what it said, and whether each file is old, new, or neither.

    `raw` is what lies there, `read` what a command finds that reads it next, `left` what else is there then.
    """

    code: int
    said: str
    raw: list[str]
    read: list[str]
    left: list[str]


def run(trials: Sequence[Trial]) -> list[Outcome]:
    """What became of trials, in their order."""
    script = [sys.executable, "-B", __file__]
    asked = json.dumps([asdict(trial) for trial in trials])
    done = subprocess.run(script, input=asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [Outcome(**json.loads(line)) for line in done.stdout.splitlines()]


def _tried(trial: Trial) -> Outcome:
    from scrutable.writing.files import read_text

    with tempfile.TemporaryDirectory() as home:
        folder = Path(home, "out")
        folder.mkdir()
        for name in trial.names:
            (folder / name).write_text("old")
        said, saying = os.pipe()
        if (child := os.fork()) == 0:
            os.dup2(saying, 2)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            _ended(trial, folder)
        os.close(saying)
        with open(said) as pipe:
            text = pipe.read()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        paths = [folder / name for name in trial.names]
        raw = [_state(path, path.read_text()) for path in paths]
        read = [_state(path, read_text(path)) for path in paths]
        left = sorted(set(os.listdir(folder)) - set(trial.names))
        return Outcome(code=code, said=text, raw=raw, read=read, left=left)


def _state(path: Path, text: str) -> str:
    """Whether a file is the old one or a new one, and whole."""
    if text == "old":
        return "old"
    if path.suffix == ".json":
        try:
            json.loads(text)
        except ValueError:
            return "torn"
    return "new" if text.endswith(ENDS.get(path.suffix, "\n")) else "torn"


def _ended(trial: Trial, folder: Path) -> None:
    """In the fork: run the command, end it as is asked, and leave with its exit code."""
    from scrutable.cli import main

    code = 0
    try:
        WAYS.get(trial.way, _signal)(trial, folder)
        sys.argv = ["scrutable", *(argument.replace("{}", str(folder)) for argument in trial.arguments)]
        main()
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    finally:
        sys.stderr.flush()
        os._exit(code)


def _before_step(folder: Path, step: int, act: Callable[[], None], events: Sequence[str]) -> None:
    count = 0

    def audit(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal count
        if event in events and str(arguments[0]).startswith(str(folder)):
            count += 1
            if count == step:
                act()

    sys.addaudithook(audit)


def _kill(trial: Trial, folder: Path) -> None:
    _before_step(folder, trial.at, lambda: os.kill(os.getpid(), signal.SIGKILL), EVENTS)


def _no_room(trial: Trial, folder: Path) -> None:
    def refuse() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))

    _before_step(folder, trial.at, refuse, NEED_ROOM)


def _limit(trial: Trial, folder: Path) -> None:
    del folder
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (trial.at, trial.at))


def _signal(trial: Trial, folder: Path) -> None:
    del folder
    parent = os.getpid()
    if os.fork() == 0:
        os.close(2)
        time.sleep(trial.at / 1000)
        os.kill(parent, getattr(signal, trial.way))
        os._exit(0)


WAYS: dict[str, Callable[[Trial, Path], None]] = {"kill": _kill, "no room": _no_room, "limit": _limit}

if __name__ == "__main__":
    import scrutable.cli.app  # noqa: F401
    from scrutable.plugins.registry import registry

    for command in registry().commands():  # once, for all forks
        command.descriptor.load()
    for each in json.load(sys.stdin):
        print(json.dumps(asdict(_tried(Trial(**each)))), flush=True)
