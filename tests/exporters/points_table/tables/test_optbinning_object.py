"""Scorecards that OptBinning fitted score every row as OptBinning does."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from scrutable import create, evaluate
from scrutable.data.datasets import load_german_credit
from scrutable.errors import InputError
from scrutable.model import Otherwise, Outcome
from scrutable.proof import certify, exporter_at, verification_rows
from scrutable_points_table.tables import ImportedCard, from_optbinning, read_points_table

optbinning = pytest.importorskip("optbinning")

OUTCOME = Outcome(target="bad", classes=(0, 1), favourable=0)
PARAMETERS = {
    None: None,
    "pdo_odds": {"pdo": 20, "odds": 50, "scorecard_points": 600},
    "min_max": {"min": 0, "max": 1000},
}
CASES = [(None, False), ("pdo_odds", False), ("pdo_odds", True), ("min_max", False), ("min_max", True)]
HELOC = (
    *("ExternalRiskEstimate", "MSinceOldestTradeOpen", "MSinceMostRecentTradeOpen", "AverageMInFile"),
    *("NumSatisfactoryTrades", "NumTrades60Ever2DerogPubRec", "NumTrades90Ever2DerogPubRec"),
    *("PercentTradesNeverDelq", "MSinceMostRecentDelq", "MaxDelq2PublicRecLast12M", "MaxDelqEver", "NumTotalTrades"),
    *("NumTradesOpeninLast12M", "PercentInstallTrades", "MSinceMostRecentInqexcl7days", "NumInqLast6M"),
    *("NumInqLast6Mexcl7days", "NetFractionRevolvingBurden", "NetFractionInstallBurden", "NumRevolvingTradesWBalance"),
    *("NumInstallTradesWBalance", "NumBank2NatlTradesWHighUtilization", "PercentTradesWBalance"),
)


def fit(X: pd.DataFrame, y: Any, method: str | None, rounding: bool, *, process: dict[str, Any], **further: Any) -> Any:
    binning = optbinning.BinningProcess(list(X.columns), **process)
    card = optbinning.Scorecard(
        binning,
        LogisticRegression(max_iter=1000),
        scaling_method=method,
        scaling_method_params=PARAMETERS[method],
        rounding=rounding,
        **further,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return card.fit(X, y)


def german() -> tuple[pd.DataFrame, Any, dict[str, Any]]:
    """Numbers, and texts of which the rare ones are put together."""
    data = load_german_credit()
    X = data.X[["purpose", "checking_status", "duration_months", "credit_amount"]].astype(
        {"purpose": object, "checking_status": object}
    )
    process = {
        "categorical_variables": ["purpose", "checking_status"],
        "binning_fit_params": {"purpose": {"cat_cutoff": 0.05}},
    }
    return X, (data.y == "bad").astype(int).to_numpy(), process


def german_with_holes(X: pd.DataFrame) -> pd.DataFrame:
    holed = X.astype({"duration_months": float, "credit_amount": float})
    for place, name in enumerate(holed.columns):
        holed.loc[holed.index % 9 == place, name] = None
    holed.loc[holed.index % 10 == 7, "purpose"] = "never seen"
    return holed


def heloc(data_dir: Path) -> tuple[pd.DataFrame, Any, dict[str, Any]]:
    raw = pd.read_csv(data_dir / "heloc.csv.gz", sep=" ", header=None)
    X = raw.iloc[:, 1:].set_axis(list(HELOC), axis=1).astype(float)
    return X, raw[0].to_numpy(), {"special_codes": [-7, -8, -9], "max_n_bins": 5}


def scores(found: ImportedCard, X: pd.DataFrame) -> Any:
    """The model's scores as the table's points run."""
    score = evaluate(found.model, X).score
    return -score if found.report.negated else score


def theirs(card: Any, X: pd.DataFrame) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return card.score(X)


def agree(found: ImportedCard, card: Any, X: pd.DataFrame, rounding: bool) -> None:
    """Equal to the last bit where points are whole, and within what the report says where they are not."""
    ours, software = scores(found, X), theirs(card, X)
    if rounding:
        assert found.report.largest_difference == 0
        assert (ours == software).all()
    else:
        assert 0 < found.report.largest_difference < 1e-7
        assert np.abs(ours - software).max() <= found.report.largest_difference + 1e-10  # their sum rounds as well
    if not rounding:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            probability = card.predict_proba(X)[:, 0]
        assert np.abs(evaluate(found.model, X).probability - probability).max() < 1e-7


@pytest.mark.real_data
@pytest.mark.parametrize(("method", "rounding"), CASES)
def test_heloc_with_special_codes(data_dir: Path, method: str | None, rounding: bool) -> None:
    X, y, process = heloc(data_dir)
    card = fit(X, y, method, rounding, process=process)
    found = from_optbinning(card, outcome=OUTCOME)
    assert len(X) == 10_459
    assert found.report.negated is (method is None)  # unscaled points are log-odds of a bad outcome
    assert all(feature.special_codes == (-7.0, -8.0, -9.0) for feature in found.model.features)
    agree(found, card, X, rounding)


@pytest.mark.real_data
def test_heloc_from_its_printed_table_runs_in_a_database(data_dir: Path) -> None:
    X, y, process = heloc(data_dir)
    card = fit(X, y, "pdo_odds", True, process=process)
    text = card.table("summary").to_csv(index=False)
    found = read_points_table(pd.read_csv(io.StringIO(text)), outcome=OUTCOME, special_codes=(-7, -8, -9), cutoff=520)
    assert (scores(found, X) == theirs(card, X)).all()  # cuts of whole numbers lie at halves, which are printed whole
    certificate = certify(found.model, [exporter_at("duckdb")], verification_rows(found.model, X, n_random=500))
    assert certificate.passed
    assert certificate.runs[0].n_rows > 10_459
    export = create("exporter", "points-table", layout="optbinning").export(found.model)
    assert [line.rpartition(",")[0] for line in export.text.splitlines()] == (
        [line.rpartition(",")[0] for line in text.splitlines()]
    )


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("intercept_based", [False, True])
@pytest.mark.parametrize(("method", "rounding"), CASES)
def test_german_credit_with_categories(
    method: str | None, rounding: bool, reverse: bool, intercept_based: bool
) -> None:
    X, y, process = german()
    card = fit(X, y, method, rounding, process=process, reverse_scorecard=reverse, intercept_based=intercept_based)
    found = from_optbinning(card, outcome=OUTCOME)
    agree(found, card, X, rounding)
    holed = german_with_holes(X)
    assert np.abs(scores(found, holed) - theirs(card, holed)).max() <= found.report.largest_difference + 1e-10


@pytest.mark.parametrize("style", ["summary", "detailed"])
def test_german_credit_from_its_table_as_frame_and_as_csv(style: str, tmp_path: Path) -> None:
    X, y, process = german()
    card = fit(X, y, "pdo_odds", True, process=process)
    path = tmp_path / "card.csv"
    card.table(style).to_csv(path)
    for source in (card.table(style), path):
        found = read_points_table(source, outcome=OUTCOME, special_codes=(), cutoff=520)
        assert (scores(found, X) == theirs(card, X)).all()
        assert (scores(found, german_with_holes(X)) == theirs(card, german_with_holes(X))).all()


def test_a_detailed_table_tells_which_way_the_points_run() -> None:
    X, y, process = german()
    card = fit(X, y, None, False, process=process)
    found = read_points_table(card.table("detailed"), outcome=OUTCOME, cutoff=0)
    assert found.report.negated
    assert np.abs(scores(found, X) - theirs(card, X)).max() < 1e-7
    counted = found.model.characteristics[0].attributes[0].statistics
    assert counted is not None
    assert (counted.good, counted.bad) == (86.0, 17.0)


def test_exact_cuts_where_the_printed_ones_are_rounded() -> None:
    chance = np.random.default_rng(0)
    X = pd.DataFrame({"x": chance.random(2000)})
    card = fit(X, (chance.random(2000) < X.x).astype(int).to_numpy(), "pdo_odds", True, process={})
    assert (scores(from_optbinning(card, outcome=OUTCOME), X) == theirs(card, X)).all()
    printed = read_points_table(card.table(), outcome=OUTCOME, special_codes=(), cutoff=500)
    assert (scores(printed, X) != theirs(card, X)).any()
    assert any("two decimals" in each.what for each in printed.report.of("assumption"))


def test_exact_cuts_where_the_printed_ones_coincide() -> None:
    chance = np.random.default_rng(0)
    X = pd.DataFrame({"x": chance.random(2000) / 20})
    card = fit(X, (chance.random(2000) < X.x * 20).astype(int).to_numpy(), "pdo_odds", True, process={})
    assert (scores(from_optbinning(card, outcome=OUTCOME), X) == theirs(card, X)).all()
    with pytest.raises(InputError, match=r"holds no number.*more digits, or import the fitted object"):
        read_points_table(card.table(), outcome=OUTCOME, special_codes=())


def test_special_codes_of_several_rows() -> None:
    X, y, process = german()
    coded = X.assign(duration_months=X.duration_months.where(X.index % 10 > 1, -9).where(X.index % 10 != 1, -8))
    specials = {"no record": -9, "not asked": [-8, -7]}
    process["binning_fit_params"] = {"duration_months": {"special_codes": specials}}
    card = fit(coded, y, "pdo_odds", True, process=process)
    found = from_optbinning(card, outcome=OUTCOME)
    assert (scores(found, coded) == theirs(card, coded)).all()
    named = read_points_table(
        card.table("detailed"), outcome=OUTCOME, special_codes={"duration_months": specials}, cutoff=520
    )
    assert (scores(named, coded) == theirs(card, coded)).all()


@pytest.mark.parametrize(("method", "rounding"), CASES)
def test_codes_that_are_numbers_are_left_out_of_texts(method: str | None, rounding: bool) -> None:
    """The binning process gives its codes to all variables, texts among them, which can hold no number."""
    X, y, process = german()
    coded = X.assign(duration_months=X.duration_months.where(X.index % 10 > 1, -9))
    card = fit(coded, y, method, rounding, process=process | {"special_codes": [-9]})
    found = from_optbinning(card, outcome=OUTCOME)
    codes = {feature.name: feature.special_codes for feature in found.model.features}
    assert codes == {"duration_months": (-9.0,), "credit_amount": (-9.0,), "purpose": (), "checking_status": ()}
    agree(found, card, coded, rounding)
    notes = {each.where for each in found.report.of("note") if "left out: -9" in each.what}
    assert notes == {"purpose", "checking_status"}


def test_codes_of_texts_that_are_texts() -> None:
    X, y, process = german()
    coded = X.assign(purpose=X.purpose.where(X.index % 10 > 1, "?"))
    card = fit(coded, y, "pdo_odds", True, process=process | {"special_codes": [-9, "?"]})
    found = from_optbinning(card, outcome=OUTCOME)
    assert {feature.name: feature.special_codes for feature in found.model.features}["purpose"] == ("?",)
    assert (scores(found, coded) == theirs(card, coded)).all()


def test_codes_of_texts_that_people_have_are_not_left_out() -> None:
    X, y, process = german()
    coded = X.assign(purpose=X.purpose.where(X.index % 10 > 1, -9))
    card = fit(coded, y, "pdo_odds", True, process=process | {"special_codes": [-9]})
    with pytest.raises(InputError, match=r"'purpose'.*special codes of another kind.*-9.*fit with texts"):
        from_optbinning(card, outcome=OUTCOME)


def test_what_is_unseen_gets_what_optbinning_gives() -> None:
    X, y, process = german()
    found = from_optbinning(fit(X, y, "pdo_odds", True, process=process), outcome=OUTCOME)
    purpose = next(each for each in found.model.characteristics if each.feature == "purpose")
    points = {type(each.condition): each.points for each in purpose.attributes}
    assert points[Otherwise] == purpose.attributes[-1].points


def test_the_favourable_class_turns_the_model() -> None:
    X, y, process = german()
    card = fit(X, y, "pdo_odds", True, process=process)
    turned = from_optbinning(card, outcome=Outcome(classes=(0, 1), favourable=1))
    assert turned.report.negated
    assert (scores(turned, X) == theirs(card, X)).all()
    other = from_optbinning(card, outcome=OUTCOME)
    total = evaluate(turned.model, X).probability + evaluate(other.model, X).probability
    assert np.abs(total - 1).max() < 1e-9


def test_it_says_where_it_comes_from() -> None:
    X, y, process = german()
    found = from_optbinning(fit(X, y, "pdo_odds", True, process=process), outcome=OUTCOME)
    assert found.model.provenance.versions["optbinning"] == optbinning.__version__
    assert "cuts that OptBinning uses itself" in found.report.describe()


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        (SimpleNamespace(), "not a fitted OptBinning scorecard; got 'SimpleNamespace'"),
        (SimpleNamespace(binning_process_=1, table=1, _target_dtype="continuous"), "not a scorecard for two classes"),
        (
            SimpleNamespace(
                binning_process_=SimpleNamespace(binning_transform_params={"x": {"metric_missing": 0}}), table=1
            ),
            "transform options of single variables",
        ),
    ],
)
def test_what_cannot_be_read_is_refused(thing: Any, text: str) -> None:
    with pytest.raises(InputError, match=text):
        from_optbinning(thing)
