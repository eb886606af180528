"""Hostile files end in an error of ours or in what can be used; the job that says so finds what does not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hostile import reading, running, tried
from hostile.__main__ import main
from hostile.corpus import corpus


@pytest.mark.filterwarnings("ignore:.* read as missing among categories")
@pytest.mark.parametrize("kind", corpus())
def test_the_files_that_are_changed_are_right(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"right{corpus()[kind].suffix}"
    for content in corpus()[kind].right:
        path.write_bytes(content)
        assert not reading.refused(kind, path)


def test_a_sample_is_refused_in_words_or_read_whole() -> None:
    tally = tried(2026, range(1500))
    assert tally.findings == []
    for kind, of_kind in corpus().items():
        assert tally.refused[kind] > 20 * of_kind.share
        assert tally.read[kind] > 3 * of_kind.share


def planted(fault: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(reading._READERS, "edits", fault)


def test_what_is_no_error_of_ours_is_told_with_what_gives_it_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bytes] = []

    def fails(path: Path) -> None:
        seen.append(path.read_bytes())
        raise RuntimeError("out of order")

    planted(fails, monkeypatch)
    arguments = ["--seed", "5", "--kind", "edits", "--keep", str(tmp_path)]
    assert main([*arguments, "--inputs", "3"]) == 1
    told = capsys.readouterr().out
    assert re.search(r"3 files of seed 5, [\d,]+ a second: 3 findings", told)
    assert "edits 1: RuntimeError: out of order" in told
    assert "again with --seed 5 --only 1 --kind edits" in told
    assert main([*arguments, "--only", "1"]) == 1
    assert (tmp_path / "seed-5-edits-1.toml").read_bytes() == seen[1] == seen[3]


def test_what_has_no_end_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def goes_on(_: Path) -> None:
        while True:
            pass

    planted(goes_on, monkeypatch)
    monkeypatch.setattr(running, "SECONDS", 0.05)
    [finding] = tried(0, [0], ["edits"]).findings
    assert "TooLongError: no end after 0.05 s of CPU time" in finding.said


def test_what_reads_back_as_another_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "dump_review", lambda edits: "")
    assert {finding.said.partition(" (")[0] for finding in tried(1, range(60), ["edits"]).findings} == {
        "PromiseError: the edits read back as others"
    }
