"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from scrutable.errors import InputError
from scrutable.files import write_whole


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
