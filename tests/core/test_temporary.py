"""Temporary folders go, whatever ends the run that made them; those of others that still run stay."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from scrutable.files import read_text, write_whole
from scrutable.temporary import LeftBehindWarning, temporary_folder

#: Forks that write three files in two folders, each sent a signal before one more step; then the files are read, and
#: written by a whole run. What is there is printed: the files' first words, what else was left, the words as our reader
#: found them, what is there after the whole run, and what was said.
STOPPED = """
import json, os, signal, sys, warnings
from pathlib import Path
from scrutable.cli.ending import orderly
from scrutable.files import read_text, write_all

folder, number = Path(sys.argv[1]), int(sys.argv[2])
(folder / "d").mkdir()
targets = {str(folder / name): "new " * 1000 for name in ("a", "b", "d/c")}

def words(read):
    texts = [read(target) for target in targets]
    return [text[:3] if text == text[:4] * 1000 else text for text in texts]

def others():
    return sorted(str(each.relative_to(folder)) for each in [*folder.iterdir(), *(folder / "d").iterdir()]
                  if str(each) not in targets and each.name != "d")

def stopped_before(step):
    taken = []
    def audit(event, arguments):
        if event in ("open", "os.mkdir", "fcntl.flock", "os.chmod", "os.rename", "os.remove", "os.rmdir"):
            taken.append(event)
            if len(taken) == step:
                os.kill(os.getpid(), number)
    sys.addaudithook(audit)
    orderly(lambda: write_all(targets, overwrite=True))

for step in range(1, 100):
    for target in targets:
        Path(target).write_text("old " * 1000)
    if (child := os.fork()) == 0:
        try:
            stopped_before(step)
        except SystemExit as error:
            os._exit(error.code)
        os._exit(0)
    stopped = os.waitpid(child, 0)[1]
    raw, left = words(lambda target: Path(target).read_text()), others()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        read = words(read_text)
        write_all(targets, overwrite=True)
    print(json.dumps([raw, left, read, others(), [str(each.message) for each in told]]), flush=True)
    if not stopped:
        break
"""


def stopped_at_every_step(
    folder: Path, number: int
) -> list[tuple[list[str], list[str], list[str], list[str], list[str]]]:
    command = [sys.executable, "-c", STOPPED, folder, str(number)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    steps = [json.loads(line) for line in done.stdout.splitlines()]
    assert 20 < len(steps) < 99
    return steps


def test_files_of_a_run_that_was_killed_at_any_step_are_all_old_or_all_new_to_the_next(tmp_path: Path) -> None:
    steps = stopped_at_every_step(tmp_path, signal.SIGKILL)
    mixed = 0
    for raw, left, read, after, said in steps:
        assert set(raw) <= {"old", "new"}
        mixed += len(set(raw)) > 1
        assert len(left) <= 2
        assert read in (["old"] * 3, ["new"] * 3)
        assert "new" not in raw or read[0] == "new", "who saw a new file sees no old one later"
        assert after == []
        assert bool(said) == bool(left)
    assert mixed == 2, "a kill between two names"
    assert [bool(left) for _, left, _, _, _ in steps] == [False, *[True] * (len(steps) - 2), False]
    assert {text.partition(" of ")[0] for *_, said in steps for text in said} > {
        "wrote the last 2 files",
        "wrote the last file",
    }


def test_a_run_that_is_told_to_stop_at_any_step_writes_all_or_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    for raw, left, read, after, said in stopped_at_every_step(tmp_path, signal.SIGTERM):
        assert raw in (["old"] * 3, ["new"] * 3)
        assert (left, read, after, said) == ([], raw, [], [])


def waiting(folder: Path, manifest: object, **files: str) -> Path:
    """What a run that was killed left in a folder, with a manifest."""
    inner = folder / ".scrutable-0.tmp" / "files"
    inner.mkdir(parents=True)
    (inner.parent / "lock").touch()
    for name, text in files.items():
        (inner / name).write_text(text)
    (inner / "manifest").write_text(json.dumps(manifest))
    return inner


def test_a_file_that_changed_since_stays_and_names_elsewhere_are_not_taken(tmp_path: Path) -> None:
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    inner = home / ".scrutable-0.tmp" / "files"
    names = {
        "0": {"name": "mended", "was": [1, 2, 3]},
        "1": {"name": "../elsewhere", "was": None},
        "../../secret": {"name": "2", "was": None},
    }
    home.mkdir()
    (home / "mended").write_text("by hand")
    (home / "secret").write_text("stays")
    files = {"0": "decided", "1": "decided"}
    waiting(home, {"home": str(inner), "others": [], "names": names, "overwrite": True}, **files)
    with pytest.warns(LeftBehindWarning, match="wrote the last file"):
        assert read_text(home / "mended") == "by hand"
    assert not elsewhere.exists()
    assert sorted(os.listdir(home)) == ["elsewhere", "mended", "secret"]


@pytest.mark.parametrize("manifest", [7, [], {}, {"home": 1, "others": [], "names": {}, "overwrite": True}])
def test_what_is_no_manifest_decides_nothing(tmp_path: Path, manifest: object) -> None:
    waiting(tmp_path, manifest, **{"0": "half"})
    with pytest.warns(LeftBehindWarning, match="removed the unfinished files"):
        write_whole(tmp_path / "file", "x")
    assert os.listdir(tmp_path) == ["file"]


def test_a_folder_in_use_stays_and_is_private(tmp_path: Path) -> None:
    with temporary_folder(tmp_path) as ours:
        (ours / "rows").write_text("secret")
        write_whole(tmp_path / "file", "x")
        assert (ours / "rows").read_text() == "secret"
        [hidden] = [each for each in os.listdir(tmp_path) if each != "file"]
        assert hidden.startswith(".")
        assert stat.S_IMODE((tmp_path / hidden).stat().st_mode) == 0o700
    assert os.listdir(tmp_path) == ["file"]


def test_folders_for_engines_are_swept_where_the_system_has_its_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("scrutable-1.tmp", "scrutable-2.tmp"):
        (tmp_path / name / "files").mkdir(parents=True)
        (tmp_path / name / "files" / "rows.csv").write_text("secret")
        (tmp_path / name / "lock").touch()
    (tmp_path / "scrutable-notes").mkdir()
    with pytest.warns(LeftBehindWarning, match="2 runs that were killed"), temporary_folder() as folder:
        assert folder.parent.parent == tmp_path
    assert os.listdir(tmp_path) == ["scrutable-notes"]
