"""Cells and bounds on them, beside sums over rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scrutable import create
from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable_fairgbm.families import ceiling, families
from scrutable_fairgbm.rates import rate_rows

CONSTRAINTS = [
    ("opportunity", {"slack": 0.03}),
    ("error-rate-balance", {"slack": 0.0, "compare": "everyone"}),
    ("demographic-parity", {"slack": 0.1, "compare": "pairs"}),
    ("overall-mistreatment", {}),
    ("adverse-impact-ratio", {}),
]


def rows_of(seed: int, soft: bool, n: int = 300) -> tuple[np.ndarray, Groups, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    good, weight, score = rng.random(n) < 0.6, rng.random(n) * 3, rng.normal(size=n)
    weight[rng.random(n) < 0.1] = 0.0
    known = Groups.from_frame(
        {"sex": rng.choice(np.array(["f", "m", None], object), n), "age": rng.choice(["a", "b", "c"], n)}
    )
    if not soft:
        return good, known, weight, score
    shares = rng.dirichlet([1, 2, 1], n)
    probable = Groups.from_probabilities({"race": {label: shares[:, at] for at, label in enumerate("xyz")}})
    return good, Groups(known.attributes + probable.attributes), weight, score


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize(("name", "options"), CONSTRAINTS)
def test_sums_over_cells_are_sums_over_rows(name: str, options: dict[str, Any], soft: bool) -> None:
    good, groups, weight, score = rows_of(1, soft)
    bounds = create("constraint", name, min_group_size=1, **options).bind(good, groups)
    rows = rate_rows(good, bounds, groups, weight)
    errors = rows.errors(score, 0.25)
    wrong = (score >= 0.25) != good
    assert len(bounds) == rows.n_bounds > 1
    for at, bound in enumerate(bounds):
        contrast = bound.contrast(good, groups, sample_weight=weight)
        in_errors = contrast.counted_in("error", good)
        assert rows.values(errors)[at] == pytest.approx(in_errors.value(wrong))
        event = score >= 0.25 if contrast.event == "approval" else wrong
        assert rows.values(errors)[at] - rows.constant[at] == pytest.approx(contrast.value(event))
        assert (rows.low[at], rows.high[at]) == pytest.approx((in_errors.low, in_errors.high))
        size = np.abs(contrast.weights)
        assert rows.overall(errors)[at] == pytest.approx(size @ event / size.sum())


def test_hard_groups_make_few_cells_and_soft_ones_a_cell_a_row() -> None:
    good, groups, weight, _ = rows_of(2, soft=True)
    bound = {name: create("constraint", "opportunity", attributes=[name]).bind(good, groups) for name in groups.names}
    assert len(rate_rows(good, bound["sex"], groups, weight).total) == 6
    assert len(rate_rows(good, bound["sex"] + bound["age"], groups, weight).total) == 18
    assert len(rate_rows(good, bound["race"], groups, weight).total) == 300
    assert len(rate_rows(good, (), None, weight).total) == 2


def test_without_weights_one_number_stands_for_all() -> None:
    good, groups, _, score = rows_of(3, soft=False)
    bounds = create("constraint", "opportunity").bind(good, groups)
    one, many = (rate_rows(good, bounds, groups, np.full(300, size)) for size in (1.0, 2.0))
    assert one.weight.size == many.weight.size == 1
    assert many.errors(score, 0.0).tolist() == (2 * one.errors(score, 0.0)).tolist()
    assert many.values(many.errors(score, 0.0)) == pytest.approx(one.values(one.errors(score, 0.0)))


@pytest.mark.parametrize("soft", [False, True])
def test_families_hold_the_rates_of_groups(soft: bool) -> None:
    good, groups, weight, score = rows_of(4, soft)
    bounds = create("constraint", "error-rate-balance", slack=0.02, min_group_size=1).bind(good, groups)
    bounds += create("constraint", "demographic-parity", slack=0.1, min_group_size=1).bind(good, groups)
    rows = rate_rows(good, bounds, groups, weight)
    errors, approved = rows.errors(score, 0.0), score >= 0
    found = {
        name: value
        for family in families(bounds, groups, rows)
        for name, value in zip(family.names, family.violations(errors, rows), strict=True)
    }
    events = {"FNR": (good, ~approved), "FPR": (~good, approved), "approval rate": (np.ones(300, bool), approved)}
    assert len(found) == 3 * sum(len(attribute.known) for attribute in groups.attributes)
    for attribute in groups.attributes:
        for name, (among, event) in events.items():
            share = {
                label: np.average(event[among], weights=(weight * attribute.membership[:, at])[among])
                for at, label in enumerate(attribute.labels)
                if label in attribute.known
            }
            slack = 0.1 if name == "approval rate" else 0.02
            for label, rate in share.items():
                expected = max(share.values()) - rate - slack
                assert found[f"{name}, {attribute.name}: {label!r}"] == pytest.approx(expected)


def test_ceilings_are_rates_of_everyone() -> None:
    good, groups, weight, score = rows_of(5, soft=False)
    rows = rate_rows(good, (), groups, weight)
    errors, approved = rows.errors(score, 0.0), score >= 0
    for among, event in ((True, ~approved), (False, approved), (None, approved)):
        counted = np.ones(300, bool) if among is None else good == among
        [found] = ceiling("c", among, 0.1, rows).violations(errors, rows)
        assert found == pytest.approx(np.average(event[counted], weights=weight[counted]) - 0.1)


def test_the_paper_has_no_bound_on_ratios() -> None:
    good, groups, weight, _ = rows_of(6, soft=False)
    bounds = create("constraint", "adverse-impact-ratio").bind(good, groups)
    with pytest.raises(InputError, match=r"bounds differences of rates.*method='signed'"):
        families(bounds, groups, rate_rows(good, bounds, groups, weight))
