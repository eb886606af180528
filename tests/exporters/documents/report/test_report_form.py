"""The what-if calculator as a person uses it, in Chromium: what is filled in, and what the page then shows."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from typing import Any

from cards import ensemble, numbers, policy_of, rule_set

from scrutable.data.datasets import load_german_credit
from scrutable.model import (
    Adjustment,
    Attribute,
    Clause,
    Feature,
    Interval,
    Leaf,
    Missing,
    Model,
    Outcome,
    Policy,
    Quantity,
    RegressionScorecard,
    Rule,
    RuleSet,
    Scorecard,
    Segment,
    SegmentedModel,
    Split,
)
from scrutable.model.evaluator import evaluate
from scrutable.testing.cards import card
from scrutable.writing.decimals import decimal
from scrutable.writing.visible_text import LAYOUT, visible
from scrutable_documents.report.exporter import Report
from scrutable_documents.report.fields import form_fields

from .conftest import Script

#: Fills the form, a value a field by its place, and reads what is shown.
_FILL = """
const values = %s;
const found = values.map((row) => {
  row.forEach(([what, place, value]) => {
    const control = document.getElementById(`${what}-${place}`);
    if (what === "missing") { control.checked = value; } else { control.value = value; }
    control.dispatchEvent(new Event("input", { bubbles: true }));
  });
  document.querySelectorAll("details").forEach((each) => { each.open = true; });
  const text = (id) => document.getElementById(id).innerText;
  return { summary: text("summary"), why: text("why"), parts: text("made-of"),
           invalid: document.querySelectorAll('[aria-invalid="true"]').length };
});
return found;
"""


def shown(in_page: Script, model: Model, *rows: list[tuple[str, int, Any]]) -> list[dict[str, Any]]:
    """What the page shows after each of the rows is filled in, one after the other."""
    found: list[dict[str, Any]] = in_page(Report().export(model).text, _FILL % json.dumps(rows))
    return found


def test_texts_of_the_model_steer_nothing_and_decide_as_they_are(in_page: Script) -> None:
    evil, arabic = "\x1b[31m\x9b\u202e\U000e0001", "دخل شهري"
    model = card(categories=(evil, arabic), words=evil)
    [place] = [place for place, field in enumerate(form_fields(model)) if field.kind == "categorical"]
    options = form_fields(model)[place].options
    for text in (evil, arabic):
        [found] = shown(in_page, model, [("value", place, str(options.index(text)))])
        assert visible(text) in found["parts"]
        said = "".join(found[part] for part in ("summary", "why", "parts"))
        assert visible(said, keep=LAYOUT) == said
    page = in_page(Report().export(model).text, "return document.documentElement.outerHTML")
    assert visible(page, keep=LAYOUT) == page


def test_every_applicant_of_the_form_gets_the_score_of_python(in_page: Script, german_card: Scorecard) -> None:
    fields = form_fields(german_card)
    sample = load_german_credit().X.iloc[:40]
    rows = []
    for _, applicant in sample.iterrows():
        row: list[tuple[str, int, Any]] = []
        for place, field in enumerate(fields):
            value = applicant[field.name]
            row.append(("value", place, str(value if field.kind == "numeric" else field.options.index(value))))
        rows.append(row)
    found = shown(in_page, german_card, *rows)
    ours = evaluate(german_card, sample)
    assert ours.score is not None
    assert ours.reasons is not None
    assert 0 < ours.approved.sum() < len(rows)
    for page, score, approved, reasons in zip(found, ours.score, ours.approved, ours.reasons, strict=True):
        told = re.search(r"^(Favourable|Unfavourable) decision. Score ([\d.,]+), cutoff", page["summary"])
        assert told is not None
        assert (told[1] == "Favourable", told[2]) == (approved, decimal(score, 2))
        assert re.findall(r"\((R\d+);", page["why"]) == [code for code in reasons if code is not None]


def test_missing_other_and_specials(in_page: Script) -> None:
    model = card(categories=("cook", ""))
    start, missing, other, empty, knocked, typo = shown(
        in_page,
        model,
        [("value", 0, "15"), ("value", 1, "0")],
        [("missing", 0, True), ("value", 1, "missing")],
        [("value", 1, "other")],
        [("value", 1, "1")],
        [("missing", 0, False), ("value", 0, "-6")],
        [("value", 0, "")],
    )
    assert "Score 510, cutoff 510" in start["summary"]
    assert start["summary"].startswith("Favourable")
    assert "Score 503," in missing["summary"]
    assert "Score 504," in other["summary"]
    assert "Score 506," in empty["summary"]
    assert "Knock-out rule, whatever the score: Number of things" in knocked["summary"]
    assert "(Kc; knock-out rule)" in knocked["why"]
    assert (typo["invalid"], "Type a number" in typo["summary"], typo["why"], typo["parts"]) == (1, True, "", "")


def test_a_knock_out_stands_alone_where_the_score_passes(in_page: Script) -> None:
    passing, failing = shown(
        in_page, replace(card(), cutoff=500), [("value", 0, "-6"), ("value", 1, "0")], [("value", 1, "other")]
    )
    assert "Score 500, cutoff 500" in passing["summary"]
    assert "Score 499, cutoff 500" in failing["summary"]
    assert re.findall(r"\((\w+);", passing["why"]) == ["Kc"]
    assert re.findall(r"\((\w+);", failing["why"]) == ["Kc", "1c"]


def test_special_codes_are_a_choice(in_page: Script) -> None:
    feature = Feature(name="age", kind="numeric", special_codes=(-9.0, 99.0))
    young = Rule(when=(Clause("age", (Interval(upper=21),)),), outcome="bad", weight=2)
    model = rule_set(features=(feature,), rules=(young,))
    typed, chosen = shown(in_page, model, [("value", 0, "20")], [("code", 0, "0")])
    assert "Rules that apply\nif Age < 21 then bad (weight 2 for bad)" in typed["parts"].replace("\n\n", "\n")
    assert "No rule applies" in chosen["parts"]


def test_trees_segments_quantities_and_classes(in_page: Script) -> None:
    age = Feature(name="age", kind="numeric")
    old = Clause("age", (Interval(lower=30), Missing()))
    trees = ensemble(features=(age,), trees=(Split(old, Leaf(1.5), Leaf(-1)),), base_score=0.25)
    votes = RuleSet(
        outcome=trees.outcome, features=(age,), rules=(Rule(when=(old,), outcome="good"),), fallback=(_no_vote(),)
    )
    parted = SegmentedModel(
        segments=(Segment(name="<old>", when=(old,), model=trees), Segment(name="rest", model=votes)), routing=(age,)
    )
    first, second = shown(in_page, parted, [("value", 0, "30")], [("value", 0, "29")])
    assert first["summary"].startswith("Segment: <old>")
    assert "Score 1.75, cutoff 0." in first["summary"]
    assert second["summary"].startswith("Segment: rest")
    assert (
        second["parts"].replace("\n\n", "\n").startswith("No rule applies, so the fallback decides\nif always then bad")
    )
    source = card().characteristics[0]
    quantity = RegressionScorecard(
        outcome=Quantity(target="loss", unit="euro"),
        features=numbers("amount"),
        characteristics=(source,),
        base_points=0.5,
    )
    assert shown(in_page, quantity, [("value", 0, "15")])[0]["summary"] == "loss, in euro: 10.5"
    three = RuleSet(
        outcome=Outcome(classes=(0, 1, 2), favourable=2),
        features=(age,),
        rules=(Rule(when=(old,), outcome=2, weight=3),),
        fallback=(Rule(when=(), outcome=1),),
    )
    assert shown(in_page, three, [("value", 0, "31")])[0]["summary"].split("\n")[0] == "Class: 2"


def test_points_of_segments_are_those_of_their_own_scorecards(in_page: Script) -> None:
    few = Clause("amount", (Interval(upper=12),))
    other = replace(card().characteristics[0], attributes=_worth(card(), 1.25))
    low = replace(card(), characteristics=(other, *card().characteristics[1:]), cutoff=0)
    segments = (Segment(name="few", when=(few,), model=low), Segment(name="rest", model=card()))
    parted = SegmentedModel(segments=segments, routing=card().features[:1])
    first, second = shown(in_page, parted, [("value", 0, "11")], [("value", 0, "15")])
    assert "Number of things\tattribute 1\t1.25\t" in first["parts"]
    assert "Number of things\tNumber of things\t10\t" in second["parts"]


def test_attributes_of_equal_points_and_each_adjustment_are_told(in_page: Script) -> None:
    same = replace(card().characteristics[0], attributes=_worth(card(), 7))
    clauses = [Clause("amount", (Interval(upper=end),)) for end in (30.0, 12.0)]
    adjustments = tuple(
        Adjustment(code=f"</A{place}>", reason=f"Few things {place}", points=-1.5 * place, when=(clause,))
        for place, clause in enumerate(clauses, 1)
    )
    model = replace(card(), characteristics=(same, *card().characteristics[1:]), policy=Policy(adjustments=adjustments))
    one, both = shown(in_page, model, [("value", 0, "25")], [("value", 0, "11")])
    assert "Number of things\tattribute 2\t7\t" in one["parts"]
    assert "Number of things\tattribute 1\t7\t" in both["parts"]
    told = [re.findall(r"Score adjustment of (.*?) points: Few things (\d)", each["summary"]) for each in (one, both)]
    assert told == [[("-1.5", "1")], [("-1.5", "1"), ("-3", "2")]]


def test_scores_next_to_the_cutoff_read_differently(in_page: Script) -> None:
    feature = Feature(name="x", kind="numeric")
    trees = ensemble(
        outcome=Outcome(classes=(0, 1), favourable=1),
        features=(feature,),
        trees=(Split(Clause("x", (Interval(lower=0),)), Leaf(10.0 - 2.0**-20), Leaf(0.0)),),
        cutoff=10,
    )
    [found] = shown(in_page, trees, [("value", 0, "1")])
    assert found["summary"].startswith("Unfavourable decision. Score 9.999999, cutoff 10.")


def test_points_in_log_odds_keep_their_digits(in_page: Script) -> None:
    policy = policy_of(
        method="below-maximum",
        population="",
        cutoff=0.00123456,
        baselines={"x": 0.0234567},
        codes={"x": "R1"},
        texts={"R1": "Debts"},
    )
    trees = ensemble(
        outcome=Outcome(classes=(0, 1), favourable=1),
        features=numbers("x"),
        trees=(Split(Clause("x", (Interval(lower=0),)), Leaf(-0.0012345), Leaf(0.0234567)),),
        cutoff=0.00123456,
        reasons=policy,
    )
    [found] = shown(in_page, trees, [("value", 0, "1")])
    assert "Score -0.001234, cutoff 0.001235." in found["summary"]
    assert "Debts (R1; 0.02469 points short)" in found["why"]
    assert "What fell short" in found["why"]


def test_every_control_has_a_name_and_nothing_is_fetched(in_page: Script) -> None:
    code = """
    const controls = [...document.querySelectorAll("input, select, button")];
    const named = (each) => (each.labels?.length ?? 0) > 0 || each.hasAttribute("aria-label") || each.innerText !== "";
    const live = document.querySelector("[aria-live=polite]");
    const own = performance.getEntriesByType("resource").length;
    const ids = [...document.querySelectorAll("[id]")].map((each) => each.id);
    const twice = ids.length - new Set(ids).size;
    return { named: controls.every(named), count: controls.length, live: live.id, own, twice };
    """
    found = in_page(Report().export(card()).text, code)
    assert found == {"named": True, "count": 4, "live": "summary", "own": 0, "twice": 0}


def test_long_names_do_not_widen_the_page(in_page: Script) -> None:
    code = """
    document.documentElement.style.width = "400px";
    const wide = [...document.querySelectorAll("body *")].filter((each) => !each.parentElement.closest(".scroll"));
    return wide.filter((each) => each.getBoundingClientRect().right > 401).map((each) => each.tagName);
    """
    long = "Zahlungsrückstände_der_letzten_24_Monate_" * 5
    model = card(amount=long, job="就业年限与职业" * 30, categories=("x" * 300, "字" * 200), words=long[:200])
    report = Report(title=long, purpose=long, date=long)
    assert in_page(report.export(model).text, code) == []


def test_where_the_form_starts() -> None:
    fields = {field.name: field for field in form_fields(card())}
    assert math.isfinite(float(fields["amount"].start))
    assert fields["job"].options == ("cook",)
    assert fields["job"].other not in fields["job"].options


def _worth(model: Scorecard, points: float) -> tuple[Attribute, ...]:
    """The attributes of the first characteristic, each worth the same, and labelled by its place."""
    attributes = model.characteristics[0].attributes
    return tuple(replace(each, points=points, label=f"attribute {place}") for place, each in enumerate(attributes))


def _no_vote() -> Rule:
    return Rule(when=(), outcome="bad")
