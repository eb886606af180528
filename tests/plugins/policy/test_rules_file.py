"""Files of rules: what they say, and where one goes wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrutable.errors import InputError
from scrutable_policy import AdjustmentRule, KnockOutRule, OverrideRule, read_rules

FILE = """
who = "Ana Ruiz"
why = "Credit policy 2026"

[[knock_out]]
code = "K1"
reason = "Applicant is under age"
when = "age < 18"
why = "Civil code, section 2"
translations = { de = "Minderjährig" }

[[override]]
code = "O1"
reason = "Present customer"
when = "customer = 'yes'"
decision = "approve"
segments = ["thin file"]

[[adjustment]]
code = "A1"
reason = "Short time in employment"
when = "months < 6 or missing"
points = -15
explained = false
"""


def read(path: Path, text: str) -> object:
    path.write_text(text, encoding="utf-8")
    return read_rules(path)


def test_a_file_states_rules_of_three_kinds(tmp_path: Path) -> None:
    assert read(tmp_path / "rules.toml", FILE) == (
        KnockOutRule(
            code="K1",
            reason="Applicant is under age",
            when="age < 18",
            who="Ana Ruiz",
            why="Civil code, section 2",
            translations={"de": "Minderjährig"},
        ),
        AdjustmentRule(
            code="A1",
            reason="Short time in employment",
            when="months < 6 or missing",
            points=-15.0,
            explained=False,
            who="Ana Ruiz",
            why="Credit policy 2026",
        ),
        OverrideRule(
            code="O1",
            reason="Present customer",
            when="customer = 'yes'",
            decision="approve",
            segments=("thin file",),
            who="Ana Ruiz",
            why="Credit policy 2026",
        ),
    )


RULE = '[[knock_out]]\ncode = "K1"\nreason = "Age"\nwhen = "age < 18"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", r"rules '.*rules.toml': there is no rule. Fix: for example \[\[knock_out\]\]"),
        ("[[knockout]]\n", "unknown key; got 'knockout'.*did you mean 'knock_out'"),
        (RULE + "points = 3\n", "knock_out 1: unknown option; got 'points'"),
        (RULE + RULE.replace("code", "cod"), "knock_out 2: unknown option; got 'cod'; allowed: did you mean 'code'"),
        (RULE.replace('when = "age < 18"', ""), r"knock_out 1: a value is missing; .* allowed: when = …"),
        (RULE.replace('"age < 18"', "18"), "option 'when': a value of the wrong type; got 18; allowed: text"),
        (RULE.replace("[[knock_out]]", "[knock_out]"), r"knock_out: expected a list of rules.*\[\[knock_out\]\]"),
        (
            RULE.replace("knock_out", "override") + 'decision = "refer"\n',
            "got 'refer'; allowed: 'approve' or",
        ),
        (RULE.replace("knock_out", "adjustment") + 'points = "x"\n', "got 'x'; allowed: a number"),
        ("who = 3\n" + RULE, "who: a value of the wrong type; got 3"),
        ("[[knock_out]\n", "TOML"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read(tmp_path / "rules.toml", text)
