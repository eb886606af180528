"""The file of a review: the list of its edits as TOML."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from scrutable.binning.edits import BinEdit, just_above, numbered, read_edits
from scrutable.errors import InputError
from scrutable.plugins.card_choice import CardChoice
from scrutable.plugins.review_header import ReviewHeader
from scrutable.writing.decimals import number
from scrutable.writing.decoder import read_toml
from scrutable.writing.files import AnyPath, write_whole
from scrutable.writing.toml import toml_value


class ReviewFile(NamedTuple):
    """What a review's file holds.

    Parameters
    ----------
    header : None where it has none.
    choice : the card that was chosen; None where none was.
    """

    header: ReviewHeader | None
    edits: tuple[BinEdit, ...]
    choice: CardChoice | None


def dump_review(edits: Iterable[BinEdit], header: ReviewHeader | None = None, choice: CardChoice | None = None) -> str:
    """The text of a review's file: what was reviewed, if that is known, the card that was chosen, and the edits.

    >>> print(dump_review([BinEdit(feature="age", action="cut", at=25, who="ana", why="policy limit")]), end="")
    [[edit]]
    feature = "age"
    action = "cut"
    at = 25
    who = "ana"
    why = "policy limit"
    """
    parts = [[_line(key, value) for key, value in edit.to_dict().items()] for edit in edits]
    tables = ["\n".join(["[[edit]]", *lines, ""]) for lines in parts]
    return "\n".join([*(each.text() for each in (header, choice) if each is not None), *tables])


def write_review(
    path: AnyPath,
    edits: Iterable[BinEdit],
    *,
    header: ReviewHeader | None = None,
    choice: CardChoice | None = None,
    overwrite: bool = False,
) -> None:
    """Write a review's file, whole or not at all.

    Raises
    ------
    InputError : an edit without who or why, a text that TOML cannot hold, or as in
        `scrutable.writing.files.write_whole`.
    """
    made = tuple(edits)
    _check_signed(made)
    write_whole(path, dump_review(made, header, choice), overwrite=overwrite)


def read_review(path: AnyPath) -> tuple[BinEdit, ...]:
    """The edits of a review's file, for the option `edits` of any binner, or for a `Review`.

    Raises
    ------
    InputError : no TOML, something other than [[edit]] tables below a header, or an edit with a wrong field or without
        who or why; the message counts the edits from 1.
    """
    return read_whole(path).edits


def read_whole(path: AnyPath) -> ReviewFile:
    """All that a review's file holds; errors as of `read_review`, and of `CardChoice.read`."""
    tables: dict[str, Any] = read_toml(path)
    where = f"file {str(path)!r}"
    header = tables.pop("review", None)
    choice = tables.pop("choice", None)
    edits = tables.pop("edit", [])
    if tables or not isinstance(edits, list) or not all(isinstance(each, dict) for each in edits):
        fix = 'for example [[edit]], feature = "age", action = "cut", at = 25'
        raise InputError("expected edits", where=where, got=list(tables) or edits, allowed="[[edit]] tables", fix=fix)
    try:
        made = read_edits(edits)
        _check_signed(made)
    except InputError as error:
        error.where = f"{where}, {error.where}"
        raise
    return ReviewFile(
        header=None if header is None else ReviewHeader.read(header, f"{where}, [review]"),
        edits=made,
        choice=None if choice is None else CardChoice.read(choice, f"{where}, [choice]"),
    )


def _line(key: str, value: Any) -> str:
    """A field; cuts that tables can tell by the decimal below them say so in a comment."""
    cuts: list[float] = [value] if key in ("at", "to") else value if key == "cuts" else []
    notes = [f"{number(cut)} is {near}" for cut in cuts if (near := just_above(cut))]
    return f"{key} = {toml_value(_spelled(value))}" + (f"  # {', '.join(notes)}" if notes else "")


def _spelled(value: Any) -> Any:
    """Numbers as tables and audit trails spell them: without a needless .0."""
    if isinstance(value, list):
        return [_spelled(each) for each in value]
    return int(value) if isinstance(value, float) and number(value).lstrip("-").isdecimal() else value


def _check_signed(edits: Iterable[BinEdit]) -> None:
    """That each edit but a start says who decided, and why, since the evidence of a model keeps both."""
    for position, edit in enumerate(edits, 1):
        blank = [name for name in ("who", "why") if not getattr(edit, name).strip()]
        if blank and edit.action != "start":
            missing = " and ".join(blank)
            fix = f"add {missing} to the edit; Review(..., who=...) sets who for all edits without one"
            error = InputError(
                "an edit in a file says who decided, and why", where=edit.where, got=f"no {missing}", fix=fix
            )
            raise numbered(error, position)
