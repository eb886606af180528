"""What is read under a deployed name can be recorded as it is, and made anew years later."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scrutable.model import Clause, Grade, Interval, Model, Override, dump
from scrutable_deployment import deploy
from scrutable_records import Archive, Said, StoredRecords, read_models, replay

from .conftest import Bank
from .planted import model


def with_all_results() -> Model:
    """Knock-outs, overrides and grades."""
    old = (Clause("age", (Interval(lower=60.0),)),)
    grades = (Grade(name="A", at_least=520.0), Grade(name="B"))
    override = Override(code="O1", reason="asked by hand", when=old, decision="decline")
    return replace(model(), policy=replace(model().policy, overrides=(override,), grades=grades))


@pytest.mark.parametrize("bank", ["duckdb"], indirect=True)
@pytest.mark.parametrize("whole", [model(), with_all_results()], ids=["knock-outs", "all"])
@pytest.mark.parametrize("whom", ["declined", "all"])
def test_rows_of_the_view_are_recorded_and_replayed_without_differences(
    bank: Bank, whole: Model, whom: str, tmp_path: Path
) -> None:
    bank.applicants()
    deploy(whole, "score", url=bank.url, key=["id"], options={"reasons_for": whom}, run=True)
    file = tmp_path / "rows.parquet"
    rows = "SELECT *, now() AS decided_at FROM score JOIN applicants USING (id)"
    bank.execute(f"COPY ({rows}) TO '{file}' (FORMAT parquet)")
    dump(whole, tmp_path / "model.json")
    archive = Archive(tmp_path / "decisions")
    archive.append_file(whole, file, Said(id="id", time="decided_at", decided=True))
    report = replay(StoredRecords(archive.folder), read_models(tmp_path))
    assert (report.passed, report.verified) == (True, 40), report
    [(knocked,)] = bank.rows("SELECT COUNT(knock_out) FROM score")
    assert knocked > 0
