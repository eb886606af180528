"""Which texts of reasons are the names of columns, whether or not these read as words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrutable.model import FrozenMapping, Scorecard
from scrutable.testing.cards import card
from scrutable_documents.common.unwritten_reasons import in_words, unwritten


def told_by_names(amount: str, job: str) -> Scorecard:
    """A card whose features have no labels, and whose reasons are their titles."""
    one = card(amount, job)
    bare = tuple(replace(each, label="") for each in one.features)
    assert one.reasons is not None
    titles = {each.name: each.title for each in bare}
    texts = {code: titles[names[0]] for code, names in one.reasons.features().items()}
    return replace(one, features=bare, reasons=replace(one.reasons, texts=FrozenMapping(texts)))


@pytest.mark.parametrize(
    ("amount", "job"), [("amt", "dti"), ("crdlim", "rev_util"), ("V000", "PAY_0"), ("loan", "job")]
)
def test_any_name_without_a_label_is_unwritten(amount: str, job: str) -> None:
    model = told_by_names(amount, job)
    assert model.reasons is not None
    assert list(unwritten(model, model.reasons).values()) == [model.reasons.texts[code] for code in model.reasons.order]


def test_a_label_or_a_text_is_written() -> None:
    model = told_by_names("amt", "purpose")
    assert model.reasons is not None
    first, second = model.reasons.order
    texts = FrozenMapping({**model.reasons.texts, first: "Amount asked for"})
    assert list(unwritten(model, replace(model.reasons, texts=texts))) == [second]
    labelled = replace(model, features=tuple(replace(each, label=each.title) for each in model.features))
    assert unwritten(labelled, model.reasons) == {}


def test_the_warning_is_a_short_line() -> None:
    said = in_words({f"R{place:02d}": "x" * 500 for place in range(30)})
    assert "and 25 more. A notice states" in said
    assert len(said) < 500
    assert "\n" not in said
