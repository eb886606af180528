"""What every importer is held to: the model has the points of the file, every time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scrutable.errors import InputError
from scrutable.model import dumps, loads
from scrutable.model.evaluator import evaluate
from scrutable.plugins.bases import Imported, Importer

#: A file that no importer reads.
_STRANGE = "\x00 no file of any software"


def check_import(importer: Importer, source: Path, X: Any, scores: Sequence[float]) -> Imported:
    """Import a file, and hold the result to what the file says.

    The importer recognises the file, and no file of another kind beside it; reading it twice gives the same model and
    report, both of which can be written; and the model gives every row the file's own score, to the last bit.

    Parameters
    ----------
    source : a file of the importer's.
    X : n rows of columns that the model reads.
    scores : (n,) what the file gives them, worked out without the importer.

    Raises
    ------
    AssertionError : it is not so.
    """
    assert importer.recognises(source), f"{source.name} is not recognised"
    strange = source.with_name(f"strange{source.suffix}")
    strange.write_text(_STRANGE, encoding="utf-8")
    try:
        assert not importer.recognises(strange), "a file without sense is recognised"
        _refuses(importer, strange)
    finally:
        strange.unlink()
    imported, again = importer.read(source), importer.read(source)
    assert dumps(imported.model) == dumps(again.model), "a second reading gives another model"
    assert imported.report == again.report, "a second reading gives another report"
    assert loads(dumps(imported.model)) == imported.model, "the model does not survive its file"
    json.dumps(imported.report.to_dict(), allow_nan=False)
    own = evaluate(imported.model, X).score
    got = [] if own is None else own.tolist()
    assert got == [float(score) for score in scores], f"the model's scores are {got}"
    return imported


def _refuses(importer: Importer, source: Path) -> None:
    try:
        importer.read(source)
    except InputError:
        return
    raise AssertionError("a file without sense is read")
