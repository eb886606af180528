"""Model files: what is written reads back as the same model, and the published schema describes it."""

from __future__ import annotations

import copy
import json
import math
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from drawn import of_every_kind
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from scrutable.errors import InputError, ModelError
from scrutable.model import (
    Evidence,
    FrozenMapping,
    Model,
    Scorecard,
    dump,
    dump_evidence,
    dumps,
    fingerprint,
    load,
    load_evidence,
    loads,
)
from scrutable.model.schema import json_schema
from scrutable.model.store import _indented
from scrutable.writing.files import read_text

PUBLISHED = Path(__file__).parents[3] / "docs" / "model.schema.json"
VALIDATOR = Draft202012Validator(json_schema())
quick = settings(max_examples=40, deadline=None, derandomize=True, database=None)


def test_round_trip_gives_an_equal_model_and_the_same_bytes() -> None:
    for model in of_every_kind(20):
        text = dumps(model)
        again = loads(text)
        assert again == model
        assert dumps(again) == text
        assert fingerprint(again) == fingerprint(model)


def test_every_model_fits_the_schema() -> None:
    for model in of_every_kind(10):
        VALIDATOR.validate(json.loads(dumps(model)))


def test_copies_are_equal() -> None:
    for model in of_every_kind(5):
        for copied in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
            assert copied == model
            assert hash(copied) == hash(model)
            assert dumps(copied) == dumps(model)


def test_files(every_kind: tuple[Model, ...], tmp_path: Path) -> None:
    for number, model in enumerate(every_kind):
        path = tmp_path / f"{number}.json"
        dump(model, path)
        assert load(path) == model
        assert path.read_bytes() == dumps(model).encode()
        with pytest.raises(InputError, match="exists already"):
            dump(model, path)
        dump(model, path, overwrite=True)


def test_infinite_ends_are_texts_and_defaults_are_left_out(scorecard: Scorecard) -> None:
    attributes = json.loads(dumps(scorecard))["characteristics"][0]["attributes"]
    assert attributes[1] == {"condition": {"type": "interval", "lower": 25.0}, "points": 40.0}
    assert loads(dumps(scorecard).replace('"lower": 25.0', '"lower": 25.0, "upper": "inf"')) == scorecard


def test_evidence_file(tmp_path: Path) -> None:
    metrics = FrozenMapping({"ratio": (0.8, FrozenMapping({"women": None, "männer": "1"}))})
    evidence = Evidence(model_sha256="ab" * 32, metrics=metrics, search_log=(1, "two", FrozenMapping({})))
    dump_evidence(evidence, tmp_path / "evidence.json")
    assert load_evidence(tmp_path / "evidence.json") == evidence


def test_the_schema_is_valid_and_published() -> None:
    Draft202012Validator.check_schema(json_schema())
    assert PUBLISHED.read_text() == json.dumps(json_schema(), indent=2) + "\n", (
        "the published schema is old; regenerate it with: python -m scrutable.model.schema > docs/model.schema.json"
    )


def test_the_schema_is_printed_by_its_module() -> None:
    command = [sys.executable, "-m", "scrutable.model.schema"]
    assert json.loads(subprocess.run(command, check=True, capture_output=True).stdout) == json_schema()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"base_points"', '"base_point"'),
        ('"points": 40.0', '"points": "40"'),
        ('"lower": 25.0', '"lower": "infinite"'),
        ('"schema_version": 2', '"schema_version": 3'),
        ('"type": "missing"', '"type": "absent"'),
        ('"kind": "numeric"', '"kind": "number"'),
    ],
)
def test_what_the_schema_refuses_is_refused_when_loaded(scorecard: Scorecard, old: str, new: str) -> None:
    text = dumps(scorecard).replace(old, new, 1)
    assert text != dumps(scorecard)
    assert not VALIDATOR.is_valid(json.loads(text))
    with pytest.raises(ModelError):
        loads(text)


def test_read_text(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    with pytest.raises(InputError, match=r"a\.json': cannot be read; got 'No such file or directory'. Fix: check"):
        read_text(path)
    with pytest.raises(InputError, match="cannot be read; got 'Is a directory'"):
        read_text(tmp_path)
    path.write_bytes(b"abc\xe9")
    with pytest.raises(InputError, match="not UTF-8 text; got 'byte 0xe9 at position 3'"):
        read_text(path)
    path.write_bytes("\ufeffé\r\n".encode())
    assert read_text(path) == "é\r\n"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@quick
@given(JSON)
def test_indented_as_the_standard_library_does(value: Any) -> None:
    assert _indented(value, "\n") == json.dumps(value, indent=2, ensure_ascii=False)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_has_not_are_never_written(value: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        _indented({"a": [value]}, "\n")
