"""The document as people read it: whatever the texts, in every format, and what is said where something lacks."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import pypdf
import pytest
from cards import numbers, policy_of
from drawn import KINDS, drawn

from scrutable.errors import InputError, KindError, ModelError, PluginError
from scrutable.model import (
    Attribute,
    Calibration,
    Characteristic,
    Clause,
    Feature,
    FrozenMapping,
    Interval,
    KnockOut,
    Missing,
    Model,
    Otherwise,
    Outcome,
    Policy,
    Quantity,
    RegressionScorecard,
    Rule,
    RuleSet,
    Scorecard,
    SegmentedModel,
)
from scrutable.proof.edges import edge_rows
from scrutable_documents.common.clean import cleaned
from scrutable_documents.common.sections import Listing, Paragraph, Table
from scrutable_documents.reason_document.contents import chapters
from scrutable_documents.reason_document.exporter import ReasonDocument
from scrutable_documents.reason_document.options import ReasonDocumentOptions
from scrutable_documents.reason_document.sections import sections

from .figures import told

NEVER = frozenset(("script", "img", "iframe", "object", "link", "form", "input", "svg"))
HOSTILE = "<script>alert(1)</script>\" onload='x' &amp; {{ 7 * 7 }} =1+1 \u202e"
LADDER = (
    Attribute(condition=Interval(upper=1), points=0),
    Attribute(condition=Interval(lower=1), points=20, reason_code="R9"),
    Attribute(condition=Missing(), points=5),
)


def card(text: str = "Debts", label: str = "") -> Scorecard:
    """One characteristic, whose attributes have different codes, and a knock-out; in three languages."""
    rule = KnockOut(code="K1", reason=f"Bankruptcy {text}", when=(Clause("bankrupt", (Interval(lower=1),)),))
    return Scorecard(
        outcome=Outcome(classes=("bad", "good"), favourable="good", target=label or "outcome"),
        features=(
            Feature(name="debts", kind="numeric", label=label),
            Feature(name="bankrupt", kind="numeric", label=label),
        ),
        characteristics=(Characteristic(feature="debts", attributes=LADDER),),
        base_points=0,
        cutoff=30,
        calibration=Calibration(slope=0.03),
        policy=Policy(knock_outs=(rule,)),
        reasons=policy_of(
            method="near-cutoff",
            population="applicants of 2025",
            cutoff=30,
            near=7.5,
            baselines={"debts": 30.0},
            codes={"debts": "R1"},
            texts={"R1": text, "R9": f"{text} 9"},
            order=("R9", "R1"),
            inquiries=("debts",),
            translations=FrozenMapping(
                {
                    "de": FrozenMapping({"R1": "Verschuldung", "R9": "Höhe der Schulden", "K1": "Insolvenz"}),
                    "zh": FrozenMapping({"R1": "债务过高", "R9": "债务占比", "K1": "破产程序进行中"}),
                }
            ),
        ),
    )


class Read(HTMLParser):
    """Tags, their attributes and the text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.cells: list[str] = []
        self._style = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._style = tag == "style"
        if tag not in ("br", "span"):
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        self._style = False

    def handle_data(self, data: str) -> None:
        if not self._style:
            self.cells[-1:] = ["".join([*self.cells[-1:], data])]

    @property
    def texts(self) -> set[str]:
        """The texts of elements, each in one line."""
        return {" ".join(cell.split()) for cell in self.cells}


def document(model: Model, **options: Any) -> Read:
    """The page, read back."""
    return Read(ReasonDocument(**options).export(model).text)


def texts_of(model: Model) -> set[str]:
    """Texts of reasons and names of features that the document has to show."""
    parts = [segment.model for segment in model.segments] if isinstance(model, SegmentedModel) else [model]
    found: set[str] = set()
    for part in parts:
        if isinstance(part, RegressionScorecard):
            continue
        found |= {rule.reason for rule in part.policy.knock_outs}
        found |= set(part.reasons.texts.values()) if part.reasons is not None else set()
    return {cleaned(text) for text in found}


@pytest.mark.parametrize("kind", KINDS)
def test_every_model_has_a_document(kind: str) -> None:
    for place, model in enumerate(model for model in drawn(kind, 10) if model.features):
        check_document(model, counted=place % 2 == 0)


def check_document(model: Model, counted: bool) -> None:
    """What it holds is what the model says; nothing in it steers a page or a sheet, and counts add up."""
    rows = edge_rows(model, n_random=5)
    groups = pd.DataFrame({HOSTILE: [HOSTILE if place % 3 else "b" for place in range(len(rows))]})
    options: dict[str, Any] = {"applicants": rows, "groups": groups} if counted and len(rows) > 1 else {}
    files = ReasonDocument(format=["html", "json", "csv"], **options).export(model).files
    page = Read(str(files["reasons.html"]))
    assert not NEVER & {tag for tag, _ in page.tags}
    assert not any(name.startswith("on") or name == "src" for _, attributes in page.tags for name in attributes)
    assert texts_of(model) <= page.texts
    parts = json.loads(files["reasons.json"])["parts"]
    rows_told = [code for part in parts for line in part["lines"] for code in line["codes"] or [{"code": ""}]]
    table = pd.read_csv(io.StringIO(str(files["reasons.csv"])), keep_default_na=False, dtype=str)
    assert len(table) == len(rows_told)
    assert not table["code"].str.match(r"[=+\-@]").any()
    for part in parts:
        given = [code[place] for each in part["declined"] for code in each["codes"] for place in ("first", "among")]
        assert all((its["interval"] is None) == (its["share"] in (None, 0, 1)) for its in given)
        for each in part["declined"][:1]:
            assert each["without"] <= each["fewer"] <= each["declined"] <= each["applicants"]
            assert sum(code["first"]["count"] for code in each["codes"]) == each["declined"] - each["without"]


def test_texts_are_texts() -> None:
    model = card(HOSTILE.strip(), HOSTILE)
    page = document(model, title=HOSTILE, date=HOSTILE)
    shown = cleaned(HOSTILE)
    assert shown.endswith("\ufffd")
    assert {shown, f"{shown} 9", f"Bankruptcy {shown}"} <= page.texts
    assert not NEVER & {tag for tag, _ in page.tags}
    assert "49" not in " ".join(page.texts).split()


def test_the_page_stands_alone() -> None:
    page = document(card())
    policies = [its["content"] for tag, its in page.tags if tag == "meta" and "http-equiv" in its]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"]
    links = [its["href"] for tag, its in page.tags if tag == "a"]
    anchors = {f"#{its['id']}" for tag, its in page.tags if tag == "section"}
    assert links
    assert set(links) == anchors


def test_how_reasons_are_chosen_is_told() -> None:
    text = " ".join(document(card()).texts)
    for words in ("applicants of 2025", "up to 7.5 points above it", "slightly above the cutoff", "1681g(f)(9)"):
        assert words in text
    assert "A knock-out that applies declines whatever the score" in text
    assert "Debts: >= 1" in text  # the attribute that alone has a code of its own
    assert "Debts: < 1; missing" in text
    lines = told(card())["lines"]
    assert [[each["code"] for each in line["codes"]] for line in lines] == [["K1"], ["R1"], ["R9"], ["R1"]]


def test_language_of_the_texts() -> None:
    page = document(card(), language="zh")
    spans = [its.get("lang") for tag, its in page.tags if tag == "span"]
    assert {"zh", "de", None} == set(spans)
    assert {"债务过高", "Verschuldung", "Debts", "破产程序进行中"} <= page.texts
    with pytest.raises(ModelError, match=r"no texts in this language.*got 'fr'"):
        document(card(), language="fr")


def test_every_format_and_the_same_bytes() -> None:
    applicants = {"debts": [0.0, 1.0, None, 2.0], "bankrupt": [0.0, 0.0, 0.0, 1.0]}
    options: dict[str, Any] = {"applicants": applicants, "language": "zh", "title": "Gründe", "date": "2026-11-22"}
    files = ReasonDocument(format=["pdf", "html", "json", "csv"], **options).export(card()).files
    assert list(files) == ["reasons.pdf", "reasons.html", "reasons.json", "reasons.csv"]
    assert files == ReasonDocument(format=["pdf", "html", "json", "csv"], **options).export(card()).files
    pdf = files["reasons.pdf"]
    assert isinstance(pdf, bytes)
    reader = pypdf.PdfReader(io.BytesIO(pdf))
    text = re.sub(r"\s", "", "".join(page.extract_text() for page in reader.pages))
    assert all(word in text for word in ("Gründe", "2026-11-22", "债务过高", "HöhederSchulden"))
    assert not any("Date" in key for key in reader.metadata or {})


def test_what_lacks_is_said() -> None:
    bare = replace(card(), reasons=None)
    text = " ".join(document(bare).texts)
    assert (
        "The model holds no reason policy: it gives no reasons but the codes of its knock-outs and overrides." in text
    )
    assert "Bankruptcy Debts" in text
    text = " ".join(document(card()).texts)
    assert "Give them as applicants" in text
    text = " ".join(document(card(), applicants={"debts": [1.0], "bankrupt": [0.0]}).texts)
    assert "Give groups" in text
    policy = card().reasons
    assert policy is not None
    approved = replace(card(), cutoff=0.0, reasons=replace(policy, cutoff=0.0))
    text = " ".join(document(approved, applicants={"debts": [1.0], "bankrupt": [0.0]}).texts)
    assert "None of the applicants is declined" in text


def test_applicants_of_a_file(tmp_path: Path) -> None:
    values = {"debts": [0.0, 1.0, None, 2.0] * 3, "bankrupt": 0.0, "a,b": ["x", "y"] * 6}
    frame = pd.DataFrame({**values, "c": ["z", "z", "w"] * 4})
    frame.to_csv(tmp_path / "rows.csv", index=False)
    named = ReasonDocument(applicants=str(tmp_path / "rows.csv"), groups="a,b", format="html, json").export(card())
    whole = ReasonDocument(applicants=frame, groups=["a,b"], format=["html", "json"]).export(card())
    assert dict(named.files) == dict(whole.files)
    both = frame.rename(columns={"a,b": "a"})
    part = told(card(), applicants=both, groups="a, c")
    assert [each["attribute"] for each in part["declined"]] == [None, "a", "a", "c", "c"]
    with pytest.raises(InputError, match=r"rows\.txt"):
        document(card(), applicants=str(tmp_path / "rows.txt"))


def test_only_what_can_give_a_code_shows_it() -> None:
    nothing = tuple(Attribute(condition=each, points=0) for each in (Otherwise(), Missing()))
    silent = Characteristic(feature="jobs", attributes=nothing)
    policy = card().reasons
    assert policy is not None
    named = {"debts": 15.0, "jobs": 0.0}
    codes = FrozenMapping({"debts": "R1", "jobs": "R1"})
    model = replace(
        card(),
        features=(*card().features, Feature(name="jobs", kind="categorical")),
        characteristics=(*card().characteristics, silent),
        reasons=replace(policy, baselines=FrozenMapping(named), codes=codes),
    )
    rows = {"debts": [0.0, 1.0], "bankrupt": [0.0, 0.0], "jobs": ["x", "x"]}
    options = ReasonDocumentOptions(applicants=rows, groups={"g": ["p", "q"]})
    found = {each.name: each for each in sections(model, chapters(model, options))}
    tables = {block.caption: block for block in found["sources"].blocks if isinstance(block, Table)}
    assert [row[4] for row in tables["Debts, baseline 15 points"].rows] == ["R1", "", "R1"]
    sentences = [block.text for block in found["sources"].blocks if isinstance(block, Paragraph)]
    assert sentences[-1] == "Everybody gets 0 points of these, which are never a reason: Jobs."
    by_group = [block for block in found["counted"].blocks if isinstance(block, Table) and block.caption[:2] == "g:"]
    assert [[row[0] for row in table.rows] for table in by_group] == [["R1"], ["R1"]]


def test_what_to_look_at_first_is_short() -> None:
    steps = tuple(
        Attribute(condition=Interval(lower=low, upper=low + 1), points=low - 40.0) for low in map(float, range(20))
    )
    ends = (Interval(upper=0), Interval(lower=20), Missing())
    low, *rest = (Attribute(condition=each, points=-60.0) for each in ends)
    ladder = (low, *steps, *rest)
    model = replace(card(), characteristics=(Characteristic(feature="debts", attributes=ladder),))
    [listing, table] = next(
        each.blocks for each in sections(model, chapters(model, ReasonDocumentOptions())) if each.name == "remarks"
    )
    assert isinstance(listing, Listing)
    assert isinstance(table, Table)
    assert len(listing.items) + len(table.rows) == 8
    assert "Attributes below their baseline: 23" in table.caption


def test_models_without_reasons() -> None:
    quantity = RegressionScorecard(
        outcome=Quantity(target="loss"),
        features=numbers("debts"),
        characteristics=(Characteristic(feature="debts", attributes=LADDER),),
        base_points=0,
    )
    assert "decides nothing" in " ".join(document(quantity, applicants={"debts": [1.0, 2.0]}).texts)
    three = RuleSet(
        outcome=Outcome(classes=(1, 2, 3), favourable=3),
        features=numbers("debts"),
        rules=(Rule(when=(Clause("debts", (Interval(lower=1),)),), outcome=2),),
        fallback=(Rule(when=(), outcome=3),),
    )
    text = " ".join(document(three, applicants={"debts": [0.0, 2.0]}).texts)
    assert "The model holds no reason policy" in text
    assert "50.0%" in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"format": "docx"}, "unknown format.*docx"),
        ({"format": []}, "formats, each once"),
        ({"format": ["csv", "csv"]}, "formats, each once"),
        ({"groups": "sex"}, "option groups.*give applicants, too"),
        ({"applicants": {"debts": [], "bankrupt": []}}, "0 sample"),
        ({"applicants": {"debts": [1.0]}}, "column 'bankrupt': missing column"),
        ({"applicants": {"debts": [1.0], "bankrupt": [0.0]}, "groups": "sex"}, "column 'sex'"),
        ({"applicants": {"debts": [1.0], "bankrupt": [0.0]}, "groups": {"a": ["x", "y"]}}, "number of rows differs"),
    ],
)
def test_refused_options(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as refused:
        document(card(), **options)
    assert re.search(words, f"{refused.value}"), refused.value


def test_other_refusals() -> None:
    with pytest.raises(KindError, match="debts"):
        document(card(), applicants={"debts": ["x"], "bankrupt": [0.0]})
    export = ReasonDocument().export(card())
    with pytest.raises(PluginError, match="documents, which nothing runs"):
        ReasonDocument().run(export, {})
