"""Code of plugins, run so that nothing it raises ends the process, while Ctrl-C and other signals do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from scrutable.errors import PluginError
from scrutable.writing.stopping import Stopped, asked


@contextmanager
def contained() -> Iterator[None]:
    """A block in which a plugin's code runs: what it raises to end the process becomes an error of the plugin.

    If a signal came that asks to stop, `Stopped` is raised; without one, a `KeyboardInterrupt` is the plugin's own.

    Raises
    ------
    PluginError : the code raised SystemExit, or KeyboardInterrupt without Ctrl-C, or the like.
    Stopped : a signal came, whatever the code made of it.

    Examples
    --------
    >>> with contained():
    ...     raise SystemExit(3)
    Traceback (most recent call last):
        ...
    scrutable.errors.PluginError: its code raised SystemExit; got '3'.
    """
    with asked() as came:
        try:
            yield
        except BaseException as error:
            if came:  # whatever the interrupt became in the plugin's hands
                raise Stopped from error
            if isinstance(error, Exception):
                raise
            raised = f"its code raised {type(error).__name__}"
            what = f"{raised}, and nobody pressed Ctrl-C" if isinstance(error, KeyboardInterrupt) else raised
            raise (PluginError(what, got=str(error)) if str(error) else PluginError(what)) from error
