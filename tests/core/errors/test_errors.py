"""The text of errors, and that they survive being sent between processes."""

from __future__ import annotations

import copy
import itertools
import pickle
from pathlib import Path

import pytest

from scrutable import create, errors
from scrutable.errors import (
    LONGEST,
    InputError,
    KindError,
    ModelError,
    PluginError,
    ScrutableError,
    UnsupportedModel,
    did_you_mean,
)
from scrutable.fairness import Groups, SmallGroupWarning

KINDS = (InputError, KindError, ModelError, PluginError, UnsupportedModel)


def test_the_text_has_every_part_that_is_given() -> None:
    assert str(InputError("broken")) == "broken."
    assert str(InputError("broken", where="column 'a'", got=None)) == "column 'a': broken; got None."
    assert str(InputError("broken", allowed="numbers", fix="mend it")) == "broken; allowed: numbers. Fix: mend it."


def test_a_long_value_is_shortened() -> None:
    error = InputError("broken", got="x" * 1000)
    assert error.got == "'" + "x" * 118 + "…"


def test_no_part_is_longer_than_people_read_whatever_is_in_it() -> None:
    long = "x" * 1_000_000
    error = InputError(long, where=f"{long} at the end", got=[long] * 9, allowed=long, fix=f"mend it: {long}")
    assert len(str(error)) < 5 * LONGEST
    assert (error.where or "").endswith(" at the end")
    error.where = f"file {long!r}: {error.where}"  # whoever knows more of the place says so later
    assert len(str(error)) < 5 * LONGEST
    assert len(str(pickle.loads(pickle.dumps(error)))) == len(str(error))


def test_errors_can_be_printed_whatever_is_in_them() -> None:
    half = "\ud800"
    error = InputError(f"broken {half}", where=f"column {half}", got=half, allowed=half, fix=f"mend {half}")
    assert str(error) == str(error).encode().decode()
    assert str(error).count(r"\ud800") == 5


def test_a_value_that_cannot_be_shown_is_named_by_its_type() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    shown = {InputError("broken", got=value).got for value in (10**5000, deep, Unshown())}
    assert shown == {"an int that cannot be shown", "a list that cannot be shown", "an Unshown that cannot be shown"}


class Unshown:
    def __repr__(self) -> str:
        raise OSError("out of order")


@pytest.mark.parametrize("kind", KINDS)
def test_errors_can_be_copied_and_pickled(kind: type[ScrutableError]) -> None:
    error = kind("broken", where="column 'a'", got=[1], allowed="numbers", fix="mend it")
    for copied in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(copied) is kind
        assert str(copied) == str(error) == "column 'a': broken; got [1]; allowed: numbers. Fix: mend it."


def test_errors_are_what_python_calls_them() -> None:
    assert issubclass(InputError, ValueError)
    assert issubclass(KindError, TypeError)
    assert issubclass(ModelError, ValueError)
    assert all(issubclass(kind, ScrutableError) for kind in KINDS)


def test_did_you_mean() -> None:
    assert did_you_mean("agee", ["age", "sex"]) == "did you mean 'age'?"
    assert did_you_mean("bins", ["bin", "binss", "y"]) == "did you mean 'binss' or 'bin'?"
    assert did_you_mean("zzz", ["b", "a"]) == "one of 'a', 'b'"
    assert did_you_mean("zzz", []) == "none is known"


def test_suggestions_among_many_long_names_are_short_and_take_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    said = did_you_mean("zzz", [f"n{i}" for i in range(3000)])
    assert said.startswith("one of 'n0', 'n1', 'n10', ")
    assert said.endswith(", … (3000 in all)")
    compared: list[int] = []
    slips = errors._slips
    monkeypatch.setattr(
        errors, "_slips", lambda one, other: compared.append(len(one) * len(other)) or slips(one, other)
    )
    hostile = ["".join(letters) for letters in itertools.islice(itertools.permutations("abcdefghijklmnop" * 2), 5000)]
    for names in (hostile, ["x" * 100_000, "y" * 100_000]):
        did_you_mean(names[0][::-1], names)
    assert sum(compared) < 2_000_000


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("income", "home", False),
        ("housing", "missing", False),
        ("status", "region", False),
        ("x", "y", False),
        ("V000", "age", False),
        ("monthly_income", "monthly_payment", False),
        ("sex", "age", False),
        ("", "age", False),
        ("-", "_", False),
        ("Housing", "housing", True),
        ("reasoncodes", "reason-codes", True),
        ("amount", "credit_amount", True),
        ("max_bin", "max_bins", True),
        ("favorable", "favourable", True),
        ("trheshold", "threshold", True),
        ("x1", "x2", True),
    ],
)
def test_far_names_are_not_suggested(name: str, known: str, meant: bool) -> None:
    assert did_you_mean(name, [known]).startswith("did you mean") == meant


def test_a_warning_names_the_line_that_called_scrutable() -> None:
    groups = {"sex": ["f"] * 9 + ["m"] * 40}
    with pytest.warns(SmallGroupWarning) as direct:
        Groups.from_frame(groups)
    learner = create("learner", "scorecard", binner="quantile", favourable=1)
    X, y = {"x": [row % 5 for row in range(49)]}, [0, 1] * 24 + [0]
    with pytest.warns(SmallGroupWarning) as deep:
        learner.fit(X, y, sensitive_features=groups)
    assert [str(Path(one.filename)) for one in (*direct, *deep)] == [__file__] * 2
