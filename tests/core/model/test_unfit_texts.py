"""Which texts of reasons are not fit to be sent to an applicant."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrutable.model import FrozenMapping, Scorecard, text_faults
from scrutable.model.unfit_texts import COLUMN, GROUP, UNTRANSLATED
from scrutable.testing.cards import card


def told(first: str, second: str) -> Scorecard:
    """A card with two reasons beside its knock-out's."""
    one = card(words="Number of accounts")
    assert one.reasons is not None
    texts = dict(zip(one.reasons.order, (first, second), strict=True))
    return replace(one, reasons=replace(one.reasons, texts=FrozenMapping(texts)))


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
def test_any_name_without_a_label_is_a_column(amount: str, job: str) -> None:
    model = told_by_names(amount, job)
    assert model.reasons is not None
    assert [each.code for each in text_faults(model) if each.fault == COLUMN] == list(model.reasons.order)
    labelled = replace(model, features=tuple(replace(each, label=each.title) for each in model.features))
    assert text_faults(labelled) == []


def test_texts_that_tell_one_reason_twice() -> None:
    model = told("Time in  Employment", "time in employment")
    assert model.reasons is not None
    first, second = model.reasons.order
    assert [(each.code, each.fault) for each in text_faults(model)] == [(second, f"is the text of {first}, too")]
    assert text_faults(told("Time in employment", "Time at the address")) == []
    [fault] = text_faults(told("Time in employment", "Number of accounts"))
    assert fault.fault == f"is the text of {second}, too"
    assert fault.code in model.policy.reasons


@pytest.mark.parametrize(
    "words",
    [
        "Sex of the applicant",
        "Marital status",
        "Foreign worker",
        "National origin",
        "Income from public assistance",
        "Familienstand",
        "Staatsangehörigkeit des Antragstellers",
        "Ausländische Anschrift",
        "État civil",
        "Nacionalidad",
        "ESTADO CIVIL",
    ],
)
def test_a_prohibited_basis_is_named(words: str) -> None:
    assert [each.fault for each in text_faults(told(words, "Time at the address"))] == [GROUP]


@pytest.mark.parametrize(
    "words",
    [
        "Age of the oldest account",
        "Age",
        "Length of residence",
        "Traces of late payments",
        "Middlesex county property value",
        "Management experience",
        "Number of bank cards",
        "Herkunftsunabhängige Angaben",
        "Menge der Konten",
    ],
)
def test_words_that_only_look_alike_are_fit(words: str) -> None:
    assert text_faults(told(words, "Time at the address")) == []


def test_a_language_that_nobody_translated() -> None:
    model = told("Time in employment", "Time at the address")
    assert model.reasons is not None
    own = {**model.reasons.texts, **model.policy.reasons}
    first = model.reasons.order[0]

    def translated(texts: dict[str, str]) -> Scorecard:
        assert model.reasons is not None
        return replace(model, reasons=replace(model.reasons, translations=FrozenMapping({"de": FrozenMapping(texts)})))

    assert {each.fault for each in text_faults(translated(own))} == {UNTRANSLATED}
    assert text_faults(translated(own), "") == []
    german = dict.fromkeys(own, "") | {code: f"Dauer {number}" for number, code in enumerate(own)}
    assert text_faults(translated(german)) == []
    [fault] = text_faults(translated({**german, first: "Geschlecht"}), "de")
    assert (fault.code, fault.language, fault.fault) == (first, "de", GROUP)
