"""Errors on one screen, without a traceback, and exit codes that a script can rely on."""

from __future__ import annotations

import errno
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from typer.core import TyperGroup

from scrutable.cli.ending import drop_output
from scrutable.cli.output import note, show_error
from scrutable.errors import InputError, PluginError, ScrutableError, ScrutableWarning
from scrutable.writing.stopping import Stopped, asked
from scrutable.writing.visible_text import visible

if TYPE_CHECKING:
    from scrutable.plugins.origins import Origin

#: The work failed, or something that the command checks does not hold.
FAILED = 1
#: Data, a file, an option or a model that cannot be used as given.
BAD_INPUT = 2

# Files are written in scrutable.writing.files, which names them; what is left without a name is standard output.
_NO_ROOM = (errno.ENOSPC, errno.EFBIG)

#: A parameter of a learner that an error of the core names as Python writes it.
_LEARNER_OPTION = re.compile(r"\b(allow_protected)=(\[.*\])$")
#: Options that only commands have, which errors of the core call by their names in Python.
_FLAGS = {
    "approval_rates": "--at",
    "margin": "--margin",
    "required_ratio": "--require",
    "validation_size": "--validation-size",
}
#: What fixes of the core call by its name in Python, and its option.
_IN_WORDS = (
    ("add the column to sensitive_features", "name the column with --protected"),
    ("pass sensitive_features to fit", "name the columns of protected attributes with --protected"),
    ("name it in ids", "name it with --id"),
    ("leave it out of ids", "leave it out of --id"),
)
_COLUMN = re.compile(r"^column '(.*)'$")


class Guarded(TyperGroup):
    """A group of commands that turns what they raise into a message and an exit code."""

    debug = False

    def main(self, *args: Any, **extra: Any) -> Any:
        try:
            with _notes():
                return super().main(*args, **extra)
        except Exception as error:  # not Typer's own: exits, wrong usage and closed pipes end as SystemExit
            if self.debug:
                raise
            sys.exit(_report(error))

    def make_context(self, *args: Any, **extra: Any) -> Any:
        with _wrong_usage_shown():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: Any) -> Any:
        from scrutable.cli.folders import tidied

        self.debug = ctx.params["debug"]
        with _wrong_usage_shown(), tidied(), asked() as came:
            try:
                return super().invoke(ctx)
            except BaseException as error:
                if came:  # whatever the interrupt became on its way
                    raise Stopped from error
                origin = None if isinstance(error, Exception) else _theirs(error)
                if origin is None:
                    raise
                raise _ended(error, origin) from error


@contextmanager
def _wrong_usage_shown() -> Iterator[None]:
    """What Typer says of wrong usage, which it draws on a console of its own, steers no terminal."""
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message"):
            said = visible(error.format_message())
            error.format_message = lambda: said
        raise


def _ended(error: BaseException, origin: Origin) -> PluginError:
    """An error in place of what would end the program without a word, or as if it had succeeded."""
    said = ", and nobody pressed Ctrl-C" if isinstance(error, KeyboardInterrupt) else f": {error}"
    what, got = "the code of a plugin ended the program", f"{type(error).__name__}{said}"
    return PluginError(what, where=str(origin), got=got, fix=origin.advice)


def _theirs(error: BaseException) -> Origin | None:
    """The third party's plugin in whose code, or in a library that it called, an error arose."""
    from scrutable.plugins.origins import raised_by

    raiser, _ = raised_by(error.__traceback__)
    return None if raiser is None or raiser.first_party else raiser


def _report(error: Exception) -> int:
    """Say what went wrong; the exit code."""
    from scrutable.plugins.crash_reports import unforeseen
    from scrutable.plugins.machine import missing_library

    origin = _theirs(error)
    if not isinstance(error, ScrutableError):
        error = missing_library(error, str(origin) if origin else None) or error
    if isinstance(error, OSError):
        drop_output()
        if origin is None or (error.filename is None and error.errno in _NO_ROOM):
            error = _refused(error)
    if not isinstance(error, ScrutableError):
        show_error(unforeseen(error, "`scrutable --debug` before the command's name shows the traceback"))
        return FAILED
    error.where = _FLAGS.get(error.where or "", error.where)
    error.fix = _spoken(error.fix, error.where)
    show_error(error)
    return BAD_INPUT


def _refused(error: OSError) -> InputError:
    where = f"file {error.filename!r}" if error.filename else None
    return InputError(
        "cannot be read or written",
        where="standard output" if where is None and error.errno in _NO_ROOM else where,
        got=error.strerror or str(error),
        fix="check the path, and that there are room and permissions for it",
    )


def _spoken(fix: str | None, where: str | None = None) -> str | None:
    """A fix in Python's words, with the command line's beside them.

    >>> print(_spoken("leave it out, or allow it: allow_protected=['title']"))
    leave it out, or allow it: allow_protected=['title'] (here: --option 'allow_protected=["title"]')
    """
    for python, words in _IN_WORDS:
        fix = fix and fix.replace(python, words)
    column = _COLUMN.search(where or "")
    if column is not None and fix is not None:
        import shlex

        told = f"leave the column out (here: --drop {shlex.quote(column[1])})"
        fix = fix.replace("leave the column out", told, 1)
    match = _LEARNER_OPTION.search(fix or "")
    if match is None:
        return fix
    import ast
    import json
    import shlex

    value = json.dumps(ast.literal_eval(match[2]), ensure_ascii=False)
    return f"{fix} (here: --option {shlex.quote(f'{match[1]}={value}')})"


@contextmanager
def _notes() -> Iterator[None]:
    """Each user warning is shown once, as a note; other warnings are for developers."""
    seen: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        told = message.command if isinstance(message, ScrutableWarning) else str(message)
        if issubclass(category, UserWarning) and told not in seen:
            seen.add(told)
            note(told)

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield
