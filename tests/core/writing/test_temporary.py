"""Temporary folders go, whatever ends the run that made them; those of others that still run stay."""

from __future__ import annotations

import errno
import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from scrutable.errors import InputError
from scrutable.writing.files import read_text, write_all, write_whole
from scrutable.writing.temporary import LeftBehindWarning, temporary_folder

#: Forks that write three files in two folders, each sent a signal before one more step; then the files are read, and
#: written by a whole run. What is there is printed: the files' first words, what else was left, the words as our reader
#: found them, what is there after the whole run, and what was said.
STOPPED = """
import json, os, signal, sys, warnings
from pathlib import Path
from scrutable.cli.ending import orderly
from scrutable.writing.files import read_text, write_all

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
        assert read[0] == read[1], "files of one folder"
        assert "new" not in raw or read[0] == "new", "who saw a new file sees no old one later"
        assert after == []
        assert left or not said
    assert sum(bool(left) and not said for _, left, _, _, said in steps) <= 4, "only an empty folder goes in silence"
    assert mixed > 1, "a kill between two names"
    assert sum(len(set(read)) > 1 for _, _, read, _, _ in steps) <= 2, "a kill between the manifests of two folders"
    assert [bool(left) for _, left, _, _, _ in steps] == [False, *[True] * (len(steps) - 2), False]
    said_then = {text.partition(" of ")[0] for *_, said in steps for text in said}
    assert said_then > {"wrote the last 2 files", "wrote the last file"}


def test_a_run_that_is_told_to_stop_at_any_step_writes_all_or_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    for raw, left, read, after, said in stopped_at_every_step(tmp_path, signal.SIGTERM):
        assert raw in (["old"] * 3, ["new"] * 3)
        assert (left, read, after, said) == ([], raw, [], [])


def waiting(folder: Path, manifest: object, **files: str) -> Path:
    """The hidden folder that a killed run left, with a manifest."""
    hidden = folder / ".scrutable-0.tmp"
    (hidden / "files").mkdir(parents=True)
    (hidden / "lock").touch()
    for name, text in files.items():
        (hidden / "files" / name).write_text(text)
    (hidden / "files" / "manifest").write_text(json.dumps(manifest))
    return hidden


def decided(folder: Path, overwrite: bool = False, **texts: str) -> Path:
    """The hidden folder of a run that was killed when it had decided that these new files take their names."""
    names = {str(place): {"name": name, "was": None} for place, name in enumerate(texts)}
    files = {str(place): text for place, text in enumerate(texts.values())}
    return waiting(folder, {"names": names, "overwrite": overwrite}, **files)


def test_a_file_that_changed_since_stays(tmp_path: Path) -> None:
    decided(tmp_path, mended="decided", new="decided")
    (tmp_path / "mended").write_text("by hand")
    with pytest.warns(LeftBehindWarning, match="wrote the last file"):
        assert read_text(tmp_path / "mended") == "by hand"
    assert (tmp_path / "new").read_text() == "decided"
    assert sorted(os.listdir(tmp_path)) == ["mended", "new"]


@pytest.mark.parametrize("name", ["../elsewhere", "/elsewhere", "a/b", "", ".", "..", "a\0b", "a\\b"])
def test_names_elsewhere_decide_nothing(tmp_path: Path, name: str) -> None:
    home = tmp_path / "home"
    waiting(home, {"names": {"0": {"name": name, "was": None}}, "overwrite": True}, **{"0": "decided"})
    (home / "file").write_text("x")
    assert read_text(home / "file") == "x"
    assert os.listdir(tmp_path) == ["home"]
    assert sorted(os.listdir(home)) == [".scrutable-0.tmp", "file"]


def test_what_waits_elsewhere_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("stays")
    hidden = decided(tmp_path, link="decided")
    (hidden / "files" / "0").unlink()
    (hidden / "files" / "0").symlink_to(tmp_path / "secret")
    write_whole(tmp_path / "file", "x")
    assert sorted(os.listdir(tmp_path)) == ["file", "secret"]


@pytest.mark.parametrize("manifest", [7, [], {}, {"names": {}}, {"names": {"0": 1}, "overwrite": True}])
def test_what_is_no_manifest_decides_nothing(tmp_path: Path, manifest: object) -> None:
    waiting(tmp_path, manifest, **{"0": "half"})
    with pytest.warns(LeftBehindWarning, match="removed the unfinished files"):
        write_whole(tmp_path / "file", "x")
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: os.symlink("/dev/zero", path)])
def test_a_manifest_without_an_end_holds_nobody_up(tmp_path: Path, make: Callable[[Path], None]) -> None:
    hidden = decided(tmp_path, new="decided")
    (hidden / "files" / "manifest").unlink()
    make(hidden / "files" / "manifest")
    (tmp_path / "file").write_text("x")
    assert read_text(tmp_path / "file") == "x"
    assert not (tmp_path / "new").exists()


def test_a_folder_that_was_moved_is_completed(tmp_path: Path) -> None:
    decided(tmp_path / "before", a="decided", b="decided")
    (tmp_path / "before").rename(tmp_path / "after")
    with pytest.warns(LeftBehindWarning, match="wrote the last 2 files"):
        assert read_text(tmp_path / "after" / "a") == "decided"


def refusing_b(change: Callable[[Path, Path], None]) -> Callable[[Path, Path], None]:
    """What gives names, for every name but b."""

    def refuse(source: Path, target: Path) -> None:
        if target.name == "b":
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        change(source, target)

    return refuse


def test_names_that_cannot_be_taken_are_told_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    decided(tmp_path, a="decided", b="decided")
    monkeypatch.setattr(os, "link", refusing_b(os.link))
    monkeypatch.setattr(os, "replace", refusing_b(os.replace))
    with pytest.warns(LeftBehindWarning) as told:
        assert read_text(tmp_path / "a") == "decided"
    assert "': b; they are of another run than those beside them" in str(told[1].message)
    monkeypatch.undo()
    with pytest.warns(LeftBehindWarning, match="wrote the last file"):
        assert read_text(tmp_path / "b") == "decided"
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


def test_without_hard_links_an_empty_file_holds_the_place(tmp_path: Path) -> None:
    decided(tmp_path, a="decided", b="decided")
    (tmp_path / "a").touch()
    with pytest.warns(LeftBehindWarning, match="wrote the last 2 files"):
        assert read_text(tmp_path / "a") == "decided"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_what_another_user_left_stays(tmp_path: Path) -> None:
    hidden = decided(tmp_path, new="decided")
    os.chown(hidden, 65534, 65534)
    write_whole(tmp_path / "file", "x")
    assert sorted(os.listdir(tmp_path)) == [".scrutable-0.tmp", "file"]


def test_where_one_name_is_refused_none_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text("old")
    monkeypatch.setattr(os, "replace", refusing_b(os.replace))
    contents = {str(tmp_path / name): "new" for name in ("c", "a", "b")}
    with pytest.raises(InputError, match="cannot be written"):
        write_all(contents, overwrite=True)
    assert {name: (tmp_path / name).read_text() for name in os.listdir(tmp_path)} == {"a": "old", "b": "old"}


#: Writes the same files again and again, each time in a word of its own.
WRITER = """
import sys
from pathlib import Path
from scrutable.writing.files import write_all

for number in range(60):
    names = sorted(("a", "b", "c"), reverse=number % 2 == 0)
    write_all({f"{sys.argv[1]}/{name}": f"{sys.argv[2]} {number}" for name in names}, overwrite=True)
"""


def test_writers_at_once_come_one_after_the_other(tmp_path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, tmp_path, word]) for word in ("one", "two", "three")]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0]
    assert len({(tmp_path / name).read_text() for name in ("a", "b", "c")}) == 1
    assert sorted(os.listdir(tmp_path)) == ["a", "b", "c"]


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
