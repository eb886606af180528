"""The sheets that people read: "Scorecard", whose cells the formulas look up, and "About"."""

from __future__ import annotations

from typing import Any

from scrutable.model import RegressionScorecard, Scorecard, describe_all, fingerprint
from scrutable_excel.card import (
    ATTRIBUTE,
    BASE,
    BELOW,
    CODE,
    CODE_PLACE,
    CUTOFF,
    FROM,
    INTERCEPT,
    LINE,
    POINTS,
    SHORT,
    SLOPE,
    STRENGTH,
    TITLE,
    VALUE,
    AttributeRow,
    Card,
    CardModel,
    CharacteristicRows,
)
from scrutable_excel.cell_formats import Looks
from scrutable_excel.cells import Exact, words
from scrutable_excel.domain import EXCLUDED

_WIDTHS = {TITLE: 26, LINE: 10, ATTRIBUTE: 34, FROM: 14, BELOW: 14, VALUE: 18, POINTS: 10}
_REASON_WIDTHS = {SHORT: 12, CODE: 14, CODE_PLACE: 10, STRENGTH: 10}
_HEADERS = {
    TITLE: "Characteristic",
    LINE: "Line",
    ATTRIBUTE: "Attribute",
    FROM: "From",
    BELOW: "Below",
    VALUE: "Value",
    POINTS: "Points",
}
_REASON_HEADERS = {SHORT: "Points below baseline", CODE: "Reason code", CODE_PLACE: "Code no.", STRENGTH: "Strength"}


def write(sheet: Any, card: Card, looks: Looks) -> None:
    """Write the sheet "Scorecard"."""
    model = card.model
    reasons = card.reasons is not None
    sheet.write_string(0, 0, words(f"Scorecard for {model.outcome.target}"), looks["title"])
    sheet.write_string(
        1, 0, "The sheet Score looks its points up here; a change here changes every score.", looks["hint"]
    )
    for column, width in {**_WIDTHS, **(_REASON_WIDTHS if reasons else {})}.items():
        sheet.set_column(column, column, width)
    _constants(sheet, card, looks)
    _header(sheet, card.header, {**_HEADERS, **(_REASON_HEADERS if reasons else {})}, looks)
    for block in card.blocks:
        _block(sheet, block, card, looks)
    if card.strengths:
        _strengths(sheet, card, looks)
    if card.policy.knock_outs:
        _knock_outs(sheet, card, looks)
    if card.limits:
        _limits(sheet, card, looks)
    sheet.freeze_panes(card.header + 1, 1)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)


def write_about(sheet: Any, model: CardModel, looks: Looks) -> None:
    """Write the sheet "About"."""
    told = [
        ("Target", model.outcome.target),
        *_purpose(model),
        ("Model fingerprint", f"SHA-256 {fingerprint(model)}"),
        ("Learner", model.provenance.learner or "not recorded"),
        ("Baselines", _baselines(model) if isinstance(model, Scorecard) else ""),
        ("Missing values", "an empty cell is missing"),
        ("Other kinds", "a text in a column of numbers, or a number in one of texts, gives #N/A and no score"),
        ("Texts", "compared character by character: case, blanks and accents count"),
        ("Outside of the domain", EXCLUDED),
        ("Proven with", "LibreOffice; Excel 2010 and newer have the same functions, but were not run"),
    ]
    sheet.set_column(0, 0, 24)
    sheet.set_column(1, 1, 90)
    sheet.write_string(0, 0, "About this workbook", looks["title"])
    for row, (key, text) in enumerate((pair for pair in told if pair[1]), 2):
        sheet.write_string(row, 0, key, looks["key"])
        sheet.write_string(row, 1, words(text), looks["prose"])
    sheet.fit_to_pages(1, 0)


def _purpose(model: CardModel) -> list[tuple[str, str]]:
    """What the model is for."""
    if isinstance(model, RegressionScorecard):
        return [("Unit", model.outcome.unit), ("Score", "the prediction itself; nothing is decided")]
    outcome = model.outcome
    return [
        ("Classes", ", ".join(map(str, outcome.classes))),
        ("Favourable class", str(outcome.favourable)),
        ("Decision", f"approved where the score is at least {model.cutoff!r} and no knock-out applies"),
    ]


def _baselines(model: Scorecard) -> str:
    policy = model.reasons
    return "" if policy is None else f"{policy.method}; population: {policy.population or 'not recorded'}"


def _constants(sheet: Any, card: Card, looks: Looks) -> None:
    rows = {BASE: ("Base points", card.model.base_points, "added to the points of every applicant")}
    if card.deciding is not None:
        rows |= _constants_of_decision(card.deciding)
    for row, (key, value, meaning) in rows.items():
        sheet.write_string(row, TITLE, key, looks["key"])
        sheet.write_number(row, 1, Exact(value))
        sheet.write_string(row, ATTRIBUTE, meaning, looks["hint"])


def _constants_of_decision(model: Scorecard) -> dict[int, tuple[str, float, str]]:
    z = "intercept + slope × score"
    told = "1 / (1 + exp(-z)) with z between -36 and 36" if model.calibration.link == "logit" else "z between 0 and 1"
    return {
        CUTOFF: ("Cutoff", model.cutoff, "approved from this score on, where no knock-out applies"),
        INTERCEPT: ("Intercept", model.calibration.intercept, f"the probability is {told}, z = {z}"),
        SLOPE: ("Slope", model.calibration.slope, "of the score in z"),
    }


def _block(sheet: Any, block: CharacteristicRows, card: Card, looks: Looks) -> None:
    for number, line in enumerate(block.lines, 1):
        prefix = "first " if number == 1 else ""
        plain, points, texts = looks["first"] if prefix else None, looks[f"{prefix}points"], looks[f"{prefix}value"]
        row = block.row(number)
        sheet.write_string(row, TITLE, words(block.feature.title) if prefix else "", plain)
        sheet.write_number(row, LINE, number, plain)
        sheet.write_string(row, ATTRIBUTE, words(line.title), plain)
        for column, value in ((FROM, line.lower), (BELOW, line.upper), (VALUE, line.value)):
            _value(sheet, row, column, value, texts if isinstance(value, str) else plain)
        sheet.write_number(row, POINTS, Exact(line.attribute.points), points)
        if card.reasons is not None:
            _reason(sheet, row, line, card, plain, looks[f"{prefix}short"])


def _reason(sheet: Any, row: int, line: AttributeRow, card: Card, plain: Any, short: Any) -> None:
    policy = card.reasons
    assert policy is not None
    _value(sheet, row, SHORT, line.short, short)
    _value(sheet, row, CODE, policy.order[line.code_place - 1], plain)
    _value(sheet, row, CODE_PLACE, float(line.code_place), plain)
    sheet.write_number(row, STRENGTH, card.strength(line), plain)


def _strengths(sheet: Any, card: Card, looks: Looks) -> None:
    policy = card.reasons
    assert policy is not None
    top = card.strengths_header
    sheet.write_string(
        top - 1, TITLE, "Reasons, the weakest first; an applicant's strongest are stated", looks["section"]
    )
    _header(
        sheet, top, {TITLE: "Reason code", LINE: "Strength", ATTRIBUTE: "Reason", SHORT: "Points below baseline"}, looks
    )
    for place, strength in enumerate(card.strengths, 1):
        sheet.write_string(top + place, TITLE, strength.code)
        sheet.write_number(top + place, LINE, place)
        sheet.write_string(top + place, ATTRIBUTE, words(policy.texts[strength.code]))
        sheet.write_number(top + place, SHORT, Exact(strength.short), looks["short"])


def _knock_outs(sheet: Any, card: Card, looks: Looks) -> None:
    features = {feature.name: feature for feature in card.model.features}
    top = card.knock_outs_header
    sheet.write_string(top - 1, TITLE, "Knock-outs, in order; the first that applies declines", looks["section"])
    _header(sheet, top, {TITLE: "Code", LINE: "No.", ATTRIBUTE: "Reason", FROM: "When"}, looks)
    for place, rule in enumerate(card.policy.knock_outs, 1):
        sheet.write_string(top + place, TITLE, rule.code)
        sheet.write_number(top + place, LINE, place)
        sheet.write_string(top + place, ATTRIBUTE, words(rule.reason))
        sheet.write_string(top + place, FROM, words(describe_all(rule.when, features)))


def _limits(sheet: Any, card: Card, looks: Looks) -> None:
    top = card.limits_header
    sheet.write_string(top - 1, TITLE, "What the knock-outs compare with", looks["section"])
    _header(sheet, top, {TITLE: "Limit", VALUE: "Value"}, looks)
    for (told, value), place in card.limits.items():
        sheet.write_string(top + 1 + place, TITLE, words(told))
        _value(sheet, top + 1 + place, VALUE, value, looks["value"] if isinstance(value, str) else None)


def _header(sheet: Any, row: int, titles: dict[int, str], looks: Looks) -> None:
    for column, title in titles.items():
        sheet.write_string(row, column, title, looks["header"])


def _value(sheet: Any, row: int, column: int, value: float | str | None, look: Any) -> None:
    if value is None:
        sheet.write_blank(row, column, None, look)
    elif isinstance(value, str):
        sheet.write_string(row, column, value, look)
    else:
        sheet.write_number(row, column, Exact(value), look)
