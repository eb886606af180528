"""New plugins are written whole or not at all, and never over something that is there."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from scrutable.cli.commands.new import new
from scrutable.errors import InputError
from scrutable.testing.scaffold import Names, new_plugin, plugin
from scrutable.testing.scaffold.rendering import render
from scrutable.writing.files import make_folder, write_all

NAMES = Names("exporter", "csv-table")


def contents(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_the_folder_holds_what_was_rendered(tmp_path: Path) -> None:
    made = new_plugin(NAMES, folder=tmp_path / "mine", author="Jane Doe")
    assert made.folder == tmp_path / "mine"
    assert contents(tmp_path / "mine") == render(NAMES, "Jane Doe")
    assert set(made.files) == set(render(NAMES, "Jane Doe"))
    assert os.listdir(tmp_path) == ["mine"]


def test_by_default_it_is_named_as_the_distribution_and_its_developers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert new_plugin(NAMES).folder == Path("scrutable-csv-table")
    assert contents(tmp_path / "scrutable-csv-table") == render(NAMES, "The scrutable-csv-table developers")


@pytest.mark.parametrize("there", ["file", "folder", "full", "link"])
def test_what_is_there_stays_as_it_is(tmp_path: Path, there: str) -> None:
    target = tmp_path / "mine"
    make: dict[str, Callable[[], object]] = {
        "file": lambda: target.write_text("mine"),
        "folder": target.mkdir,
        "full": lambda: write_all({str(make_folder(target) / "README.md"): "mine"}),
        "link": lambda: target.symlink_to(tmp_path / "nowhere"),
    }
    make[there]()
    before = [(path, path.lstat().st_mtime_ns) for path in sorted(tmp_path.rglob("*"))]
    with pytest.raises(InputError, match=r"folder '.*mine': exists already. Fix: name a new one with --output"):
        new_plugin(NAMES, folder=target)
    assert [(path, path.lstat().st_mtime_ns) for path in sorted(tmp_path.rglob("*"))] == before


def test_the_folder_around_it_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the folder that would hold it does not exist; got '.*nowhere'"):
        new_plugin(NAMES, folder=tmp_path / "nowhere" / "mine")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("error", "raised", "words"),
    [
        (OSError(28, "No space left on device"), InputError, "cannot be made; got 'No space left on device'"),
        (KeyboardInterrupt("enough"), KeyboardInterrupt, "enough"),
    ],
    ids=["full", "stopped"],
)
def test_what_stops_the_writing_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, raised: type[BaseException], words: str
) -> None:
    def stopped(files: Mapping[str, str]) -> None:
        path, text = next(iter(files.items()))
        Path(path).write_text(text)
        raise error

    monkeypatch.setattr(plugin, "write_all", stopped)
    with pytest.raises(raised, match=words):
        new_plugin(NAMES, folder=tmp_path / "mine")
    assert os.listdir(tmp_path) == []


def test_who_comes_first_keeps_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def overtaken(files: Mapping[str, str]) -> None:
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "README.md").write_text("mine")

    monkeypatch.setattr(plugin, "write_all", overtaken)
    with pytest.raises(InputError, match="cannot be made"):
        new_plugin(NAMES, folder=tmp_path / "mine")
    assert contents(tmp_path) == {"mine/README.md": "mine"}


@pytest.mark.parametrize("name", ["quantile", "lambda", "exporter", "Csv"])
def test_nothing_is_written_for_a_name_that_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"^name: "):
        new_plugin(Names("exporter", name), folder=tmp_path / "mine")
    with pytest.raises(InputError, match=r"^author: "):
        new_plugin(NAMES, folder=tmp_path / "mine", author="")
    assert os.listdir(tmp_path) == []


# --- the command ----------------------------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    app = typer.Typer()
    app.command("new")(new)
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner(env={"COLUMNS": "110"}).invoke(app, arguments)


def test_the_command_says_what_it_wrote_and_what_comes_next(run: Callable[..., Result], tmp_path: Path) -> None:
    done = run("learner", "risk-points", "--author", "Jane Doe")
    assert done.exit_code == 0
    lines = done.output.splitlines()
    files = contents(tmp_path / "scrutable-risk-points")
    assert lines[0] == f"Wrote {len(files)} files to scrutable-risk-points:"
    assert sorted(line.strip() for line in lines[1 : len(files) + 1]) == sorted(files)
    assert [line.strip() for line in lines[-3:]] == [
        'python -m pip install -e ".[dev]"',
        "python -m pytest",
        "scrutable plugins check risk-points",
    ]
    assert "Copyright (c) Jane Doe" in files["LICENSE"]


def test_the_command_speaks_json(run: Callable[..., Result], tmp_path: Path) -> None:
    done = run("binner", "halves", "--output", "here", "--json")
    found = json.loads(done.output)
    assert set(found.pop("files")) == set(contents(tmp_path / "here"))
    assert found == {"folder": "here", "package": "scrutable_halves", "distribution": "scrutable-halves"}


def test_the_command_refuses_what_is_no_kind(run: Callable[..., Result], tmp_path: Path) -> None:
    assert isinstance(run("scorer", "halves").exception, InputError)
    assert os.listdir(tmp_path) == []
