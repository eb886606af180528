"""Errors on one screen, without a traceback, and exit codes that a script can rely on."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from scrutable.cli.output import note, show_error
from scrutable.errors import ScrutableError

#: The work failed, or something that the command checks does not hold.
FAILED = 1
#: Data, a file, an option or a model that cannot be used as given.
BAD_INPUT = 2

# Typer's own control flow; the last is click's ClickException, which newer releases of Typer carry within.
_PASSED_ON: tuple[type[BaseException], ...] = (
    typer.Exit,
    typer.Abort,
    BrokenPipeError,
    *typer.BadParameter.__mro__[1:3],
)


class Guarded(TyperGroup):
    """A group of commands that turns what they raise into a message and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            with _notes():
                return super().invoke(ctx)
        except _PASSED_ON:
            raise
        except Exception as error:
            if ctx.params.get("debug"):
                raise
            if isinstance(error, ScrutableError):
                show_error(error)
                raise typer.Exit(BAD_INPUT) from None
            show_error(_unexpected(error))
            raise typer.Exit(FAILED) from None


def _unexpected(error: Exception) -> ScrutableError:
    return ScrutableError(
        "something went wrong that Scrutable did not foresee",
        got=f"{type(error).__name__}: {error}",
        fix="`scrutable --debug` before the command's name shows the traceback; please report it",
    )


@contextmanager
def _notes() -> Iterator[None]:
    """Each user warning is shown once, as a note; other warnings are for developers."""
    seen: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        if issubclass(category, UserWarning) and str(message) not in seen:
            seen.add(str(message))
            note(str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield
