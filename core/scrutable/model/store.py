"""Model files: JSON text with a schema version, read strictly and written whole."""

from __future__ import annotations

import hashlib
import json
import math
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any, cast

from scrutable.errors import InputError, ModelError
from scrutable.model.codec import decode, encode, members, tag
from scrutable.model.evidence import Evidence
from scrutable.model.policy import Policy
from scrutable.model.regression import RegressionScorecard
from scrutable.model.segments import Model, SingleModel
from scrutable.writing.decoder import checked, from_json
from scrutable.writing.files import LARGEST, read_text, write_whole

#: The version that this release writes, and the newest that it reads.
SCHEMA_VERSION = 2


def dumps(model: Model) -> str:
    """The model as JSON text; a model gives the same bytes every time.

    >>> from scrutable.model import Calibration, Outcome, Scorecard
    >>> empty = Scorecard(outcome=Outcome(classes=(0, 1), favourable=1), features=(), characteristics=(),
    ...                   base_points=600, cutoff=500, calibration=Calibration(slope=0.05))
    >>> loads(dumps(empty)) == empty
    True
    """
    plain = _plain_text(model)
    _, _, rest = plain.split("\n", 2)
    return _readable(_head(SCHEMA_VERSION, _sha256(plain)) + rest)


def loads(text: str, *, source: str = "model") -> Model:
    """A model from JSON text; `source` names it in errors.

    Raises
    ------
    ModelError : the text is cut off or no JSON, a newer schema version wrote it, the model breaks its own rules, or it
        is not the one that its fingerprint was taken of.
    """
    data, version = _read(text, source)
    stated = data.pop("fingerprint", None)
    kinds = {tag(member): member for member in members(Model)}
    named = data.pop("type", None)
    if not isinstance(named, str) or named not in kinds:
        fix = "this is evidence: give the model that it is about" if "model_sha256" in data else None
        raise ModelError("unknown type of model", where=source, got=named, allowed=", ".join(sorted(kinds)), fix=fix)
    model = cast(Model, decode(kinds[named], data, source))
    if version < _oldest(model):
        raise ModelError(
            "the schema version has neither interactions nor score adjustments, overrides, grades, observed values and "
            "retired codes",
            where=f"{source}: schema_version",
            got=version,
            allowed=str(SCHEMA_VERSION),
            fix=f"write {SCHEMA_VERSION}",
        )
    if stated is not None and not _is_written_so(text, stated) and stated != fingerprint(model):
        raise ModelError(
            "the model was changed after its fingerprint was taken",
            where=f"{source}: fingerprint",
            got=stated,
            allowed=fingerprint(model),
            fix="take the file as it was written; or, for a change that is meant, remove `fingerprint`",
        )
    return model


def dump(model: Model, path: str | Path, *, overwrite: bool = False) -> None:
    """Write a model file, whole or not at all; an existing file is kept unless `overwrite`."""
    write_whole(path, dumps(model), overwrite=overwrite)


def load(path: str | Path) -> Model:
    """Read a model file."""
    return loads(read_text(path), source=Path(path).name)


def fingerprint(model: Model) -> str:
    """The name by which evidence and certificates refer to a model; its file holds it too.

    SHA-256 of the model's JSON text without the fingerprint, in the oldest schema version that holds the model, so that
    files which older releases wrote keep theirs.
    """
    return _sha256(_plain_text(model))


def dumps_evidence(evidence: Evidence) -> str:
    """The evidence as JSON text."""
    return _write({"schema_version": SCHEMA_VERSION, **encode(evidence)})


def dump_evidence(evidence: Evidence, path: str | Path, *, overwrite: bool = False) -> None:
    """Write an evidence file, whole or not at all."""
    write_whole(path, dumps_evidence(evidence), overwrite=overwrite)


def load_evidence(path: str | Path) -> Evidence:
    """Read an evidence file.

    Raises
    ------
    ModelError, InputError : the text is cut off or no JSON, or a model, or no evidence.
    """
    source = Path(path).name
    data, _ = _read(read_text(path), source)
    if "type" in data and "model_sha256" not in data:
        raise InputError(
            "this is a model file, where the evidence of a model is asked for",
            where=source,
            got=data["type"],
            fix="give the file that `scrutable fit … --evidence` wrote beside the model, such as evidence.json",
        )
    return decode(Evidence, data, source)


def _plain_text(model: Model) -> str:
    """The model without its fingerprint, in the oldest version that holds it."""
    return _write({"schema_version": _oldest(model), **encode(model, tagged=True)})


def _oldest(model: Model) -> int:
    """The oldest version that holds a model."""
    recorded = any(feature.observed for feature in model.features)
    return 1 if not recorded and all(map(_is_of_first_version, model.parts)) else SCHEMA_VERSION


def _is_of_first_version(model: SingleModel | RegressionScorecard) -> bool:
    """Whether a model has no interaction, no policy beside knock-outs, and no retired codes."""
    reasons = getattr(model, "reasons", None)
    retired = reasons is not None and reasons.retired
    return not getattr(model, "interactions", ()) and not retired and getattr(model, "policy", Policy()).is_plain


def _head(version: int, fingerprint: str | None = None) -> str:
    """How the text of a model begins: alone, or with the fingerprint as files hold it."""
    marked = "" if fingerprint is None else f'  "fingerprint": "{fingerprint}",\n'
    return f'{{\n  "schema_version": {version},\n{marked}'


def _is_written_so(text: str, fingerprint: str) -> bool:
    """Whether a text is, byte by byte, what `dumps` wrote: told without encoding the model again."""
    head = _head(SCHEMA_VERSION, fingerprint)
    plain = (_head(version) + text.removeprefix(head) for version in range(1, SCHEMA_VERSION + 1))
    return text.startswith(head) and fingerprint in map(_sha256, plain)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _write(data: dict[str, Any]) -> str:
    return _readable(_indented(checked(data, "model", ModelError), "\n") + "\n")


def _readable(text: str) -> str:
    """A text, unless it is too large to be read."""
    size = len(text.encode())
    if size > LARGEST:
        fix = "fit on fewer columns, or with fewer rules or trees"
        raise ModelError(
            "too large to be read again", where="model", got=f"{size:,} bytes", allowed=f"at most {LARGEST:,}", fix=fix
        )
    return text


def _indented(value: Any, newline: str) -> str:
    """What `json.dumps` writes with two spaces of indent, in a third of its time: it has no compiled code for that."""
    inner = newline + "  "
    if isinstance(value, dict) and value:
        pairs = [f"{encode_basestring(key)}: {_indented(item, inner)}" for key, item in value.items()]
        return f"{{{inner}{f',{inner}'.join(pairs)}{newline}}}"
    if isinstance(value, list | tuple) and value:
        return f"[{inner}{f',{inner}'.join([_indented(item, inner) for item in value])}{newline}]"
    if type(value) is str:
        return encode_basestring(value)
    if type(value) is float and math.isfinite(value):
        return repr(value)
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _read(text: str, source: str) -> tuple[dict[str, Any], int]:
    """What a file holds, and its schema version."""
    data = from_json(text, source, ModelError)
    if not isinstance(data, dict) or "schema_version" not in data:
        raise ModelError("not a Scrutable file", where=source, allowed="a JSON object with 'schema_version'")
    version = data.pop("schema_version")
    if type(version) is not int or not 1 <= version <= SCHEMA_VERSION:
        raise ModelError(
            "this release cannot read the schema version",
            where=source,
            got=version,
            allowed=f"1 to {SCHEMA_VERSION}",
            fix="upgrade scrutable, or export the model with the release that runs here",
        )
    return data, version
