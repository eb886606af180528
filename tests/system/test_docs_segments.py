"""The page on segments: its code runs, its config and command lines work, and the exports are what they say."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrutable import load
from scrutable.data.datasets import make_credit
from scrutable.model import SegmentedModel
from scrutable.plugins.registry import registry

PAGE = Path(__file__).parents[2] / "docs" / "segments.md"


def test_its_code_runs_and_prints_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", PAGE.read_text(), re.S)
    assert len(blocks) == 5
    for code, output in blocks:
        capsys.readouterr()
        exec(compile(code, PAGE.name, "exec"), names)
        assert output in ("", capsys.readouterr().out)
    assert names["person"].segment in ("thin file", "thick file")
    assert "INCOME" in names["final"].segments[0].model.reasons.texts
    assert names["found"].ranked_by == "probability"


def test_its_config_and_command_lines_work(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data = make_credit(1500, seed=2)
    frame = data.frame.assign(paid=data.y.map({0: "yes", 1: "no"}))
    frame.drop(columns=["default", "group", "sex"]).to_csv(tmp_path / "loans.csv", index=False)
    [config] = re.findall(r"```toml\n(.*?)```", PAGE.read_text(), re.S)
    (tmp_path / "segments.toml").write_text(config)
    lines = re.findall(r"^    scrutable (.*)$", PAGE.read_text(), re.M)
    assert len(lines) == 12
    (tmp_path / "lender.toml").write_text(registry().load("exporter", "notices").example_files()["lender"])
    for line in lines:
        done = run(*shlex.split(line))
        assert done.exit_code == 0, f"{line}: {done.output}"
    assert list((tmp_path / "notices").glob("notice-*.html"))
    for name in ("model.json", "both.json", "final.json"):
        assert isinstance(load(tmp_path / name), SegmentedModel)
    assert "AS segment_2_score" in (tmp_path / "score.sql").read_text()
    assert (tmp_path / "certificate.html").exists()


@pytest.mark.parametrize("name", [listing.component.name for listing in registry().listings("exporter")])
def test_the_page_tells_of_each_exporter_whether_it_takes_segments(name: str) -> None:
    table = PAGE.read_text().partition("## Exports")[2]
    rows = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", table, re.M))
    [told] = [text for names, text in rows.items() if f"`{name}`" in names]
    accepts = next(each for each in registry().listings("exporter") if each.component.name == name).component.accepts
    assert told.startswith("refused") == ("segmented-model" not in accepts)
