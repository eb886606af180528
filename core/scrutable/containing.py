"""Code of plugins, run so that nothing it raises ends the process, while Ctrl-C does."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from scrutable.errors import PluginError


@contextmanager
def contained() -> Iterator[None]:
    """A block in which a plugin's code runs: what it raises to end the process becomes an error of the plugin.

    A `KeyboardInterrupt` is let through if the signal of Ctrl-C came, and is the plugin's own if it did not.

    Raises
    ------
    PluginError : the code raised SystemExit, or KeyboardInterrupt without Ctrl-C, or the like.

    Examples
    --------
    >>> with contained():
    ...     raise SystemExit(3)
    Traceback (most recent call last):
        ...
    scrutable.errors.PluginError: its code raised SystemExit; got '3'.
    """
    with pressed() as came:
        try:
            yield
        except Exception:
            raise
        except BaseException as error:
            if came and isinstance(error, KeyboardInterrupt):
                raise
            raised = f"its code raised {type(error).__name__}"
            what = f"{raised}, and nobody pressed Ctrl-C" if isinstance(error, KeyboardInterrupt) else raised
            raise (PluginError(what, got=str(error)) if str(error) else PluginError(what)) from error


@contextmanager
def pressed() -> Iterator[list[int]]:
    """A list that gets an entry when the signal of Ctrl-C comes, which is then handled as it would have been.

    Only the main thread gets signals; elsewhere, and where nothing of Python handles the signal, it stays empty.
    """
    came: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield came
        return

    def note(number: int, frame: Any) -> None:
        came.append(number)
        before(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield came
    finally:
        if signal.getsignal(signal.SIGINT) is note:  # else the code has set a handler of its own
            signal.signal(signal.SIGINT, before)
