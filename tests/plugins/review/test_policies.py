"""What policies make of missing values and special codes: in tables, in points, and where they are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scrutable import create
from scrutable.errors import InputError
from scrutable.measures.numerics.counts import weight_of_evidence
from scrutable.model import Attribute, Interval, Missing, Special

N = 600
RNG = np.random.default_rng(4)
X_NUMBERS = np.where(RNG.random(N) < 0.15, np.nan, RNG.integers(0, 40, N).astype(float))
X_NUMBERS[RNG.random(N) < 0.1] = -9
UNKNOWN, HOMES = RNG.random(N) < 0.1, RNG.choice(["own", "rent", "free"], N)
HOME = [None if unknown else home for unknown, home in zip(UNKNOWN, HOMES.tolist(), strict=True)]
Y = (RNG.random(N) < 0.3 + 0.01 * np.nan_to_num(X_NUMBERS, nan=5)).astype(int)
X: dict[str, Any] = {"x": X_NUMBERS, "home": HOME}


def binner(*edits: dict[str, Any], **options: Any) -> Any:
    given = {"cuts": {"x": [10, 20, 30]}, "special_codes": {"x": [-9]}}
    return create("binner", "quantile", edits=[{"feature": "x"} | edit for edit in edits], **given | options)


def policy(action: str, name: str, bin: float | str | None = None, **more: Any) -> dict[str, Any]:
    return {"action": action, "policy": name, **({} if bin is None else {"bin": bin}), **more}


def attributes(learner: Any, feature: str) -> dict[str, Attribute]:
    [found] = [each for each in learner.model_.characteristics if each.feature == feature]
    return {attribute.condition.describe(): attribute for attribute in found.attributes}


def test_tables_keep_the_counts_and_show_both_weights_of_evidence() -> None:
    free = binner().fit(X, Y).binning_["x"]
    table = binner(policy("missing", "worst"), policy("special", "with", 15)).fit(X, Y).binning_["x"]
    assert table.statistics == free.statistics
    good, bad = table.counts
    merged = np.stack([bad, good], axis=1)
    merged[1] += merged[4]
    merged[4] = 0
    woe = weight_of_evidence(merged)
    assert table.woe[[0, 1, 2, 3]].tolist() == pytest.approx(woe[[0, 1, 2, 3]].tolist())
    assert table.woe[4] == table.woe[1], "the code has the value of the bin that it is counted with"
    assert table.woe[5] == table.woe[:4].min()
    told = table.to_json()
    assert [each.get("policy") for each in told["attributes"]] == [None] * 4 + ["with", "worst"]
    assert [each["woe_used"] for each in told["attributes"]] == table.woe.tolist()
    assert [each["woe"] for each in told["attributes"]] == [s.woe for s in free.statistics]
    shares = good / good.sum() - bad / bad.sum()
    assert told["iv_used"] == pytest.approx(float(shares @ table.woe))
    assert told["iv"] == free.iv
    assert "woe_used" not in free.to_json()["attributes"][0]


def test_transform_gives_the_weight_of_evidence_that_is_used() -> None:
    fitted = binner(policy("missing", "neutral")).fit(X, Y)
    assert fitted.transform({"x": [np.nan, 5.0], "home": ["own", "own"]})[0, 0] == 0
    assert fitted.transform({"x": [np.nan, 5.0], "home": ["own", "own"]})[1, 0] != 0


@pytest.mark.filterwarnings(
    "ignore::scrutable.plugins.useless_models.DoubtfulModelWarning"
)  # against the data, as asked
@pytest.mark.parametrize("trend", [None, "ascending", "descending"])
def test_points_follow_the_policies_exactly(trend: str | None) -> None:
    trends = {} if trend is None else {"trends": {"x": trend}}
    chosen = binner(
        policy("missing", "with", 5), policy("special", "worst"), policy("missing", "neutral", feature="home"), **trends
    )
    learner = create("learner", "scorecard", binner=chosen, select=None).fit(X, Y)
    if trend == "descending":  # against the data: one value for all, which tells nobody apart
        assert "x" in learner.evidence_.metrics["without_points"]
        return
    x = attributes(learner, "x")
    assert x["missing"].points == x["< 10"].points
    assert x["special code -9"].points == min(a.points for a in x.values() if isinstance(a.condition, Interval))
    home, table = attributes(learner, "home"), chosen.fit(X, Y).binning_["home"]
    woe = dict(zip((c.describe() for c in table.conditions), table.woe.tolist(), strict=True))
    seen = [name for name, a in home.items() if a.statistics is not None and a.statistics.count and name != "missing"]
    slope, level = np.polyfit([woe[name] for name in seen], [home[name].points for name in seen], 1)
    assert slope > 0
    assert home["missing"].points == pytest.approx(level, abs=1e-6), "the points of a WoE of 0"


@pytest.mark.parametrize("name", ["worst", "with"])
def test_values_that_training_lacks_have_the_points_of_their_policy(name: str) -> None:
    rows = ~np.isnan(X_NUMBERS) & (X_NUMBERS != -9)
    chosen = binner(policy("missing", name, 35 if name == "with" else None), policy("special", "worst"))
    learner = create("learner", "scorecard", binner=chosen).fit({"x": X_NUMBERS[rows]}, Y[rows])
    x = attributes(learner, "x")
    lowest = min(a.points for a in x.values() if isinstance(a.condition, Interval))
    assert x["missing"].points == (x[">= 30"].points if name == "with" else lowest)
    assert x["special code -9"].points == lowest
    assert lowest < 0
    free = create("learner", "scorecard", binner=binner()).fit({"x": X_NUMBERS[rows]}, Y[rows])
    assert attributes(free, "x")["missing"].points == 0


def test_the_policy_of_each_code_and_own_takes_it_back() -> None:
    chosen = binner(
        policy("special", "neutral"),
        policy("special", "worst", codes=[-9]),
        policy("special", "own"),
        policy("missing", "worst"),
    )
    table = chosen.fit(X, Y).binning_["x"]
    assert [(table.conditions[p.position], p.treated) for p in table.policies] == [(Missing(), "worst")]
    table = binner(policy("special", "neutral"), policy("special", "worst", codes=[-9])).fit(X, Y).binning_["x"]
    assert [(table.conditions[p.position], p.treated) for p in table.policies] == [(Special((-9.0,)), "worst")]


def test_a_policy_outlives_later_edits_of_its_bin() -> None:
    edits = [policy("missing", "with", 15), {"action": "merge", "at": 20}, {"action": "move", "at": 10, "to": 12}]
    table = binner(*edits).fit(X, Y).binning_["x"]
    assert table.conditions[1] == Interval(12, 30)
    assert [(p.bin, p.treated) for p in table.policies] == [(1, "with")]
    assert binner(*edits, {"action": "cut", "at": 15.5}).fit(X, Y).binning_["x"].policies[0].bin == 1


def test_a_regression_scorecard_follows_policies_and_knows_no_worst() -> None:
    amount = np.nan_to_num(X_NUMBERS, nan=100.0) + RNG.random(N)
    chosen = binner(policy("missing", "with", 25), policy("special", "neutral"))
    learner = create("learner", "scorecard-regressor", binner=chosen).fit(X, amount)
    x = attributes(learner, "x")
    assert x["missing"].points == x["[20, 30)"].points
    table = chosen.bin_quantity(chosen.read_quantity(X, amount))["x"]
    count, means = table.counts_seen, table.means
    together = (count[2] * means[2] + count[5] * means[5]) / (count[2] + count[5])
    assert table.means_used.tolist() == pytest.approx([*means[:2], together, means[3], amount.mean(), together])
    assert table.means.tolist() != table.means_used.tolist()
    used = table.means_used[table.index(chosen.read_quantity(X, amount).columns["x"])]
    residual = float(((amount - used) ** 2).sum() / ((amount - amount.mean()) ** 2).sum())
    assert table.explained == pytest.approx(1 - residual)
    [missing, special] = [e for e in dict(learner.evidence_.binning)["audit"] if e["action"] in ("missing", "special")]
    assert missing["explained_after"] == special["explained_before"] < missing["explained_before"]
    with pytest.raises(InputError, match="edit 1, missing, column 'x': a quantity has no worst bin; got 'worst'"):
        create("learner", "scorecard-regressor", binner=binner(policy("missing", "worst"))).fit(X, amount)


@pytest.mark.parametrize(
    ("learner", "options"),
    [("scorecard", {"encoding": "one-hot"}), ("lda-xgb1", {})],
)
def test_learners_that_cannot_keep_a_policy_refuse_it(learner: str, options: dict[str, Any]) -> None:
    made = create("learner", learner, binner=binner(policy("missing", "worst")), **options)
    message = (
        r"column 'x', missing: .* cannot keep a policy for missing values.*got 'worst'; allowed: 'own'\. Fix: undo"
    )
    with pytest.raises(InputError, match=message):
        made.fit(X, Y)


@pytest.mark.filterwarnings("ignore:column 'x'. -9 in")
def test_a_binner_that_merges_the_bins_of_another_refuses_its_policies_and_keeps_its_own() -> None:
    with pytest.raises(InputError, match="cannot keep a policy"):
        create("binner", "fiv-bounded", binner=binner(policy("missing", "worst"), special_codes=None)).fit(X, Y)
    own = create("binner", "fiv-bounded", binner="quantile", edits=[{"feature": "x"} | policy("missing", "worst")])
    table = own.fit(X, Y).binning_["x"]
    assert table.woe[-1] == min(table.woe[i] for i in table.ordered)
