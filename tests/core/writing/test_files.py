"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from scrutable.errors import InputError
from scrutable.writing.files import check_targets, make_folder, read_text, write_all, write_whole


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("content", ["ä\r\n\n", b"\x00\xff", "", b""])
def test_content_is_written_unchanged(tmp_path: Path, content: str | bytes) -> None:
    write_whole(tmp_path / "a.json", content)
    assert (tmp_path / "a.json").read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert names(tmp_path) == ["a.json"]


def test_an_existing_file_is_kept_unless_overwriting_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    with pytest.raises(
        InputError, match=r"a.json': exists already. Fix: pass --overwrite \(in Python overwrite=True\)"
    ):
        write_whole(path, "new")
    assert path.read_text() == "old"
    write_whole(str(path), "new", overwrite=True)
    assert path.read_text() == "new"
    assert names(tmp_path) == ["a.json"]


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"its folder does not exist; got '.*no'\. Fix: create"):
        write_whole(tmp_path / "no" / "a.json", "x")
    assert names(tmp_path) == []


def test_a_folder_or_a_device_is_never_replaced(tmp_path: Path) -> None:
    for target in (tmp_path, Path(os.devnull)):
        with pytest.raises(InputError, match="exists and is not a regular file"):
            write_whole(target, "x", overwrite=True)


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, failure: BaseException
) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")

    def fail(*_: Any) -> None:
        raise failure

    monkeypatch.setattr(os, step, fail)
    with pytest.raises((InputError, KeyboardInterrupt)) as caught:
        write_whole(path, "new", overwrite=True)
    assert isinstance(failure, KeyboardInterrupt) or "cannot be written; got 'No space left" in str(caught.value)
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a.json"]


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    write_whole(tmp_path / "link.json", "new", overwrite=True)
    assert (tmp_path / "real.json").read_text() == "new"
    assert (tmp_path / "link.json").is_symlink()


def test_permissions_are_those_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    write_whole(tmp_path / "whole", "")
    assert stat.S_IMODE((tmp_path / "whole").stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)


def test_overwriting_keeps_the_permissions(tmp_path: Path) -> None:
    path = tmp_path / "private"
    path.write_text("old")
    path.chmod(0o600)
    write_whole(path, "new", overwrite=True)
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o600)


@pytest.mark.parametrize("hard_links", [True, False])
def test_a_file_that_appears_in_the_last_moment_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hard_links: bool
) -> None:
    path = tmp_path / "a.json"

    def appears(*_: Any) -> None:
        path.write_text("theirs")

    def refuse(*_: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "fsync", appears)
    if not hard_links:
        monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(InputError, match="exists already"):
        write_whole(path, "ours")
    assert path.read_text() == "theirs"
    assert names(tmp_path) == ["a.json"]


def test_a_file_system_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    write_whole(tmp_path / "a.json", "x")
    assert (tmp_path / "a.json").read_text() == "x"
    assert names(tmp_path) == ["a.json"]


def test_the_longest_name_that_the_system_takes(tmp_path: Path) -> None:
    longest = "n" * os.pathconf(tmp_path, "PC_NAME_MAX")
    write_whole(tmp_path / longest, "x")
    assert names(tmp_path) == [longest]
    with pytest.raises(InputError, match="cannot be written; got 'File name too long'"):
        write_whole(tmp_path / f"{longest}n", "x")


@pytest.mark.parametrize(
    ("path", "message"),
    [("", "the path is empty"), ("a\0b", "embedded null"), ("n" * 300, "got 'File name too long'")],
)
def test_paths_that_no_system_takes(path: str, message: str) -> None:
    for use in (write_whole, lambda path, _: check_targets([path]), lambda path, _: make_folder(path)):
        with pytest.raises(InputError, match=message):
            use(path, "x")
    if path:
        with pytest.raises(InputError, match=message):
            read_text(path)


def test_several_files_are_written_all_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_all({f"{tmp_path}/a": "1", f"{tmp_path}/b": b"2"})
    assert names(tmp_path) == ["a", "b"]
    (tmp_path / "a").unlink()
    with pytest.raises(InputError, match="b': exists already"):
        write_all({f"{tmp_path}/a": "1", f"{tmp_path}/b": "2"})
    assert names(tmp_path) == ["b"]
    synced: list[int] = []

    def full(handle: int) -> None:
        synced.append(handle)
        if len(synced) == 2:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="b': cannot be written; got 'No space left on device'"):
        write_all({f"{tmp_path}/a": "1", f"{tmp_path}/b": "new"}, overwrite=True)
    assert names(tmp_path) == ["b"]
    assert (tmp_path / "b").read_bytes() == b"2"


def test_no_target_is_an_input_or_another_target(tmp_path: Path) -> None:
    data, link = tmp_path / "data", tmp_path / "link"
    data.write_text("precious")
    link.symlink_to(data)
    other = tmp_path / "other"
    for paths, inputs in (([link], [data]), ([data], [link]), ([other, other], [])):
        with pytest.raises(InputError, match="the file has two uses"):
            check_targets(paths, inputs=inputs, overwrite=True)
    assert check_targets([other, link], inputs=[tmp_path / "more"], overwrite=True) == [other, data]


def test_a_folder_is_made_in_one_that_exists(tmp_path: Path) -> None:
    assert make_folder(f"{tmp_path}/new/") == make_folder(tmp_path / "new") == tmp_path / "new"
    assert (tmp_path / "new").is_dir()
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"file': is not a folder. Fix: give another path"):
        make_folder(f"{tmp_path}/file/")
    with pytest.raises(InputError, match=r"no/such': cannot be made; got 'No such file or directory'"):
        make_folder(tmp_path / "no" / "such")
