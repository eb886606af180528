"""Whatever stands in a file that a command is given, the command says what is wrong with it, and how to mend it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Invoke = Callable[..., Result]

#: TOML that no command can use, whatever it is about.
NOTHING = {
    "digits": "a = " + "1" * 5000,
    "lists": "a = " + "[" * 2000 + "]" * 2000,
    "tables": "[" + ".".join("a" * 2000) + "]",
    "no TOML": "a = ",
}
#: A list where a text belongs, by what reads the file.
LISTS = {
    "dictionary of columns": '[columns.age]\nrange = ["a", "b"]',
    "dictionary of reasons": '[reasons.texts]\nR01 = ["a"]',
    "dictionary": '[reasons.texts]\nR01 = ["a"]',
    "translations": '[translations]\nde = ["a"]',
    "config": '[data]\npath = ["a"]\ntarget = "b"\n[output]\nmodel = "m.json"',
    "lender": 'name = ["a"]\naddress = "b"\n[agency]\nname = "c"\naddress = "d"',
    "rules": '[[knock_out]]\ncode = ["a"]\nreason = "b"\nwhen = "c < 1"',
    "edits": '[[edit]]\nfeature = ["a"]\naction = "cut"\nat = 1\nwho = "b"\nwhy = "c"',
}


@pytest.mark.parametrize("what", [*NOTHING, "a list where a text belongs"])
@pytest.mark.parametrize("reader", LISTS)
def test_toml_that_cannot_be_used(
    run: Invoke, model: Path, loans: Path, fit_options: list[str], tmp_path: Path, reader: str, what: str
) -> None:
    path = tmp_path / "given.toml"
    path.write_text(NOTHING.get(what, LISTS[reader]))
    words = ("reasons", model, "--dictionary", path, "--output", tmp_path / "m.json")
    commands = {
        "dictionary": words,
        "dictionary of columns": ("score", model, loans, "--dictionary", path),
        "dictionary of reasons": ("explain", model, loans, "--dictionary", path),
        "translations": words,
        "config": ("fit", path),
        "lender": ("notices", model, loans, "--lender", path, "--date", "2026-01-02", "-o", tmp_path / "n"),
        "rules": ("policy", "add", model, "--rules", path, "-o", tmp_path / "m.json"),
        "edits": ("bins", loans, *fit_options, "--edits", path),
    }
    told(run(*commands[reader]), "given.toml")


@pytest.mark.parametrize("name", ["model.json", "evidence.json"])
@pytest.mark.parametrize("change", ["surrogate", "digits", "deep"])
def test_json_that_cannot_be_used(run: Invoke, model: Path, tmp_path: Path, name: str, change: str) -> None:
    data = json.loads(model.with_name(name).read_text())
    text = json.dumps(data)
    value, said = {
        "surrogate": (r'"\ud800"', "a lone surrogate"),
        "digits": ("9" * 5000, "a number is too long"),
        "deep": ("[" * 2000 + "]" * 2000, "nested too deeply"),
    }[change]
    broken = text.replace('"schema_version": 2', f'"schema_version": 2, "x": {value}')
    (tmp_path / name).write_text(broken)
    given = {"model.json": model, "evidence.json": model.with_name("evidence.json"), name: tmp_path / name}
    told(run("show", given["model.json"], "--evidence", given["evidence.json"]), name, said)


def told(result: Result, *parts: str) -> None:
    """That a command refused a file in four parts, on one screen."""
    assert result.exit_code == 2, result.output
    said = " ".join(result.stderr.split())
    assert "did not foresee" not in said
    assert "Traceback" not in said
    for part in ("where:", "got:", "fix:", *parts):
        assert part in said, said
    assert len(said) < 1500
