"""Codes say on which side of each cut a value lies, and clauses say the same of the raw values."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from scrutable.data.frames import as_table
from scrutable.errors import InputError
from scrutable.model import Feature
from scrutable.model.evaluator.assign import ClauseMasks
from scrutable_rug.bodies import body_of, clauses, covered, length
from scrutable_rug.coding import code_table
from scrutable_rug.cuts import choose_cuts, number_codes, short_midpoints
from scrutable_rug.literals import literals

from .conftest import MakeSample, Sample


def masks(sample: Sample) -> ClauseMasks:
    columns = {name: sample.table.column(name) for name in sample.table}
    return ClauseMasks(sample.features, columns, sample.table.n_rows)


def test_every_literal_and_its_negation_share_out_the_rows_as_their_clauses_do(make_sample: MakeSample) -> None:
    for seed, min_share in ((0, 0.0), (1, 0.15)):
        sample = make_sample(seed, min_share=min_share)
        table, evaluator = sample.rows.table, masks(sample)
        kinds = set()
        for at, coded in enumerate(table.features):
            for literal in literals(coded):
                kinds.add((coded.nominal, literal.kind, literal.extras))
                inside = covered(body_of([(at, literal)], table.features), table)
                outside = covered(body_of([(at, literal.negated())], table.features), table)
                assert (inside != outside).all()
                for part, own in ((inside, literal), (outside, literal.negated())):
                    body = body_of([(at, own)], table.features)
                    assert length(body, table.features) == 1
                    for exhaustive in (False, True):
                        when = clauses(body, table.features, exhaustive=exhaustive)
                        np.testing.assert_array_equal(evaluator.conjunction(when), part)
        assert len(kinds) == 8


def test_any_conjunction_covers_what_its_clauses_do(make_sample: MakeSample) -> None:
    rng = np.random.default_rng(3)
    for seed in range(4):
        sample = make_sample(seed)
        table, evaluator = sample.rows.table, masks(sample)
        every = [(at, literal) for at, coded in enumerate(table.features) for literal in literals(coded)]
        for _ in range(300):
            chosen = [every[i] for i in rng.integers(0, len(every), rng.integers(1, 6))]
            if rng.random() < 0.5:
                chosen = [(at, own) for at, own in chosen if at == chosen[0][0]]
            body = body_of(chosen, table.features)
            expected = np.logical_and.reduce([covered(body_of([each], table.features), table) for each in chosen])
            np.testing.assert_array_equal(covered(body, table), expected)
            if expected.any():
                assert length(body, table.features) <= len(chosen)
                np.testing.assert_array_equal(evaluator.conjunction(clauses(body, table.features)), expected)


def test_a_value_not_seen_in_training_matches_no_category_by_name() -> None:
    train = as_table({"job": ["cook"] * 8 + ["clerk"] * 8 + ["smith"]})
    feature = Feature(name="job", kind="categorical")
    coded = code_table([feature], {"job": train.column("job")}, min_share=0.1).features[0]
    assert coded.categories == ("clerk", "cook")
    later = as_table({"job": ["judge", "smith", "cook", None]}).column("job")
    assert coded.encode(later).tolist() == [2, 2, 1, 3]
    evaluator = ClauseMasks([feature], {"job": later}, 4)
    for literal in literals(coded):
        body = body_of([(0, literal)], [coded])
        assert evaluator.conjunction(clauses(body, [coded]))[:2].all() == literal.allowed(coded)[2]
        assert not evaluator.conjunction(clauses(body, [coded]))[3]  # missing was never seen either
        whole = evaluator.conjunction(clauses(body, [coded], exhaustive=True))
        np.testing.assert_array_equal(whole, literal.allowed(coded)[coded.encode(later)])


def test_cuts_are_exact_between_any_two_neighbours() -> None:
    rng = np.random.default_rng(0)
    wild = np.concatenate(
        [
            rng.normal(size=200) * 10.0 ** rng.integers(-300, 300, 200),
            np.nextafter(rng.normal(size=20), np.inf),
            [0.0, 5e-324, -5e-324, 1.0, math.nextafter(1.0, 2.0), 1.7976931348623157e308, -1.7976931348623157e308],
            [math.inf, -math.inf],
        ]
    )
    values = np.unique(wild)
    cuts = short_midpoints(values[:-1], values[1:])
    assert (values[:-1] < cuts).all()
    assert (cuts <= values[1:]).all()
    kept = choose_cuts(values, np.ones(len(values), np.int64), 255)
    assert len(kept) == len(values) - 2  # nothing finite lies between the largest double and infinity
    assert number_codes(values, kept).tolist() == [*range(len(values) - 1), len(values) - 2]
    with np.errstate(all="ignore"):
        middle, gap = values[:-1] / 2 + values[1:] / 2, values[1:] - values[:-1]
        away = np.abs(cuts - middle) - np.spacing(np.abs(middle))
    sane = np.isfinite(gap) & (gap > 1e-300)
    assert sane.sum() > 200
    assert (away[sane] <= gap[sane] / 20).all()


def test_codes_count_the_cuts_up_to_a_value() -> None:
    rng = np.random.default_rng(1)
    for n in (0, 1, 2, 3, 17, 128, 254, 255):
        cuts = np.unique(rng.integers(-400, 400, 2 * n))[:n].astype(float)
        values = np.concatenate([rng.normal(0, 300, 500), cuts, [np.inf, -np.inf]])
        np.testing.assert_array_equal(number_codes(values, cuts), np.searchsorted(cuts, values, side="right"))
    assert number_codes(np.array([np.nan]), np.array([1.0]))[0] == 0


def test_more_values_than_cuts_are_cut_at_quantiles() -> None:
    rng = np.random.default_rng(2)
    values = np.concatenate([rng.normal(size=5000), np.zeros(5000)])
    column = as_table({"x": values}).column("x")
    table = code_table([Feature(name="x", kind="numeric")], {"x": column})
    counts = np.bincount(table.codes[0], minlength=256)
    assert table.codes.max() == 254
    assert counts[-1] == 0  # the code of missing
    light = np.sort(counts[:255])[:-1]
    assert counts.max() < 5000 + 60
    assert light.max() < 60
    zero = table.codes[0][np.flatnonzero(values == 0)]
    assert (zero == zero[0]).all()


def test_few_values_are_all_told_apart() -> None:
    frame = pd.DataFrame({"x": np.arange(255) % 255, "y": np.arange(255) % 7 / 10})
    table = as_table(frame)
    coded = code_table([Feature(name=n, kind="numeric") for n in table], {n: table.column(n) for n in table})
    assert coded.codes.tolist() == [(np.arange(255) % 255).tolist(), (np.arange(255) % 7).tolist()]
    assert all(cut == float(f"{cut:.3g}") for cut in coded.features[1].cuts)
    assert all(low < high for low, high in pairwise(coded.features[0].cuts))


def test_unusable_options_are_refused() -> None:
    column = as_table({"x": [1.0, 2.0]}).column("x")
    feature = Feature(name="x", kind="numeric")
    with pytest.raises(InputError, match="min_share: unusable number; got 1"):
        code_table([feature], {"x": column}, min_share=1)
    with pytest.raises(InputError, match="max_codes: unusable number of codes; got 300"):
        code_table([feature], {"x": column}, max_codes=300)
    many = Feature(name="x", kind="numeric", special_codes=tuple(range(-200, -1)))
    with pytest.raises(InputError, match="feature 'x': too many special codes; got 199"):
        code_table([many], {"x": column})
