"""Monitoring of real applicants: none drifted, and drifted by weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.fairness import Groups
from scrutable.fairness.report import group_metrics
from scrutable.model.evaluator import evaluate
from scrutable_lifecycle.monitoring import monitor


def test_german_credit_against_a_count_by_pandas() -> None:
    """CSI and its bands from a count of the same attributes by pandas, and groups from the fairness report."""
    data = load_german_credit()
    model = create("learner", "scorecard", binner="quantile", favourable="good").fit(data.X, data.y).model_
    order = np.argsort(data.frame["age"].to_numpy(), kind="stable")
    first, second = order[:500], order[500:]
    groups = Groups.from_frame(data.sensitive_features, reference={"sex": "male", "age_group": "26 and over"})
    found = monitor(
        model, data.X.iloc[first], data.X.iloc[second], y=data.y.iloc[second], groups=groups.subset(second), n_boot=50
    )
    before, now = (evaluate(model, data.X.iloc[rows]) for rows in (first, second))
    titles = {feature.name: feature.title for feature in model.features}
    by_name = {each.name: each for each in found.parts[0].characteristics}
    for name in before.attribute:
        counts = [pd.Series(side.attribute[name]).value_counts() for side in (before, now)]
        e, a = (counted.reindex(counts[0].index.union(counts[1].index), fill_value=0) / 500 for counted in counts)
        e, a = e.where(e > 0, 0.001), a.where(a > 0, 0.001)
        assert by_name[titles[name]].index == pytest.approx(float(((a - e) * np.log(a / e)).sum()), rel=1e-9)
    shift = now.score.mean() - before.score.mean()
    assert sum(each.shift for each in found.parts[0].characteristics) == pytest.approx(shift, rel=1e-9)
    metrics = group_metrics(data.y.iloc[second] == "good", now.approved, groups.subset(second))
    for group, its in zip(found.new.groups, metrics, strict=True):
        assert (group.attribute, group.group, group.size) == (its.attribute, its.group, its.size)
        for mine, theirs in (
            (group.approval_rate, its.approval_rate),
            (group.impact_ratio, its.adverse_impact_ratio),
            (group.bad_rate_among_approved, its.bad_rate_among_approved),
        ):
            assert mine == pytest.approx(theirs, nan_ok=True)


@pytest.mark.real_data
def test_taiwan_default_drifted_by_weights(data_dir: Path) -> None:
    """Random halves are alike. Where those late in September count ten times, score and payment status drift."""
    frame = pd.read_csv(data_dir / "taiwan_default.csv.gz").rename(columns=str.strip)
    X, y = frame.drop(columns=["y", "X_1"]), frame["y"]
    shuffled = np.random.default_rng(0).permutation(len(frame))
    first, second = shuffled[:15000], shuffled[15000:]
    learner = create("learner", "scorecard", binner="quantile", favourable=0).fit(X.iloc[first], y.iloc[first])
    groups = Groups.from_frame({"sex": frame["X_1"]})
    common = {
        "y_baseline": y.iloc[first],
        "y": y.iloc[second],
        "groups_baseline": groups.subset(first),
        "groups": groups.subset(second),
        "n_boot": 100,
    }
    still = monitor(learner.model_, X.iloc[first], X.iloc[second], **common)
    assert still.alerts == ()
    assert max(each.index for each in still.parts[0].characteristics) < 0.02
    weight = np.where(X["X_5"].iloc[second] > 0, 10.0, 1.0)
    drifted = monitor(learner.model_, X.iloc[first], X.iloc[second], sample_weight=weight, **common)
    alerts = {(alert.figure, alert.subject) for alert in drifted.alerts}
    assert {("psi", "score"), ("csi", "X_5")} <= alerts
    assert drifted.reasons is not None
    assert drifted.new.approval_rate < still.new.approval_rate
