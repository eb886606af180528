"""How a command ends that is told to stop: in order, with the exit code of its signal, and in any case."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from scrutable.writing.stopping import SIGNALS, Stopped

#: Seconds that a command has to tidy up. Solvers that work, and libraries that catch every exception, take no notice.
PATIENCE = 5.0


def orderly(work: Callable[[], None]) -> None:
    """Do some work, in which a signal that asks to stop raises Stopped, once, and then ends the program.

    The exit code is 128 and the signal's number, as shells have it. Whatever the interrupt became on its way, such as
    an ImportError of a library that was being imported, is no error. Signals that are ignored from the start, as nohup
    does with HUP, stay ignored.

    Raises
    ------
    SystemExit : a signal came.
    """
    came: list[int] = []

    def stop(number: int, frame: Any) -> None:
        if not came:  # what tidies up is not interrupted
            came.append(number)
            sys.unraisablehook = lambda _: None  # a destructor that it hits would say so
            raise Stopped

    if os.name == "posix":
        _watch()
    for number in SIGNALS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, stop)
    try:
        work()
    except BaseException:
        if not came:
            raise
    if came:
        drop_output()
        with suppress(OSError, AttributeError):  # the terminal is gone, or there was none
            sys.stderr.write(_last_words(came[0]))
            sys.stderr.flush()
        sys.exit(128 + came[0])


def drop_output() -> None:
    """Forget what standard output does not take, or Python would try again as it ends."""
    try:
        sys.stdout.flush()
    except AttributeError:  # it was closed from the start
        return
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _last_words(number: int) -> str:
    """What is said at the end; nothing to whoever pressed Ctrl-C."""
    return "" if number == signal.SIGINT else f"Stopped by {signal.Signals(number).name}.\n"


def _watch() -> None:
    """Start the thread that ends the program where a signal came and nothing came of it."""
    read, write = os.pipe()
    os.set_blocking(write, False)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    threading.Thread(target=_end_late, args=(read,), daemon=True).start()


def _end_late(signals: int) -> None:
    while True:
        number = os.read(signals, 1)[0]
        finishes = signal.getsignal(number) is signal.default_int_handler  # as Ctrl-C does a review
        if number in SIGNALS and not finishes:
            time.sleep(PATIENCE)
            with suppress(OSError):
                os.write(2, _last_words(number).encode())
            os._exit(128 + number)
