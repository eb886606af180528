"""What is said of an error that nobody meant to show: whose code it arose in, and who is to hear of it."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from scrutable.errors import PluginError, ScrutableError
from scrutable.plugins.origins import raised_by


def unforeseen(error: Exception, first: str = "") -> ScrutableError:
    """An error in place of one that no code of ours raised on purpose.

    It says the kind and the line of the other, not its text: that may quote a row, and rows are persons'.

    Parameters
    ----------
    first : what to do before all else, as a part of a sentence.

    Examples
    --------
    >>> print(unforeseen(ValueError("no"), "look at the traceback"))
    something went wrong that Scrutable did not foresee; got 'ValueError'. Fix: look at the traceback; please report it.
    """
    raiser, through = raised_by(error.__traceback__)
    got = f"{type(error).__name__}{_line(error.__traceback__)}"
    if raiser is not None and not raiser.first_party:
        return PluginError("the code of a plugin failed", where=str(raiser), got=got, fix=_joined(first, raiser.advice))
    if through is not None:
        what = "something went wrong in Scrutable at work for a plugin"
        ours = "or report it to Scrutable if the plugin is not at fault"
        return PluginError(what, where=str(through), got=got, fix=_joined(first, through.advice, ours))
    what = "something went wrong that Scrutable did not foresee"
    return ScrutableError(what, got=got, fix=_joined(first, "please report it"))


def _line(traceback: TracebackType | None) -> str:
    """Where an error arose, such as " in learner.py, line 7"; nothing where that is not known."""
    if traceback is None:
        return ""
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return f" in {Path(traceback.tb_frame.f_code.co_filename).name}, line {traceback.tb_lineno}"


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
