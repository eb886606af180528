"""Edits say what they do, refuse what makes no sense, and survive their file."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrutable.binning.edits import BinEdit, read_edits
from scrutable.errors import InputError
from scrutable_review import dump_review, read_review, write_review

AWKWARD = [
    '"',
    "'",
    "]",
    "[[edit]]",
    "a\nb",
    "\r\n\t",
    "\\",
    "収入",
    "\x7f\x01",
    "",
    " ",
    "é = 1",
    '"""',
    "#",
    "\u2028",
]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"action": "cut", "at": 25}, "cut added at 25"),
        ({"action": "merge", "at": 2.5}, "cut at 2.5 dropped"),
        ({"action": "merge", "values": ["a", "b", "c"]}, "'a', 'b' and 'c' merged"),
        ({"action": "move", "at": 25, "to": 27}, "cut at 25 moved to 27"),
        ({"action": "cuts", "cuts": [1, 2.5]}, "cuts at 1, 2.5"),
        ({"action": "cuts", "cuts": []}, "no cuts"),
        ({"action": "split", "values": [3]}, "3 split off"),
        ({"action": "merges", "groups": [["a", "b"], ["c"]]}, "groups ['a', 'b'], ['c']"),
        ({"action": "trend", "trend": "ascending", "cuts": [7]}, "ascending; cuts at 7"),
        ({"action": "trend", "trend": "none"}, "none"),
        ({"action": "missing", "policy": "with", "bin": "a"}, "with the bin of 'a'"),
        ({"action": "special", "policy": "worst", "codes": [-9, -8]}, "-9 and -8: worst"),
        ({"action": "start", "cuts": [7], "trend": "descending"}, "descending; cuts at 7"),
    ],
)
def test_an_edit_in_words_and_as_plain_values(fields: dict[str, Any], words: str) -> None:
    edit = BinEdit(feature="x", **fields)
    assert edit.detail == words
    assert BinEdit.of(edit.to_dict()) == edit
    assert tomllib.loads(dump_review([edit]))["edit"] == [edit.to_dict()]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"action": "cutt", "at": 1}, r"column 'x': unknown action; got 'cutt'.*did you mean 'cut'"),
        ({"action": "cut"}, r"cut, column 'x': the action needs a field; got \[\]; allowed: at\. Fix: give at"),
        ({"action": "merge"}, r"needs one of these fields; got \[\]; allowed: at or values"),
        ({"action": "merge", "at": 1, "values": [1]}, r"needs one of these fields; got \['at', 'values'\]"),
        (
            {"action": "cut", "at": 1, "to": 2},
            r"the action has no such field; got 'to'; allowed: at\. Fix: leave to out",
        ),
        ({"action": "cut", "at": "1"}, r"expected a number; got '1'; allowed: a finite number"),
        ({"action": "cut", "at": float("inf")}, "expected a number; got inf"),
        ({"action": "cut", "at": True}, "expected a number; got True"),
        ({"action": "cuts", "cuts": [2, 1]}, r"cuts must rise and be finite; got \[2\.0, 1\.0\]"),
        ({"action": "cuts", "cuts": "12"}, "expected a list; got '12'"),
        ({"action": "split", "values": []}, r"the list cannot be used; got \[\]; allowed: at least one, and each once"),
        ({"action": "split", "values": ["a", "a"]}, r"the list cannot be used; got \['a', 'a'\]"),
        ({"action": "merges", "groups": [["a"], ["a"]]}, "the value is in two groups; got 'a'"),
        ({"action": "trend", "trend": "up"}, "unknown trend; got 'up'; allowed: 'ascending', 'descending', 'none'"),
        ({"action": "missing", "policy": "best"}, "unknown policy; got 'best'; allowed: 'own', 'neutral', 'worst'"),
        ({"action": "missing", "policy": "with"}, "only the policy 'with' names a bin.*Fix: give bin"),
        ({"action": "missing", "policy": "own", "bin": 1}, "only the policy 'with' names a bin.*Fix: leave bin out"),
        ({"action": "cut", "at": 1, "why": "\x00"}, r"edit, why: text with NUL"),
        ({"action": "cut", "at": 1, "who": 3}, r"edit, who: expected text; got 3"),
    ],
)
def test_what_makes_no_sense_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        BinEdit(feature="x", **fields)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"action": "special", "policy": "own", "codes": -9},
            r"special, column 'x', codes: expected a list; got -9.*Fix",
        ),
        ({"action": "cut", "at": 10**360}, r"cut, column 'x', at: expected a number; got 10+.*finite number\. Fix"),
        ({"action": ["cut"], "at": 1}, r"column 'x': unknown action; got \['cut'\]\. Fix: did you mean 'cut'"),
        ({"action": "split", "values": 3}, "split, column 'x', values: expected a list; got 3"),
        (
            {"action": "split", "values": [["a"]]},
            r"x', values: expected a value of the column; got \['a'\]; allowed: text",
        ),
        (
            {"action": "missing", "policy": "with", "bin": [1]},
            r"column 'x', bin: expected a value of the column; got \[1\]",
        ),
        ({"action": "trend", "trend": np.array(["none", "x"])}, "column 'x': unknown trend; got "),
        ({"action": "missing", "policy": ["own"]}, r"column 'x': unknown policy; got \['own'\]"),
        ({"action": "cut", "at": np.array([1, 2])}, "column 'x', at: expected a number"),
        ({"action": "cut", "at": 1, "values": np.array([1, 2])}, "the action has no such field; got 'values'"),
    ],
)
def test_values_of_a_wrong_type_are_told_with_their_field(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        BinEdit(feature="x", **fields)


def test_arrays_are_lists_and_no_codes_are_all_codes() -> None:
    own = {"feature": "x", "action": "special", "policy": "own"}
    assert BinEdit.of({"feature": "x", "action": "cuts", "cuts": np.array([1, 2])}).cuts == (1.0, 2.0)
    split = BinEdit.of({"feature": "x", "action": "split", "values": np.array(["a", "b"])})
    assert split.values == ("a", "b")
    assert BinEdit.of({**own, "codes": None}).codes == ()
    codes = BinEdit.of({**own, "codes": np.array([-9, -8])})
    assert codes == BinEdit(feature="x", action="special", policy="own", codes=(-9, -8))
    json.dumps([split.to_dict(), codes.to_dict()])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("cut", "edits: expected a list of edits; got 'cut'"),
        ({"feature": "x"}, "expected a list of edits"),
        ([3], r"edit 1, edits: expected an edit; got 3; allowed: BinEdit\(\.\.\.\), or a mapping with feature"),
        ([{"feature": "x"}], r"edit 1, edit: a field is missing; got \['feature'\]\. Fix: add action"),
        ([{"feature": "x", "action": "cut", "att": 1}], "edit 1, edit: unknown field; got 'att'.*did you mean 'at'"),
        (
            [{"feature": "x", "action": "cut", "at": 1}, {"feature": "x", "action": "start", "cuts": []}],
            "edit 2, start, column 'x': a start comes before the feature's edits",
        ),
    ],
)
def test_lists_that_are_no_edits_are_refused(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_edits(given)


@pytest.mark.parametrize("text", AWKWARD)
def test_awkward_texts_survive_the_file(tmp_path: Path, text: str) -> None:
    edits = (
        BinEdit(feature=f"{text}x", action="split", values=(text, f"{text}2"), who=f"a{text}", why=f"because {text}"),
        BinEdit(feature=f"{text}x", action="merges", groups=((text,), (f"{text}{text}1", "z")), who="a", why="b"),
    )
    write_review(tmp_path / "review.toml", edits)
    assert read_review(tmp_path / "review.toml") == edits


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1),
    st.floats(allow_nan=False, allow_infinity=False),
)
def test_any_text_and_number_survive_the_file(text: str, at: float) -> None:
    edit = BinEdit(feature=text, action="cut", at=at, why=text)
    assert read_edits(tomllib.loads(dump_review([edit]))["edit"]) == (edit,)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("edit = 3", "expected edits; got 3; allowed: "),
        ("[[edits]]\nfeature = 'x'", r"expected edits; got \['edits'\]"),
        ("[[edit]]\nfeature = 'x'\naction = 'cut'", "review.toml', edit 1, cut, column 'x': the action needs a field"),
        ("[[edit]", "not valid TOML"),
        (
            "[[edit]]\nfeature = 'x'\naction = 'cut'\nat = 1",
            "edit 1, cut, column 'x': an edit in a file.*no who and why",
        ),
        ("[[edit]]\nfeature = 'x'\naction = 'cut'\nat = 1\nwho = ' '\nwhy = 'y'", "got 'no who'.*Fix: add who"),
        ("review = 3", r"\[review\]: not a header of a review; got 3"),
        ("[review]\nbinned = 'optimal'", r"\[review\]: not a header of a review; got \['binned'\]; allowed: binner"),
        ("[review]\nbinner = 3", r"\[review\]: not a header of a review; got \{'binner': 3\}"),
    ],
)
def test_files_of_something_else_are_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "review.toml"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        read_review(path)


def test_a_file_is_written_whole_and_never_over_another_unasked(tmp_path: Path) -> None:
    path = tmp_path / "review.toml"
    write_review(path, [])
    assert path.read_text() == ""
    assert read_review(path) == ()
    with pytest.raises(InputError, match="exists already"):
        write_review(path, [])
    write_review(path, [BinEdit(feature="x", action="cut", at=1, who="a", why="b")], overwrite=True)
    assert len(read_review(path)) == 1


def test_an_edit_of_nobody_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"edit 1, cut, column 'x': an edit in a file says who decided.*got 'no who'"):
        write_review(tmp_path / "review.toml", [BinEdit(feature="x", action="cut", at=1, why="b")])
    assert list(tmp_path.iterdir()) == []
