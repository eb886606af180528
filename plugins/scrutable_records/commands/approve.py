"""`scrutable approve`: a model, signed off."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from scrutable.cli import console, emit_json
from scrutable.cli.options import ModelFile
from scrutable.errors import InputError
from scrutable_records.commands.options import AsJson


def approve(
    model: ModelFile,
    state: Annotated[str, typer.Option(help="developed, validated, approved or retired.")],
    role: Annotated[str, typer.Option(help="In which role it is said, such as validator.")],
    by: Annotated[str, typer.Option(help="Who says so.")],
    date: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="From when it holds; today if not given.")
    ] = None,
    expires: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="The last day on which it holds.")] = None,
    comment: Annotated[str, typer.Option(help="What else is to be known.")] = "",
    deployed: Annotated[
        Path | None, typer.Option(help="File of the text that is deployed; no other will do then.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option("--sign", metavar="KEY", help="Key to sign with, as ssh-keygen takes it.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Sign a model off: say that it is developed, validated, approved or retired, who says so and until when.

    An entry is added to the file beside the model, model.approval.json, and none is ever changed: each has the digest
    of the one before, and all are of this model's fingerprint. A model is approved after somebody who did not develop
    it has validated it.

    With requires_state = "approved" in the settings file, notices and deployment refuse any other model; with signers
    = "FILE", one of OpenSSH's allowed signers, they ask for a signature, too.

    Examples:

    [bold]scrutable approve model.json --state validated --role validator --by 'J. Doe'[/bold]

    [bold]scrutable approve model.json --state approved --role 'credit committee' --by r.roe@bank.example
    --expires 2027-11-26 --sign ~/.ssh/id_ed25519[/bold]
    """
    from scrutable.proof import Approval, approvals_file
    from scrutable.proof import approve as add

    entry = Approval(
        state=state,
        role=role,
        by=by,
        date=datetime.now(UTC).date().isoformat() if date is None else date,
        expires=expires,
        comment=comment,
        deployed_sha256=None if deployed is None else _sha256(deployed),
    )
    made = add(model, entry, key=key)
    file = approvals_file(model)
    if as_json:
        emit_json({**made.to_dict(), "written": str(file)})
    else:
        console().print(f"{made.history[-1].in_words()}; wrote {file}", soft_wrap=True)


def _sha256(file: Path) -> str:
    try:
        with open(file, "rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as error:
        fix = "give the file of the text"
        raise InputError("cannot be read", where=f"file {str(file)!r}", got=error.strerror, fix=fix) from None
