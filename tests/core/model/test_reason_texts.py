"""Texts that Regulation B calls insufficient are refused, whatever their case and language; specific ones are not."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from scrutable.errors import ModelError
from scrutable.model.reason_texts import _REFUSED, refuse_generic


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("Internal standards", "internal standards or policies"),
        ("Declined under our lending  POLICY", "internal standards or policies"),
        ("Company guidelines", "internal standards or policies"),
        ("Failed to achieve a qualifying score", "a qualifying score"),
        ("Your score was below the cutoff", "a qualifying score"),
        ("Insufficient credit score", "a qualifying score"),
        ("Interne Richtlinien", "internal standards or policies"),
        ("Mindestpunktzahl nicht erreicht", "a qualifying score"),
        ("Politique de crédit interne", "internal standards or policies"),
        ("Puntuación insuficiente", "a qualifying score"),
        ("Internal risk policy", "internal standards or policies"),
        ("Credit policy", "internal standards or policies"),
        ("Policy decline", "internal standards or policies"),
        ("Insufficient points", "a qualifying score"),
        ("Your score did not meet our cutoff", "a qualifying score"),
        ("Failed credit scoring", "a qualifying score"),
        ("Score below our minimum", "a qualifying score"),
        ("Kein ausreichender Score", "a qualifying score"),
        ("Kreditrichtlinien der Bank", "internal standards or policies"),
        ("Zu wenig Punkte", "a qualifying score"),
        ("Insufficient creditworthiness", "must be specific"),
        ("Bonität nicht ausreichend", "must be specific"),
        ("Credit risk", "must be specific"),
        ("Other", "must be specific"),
        ("N/A", "must be specific"),
        ("You do not meet our requirements", "must be specific"),
    ],
)
def test_texts_that_explain_nothing_are_refused_with_the_rule(words: str, rule: str) -> None:
    with pytest.raises(ModelError, match=rule) as refused:
        refuse_generic(words, "text of reason code 'R01'")
    assert "12 CFR 1002.9(b)(2)" in str(refused.value)
    assert "text of reason code 'R01'" in str(refused.value)


@pytest.mark.parametrize(
    "words",
    [
        "Length of employment",
        "Number of recent inquiries on credit bureau report",
        "Insufficient number of credit references provided",
        "Income insufficient for amount of credit requested",
        "Unable to verify residence",
        "Age of the other borrower's oldest account",
        "Dauer der Beschäftigung",
        "信用记录太短",
        "International transfers in the last month",
        "Company policy type",
        "Low credit score from the bureau",
        "Bureau score is below average",
        "Reason for the loan",
    ],
)
def test_specific_texts_pass(words: str) -> None:
    assert refuse_generic(words, "text") == words


@pytest.mark.parametrize("words", ["   ", "\u200b", "12"])
def test_a_text_without_letters_is_refused(words: str) -> None:
    with pytest.raises(ModelError, match="a reason is told in words"):
        refuse_generic(words, "text of reason code 'R01'")


def test_an_empty_text_is_refused() -> None:
    with pytest.raises(ModelError, match="text of reason code 'R01': a name may not be empty"):
        refuse_generic("", "text of reason code 'R01'")


@pytest.mark.deep
@pytest.mark.parametrize("expression", [expression for expression, _ in _REFUSED], ids=lambda each: each.pattern[:30])
def test_long_texts_take_time_in_proportion(expression: re.Pattern[str], proportional: Any) -> None:
    words = set(re.findall(r"[a-zà-ü]{2,}", expression.pattern))

    def made(n: int) -> Callable[[], object]:
        hostile = [f"{word}{between}" * (n // len(word)) + "!" for word in words for between in (" ", ".")]
        return lambda: [expression.search(text) for text in hostile]

    proportional(made, 4000)
