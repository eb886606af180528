"""Whatever is altered, dropped, swapped or put in is named, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from archives import CARD, N_ROWS, applicants, by_what, changed, cover, digest_of, linked, part_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError
from scrutable_records import Archive, Decider, Head, StoredRecords, replay

Named = Callable[..., dict[str, list[int]]]
Rows = list[dict[str, Any]]
FIRST = 25

#: Another value for every column.
OTHERS: dict[str, Any] = {
    "occurred_at": "2026-11-28T00:00:00.000000Z",
    "about": 1,
    "model": "0" * 64,
    "score": 1e6,
    "decision": 7,
    "knock_out": "K",
    "override": "O",
    "grade": "A",
    "reasons": '["R9"]',
    "manual_decision": 1,
    "manual_by": "somebody",
    "event": "{}",
    "id": "L0",
    "notice": "N1",
    "manual_reason": "because",
    "input_amount": 123.456,
    "input_region": 123.456,
    "input_age": 123.456,
    "input_job": "pilot",
    "salt": b"s" * 16,
    "personal_sha256": b"p" * 32,
    "previous_sha256": b"v" * 32,
    "sha256": b"d" * 32,
}


def test_an_archive_that_nobody_touched_passes(archive: Archive, named: Named) -> None:
    assert named(archive, heads=[archive.head, Head()]) == {}


@pytest.mark.parametrize("column", OTHERS)
def test_a_record_of_which_any_value_is_altered_is_named_and_no_other(
    archive: Archive, named: Named, column: str
) -> None:
    for row in (0, 11, FIRST - 1):
        before = part_of(archive)[1].to_pylist()[row][column]

        def alter(rows: Rows, value: Any, row: int = row) -> None:
            rows[row][column] = value

        changed(archive, lambda rows, alter=alter: alter(rows, OTHERS[column]))
        assert {number for numbers in named(archive).values() for number in numbers} == {row + 1}
        changed(archive, lambda rows, alter=alter, before=before: alter(rows, before))
    assert named(archive) == {}


def test_the_columns_that_are_altered_above_are_all(archive: Archive) -> None:
    assert {"record", *OTHERS} == set(part_of(archive)[1].column_names)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_records_dropped_swapped_or_put_in_are_named(archive: Archive, named: Named, data: st.DataObject) -> None:
    path, _ = part_of(archive)
    untouched = path.read_bytes()
    one, other = sorted(data.draw(st.lists(st.integers(0, FIRST - 1), min_size=2, max_size=2, unique=True)))
    how = data.draw(st.sampled_from(["drop", "swap rows", "swap contents", "repeat", "put in", "renumber"]))

    def change(rows: Rows) -> None:
        if how == "drop":
            del rows[one]
        elif how == "swap rows":
            rows[one], rows[other] = rows[other], rows[one]
        elif how == "swap contents":
            rows[one]["record"], rows[other]["record"] = rows[other]["record"], rows[one]["record"]
            rows[one], rows[other] = rows[other], rows[one]
        elif how == "repeat":
            rows.insert(other, dict(rows[one]))
        elif how == "put in":
            rows.insert(other, {**rows[one], "record": other + 1})
        else:
            rows[other]["record"] = 99

    changed(archive, change)
    try:
        differing = named(archive)
    finally:
        path.write_bytes(untouched)
    if how == "swap contents" and other + 1 == FIRST:  # whose digest the manifest has, too
        assert differing.pop("head") == [FIRST]
    expected = {
        "drop": {"missing": [one + 1]},
        "swap rows": {"out of place": [one + 1, other + 1]},
        "swap contents": {"altered": [one + 1, other + 1]},
        "repeat": {"twice": [one + 1]},
        "renumber": {"missing": [other + 1], "out of place": [99], "altered": [99]},
    }
    if how == "put in":
        assert differing == {"twice": [other + 1], "altered": [other + 1]}
    else:
        assert differing == expected[how]


def test_a_record_written_anew_with_its_digest_is_named_with_the_one_after(archive: Archive, named: Named) -> None:
    def rewrite(rows: Rows) -> None:
        rows[6]["score"] = 999.0
        rows[6]["sha256"] = digest_of(rows[6])

    changed(archive, rewrite)
    assert named(archive) == {"chain": [7, 8], "score": [7]}


def test_a_decision_written_anew_with_all_digests_after_it_is_found_by_the_model(
    archive: Archive, named: Named
) -> None:
    def rewrite(rows: Rows) -> None:
        rows[6]["decision"] = 1 - rows[6]["decision"]

    head = archive.head
    changed(archive, rewrite)
    cover(archive)
    assert named(archive) == {"decision": [7]}
    assert named(archive, heads=[head]) == {"decision": [7], "head": [N_ROWS]}


def test_what_no_model_tells_of_is_found_by_a_head_that_was_kept(archive: Archive, named: Named) -> None:
    head = archive.head

    def rewrite(rows: Rows) -> None:
        rows[6]["occurred_at"] = OTHERS["occurred_at"]

    changed(archive, rewrite)
    cover(archive)
    assert named(archive) == {}
    assert named(archive, heads=[head]) == {"head": [N_ROWS]}


def test_a_tail_that_was_cut_off_is_found_by_a_head_that_was_kept_alone(archive: Archive, named: Named) -> None:
    head = archive.head
    changed(archive, lambda rows: rows.__delitem__(slice(-3, None)), place=1)
    assert named(archive) == {"missing": [38, 39, 40]}
    file = archive.folder / "manifest.json"
    manifest = json.loads(file.read_text())
    manifest["parts"][1]["last"] = 37
    file.write_text(json.dumps(manifest))
    cover(archive)
    assert named(archive) == {}
    assert named(archive, heads=[head]) == {"head": [40]}


def test_of_two_heads_of_one_number_both_must_be_right(archive: Archive, named: Named) -> None:
    other = Head(archive.head.record, b"x" * 32)
    assert named(archive, heads=[archive.head] * 2) == {}
    for heads in ([other, archive.head], [archive.head, other]):
        assert named(archive, heads=heads) == {"head": [N_ROWS]}


def test_the_head_of_an_archive_without_records_is_none_that_is_missed(tmp_path: Path, named: Named) -> None:
    empty = Archive(tmp_path / "empty")
    with pytest.raises(InputError):
        empty.append(CARD, {"age": [19.0]})
    assert named(empty, heads=[empty.head]) == {}
    assert named(empty, heads=[Head(0, b"x" * 32)]) == {"head": [0]}


def test_a_part_from_which_all_records_are_gone_is_named(archive: Archive, named: Named) -> None:
    changed(archive, list.clear)
    assert named(archive) == {"missing": list(range(1, FIRST + 1))}


def test_a_part_that_is_missing_or_broken_is_named_by_its_records(archive: Archive, named: Named) -> None:
    path, _ = part_of(archive)
    path.write_bytes(path.read_bytes()[:100])
    assert named(archive) == {"unreadable": list(range(1, FIRST + 1))}
    path.unlink()
    assert named(archive) == {"unreadable": list(range(1, FIRST + 1))}


def test_a_part_with_a_record_that_lost_its_number_cannot_be_read(archive: Archive, named: Named) -> None:
    path, table = part_of(archive)
    numbers = pa.array([None, *table["record"].to_pylist()[1:]], pa.int64())
    pq.write_table(table.set_column(0, "record", numbers), path, store_schema=False)
    assert named(archive) == {"unreadable": list(range(1, FIRST + 1))}


def test_a_part_that_nobody_listed_is_named(archive: Archive, named: Named) -> None:
    path, _ = part_of(archive)
    (archive.folder / "part-000009.parquet").write_bytes(path.read_bytes())
    assert named(archive) == {"twice": list(range(1, FIRST + 1))}


def test_records_that_are_added_while_others_are_replayed_are_replayed_too(
    archive: Archive, models: Mapping[str, Decider]
) -> None:
    rows = StoredRecords(archive.folder)
    archive.append(CARD, applicants(3))
    done = replay(rows, models)
    assert (by_what(done), done.records) == ({}, N_ROWS + 3)


def test_parts_that_are_listed_twice_or_in_another_order_are_named(archive: Archive, named: Named) -> None:
    file = archive.folder / "manifest.json"
    manifest = json.loads(file.read_text())
    first, second = manifest["parts"]
    file.write_text(json.dumps(manifest | {"parts": [first, second, first]}))
    assert named(archive)["twice"] == list(range(1, FIRST + 1))
    file.write_text(json.dumps(manifest | {"parts": [second, first]}))
    assert named(archive) == {"out of place": list(range(1, N_ROWS + 1))}
    file.write_text(json.dumps(manifest | {"parts": [second]}))
    assert named(archive)["missing"] == list(range(1, FIRST + 1))


def test_parts_of_another_archive_do_not_follow(archive: Archive, named: Named) -> None:
    def renumber(rows: Rows) -> None:
        rows[0]["previous_sha256"] = bytes(32)
        linked(rows)

    changed(archive, renumber, place=1)
    assert named(archive) == {"chain": [FIRST, FIRST + 1], "head": [N_ROWS]}
