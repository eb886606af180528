"""Sign-off: models become validated, approved and retired, and commands ask for what a setting requires."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from scrutable.errors import InputError
from scrutable.model import fingerprint, load
from scrutable.proof.approvals import STATES, Approval, Approvals, approvals_file, read_approvals
from scrutable.proof.engine_identity import sha256
from scrutable.proof.signing import check_signature, sign
from scrutable.writing.files import write_whole
from scrutable.writing.locks import locked
from scrutable.writing.settings import Settings, read_settings, settings_file

_USABLE = STATES[:-1]


def approve(model: Path, entry: Approval, *, key: Path | None = None) -> Approvals:
    """Add an entry to the approvals beside a model file.

    Parameters
    ----------
    model : the file.
    entry : without signature and digest of the one before, which are added.
    key : file of the key to sign with; None for an entry that nobody signs.

    Raises
    ------
    InputError : the state cannot come after the present one, whoever developed the model validates it, or the key does
        not sign, or is not one that the setting `signers` allows.

    Examples
    --------
    >>> import tempfile
    >>> from scrutable.model import dump
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> path = Path(tempfile.mkdtemp(), "model.json")
    >>> dump(models_named()["stumps"], path)
    >>> approve(path, Approval(state="validated", role="validator", by="J. Doe", date="2026-11-27")).state
    'validated'
    """
    name, file = fingerprint(load(model)), approvals_file(model)
    with locked(file):
        there = read_approvals(model, name)
        present = Approvals(model_sha256=name) if there is None else there
        whole = replace(entry, previous_sha256=present.last_digest, signature=None)
        present.with_entry(whole)
        if key is not None:
            whole = _signed(whole, name, key)
        made = present.with_entry(whole)
        write_whole(file, made.text(), overwrite=there is not None)
    return made


def require_state(model: Path, command: str, *, deployed: str | bytes | None = None, today: date | None = None) -> None:
    """Refuse a model that is not in the state that the setting `requires_state` asks for; nothing without the setting.

    Parameters
    ----------
    model : its file, beside which the approvals are.
    command : who asks, as errors name it.
    deployed : the text that is to be deployed, which has to be the approved one where an approval names one.
    today : the date; the present one in UTC if None.

    Raises
    ------
    InputError : nobody signed the model off, or not far enough; it is retired; the approval has expired, does not hold
        yet, or is of another model or text; a signature is missing or not right.

    Examples
    --------
    >>> require_state(Path("model.json"), "deploy")  # without the setting
    """
    settings = read_settings()
    if settings.requires_state is None:
        return
    required = _required(settings)
    name = fingerprint(load(model))
    approvals = read_approvals(model, name)
    if approvals is None or not approvals.history:
        raise _refused(model, command, "nobody signed the model off", f"no {approvals_file(model).name}", required)
    entry = approvals.history[-1]
    rank = _USABLE.index(entry.state) if entry.state in _USABLE else -1
    if rank < _USABLE.index(required):
        raise _refused(model, command, "the model is not signed off for this", entry.in_words(), required)
    day = (datetime.now(UTC).date() if today is None else today).isoformat()
    if entry.expires is not None and entry.expires < day:
        raise _refused(model, command, "the approval has expired", entry.in_words(), f"{required} on {day}")
    if entry.date > day:
        raise _refused(model, command, "the approval does not hold yet", entry.in_words(), f"{required} on {day}")
    if deployed is not None and entry.deployed_sha256 not in (None, sha256(deployed)):
        raise _refused(model, command, "another text was approved", sha256(deployed), entry.deployed_sha256 or "")
    signers = _signers(settings)
    if signers is not None and entry.signature is None:
        allowed = "a signature of an allowed signer"
        raise _refused(model, command, "the approval is not signed", entry.in_words(), allowed)
    _check_signatures(approvals, model, signers)


def sign_off_in_words(model: Path) -> str | None:
    """What a person is told of a model's sign-off; None where there is none.

    >>> sign_off_in_words(Path("model.json")) is None
    True
    """
    if not approvals_file(model).exists():
        return None
    try:
        approvals = read_approvals(model, fingerprint(load(model)))
        signers = _signers(read_settings())
        if approvals is not None and signers is not None:
            _check_signatures(approvals, model, signers)
    except InputError as error:
        return f"Sign-off: cannot be relied on: {error}"
    entry = approvals.history[-1] if approvals is not None and approvals.history else None
    if entry is None:
        return None
    day = datetime.now(UTC).date().isoformat()
    expired = " (expired)" if entry.expires is not None and entry.expires < day else ""
    return f"Sign-off: {entry.in_words()}{expired}"


def _required(settings: Settings) -> str:
    required = settings.requires_state
    if required not in _USABLE:
        where = f"{settings.where}, requires_state"
        raise InputError("no such state", where=where, got=required, allowed=", ".join(_USABLE), fix="use one of them")
    return required


def _signers(settings: Settings) -> Path | None:
    """The file of allowed signers, from the folder of the settings file."""
    return None if settings.signers is None else settings_file().parent / settings.signers


def _signed(entry: Approval, model_sha256: str, key: Path) -> Approval:
    """The entry with a signature, which is one of an allowed signer where the settings name those."""
    message, signers = entry.message(model_sha256), _signers(read_settings())
    signature = sign(message, key)
    try:
        check_signature(message, signature, entry.by, signers)
    except InputError as error:
        if error.where != "signature":
            raise
        raise InputError(
            "not a key that may sign",
            where=f"key {str(key)!r}",
            allowed=error.allowed,
            fix=f"sign with a key that may, or name its public part for {entry.by!r} in the file of allowed signers",
        ) from None
    return replace(entry, signature=signature)


def _check_signatures(approvals: Approvals, model: Path, signers: Path | None) -> None:
    """Check each signature that is there, but for entries that a later one of as high a state stands in place of."""
    checked = -1
    for number, entry in reversed(list(enumerate(approvals.history, 1))):
        rank = STATES.index(entry.state)
        if entry.signature is None or rank <= checked:
            continue
        try:
            check_signature(entry.message(approvals.model_sha256), entry.signature, entry.by, signers)
        except InputError as error:
            if error.where == "signature":
                error.fix = f"sign it off as {entry.state} anew, with a key that may sign, or have this key named"
                error.where = f"entry {number}"
            error.where = f"file {str(approvals_file(model))!r}, {error.where}"
            raise
        checked = rank


def _refused(model: Path, command: str, what: str, got: str, allowed: str) -> InputError:
    return InputError(
        what,
        where=f"{command}, model {str(model)!r}",
        got=got,
        allowed=allowed,
        fix="sign it off by `scrutable approve`; the setting requires_state of the settings file asks for it",
    )
