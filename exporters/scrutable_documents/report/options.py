"""What the user chooses about the document of a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrutable.errors import InputError
from scrutable.plugins import Dictionary, check_options

FORMATS = ("html", "pdf")

#: What is said where the evidence is needed.
NO_EVIDENCE = "No evidence was given. Give the file that was written with the model as evidence= (--evidence)."


def named(*options: str) -> str:
    """Options as they are called in Python and on the command line.

    >>> named("about_data"), named("data", "target")
    ('about_data= (--about-data)', 'data=, target= (--data, --target)')
    """
    flags = ", ".join(f"--{option.replace('_', '-')}" for option in options)
    return f"{', '.join(f'{option}=' for option in options)} ({flags})"


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """Options of the exporter `report`; whatever is not given, the document says that it is not there.

    Parameters
    ----------
    data : a frame of applicants to measure on; best those that the model did not learn from.
    target : their outcomes: the name of a column of `data`, or an array.
    protected : protected attributes of the same rows, no inputs of the model: names of columns of `data`, a
        frame, or `Groups`, which may be probabilities.
    reference : a frame of the applicants that the model was developed on, for stability; without it the shares of the
        attributes in training stand for it. Where it has the column that `target` names, curves of separation have it
        beside the others.
    certificate : the path of a JSON certificate that `scrutable verify` wrote, or what is in it.
    purpose, limits : texts: what the model is for, and what it is not for.
    about_data : a text on the data: where they come from, of which dates.
    dictionary : a data dictionary, whose labels and texts of reasons stand where the model has none of its own.
    title, date : texts for the head of the document. No date is taken from the clock.
    format : "html", "pdf", or both.
    seed : of the bootstrap.

    Raises
    ------
    InputError : an unknown format; outcomes, protected attributes or a reference without data.
    """

    data: Any = field(default=None, repr=False, compare=False)
    target: Any = field(default=None, repr=False, compare=False)
    protected: Any = field(default=None, repr=False, compare=False)
    reference: Any = field(default=None, repr=False, compare=False)
    certificate: str | Path | Mapping[str, Any] | None = field(default=None, repr=False, compare=False)
    dictionary: Dictionary | None = field(default=None, repr=False, compare=False)
    purpose: str = ""
    limits: str = ""
    about_data: str = ""
    title: str = ""
    date: str = ""
    format: str | list[str] = "html"
    seed: int = 0

    def __post_init__(self) -> None:
        check_options(self)
        if not self.formats or not set(self.formats) <= set(FORMATS):
            raise InputError(
                "unknown format of a document",
                where="option format",
                got=self.format,
                allowed="'html', 'pdf' or both",
                fix="for example format='html'",
            )
        for name in ("target", "protected", "reference"):
            if self.data is None and getattr(self, name) is not None:
                raise InputError("there are no rows that it belongs to", where=f"option {name}", fix="give data, too")
        if self.target is None and self.protected is not None:
            raise InputError(
                "groups are compared on outcomes", where="option protected", fix="give target, too: what became of them"
            )

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats asked for."""
        return (self.format,) if isinstance(self.format, str) else tuple(self.format)
