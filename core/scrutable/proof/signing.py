"""Signatures of texts by `ssh-keygen`, which comes with OpenSSH: detached, and made with keys that people have."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from scrutable.errors import InputError
from scrutable.writing.temporary import temporary_folder

#: What our signatures are for, so that a signature of something else is none.
_NAMESPACE = "scrutable-approval"
_SECONDS = 120


def sign(message: bytes, key: Path) -> str:
    """The signature of a text.

    Parameters
    ----------
    key : file of a private key or, where an agent holds that, of the public one.

    Raises
    ------
    InputError : `ssh-keygen` is not there, or does not sign with the key.
    """
    if not key.is_file():
        raise InputError(
            "does not exist",
            where=f"key {str(key)!r}",
            fix="give the file of a key, or make one by `ssh-keygen -t ed25519`",
        )
    done = _run(["-Y", "sign", "-f", str(key), "-n", _NAMESPACE], message)
    if done.returncode != 0 or b"SSH SIGNATURE" not in done.stdout:
        raise InputError(
            "ssh-keygen cannot sign with the key",
            where=f"key {str(key)!r}",
            got=_last_line(done.stderr),
            fix="give a private key, or the public one of a key that ssh-agent holds",
        )
    return done.stdout.decode("ascii")


def check_signature(message: bytes, signature: str, by: str, signers: Path | None) -> None:
    """Refuse a signature that is not of a text or, where it is said who may sign, not by them.

    Parameters
    ----------
    by : the name of the signer.
    signers : a file of allowed signers as OpenSSH has it; None to check that the signature is of the text, whoever
        made it.

    Raises
    ------
    InputError : it is not, the file cannot be read, or `ssh-keygen` is not there.
    """
    if signers is not None and not signers.is_file():
        fix = "write a line for each signer: name, kind of key, key"
        raise InputError("the file of allowed signers does not exist", where=f"file {str(signers)!r}", fix=fix)
    with temporary_folder() as folder:
        file = folder / "signature"
        file.write_text(signature, encoding="utf-8")
        asked = ["-Y", "check-novalidate"] if signers is None else ["-Y", "verify", "-f", str(signers), "-I", by]
        done = _run([*asked, "-n", _NAMESPACE, "-s", str(file)], message)
    if done.returncode != 0:
        allowed = "" if signers is None else f"a key that {str(signers)!r} names for {by!r}"
        raise InputError(
            "the signature is not theirs, or not of this",
            where="signature",
            got=_last_line(done.stderr or done.stdout),
            allowed=allowed or None,
            fix="have the model signed off anew, or the signer's key named",
        )


def _run(arguments: Sequence[str], message: bytes) -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("ssh-keygen")
    if program is None:
        raise InputError(
            "the program that signs is not there",
            where="ssh-keygen",
            fix="install OpenSSH's client (Debian: apt-get install openssh-client), or do without signatures",
        )
    try:
        return subprocess.run([program, *arguments], input=message, capture_output=True, check=False, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        raise InputError("ssh-keygen does not end", where="ssh-keygen", fix="unlock the key with ssh-agent") from None


def _last_line(said: bytes) -> str:
    return (said.decode("utf-8", "replace").strip().split("\n") or [""])[-1]
