"""The whole page: sections, style sheet, script, and a policy that lets it run nothing else and fetch nothing."""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import jinja2
from markupsafe import Markup

from scrutable_documents.common.environment import document, environment, style_sheet
from scrutable_documents.common.sections import Section
from scrutable_documents.report import (
    about,
    cards,
    characteristics,
    disparity,
    origin,
    proof,
    reasons,
    regression,
    sample,
    selection,
    stability,
    structure,
)
from scrutable_documents.report.calculator import EXPORTER, has_calculator, modules
from scrutable_documents.report.fields import form_fields
from scrutable_documents.report.performance import measure_parts, performance
from scrutable_documents.report.script import script, words_block
from scrutable_documents.report.subject import Subject


def sections(subject: Subject, certificate: Mapping[str, Any] | None) -> list[Section]:
    """The parts of the document, in order."""
    measured = measure_parts(subject)
    every = [
        about.purpose(subject),
        about.described(subject),
        sample.data(subject),
        characteristics.characteristics(subject),
        selection.selection(subject),
        regression.regression(subject),
        cards.cards(subject),
        structure.structure(subject),
        reasons.reasons(subject),
        performance(subject, measured),
        stability.stability(subject),
        disparity.disparity(subject, measured),
        about.limits(subject),
        proof.parity(subject, certificate),
        origin.provenance(subject),
    ]
    return [section for section in every if section is not None]


def page(subject: Subject, parts: list[Section], *, calculator: bool) -> str:
    """HTML that stands alone.

    Parameters
    ----------
    calculator : whether the page has the what-if form with its scripts; a printed document has not, and where the
        exporter that writes the model's script is not here, the page says that it has none.
    """
    model, style = subject.model, _style()
    runs = calculator and has_calculator()
    scripts = [*modules(model), script()] if runs else []
    return document(
        _templates(),
        model,
        style,
        fingerprint=subject.fingerprint,
        title=subject.options.title or f"Model document: {model.outcome.target}",
        date=subject.options.date,
        sections=parts,
        calculator=runs,
        lacking=EXPORTER if calculator and not runs else "",
        fields=form_fields(model),
        policy=_policy(style, scripts),
        scripts=list(map(Markup, scripts)),
        blocks={"words": Markup(words_block(model))} if runs else {},
    )


def _policy(style: str, scripts: Sequence[str]) -> str:
    """A content security policy: this style sheet, these scripts, and nothing from anywhere."""
    rules = ["default-src 'none'", f"style-src {_source(style)}", "base-uri 'none'", "form-action 'none'"]
    if scripts:
        rules.append(f"script-src {' '.join(map(_source, scripts))}")
    return "; ".join(rules)


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@functools.cache
def _templates() -> jinja2.Environment:
    return environment(__package__)


@functools.cache
def _style() -> str:
    return style_sheet(_templates())
