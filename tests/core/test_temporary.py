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

from scrutable.files import write_whole
from scrutable.temporary import LeftBehindWarning, temporary_folder

#: Forks that write two files, each sent a signal before one more step, and a whole run after each. What is there then
#: is printed: the files' first words, what else, the same after the whole run, and what that said.
STOPPED = """
import json, os, signal, sys, warnings
from pathlib import Path
from scrutable.cli.ending import orderly
from scrutable.files import write_all

folder, number = Path(sys.argv[1]), int(sys.argv[2])
targets = {str(folder / name): "new " * 1000 for name in ("a", "b")}

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
    texts = [Path(target).read_text() for target in targets]
    found = [text[:3] if text == text[:4] * 1000 else text for text in texts]
    left = sorted(set(os.listdir(folder)) - {"a", "b"})
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        write_all(targets, overwrite=True)
    print(json.dumps([found, left, sorted(os.listdir(folder)), [str(each.message) for each in told]]))
    if not stopped:
        break
"""


def stopped_at_every_step(folder: Path, number: int) -> list[tuple[list[str], list[str], list[str], list[str]]]:
    command = [sys.executable, "-c", STOPPED, folder, str(number)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert 10 < len(found) < 99
    return found


def test_the_next_run_removes_what_one_that_was_killed_at_any_step_left(tmp_path: Path) -> None:
    found = stopped_at_every_step(tmp_path, signal.SIGKILL)
    told = f"removed the unfinished files that a run that was killed had left in {str(tmp_path)!r}"
    for texts, left, after, said in found:
        assert set(texts) <= {"old", "new"}
        assert len(left) <= 1
        assert after == ["a", "b"]
        assert said == ([told] if left else [])
    assert [bool(left) for _, left, _, _ in found] == [False, *[True] * (len(found) - 2), False]


def test_a_run_that_is_told_to_stop_at_any_step_writes_all_or_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    for texts, left, after, said in stopped_at_every_step(tmp_path, signal.SIGTERM):
        assert texts in (["old", "old"], ["new", "new"])
        assert (left, after, said) == ([], ["a", "b"], [])


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
