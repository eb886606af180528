"""Batches that are refused whole, with the rows at fault and what to do."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import FrozenMapping, Scorecard
from scrutable_documents.common.pdf import typeset
from scrutable_documents.notices.lender import example_lender, read_lender
from scrutable_documents.notices.names import file_stems
from scrutable_documents.notices.score import ScoreDisclosure

from .cards import FEATURES, helpless_trees
from .conftest import Make


def test_a_declined_applicant_without_a_reason_stops_the_batch(make: Make, card: Scorecard) -> None:
    with pytest.raises(InputError, match=r"rows 2 \(A-2\), 4 \(A-4\): 2 applicants without a reason.*near-cutoff"):
        make().export(_helpless(card))


def test_a_failed_score_without_a_key_factor_stops_the_batch(
    make: Make, card: Scorecard, applicants: pd.DataFrame
) -> None:
    own = {"name": "S", "lowest": 0, "highest": 600, "supplier": "A", "created": "2026-11-20"}
    frame = applicants.assign(
        bankrupt=1, income=0, debts=0, delinquencies=0, one=["", "x", " ", ""], bureau=[1, math.nan, 2, 3]
    )
    with pytest.raises(InputError, match=r"rows 1 \(A-1\),.* without a key factor.*near-cutoff"):
        make(applicants=frame, score=own).export(_helpless(card))
    elsewhere = own | {"column": "bureau", "factor_columns": "one"}
    says = r"rows 1 \(A-1\), 3 \(A-3\), 4 \(A-4\): 3 applicants with a score but without a key factor.*factor_columns"
    with pytest.raises(InputError, match=says):
        make(applicants=frame, score=elsewhere).export(card)


def test_the_fix_is_one_that_trees_have(make: Make) -> None:
    with pytest.raises(InputError, match=r"without a reason.*method='shapley' and near=") as refused:
        make().export(helpless_trees())
    assert "near-cutoff" not in str(refused.value)


def _helpless(card: Scorecard) -> Scorecard:
    """The card with baselines that nobody falls short of."""
    assert card.reasons is not None
    low = FrozenMapping(dict.fromkeys(FEATURES, 0.0))
    return replace(card, reasons=replace(card.reasons, baselines=low))


def test_more_reasons_than_help_stop_the_batch(make: Make, card: Scorecard) -> None:
    assert card.reasons is not None
    with pytest.raises(InputError, match=r"row 4 \(A-4\): 1 applicant with too many reasons; nothing.*k=4"):
        make().export(replace(card, reasons=replace(card.reasons, k=5)))


@pytest.mark.parametrize(
    ("column", "values", "says"),
    [
        ("id", ["a", "b", "b", "c"], "ids that repeat; got .'b'"),
        ("id", ["a", None, "b", "c"], "rows without an id; got .2"),
        ("name", ["a", " ", "b", None], r"rows 2 \(A-2\), 4 \(A-4\): 2 applicants without a name"),
    ],
)
def test_applicants_who_cannot_be_told_apart_or_addressed(
    make: Make, card: Scorecard, applicants: pd.DataFrame, column: str, values: list[Any], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        make(applicants=applicants.assign(**{column: pd.Series(values)})).export(card)


def test_scores_outside_of_the_range_and_without_a_date(make: Make, card: Scorecard, applicants: pd.DataFrame) -> None:
    score = {"name": "S", "lowest": 0, "highest": 520, "supplier": "A", "created": "2026-11-20"}
    with pytest.raises(InputError, match=r"row 2 \(A-2\): 1 applicant with a score outside of 0 to 520"):
        make(score=score).export(card)
    dated = {key: value for key, value in score.items() if key != "created"} | {"highest": 600, "created_column": "on"}
    frame = applicants.assign(on=["", "soon", "2026-11-20", "2026-11-20"])
    with pytest.raises(InputError, match=r"row 2 \(A-2\): 1 applicant whose score has no date"):
        make(score=dated, applicants=frame).export(card)


def test_a_language_that_the_model_does_not_speak(make: Make, card: Scorecard) -> None:
    with pytest.raises(UnsupportedModel, match=r"no texts in this language; got 'fr'; allowed: de, zh"):
        make(language="fr").export(card)
    with pytest.raises(UnsupportedModel, match="no reason policy"):
        make().export(replace(card, reasons=None))


def test_letters_that_would_be_boxes_are_refused_with_their_rows(
    make: Make, card: Scorecard, applicants: pd.DataFrame
) -> None:
    lost = "\U0001e030"
    frame = applicants.assign(name=["x", "x", f"Ann {lost}", "x"])
    assert make(applicants=frame, formats="docx").export(card).files
    if not typeset(f"<p>{lost}</p>").missing:
        pytest.skip("a font of this machine has even this letter")
    with pytest.raises(InputError, match=r"PDF of rows 3: letters that no installed font has.*U\+1E030"):
        make(applicants=frame, formats="pdf").export(card)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"date": "22.11.2026"}, "option date: not a date"),
        ({"formats": "pfd"}, "did you mean 'pdf'"),
        ({"formats": ("pdf", "pdf")}, "expected formats, each once"),
        ({"formats": ()}, "expected formats, each once"),
        ({"paper": "A3"}, "allowed: letter or A4"),
        ({"language": "../de"}, "not a language"),
        ({"workers": 0}, "allowed: 1 to 64"),
        ({"address": 5}, "option address: expected a text or several; got 5"),
        ({"formats": ("pdf", None)}, "option formats: expected a text or several"),
        ({"id": 5}, "option id: expected a text; got 5"),
        ({"name": "nmae"}, "no such column; got 'nmae'.*did you mean 'name'"),
    ],
)
def test_options_that_are_none(make: Make, card: Scorecard, options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        make(**options).export(card)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"nmae": "x"}, "unknown key; got 'nmae'.*did you mean 'name'"),
        ({"name": " "}, "lender: name: it must not be empty"),
        ({"name": 7}, "lender: name: expected a text; got 7"),
        ({"address": 5}, "lender: address: expected a text or several; got 5"),
        ({"address": ["x", 5]}, "lender: address: expected a text or several"),
        ({"agency": {"name": "A", "address": None}}, "lender: agency: address: expected a text or several; got None"),
        ({"agency": "CFPB"}, "lender: agency: expected a table"),
        ({"agency": {"name": "CFPB"}}, "lender: agency: a key is missing; got .*address"),
        ({"bureau": {"name": "A", "address": "B", "phone": ""}}, "lender: bureau: phone: it must not be empty"),
        ({"bureau": None, "score": {}}, "lender: score: keys are missing; got 'name, lowest, highest, supplier'"),
    ],
)
def test_lenders_that_are_incomplete(lender: dict[str, Any], changed: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_lender(lender | changed)


def test_a_score_needs_the_bureau_and_its_own_factors(make: Make, lender: dict[str, Any]) -> None:
    score = {"name": "S", "lowest": 0, "highest": 9, "supplier": "A", "created": "2026-11-20"}
    del lender["bureau"]
    with pytest.raises(InputError, match="a score is disclosed without the consumer reporting agency"):
        make(lender=lender, score=score)
    for wrong, says in (
        ({"lowest": 9}, "not a range"),
        ({"created_column": "on"}, "created on one date"),
        ({"column": "s"}, "key factors belong to their score"),
        ({"column": "s", "factor_columns": list("abcde")}, "too many key factors.*4 at most.*inquiries_column"),
        ({"inquiries_column": "q"}, "key factors belong to their score"),
        ({"column": "s", "factor_columns": 5}, "score: factor_columns: expected a text or several"),
        ({"column": 5, "factor_columns": "f"}, "score: column: expected a text; got 5"),
        ({"name": None}, "score: name: expected a text; got None"),
        ({"highest": math.inf}, "not a range"),
        ({"lowest": math.nan}, "not a range"),
        ({"lowest": -math.inf}, "not a range"),
    ):
        with pytest.raises(InputError, match=says):
            ScoreDisclosure(**score | wrong)
    alone = ScoreDisclosure(**score | {"column": "s", "factor_columns": "f1"})
    assert alone.factor_columns == ("f1",)


def test_a_broken_template_is_named_as_the_lender_knows_it(make: Make, card: Scorecard, tmp_path: Path) -> None:
    (tmp_path / "notice.html").write_text("{{ nmae }}")
    for language in (None, "de"):
        with pytest.raises(InputError, match=r"template notice\.html: the template cannot be filled"):
            make(templates=tmp_path, language=language).export(card)
    (tmp_path / "notice.de.html").write_text("{{ nmae }}")
    with pytest.raises(InputError, match=r"template notice\.de\.html: the template"):
        make(templates=tmp_path, language="de").export(card)


def test_the_example_is_a_lender_and_broken_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "lender.toml"
    path.write_text(example_lender())
    found = read_lender(path)
    assert (found.name, found.bureau is not None, found.score) == ("Example Bank", True, None)
    before, score = example_lender().split("# [score]")
    path.write_text(before + "[score]" + score.replace("\n# ", "\n"))
    scored = read_lender(path).score
    assert scored is not None
    assert (len(scored.factor_columns), scored.column, scored.inquiries_column) == (4, "bureau_score", "inquiries")
    path.write_text("name = ")
    with pytest.raises(InputError, match=r"lender\.toml': not valid TOML"):
        read_lender(path)


@given(st.lists(st.text(max_size=70), unique=True, max_size=30))
@settings(deadline=None, derandomize=True)
def test_names_of_files_are_safe_and_different_on_every_file_system(ids: list[str]) -> None:
    stems = file_stems([*ids, *(stem.removeprefix("notice-") for stem in file_stems(ids) if stem[7:] not in ids)])
    assert len({stem.casefold() for stem in stems}) == len(stems)
    assert all(
        stem.replace("-", "").replace("_", "").isascii() and "/" not in stem and "." not in stem for stem in stems
    )
    assert max(map(len, stems), default=0) < 100
