"""Models are signed off in order, by entries that nobody can change unseen, and commands ask for what is required."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from scrutable import dump
from scrutable.errors import InputError
from scrutable.proof import Approval, approvals_file, approve, require_state, sign_off_in_words
from scrutable.testing.contract.examples.models import models_named

DAY = date(2026, 11, 27)
VALIDATED = Approval(state="validated", role="validator", by="J. Doe", date="2026-11-01")
APPROVED = Approval(state="approved", role="committee", by="R. Roe", date="2026-11-02", expires="2027-11-01")
needs_keys = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs ssh-keygen")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model file that nobody signed off."""
    path = tmp_path / "model.json"
    dump(models_named()["scorecard"], path)
    return path


@pytest.fixture
def required(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Write the settings file."""
    file = tmp_path / "settings.toml"
    monkeypatch.setenv("SCRUTABLE_SETTINGS", str(file))

    def require(**said: Any) -> None:
        file.write_text("".join(f"{key} = {json.dumps(str(value))}\n" for key, value in said.items()))

    return require


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A new key, and beside it the file of allowed signers that names it for R. Roe."""
    path = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
    public = path.with_suffix(".pub").read_text()
    (tmp_path / "signers").write_text(f'"R. Roe" {public}')
    return path


def test_nothing_is_asked_without_the_setting(model: Path, required: Callable[..., None]) -> None:
    required()
    require_state(model, "deploy", today=DAY)


def test_states_follow_each_other_and_the_last_one_counts(model: Path, required: Callable[..., None]) -> None:
    required(requires_state="approved")
    with pytest.raises(InputError, match=r"deploy, model .*: nobody signed the model off"):
        require_state(model, "deploy", today=DAY)
    with pytest.raises(
        InputError,
        match=r"a model that is developed cannot become approved; "
        r"allowed: what a developed model can become: developed, validated, retired\. Fix: have it validated first",
    ):
        approve(model, APPROVED)
    approve(model, VALIDATED)
    with pytest.raises(InputError, match=r"not signed off for this; got 'validated by J\. Doe"):
        require_state(model, "deploy", today=DAY)
    assert approve(model, APPROVED).state == "approved"
    require_state(model, "deploy", today=DAY)
    assert (sign_off_in_words(model) or "").startswith("Sign-off: approved by R. Roe (committee) on 2026-11-02, until")
    approve(model, replace(VALIDATED, state="retired", date="2026-11-03"))
    with pytest.raises(InputError, match="retired by"):
        require_state(model, "deploy", today=DAY)
    with pytest.raises(InputError, match=r"a model that is retired cannot become validated\. Fix: a retired"):
        approve(model, VALIDATED)


def test_a_lesser_requirement_is_kept_by_a_higher_state(model: Path, required: Callable[..., None]) -> None:
    required(requires_state="validated")
    approve(model, VALIDATED)
    require_state(model, "notices", today=DAY)
    approve(model, APPROVED)
    require_state(model, "notices", today=DAY)


@pytest.mark.parametrize(
    ("day", "what"), [(date(2027, 11, 2), "the approval has expired"), (date(2026, 11, 1), "does not hold yet")]
)
def test_an_approval_holds_from_its_day_to_its_last(
    model: Path, required: Callable[..., None], day: date, what: str
) -> None:
    required(requires_state="approved")
    approve(model, VALIDATED)
    approve(model, APPROVED)
    require_state(model, "deploy", today=date(2027, 11, 1))
    require_state(model, "deploy", today=date(2026, 11, 2))
    with pytest.raises(InputError, match=what):
        require_state(model, "deploy", today=day)


def test_approvals_are_of_one_model(model: Path, required: Callable[..., None]) -> None:
    required(requires_state="validated")
    approve(model, VALIDATED)
    dump(models_named()["stumps"], model, overwrite=True)
    for ask in (lambda: require_state(model, "deploy", today=DAY), lambda: approve(model, VALIDATED)):
        with pytest.raises(InputError, match="the approvals are of another model"):
            ask()
    assert "cannot be relied on" in (sign_off_in_words(model) or "")


def test_approvals_are_of_one_text_where_they_name_it(model: Path, required: Callable[..., None]) -> None:
    import hashlib

    required(requires_state="approved")
    approve(model, VALIDATED)
    approve(model, replace(APPROVED, deployed_sha256=hashlib.sha256(b"select 1").hexdigest()))
    require_state(model, "deploy", deployed="select 1", today=DAY)
    with pytest.raises(InputError, match="another text was approved"):
        require_state(model, "deploy", deployed="select 2", today=DAY)


def test_whoever_developed_a_model_does_not_validate_it(model: Path) -> None:
    approve(model, replace(VALIDATED, state="developed", role="developer"))
    with pytest.raises(InputError, match="whoever developed a model does not validate it"):
        approve(model, VALIDATED)
    for name in (f" {VALIDATED.by}", VALIDATED.by.upper(), VALIDATED.by.replace(" ", "  ")):
        with pytest.raises(InputError, match="whoever developed a model does not validate it"):
            approve(model, replace(VALIDATED, by=name))
    approve(model, replace(VALIDATED, by="somebody else"))


def test_a_file_by_which_a_developer_validated_is_refused(model: Path, required: Callable[..., None]) -> None:
    required(requires_state="validated")
    approve(model, replace(VALIDATED, by="somebody else"))
    file = approvals_file(model)
    stated = json.loads(file.read_text())
    first = replace(VALIDATED, state="developed")
    second = replace(VALIDATED, previous_sha256=first.digest(stated["model_sha256"]))
    stated["history"] = [{key: value for key, value in asdict(each).items() if value} for each in (first, second)]
    file.write_text(json.dumps(stated))
    with pytest.raises(InputError, match="whoever developed a model does not validate it"):
        require_state(model, "deploy", today=DAY)


def test_a_file_without_entries_takes_the_first(model: Path) -> None:
    approve(model, VALIDATED)
    file = approvals_file(model)
    file.write_text(json.dumps({**json.loads(file.read_text()), "history": []}))
    assert approve(model, VALIDATED).state == "validated"


def test_an_entry_that_was_changed_or_removed_is_found(model: Path) -> None:
    approve(model, VALIDATED)
    approve(model, APPROVED)
    file = approvals_file(model)
    whole = json.loads(file.read_text())
    for change in (
        lambda history: history[0].update(by="somebody else"),
        lambda history: history.pop(0),
        lambda history: history.insert(1, dict(history[0])),
    ):
        changed = json.loads(json.dumps(whole))
        change(changed["history"])
        file.write_text(json.dumps(changed))
        with pytest.raises(InputError, match="the entry does not follow the one before"):
            approve(model, APPROVED)


@pytest.mark.parametrize(
    "content",
    ["{}", "[]", '{"format": "scrutable-approvals", "version": 1}', "{", '"x"'],
)
def test_files_that_are_none_are_refused(model: Path, content: str) -> None:
    approvals_file(model).write_text(content)
    with pytest.raises(InputError, match=r"model\.approval\.json"):
        approve(model, VALIDATED)


@pytest.mark.parametrize(
    "wrong",
    [
        {"state": "blessed"},
        {"by": " "},
        {"by": "a\nb"},
        {"role": ""},
        {"date": "27.11.2026"},
        {"expires": "2026-10-01"},
        {"expires": "2026-W48-5"},
        {"date": "2026-W01-1"},
        {"comment": "\udcff"},
    ],
)
def test_entries_that_are_none_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(InputError):
        replace(VALIDATED, **wrong)


def test_a_setting_that_names_no_state_is_refused(model: Path, required: Callable[..., None]) -> None:
    required(requires_state="retired")
    with pytest.raises(InputError, match=r"requires_state: no such state; got 'retired'"):
        require_state(model, "deploy")


@needs_keys
def test_a_signature_of_an_allowed_signer_is_asked_for(
    model: Path, required: Callable[..., None], key: Path, tmp_path: Path
) -> None:
    required(requires_state="approved", signers="signers")
    approve(model, VALIDATED)
    approve(model, APPROVED)
    with pytest.raises(InputError, match="the approval is not signed"):
        require_state(model, "deploy", today=DAY)
    approve(model, APPROVED, key=key)
    require_state(model, "deploy", today=DAY)


@needs_keys
def test_a_signature_by_somebody_else_or_of_something_else_is_refused(
    model: Path, required: Callable[..., None], key: Path, tmp_path: Path
) -> None:
    approve(model, VALIDATED)
    approve(model, replace(APPROVED, by="M. Moe"), key=key)  # before anybody said who may sign
    required(requires_state="approved", signers=tmp_path / "signers")
    with pytest.raises(InputError, match="the signature is not theirs, or not of this"):
        require_state(model, "deploy", today=DAY)
    file = approvals_file(model)
    changed = json.loads(file.read_text())
    changed["history"][-1].update(by="R. Roe", expires="2099-01-01")
    file.write_text(json.dumps(changed))
    with pytest.raises(InputError, match="the signature is not theirs, or not of this"):
        require_state(model, "deploy", today=DAY)
    required(requires_state="approved")  # whoever signed, it is of another text
    with pytest.raises(InputError, match="the signature is not theirs, or not of this"):
        require_state(model, "deploy", today=DAY)


@needs_keys
@pytest.mark.parametrize("by", ["M. Moe", "R. Roe"])
def test_a_key_that_may_not_sign_is_refused_before_anything_is_written(
    model: Path, required: Callable[..., None], key: Path, tmp_path: Path, by: str
) -> None:
    required(signers="signers")
    approve(model, VALIDATED)
    before = approvals_file(model).read_bytes()
    other = tmp_path / "other"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(other)], check=True)
    with pytest.raises(InputError, match=rf"other': not a key that may sign.* for '{by}'.*name its public part"):
        approve(model, replace(APPROVED, by=by), key=other)
    (tmp_path / "signers").unlink()
    with pytest.raises(InputError, match="the file of allowed signers does not exist"):
        approve(model, APPROVED, key=key)
    assert approvals_file(model).read_bytes() == before


@needs_keys
def test_a_later_good_signature_counts_in_the_place_of_a_bad_one(
    model: Path, required: Callable[..., None], key: Path
) -> None:
    approve(model, replace(VALIDATED, by="M. Moe"), key=key)
    approve(model, replace(APPROVED, by="M. Moe"), key=key)
    required(requires_state="validated", signers="signers")
    told = sign_off_in_words(model) or ""
    assert told.startswith("Sign-off: cannot be relied on: ")
    assert "the signature is not theirs" in told
    approve(model, replace(VALIDATED, by="R. Roe"), key=key)
    with pytest.raises(InputError, match=r"entry 2: the signature is not theirs.*sign it off as approved anew"):
        require_state(model, "deploy", today=DAY)
    approve(model, APPROVED, key=key)
    require_state(model, "deploy", today=DAY)
    assert (sign_off_in_words(model) or "").startswith("Sign-off: approved by R. Roe")


@needs_keys
def test_what_cannot_sign_is_told_and_nothing_is_written(
    model: Path, key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no-key").write_text("no key")
    for wrong, what in ((tmp_path / "absent", "does not exist"), (tmp_path / "no-key", "cannot sign with the key")):
        with pytest.raises(InputError, match=what):
            approve(model, VALIDATED, key=wrong)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="install OpenSSH"):
        approve(model, VALIDATED, key=key)
    assert not approvals_file(model).exists()
