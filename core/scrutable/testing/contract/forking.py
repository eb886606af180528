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
import signal
import subprocess
import sys
import threading
import traceback
from typing import IO, Any

from scrutable.testing.contract.check import Fault

#: What takes long to import, where it is installed.
_LARGE = (
    "numpy", "pandas", "pyarrow", "narwhals", "scipy.optimize", "scipy.stats", "sklearn.linear_model", "sklearn.tree",
    "sklearn.utils.estimator_checks", "numba", "llvmlite.binding", "xgboost", "lightgbm", "fairlearn.metrics",
    "matplotlib.figure", "jinja2",
)  # fmt: skip
_SEED = "PYTHONHASHSEED"


class Forking:
    """The process, started when it is first asked."""

    def __init__(self) -> None:
        self._server: subprocess.Popen[str] | None = None
        self._owner = os.getpid()
        self._one_at_a_time = threading.Lock()

    def answer(self, asked: dict[str, Any], seconds: int) -> Any:
        """What `elsewhere` makes of a question.

        Parameters
        ----------
        seconds : the fork is ended after.

        Raises
        ------
        Fault : there is no answer.
        """
        environment = {name: value for name, value in os.environ.items() if name != _SEED}
        question = {
            "asked": asked,
            "path": sys.path,
            "cwd": os.getcwd(),
            "environment": environment,
            "seconds": seconds,
        }
        with self._one_at_a_time:
            server = self._started()
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(json.dumps(question) + "\n")
            server.stdin.flush()
            answer = json.loads(server.stdout.readline())
        if "made" not in answer:
            raise Fault("it does not work in a process of its own", got=answer["error"])
        return answer["made"]

    def _started(self) -> subprocess.Popen[str]:
        if self._server is None or self._owner != os.getpid() or self._server.poll() is not None:
            self._server = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=os.environ | {_SEED: other_seed(), "PYTHONPATH": os.pathsep.join(sys.path)},
            )
            self._owner = os.getpid()
            atexit.register(_ended, self._server)
        return self._server


def other_seed() -> str:
    """A seed of hashes of texts that is not this process's."""
    return "1" if os.environ.get(_SEED) != "1" else "2"


def _ended(server: subprocess.Popen[str]) -> None:
    assert server.stdin is not None
    assert server.stdout is not None
    with contextlib.suppress(OSError):
        server.stdin.close()
    server.wait()
    server.stdout.close()


def _serve(questions: IO[str], answers: IO[str]) -> None:
    for name in _LARGE:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.freeze()  # so that forks share the memory
    for line in questions:
        question = json.loads(line)
        read, write = os.pipe()
        if (child := os.fork()) == 0:
            os.close(read)
            _answer(question, write)
        os.close(write)
        with open(read) as pipe:
            answer = pipe.read()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        answers.write(f"{answer or json.dumps({'error': f'code {code}'})}\n")
        answers.flush()


def _answer(question: dict[str, Any], to: int) -> None:
    """In the fork: answer, and end without the ends of the process that was forked."""
    signal.alarm(question["seconds"])
    os.environ.clear()
    os.environ.update(question["environment"])
    os.chdir(question["cwd"])
    sys.path[:] = question["path"]
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nothing, standard)
    answer: dict[str, Any]
    try:
        from scrutable.testing.contract.elsewhere import made

        answer = {"made": made(question["asked"])}
    except BaseException as error:  # a component that ends the process, too
        answer = {"error": traceback.format_exception_only(error)[-1].strip()}
    with open(to, "w") as pipe:
        json.dump(answer, pipe)
    os._exit(0)


if __name__ == "__main__":
    _serve(sys.stdin, sys.stdout)
