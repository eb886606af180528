"""Signals that ask a program to stop: Ctrl-C, and those of a system (TERM) and of a terminal that closes (HUP)."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

#: Those that this system has.
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

Handler = Callable[[int, Any], Any]


class Stopped(KeyboardInterrupt):
    """What such a signal raises.

    Python itself has KeyboardInterrupt, but no class derived from it, end the program by SIGINT where it passed through
    code that was compiled from a text, whoever handles it then.
    """


@contextmanager
def asked() -> Iterator[list[int]]:
    """A list that gets the number of each signal that asks to stop, which is then handled as it would have been.

    Only the main thread gets signals; elsewhere, and where nothing of Python handles the signal, it stays empty.
    """
    came: list[int] = []

    def note(handle: Handler, number: int, frame: Any) -> None:
        came.append(number)
        handle(number, frame)

    with _handled(note):
        yield came


def left_to_parent() -> None:
    """In a process that was started: let only TERM stop it. Ctrl-C and a closing terminal reach its parent, too."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL if number == signal.SIGTERM else signal.SIG_IGN)
    if os.name == "posix":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)


@contextmanager
def held() -> Iterator[None]:
    """A block that no signal interrupts: what asks to stop in the meantime is handled at its end.

    A process that is started in it begins with these signals blocked.

    Examples
    --------
    >>> try:
    ...     with held():
    ...         signal.raise_signal(signal.SIGINT)
    ...         print("whole")
    ... except KeyboardInterrupt:
    ...     print("then stopped")
    whole
    then stopped
    """
    waiting: list[Callable[[], Any]] = []

    def wait(handle: Handler, number: int, frame: Any) -> None:
        waiting.append(partial(handle, number, frame))

    try:
        with _handled(wait), _blocked():
            yield
    finally:
        for handle in waiting:
            handle()


@contextmanager
def _blocked() -> Iterator[None]:
    if os.name != "posix":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _handled(how: Callable[[Handler, int, Any], None]) -> Iterator[None]:
    """A block in which signals that Python handles are handled in another way, which is given the usual one."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = {number: handle for number in SIGNALS if callable(handle := signal.getsignal(number))}
    ours = {number: partial(how, handle) for number, handle in usual.items()}
    try:
        for number, handler in ours.items():
            signal.signal(number, handler)
        yield
    finally:
        for number, handler in ours.items():
            if signal.getsignal(number) is handler:  # else the code has set a handler of its own
                signal.signal(number, usual[number])
