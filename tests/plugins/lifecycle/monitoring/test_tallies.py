"""Figures of tallies: whatever the blocks and the order of rows, and beside what whole columns give."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score, roc_curve

from scrutable.data import Cohort, ExactSums, coded_blocks
from scrutable.data.frames import arrow_csv, arrow_parquet, plain_csv
from scrutable.errors import InputError
from scrutable.model import DecisionModel
from scrutable.model.evaluator import evaluate
from scrutable.proof.edges import edge_rows
from scrutable.testing.cards import card
from scrutable.testing.contract.examples.models import models_named
from scrutable_lifecycle.monitoring import Columns, monitor, sources, tallying
from scrutable_lifecycle.monitoring.document import to_json

MODELS = [model for model in models_named().values() if getattr(model.outcome, "binary", False)]
TOLD = Columns(
    target="paid",
    favourable="yes",
    date="issued",
    weight="w",
    protected=("sex", "years"),
    probabilities={"race": {"a": "p_a", "b": "p_b"}},
)


def applicants(model: DecisionModel, rows: int, seed: int) -> pd.DataFrame:
    """Rows of a model with outcomes, some unknown, dates, weights of many digits, and groups of each kind."""
    generator = np.random.default_rng(seed)
    frame = edge_rows(model, seed=seed).replace([np.inf, -np.inf], np.nan)
    frame = frame.iloc[generator.integers(0, len(frame), rows)].reset_index(drop=True)
    share = generator.choice([0.1, 0.3, 1.0], rows)
    return frame.assign(
        paid=generator.choice(np.array(["yes", "no", None], dtype=object), rows),
        issued=[f"2026-{month:02d}-{day:02d}" for month, day in generator.integers(1, 4, (rows, 2))],
        w=generator.choice([0.1, 1 / 3, 7.7, 1e-9, 0.0], rows),
        sex=generator.choice(["f", "m"], rows),
        years=generator.integers(18, 70, rows),
        p_a=share,
        p_b=1 - share,
    )


@contextmanager
def blocks_of(rows: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tallying, "_ROWS", rows)
        patch.setattr(coded_blocks, "_ROWS", rows)
        patch.setattr(arrow_parquet, "_BLOCK", 3 * rows)
        patch.setattr(arrow_csv, "_BLOCK", 64 * rows)
        patch.setattr(plain_csv, "LARGEST", 0)
        yield


def told(model: DecisionModel, before: Any, now: Any, **asked: Any) -> str:
    return to_json(monitor(model, before, now, columns=TOLD, n_boot=5, **asked))


@pytest.mark.filterwarnings("ignore::scrutable.fairness.SmallGroupWarning")
@settings(max_examples=8, deadline=None)
@given(st.sampled_from(MODELS), st.integers(0, 2**32 - 1), st.integers(1, 200))
def test_neither_blocks_nor_the_order_of_rows_change_a_bit(model: DecisionModel, seed: int, block: int) -> None:
    before, now = (applicants(model, 150, seed + side) for side in (0, 1))
    whole = told(model, before, now)
    generator = np.random.default_rng(seed)
    with blocks_of(block):
        shuffled = [frame.iloc[generator.permutation(len(frame))] for frame in (before, now)]
        assert told(model, *shuffled) == whole


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("block", [17, 64])
def test_files_give_what_frames_give(suffix: str, block: int, tmp_path: Path) -> None:
    model = models_named()["scorecard"]
    generator = np.random.default_rng(0)
    frames = []
    for side in (0, 1):
        frame = applicants(model, 150, side).assign(w=generator.choice([0.1, 0.25, 7.7, 0.0], 150))
        for feature in model.features:
            column = [1.5, 20.25, 33.0, np.nan] if feature.kind == "numeric" else ["x", "cook", None]
            frame[feature.name] = generator.choice(np.array(column, dtype=object), len(frame))
            if feature.kind == "numeric":
                frame[feature.name] = frame[feature.name].astype(float)
        frames.append(frame)
    files = [tmp_path / f"{side}{suffix}" for side in (0, 1)]
    for frame, file in zip(frames, files, strict=True):
        frame.to_csv(file, index=False) if suffix == ".csv" else frame.to_parquet(file, index=False)
    whole = told(model, *frames)
    seen: list[int] = []

    def progress(blocks: Any, expected: int) -> Any:
        for each in blocks:
            seen.append(expected)
            yield each

    with blocks_of(block), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "read_whole", None)  # it is not asked for
        assert told(model, *files, progress=progress) == whole
    assert len(seen) >= 2


@pytest.mark.parametrize("weighted", [False, True])
def test_figures_are_those_of_whole_columns(weighted: bool) -> None:
    model = models_named()["scorecard"]
    before, now = (applicants(model, 400, seed) for seed in (3, 4))
    columns = Columns(target="paid", favourable="yes", protected=("sex",), weight="w" if weighted else None)
    found = monitor(model, before, now, columns=columns, n_boot=5)
    said = evaluate(model, now)
    assert said.score is not None
    weight = now["w"].to_numpy() if weighted else np.ones(400)
    known, good = now["paid"].notna().to_numpy(), (now["paid"] == "yes").to_numpy()
    counted = known & (weight > 0)
    new = found.new
    assert new.rows == 400
    assert new.weight == pytest.approx(weight.sum(), rel=1e-15)
    assert new.approval_rate == pytest.approx(np.average(said.approved, weights=weight), rel=1e-12)
    assert new.mean_score == pytest.approx(np.average(said.score, weights=weight), rel=1e-12)
    assert new.mean_pd == pytest.approx(np.average(1 - said.probability, weights=weight), rel=1e-12)
    assert new.bad_rate == pytest.approx(np.average(~good[known], weights=weight[known]), rel=1e-12)
    assert new.performance is not None
    area = roc_auc_score(good[counted], said.score[counted], sample_weight=weight[counted])
    assert new.performance.auc == pytest.approx(area, rel=1e-12)
    low, high, _ = roc_curve(good[counted], said.score[counted], sample_weight=weight[counted])
    assert new.performance.ks == pytest.approx(np.abs(high - low).max(), rel=1e-12)
    _check_calibration(new, 1 - said.probability[counted], ~good[counted], weight[counted])
    _check_groups(new, (now["sex"] == "f").to_numpy(), said.approved, weight)


def _check_calibration(new: Any, pd_: Any, bad: Any, weight: Any) -> None:
    expected, observed = weight @ pd_, weight @ bad
    assert new.calibrated.ratio == pytest.approx(observed / expected, rel=1e-12)
    spread = np.sqrt(weight**2 @ (pd_ * (1 - pd_)))
    assert new.calibrated.p_value == pytest.approx(2 * stats.norm.sf(abs(observed - expected) / spread), rel=1e-9)


def _check_groups(new: Any, female: Any, approved: Any, weight: Any) -> None:
    by_name = {each.group: each for each in new.groups}
    for name, members in (("f", female), ("m", ~female)):
        counted = weight * members
        assert by_name[name].size == pytest.approx(counted.sum(), rel=1e-12)
        assert by_name[name].approval_rate == pytest.approx(np.average(approved, weights=counted), rel=1e-12)
        assert by_name[name].effective_size == pytest.approx(counted.sum() ** 2 / (counted**2).sum(), rel=1e-12)


def test_what_columns_say_is_not_given_apart() -> None:
    model = models_named()["scorecard"]
    rows = applicants(model, 50, 0)
    with pytest.raises(InputError, match=r"dates: `columns` says what the columns are"):
        monitor(model, rows, rows, columns=TOLD, dates=rows["issued"])


def test_mean_scores_are_correctly_rounded() -> None:
    """0.1 ten times is 1, and its mean 0.1, where a sum of doubles gives 0.9999999999999999."""
    sums = ExactSums()
    sums.add(np.zeros(10, dtype=int), np.full(10, 0.1))
    assert sums.rounded(1)[0] == 1.0 != np.cumsum(np.full(10, 0.1))[-1]


def test_memory_is_held_for_different_rows_alone() -> None:
    model, rows = card(), 100_000
    frame = pd.DataFrame({"amount": np.arange(rows) % 5_000.0, "job": "skilled"})
    many = np.random.default_rng(1).uniform(0.5, 2.0, rows)
    for weight, each in ((many.round(), 1), (many, 40)):
        cohort = Cohort.read(frame, None, outcome=model.outcome, sample_weight=weight, where="outcomes")
        tallying.tallied(model, cohort)  # what is made once for a model
        tracemalloc.start()
        try:
            before, _ = tracemalloc.get_traced_memory()
            sample = tallying.tallied(model, cohort)
            held, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert sample.profiles.rows == rows
        assert held - before < each * rows
