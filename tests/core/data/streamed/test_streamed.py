"""Training rows that come in batches, beside the same rows in memory: no figure differs in a bit."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable import create
from scrutable.binning import AttributeCoding
from scrutable.data import FrameSource, TrainingData, read_training
from scrutable.data.frames import Table, levels
from scrutable.data.streamed import reading, spreads
from scrutable.errors import InputError
from scrutable.model import Interval

TEXTS = ["", " ", "a", "A", "a ", "é", "e\u0301", "Ärzte", "zz", None]
HOSTILE = [0.0, -0.0, np.inf, -np.inf, 5e-324, -5e-324, 1e300, -1e300, 2.0**900, np.nan, -9.0, 1.0, 1.0 + 2**-52]


def _frame(seed: int, n: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "amount": np.round(rng.lognormal(8, 1, n), 2),
            "near": 600 + rng.normal(0, 1e-3, n),
            "hostile": rng.choice(HOSTILE, n),
            "code": np.where(rng.random(n) < 0.3, -9.0, rng.exponential(1000, n)),
            "job": pd.Series(rng.choice(np.array(TEXTS, dtype=object), n), dtype=object),
            "sex": rng.choice(["f", "m"], n),
            "years": rng.integers(20, 90, n).astype(float),
            "weight": rng.uniform(0, 3, n),
            "paid": rng.choice(["bad", "good"], n),
        }
    )
    frame.loc[rng.random(n) < 0.1, ["amount", "years"]] = np.nan
    frame.loc[:4, "weight"] = 0.0
    return frame


def _both(frame: pd.DataFrame, rows: int, seed: int, *, weighted: bool) -> tuple[TrainingData, Any]:
    """Rows in memory, and in batches of so many in another order."""
    inputs = ["amount", "near", "hostile", "code", "job"]
    codes = {"special_codes": [-9.0], "favourable": "good"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        in_memory = read_training(
            frame[inputs],
            frame["paid"],
            sensitive_features=frame[["sex", "years"]],
            sample_weight=frame["weight"] if weighted else None,
            **codes,
        )
        other = frame.sample(frac=1, random_state=seed)
        streamed = read_training(
            FrameSource(other if weighted else other.drop(columns="weight"), rows),
            "paid",
            sensitive_features=["sex", "years"],
            sample_weight="weight" if weighted else None,
            **codes,
        )
    return in_memory, streamed


def _sorted(column: Any) -> Any:
    """Positions by which texts, whose order in memory is that of the rows, are sorted."""
    if column.kind == "numeric":
        return slice(None)
    return sorted(range(len(column.values)), key=lambda at: (column.values[at] is None, column.values[at] or ""))


def _equal(one: Any, other: Any) -> None:
    ours, theirs = _sorted(one.column), _sorted(other.column)
    if one.column.kind == "numeric":
        np.testing.assert_array_equal(one.buckets.low, other.buckets.low)
        np.testing.assert_array_equal(one.buckets.high, other.buckets.high)
    else:
        assert one.column.values[ours].tolist() == other.column.values[theirs].tolist()
    np.testing.assert_array_equal(one.rows[ours], other.rows[theirs])
    np.testing.assert_array_equal(one.outcomes[ours], other.outcomes[theirs])
    for own, same in zip(one.groups, other.groups, strict=True):
        assert own.attribute.labels == same.attribute.labels
        np.testing.assert_array_equal(own.rows[ours], same.rows[theirs])
        np.testing.assert_array_equal(own.bad[ours], same.bad[theirs])


@settings(max_examples=15)
@given(
    seed=st.integers(0, 10**6),
    rows=st.sampled_from([29, 90, 500]),
    weighted=st.booleans(),
    few=st.sampled_from([1, 2**15]),
    least=st.sampled_from([4, 4096]),
    kept=st.sampled_from([8, 2**18]),
    bits=st.sampled_from([2, 10]),
    heavy=st.sampled_from([0.02, 1 / 256]),
)
def test_counts_are_those_of_rows_in_memory(
    seed: int, rows: int, weighted: bool, few: int, least: int, kept: int, bits: int, heavy: float
) -> None:
    """With few values kept, and few rows that are taken one by one, several passes look for the same buckets."""
    with pytest.MonkeyPatch.context() as patch:
        for module, values in (
            (levels, {"FEW_ROWS": few, "BUCKETS": least, "BITS": bits, "HEAVY": heavy}),
            (spreads, {"FEW_ROWS": few, "BUCKETS": least, "BITS": bits, "HEAVY": heavy, "MOST_VALUES": kept}),
        ):
            for name, value in values.items():
                patch.setattr(module, name, value)
        in_memory, streamed = _both(_frame(seed), rows, seed, weighted=weighted)
        assert streamed.features == in_memory.features
        assert streamed.every == in_memory.every
        np.testing.assert_array_equal(streamed.by_outcome, in_memory.by_outcome)
        assert streamed.fingerprint() == in_memory.fingerprint()
        for one, other in zip(in_memory.groups.attributes, streamed.groups.attributes, strict=True):
            assert (one.labels, one.reference) == (other.labels, other.reference)
            np.testing.assert_array_equal(in_memory.effective_sizes(one), streamed.effective_sizes(other))
        for feature in in_memory.features:
            _equal(in_memory.counts(feature), streamed.counts(feature))
        assert streamed.leaks == in_memory.leaks


def test_cuts_within_buckets_divide_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (levels, spreads):
        monkeypatch.setattr(module, "FEW_ROWS", 1)
        monkeypatch.setattr(module, "BUCKETS", 4)
        monkeypatch.setattr(module, "BITS", 3)
        monkeypatch.setattr(module, "HEAVY", 0.2)
    in_memory, streamed = _both(_frame(11), 37, 12, weighted=True)
    feature = in_memory.features[0]
    cuts = [1000.5, 3210.0, 3210.01, 9999.0]
    divided, exact = in_memory.counts_between(feature, cuts), in_memory.counts(feature, exact=True)
    assert in_memory.counts(feature).size < divided.size < exact.size
    assert divided.buckets.parts_at(cuts)
    _equal(divided, streamed.counts_between(feature, cuts))
    bins = [np.searchsorted(cuts, each.column.values[each.ordinary], side="right") for each in (divided, exact)]
    for own in ("rows", "outcomes"):
        sums = [
            np.stack([np.bincount(at, column, len(cuts) + 1) for column in getattr(each, own)[each.ordinary].T])
            for at, each in zip(bins, (divided, exact), strict=True)
        ]
        np.testing.assert_allclose(sums[0], sums[1], rtol=1e-13)


def test_a_trend_of_a_feature_without_cuts_asks_for_no_value_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreads, "MOST_VALUES", 8)
    binner = create("binner", "manual", trends={"amount": "ascending"}, favourable="good")
    table = binner.fit(FrameSource(_frame(3)[["amount", "paid"]], 90), "paid").binning_["amount"]
    assert len(table.conditions) == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda frame: frame.assign(near=np.nan), "every value is missing"),
        (lambda frame: frame.assign(job=[f"n{row}" for row in range(len(frame))]), "differs in nearly every row"),
        (lambda frame: frame.assign(near=frame["sex"].eq("f").astype(float)), "tells the protected attribute 'sex'"),
        (lambda frame: frame.assign(paid="good"), "only one class"),
        (
            lambda frame: frame.assign(paid=frame["paid"].where(frame["near"] > 600)),
            "y: Input y contains NaN; got '142 rows",
        ),
        (lambda frame: frame.assign(paid=np.where(frame["paid"] == "good", np.inf, 0.0)), "y contains infinity"),
        (lambda frame: frame.assign(weight=-1.0), "may not be negative"),
        (lambda frame: frame.assign(weight="heavy"), "a weight is a number"),
    ],
)
def test_what_is_refused_in_memory_is_refused(change: Any, message: str) -> None:
    source = FrameSource(change(_frame(1)), 50)
    with pytest.raises(InputError, match=message):
        read_training(source, "paid", sensitive_features=["sex", "years"], sample_weight="weight")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"y": "pait"}, "did you mean 'paid'"),
        ({"sensitive_features": ["sexe"]}, "did you mean 'sex'"),
        ({"categorical": ["jobs"]}, "categorical: unknown column.*did you mean 'job'"),
        ({"sample_weight": np.ones(3)}, "said by the name of a column"),
    ],
)
def test_columns_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_training(FrameSource(_frame(1)), **({"y": "paid"} | options))


class EachOnce(FrameSource):
    """A source of which no column may be asked twice, as of a frame."""

    def batches(self, names: Sequence[str]) -> Iterator[Table]:
        assert len(set(names)) == len(names)
        return super().batches(names)


def test_a_source_is_asked_for_a_column_once_though_several_codings_read_it() -> None:
    frame = _frame(8)[["near", "paid"]]
    streamed = read_training(EachOnce(frame, 70), "paid", favourable="good")
    halves = [(Interval(upper=cut), Interval(lower=cut)) for cut in (600.0, 600.001)]
    coded = streamed.coded([AttributeCoding.of(streamed.features[0], own) for own in halves])
    below = [(frame["near"] < own[0].upper).sum() for own in halves]
    assert coded.weight_by_bin.tolist() == [below[0], 300 - below[0], below[1], 300 - below[1]]


def test_many_texts_of_far_more_rows_are_no_identifiers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_SHOWN", 60)
    rows = pd.DataFrame({"shop": [f"s{row % 50}" for row in range(1000)], "paid": ["bad", "good"] * 500})
    streamed = read_training(FrameSource(rows, 300), "paid", favourable="good")
    assert streamed.counts(streamed.features[0]).size == 50


def test_numbers_that_are_close_to_one_another_are_no_constant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreads, "MOST_VALUES", 60)
    rows = pd.DataFrame({"opened": 1.6e9 + np.arange(400.0), "paid": ["bad", "good"] * 200})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_training(FrameSource(rows, 90), "paid", favourable="good")


def test_numbers_that_are_categories_are_told_apart() -> None:
    frame = _frame(21)
    made = [
        create("binner", "quantile", categorical=["code"], special_codes=[-9.0], favourable="good").fit(*given).binning_
        for given in ((frame[["code"]].round(-3), frame["paid"]), _there(frame))
    ]
    assert made[0].to_json() == made[1].to_json()


def test_codes_that_a_frame_declares_to_be_categories_are_categories() -> None:
    codes = np.random.default_rng(5).integers(0, 6, 300)
    frame = pd.DataFrame({"branch": pd.Categorical(codes), "paid": _frame(22)["paid"]})
    made = [
        create("binner", "optimal", favourable="good").fit(*given).binning_
        for given in ((frame[["branch"]], frame["paid"]), (FrameSource(frame, 77), "paid"))
    ]
    assert made[0].to_json() == made[1].to_json()


def _there(frame: pd.DataFrame) -> tuple[Any, str]:
    return FrameSource(frame[["code"]].round(-3).assign(paid=frame["paid"]), 77), "paid"
