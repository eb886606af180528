"""A review shows true tables, makes and undoes edits, and means the same wherever it is replayed."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.data.attribute import ProtectedAttribute
from scrutable.data.datasets import Dataset, load_german_credit, make_credit
from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.measures.numerics.counts import information_value
from scrutable_review import Review, ReviewHeader, read_review


@pytest.fixture(scope="module")
def german() -> Dataset:
    return load_german_credit()


@pytest.fixture
def review(german: Dataset) -> Review:
    return Review(german.X, german.y, binner="quantile", sensitive_features=german.sensitive_features, who="ana")


def conditions(review: Review, feature: str) -> list[str]:
    return [row.condition for row in review.table(feature).rows]


@pytest.mark.usefixtures("everybody_told")
def test_a_table_by_hand() -> None:
    x = [1.0, 1.0, 2.0, 2.0, 2.0, None]
    y = [1, 0, 1, 1, 0, 0]
    binner = create("binner", "manual", cuts={"x": [2]})
    sex = pd.DataFrame({"sex": ["f", "m", "f", "m", "m", "f"]})
    review = Review({"x": x}, y, binner=binner, sensitive_features=Groups.from_frame(sex, min_group_size=0))
    table = review.table("x").to_dict()
    assert (table["feature"], table["kind"], table["trend"]) == ("x", "numeric", None)
    assert table["observed_trend"] == "ascending"
    first, second, missing = table["attributes"]
    assert (first["lower"], first["upper"], second["lower"], second["upper"]) == (None, 2.0, 2.0, None)
    assert (first["good"], first["bad"], first["share"], first["bad_rate"]) == (1, 1, pytest.approx(1 / 3), 0.5)
    assert first["woe"] == pytest.approx(np.log((1 / 3) / (1 / 3)))
    assert second["woe"] == pytest.approx(np.log((2 / 3) / (1 / 3)))
    assert second["iv"] == pytest.approx((2 / 3 - 1 / 3) * np.log(2))
    assert missing["woe"] == pytest.approx(np.log(0.5 / 1.5)), "half a row of each is the pseudo-count of a pure bin"
    assert table["iv"] == pytest.approx(second["iv"] - 1 / 3 * missing["woe"])
    assert missing["woe"] == pytest.approx(np.log((0.5 / 3) / (1.5 / 3)))
    assert second["groups"]["sex"]["m"] == {"count": 2, "share": pytest.approx(2 / 3), "bad_rate": 0.5}
    assert missing["groups"]["sex"]["m"] == {"count": 0, "share": 0, "bad_rate": None}
    assert (table["fiv"], table["few"]) == ({}, ["sex: f", "sex: m"])
    many = Groups.from_frame(pd.concat([sex] * 10))
    table = Review({"x": x * 10}, y * 10, binner=binner, sensitive_features=many).table("x").to_dict()
    assert (table["fiv"], table["few"]) == ({"sex: m / f": None}, []), "nobody of one group is missing"


def test_every_edit_of_numbers(review: Review) -> None:
    name = "duration_months"
    review.cuts(name, [12, 24], why="usual terms")
    assert conditions(review, name)[:3] == ["< 12", "[12, 24)", ">= 24"]
    review.cut(name, 36, why="long terms")
    review.move(name, 12, 13, why="a month of grace")
    assert conditions(review, name)[:4] == ["< 13", "[13, 24)", "[24, 36)", ">= 36"]
    table = review.merge(name, 24, why="alike")
    assert [row.condition for row in table.rows][:3] == ["< 13", "[13, 36)", ">= 36"]
    assert [edit.action for edit in review.edits] == ["cuts", "cut", "move", "merge"]
    assert {edit.who for edit in review.edits} == {"ana"}


def test_every_edit_of_categories(review: Review) -> None:
    assert review.kind("housing") == "categorical"
    review.merge("housing", ["rented", "owned"], who="bob", why="a test")
    assert conditions(review, "housing")[:2] == ["'owned' or 'rented'", "'rent-free'"]
    review.split("housing", ["owned"], why="another test")
    assert set(conditions(review, "housing")[:3]) == {"'owned'", "'rented'", "'rent-free'"}
    review.merges("housing", [["rent-free", "owned"]], why="a third")
    assert conditions(review, "housing")[:2] == ["'rent-free' or 'owned'", "'rented'"]
    assert [entry.who for entry in review.audit] == ["bob", "ana", "ana"]


def test_a_trend_merges_what_goes_against_it_and_is_kept_with_its_cuts(review: Review) -> None:
    table = review.trend("duration_months", "descending", why="longer is riskier")
    rates = [row.bad_rate for row in table.rows if row.count]
    assert rates == sorted(rates, key=float)
    assert (table.trend, table.observed_trend) == ("descending", "descending")
    [edit] = review.edits
    assert edit.cuts == tuple(row.lower for row in table.rows if row.lower is not None)
    freed = review.trend("duration_months", "none", why="free again")
    assert freed.trend is None
    assert [row.condition for row in freed.rows] == [row.condition for row in table.rows]


@pytest.mark.parametrize(
    ("rates", "trend"),
    [
        ([0.2, 0.4, 0.4, 0.6], "ascending"),
        ([0.6, 0.4, 0.2, 0.2], "descending"),
        ([0.2, 0.6, 0.4, 0.4], "peak"),
        ([0.6, 0.2, 0.2, 0.4], "valley"),
        ([0.2, 0.6, 0.2, 0.6], "none"),
        ([0.4, 0.4, 0.4, 0.4], "none"),
    ],
)
def test_the_observed_trend(rates: list[float], trend: str) -> None:
    x = np.repeat(np.arange(4.0), 10)
    y = np.concatenate([np.arange(10) < 10 * rate for rate in rates]).astype(int)
    review = Review({"x": x}, y, binner=create("binner", "manual", cuts={"x": [1, 2, 3]}))
    assert review.observed_trend("x") == trend


def test_undo_and_redo(review: Review) -> None:
    before = review.table("housing")
    review.merge("housing", ["rented", "owned"], why="a")
    after = review.table("housing")
    review.cut("credit_amount", 1234.5, why="b")
    assert review.undo().feature == "credit_amount"
    assert review.undo().action == "merge"
    assert (review.can_undo, review.can_redo) == (False, True)
    assert review.table("housing") == before
    assert review.audit == ()
    assert review.redo().action == "merge"
    assert review.table("housing") == after
    review.cut("credit_amount", 999.5, why="c")
    assert not review.can_redo, "a new decision takes the place of those undone"
    with pytest.raises(InputError, match="nothing to redo"):
        review.redo()
    review.undo()
    review.undo()
    with pytest.raises(InputError, match="nothing to undo"):
        review.undo()


def test_a_preview_changes_nothing(review: Review) -> None:
    before = review.table("credit_amount")
    shown = review.preview({"feature": "credit_amount", "action": "cut", "at": 1234.5})
    assert len(shown.rows) == len(before.rows) + 1
    assert (review.table("credit_amount"), review.edits, review.audit) == (before, (), ())


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"feature": "agee", "action": "cut", "at": 1}, "cut: unknown column; got 'agee'"),
    ({"feature": "duration_months", "action": "merge", "at": 13.5}, "no such cut; got 13.5; allowed: 9, 12, .* Fix: "),
    ({"feature": "duration_months", "action": "cut", "at": 12}, "there is a cut already; got 12.0; allowed: 9, 12"),
    (
        {"feature": "duration_months", "action": "move", "at": 12, "to": 99},
        "between its neighbours; got 99.0; allowed: ",
    ),
    ({"feature": "duration_months", "action": "split", "values": [12]}, "the column is numeric; got '12 split off'"),
    ({"feature": "housing", "action": "cut", "at": 1}, "the column is categorical; got 'cut added at 1'"),
    ({"feature": "housing", "action": "trend", "trend": "ascending"}, "the column is categorical; got 'ascending'"),
    (
        {"feature": "housing", "action": "split", "values": ["owne"]},
        "not in the data; got 'owne'.*did you mean 'owned'",
    ),
    ({"feature": "housing", "action": "split", "values": ["owned"]}, "they are a group of their own already"),
    ({"feature": "housing", "action": "merge", "values": ["owned"]}, "they are in one group already"),
    ({"feature": "housing", "action": "special", "policy": "worst"}, "no such special code; got None; allowed: none"),
    ({"feature": "housing", "action": "missing", "policy": "with", "bin": "x"}, "no bin holds the value; got 'x'"),
    ({"feature": "housing", "action": "missing", "policy": "with", "bin": 3}, "no bin holds the value; got 3.0"),
    ({"feature": "housing", "action": "start", "groups": []}, "where a review starts is no decision"),
]


@pytest.mark.parametrize(("edit", "message"), REFUSED)
def test_an_edit_that_does_not_fit_is_refused_and_leaves_all_as_it_was(
    review: Review, edit: dict[str, Any], message: str
) -> None:
    review.cut("credit_amount", 1234.5, why="first")
    review.undo()
    before = {name: review.table(name) for name in review.features}
    with pytest.raises(InputError, match=message):
        review.apply(edit | {"why": "a test"})
    assert {name: review.table(name) for name in review.features} == before
    assert (review.edits, review.audit, review.can_redo) == ((), (), True)


def test_the_cuts_that_a_refusal_allows_are_told_with_every_digit() -> None:
    x = [1234567.25, 2.5e9 + 0.125, -3.0, 4.0]
    review = Review({"x": x}, [0, 1, 0, 1], binner=create("binner", "manual", cuts={"x": [0, 1234567.25]}))
    with pytest.raises(InputError, match=r"no such cut; got 1234570\.0; allowed: 0, 1234567\.25\. Fix"):
        review.merge("x", 1234570, why="a test")
    with pytest.raises(InputError, match=r"got -9\.0; allowed: above 0 and below inf\."):
        review.move("x", 1234567.25, -9, why="a test")


def test_categories_start_with_no_trend() -> None:
    edit = {"feature": "x", "action": "start", "groups": [["a"], ["b"]], "trend": "ascending"}
    binner = create("binner", "manual", edits=[edit])
    with pytest.raises(InputError, match=r"edit 1, start, column 'x': the column is categorical; got .ascending; "):
        binner.fit({"x": ["a", "b", "a", "b"]}, [0, 1, 1, 0])


@pytest.mark.parametrize("why", ["", "  \n"])
def test_a_decision_needs_a_reason(review: Review, why: str) -> None:
    with pytest.raises(InputError, match=r"cut, column 'credit_amount': an edit needs a reason.*Fix: say why"):
        review.cut("credit_amount", 1234.5, why=why)
    assert not review.can_undo


def test_tables_of_all_features_match_a_group_by(german: Dataset) -> None:
    review = Review(german.X, german.y, binner="quantile", sensitive_features=german.sensitive_features)
    frame = review.tables()
    assert frame.groupby("feature")["count"].sum().eq(1000).all()
    assert frame.groupby("feature")["share, sex: male"].sum().round(9).eq(1).all()
    housing = frame[frame["feature"] == "housing"].set_index("condition")
    rows = german.X["housing"] == "rented"
    women = german.sensitive_features["sex"] == "female"
    assert housing.loc["'rented'", "bad_rate, sex: female"] == pytest.approx((german.y[rows & women] == "bad").mean())


def test_fiv_is_the_information_value_of_the_groups_and_memberships_are_weights(german: Dataset) -> None:
    index = create("binner", "quantile", encoding="index").fit(german.X, german.y)
    place = index.transform(german.X)[:, list(german.X.columns).index("housing")]
    share = np.random.default_rng(0).random(1000)
    membership = np.column_stack([share, 1 - share])
    groups = Groups((ProtectedAttribute("race", ("a", "b"), "b", membership),))
    review = Review(german.X, german.y, binner="quantile", sensitive_features=groups)
    counts = [[share[place == p].sum() for p in range(3)], [(1 - share)[place == p].sum() for p in range(3)]]
    table = review.table("housing")
    assert table.fiv["race: a / b"] == pytest.approx(information_value(*counts))
    bad = (german.y == "bad").to_numpy()
    row = table.rows[0].groups["race"]["a"]
    assert row.bad_rate == pytest.approx(share[(place == 0) & bad].sum() / share[place == 0].sum())
    certain = Groups((ProtectedAttribute("sex", ("f", "m"), "m", np.eye(2)[np.arange(1000) % 2]),))
    labels = pd.DataFrame({"sex": np.array(["f", "m"])[np.arange(1000) % 2]})
    hard = Review(german.X, german.y, binner="quantile", sensitive_features=labels, reference_groups={"sex": "m"})
    soft = Review(german.X, german.y, binner="quantile", sensitive_features=certain)
    assert hard.table("housing") == soft.table("housing")


def test_weights_count_like_repeated_rows(german: Dataset) -> None:
    weight = np.random.default_rng(1).integers(0, 3, 1000)
    rows = german.X.index.repeat(weight)
    edits = [{"feature": "credit_amount", "action": "cuts", "cuts": [1000, 2000]}]
    weighted = Review(german.X, german.y, binner="manual", sample_weight=weight, edits=edits)
    repeated = Review(german.X.loc[rows], german.y.loc[rows], binner="manual", edits=edits)
    assert weighted.table("credit_amount") == repeated.table("credit_amount")
    assert weighted.audit == repeated.audit


def test_a_saved_review_means_the_same_on_other_rows(review: Review, german: Dataset, tmp_path: Path) -> None:
    review.merge("duration_months", 24, why="a")
    review.trend("credit_amount", "descending", why="b")
    review.merge("housing", ["rented", "rent-free"], why="c")
    review.save(tmp_path / "review.toml")
    half = german.X.iloc[::2], german.y.iloc[::2]
    there = create("binner", "optimal", edits=read_review(tmp_path / "review.toml")).fit(*half).binning_
    for name in ("duration_months", "credit_amount", "housing"):
        assert [c.describe() for c in there[name].conditions] == conditions(review, name)
    assert [entry.action for entry in there.audit] == ["start"] * 3 + ["merge", "trend", "merge"]
    other = Review(*half, binner="optimal")
    with pytest.warns(UserWarning, match="review of other bins: binner 'quantile' in the file, 'optimal' here"):
        other.load(tmp_path / "review.toml")
    assert other.edits == review.edits
    assert conditions(other, "housing") == conditions(review, "housing")
    while other.can_undo:
        other.undo()
    assert len(other.audit) == 3, "where the review started stays"


@pytest.mark.usefixtures("everybody_told")
def test_a_rare_category_that_other_rows_lack_does_not_break_a_saved_review(tmp_path: Path) -> None:
    home = ["own", "rent", "own", "rent", "boat", "own", "rent", "own"]
    y = [1, 0, 1, 1, 0, 0, 1, 0]
    review = Review({"home": home}, y, binner="manual", who="ana")
    review.merge("home", ["boat", "rent"], why="few live on boats")
    review.save(tmp_path / "review.toml")
    edits = read_review(tmp_path / "review.toml")
    kept = [place for place, value in enumerate(home) if value != "boat"]
    fitted = create("binner", "manual", edits=edits).fit({"home": [home[i] for i in kept]}, [y[i] for i in kept])
    assert "'boat' or 'rent'" in [c.describe() for c in fitted.binning_["home"].conditions]


def test_a_file_that_does_not_fit_is_refused_as_a_whole(review: Review, tmp_path: Path) -> None:
    review.cut("credit_amount", 1234.5, why="mine")
    path = tmp_path / "review.toml"
    path.write_text(
        '[[edit]]\nfeature = "credit_amount"\naction = "cut"\nat = 77.5\nwho = "a"\nwhy = "b"\n\n'
        '[[edit]]\nfeature = "housing"\naction = "split"\nvalues = ["castle"]\nwho = "a"\nwhy = "b"\n'
    )
    with pytest.raises(InputError, match="edit 2, split, column 'housing': the value is not in the data"):
        review.load(path)
    assert [edit.at for edit in review.edits] == [1234.5]


def test_the_binner_of_a_review_gives_its_tables_to_any_learner(review: Review, german: Dataset) -> None:
    review.merge("housing", ["rented", "rent-free"], why="a")
    review.missing("duration_months", "worst", why="b")
    binner = review.binner().fit(german.X, german.y, sensitive_features=german.sensitive_features)
    for name in review.features:
        assert [c.describe() for c in binner.binning_[name].conditions] == conditions(review, name)
        assert binner.binning_[name].woe.tolist() == [row.woe_used for row in review.table(name).rows]
    learner = create("learner", "scorecard", binner=review.binner(), select=None).fit(
        german.X, german.y, sensitive_features=german.sensitive_features
    )
    told = [dict(entry) for entry in learner.evidence_.binning["audit"]]
    assert [(entry["action"], entry["who"], entry["why"]) for entry in told] == [
        ("start", "", ""),
        ("start", "", ""),
        ("merge", "ana", "a"),
        ("missing", "ana", "b"),
    ]
    assert [e.to_dict() for e in binner.binning_.audit] == [entry | _plain(entry) for entry in told]


def _plain(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: dict(entry[name]) for name in ("fiv_before", "fiv_after")}


def test_the_edits_and_options_of_a_binner_come_first(german: Dataset) -> None:
    binner = create(
        "binner",
        "quantile",
        cuts={"credit_amount": [1000, 5000]},
        edits=[{"feature": "credit_amount", "action": "cut", "at": 3000}],
    )
    review = Review(german.X, german.y, binner=binner)
    review.merge("credit_amount", 5000, why="few")
    assert conditions(review, "credit_amount")[:3] == ["< 1000", "[1000, 3000)", ">= 3000"]
    assert [entry.action for entry in review.audit] == ["cuts", "cut", "merge"]
    assert binner.edits == [{"feature": "credit_amount", "action": "cut", "at": 3000}], "the caller's stays as it was"


def test_simulated_data_with_special_codes_and_missing_values() -> None:
    data = make_credit(3000, seed=3)
    codes = {"bureau_score": [-9.0]}
    review = Review(data.X, data.y, binner="quantile", favourable=data.favourable, special_codes=codes)
    special = next(row for row in review.table("bureau_score").rows if row.kind == "special")
    assert special.values == (-9.0,)
    review.special("bureau_score", "neutral", codes=[-9], why="no record is no evidence")
    review.missing("bureau_score", "own", why="they tell something")
    special = next(row for row in review.table("bureau_score").rows if row.kind == "special")
    assert (special.policy, special.woe_used) == ("neutral", 0.0)
    with pytest.raises(InputError, match=r"no such special code; got -8.0; allowed: -9.0. Fix: name the codes"):
        review.special("bureau_score", "worst", codes=[-8], why="a test")
    with pytest.raises(InputError, match="unknown column; got 'bureau'"):
        review.table("bureau")


def test_a_file_says_what_was_reviewed(german: Dataset, tmp_path: Path) -> None:
    options = {"max_bins": 5, "special_codes": {"credit_amount": [-9, -8.5]}, "categorical": ("installment_rate",)}
    made = Review(german.X, german.y, binner=create("binner", "quantile", **options), favourable="bad", who="ana")
    made.save(tmp_path / "review.toml")
    assert tomllib.loads((tmp_path / "review.toml").read_text()) == {
        "review": {
            "binner": "quantile",
            "favourable": "bad",
            "options": {
                "max_bins": 5,
                "special_codes": {"credit_amount": [-9, -8.5]},
                "categorical": ["installment_rate"],
            },
        }
    }
    again = Review(german.X, german.y, binner=create("binner", "quantile", **options), favourable="bad")
    again.load(tmp_path / "review.toml")
    told = (
        "max_bins 5 in the file, as by default here.*special_codes .* in the file, as by default here.*favourable 'bad'"
    )
    with pytest.warns(UserWarning, match=told):
        Review(german.X, german.y, binner="quantile").load(tmp_path / "review.toml")


def test_the_order_of_a_set_makes_no_other_bins(german: Dataset) -> None:
    names = sorted(name for name in german.X if german.X[name].dtype.kind in "iuf")
    binner = create("binner", "quantile", categorical=set(names))
    assert len(names) > 4
    assert ReviewHeader.of(binner).options == {"categorical": names}


def test_edits_of_nobody_are_saved_as_those_of_whoever_reviews(tmp_path: Path) -> None:
    review = Review({"x": [1, 2, 3, 4]}, [0, 1, 0, 1], binner="manual")
    review.cut("x", 3, why="a")
    with pytest.raises(InputError, match="says who decided, and why; got 'no who'"):
        review.save(tmp_path / "review.toml")
    review.who = "ana"
    review.save(tmp_path / "review.toml")
    assert [edit.who for edit in read_review(tmp_path / "review.toml") if edit.action == "cut"] == ["ana"]
