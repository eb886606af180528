"""What is personal can be taken out, and the chain stays what it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow.parquet as pq
import pytest
from archives import CARD, N_ROWS, applicants, changed, part_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError
from scrutable_records import Archive, Decider, Said, StoredRecords, Which, erase, replay
from scrutable_records.erasures import Ranges

Named = Callable[..., dict[str, list[int]]]
PERSONAL = ("id", "notice", "manual_reason", "salt", "input_age", "input_amount", "input_region", "input_job")


def take_out(archive: Archive, **which: Any) -> Any:
    return erase(archive, Which(**which), by="records office", why="request 17")


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sets(st.integers(1, N_ROWS), min_size=1))
def test_erased_records_are_told_as_erased_and_all_others_are_made_anew(
    archive: Archive, models: dict[str, Decider], numbers: set[int]
) -> None:
    before = {path.name: path.read_bytes() for path in archive.folder.iterdir()}
    head = archive.head
    try:
        erased = take_out(archive, records=tuple(numbers))
        done = replay(StoredRecords(archive.folder), models, heads=[head, archive.head])
        rows = [row for place in (0, 1) for row in part_of(archive, place)[1].to_pylist()]
    finally:
        for path in archive.folder.iterdir():
            path.unlink()
        for name, content in before.items():
            (archive.folder / name).write_bytes(content)
    assert done.passed
    assert (done.erased, done.verified) == (len(numbers), N_ROWS - len(numbers))
    assert erased.count == len(numbers)
    gone = {row["record"] for row in rows if all(row[name] is None for name in PERSONAL)}
    assert gone == numbers
    assert all(row["personal_sha256"] is not None and row["reasons"] is not None for row in rows)


def test_nothing_of_an_erased_person_stays_in_the_folder(archive: Archive) -> None:
    rows = applicants(1) | {"job": ["a very rare profession"], "loan": ["Jane Doe 1970"]}
    archive.append(CARD, rows, Said(id="loan"))
    take_out(archive, ids=("Jane Doe 1970",))
    for path in archive.folder.rglob("*"):
        assert b"rare profession" not in path.read_bytes()
        assert b"Jane Doe" not in path.read_bytes()


def test_what_came_later_about_a_record_goes_with_it(archive: Archive, named: Named) -> None:
    later = {
        "letter": ["N7", "N8"],
        "override": [None, 1],
        "who": [None, "J. Roe"],
        "why": [None, "paid by her mother"],
    }
    said = Said(notice="letter", manual_decision="override", manual_by="who", manual_reason="why")
    assert archive.amend([3, 4], later, said).first == N_ROWS + 1
    assert named(archive) == {}
    assert take_out(archive, records=(4,)).records == ((4, 4), (N_ROWS + 2, N_ROWS + 2))
    assert named(archive) == {}
    [kept, erased] = part_of(archive, 2)[1].to_pylist()
    assert (kept["about"], kept["notice"]) == (3, "N7")
    assert (erased["about"], erased["manual_decision"], erased["manual_by"]) == (4, 1, "J. Roe")
    assert erased["manual_reason"] is None


def test_a_term_ends_by_date(archive: Archive, named: Named) -> None:
    archive.append(CARD, applicants(5), Said(id="loan", now="2026-12-24T12:00+01:00"))
    assert take_out(archive, before="2026-12-24 11:00").records == ((1, N_ROWS),)
    assert take_out(archive, before="2026-12-24 11:00").records == ()
    assert named(archive) == {}
    assert [row["id"] for row in part_of(archive, 2)[1].to_pylist()] == ["L1", "L2", "L3", "L4", "L5"]


def test_what_is_taken_out_without_a_record_of_it_is_named(archive: Archive, named: Named) -> None:
    take_out(archive, records=(2, 3))

    def empty(rows: list[dict[str, Any]]) -> None:
        for row in rows[1:6]:
            row.update(dict.fromkeys(PERSONAL))

    changed(archive, empty)
    assert named(archive) == {"taken out": [4, 5, 6]}


@pytest.mark.parametrize("name", ["id", "notice", "manual_reason", "input_job", "input_amount"])
def test_what_stands_in_an_erased_record_again_is_named(archive: Archive, named: Named, name: str) -> None:
    take_out(archive, records=(2, 3))
    changed(archive, lambda rows: rows[1].update({name: 1.0 if name == "input_amount" else "invented"}))
    assert named(archive) == {"personal": [2]}


def test_an_erasure_that_is_altered_covers_nothing(archive: Archive, named: Named) -> None:
    take_out(archive, records=(2,))
    for told in ('"all"', "[[1, Infinity]]", "[[NaN, 2]]", "[2]", "null"):
        changed(archive, lambda rows, told=told: rows[0].update(event=f'{{"erased": {told}}}'), place=2)
        assert named(archive) == {"altered": [N_ROWS + 1], "taken out": [2]}


@pytest.mark.parametrize(
    ("which", "what"),
    [
        ({}, "nothing says which records"),
        ({"records": (99,)}, "not the number of a record"),
        ({"records": (1, 99)}, "not the number of a record"),
        ({"records": (1, 0)}, "not the number of a record"),
        ({"ids": ("nobody",)}, "no record has one of these ids, or it is erased already"),
        ({"before": "yesterday"}, "before: not a time"),
    ],
)
def test_a_mistaken_erasure_is_refused_and_changes_nothing(archive: Archive, which: dict[str, Any], what: str) -> None:
    before = {path.name: path.read_bytes() for path in archive.folder.iterdir()}
    with pytest.raises(InputError, match=what) as error:
        take_out(archive, **which)
    assert "nobody" not in str(error.value)
    assert {path.name: path.read_bytes() for path in archive.folder.iterdir()} == before


def test_ids_that_no_record_has_are_counted_beside_others(archive: Archive) -> None:
    done = take_out(archive, ids=("L2", "nobody", "L30", "l2", "nobody"))
    assert (done.records, done.unknown_ids) == (((2, 2), (30, 30)), 2)
    assert done.to_dict()["unknown_ids"] == 2
    assert take_out(archive, ids=("L2", "L3")).unknown_ids == 1  # an id that is erased is nobody's
    assert take_out(archive, records=(4,)).unknown_ids == 0


def test_nothing_is_added_to_what_is_erased(archive: Archive, named: Named) -> None:
    take_out(archive, records=(2, 30))
    before = archive.head
    with pytest.raises(InputError, match=r"not the record of a decision, or erased; got 30; .*leave its row"):
        archive.amend([1, 30], {"letter": ["N1", "N2"]}, Said(notice="letter"))
    with pytest.raises(InputError, match="got 41"):  # which tells of the erasure
        archive.amend([41], {"letter": ["N1"]}, Said(notice="letter"))
    assert archive.head == before
    assert archive.amend([1, 29], {"letter": ["N1", "N2"]}, Said(notice="letter")).head.record == before.record + 2
    assert named(archive) == {}


def test_records_that_are_erased_already_are_told_so(archive: Archive) -> None:
    take_out(archive, records=(2,))
    with pytest.raises(InputError, match="what is personal in these records is erased already; got '1 numbers'"):
        take_out(archive, records=(2,))


def test_an_erasure_needs_who_and_why(archive: Archive) -> None:
    with pytest.raises(InputError, match="who and why"):
        erase(archive, Which(records=(1,)), by="records office", why=" ")


def test_an_erased_part_holds_no_column_more_or_less(archive: Archive) -> None:
    path, table = part_of(archive)
    take_out(archive, records=(1,))
    assert pq.read_schema(path).equals(table.schema)


@pytest.mark.parametrize("block", [1, 2], ids=["before its part is read", "after its part was read"])
def test_an_erasure_while_a_replay_reads_is_told_of_by_its_record(
    archive: Archive, models: dict[str, Decider], block: int
) -> None:
    def erasing(blocks: Iterator[Any], _: int) -> Iterator[Any]:
        for place, each in enumerate(blocks, 1):
            yield each
            if place == block:
                take_out(archive, records=(30,))

    done = replay(StoredRecords(archive.folder), models, progress=erasing)
    assert (done.passed, done.records, done.head) == (True, N_ROWS + 1, archive.head), done.differences
    assert (done.erased, done.verified) == ((1, N_ROWS - 1) if block == 1 else (0, N_ROWS))


@pytest.mark.parametrize("number", [10**30, 0, 1.5, True, "1"])
def test_what_is_no_number_of_a_record_is_neither_erased_nor_amended(archive: Archive, number: Any) -> None:
    with pytest.raises(InputError, match="not the number of a record"):
        take_out(archive, records=(number,))
    with pytest.raises(InputError, match="not the records that the rows are about"):
        archive.amend([number], {"letter": ["N-1"]}, Said(notice="letter"))


def test_a_model_that_decided_erased_records_alone_is_not_missed(archive: Archive) -> None:
    take_out(archive, before="2027-01-01")
    done = replay(StoredRecords(archive.folder), {})
    assert (done.passed, done.unknown, done.erased, done.verified) == (True, {}, N_ROWS, 0)


_RANGES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=6)


@given(st.sets(st.integers(0, 30)), _RANGES)
def test_numbers_without_those_of_ranges_are_what_is_left_of_them(
    numbers: set[int], others: list[tuple[int, int]]
) -> None:
    some = Ranges()
    some.add(sorted(numbers))
    left = {number for first, last in some.without(others) for number in range(first, last + 1)}
    assert left == {number for number in numbers if not any(first <= number <= last for first, last in others)}
