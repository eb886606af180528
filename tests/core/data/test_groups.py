"""Groups from every container, their labels and references, and the errors for what cannot be used."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError, KindError
from scrutable.fairness import Groups, ProtectedAttribute, SmallGroupWarning

SEX = ["m", "f", None, "m", "é", ""]


def groups_of(data: object, **options: Any) -> Groups:
    return Groups.from_frame(data, min_group_size=0, **options)


@pytest.mark.parametrize(
    "data",
    [
        {"sex": SEX},
        {"sex": np.array(SEX, dtype=object)},
        {"sex": pl.Series(SEX)},
        pd.DataFrame({"sex": SEX}),
        pd.DataFrame({"sex": pd.Series(SEX, dtype="category")}),
        pd.DataFrame({"sex": pd.Series(SEX, dtype=object)}),
        pl.DataFrame({"sex": SEX}),
        pl.DataFrame({"sex": pl.Series(SEX, dtype=pl.Categorical)}),
        pa.table({"sex": SEX}),
        pa.table({"sex": pa.array(SEX).dictionary_encode()}),
        pd.Series(SEX, name="sex"),
        pl.Series("sex", SEX),
    ],
    ids=lambda data: type(data).__module__.split(".")[0],
)
def test_every_container_gives_the_same_groups(data: object) -> None:
    groups = groups_of(data)
    assert groups.names == ("sex",)
    assert groups["sex"].labels == ("", "f", "m", "é", "(missing)")
    assert groups["sex"].reference == "m"
    assert groups.labels_of("sex").tolist() == ["m", "f", "(missing)", "m", "é", ""]
    assert groups["sex"].sizes == {"": 1, "f": 1, "m": 2, "é": 1, "(missing)": 1}


@pytest.mark.parametrize(
    "data", [["a", "b"], ("a", "b"), np.array(["a", "b"]), pd.Series(["a", "b"]), pa.chunked_array([["a"], ["b"]])]
)
def test_a_nameless_column_is_called_group(data: object) -> None:
    assert groups_of(data).names == ("group",)


@pytest.mark.parametrize(
    "column",
    [
        [1.0, 2.0, None, 10.0],
        np.array([1, 2, np.nan, 10]),
        pd.Series([1, 2, None, 10], dtype="Int64"),
        pl.Series([1.0, 2.0, float("nan"), 10.0]),
        pd.Series([1, 2, None, 10], dtype="category"),
    ],
)
def test_numbers_are_labelled_without_their_point_and_in_ascending_order(column: object) -> None:
    attribute = groups_of({"area": column}, reference={"area": 10.0})["area"]
    assert attribute.labels == ("1", "2", "10", "(missing)")
    assert attribute.reference == "10"


def test_booleans_are_zero_and_one() -> None:
    attribute = groups_of({"foreign": [True, False, None]}, reference={"foreign": False})["foreign"]
    assert attribute.labels == ("0", "1", "(missing)")
    assert attribute.reference == "0"


def test_given_cuts_make_half_open_bins_with_readable_labels() -> None:
    groups = groups_of({"age": [25, 26, 39, 40, 41, np.nan]}, bins={"age": [26, 40, 41]})
    assert groups["age"].labels == ("< 26", "26 to 39", "40", ">= 41", "(missing)")
    assert groups.labels_of("age").tolist() == ["< 26", "26 to 39", "26 to 39", "40", ">= 41", "(missing)"]


def test_fractional_numbers_get_labels_that_do_not_pretend_to_be_whole() -> None:
    groups = groups_of({"age": [25.5, 26.0, 39.5, 40.0]}, bins={"age": [26, 40]})
    assert groups["age"].labels == ("< 26", "26 to < 40", ">= 40")


def test_many_numbers_are_cut_at_their_quartiles() -> None:
    groups = groups_of({"age": list(range(1, 13))})
    assert groups["age"].labels == ("< 3", "3 to 5", "6 to 8", ">= 9")
    assert list(groups["age"].sizes.values()) == [2, 3, 3, 4]


def test_quartiles_that_coincide_with_the_minimum_still_leave_two_groups() -> None:
    groups = groups_of({"dependants": [0] * 90 + list(range(1, 13))})
    assert groups["dependants"].labels == ("< 1", ">= 1")


def test_categories_declared_over_numbers_are_not_binned() -> None:
    groups = groups_of({"region": pd.Series(range(12), dtype="category")})
    assert groups["region"].labels == tuple(map(str, range(12)))


@given(st.lists(st.one_of(st.none(), st.floats(allow_nan=True)), min_size=2, max_size=60))
@settings(deadline=None, derandomize=True, max_examples=150)
def test_every_number_lands_in_the_bin_whose_label_holds_it(values: list[float | None]) -> None:
    cuts = [-1.5, 0.0, 7.0]
    expected = []
    for value in values:
        if value is None or np.isnan(value):
            expected.append("(missing)")
        else:
            expected.append(["< -1.5", "-1.5 to < 0", "0 to < 7", ">= 7"][sum(value >= cut for cut in cuts)])
    data = {"x": np.array(values, dtype=float)}
    if len(set(expected)) == 1:
        with pytest.raises((InputError, KindError)):
            groups_of(data, bins={"x": cuts})
    else:
        assert groups_of(data, bins={"x": cuts}).labels_of("x").tolist() == expected


def test_the_default_reference_is_the_largest_known_group_and_the_first_of_equals() -> None:
    assert groups_of(["b", "a", "b", "a", "c"])["group"].reference == "a"
    assert groups_of(["a", None, None])["group"].reference == "a"
    assert groups_of(["a", None, None], reference={"group": "(missing)"})["group"].reference == "(missing)"


def test_intersections_hold_the_combinations_that_occur() -> None:
    data = {"sex": ["f", "m", "m", "m"], "age": [20, 20, 50, 50]}
    groups = groups_of(data, bins={"age": [40]}, intersections=[("sex", "age")], reference={"sex & age": "f & < 40"})
    assert groups.names == ("sex", "age", "sex & age")
    assert groups["sex & age"].labels == ("f & < 40", "m & < 40", "m & >= 40")
    assert groups["sex & age"].reference == "f & < 40"
    assert groups.labels_of("sex & age").tolist() == ["f & < 40", "m & < 40", "m & >= 40", "m & >= 40"]


def test_an_intersection_with_an_unknown_part_is_unknown() -> None:
    groups = groups_of({"sex": ["f", "m", None, None], "age": [20, None, 20, None]}, intersections=[("sex", "age")])
    assert groups["sex & age"].labels == ("f & 20", "(missing)")
    assert groups.labels_of("sex & age").tolist() == ["f & 20", "(missing)", "(missing)", "(missing)"]


def test_intersections_have_as_many_groups_as_attributes_may_have() -> None:
    values = [f"{i:02}" for i in range(15)]
    data = {"a": np.repeat(values, 15), "b": np.tile(values, 15)}
    with pytest.raises(InputError, match="'a & b': too many groups; got '225 distinct values'"):
        groups_of(data, intersections=[("a", "b")])


def test_known_labels_are_the_same_as_probabilities_of_zero_and_one() -> None:
    hard = groups_of({"sex": ["f", "m", "m"]})["sex"]
    soft = Groups.from_probabilities({"sex": {"m": [0, 1, 1], "f": [1, 0, 0]}}, min_group_size=0)["sex"]
    assert (hard.labels, hard.reference, hard.hard) == (soft.labels, soft.reference, soft.hard)
    np.testing.assert_array_equal(hard.membership, soft.membership)


def test_probabilities_count_as_expected_rows() -> None:
    frame = pl.DataFrame({"b": [0.3, 1.0], "a": [0.7, 0.0]})
    attribute = Groups.from_probabilities({"race": frame}, min_group_size=0)["race"]
    assert attribute.labels == ("a", "b")
    assert attribute.reference == "b"
    assert attribute.sizes == pytest.approx({"a": 0.7, "b": 1.3})
    assert not attribute.hard
    assert Groups((attribute,)).labels_of("race").tolist() == ["a", "b"]


def test_known_and_probable_attributes_can_be_joined() -> None:
    known = groups_of({"sex": ["f", "m"]})
    probable = Groups.from_probabilities({"race": {"a": [0.5, 0.5], "b": [0.5, 0.5]}}, min_group_size=0)
    assert Groups(known.attributes + probable.attributes).names == ("sex", "race")
    with pytest.raises(InputError, match=r"two protected attributes share a name; got \['sex', 'sex'\]"):
        Groups(known.attributes * 2)


@pytest.mark.parametrize("rows", [np.array([True, False, True]), [0, 2], np.array([0, 2])])
def test_a_subset_keeps_labels_and_reference(rows: object) -> None:
    part = groups_of(["a", "b", "a"], reference={"group": "b"}).subset(rows)
    assert part.rows == 2
    assert (part["group"].labels, part["group"].reference) == (("a", "b"), "b")
    assert part["group"].sizes == {"a": 2, "b": 0}


def test_membership_cannot_be_changed_afterwards() -> None:
    given_by_caller = np.array([[1.0, 0.0], [0.0, 1.0]])
    attribute = ProtectedAttribute("sex", ("f", "m"), "m", given_by_caller)
    given_by_caller[0] = 0.5
    assert attribute.membership[0, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        attribute.membership[0, 0] = 0.5


def test_small_groups_are_warned_of_once_a_call_with_their_sizes() -> None:
    with pytest.warns(SmallGroupWarning) as caught:
        Groups.from_frame({"sex": ["f"] * 5 + ["m"] * 40, "age": [20] * 29 + [50] * 16}, expected_rows=45)
    [warning] = caught
    assert "'f' of 'sex' has 5 rows; '20' of 'age' has 29 rows; '50' of 'age' has 16 rows" in str(warning.message)
    assert "groups smaller than 30" in str(warning.message)
    assert warning.filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Groups.from_frame(["a"] * 30 + ["b"] * 30)


def test_groups_that_are_already_made_pass_through_and_take_no_options() -> None:
    made = groups_of(["a", "b"])
    assert groups_of(made, expected_rows=2) is made
    with pytest.raises(InputError, match="got 2; allowed: 3 rows"):
        groups_of(made, expected_rows=3)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"reference": {"sex": "f"}}, "reference (a learner's reference_groups)"),
        ({"bins": {"age": [26]}}, "bins"),
        ({"intersections": [("sex", "age")]}, "intersections"),
        ({"bins": {"age": [26]}, "intersections": iter([("sex", "age")])}, "bins and intersections"),
    ],
)
def test_options_beside_groups_that_are_already_made_are_named(options: dict[str, object], named: str) -> None:
    expected = (
        rf"already made, so {re.escape(named)} can no longer be chosen.*Fix: leave .* out, and give .*Groups\.from"
    )
    with pytest.raises(InputError, match=expected) as caught:
        groups_of(groups_of(["a", "b"]), **options)
    unnamed = {"reference", "bins", "intersections"} - set(options)
    assert not any(each in str(caught.value) for each in unnamed)


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (
            {"sex": ["f", "f"]},
            {},
            r"protected attribute 'sex': there is only one group, .*got 'f'; allowed: at least two groups\. Fix: leave",
        ),
        ({"sex": [None, None]}, {}, r"'sex': there is only one group, .*got '\(missing\)'"),
        (
            {"sex": ["f", "m"]},
            {"expected_rows": 3},
            r"sensitive_features: the number of rows .* got 2; allowed: 3 rows",
        ),
        (
            {"sex": ["female", "male"]},
            {"reference": {"sex": "femal"}},
            r"'sex': the reference is not one of the groups; got 'femal'; allowed: did you mean 'female'",
        ),
        ({"sex": ["f", "m"]}, {"reference": {"sx": "f"}}, r"reference: there is no .* got 'sx'; .*mean 'sex'\?"),
        ({"sex": ["f", "m"]}, {"bins": {"age": [3]}}, r"bins: there is no .* got 'age'"),
        ({"sex": ["f", "m"]}, {"intersections": [("sex", "age")]}, r"intersections: there is no .* got 'age'"),
        ({"sex": ["f", "m"]}, {"intersections": [("sex",)]}, r"crosses two or more different .* got \('sex',\)"),
        ({"age": [1, 2]}, {"bins": {"age": [3, 2]}}, r"'age': bins are cut at increasing, finite .* got \[3, 2\]"),
        ({"age": [1, 2]}, {"bins": {"age": []}}, "bins are cut at increasing"),
        ({"age": [1, 2]}, {"bins": {"age": ["x"]}}, "bins are cut at increasing"),
        ({"age": [1, 2]}, {"bins": {"age": [float("inf")]}}, "bins are cut at increasing"),
        (
            {"id": [f"x{i}" for i in range(300)]},
            {},
            r"'id': too many groups; got '300 distinct values'; allowed: at most 200\. Fix: group the",
        ),
    ],
)
def test_errors_say_which_attribute_what_was_got_and_how_to_mend_it(
    data: object, options: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        groups_of(data, **options)


@pytest.mark.parametrize("data", [{"a": ["x", "y"], "b": ["x"]}, {}, {"a": []}, pl.LazyFrame({"a": ["x", "y"]})])
def test_containers_that_are_not_a_table_are_refused(data: object) -> None:
    with pytest.raises(InputError):
        groups_of(data)


@pytest.mark.parametrize("data", ["sex", np.zeros((2, 2)), [["f", 1], ["m", 2]], 3])
def test_values_without_column_names_are_refused(data: object) -> None:
    with pytest.raises(KindError, match=r"these are not named columns.*Fix: pass a frame with one column"):
        groups_of(data)


def test_text_cannot_be_cut_into_bins() -> None:
    with pytest.raises(KindError, match=r"'sex': only a numeric attribute can be cut into bins; got .*categorical"):
        groups_of({"sex": ["f", "m"]}, bins={"sex": [1]})


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"a": [0.5, 0.5], "b": [0.5, 0.4]}, r"'race', row 1: .*do not sum to 1; got 0\.9; .*Fix: divide each row"),
        ({"a": [1.5, 1.0], "b": [-0.5, 0.0]}, r"'race', row 0, group 'a': .*outside its range; got 1\.5"),
        ({"a": [1.0, np.nan], "b": [0.0, 1.0]}, r"'race', row 1, group 'a': .*missing .*got nan"),
        ({"a": [1.0, 1.0]}, "there is only one group"),
        ({"a": ["x", "y"], "b": [0.0, 1.0]}, r"group 'a': membership probabilities are numbers"),
    ],
)
def test_probabilities_that_are_none_are_refused(frame: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Groups.from_probabilities({"race": frame}, min_group_size=0)


def test_an_unknown_attribute_is_answered_with_the_closest_one() -> None:
    with pytest.raises(InputError, match=r"got 'sx'; allowed: did you mean 'sex'\?"):
        groups_of({"sex": ["f", "m"]}).labels_of("sx")


def test_a_hand_made_attribute_is_checked() -> None:
    with pytest.raises(InputError, match=r"two groups share a label; got \['f', 'f'\]"):
        ProtectedAttribute("sex", ("f", "f"), "f", np.eye(2))
    with pytest.raises(InputError, match=r"got 'shape \(2, 2\)'; allowed: \(rows, 3\)"):
        ProtectedAttribute("sex", ("a", "b", "c"), "a", np.eye(2))
    with pytest.raises(InputError, match="there is no protected attribute"):
        Groups(())
    with pytest.raises(InputError, match="differ in their number of rows"):
        Groups(groups_of({"a": ["x", "y"]}).attributes + groups_of({"b": ["x", "y", "y"]}).attributes)
