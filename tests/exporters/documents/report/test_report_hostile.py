"""What data cannot do in the document: become code, or tell of single people."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import Any

import pandas as pd
import pytest
from tests.exporters.documents.report.told import DATA, NUMERIC, document, tables

from scrutable import create
from scrutable.testing.cards import card
from scrutable_documents.report.calculator import modules
from scrutable_documents.report.exporter import Report
from scrutable_documents.report.script import script
from scrutable_documents.report.words import words


def test_nothing_of_the_data_becomes_html_or_script() -> None:
    nasty = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
    model = card(amount=nasty, job="job", categories=(nasty,), words=nasty, code=nasty)
    frame = pd.DataFrame({nasty: [1.0, 15.0] * 30, "job": [nasty, None] * 30, "y": ["good", "bad", "good"] * 20})
    frame["g"] = [nasty, "b", "b", nasty] * 15
    options: dict[str, Any] = {"purpose": nasty, "limits": nasty, "title": nasty, "date": nasty, "about_data": nasty}
    text = Report(data=frame, target="y", protected=["g"], **options).export(model).text
    assert "<img" not in text
    assert (text.count("<script"), text.count("</script")) == (3, 3)
    [block] = re.findall(r'id="words-json">(.*?)</script>', text, re.DOTALL)
    assert json.loads(block) == json.loads(json.dumps(words(model)))
    [scored, own] = re.findall(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    assert scored == modules(model)[0]
    assert own == script()


def test_the_policy_allows_this_script_and_style_only() -> None:
    text = Report().export(card()).text
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    told = policy[1].replace("&#39;", "'")
    for tag, rule in (('script type="module"', "script-src"), ("style", "style-src")):
        bodies = re.findall(rf"<{tag}>(.*?)</{tag.split()[0]}>", text, re.DOTALL)
        assert len(bodies) == (2 if rule == "script-src" else 1)
        digests = [base64.b64encode(hashlib.sha256(body.encode()).digest()).decode() for body in bodies]
        sources = " ".join(f"'sha256-{digest}'" for digest in digests)
        assert f"{rule} {sources}" in told
    assert told.startswith("default-src 'none'")
    assert "unsafe" not in told
    assert not re.search(r"(src|href)=\"(?!#)", text)
    assert " style=" not in text


def test_without_the_exporter_of_javascript_there_is_no_calculator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrutable_documents.report.calculator.EXPORTER", "blocked")
    text = Report(purpose="Loans").export(card()).text
    assert "Loans" in text
    assert "no what-if calculator, since the exporter javascript" in text
    assert "<script" not in text
    assert "script-src" not in text
    assert 'href="#what-if"' not in text


def test_ranges_tell_of_no_single_person_and_codes_are_counted_apart() -> None:
    rows = DATA.X[NUMERIC].iloc[:600].copy()
    rows.iloc[:8, 1] = -999.0
    rows.iloc[8:10, 0] = -9.0
    codes = {"credit_amount": [-999.0], "duration_months": [-9.0]}
    learner = create("learner", "additive", special_codes=codes, favourable="good", steps=9).fit(
        rows, DATA.y.iloc[:600]
    )
    rows.iloc[20, 1] = 423903.0
    found = document(learner.model_, data=rows)["data"]
    [table] = [table for caption, table in tables(found).items() if caption.startswith("What the model reads")]
    told = {row[1]: str(row[4]) for row in table.rows}
    amount = rows["credit_amount"].iloc[8:]
    assert "423" not in told["credit_amount"]
    assert f"median {amount.median():,.6g}" in told["credit_amount"]
    assert told["credit_amount"].endswith("; code -999: 8")
    assert "-999" not in told["credit_amount"].split(";")[0]
    assert told["duration_months"].endswith("; code -9: few")


def test_of_too_few_applicants_no_range_is_told(fitted: Any) -> None:
    found = document(fitted.model_, data=DATA.X.iloc[:9])["data"]
    [table] = [table for caption, table in tables(found).items() if caption.startswith("What the model reads")]
    assert {str(row[4]) for row in table.rows if row[2] == "numeric"} == {""}
