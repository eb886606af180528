"""What an export returns beside the columns of the evaluator, where it is asked for: options that exporters share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from scrutable.errors import InputError
from scrutable.model.program import DECLINED, DETAILS, INPUTS, Program

#: Whose reasons are returned.
_WHOM = ("all", "declined")


@dataclass(frozen=True, kw_only=True)
class ResultOptions:
    """Options of exporters that return results on request; a base of an exporter, or of its object of options.

    Parameters
    ----------
    status : whether to return how usual a row's inputs are: `status`, which is "scored" or says what is not, and the
        counts `unseen_inputs` and `out_of_range_inputs`.
    reasons_for : `all` rows, or those `declined` alone, as `declined_reason_1` and so on.
    details : whether to return what points are of: `attribute_<characteristic>`, the position of its attribute from 0,
        and `adjusting_<code>`, the points of each score adjustment, 0 where it does not apply. Segments have none.

    Raises
    ------
    InputError : an option has a value that it cannot have.

    Examples
    --------
    >>> from scrutable.model.program import lowered
    >>> from scrutable.testing import card
    >>> names = ResultOptions(status=True, reasons_for="declined").names(lowered(card()))
    >>> print(*names[6:])
    declined_reason_1 declined_reason_2 declined_short_1 declined_short_2 status unseen_inputs out_of_range_inputs
    """

    status: bool = False
    reasons_for: Literal["all", "declined"] = "all"
    details: bool = False

    def __post_init__(self) -> None:
        for option, example in (("status", True), ("details", True), ("reasons_for", "declined")):
            value, possible = getattr(self, option), _WHOM if option == "reasons_for" else (True, False)
            if not any(value is each or (isinstance(value, str) and value == each) for each in possible):
                raise InputError(
                    "not a value that the option can have",
                    where=f"option {option}",
                    got=value,
                    allowed=" or ".join(map(repr, possible)),
                    fix=f"for example {option}={example!r}",
                )

    def names(self, program: Program, usual: Iterable[str] | None = None) -> tuple[str, ...]:
        """The outputs of a program that are asked for, in their order.

        Parameters
        ----------
        usual : those results that are wanted of each row; all if None.
        """
        names = list(program.results if usual is None else usual)
        if self.reasons_for == "declined":
            names = [f"{DECLINED}{name}" if f"{DECLINED}{name}" in program.on_request else name for name in names]
        details = [name for name in program.on_request if name.startswith(DETAILS)] if self.details else []
        return (*names, *details, *(INPUTS if self.status else ()))
