"""`scrutable fit`: a run that a config repeats, and what a config may not say."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.writing.toml import toml_value

Run = Callable[..., Any]

CONFIG = '[data]\npath = "tiny.csv"\ntarget = "paid"\n{}\n[output]\nmodel = "m.json"\n'


def test_a_saved_config_repeats_the_run_to_the_byte(
    run: Run, loans: Path, fit_options: list[str], tmp_path: Path
) -> None:
    (tmp_path / "configs").mkdir()
    model, evidence, config = tmp_path / "m.json", tmp_path / "e.json", tmp_path / "configs" / "run.toml"
    more = ["--option", "explainer=null", "--option", 'scaling={"pdo": 50.5}', "--seed", "3", "--test-size", "0.2"]
    outputs = ["-o", model, "--evidence", evidence, "--save-config", config]
    assert run("fit", loans, *fit_options, *more, *outputs).exit_code == 0
    first = model.read_bytes(), evidence.read_bytes()
    written = tomllib.loads(config.read_text())
    assert written["learner"] == {"name": "additive", "options": {"scaling": {"pdo": 50.5}}, "none": ["explainer"]}
    model.unlink()
    evidence.unlink()
    assert run("fit", config).exit_code == 0
    assert (model.read_bytes(), evidence.read_bytes()) == first


def test_paths_in_a_config_start_from_its_folder(
    run: Run, tiny: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tiny()
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path)
    options = ["--target", "paid", "--favourable", "yes", "--binner", "quantile", "-o", "m.json"]
    assert run("fit", data.name, *options, "--save-config", "sub/run.toml").exit_code == 0
    written = tomllib.loads(Path("sub/run.toml").read_text())
    assert (written["data"]["path"], written["output"]["model"]) == ("../tiny.csv", "../m.json")
    first = Path("m.json").read_bytes()
    monkeypatch.chdir(tmp_path.parent)
    assert run("fit", tmp_path / "sub" / "run.toml", "--overwrite").exit_code == 0
    assert (tmp_path / "m.json").read_bytes() == first


_VALUES = st.recursive(
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(_VALUES)
@settings(deadline=None, derandomize=True)
def test_every_option_survives_the_way_through_a_config(value: Any) -> None:
    assert tomllib.loads(f"v = {toml_value(value)}") == {"v": value}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CONFIG.format('favorable = "yes"'), ["config 'run.toml', option 'data'", "did you mean 'favourable'?"]),
        (CONFIG.format("protected = 1"), ["option 'protected'", "got:     1", "a list of text"]),
        (CONFIG.format("[split]\ntest_size = 1.5"), ["test_size", "got:     1.5", "0 to below 1"]),
        (CONFIG.format("[learner]\nname = 'scorecrad'"), ["unknown learner", "did you mean 'scorecard'?"]),
        (CONFIG.format("[learner]\noptions = {}"), ["a value is missing", "name = …"]),
        ("[data]\npath = 'tiny.csv'", ["a value is missing", "target = …"]),
        ("[data\n", ["not valid TOML", "line 1"]),
    ],
)
def test_a_config_is_checked(
    run: Run, tiny: Callable[..., Path], tmp_path: Path, text: str, expected: list[str]
) -> None:
    tiny()
    (tmp_path / "run.toml").write_text(text)
    result = run("fit", tmp_path / "run.toml")
    assert result.exit_code == 2
    assert [each for each in expected if each not in result.stderr] == []
    assert not (tmp_path / "m.json").exists()


def test_options_beside_a_config_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(CONFIG.format(""))
    result = run("fit", tmp_path / "run.toml", "--seed", "1")
    assert result.exit_code == 2
    assert "--seed" in result.stderr
    assert "write it into the config" in result.stderr
