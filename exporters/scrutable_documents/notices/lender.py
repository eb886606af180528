"""Who sends the notices: the creditor, the agency that supervises it, and the consumer reporting agency it asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from scrutable.errors import InputError, did_you_mean, under
from scrutable.writing import read_toml
from scrutable_documents.common.clean import cleaned, lines, one_text, several
from scrutable_documents.notices.score import ScoreDisclosure

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agency:
    """The Federal agency that the ECOA notice names, with its address (12 CFR part 1002, appendix A)."""

    name: str
    address: tuple[str, ...]

    def __post_init__(self) -> None:
        _settle(self, required=("name", "address"), where="lender: agency")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bureau:
    """The consumer reporting agency whose report was used (15 U.S.C. 1681m(a)(3)).

    Parameters
    ----------
    toll_free : its toll-free number, which an agency that has files on consumers nationwide must have.
    columns : those of the model that come from the report. Where they are named, an applicant whom rules declined alone
        that read none of them is told of no report; all are told of it where they are not.
    """

    name: str
    address: tuple[str, ...]
    phone: str
    toll_free: str = ""
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _settle(self, required=("name", "address", "phone"), where="lender: bureau")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lender:
    """The creditor, and what all of its notices say.

    Parameters
    ----------
    name, address : of the creditor; the address in lines.
    agency : that administers compliance with the Equal Credit Opportunity Act concerning this creditor.
    phone : for questions; may be empty.
    signature : who signs; the creditor's name if empty.
    request : what was applied for, for example "Personal loan".
    action : the statement of the action taken.
    bureau : the consumer reporting agency, where the decision used one of its reports.
    score : the score disclosure, where a consumer-report score was used.

    Raises
    ------
    InputError : something is missing or empty, or a score is disclosed without the bureau.

    Examples
    --------
    >>> agency = Agency(name="Federal Trade Commission", address="Equal Credit Opportunity, Washington, DC 20580")
    >>> Lender(name="Example Bank", address="1 Main Street\\nSpringfield", agency=agency).address
    ('1 Main Street', 'Springfield')
    """

    name: str
    address: tuple[str, ...]
    agency: Agency
    phone: str = ""
    signature: str = ""
    request: str = ""
    action: str = "We are unable to approve your application."
    bureau: Bureau | None = None
    score: ScoreDisclosure | None = None

    def __post_init__(self) -> None:
        for key, kind in _PARTS.items():
            value = getattr(self, key)
            if isinstance(value, Mapping):
                object.__setattr__(self, key, built(kind, value, f"lender: {key}"))
            elif not isinstance(value, kind) and (value is not None or key == "agency"):
                raise InputError("expected a table", where=f"lender: {key}", got=value, fix=f"write it under [{key}]")
        _settle(self, required=("name", "address", "action"), where="lender")
        if self.score is not None and self.bureau is None:
            raise InputError(
                "a score is disclosed without the consumer reporting agency",
                where="lender: bureau",
                fix="give its name, address and phone",
            )

    def disclosing(self, score: ScoreDisclosure) -> Lender:
        """A copy of this lender with another score disclosure."""
        return replace(self, score=score)


_PARTS: dict[str, type[Any]] = {"agency": Agency, "bureau": Bureau, "score": ScoreDisclosure}


def read_lender(given: Lender | Mapping[str, Any] | str | Path) -> Lender:
    """A lender as given, from a mapping, or from a TOML file.

    Raises
    ------
    InputError : a file that cannot be read, an unknown key, or as in `Lender`.
    """
    if isinstance(given, Lender):
        return given
    if isinstance(given, Mapping):
        return built(Lender, given, "lender")
    table = read_toml(given)
    try:
        return built(Lender, table, "lender")
    except InputError as error:
        raise under(error, f"file {str(given)!r}, ") from None


def example_lender() -> str:
    """A lender's TOML file to begin with."""
    return files(__package__).joinpath("lender.toml").read_text("utf-8")


def built(kind: type[T], values: Mapping[str, Any], where: str) -> T:
    """A value object from a mapping.

    Raises
    ------
    InputError : a key that it does not have, or one that is missing.
    """
    known = {each.name: each.default for each in fields(kind)}  # type: ignore[arg-type]  # T is a dataclass
    for key in values:
        if key not in known:
            raise InputError("unknown key", where=where, got=key, fix=did_you_mean(key, known))
    lacking = [key for key, default in known.items() if default is MISSING and key not in values]
    if lacking:
        what, fix = ("a key is missing", "add it") if len(lacking) == 1 else ("keys are missing", "add them")
        raise InputError(what, where=where, got=", ".join(lacking), fix=fix)
    return kind(**values)


def _settle(value: Any, *, required: tuple[str, ...], where: str) -> None:
    """Texts cleaned and addresses in lines; refused where one that is required is empty."""
    for key in (each.name for each in fields(value) if each.name not in _PARTS):
        given, place = getattr(value, key), f"{where}: {key}"
        kept: Any
        if key == "address":
            kept = tuple(line for part in several(given, place) for line in lines(part))
        elif key == "columns":
            kept = several(given, place)
        else:
            kept = cleaned(one_text(given, place))
        if key in required and not kept:
            raise InputError("it must not be empty", where=place, fix="fill it in")
        object.__setattr__(value, key, kept)
