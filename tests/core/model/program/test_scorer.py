"""One applicant at a time gets what the evaluator says of a whole table."""

from __future__ import annotations

import math
import subprocess
import sys
from decimal import Decimal
from typing import Any

import pytest
from drawn import of_every_kind

from scrutable.errors import InputError, KindError
from scrutable.model import Model, dump
from scrutable.model.evaluator import Evaluation, RegressionEvaluation, evaluate
from scrutable.proof.edges import edge_rows
from scrutable.testing.contract.examples.models import models_named


def expected(model: Model, evaluation: Evaluation | RegressionEvaluation, row: int) -> tuple[Any, ...]:
    if isinstance(evaluation, RegressionEvaluation):
        return evaluation.score[row], None, []
    if not evaluation.outcome.binary:
        return None, evaluation.outcome.classes[evaluation.predicted[row]], []
    assert evaluation.score is not None
    codes = [evaluation.knock_out[row]] if evaluation.reasons is None else evaluation.reasons[row].tolist()
    return evaluation.score[row], bool(evaluation.approved[row]), [code for code in codes if code is not None]


def test_it_says_what_the_evaluator_says() -> None:
    for model in of_every_kind(10):
        rows = edge_rows(model, n_random=10)
        names = list(rows)
        evaluation, by_name, by_place = evaluate(model, rows), model.scorer(), model.scorer(names)
        for place, values in enumerate(rows.itertuples(index=False, name=None)):
            told = expected(model, evaluation, place)
            assert by_name(dict(zip(names, values, strict=True))) == told
            assert by_place(values) == told


def test_missing_and_unusual_values() -> None:
    model = models_named()["scorecard"]
    row = {"age": 19.0, "job": "student", "region": 1.0, "amount": 5.0, "further": object()}
    score = model.scorer()
    assert score({**row, "age": None}) == score({**row, "age": math.nan})
    assert score({**row, "job": None}) == score({**row, "job": math.nan})
    assert score({**row, "age": Decimal(19)}) == score({**row, "age": 19}) == score(row)
    assert type(score(row)[0]) is float


@pytest.mark.parametrize("change", [{"age": "old"}, {"job": 3.0}, {"region": "north"}, {"amount": ["much"]}])
def test_values_of_another_kind_are_refused(change: dict[str, Any]) -> None:
    for model in (models_named()["scorecard"], models_named()["segmented-model"]):
        row = {"age": 19.0, "job": "student", "region": 1.0, "amount": 5.0} | change
        with pytest.raises((KindError, InputError), match=next(iter(change))):
            model.scorer()(row)


def test_rows_that_lack_something_are_refused() -> None:
    model = models_named()["stumps"]
    lacking = r"column 'income': the applicant has no value for it; allowed: .*Fix: add it to the applicant, as None"
    with pytest.raises(InputError, match=lacking):
        model.scorer()({"age": 19.0})
    with pytest.raises(InputError, match="did you mean 'incom'"):
        model.scorer()({"age": 19.0, "incom": 5.0})
    with pytest.raises(InputError, match="expected the values by name"):
        model.scorer()((19.0, 1000.0))
    with pytest.raises(InputError, match=r"expected a value for each column.*Fix: give the values of 'age', 'income'"):
        model.scorer(["age", "income"])((19.0,))
    with pytest.raises(InputError, match="income"):
        model.scorer(["age"])


def test_it_loads_neither_numpy_nor_pandas(tmp_path: Any) -> None:
    dump(models_named()["scorecard"], tmp_path / "model.json")
    code = (
        "import sys; from scrutable.model import load; score = load(sys.argv[1]).scorer();"
        "print(score(dict(age=19.0, job='student', region=1.0, amount=None))[0]);"
        "print([name for name in ('numpy', 'pandas', 'narwhals', 'sklearn') if name in sys.modules])"
    )
    said = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "model.json")], capture_output=True, text=True, check=True
    )
    assert said.stdout.splitlines() == ["530.6095238095149", "[]"]
