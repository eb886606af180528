"""Which texts of reasons are not fit to be sent to an applicant."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrutable.model import FrozenMapping, Scorecard, text_faults
from scrutable.model.unfit_texts import BOTH_SIDES, COLUMN, GROUP, UNTRANSLATED
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


def shaped(words: str, *points: float, own: dict[int, str] | None = None) -> Scorecard:
    """A card whose amount has these points below 10, below 20 and above, and a reason in these words."""
    model = told(words, "Time at the address")
    amount, job = model.characteristics
    attributes = [
        replace(each, points=new, reason_code=(own or {}).get(place))
        for place, (each, new) in enumerate(zip(amount.attributes, (*points, 5.0), strict=True))
    ]
    assert model.reasons is not None
    reasons = model.reasons
    if own:
        texts = {code: f"{words} {code}" for code in own.values()}
        reasons = replace(
            reasons,
            texts=FrozenMapping({**reasons.texts, **texts}),
            order=(*reasons.order, *dict.fromkeys(own.values())),
        )
    return replace(model, characteristics=(replace(amount, attributes=tuple(attributes)), job), reasons=reasons)


SIDED = [
    "Too many accounts",
    "Income insufficient for amount of credit requested",
    "Amount of credit is high",
    "Low balance",
    "Zu hoher Betrag",
    "Unzureichendes Guthaben",
    "Montant trop élevé",
    "Ingresos insuficientes",
]


@pytest.mark.parametrize("words", SIDED)
def test_no_side_is_named_where_points_rise_and_fall_again(words: str) -> None:
    assert [each.fault for each in text_faults(shaped(words, 0.0, 20.0, 10.0))] == [BOTH_SIDES]
    for points in ((0.0, 10.0, 20.0), (20.0, 10.0, 0.0), (0.0, 20.0, 16.0), (0.0, 14.0, 14.0), (20.0, 0.0, 20.0)):
        assert text_faults(shaped(words, *points)) == []  # only one side of the most points is below the baseline, 15


@pytest.mark.parametrize(
    "words", ["Number of cards", "Angaben zu Konten", "High school grades", "Amount of the loan", "Höhe des Betrags"]
)
def test_texts_that_name_no_side_fit_every_shape(words: str) -> None:
    assert text_faults(shaped(words, 0.0, 20.0, 10.0)) == []


def test_each_side_may_have_a_code_of_its_own() -> None:
    assert text_faults(shaped("Too few, or too many", 0.0, 20.0, 10.0, own={0: "few", 1: "few", 2: "many"})) == []
    both = shaped("Too many accounts", 0.0, 20.0, 10.0, own={0: "one", 1: "one", 2: "one"})
    assert [(each.code, each.fault) for each in text_faults(both)] == [("one", BOTH_SIDES)]


def test_translations_are_read_for_sides_too() -> None:
    model = shaped("Amount", 0.0, 20.0, 10.0)
    assert model.reasons is not None
    german = {code: f"Dauer {place}" for place, code in enumerate({**model.reasons.texts, **model.policy.reasons})}
    german |= {model.reasons.order[0]: "Betrag zu hoch"}
    translated = replace(
        model, reasons=replace(model.reasons, translations=FrozenMapping({"de": FrozenMapping(german)}))
    )
    assert [(each.language, each.fault) for each in text_faults(translated)] == [("de", BOTH_SIDES)]
