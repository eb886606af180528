"""`scrutable report`: the document from the shell."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrutable.errors import InputError
from scrutable.model import fingerprint, load
from scrutable_documents.commands.report_files import targets

Run = Callable[..., Any]


def test_a_whole_report(run: Run, model: Path, loans: Path, tmp_path: Path) -> None:
    certificate, out = tmp_path / "certificate.json", tmp_path / "out"
    assert run("verify", model, "--engine", "sqlite", "--rows", 20, "-o", certificate).exit_code == 0
    options = ["--data", loans, "--target", "credit_risk", "--protected", "sex", "--reference", loans]
    texts = ["--purpose", "Loans of 20,000 at most", "--limits", "Not for mortgages", "--date", "2026-03-01"]
    evidence = ["--evidence", model.with_name("evidence.json"), "--certificate", certificate]
    forms = ["--format", "html", "--format", "pdf", "--json"]
    result = run("report", model, *options, *texts, *evidence, *forms, "-o", f"{out}/")
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout) == {"written": [str(out / "report.html"), str(out / "report.pdf")]}
    assert (out / "report.pdf").read_bytes().startswith(b"%PDF-")
    page = (out / "report.html").read_text()
    for text in ("Loans of 20,000 at most", "Not for mortgages", "2026-03-01", fingerprint(load(model)), "SQLite"):
        assert text in page
    for name in (
        "Separation on these applicants, with",
        "sex: at the cutoff",
        "Every engine gave what the model says.",
    ):
        assert name in page
    assert "no evidence was given" not in page.lower()


def test_the_model_alone_is_enough_and_nothing_is_replaced(run: Run, model: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = run("report", model, "-o", page)
    assert (result.exit_code, result.stdout) == (0, f"wrote {page}\n")
    page.write_text("mine")
    again = run("report", model, "-o", page)
    assert (again.exit_code, page.read_text()) == (2, "mine")
    assert "exists already" in again.stderr
    assert run("report", model, "-o", page, "--overwrite").exit_code == 0
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_a_certificate_of_another_model_is_told(run: Run, model: Path, tmp_path: Path) -> None:
    certificate = tmp_path / "certificate.json"
    certificate.write_text(json.dumps({"model_sha256": "0" * 64, "passed": True, "runs": []}))
    result = run("report", model, "--certificate", certificate, "-o", tmp_path / "page.html")
    assert result.exit_code == 0
    assert "Note: the certificate is about another model" in result.stderr


def test_the_reason_document_of_a_file(run: Run, model: Path, loans: Path, tmp_path: Path) -> None:
    options = ["--option", f"applicants={loans}", "--option", "groups=sex,age", "--option", "format=html,json"]
    out = tmp_path / "out"
    result = run("export", model, "--to", "reason-document", *options, "-o", f"{out}/")
    assert (result.exit_code, result.stderr) == (0, "")
    [part] = json.loads((out / "reasons.json").read_text())["parts"]
    assert {each["attribute"] for each in part["declined"]} == {None, "sex", "age"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--target", "credit_risk"], "there are no rows that it belongs to"),
        (["--format", "docx"], "unknown format of a document"),
        (["--certificate", "{model}"], "no certificate"),
        (["--data", "{loans}", "--target", "credit_risc"], "did you mean 'credit_risk'"),
        (
            ["--protected", "sex", "--reference-group", "sex=male", "--reference-group", "sex=female"],
            "the attribute is given twice",
        ),
    ],
)
def test_bad_input_is_told(
    run: Run, model: Path, loans: Path, tmp_path: Path, options: list[str], message: str
) -> None:
    given = [option.format(model=model, loans=loans) for option in options]
    result = run("report", model, *given, "-o", tmp_path / "page.html")
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (tmp_path / "page.html").exists()


def test_endings_and_formats(tmp_path: Path) -> None:
    assert targets(str(tmp_path), ["pdf", "html", "pdf"]) == {
        "pdf": str(tmp_path / "report.pdf"),
        "html": str(tmp_path / "report.html"),
    }
    for output, formats in (("model.docx", []), ("model.html", ["pdf"]), ("model", [])):
        with pytest.raises(InputError, match="the ending says"):
            targets(output, formats)
