"""What the user chooses about the R code and the R that runs it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from scrutable.errors import InputError
from scrutable.plugins.bases import ResultOptions

Form = Literal["file", "package"]


@dataclass(frozen=True, kw_only=True)
class ROptions(ResultOptions):
    """Options of the exporter `r`, and those of `ResultOptions`; one object, checked once.

    Parameters
    ----------
    form : `file`, one file to source, or `package`, the sources of an R package with tests of their own.
    function_name : how the function is called.
    package : name of the R package.
    maintainer : who is named in the package: a name and an address, in ASCII.
    locale : what `run` sets LC_ALL to; the results do not depend on it.

    Raises
    ------
    InputError : an option has a value that it cannot have.

    Examples
    --------
    >>> ROptions(function_name="score_cards").function_name
    'score_cards'
    """

    form: Form = "file"
    function_name: str = "score"
    package: str = "scorecard"
    maintainer: str = "Owner of the model <owner@example.org>"
    locale: str = "C"

    def __post_init__(self) -> None:
        super().__post_init__()
        for option, pattern, allowed in _CHECKS:
            value = getattr(self, option)
            if not isinstance(value, str) or not re.fullmatch(pattern, value) or value in _RESERVED:
                raise InputError(
                    "not a value that the option can have", where=f"option {option}", got=value, allowed=allowed
                )


_RESERVED = (
    *("if", "else", "repeat", "while", "function", "for", "next", "break", "TRUE", "FALSE", "NULL", "Inf", "NaN", "in"),
    *("NA", "NA_integer_", "NA_real_", "NA_character_", "NA_complex_"),
)
#: Option, what it has to match, and that in words.
_CHECKS = (
    ("form", "file|package", "'file' or 'package'"),
    (
        "function_name",
        "[A-Za-z][A-Za-z0-9._]{0,99}",
        "a letter, then letters, digits, dots and underscores; no reserved word of R",
    ),
    ("package", "[A-Za-z][A-Za-z0-9.]{0,98}[A-Za-z0-9]", "a letter, then letters, digits and dots, no dot at the end"),
    ("maintainer", "[A-Za-z][A-Za-z .'-]* <[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+>", "'Name <name@example.org>' in ASCII"),
    ("locale", "[A-Za-z0-9._@-]+", "the name of a locale, for example 'C' or 'en_US.UTF-8'"),
)
