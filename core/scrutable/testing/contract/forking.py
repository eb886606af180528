"""A process that has imported the large libraries and nothing of plugins, and answers each question in a fork.

Starting an interpreter and importing them takes longer than most answers. Its hashes of texts are others than those of
the process that asks. `python -m scrutable.testing.contract.forking` reads questions from its standard input, a line of
JSON each, and writes a line of JSON for each; it ends where its input does, with whoever started it.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
import traceback
import warnings
from typing import IO, Any

from scrutable.testing.contract.check import Fault
from scrutable.writing.stopping import left_to_parent

#: What takes long to import, where it is installed.
_LARGE = (
    "numpy", "pandas", "pyarrow", "narwhals", "scipy.optimize", "scipy.stats", "sklearn.linear_model", "sklearn.tree",
    "sklearn.utils.estimator_checks", "numba", "llvmlite.binding", "xgboost", "lightgbm", "fairlearn.metrics",
    "matplotlib.figure", "jinja2",
)  # fmt: skip
_SEED = "PYTHONHASHSEED"
#: Seconds that an answer may come late.
_MARGIN = 60


class Forking:
    """The process, started when it is first asked, and anew after a fork or an answer that did not come."""

    _server: subprocess.Popen[str] | None

    def __init__(self) -> None:
        self._forget()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def answer(self, asked: dict[str, Any], seconds: int) -> Any:
        """What `elsewhere` makes of a question.

        Parameters
        ----------
        seconds : the fork is ended after.

        Raises
        ------
        Fault : there is no answer.
        """
        here = {"path": sys.path, "cwd": os.getcwd(), "environment": dict(os.environ)}
        with self._one_at_a_time:
            try:
                answer = self._asked(here | {"asked": asked, "seconds": seconds}, seconds + _MARGIN)
            except BaseException:  # or the next question would get this one's answer
                self._end()
                raise
        if "made" not in answer:
            raise Fault("it does not work in a process of its own", got=answer["error"])
        return answer["made"]

    def _asked(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        server = self._started()
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(question) + "\n")
        server.stdin.flush()
        line = server.stdout.readline() if _speaks(server.stdout, seconds) else ""
        if not line:
            raise Fault("the process that asks in forks ended", got=server.poll())
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _started(self) -> subprocess.Popen[str]:
        if self._server is None:
            self._server = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=os.environ | {_SEED: other_seed(), "PYTHONPATH": os.pathsep.join(sys.path)},
            )
            atexit.register(self._end)
        return self._server

    def _end(self) -> None:
        atexit.unregister(self._end)
        if self._server is not None:
            self._server.kill()
            self._server.wait()
            for pipe in (self._server.stdin, self._server.stdout):
                with contextlib.suppress(OSError):
                    assert pipe is not None
                    pipe.close()
        self._server = None

    def _forget(self) -> None:
        """In a process that was forked: the server is the parent's."""
        self._server = None
        self._one_at_a_time = threading.Lock()


def other_seed() -> str:
    """A seed of hashes of texts that is not this process's."""
    return "1" if os.environ.get(_SEED) != "1" else "2"


def _speaks(pipe: IO[str] | IO[bytes], seconds: float) -> bool:
    """Whether a pipe has something to read in time, or its end; `select.select` takes no file beyond the 1,024th."""
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        return bool(selector.select(seconds))


def _serve(questions: IO[str], answers: IO[str]) -> None:
    left_to_parent()
    warnings.simplefilter("ignore", DeprecationWarning)  # of forks where libraries have threads
    for name in _LARGE:
        with contextlib.suppress(ImportError, OSError):  # OSError where a library of the machine is missing
            importlib.import_module(name)
    gc.freeze()  # so that forks share the memory
    for line in questions:
        question = json.loads(line)
        read, write = os.pipe()
        if (child := os.fork()) == 0:
            os.close(read)
            _answer(question, write)
        os.close(write)
        answers.write(f"{json.dumps(_answer_of(child, read, question['seconds']))}\n")
        answers.flush()


def _answer_of(child: int, read: int, seconds: float) -> dict[str, Any]:
    """What a fork writes on a line in time; it ends then, with all that it started."""
    begun, said = time.monotonic(), b""
    with open(read, "rb", buffering=0) as pipe:
        while not said.endswith(b"\n") and (rest := begun + seconds - time.monotonic()) > 0:
            if _speaks(pipe, rest):
                part = pipe.read(2**16)
                if not part:
                    break
                said += part
    late = time.monotonic() - begun >= seconds
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if said.endswith(b"\n"):
        return dict(json.loads(said))
    return {"error": f"no end after {seconds} s" if late else f"exit code {code}" if code >= 0 else f"signal {-code}"}


def _answer(question: dict[str, Any], to: int) -> None:
    """In the fork: answer, and end without the ends of the process that was forked."""
    os.setpgid(0, 0)
    signal.alarm(question["seconds"])  # if the one that forked it is gone
    try:
        seed = os.environ[_SEED]
        os.environ.clear()
        os.environ.update(question["environment"] | {_SEED: seed})
        os.chdir(question["cwd"])
        sys.path[:] = question["path"]
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard in range(3):
            os.dup2(nothing, standard)
        from scrutable.testing.contract.other_process import made

        answer = json.dumps({"made": made(question["asked"])})
    except BaseException as error:  # a component that ends the process, too
        answer = json.dumps({"error": traceback.format_exception_only(error)[-1].strip()})
    with open(to, "w") as pipe:
        pipe.write(f"{answer}\n")
    os._exit(0)


if __name__ == "__main__":
    _serve(sys.stdin, sys.stdout)
