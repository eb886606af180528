"""The approvals of a model: a file beside it; entries are added, each bound to the model and to those before."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import date
from pathlib import Path
from typing import Any

from scrutable.data.frames import rows_like
from scrutable.errors import InputError
from scrutable.writing.decoder import read_json
from scrutable.writing.files import json_text

#: What a model can be, in the order in which it becomes so.
STATES = ("developed", "validated", "approved", "retired")
#: The states that may come before each; a model that nobody signed off is developed.
_BEFORE = {
    "developed": ("developed", "validated", "approved"),
    "validated": ("developed", "validated", "approved"),
    "approved": ("validated", "approved"),
    "retired": ("developed", "validated", "approved"),
}
_FORMAT, _VERSION = "scrutable-approvals", 1
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """One entry: what the model became, who said so in which role, and until when it holds.

    Parameters
    ----------
    state : one of `STATES`.
    role : of whoever says so, such as validator.
    by : their name; of a signature, the name by which the file of allowed signers knows the key.
    date : from when it holds, as YYYY-MM-DD.
    expires : the last day on which it holds; None where it holds on.
    comment : what else is to be known.
    deployed_sha256 : the digest of the text that is deployed; None where the entry is about the model alone.
    previous_sha256 : the digest of the entry before; None of the first.
    signature : as `ssh-keygen -Y sign` made it, over all the rest; None where nobody signed.

    Raises
    ------
    InputError : another state, a date that is none, an end before the beginning, or an empty name or role.

    Examples
    --------
    >>> Approval(state="validated", role="validator", by="J. Doe", date="2026-11-27").in_words()
    'validated by J. Doe (validator) on 2026-11-27'
    """

    state: str
    role: str
    by: str
    date: str
    expires: str | None = None
    comment: str = ""
    deployed_sha256: str | None = None
    previous_sha256: str | None = None
    signature: str | None = None

    def __post_init__(self) -> None:
        if self.state not in STATES:
            allowed = ", ".join(STATES)
            raise InputError("no such state", where="state", got=self.state, allowed=allowed, fix="use one of them")
        for name in ("role", "by"):
            text = getattr(self, name)
            if not isinstance(text, str) or not text.strip() or not text.isprintable():
                raise InputError(
                    "not a name", where=name, got=text, allowed="a line of text", fix="say who, and as what"
                )
        if not self.comment.isprintable():
            fix = "leave out line ends and other characters that are not seen"
            raise InputError("not a comment", where="comment", got=self.comment, allowed="a line of text", fix=fix)
        begins = _day(self.date, "date")
        if self.expires is not None and _day(self.expires, "expires") < begins:
            fix = "give a later day"
            raise InputError("it ends before it begins", where="expires", got=self.expires, allowed=self.date, fix=fix)
        digest = self.deployed_sha256
        if digest is not None and not (isinstance(digest, str) and _SHA256.fullmatch(digest)):
            raise InputError("not a digest", where="deployed_sha256", got=digest, allowed="64 hexadecimal digits")

    def in_words(self) -> str:
        """The entry as a person reads it."""
        until = "" if self.expires is None else f", until {self.expires}"
        signed = "" if self.signature is None else ", signed"
        return f"{self.state} by {self.by} ({self.role}) on {self.date}{until}{signed}"

    def message(self, model_sha256: str) -> bytes:
        """What a signature is of: the entry and the model's fingerprint."""
        stated = {**asdict(self), "model_sha256": model_sha256, "format": _FORMAT}
        del stated["signature"]
        return json.dumps(stated, sort_keys=True, separators=(",", ":")).encode()

    def digest(self, model_sha256: str) -> str:
        """The digest that the next entry has of this one."""
        return hashlib.sha256(self.message(model_sha256) + (self.signature or "").encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Approvals:
    """All entries about a model, the oldest first.

    Raises
    ------
    InputError : an entry does not follow the one before, a state cannot come after another, or whoever developed the
        model validates it.

    Examples
    --------
    >>> entry = Approval(state="validated", role="validator", by="J. Doe", date="2026-11-27")
    >>> Approvals(model_sha256="0" * 64).with_entry(entry).state
    'validated'
    """

    model_sha256: str
    history: tuple[Approval, ...] = ()

    def __post_init__(self) -> None:
        before, state, developers = None, STATES[0], set[str]()
        for number, entry in enumerate(self.history, 1):
            where = f"approvals, entry {number}"
            if entry.previous_sha256 != before:
                fix = "restore the file: entries are added, never changed or removed"
                raise InputError("the entry does not follow the one before", where=where, fix=fix)
            if state not in _BEFORE[entry.state]:
                raise _not_after(entry.state, state, where)
            person = " ".join(entry.by.split()).casefold()
            if entry.state == "validated" and person in developers:
                raise _not_independent(entry.by, where)
            if entry.state == "developed":
                developers.add(person)
            before, state = entry.digest(self.model_sha256), entry.state

    @property
    def state(self) -> str:
        """What the model is."""
        return self.history[-1].state if self.history else STATES[0]

    @property
    def last_digest(self) -> str | None:
        """The digest of the last entry, which the next one holds."""
        return self.history[-1].digest(self.model_sha256) if self.history else None

    def with_entry(self, entry: Approval) -> Approvals:
        """These and a further entry."""
        return Approvals(model_sha256=self.model_sha256, history=(*self.history, entry))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "model_sha256": self.model_sha256,
            "state": self.state,
            "history": [asdict(each) for each in self.history],
        }

    def frame(self) -> Any:
        """A row for each entry."""
        return rows_like(asdict(each) for each in self.history)

    def text(self) -> str:
        """The file's text."""
        history = [
            {key: value for key, value in asdict(each).items() if value not in (None, "")} for each in self.history
        ]
        return json_text(
            {"format": _FORMAT, "version": _VERSION, "model_sha256": self.model_sha256, "history": history}
        )


def approvals_file(model: Path) -> Path:
    """The file of approvals that stands beside a model's.

    >>> approvals_file(Path("cards/model.json")).as_posix()
    'cards/model.approval.json'
    """
    return model.with_name(f"{model.name.removesuffix('.json')}.approval.json")


def read_approvals(model: Path, fingerprint: str) -> Approvals | None:
    """The approvals of a model file; None where there are none.

    Raises
    ------
    InputError : the file cannot be read, was changed, or is about another model.
    """
    file = approvals_file(model)
    if not file.exists():
        return None
    where = f"file {str(file)!r}"
    stated = read_json(file)
    if not isinstance(stated, dict) or (stated.get("format"), stated.get("version")) != (_FORMAT, _VERSION):
        raise InputError("not a file of approvals that this release reads", where=where, fix="restore it")
    if stated.get("model_sha256") != fingerprint:
        raise InputError(
            "the approvals are of another model",
            where=where,
            got=stated.get("model_sha256"),
            allowed=fingerprint,
            fix="have this model approved, and keep the approvals of the other beside it",
        )
    entries = stated.get("history")
    if not isinstance(entries, list) or not all(map(_is_entry, entries)):
        raise InputError("not a list of approvals", where=f"{where}, history", fix="restore the file")
    try:
        return Approvals(model_sha256=fingerprint, history=tuple(Approval(**entry) for entry in entries))
    except InputError as error:
        error.where = f"{where}, {error.where}"
        raise


def _is_entry(entry: Any) -> bool:
    names = {field.name for field in fields(Approval)}
    texts = isinstance(entry, Mapping) and all(isinstance(value, str) for value in entry.values())
    return texts and {"state", "role", "by", "date"} <= entry.keys() <= names


def _day(text: object, where: str) -> date:
    try:
        day = date.fromisoformat(text) if isinstance(text, str) else None
        if day is not None and day.isoformat() == text:  # a day by the week is none: days are compared as texts
            return day
    except ValueError:
        pass
    raise InputError("not a date", where=where, got=text, allowed="YYYY-MM-DD", fix="write it so")


def _not_after(state: str, before: str, where: str) -> InputError:
    after = ", ".join(each for each in STATES if before in _BEFORE[each])
    allowed = f"what a {before} model can become: {after}" if after else None
    fix = "a retired model stays so: give another" if before == "retired" else f"have it {_BEFORE[state][0]} first"
    return InputError(f"a model that is {before} cannot become {state}", where=where, allowed=allowed, fix=fix)


def _not_independent(by: str, where: str) -> InputError:
    fix = "have it validated by somebody who did not develop it"
    what = "whoever developed a model does not validate it"
    return InputError(what, where=f"{where}, by", got=by, allowed="somebody else", fix=fix)
