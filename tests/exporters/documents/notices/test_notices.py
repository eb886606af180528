"""What notices say, in every format, and what they never do."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import docx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from docx.oxml.ns import qn
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable import create
from scrutable.data.frames import as_table
from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import FrozenMapping, Scorecard
from scrutable_documents.notices.exporter import Notices

from .cards import CHINESE, GERMAN, TEXTS
from .reading import said, tags

FORMATS = ("html", "pdf", "docx", "text", "json")
ECOA = (
    "The Federal Equal Credit Opportunity Act prohibits creditors from discriminating against credit applicants on "
    "the basis of race, color, religion, national origin, sex, marital status, age (provided the applicant has the "
    "capacity to enter into a binding contract); because all or part of the applicant's income derives from any "
    "public assistance program; or because the applicant has in good faith exercised any right under the Consumer "
    "Credit Protection Act. The Federal agency that administers compliance with this law concerning this creditor is "
    "Bureau of Consumer Financial Protection, 1700 G Street NW., Washington."
)
OWN = {"name": "Scorecard", "lowest": 500, "highest": 600, "supplier": "Example Bank", "created": "2026-11-20"}


@pytest.fixture
def options(applicants: pd.DataFrame, lender: dict[str, Any]) -> dict[str, Any]:
    return {
        "applicants": applicants,
        "lender": lender,
        "date": "2026-11-22",
        "id": "id",
        "name": "name",
        "address": "address",
    }


@pytest.mark.parametrize("form", ["html", "pdf", "docx", "text"])
def test_a_notice_says_what_regulation_b_asks_for(card: Scorecard, options: dict[str, Any], form: str) -> None:
    files = Notices(**options, formats=form).export(card).files
    [name] = [name for name in files if name.startswith("notice-A-2")]
    text = said(name, files[name])
    for part in ("Example Bank", "1 Main Street, Springfield, IL 62701", "November 22, 2026", "Bob Baker", ECOA):
        assert part in text
    assert "We are unable to approve your application." in text
    places = [text.index(TEXTS[code]) for code in ("R1", "R2", "R3")]
    assert places == sorted(places)
    assert TEXTS["R4"] not in text
    assert "within 60 days" in text
    assert "Example Reporting Agency" in text
    assert "credit score" not in text


def test_nobody_reads_of_a_consumer_report_where_none_was_used(card: Scorecard, options: dict[str, Any]) -> None:
    del options["lender"]["bureau"]
    for name, content in Notices(**options).export(card).files.items():
        assert "consumer report" not in said(name, content)


def test_a_knock_out_that_reads_nothing_of_the_report_names_no_agency(card: Scorecard, options: dict[str, Any]) -> None:
    def told(columns: list[str], **others: Any) -> dict[str, bool]:
        bureau = options["lender"]["bureau"] | {"columns": columns}
        own = options | {"lender": options["lender"] | {"bureau": bureau}} | others
        files = Notices(**own).export(card).files
        return {name: "consumer report" in said(name, files[name]) for name in files if name.startswith("notice")}

    by_score, by_knock_out = ["notice-A-2.html", "notice-A-4.html"], "notice-A-3.html"
    assert told([]) == dict.fromkeys([*by_score, by_knock_out], True)
    assert told(["inquiries"]) == dict.fromkeys(by_score, True) | {by_knock_out: False}  # whatever the reasons are
    assert told(["inquiries", "bankrupt"]) == dict.fromkeys([*by_score, by_knock_out], True)
    scored = options["applicants"].assign(bureau=600, one="Old debts")
    score = OWN | {"lowest": 300, "highest": 850, "column": "bureau", "factor_columns": ["one"]}
    assert all(told(["inquiries"], applicants=scored, score=score).values())
    low = options["applicants"].assign(bankrupt=1)
    assert told(["inquiries"], applicants=low)["notice-A-2.html"]  # the score failed, too
    with pytest.raises(InputError, match=r"the model reads no such column; got 'inquires'.*did you mean 'inquiries'"):
        told(["inquires"])


def test_nobody_whom_the_model_approves_reads_of_a_decline(card: Scorecard, options: dict[str, Any]) -> None:
    assert [each.id for each in Notices(**options).notices(card)] == ["A-2", "A-3", "A-4"]
    rows = list(csv.DictReader(io.StringIO(str(Notices(**options).export(card).files["index.csv"]))))
    assert [(row["decision"], bool(row["files"])) for row in rows] == [("approved", False), *[("declined", True)] * 3]


def test_reasons_and_key_factors_are_two_lists(card: Scorecard, options: dict[str, Any]) -> None:
    options |= {"applicants": options["applicants"].assign(bankrupt=[0, 1, 0, 0]), "score": OWN}
    second, third = Notices(**options).notices(card)
    assert [reason.code for reason in third.reasons] == ["R1", "R2", "R3", "R4"]
    assert second.score is not None
    assert third.score is not None
    assert [factor.code for factor in third.score.factors] == ["R1", "R2", "R3", "R4", "R5"]  # a fifth: inquiries
    assert [reason.code for reason in second.reasons] == ["K1", "R1", "R2", "R3"]
    assert [factor.code for factor in second.score.factors] == ["R1", "R2", "R3"]  # a knock-out is no factor
    page = str(Notices(**options).export(card).files["notice-A-2.html"])
    assert page.index("Principal reasons") < page.index("Bankruptcy") < page.index("Key factors that adversely")
    assert page.count("<ol") == 2
    assert "Scores range from a low of 500 to a high of 600" in page


def test_the_models_own_score_is_disclosed_only_where_it_failed(card: Scorecard, options: dict[str, Any]) -> None:
    out = Notices(**options, score=OWN).notices(card)[1]
    assert [reason.code for reason in out.reasons] == ["K1"]  # the score passed: the knock-out alone is why
    assert out.score is None
    page = said("notice-A-3.html", Notices(**options, score=OWN).export(card).files["notice-A-3.html"])
    assert "score" not in page
    assert "Key factors" not in page


def test_a_notice_says_what_kind_of_number_the_score_is(card: Scorecard, options: dict[str, Any]) -> None:
    ours, report = "a number that we calculated ourselves", "reflects the information in your credit report"
    page = str(Notices(**options, score=OWN).export(card).files["notice-A-2.html"])
    assert ours in page
    assert report not in page
    frame = options["applicants"].assign(bureau=600, one="Old debts")
    score = OWN | {"lowest": 300, "highest": 850, "column": "bureau", "factor_columns": ["one"]}
    for name in ("notice-A-2.html", "notice-A-3.html"):  # used for whoever has one, knock-out or not
        page = str(Notices(**options | {"applicants": frame, "score": score}).export(card).files[name])
        assert report in page
        assert ours not in page


def test_two_codes_with_one_text_give_one_reason(card: Scorecard, options: dict[str, Any]) -> None:
    texts = FrozenMapping(TEXTS | {"R2": TEXTS["R1"]})
    assert card.reasons is not None
    alike = replace(card, reasons=replace(card.reasons, texts=texts))
    with pytest.raises(UnsupportedModel, match=r"not fit to be sent.* is the text of R1, too"):
        Notices(**options).export(alike)
    with pytest.warns(UserWarning, match="drafts, not to be sent: R2"):
        export = Notices(**options, score=OWN, draft=True).export(alike)
    with pytest.warns(UserWarning, match="drafts, not to be sent: R2"):
        [notice, *_] = Notices(**options, draft=True).notices(alike)
    assert str(export.files["notice-A-2.html"]).count(TEXTS["R1"]) == 2  # once in each list
    assert [reason.code for reason in notice.reasons] == ["R1", "R3"]
    rows = list(csv.DictReader(io.StringIO(str(export.files["index.csv"]))))
    assert rows[1]["codes"] == "R1 R2 R3"  # the index keeps what the model said


def test_a_score_from_elsewhere_comes_with_its_own_factors(card: Scorecard, options: dict[str, Any]) -> None:
    frame = options["applicants"].assign(
        bureau=[700, 612, None, 583.5], on="2026-11-19", one=["x", "Old debts", "x", "Few accounts"], two=None
    )
    score = {"name": "Score 3", "lowest": 300, "highest": 850, "supplier": "Agency", "column": "bureau"}
    score |= {"created_column": "on", "factor_columns": ["one", "two"]}
    second, third, fourth = Notices(**options | {"applicants": frame, "score": score}).notices(card)
    assert second.score is not None
    assert (second.score.shown, second.score.created) == ("612", "2026-11-19")
    assert [(each.code, each.text) for each in second.score.factors] == [(None, "Old debts")]
    assert third.score is None  # the value is missing, so none was used
    assert fourth.score is not None
    assert fourth.score.shown == "583.5"


def test_inquiries_are_a_fifth_factor_and_no_text_is_made_up(card: Scorecard, options: dict[str, Any]) -> None:
    four = {"f1": "None", "f2": "NA", "f3": [None, "x", None, "None"], "f4": "Old debts"}
    frame = options["applicants"].assign(bureau=600, on=pd.Timestamp("2026-11-19 14:30"), asked="Inquiries", **four)
    score = {"name": "Score 3", "lowest": 300, "highest": 850, "supplier": "Agency", "column": "bureau"}
    score |= {"created_column": "on", "factor_columns": list(four), "inquiries_column": "asked"}
    second, third, fourth = Notices(**options | {"applicants": frame, "score": score}).notices(card)
    found = [[factor.text for factor in each.score.factors] for each in (second, third, fourth) if each.score]
    assert found[0] == ["None", "NA", "x", "Old debts", "Inquiries"]
    assert found[1] == found[2] == ["None", "NA", "Old debts", "Inquiries"]
    assert second.score is not None
    assert second.score.created == "2026-11-19"


@pytest.mark.parametrize(("language", "texts"), [("de", GERMAN), ("zh", CHINESE)])
def test_reasons_come_in_the_language(
    card: Scorecard, options: dict[str, Any], language: str, texts: dict[str, str]
) -> None:
    options["applicants"] = options["applicants"].assign(bankrupt=1)
    export = Notices(**options, language=language, score=OWN, formats=FORMATS).export(card)
    page = str(export.files["notice-A-4.html"])
    assert page.count(f'<ol lang="{language}">') == 2
    assert '<html lang="en">' in page
    for ending in ("html", "docx", "txt", "json"):
        name = f"notice-A-4.{ending}"
        assert texts["K1"] in said(name, export.files[name])
        assert "Bankruptcy" not in said(name, export.files[name])


def test_no_language_is_claimed_for_the_models_own_texts(card: Scorecard, options: dict[str, Any]) -> None:
    files = Notices(**options, score=OWN, formats=("html", "json", "docx")).export(card).files
    assert str(files["notice-A-4.html"]).count('<ol lang="">') == 2
    assert json.loads(files["notice-A-4.json"])["language"] == ""
    content = files["notice-A-4.docx"]
    assert isinstance(content, bytes)
    marked = [
        (paragraph.text, language.get(qn("w:val")))
        for paragraph in docx.Document(io.BytesIO(content)).paragraphs
        for language in paragraph._p.iter(qn("w:lang"))
    ]
    texts = list(TEXTS.values())
    assert marked == [(text, "x-none") for text in [*texts[:4], *texts]]


@given(
    texts=st.lists(st.text(min_size=1, max_size=40).filter(lambda text: text.strip()), min_size=3, max_size=3),
)
@settings(deadline=None, derandomize=True, max_examples=15)
def test_hostile_texts_stay_texts_in_every_format(card: Scorecard, texts: list[str]) -> None:
    _check_hostile(card, texts, ("html", "docx", "text", "json"))


@pytest.mark.parametrize(
    "text",
    ["<script>alert(1)</script>", "{{ 7 * 7 }}{% raw %}", "</style></title>&lt;", "\x00\x1b[31m\x0b", '"><img src=x>'],
)
def test_hostile_texts_stay_texts_in_pdf_too(card: Scorecard, text: str) -> None:
    _check_hostile(card, [text, f"{text} Street", f"{text} Bank"], FORMATS)


def _check_hostile(card: Scorecard, texts: list[str], formats: tuple[str, ...]) -> None:
    frame = pd.DataFrame({feature.name: [0.0] for feature in card.features})
    frame["id"], frame["name"], frame["address"] = texts[0], texts[0], texts[1]
    lender = {"name": f"Bank {texts[2]}", "address": "1 Street", "agency": {"name": "Agency", "address": "1 Street"}}
    export = Notices(
        applicants=frame, lender=lender, date="2026-11-22", id="id", name="name", address="address", formats=formats
    ).export(card)
    [notice] = Notices(
        applicants=frame, lender=lender, date="2026-11-22", id="id", name="name", address="address"
    ).notices(card)
    for name, content in export.files.items():
        if name.startswith("notice-") and not name.endswith(".json"):
            text = said(name, content)
            assert " ".join(notice.name.split()) in text
            assert " ".join(notice.lender.name.split()) in text
        if name.endswith(".html"):
            assert not {"script", "img"} & set(tags(str(content)))
        if name.endswith(".json"):
            assert json.loads(content) == json.loads(json.dumps(notice.to_dict()))


def test_the_index_names_every_file_and_holds_no_formula(card: Scorecard, options: dict[str, Any]) -> None:
    frame = options["applicants"].assign(id=["=1+1", "@x", "A/../B", "007"])
    files = Notices(**options | {"applicants": frame}, formats=("html", "text")).export(card).files
    assert list(files)[:2] == ["index.html", "index.csv"]
    rows = list(csv.DictReader(io.StringIO(str(files["index.csv"]))))
    assert [row["id"] for row in rows] == ["'=1+1", "'@x", "A/../B", "007"]
    assert [row["codes"] for row in rows] == ["", "R1 R2 R3", "K1", "R1 R2 R3 R4"]
    listed = [name for row in rows for name in row["files"].split()]
    assert set(listed) == set(files) - {"index.html", "index.csv"}
    assert all(f'href="{name}"' in str(files["index.html"]) for name in listed)
    assert "notice-007.html" in files


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        ([2**53 + 1, 2**53 + 3, 7, 2**63 - 1], ["9007199254740993", "9007199254740995", "7", "9223372036854775807"]),
        ([True, False, "x", 7], ["True", "False", "x", "7"]),
        ([1.0, 2.5, "x", Decimal("7.10")], ["1", "2.5", "x", "7.10"]),
        (pd.date_range("2026-01-01", periods=4), ["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04"]),
    ],
)
def test_ids_are_exact_texts(card: Scorecard, options: dict[str, Any], ids: list[Any], expected: list[str]) -> None:
    frame = options["applicants"].assign(id=pd.Series(ids))
    given: list[Any] = [frame, {name: frame[name].tolist() for name in frame}]
    if frame["id"].dtype != object:  # an arrow holds one kind of values
        given.append(pa.Table.from_pandas(frame))
    for applicants in given:
        files = Notices(**options | {"applicants": applicants}).export(card).files
        rows = list(csv.DictReader(io.StringIO(str(files["index.csv"]))))
        assert [row["id"] for row in rows] == expected


def test_a_table_is_read_as_a_frame_is(card: Scorecard, options: dict[str, Any]) -> None:
    expected = dict(Notices(**options).export(card).files)
    assert Notices(**options | {"applicants": as_table(options["applicants"])}).export(card).files == expected


def test_the_same_options_give_the_same_bytes(card: Scorecard, options: dict[str, Any]) -> None:
    first, second = (Notices(**options, formats=FORMATS, score=OWN).export(card).files for _ in range(2))
    assert dict(first) == dict(second)


def test_processes_make_the_same_files(card: Scorecard, options: dict[str, Any]) -> None:
    frame = pd.concat([options["applicants"].iloc[1:]] * 6, ignore_index=True).drop(columns="id")
    options |= {"applicants": frame, "id": None, "formats": "docx"}
    seen: list[int] = []

    def follow(items: Any, total: int) -> Any:
        seen.append(total)
        return items

    alone = Notices(**options).export(card)
    together = Notices(**options, workers=2).export_followed(card, progress=follow)
    assert dict(alone.files) == dict(together.files)
    assert "notice-000018.docx" in together.files
    assert seen == [18]


def test_one_template_of_the_lender_changes_every_format(
    card: Scorecard, options: dict[str, Any], tmp_path: Path
) -> None:
    words = "<title>x</title><h1>Our own</h1><p>{{ notice.name }}</p><ul><li>{{ notice.reasons[0].text }}</ul>"
    (tmp_path / "notice.html").write_text(words)
    (tmp_path / "notice.de.html").write_text(words.replace("Our own", "Unser"))
    files = Notices(**options, formats=FORMATS, templates=tmp_path).export(card).files
    for name in ("notice-A-2.html", "notice-A-2.pdf", "notice-A-2.docx"):
        assert said(name, files[name]).replace("•", "").strip() == f"Our own Bob Baker {TEXTS['R1']}"
    assert files["notice-A-2.txt"] == f"OUR OWN\n=======\n\nBob Baker\n\n  - {TEXTS['R1']}\n"
    german = Notices(**options, language="de", formats="text", templates=tmp_path).export(card).files
    assert str(german["notice-A-2.txt"]).startswith("UNSER")


def test_a_long_letter_takes_two_pages_and_loses_nothing(card: Scorecard, options: dict[str, Any]) -> None:
    texts = {code: f"{words} {'and further words ' * 20}end of {code}" for code, words in TEXTS.items()}
    assert card.reasons is not None
    wordy = replace(card, reasons=replace(card.reasons, texts=FrozenMapping(texts)))
    files = Notices(**options, formats="pdf", score=OWN, paper="A4").export(wordy).files
    text = said("notice-A-4.pdf", files["notice-A-4.pdf"])
    assert all(text.count(f"end of {code}") == count for code, count in zip(texts, (2, 2, 2, 2, 1), strict=True))
    assert "2 / 2" in text


def test_names_of_columns_are_for_drafts(applicants: pd.DataFrame, lender: dict[str, Any]) -> None:
    X = pd.DataFrame({"V000": np.arange(300) % 50, "checking_status": np.arange(300) // 7 % 11})
    y = np.where((X["V000"] + 3 * X["checking_status"] + np.arange(300) % 23) > 45, "good", "bad")
    model = create("learner", "scorecard", binner="quantile").fit(X, y).model_
    declined = {"applicants": X.head(20), "lender": lender, "date": "2026-11-22"}
    said = r"R01 'V000' is the name of a column.* R02 'Checking status' is the name of a column"
    with pytest.raises(UnsupportedModel, match=f"{said}.*reason dictionary.*--draft"):
        create("exporter", "notices", **declined).export(model)
    formats = ("html", "text", "json")
    with pytest.warns(UserWarning, match=f"drafts, not to be sent: {said}"):
        drafts = create("exporter", "notices", **declined, formats=formats, draft=True).export(model).files
    notices = {name: text for name, text in drafts.items() if name.startswith("notice-")}
    assert notices
    for name, text in notices.items():
        assert ('"draft": true' if name.endswith("json") else "Draft, not to be sent.") in str(text)
    assert "Drafts, not to be sent." in str(drafts["index.html"])
    texts = {"R01": "Number of open accounts", "R02": "Balance of the checking account"}
    written = create("explainer", "reason-codes", texts=texts).reworded(model)
    sent = create("exporter", "notices", **declined).export(replace(model, reasons=written)).files
    assert not any("not to be sent" in str(text) for text in sent.values())


def test_what_is_made_tabulates_the_index(card: Scorecard, applicants: pd.DataFrame, lender: dict[str, Any]) -> None:
    options = {"lender": lender, "date": "2026-11-22", "id": "id"}
    made = Notices(applicants=pl.from_pandas(applicants), **options).make(card)
    assert made.to_dict() == {"applicants": 4, "notices": 3}
    assert repr(made) == "MadeNotices(3 of 4 applicants, 5 files)"
    index = made.frame()
    assert isinstance(index, pl.DataFrame)
    assert index["id"].to_list() == applicants["id"].tolist()
    assert index["decision"].to_list() == ["approved", "declined", "declined", "declined"]
    assert made.export.files == Notices(applicants=applicants, **options).export(card).files
