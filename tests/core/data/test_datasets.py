"""The bundled data are what was published, and the simulator does what its docstring says."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

from scrutable.data.datasets import Dataset, load_german_credit, make_credit
from scrutable.errors import InputError

# Counted in the published german.data, not in our file: all applicants, and the bad ones among them.
GERMAN_COUNTS = {
    "checking_status": {
        "< 0 DM": (274, 135),
        "0 to 199 DM": (269, 105),
        "200+ DM or salary for 1+ year": (63, 14),
        "no checking account": (394, 46),
    },
    "credit_history": {
        "no credits or all repaid": (40, 25),
        "all repaid at this bank": (49, 28),
        "existing credits on time": (530, 169),
        "past delays": (88, 28),
        "critical or credits elsewhere": (293, 50),
    },
    "purpose": {
        "new car": (234, 89),
        "used car": (103, 17),
        "furniture or equipment": (181, 58),
        "radio or television": (280, 62),
        "domestic appliances": (12, 4),
        "repairs": (22, 8),
        "education": (50, 22),
        "retraining": (9, 1),
        "business": (97, 34),
        "other": (12, 5),
    },
    "savings": {
        "< 100 DM": (603, 217),
        "100 to 499 DM": (103, 34),
        "500 to 999 DM": (63, 11),
        "1000+ DM": (48, 6),
        "unknown or none": (183, 32),
    },
    "employment_since": {
        "unemployed": (62, 23),
        "< 1 year": (172, 70),
        "1 to 3 years": (339, 104),
        "4 to 6 years": (174, 39),
        "7+ years": (253, 64),
    },
    "personal_status": {
        "male: divorced or separated": (50, 20),
        "female: divorced or separated or married": (310, 109),
        "male: single": (548, 146),
        "male: married or widowed": (92, 25),
    },
    "other_debtors": {"no other debtors": (907, 272), "co-applicant": (41, 18), "guarantor": (52, 10)},
    "property": {
        "real estate": (282, 60),
        "building savings or life insurance": (232, 71),
        "car or other": (332, 102),
        "unknown or none": (154, 67),
    },
    "other_installment_plans": {"at a bank": (139, 57), "at stores": (47, 19), "no other plans": (814, 224)},
    "housing": {"rented": (179, 70), "owned": (713, 186), "rent-free": (108, 44)},
    "job": {
        "unemployed or unskilled non-resident": (22, 7),
        "unskilled resident": (200, 56),
        "skilled or official": (630, 186),
        "management or self-employed or highly qualified": (148, 51),
    },
    "telephone": {"no telephone": (596, 187), "own telephone": (404, 113)},
    "foreign_worker": {"yes": (963, 296), "no": (37, 4)},
    "sex": {"male": (690, 191), "female": (310, 109)},
    "age_group": {"under 26": (190, 80), "26 and over": (810, 220)},
    "marital_status": {
        "divorced or separated": (50, 20),
        "divorced or separated or married": (310, 109),
        "single": (548, 146),
        "married or widowed": (92, 25),
    },
}
# Likewise: the plain sum, and the sum weighted by row number, which a reordering or a swap of rows changes.
GERMAN_SUMS = {
    "duration_months": (20903, 10569072),
    "credit_amount": (3271258, 1648249819),
    "installment_rate": (2973, 1491239),
    "residence_since": (2845, 1431469),
    "age": (35546, 17757637),
    "existing_credits": (1407, 708010),
    "dependants": (1155, 580863),
}
# Columns whose codes do not count from one.
GERMAN_CODES = {"credit_history": range(5), "purpose": (0, 1, 2, 3, 4, 5, 6, 8, 9, 10)}
GERMAN_SHA256 = "b21f3d81db8071257d5ff1deaeba1fd4303b62712e6fcc9715c7a86202cb5871"


@pytest.fixture(scope="module")
def german() -> Dataset:
    return load_german_credit()


@pytest.fixture(scope="module")
def simulated() -> Dataset:
    return make_credit(500_000, seed=1, missing=0)


@pytest.mark.parametrize("name", GERMAN_COUNTS)
def test_german_categories_match_the_published_file(german: Dataset, name: str) -> None:
    bad = german.y.eq("bad").groupby(german.frame[name])
    assert {label: (len(rows), int(rows.sum())) for label, rows in bad} == GERMAN_COUNTS[name]


@pytest.mark.parametrize("name", GERMAN_SUMS)
def test_german_numbers_match_the_published_file(german: Dataset, name: str) -> None:
    values = german.frame[name].to_numpy()
    assert (values.sum(), (values * np.arange(1, 1001)).sum()) == GERMAN_SUMS[name]


def test_german_outcomes_are_700_good_and_300_bad(german: Dataset) -> None:
    assert german.y.value_counts().to_dict() == {"good": 700, "bad": 300}


def test_german_table_turns_back_into_the_published_file_byte_for_byte(german: Dataset) -> None:
    # In the published file a code is "A", the column's number, and the label's; GERMAN_COUNTS has the labels in order.
    columns = {}
    for number, name in enumerate(german.frame.columns[:20], start=1):
        values = german.frame[name]
        if name in GERMAN_COUNTS:
            codes = GERMAN_CODES.get(name, range(1, 11))
            values = values.map(
                {label: f"A{number}{code}" for label, code in zip(GERMAN_COUNTS[name], codes, strict=False)}
            )
        columns[name] = values.astype(str)
    columns["credit_risk"] = german.y.map({"good": "1", "bad": "2"})
    lines = [" ".join(row) + "\n" for row in zip(*columns.values(), strict=True)]
    assert hashlib.sha256("".join(lines).encode()).hexdigest() == GERMAN_SHA256


def test_german_every_column_is_checked_and_filled(german: Dataset) -> None:
    assert {*GERMAN_COUNTS, *GERMAN_SUMS, "credit_risk"} == set(german.frame.columns)
    assert not german.frame.isna().any(axis=None)


def test_german_inputs_leave_out_protected_columns_and_their_encodings(german: Dataset) -> None:
    left_out = {"sex", "age", "age_group", "marital_status", "personal_status", "foreign_worker", "credit_risk"}
    assert set(german.frame.columns) - set(german.inputs) == left_out
    assert german.protected == ("sex", "age_group")


def test_age_group_splits_between_25_and_26(german: Dataset) -> None:
    ages = german.frame.groupby("age_group")["age"]
    assert ages.max()["under 26"] == 25
    assert ages.min()["26 and over"] == 26


def test_changing_what_was_loaded_changes_nothing_else(german: Dataset) -> None:
    inputs, outcome, again = german.X, german.y, load_german_credit().frame
    inputs["credit_amount"], outcome[:], again["credit_amount"] = 0, "bad", 0
    assert german.y.value_counts()["good"] == 700
    assert german.frame["credit_amount"].sum() == 3271258


def test_simulated_effects_are_the_documented_ones(simulated: Dataset) -> None:
    # The score test of the documented coefficients: all 23 at once, so that no single one is judged by its luck.
    terms, documented = documented_effects(simulated.frame)
    design = np.column_stack([np.ones(len(terms)), terms])
    chance = 1 / (1 + np.exp(-design @ documented))
    score = design.T @ (simulated.y.to_numpy() - chance)
    information = (design * (chance * (1 - chance))[:, None]).T @ design
    assert score @ np.linalg.solve(information, score) < chi2.ppf(0.999, len(documented))


@pytest.mark.parametrize("disparity", [0.0, 1.0, 2.0])
def test_simulated_groups_differ_as_documented(disparity: float) -> None:
    frame = make_credit(200_000, seed=2, missing=0, disparity=disparity).frame
    cells = {cell: traits(rows) for cell, rows in frame.groupby(["sex", "group"], observed=True)}
    for name, (female, b, c, tolerance) in DOCUMENTED_GAPS.items():
        gaps = {("female", "A"): female, ("male", "B"): b, ("male", "C"): c, ("female", "C"): female + c}
        for cell, gap in gaps.items():
            measured = cells[cell][name] - cells["male", "A"][name]
            assert measured == pytest.approx(disparity * gap, abs=tolerance), (name, cell)


def test_simulated_groups_default_alike_without_disparity_and_apart_with_it(simulated: Dataset) -> None:
    alike = default_rates(make_credit(200_000, seed=3, disparity=0).frame)
    apart = default_rates(simulated.frame)
    assert alike.max() - alike.min() < 0.012
    assert apart["male", "A"] < apart["male", "B"] < apart["male", "C"] < apart["female", "C"]
    assert apart["female", "C"] - apart["male", "A"] > 0.08


def test_simulated_shares_and_default_rate(simulated: Dataset) -> None:
    shares = simulated.frame["group"].value_counts(normalize=True)
    assert [shares["A"], shares["B"], shares["C"]] == pytest.approx([0.60, 0.25, 0.15], abs=0.005)
    assert simulated.frame["sex"].eq("female").mean() == pytest.approx(0.5, abs=0.005)
    assert simulated.y.mean() == pytest.approx(0.20, abs=0.005)


def test_simulated_types_are_as_documented() -> None:
    frame = make_credit(500).frame
    assert set(frame.dtypes.astype(str)) == {"float32", "category", "int8"}
    numbers = frame.select_dtypes("float32")
    assert (numbers.isna() | (numbers % 1 == 0)).all(axis=None)
    assert (frame["bureau_score"].between(300, 850) | frame["bureau_score"].eq(-9)).all()
    assert len(make_credit(1).frame) == 1


def test_same_arguments_give_the_same_frame_and_another_seed_another() -> None:
    frame = make_credit(2_000, seed=5).frame
    pd.testing.assert_frame_equal(frame, make_credit(2_000, seed=5).frame)
    assert not frame.equals(make_credit(2_000, seed=6).frame)


def test_missing_blanks_only_the_stated_columns_and_changes_nothing_else() -> None:
    whole, holed = (make_credit(50_000, seed=4, missing=share).frame for share in (0, 0.1))
    assert not whole.isna().any(axis=None)
    stated = ["income", "employment_months", "debt_ratio", "housing", "contract"]
    assert holed[stated].isna().mean().to_numpy() == pytest.approx(0.1, abs=0.007)
    for name in whole.columns:
        kept = holed[name].notna()
        assert kept.all() or name in stated
        assert holed.loc[kept, name].equals(whole.loc[kept, name])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, r"make_credit\(n=\): not usable; got 0; allowed: a whole number, 1 or more"),
        ({"n": 1e4}, r"make_credit\(n=\): .*got 10000.0"),
        ({"seed": -1}, r"make_credit\(seed=\): .*got -1; allowed: a whole number, 0 or more"),
        ({"missing": 1.0}, r"make_credit\(missing=\): outside its range; got 1.0; allowed: at least 0 and less than 1"),
        ({"missing": float("nan")}, r"make_credit\(missing=\): .*got nan"),
        ({"disparity": 2.5}, r"make_credit\(disparity=\): outside its range; got 2.5; allowed: 0 to 2"),
    ],
)
def test_arguments_outside_their_range_are_refused(arguments: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_credit(**arguments)


@pytest.mark.parametrize("role", ["target", "inputs", "protected", "special_codes"])
def test_dataset_refuses_a_column_that_the_frame_lacks(role: str) -> None:
    unknown = {"target": "incom", "special_codes": {"incom": (-9.0,)}}.get(role, ("incom",))
    roles = {"target": "paid", "inputs": ("income",), "protected": ("sex",), role: unknown}
    with pytest.raises(InputError, match=r"Dataset: the frame has no such column; got 'incom'.* did you mean 'income'"):
        Dataset(small_frame(), favourable=1, **roles)


@pytest.mark.parametrize("name", ["paid", "sex"])
def test_dataset_refuses_the_target_or_a_protected_attribute_as_input(name: str) -> None:
    with pytest.raises(
        InputError, match=rf"column '{name}': is the target or a protected attribute.*leave '{name}' out"
    ):
        Dataset(small_frame(), target="paid", favourable=1, inputs=("income", name), protected=("sex",))


def test_importing_the_package_imports_neither_numpy_nor_pandas() -> None:
    code = "import sys, scrutable.data.datasets; print(sorted({'numpy', 'pandas', 'sklearn'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# The table in make_credit's docstring, and a tolerance of about four standard errors for 200,000 applicants.
DOCUMENTED_GAPS = {
    "ln(income)": (-0.18, -0.08, -0.22, 0.016),
    "ln(employment)": (-0.20, 0, -0.30, 0.036),
    "debt ratio": (0, 2, 4, 0.5),
    "bureau score": (0, -12, -30, 3),
    "no bureau record": (0, 0.03, 0.08, 0.013),
    "owned": (0, -0.06, -0.14, 0.018),
    "with family": (0, 0, 0, 0.013),
    "permanent": (-0.08, 0, -0.06, 0.018),
    "fixed term": (0.08, 0, 0.06, 0.018),
    "self-employed": (0, 0, 0, 0.012),
    "south": (0, -0.05, 0.36, 0.018),
    "west": (0, 0.15, -0.12, 0.018),
    "north": (0, -0.05, -0.12, 0.016),
    "ln(credit_amount)": (0, 0, 0, 0.022),
    "duration": (0, 0, 0, 0.6),
    "late payments": (0, 0, 0, 0.022),
    "debt consolidation": (0, 0, 0, 0.016),
}


def traits(rows: pd.DataFrame) -> dict[str, float]:
    known = rows["bureau_score"] != -9
    texts = {label: (rows[name] == label).mean() for name in TEXT_EFFECTS for label in rows[name].cat.categories}
    return texts | {
        "ln(income)": np.log(rows["income"].astype(float)).mean(),
        "ln(employment)": np.log(rows["employment_months"].astype(float).mean()),
        "debt ratio": rows["debt_ratio"].astype(float).mean(),
        "bureau score": rows.loc[known, "bureau_score"].astype(float).mean(),
        "no bureau record": 1 - known.mean(),
        "ln(credit_amount)": np.log(rows["credit_amount"].astype(float)).mean(),
        "duration": rows["duration_months"].astype(float).mean(),
        "late payments": rows["late_payments"].astype(float).mean(),
    }


TEXT_EFFECTS = {
    "housing": {"owned": -0.3, "with family": 0.0, "rented": 0.25},
    "contract": {"permanent": -0.25, "fixed term": 0.2, "self-employed": 0.3, "none": 0.7},
    "purpose": {"home": -0.2, "car": -0.1, "other": 0.0, "debt consolidation": 0.4},
    "region": {"north": 0.0, "east": 0.0, "south": 0.0, "west": 0.0},
}


def documented_effects(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[float]]:
    """The terms of the docstring's table with their effects, intercept first; sex, group and region have none.

    Texts are counted from their first label, whose effect therefore belongs to the intercept.
    """
    numbers = frame.select_dtypes("float32").astype(float)
    known = numbers["bureau_score"] != -9
    terms = {
        "income": (np.log(numbers["income"] / 2400), -0.7),
        "employment": (numbers["employment_months"].clip(upper=120), -0.006),
        "debt": (numbers["debt_ratio"] - 35, 0.03),
        "amount": (np.log(numbers["credit_amount"] / 6000), 0.25),
        "duration": (numbers["duration_months"] - 36, 0.015),
        "score": ((numbers["bureau_score"] - 620).where(known, 0), -0.010),
        "no record": (~known, 0.5),
        "late": (numbers["late_payments"].clip(upper=4), 0.6),
        "female": (frame["sex"] == "female", 0.0),
        "B": (frame["group"] == "B", 0.0),
        "C": (frame["group"] == "C", 0.0),
    }
    intercept = -1.89
    for name, effects in TEXT_EFFECTS.items():
        first, *others = effects
        intercept += effects[first]
        terms |= {f"{name}: {label}": (frame[name] == label, effects[label] - effects[first]) for label in others}
    columns = {name: values.astype(float) for name, (values, _) in terms.items()}
    return pd.DataFrame(columns), [intercept, *(effect for _, effect in terms.values())]


def default_rates(frame: pd.DataFrame) -> pd.Series:
    return frame.groupby(["sex", "group"], observed=True)["default"].mean()


def small_frame() -> pd.DataFrame:
    return pd.DataFrame({"income": [1800, 2600], "sex": ["female", "male"], "paid": [0, 1]})
