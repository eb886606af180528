"""Inputs are kept to the bit, whatever they are, and what cannot be kept is refused without telling it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from archives import CARD, N_ROWS, applicants, by_what, changed, digest_of, part_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrutable import dump
from scrutable.errors import InputError, KindError
from scrutable.model import fingerprint
from scrutable.model.evaluator import evaluate
from scrutable.testing.contract.examples.models import models_named
from scrutable_records import Archive, Decider, Said, StoredRecords, UntimedDecisionsWarning, replay
from scrutable_records.packing import each, facts, packed, personal

Named = Callable[..., dict[str, list[int]]]
CHECKER = Path(__file__).parents[3] / "docs" / "examples" / "check_archive.py"
#: NaN with payloads, quiet and signalling, negative zero, the smallest and the largest double.
BITS = [0x7FF8000000000001, 0xFFF8000000000000, 0x7FF0000000000001, 0x8000000000000000, 1, 0x7FEFFFFFFFFFFFFF]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.integers(0, 2**64 - 1) | st.sampled_from(BITS), min_size=1, max_size=20),
    st.data(),
)
def test_doubles_and_texts_are_kept_to_the_bit(
    tmp_path_factory: pytest.TempPathFactory, models: Mapping[str, Decider], bits: list[int], data: st.DataObject
) -> None:
    bits = [*bits, 0]  # a column in which all is missing has no doubles
    doubles = np.array(bits, dtype=np.uint64).view(np.float64)
    texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.none()
    jobs = data.draw(st.lists(texts, min_size=len(bits), max_size=len(bits)))
    X = {"amount": doubles, "age": doubles[::-1], "region": doubles, "job": np.array(jobs, dtype=object)}
    archive = Archive(tmp_path_factory.mktemp("bits") / "decisions")
    archive.append(CARD, X)
    table = part_of(archive)[1]
    assert table["input_amount"].to_numpy().view(np.uint64).tolist() == bits
    assert table["input_job"].to_pylist() == jobs
    assert replay(StoredRecords(archive.folder), models).passed


@pytest.mark.parametrize("name", models_named())
def test_every_kind_of_model_is_recorded_as_it_decides_and_replayed(
    name: str, tmp_path: Path, models: Mapping[str, Decider]
) -> None:
    model = models_named()[name]
    rows = applicants() | {"income": np.linspace(0, 9, N_ROWS), "debts": np.linspace(0, 9, N_ROWS)}
    archive = Archive(tmp_path / "decisions")
    archive.append(model, rows)
    done = replay(StoredRecords(archive.folder), models)
    assert (done.passed, done.verified) == (True, N_ROWS)
    evaluation, table = evaluate(model, rows).frame(), part_of(archive)[1].to_pandas()
    decision = next((evaluation[name] for name in ("approved", "predicted") if name in evaluation), None)
    assert (table["decision"].tolist() == decision.tolist()) if decision is not None else table["decision"].isna().all()
    if "score" in evaluation:
        assert (table["score"].to_numpy() == evaluation["score"]).all()


def test_digests_do_not_depend_on_how_many_records_are_added_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, said = applicants(), Said(id="loan", now="2026-11-27")
    heads = set()
    for name, blocks, per_part in (("a", 131_072, 2**20), ("b", 7, 2**20), ("c", 7, 20)):
        monkeypatch.setattr("scrutable_records.archive.ROWS", blocks)
        monkeypatch.setattr("scrutable_records.parts.MOST", per_part)
        monkeypatch.setattr("scrutable_records.said.secrets.token_bytes", lambda size: b"s" * size)
        heads.add(str(Archive(tmp_path / name).append(CARD, rows, said).head))
    assert len(heads) == 1
    assert len(list((tmp_path / "c").glob("*.parquet"))) == 3


@pytest.mark.parametrize("most", [1, 3, 25, 1000])
def test_what_a_replay_names_does_not_depend_on_how_many_it_reads_at_once(
    archive: Archive, models: Mapping[str, Decider], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:

    def rewrite(rows: list[dict[str, Any]]) -> None:
        rows[6]["score"] = 999.0
        rows[6]["sha256"] = digest_of(rows[6])
        rows[9]["id"] = "L0"
        rows[10]["grade"] = "A"

    changed(archive, rewrite)
    monkeypatch.setattr(StoredRecords.blocks, "__defaults__", (most,))
    done = replay(StoredRecords(archive.folder), models)
    assert by_what(done) == {"chain": [7, 8], "score": [7], "personal": [10], "altered": [11], "grade": [11]}


def test_packed_columns_are_packed_values() -> None:
    from scrutable_records.fields import FACTS, PERSONAL, inputs_of

    archive_rows = [{"record": 1, "score": -0.0, "id": "é", "input_a": 1.0, "input_b": None, "salt": b"s" * 16}]
    import pyarrow as pa

    from scrutable_records.fields import schema

    fields = schema(["a"], ["b"])
    table = pa.Table.from_pylist(archive_rows, fields).to_batches()[0]
    columns = dict(zip(table.schema.names, table.columns, strict=True))
    row = archive_rows[0]
    assert list(each(facts(columns))) == [b"".join(packed(row.get(name)) for name in FACTS) + b"-"]
    values = [*(row.get(name) for name in PERSONAL), 2, "a", "b", 1.0, None]
    assert list(each(personal(columns, inputs_of(fields.names)))) == [b"s" * 16 + b"".join(map(packed, values))]


@pytest.mark.parametrize("column", ["job", "loan"])
def test_half_a_character_is_refused_and_not_told(tmp_path: Path, column: str) -> None:
    rows = applicants(3) | {column: ["a", "secret\ud800", "b"]}
    with pytest.raises(InputError, match=f"column '{column}', row 2: a text that UTF-8 cannot hold") as error:
        Archive(tmp_path / "decisions").append(CARD, rows, Said(id="loan"))
    assert "secret" not in str(error.value)
    assert not list((tmp_path / "decisions").glob("*.parquet"))


def test_a_column_of_another_kind_or_none_is_refused(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "decisions")
    with pytest.raises(KindError, match="'amount'"):
        archive.append(CARD, applicants(2) | {"amount": ["a", "b"]})
    with pytest.raises(InputError, match="'loan_id'"):
        archive.append(CARD, applicants(2), Said(id="loan_id"))
    with pytest.raises(InputError, match="who decided and why"):
        Said(manual_decision="override")


def test_results_of_an_engine_are_kept_as_it_gave_them(tmp_path: Path, named: Named) -> None:
    rows = applicants(5)
    given = pd.DataFrame(dict(evaluate(CARD, rows).frame())).assign(**rows)
    archive = Archive(tmp_path / "decisions")
    archive.append(CARD, given, Said(decided=True, now="2026-11-27"))
    assert named(archive) == {}
    archive.append(CARD, given.assign(score=given["score"] + 1, reason_1="R9"), Said(decided=True, now="2026-11-27"))
    assert named(archive) == {"score": [6, 7, 8, 9, 10], "reasons": [6, 7, 8, 9, 10]}
    with pytest.raises(InputError, match="'approved'"):
        archive.append(CARD, given.drop(columns="approved"), Said(decided=True, now="2026-11-27"))


def test_only_approved_rows_may_lack_reasons(tmp_path: Path, named: Named) -> None:
    rows = applicants(20)
    given = pd.DataFrame(dict(evaluate(CARD, rows).frame())).assign(**rows)
    reasons = [name for name in given if name.startswith("reason_")]
    had = given[reasons].notna().any(axis=1)
    declined = given["approved"] == 0
    assert (had & declined).any()
    assert (had & ~declined).any()
    archive = Archive(tmp_path / "decisions")
    archive.append(CARD, given.assign(**dict.fromkeys(reasons)), Said(decided=True, now="2026-11-27"))
    assert named(archive) == {"reasons": [row + 1 for row in range(20) if had[row] and declined[row]]}


def test_rows_of_a_deployed_view_are_kept(tmp_path: Path, named: Named, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = applicants(5)
    rows["job"] = ["x", "cook", "x", "cook", "x"]
    given = pd.DataFrame(dict(evaluate(CARD, rows).frame())).assign(**rows, model_fingerprint=fingerprint(CARD))
    view = given.assign(decision=given.pop("approved").map({1: "approved", 0: "declined"}))
    archive = Archive(tmp_path / "decisions")
    archive.append(CARD, view, Said(decided=True, now="2026-11-27"))
    for suffix in (".csv", ".parquet"):
        file = tmp_path / f"view{suffix}"
        view.to_csv(file, index=False) if suffix == ".csv" else view.to_parquet(file)
        for small in (True, False):
            monkeypatch.setattr("scrutable_records.archive.is_small", lambda _, small=small: small)
            archive.append_file(CARD, file, Said(decided=True, now="2026-11-27"))
    assert named(archive) == {}
    words = view.rename(columns={"decision": "approved"})
    words.to_csv(tmp_path / "words.csv", index=False)
    archive.append_file(CARD, tmp_path / "words.csv", Said(decided=True, now="2026-11-27"))
    assert named(archive) == {}
    for column in ("approved", "decision"):
        words.assign(approved="granted").rename(columns={"approved": column}).to_csv(tmp_path / "odd.csv", index=False)
        with pytest.raises(InputError, match="'approved', 'declined', 1 or 0") as refused:
            archive.append_file(CARD, tmp_path / "odd.csv", Said(decided=True, now="2026-11-27"))
        assert column in str(refused.value)
        assert "--missing" not in str(refused.value)
    other = view.assign(model_fingerprint=["0" * 64 if row == 3 else fingerprint(CARD) for row in range(5)])
    with pytest.raises(InputError, match=r"row 4: decided by another model"):
        archive.append(CARD, other, Said(decided=True, now="2026-11-27"))


def test_a_result_is_none_only_where_the_model_gives_none_or_somebody_says_so(tmp_path: Path, named: Named) -> None:
    rows = applicants(5)
    given = pd.DataFrame(dict(evaluate(CARD, rows).frame())).assign(**rows)
    archive = Archive(tmp_path / "decisions")
    with pytest.raises(
        InputError, match=r"'knock_out': a result that the model gives is not there.*--without knock_out"
    ):
        archive.append(CARD, given.drop(columns="knock_out"), Said(decided=True, now="2026-11-27"))
    archive.append(CARD, given.drop(columns="knock_out"), Said(decided=True, now="2026-11-27", without=("knock_out",)))
    refused = [i + 1 for i, code in enumerate(given["knock_out"]) if code is not None]
    assert named(archive) == ({"knock_out": refused} if refused else {})
    without_any = replace(CARD, policy=replace(CARD.policy, knock_outs=()))
    lacking = pd.DataFrame(dict(evaluate(without_any, rows).frame())).assign(**rows).drop(columns="knock_out")
    assert archive.append(without_any, lacking, Said(decided=True, now="2026-11-27")).head.record == 10
    for name in ("score", "approved", "grade"):
        with pytest.raises(InputError, match="no result that can be left out"):
            archive.append(CARD, given, Said(decided=True, now="2026-11-27", without=(name,)))
    with pytest.raises(InputError, match="results are left out of none"):
        Said(without=("knock_out",))


def test_large_files_are_recorded_block_by_block_as_whole_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = pd.DataFrame(applicants(300))
    rows["job"] = rows["job"].where(rows["job"].isin(["x", "cook", "é"]))
    monkeypatch.setattr("scrutable_records.said.secrets.token_bytes", lambda size: b"s" * size)
    said = Said(id="loan", now="2026-11-27")
    heads = []
    for suffix in (".csv", ".parquet"):
        file = tmp_path / f"rows{suffix}"
        rows.to_csv(file, index=False) if suffix == ".csv" else rows.to_parquet(file)
        for small in (True, False):
            monkeypatch.setattr("scrutable_records.archive.is_small", lambda _, small=small: small)
            heads.append(str(Archive(tmp_path / f"{suffix}{small}").append_file(CARD, file, said).head))
    assert len(set(heads)) == 1, heads


def test_models_that_are_not_there_are_told(archive: Archive) -> None:
    other = models_named()["stumps"]
    archive.append(other, {"age": [19.0], "income": [1.0]})
    from scrutable.model import fingerprint

    done = replay(StoredRecords(archive.folder), {fingerprint(CARD): Decider(CARD)})
    assert done.unknown == {fingerprint(other): 1}
    assert [str(each) for each in done.differences] == [
        f"record {N_ROWS + 1}: no model of their fingerprint is among those given"
    ]


def test_the_short_checker_says_the_same(archive: Archive, tmp_path: Path) -> None:
    from scrutable_records import Which, erase

    def check(*more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", str(CHECKER), str(archive.folder), *more]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    early = archive.head
    erase(archive, Which(ids=("L3", "L30")), by="records office", why="request 17")
    done = check(str(early.record))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split("\n")[:2] == [f"record {early}", f"head {archive.head}"]
    changed(archive, lambda rows: rows[6].update(input_age=0.5))
    done = check()
    assert done.returncode == 1
    assert re.findall(r"^record (\d+) ", done.stdout, re.M) == ["7"]
    assert len(CHECKER.read_text().splitlines()) < 60


@pytest.mark.parametrize("decision", ["9" * 19, "9" * 5000, "-1", "1.5", "yes"])
def test_a_manual_decision_that_is_none_is_refused(archive: Archive, decision: str) -> None:
    said = Said(manual_decision="to", manual_by="by", manual_reason="why")
    with pytest.raises(InputError, match="column 'to', row 2: not a decision"):
        archive.amend([1, 2], {"to": [None, decision], "by": [None, "J. Doe"], "why": [None, "seen"]}, said)


def test_a_folder_that_holds_other_things_does_not_become_an_archive(tmp_path: Path) -> None:
    dump(CARD, tmp_path / "model.json")
    with pytest.raises(InputError, match="holds other files and no archive"):
        Archive(tmp_path).append(CARD, applicants(1))
    with pytest.raises(InputError, match="not a decision archive"):
        StoredRecords(tmp_path)


def test_an_input_may_be_the_id_too(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("amount,job,age,region\n1,x,10,1\n2,cook,40,1\n")
    archive = Archive(tmp_path / "decisions")
    archive.append_file(CARD, tmp_path / "rows.csv", Said(id="amount"))
    table = part_of(archive)[1]
    assert (table["id"].to_pylist(), table["input_amount"].to_pylist()) == (["1", "2"], [1.0, 2.0])


@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin"])
def test_times_of_any_kind_are_kept_in_utc(tmp_path: Path, zone: str | None) -> None:
    import polars as pl

    times = pd.to_datetime(["2026-07-01 12:00:00.123456", "2026-12-01 12:00"], format="ISO8601").tz_localize(zone)
    frame = pd.DataFrame(applicants(2)).assign(at=times)
    frame.to_parquet(tmp_path / "rows.parquet")
    archive, said = Archive(tmp_path / "decisions"), Said(time="at")
    archive.append(CARD, frame, said)
    archive.append(CARD, pl.from_pandas(frame), said)
    archive.append_file(CARD, tmp_path / "rows.parquet", said)
    archive.append(CARD, frame.assign(at=[time.isoformat() for time in times]), said)
    hours = ("10", "11") if zone == "Europe/Berlin" else ("12", "12")
    expected = [f"2026-07-01T{hours[0]}:00:00.123456Z", f"2026-12-01T{hours[1]}:00:00.000000Z"]
    for place in range(4):
        assert part_of(archive, place)[1]["occurred_at"].to_pylist() == expected


@pytest.mark.parametrize("at", [["2026-07-01", None], ["2026-07-01", "soon"]])
def test_a_row_without_a_time_is_refused(tmp_path: Path, at: list[str | None]) -> None:
    with pytest.raises(InputError, match=r"column 'at'.*time"):
        Archive(tmp_path / "decisions").append(CARD, applicants(2) | {"at": at}, Said(time="at"))


_APPEND = """
import sys
from archives import CARD, applicants
from scrutable_records import Archive, Said
for _ in range(5):
    Archive(sys.argv[1]).append(CARD, applicants(3), Said(id="loan"))
"""


def test_processes_that_add_at_once_wait_for_each_other(tmp_path: Path, models: Mapping[str, Decider]) -> None:
    tests = str(CHECKER.parents[2] / "tests")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([tests, *filter(None, sys.path)])}
    command = [sys.executable, "-c", _APPEND, str(tmp_path / "decisions")]
    both = [subprocess.Popen(command, env=environment, stderr=subprocess.PIPE) for _ in range(2)]
    assert [each.communicate()[1] for each in both] == [b"", b""]
    done = replay(StoredRecords(tmp_path / "decisions"), models)
    assert (done.passed, done.records) == (True, 30)


def test_what_is_refused_late_leaves_the_archive_as_it_was(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrutable_records.archive.ROWS", 2)
    monkeypatch.setattr("scrutable_records.parts.MOST", 4)
    before = {path.name: path.read_bytes() for path in archive.folder.iterdir()}
    with pytest.raises(InputError, match="half of a character"):
        archive.append(CARD, applicants(9) | {"job": [*"abcdefgh", "\udfff"]})
    assert {path.name: path.read_bytes() for path in archive.folder.iterdir()} == before


@pytest.mark.parametrize(
    "part",
    [
        {"file": "../part-000001.parquet"},
        {"first": 0},
        {"first": True},
        {"last": 0},
        {"last": "25"},
        {"sha256": "x"},
        {"sha256": "00"},
        {"file": 1},
    ],
)
def test_a_manifest_that_is_none_is_refused(archive: Archive, part: dict[str, Any]) -> None:
    file = archive.folder / "manifest.json"
    manifest = json.loads(file.read_text())
    manifest["parts"][0].update(part)
    file.write_text(json.dumps(manifest))
    with pytest.raises(InputError, match="a part that is not described as parts are"):
        StoredRecords(archive.folder)


def test_errors_and_results_tell_nothing_of_a_person(archive: Archive, models: Mapping[str, Decider]) -> None:
    changed(archive, lambda rows: rows[3].update(input_job="a rare job", id="a rare id", manual_by="a rare name"))
    done = replay(StoredRecords(archive.folder), models)
    assert done.differences
    for text in (str(done), repr(done), json.dumps(done.to_dict()), done.frame().to_string()):
        assert "a rare" not in text


def test_decisions_of_an_engine_without_a_time_are_warned_of() -> None:
    with pytest.warns(UntimedDecisionsWarning, match="the present is recorded as when all of them were decided"):
        Said(decided=True, id="loan")
    Said(decided=True, time="at")
    Said(id="loan")


def test_ids_that_are_there_already_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrutable_records.parts.MOST", 20)
    monkeypatch.setattr("scrutable_records.archive.ROWS", 7)
    archive, said = Archive(tmp_path / "decisions"), Said(id="loan", now="2026-11-27")
    rows = pd.DataFrame(applicants(45))
    counts = []
    for first, last in ((0, 40), (0, 40), (35, 45), (41, 45)):
        rows.iloc[first:last].to_parquet(tmp_path / "rows.parquet")
        counts.append(archive.append_file(CARD, tmp_path / "rows.parquet", said).known_ids)
    assert counts == [0, 40, 5, 4]
    unnamed = archive.append_file(CARD, tmp_path / "rows.parquet", Said(now="2026-11-27"))
    assert (unnamed.known_ids, unnamed.to_dict()["known_ids"]) == (None, None)
    assert archive.append(CARD, applicants(2), said).known_ids is None
