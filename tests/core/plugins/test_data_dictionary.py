"""The data dictionary: what it refuses, what it writes, and what a first one guesses."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrutable.data.cohort_file import groups_of
from scrutable.data.config import FileConfig, ReadingConfig
from scrutable.data.reading import read_rows
from scrutable.errors import InputError
from scrutable.plugins import DataDictionary, config_by_dictionary, first_dictionary
from scrutable.plugins.guessed_dictionary import first_dictionary_and_notes

WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8)
COLUMNS = st.fixed_dictionaries(
    {"role": st.sampled_from(["feature", "protected", "ignore"])},
    optional={
        "type": st.sampled_from(["number", "text", "date"]),
        "label": WORDS,
        "unit": WORDS,
        "range": st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=2).map(sorted),
        "special": st.lists(st.floats(-99, -1), max_size=2),
        "codes": st.dictionaries(WORDS, WORDS, max_size=2),
        "code": WORDS,
        "reason": WORDS,
        "translations": st.dictionaries(WORDS, WORDS, max_size=2),
    },
)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(columns=st.dictionaries(WORDS, COLUMNS, max_size=4), k=st.integers(1, 9), texts=st.dictionaries(WORDS, WORDS))
def test_what_is_written_reads_back(columns: dict[str, Any], k: int, texts: dict[str, str]) -> None:
    features = [name for name, each in columns.items() if each["role"] == "feature"]
    said = {"columns": columns, "must": features[:1], "never": features[1:], "reasons": {"k": k, "texts": texts}}
    dictionary = DataDictionary.of(said)
    again = DataDictionary.of(tomllib.loads(dictionary.text("Of two\nlines")))
    assert again.columns == dictionary.columns
    assert (again.must, again.never) == (dictionary.must, dictionary.never)
    assert again.reasons["k"] == k
    assert again.reasons.get("texts", {}) == texts


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({"column": {}}, "unknown option; got 'column'; allowed: did you mean 'columns'"),
        ({"columns": {"a": {"role": "featur"}}}, "a value of the wrong type; got 'featur'"),
        ({"columns": {"a": {"role": "outcome"}, "b": {"role": "outcome"}}}, "two columns are the outcome"),
        ({"columns": {"a": {}}, "must": ["a"], "never": ["a"]}, "has to be kept and may not be read; got 'a'"),
        ({"columns": {"age": {}}, "must": ["aeg"]}, "no such column; got 'aeg'; allowed: did you mean 'age'"),
        ({"columns": {"a": {"role": "weight"}}, "never": ["a"]}, "a column of another role"),
        ({"columns": {"a": {"favourable": "yes"}}}, "only the outcome has a favourable class"),
        ({"columns": {"a": {"reference": "f"}}}, "only a protected attribute has a reference"),
        ({"columns": {"a": {"range": [2, 1]}}}, "not a range"),
        ({"columns": {"a": {"role": "protected", "change": "none"}}}, "only a feature may be said to change"),
        ({"columns": {"a": {"change": "never"}}}, "got 'never'; allowed: 'any' or 'up' or 'down' or 'none'"),
        ({"reasons": {"texts": {"CASH": ["a"]}}}, "reasons, texts, 'CASH': a value of the wrong type"),
        ({"reasons": {"translations": {"de": {"CASH": 1}}}}, "reasons, translations, de, 'CASH': a value of the wrong"),
    ],
)
def test_what_contradicts_itself_is_refused(said: dict[str, Any], error: str) -> None:
    with pytest.raises(InputError, match=error):
        DataDictionary.of(said)


def test_what_no_file_can_be_read_by_is_refused() -> None:
    with pytest.raises(InputError, match=r"data dictionary, file, header: lines are counted from 1; got 0"):
        DataDictionary.of({"file": {"header": 0}})
    with pytest.raises(InputError, match=r"option 'file'.*got 'sheets'.*did you mean 'sheet'"):
        DataDictionary.of({"file": {"sheets": "Loans"}})


def test_groups_of_numbers_are_cut_where_a_dictionary_says(tmp_path: Path) -> None:
    path = tmp_path / "loans.csv"
    path.write_text("age,paid\n" + "".join(f"{18 + row},yes\n{18 + row},no\n" * 4 for row in range(40)))
    said = {"age": {"role": "protected", "cuts": [26, 40], "reference": ">= 40"}, "paid": {"role": "outcome"}}
    known = DataDictionary.of({"columns": said})
    assert DataDictionary.of(tomllib.loads(known.text())) == known
    config = config_by_dictionary(known, path)
    groups = groups_of(read_rows(path, config), config)
    assert groups is not None
    assert (groups["age"].labels, groups["age"].reference) == (("< 26", "26 to 39", ">= 40"), ">= 40")
    for wrong in ({"role": "protected", "cuts": [40, 26]}, {"cuts": [26]}):
        with pytest.raises(InputError, match="'age': only a protected attribute has cuts, at numbers that grow"):
            DataDictionary.of({"columns": {"age": wrong}})


def test_how_a_file_is_written_reads_back_and_reads_the_file(tmp_path: Path) -> None:
    path = tmp_path / "loans.csv"
    path.write_text("made by hand\nincome;paid\n" + "1.234,5;yes\nk.A.;no\n" * 40)
    told = ReadingConfig(decimal=",", header=2, missing=("k.A.",))
    first = first_dictionary(path, told, target="paid")
    assert first.file == FileConfig(decimal=",", header=2, missing=("k.A.",))
    assert DataDictionary.of(tomllib.loads(first.text())) == first
    config = config_by_dictionary(first, path, missing=("?",))
    assert (config.decimal, config.header, config.missing) == (",", 2, ("?", "k.A."))
    assert read_rows(path, config)["income"].dropna().unique().tolist() == [1234.5]


def test_reasons_by_column_and_by_code_are_one() -> None:
    column = {"code": "CASH", "reason": "Balances", "translations": {"de": "Guthaben"}}
    said = {"columns": {"savings": column, "checking": {"code": "CASH"}}, "reasons": {"k": 3, "texts": {"X": "Other"}}}
    assert DataDictionary.of(said).reason_options(["savings", "checking"]) == {
        "k": 3,
        "codes": {"savings": "CASH", "checking": "CASH"},
        "texts": {"X": "Other", "CASH": "Balances"},
        "translations": {"de": {"CASH": "Guthaben"}},
    }
    twice = {"columns": {"savings": column}, "reasons": {"texts": {"CASH": "Money"}}}
    with pytest.raises(InputError, match="a code has two texts"):
        DataDictionary.of(twice).reason_options(["savings"])
    with pytest.raises(InputError, match="a reason without a code"):
        DataDictionary.of({"columns": {"savings": {"reason": "Balances"}}}).reason_options(["savings"])


def _people(n: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    income = rng.integers(1_000, 9_000, n).astype(float)
    income[0] = 123_456.0  # one person's
    return pd.DataFrame(
        {
            "loanId": [f"L{i}" for i in range(n)],
            "issued": pd.date_range("2024-01-01", periods=n).strftime("%Y-%m-%d"),
            "closed": pd.date_range("2025-01-01", periods=n).strftime("%Y-%m-%d"),
            "income": income,
            "score": np.where(rng.random(n) < 0.3, -999, rng.integers(300, 800, n)),
            "Gender": rng.choice(["f", "m"], n),
            "sample_weight": rng.random(n) + 0.5,
            "home": rng.choice(["own", "rent"], n),
            "always": 1,
            "status": rng.choice(["good", "bad"], n),
        }
    )


def test_the_dictionary_of_the_page_is_one() -> None:
    page = (Path(__file__).parents[3] / "docs" / "data.md").read_text()
    [text] = re.findall(r"```toml\n(.*?)```", page, re.S)
    assert DataDictionary.of(tomllib.loads(text)).never == ("postcode",)


def test_a_first_dictionary_guesses_roles() -> None:
    roles = {name: each.role for name, each in first_dictionary(_people()).columns.items()}
    assert roles == {
        "loanId": "identifier",
        "issued": "date",
        "closed": "ignore",
        "income": "feature",
        "score": "feature",
        "Gender": "protected",
        "sample_weight": "weight",
        "home": "feature",
        "always": "ignore",
        "status": "outcome",
    }


def test_a_first_dictionary_tells_of_no_single_person() -> None:
    first = first_dictionary(_people())
    assert "123" not in first.text()
    assert first.columns["score"].special == (-999.0,)
    income = first.columns["income"].range
    assert income is not None
    assert income[1] <= 9_000
    assert first_dictionary(_people(8)).columns["income"].range is None


def test_labels_of_a_file_are_taken_over(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    path = tmp_path / "l.dta"
    labels = {"column_labels": {"home": "Housing"}, "variable_value_labels": {"home": {1: "own", 2: "rent"}}}
    pyreadstat.write_dta(pd.DataFrame({"home": [1, 2] * 9, "age": [20, 30] * 9}), str(path), **labels)
    with pytest.warns(UserWarning, match="codes of columns have labels"):
        column = first_dictionary(path).columns["home"]
    assert (column.label, dict(column.codes)) == ("Housing", {"1": "own", "2": "rent"})


def test_a_first_dictionary_of_numbers_without_bounds() -> None:
    frame = pd.DataFrame({"ratio": [np.inf, -np.inf, *range(40)], "loan_id": range(42)})
    first = first_dictionary(frame)
    assert {name: each.role for name, each in first.columns.items()} == {"ratio": "feature", "loan_id": "identifier"}
    assert first.columns["ratio"].range == (4.0, 35.0)


def test_a_first_dictionary_has_a_line_for_the_good_class_to_be_uncommented() -> None:
    frame = pd.DataFrame({"age": range(60), "bad": [0, 0, 1] * 20, "job": ["a", "b", "c"] * 20})
    first, notes = first_dictionary_and_notes(frame)
    assert first.columns["bad"].role == "outcome"
    text = first.text("", notes)
    assert "\n# favourable = 0\n" in text
    assert "good for the applicant, 0 or 1" in text
    assert DataDictionary.of(tomllib.loads(text)) == first
    said = DataDictionary.of(tomllib.loads(text.replace("# favourable", "favourable")))
    assert said.columns["bad"].favourable == 0
    assert first_dictionary_and_notes(frame, target="bad", favourable="0")[1] == {}


@pytest.mark.parametrize(
    ("outcome", "line"),
    [
        (["paid", "default"] * 30, '"paid"'),
        (["approved", "denied"] * 30, '"approved"'),
        ([1, 1, 0] * 20, "1"),
        ([True, False, False] * 20, "false"),
        ([1, 2, 3] * 20, None),
        ([0] * 59 + [1], None),  # a single person
        (list(pd.to_datetime(["2019-01-01", "2020-01-01"] * 30)), None),
    ],
)
def test_the_class_that_is_proposed(outcome: list[Any], line: str | None) -> None:
    frame = pd.DataFrame({"age": range(60), "y": pd.Series(outcome)})
    note = first_dictionary_and_notes(frame, target="y")[1].get("y")
    assert (note and note.rpartition("favourable = ")[2]) == line


def test_a_code_of_several_columns_is_guessed_for_all_that_hold_it() -> None:
    age = [float(21 + at % 40) for at in range(100)]
    frame = pd.DataFrame({"a": [-9.0] * 20 + age, "b": [-9.0] * 20 + age, "c": [-9.0, *age, *age[:19]]})
    frame["few"] = [999.0] * 4 + [*age, *age[:16]]
    frame["debt"] = [-9.0, -20.0, *age, *age[:18]]
    first = first_dictionary(frame)
    assert {name: each.special for name, each in first.columns.items()} == {
        **dict.fromkeys("abc", (-9.0,)),
        **dict.fromkeys(("few", "debt"), ()),
    }
    assert first.columns["c"].range[0] >= 21


def test_a_first_dictionary_comments_on_columns_that_tell_nothing_more() -> None:
    from scrutable.plugins.guessed_dictionary import first_dictionary_and_notes

    frame = pd.DataFrame({"term": [1, 2, 3, 1] * 10, "branch": ["a"] * 40, "bad": [0, 1] * 20})
    frame = frame.assign(duration=frame["term"], code=frame["term"].map({1: "x", 2: "y", 3: "z"}), Alter=[30, 40] * 20)
    first, notes = first_dictionary_and_notes(frame, target="bad", favourable="0")
    assert first.columns["Alter"].role == "protected"
    assert first.columns["branch"].role == "ignore"
    assert "one value" in notes["branch"]
    assert all('repeats column "term"' in notes[name] for name in ("duration", "code"))
    assert "term" not in notes
    assert "one value" in first.text("", notes)
