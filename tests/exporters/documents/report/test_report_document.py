"""What stands in the document: sections, figures, gaps."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cards import ensemble
from tests.exporters.documents.report.told import DATA, NUMERIC, document, gaps, tables

from scrutable import create
from scrutable.data.values import freeze
from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.fairness.measuring import measure
from scrutable.model import (
    Clause,
    FrozenMapping,
    Interval,
    Leaf,
    Missing,
    Outcome,
    Rule,
    RuleSet,
    Segment,
    SegmentedModel,
    Split,
    fingerprint,
)
from scrutable.model.evidence import Evidence
from scrutable.proof import certify, exporter_at, verification_rows
from scrutable.proof.document import to_json
from scrutable.testing.cards import card
from scrutable_documents.common.sections import Facts, Heading, Paragraph
from scrutable_documents.report.exporter import Report
from scrutable_documents.report.proof import OtherModelWarning


def test_what_was_not_given_is_said() -> None:
    found = document(card())
    lacking = {name: gaps(section) for name, section in found.items()}
    assert "Give it as purpose" in lacking["purpose"]
    assert "Give them as limits" in lacking["limits"]
    assert "Give them as data" in lacking["data"]
    assert "Give data=, target= (--data, --target)" in lacking["performance"]
    assert "--data, --target, --protected" in lacking["groups"]
    assert "There is no parity certificate" in lacking["parity"]
    assert "does not say how it was made" in lacking["provenance"]


def test_figures_are_those_of_the_core(fitted: Any) -> None:
    test, train = DATA.frame.iloc[600:], DATA.frame.iloc[:600]
    found = document(
        fitted.model_, fitted.evidence_, data=test, target="credit_risk", protected=["sex"], reference=train
    )
    groups = Groups.from_frame(test[["sex"]])
    own = measure(fitted.model_, test, test["credit_risk"], groups=groups)
    assert own is not None
    assert own.fairness is not None
    separation = next(table for name, table in tables(found["performance"]).items() if name.startswith("Separation"))
    assert [row[1].split()[0] for row in separation.rows] == [
        f"{value:.3f}" for value in (own.performance.auc, own.performance.gini, own.performance.ks)
    ]
    at_cutoff = next(table for name, table in tables(found["groups"]).items() if "at the cutoff" in name)
    ratios = {row[0]: row[3].split()[0] for row in at_cutoff.rows if row[3]}
    told = {
        each.group: f"{each.adverse_impact_ratio:.3f}"
        for each in own.fairness.at_cutoff.groups
        if not each.is_reference
    }
    assert ratios == told
    calibration = tables(found["performance"])["Calibration"]
    assert sum(int(row[1]) for row in calibration.rows) == len(test)


def test_a_certificate_counts_for_its_own_model_only(fitted: Any, tmp_path: Path) -> None:
    model = fitted.model_
    certificate = certify(model, [exporter_at("sqlite")], verification_rows(model, n_random=20))
    path = tmp_path / "certificate.json"
    path.write_text(to_json(certificate))
    text = Report(certificate=str(path)).export(model).text
    assert "Every engine gave what the model says." in text
    assert "SQLite" in text
    with pytest.warns(OtherModelWarning, match="about another model"):
        other = Report(certificate=json.loads(path.read_text())).export(card()).text
    assert "about another model, and proves nothing of this one" in other
    assert fingerprint(card()) in other
    assert "Every engine" not in other
    path.write_text("{}")
    with pytest.raises(InputError, match="no certificate"):
        Report(certificate=str(path)).export(model)
    path.write_text("{")
    with pytest.raises(InputError, match="not whole, valid JSON"):
        Report(certificate=str(path)).export(model)


def test_without_data_the_evidence_speaks(fitted: Any) -> None:
    its = measure(fitted.model_, DATA.frame.iloc[600:], DATA.y.iloc[600:])
    assert its is not None
    evidence = Evidence(model_sha256="", metrics=FrozenMapping({"held_out": freeze(its.to_dict())}))
    [table] = tables(document(fitted.model_, evidence)["performance"]).values()
    assert "measured on 400 held-out rows" in table.caption
    assert table.rows[0][1].startswith(f"{its.performance.auc:.3f} [")


def test_figures_of_few_rows_have_no_interval(fitted: Any) -> None:
    few = DATA.frame.iloc[600:620]
    its = measure(fitted.model_, few, DATA.y.iloc[600:620])
    assert its is not None
    evidence = Evidence(model_sha256="", metrics=FrozenMapping({"held_out": freeze(its.to_dict())}))
    found = tables(document(fitted.model_, evidence, data=few, target="credit_risk")["performance"])
    captions = [caption for caption in found if caption.startswith(("From the evidence", "Separation"))]
    assert [found[caption].rows[0] for caption in captions] == [["AUC", f"{its.performance.auc:.3f}"]] * 2
    assert captions[1] == (
        "Separation on these applicants, without intervals: fewer than 30 rows, or 10 of the scarcer outcome"
    )


def test_held_out_figures_stay_beside_those_of_the_data(fitted: Any) -> None:
    held_out = {"rows": 400, "performance": {"auc": 0.75, "auc_interval": [0.7, 0.8]}}
    evidence = Evidence(model_sha256="", metrics=FrozenMapping({"held_out": freeze(held_out)}))
    found = document(fitted.model_, evidence, data=DATA.frame, target="credit_risk")["performance"]
    titles = [block.text for block in found.blocks if isinstance(block, Heading)]
    assert titles == ["Held out when the model was fitted", "On the 1,000 applicants given as data"]
    captions = list(tables(found))
    assert captions[0].startswith("From the evidence: measured on 400 held-out rows")
    assert captions[1].startswith("Separation on these applicants")
    assert any("learned from are too good" in block.text for block in found.blocks if isinstance(block, Paragraph))


def test_codes_stand_together_in_every_language() -> None:
    policy = card().reasons
    assert policy is not None
    texts = FrozenMapping({"1c": "Anzahl", "2c": "Beruf", "Kc": "Zu viel"})
    told = replace(policy, order=("2c", "1c"), translations=FrozenMapping({"de": texts}), inquiries=("job",))
    found = document(replace(card(), reasons=told))["reasons"]
    assert [row[0] for row in tables(found)["Codes"].rows] == ["2c", "1c"]
    languages = tables(found)["Texts in every language"]
    assert (languages.headers[2], [row[2] for row in languages.rows]) == ("de", ["Zu viel", "Beruf", "Anzahl"])
    assert ("Features that count inquiries", "Number of things") in next(
        block.pairs for block in found.blocks if isinstance(block, Facts)
    )


def test_the_search_log_is_told(fitted: Any) -> None:
    candidate = {
        "number": 2,
        "name": "lda <b>",
        "performance": {"auc": 0.75, "auc_interval": [0.7, 0.8]},
        "at_cutoff": {"approval_rate": 0.5, "ratio": {"value": 0.85, "interval": None}},
        "why": "best of all",
    }
    log = (
        freeze({"candidates": [candidate], "picked": 2, "why": "it keeps the ratio"}),
        freeze({"rules": 3, "objective": 0.5}),
    )
    evidence = Evidence(model_sha256=fingerprint(fitted.model_), search_log=log)
    found = tables(document(fitted.model_, evidence)["groups"])
    [row] = found["Candidates on the validation rows"].rows
    assert list(row)[:5] == ["2", "lda <b>", "0.750 [0.700,\u00a00.800]", "0.850", "0.500"]
    assert found["Steps of the learner"].headers == ("Step", "objective", "rules")


def test_models_of_every_kind_have_a_document(fitted: Any) -> None:
    test = DATA.frame.iloc[600:]
    rug = create("learner", "rug", favourable="good").fit(DATA.X[NUMERIC].iloc[:600], DATA.y.iloc[:600]).model_
    found = document(rug, data=test, target="credit_risk", protected=["sex"])
    rules = tables(found["rules"])["Rules that vote"]
    assert rules.rows[0][1].startswith("if ")
    assert all(cell.endswith("%") for row in rules.rows for cell in row[4:5])
    parted = SegmentedModel(
        segments=(
            Segment(name="short", when=rug.rules[0].when, model=fitted.model_),
            Segment(name="long", model=rug),
        ),
        routing=tuple(f for f in rug.features if f.name in {clause.feature for clause in rug.rules[0].when}),
    )
    text = Report(data=test, target="credit_risk", protected=["sex"]).export(parted).text
    assert "Segment short" in text
    assert "sex: at the cutoff of each segment" in text
    assert re.search(r"sex: at an approval rate of \d+\.\d% \(as many as pay, by their probability", text)
    whole = measure(parted, test, test["credit_risk"].to_numpy())
    assert whole is not None
    [separation] = re.findall(r"Separation of the probability on these applicants.*?AUC.*?(0\.\d{3})", text, re.DOTALL)
    assert separation == f"{whole.performance.auc:.3f}"


def test_leaves_of_trees_are_paths_with_their_coverage() -> None:
    old = Clause("amount", (Interval(lower=10), Missing()))
    model = ensemble(
        outcome=card().outcome,
        features=card().features[:1],
        trees=(Split(old, Leaf(1.5), Leaf(-1)), Leaf(0.5)),
        calibration=card().calibration,
    )
    found = tables(document(model, data={"amount": [9.0, 10.0, 11.0, None]})["rules"])
    assert [list(row) for row in found["Tree 1"].rows] == [
        ["Number of things >= 10 or missing", "1.5", "75.0%"],
        ["not (Number of things >= 10 or missing)", "-1", "25.0%"],
    ]
    assert [list(row) for row in found["Tree 2"].rows] == [["always", "0.5", "100.0%"]]


def test_the_same_options_give_the_same_bytes(fitted: Any) -> None:
    options: dict[str, Any] = {"data": DATA.frame.iloc[600:], "target": "credit_risk", "protected": ["sex"]}
    first, second = (Report(**options).export(fitted.model_).files for _ in range(2))
    assert dict(first) == dict(second)
    first, second = (Report(format=["html", "pdf"]).export(card()).files for _ in range(2))
    assert dict(first) == dict(second)
    assert list(first) == ["report.html", "report.pdf"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "docx"}, "unknown format"),
        ({"format": []}, "unknown format"),
        ({"target": "y"}, "no rows that it belongs to"),
        ({"reference": {}}, "no rows that it belongs to"),
        ({"data": {}, "protected": ["sex"]}, "groups are compared on outcomes"),
    ],
)
def test_options_that_contradict_each_other(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Report(**options)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (["good", "bad"], "another number of outcomes"),
        (["good", "bad", None], "an outcome is missing"),
        (["good", "bad", "so so"], "an outcome is none of the model's classes; got a text like 'aa aa'"),
        ("outcome", "missing column"),
    ],
)
def test_outcomes_that_cannot_be_used(target: Any, message: str) -> None:
    data = {"amount": [1.0, 2.0, 3.0], "job": ["cook"] * 3}
    with pytest.raises(InputError, match=message):
        Report(data=data, target=target).export(card())


def test_one_outcome_only_gives_shares_of_classes() -> None:
    data = {"amount": np.arange(3.0), "job": ["cook"] * 3}
    found = document(card(), data=data, target=["good"] * 3)
    assert [row[0] for row in tables(found["performance"])["Classes"].rows] == ["all", "bad", "good"]


def test_three_classes() -> None:
    model = RuleSet(
        outcome=Outcome(classes=(1, 2, 3), favourable=3),
        features=card().features[:1],
        rules=(Rule(when=card().policy.knock_outs[0].when, outcome=1),),
        fallback=(Rule(when=(), outcome=2),),
    )
    found = document(model, data={"amount": [-9.0, 9.0]}, target=[1, 3])
    assert [list(row) for row in tables(found["performance"])["Classes"].rows] == [
        ["all", "2", "50.0%"],
        ["1", "1", "100.0%"],
        ["2", "0", "undefined"],
        ["3", "1", "0.0%"],
    ]
