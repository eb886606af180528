"""Options of binners and learners that cannot be: each is refused by name, and none ends in another library's error."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.errors import InputError, PluginError
from scrutable.model import Scaling
from scrutable.plugins.component import Kind
from scrutable.plugins.options import Count, Limits, check_options
from scrutable.plugins.registry import registry

from .conftest import REGRESSORS

NONSENSE = (-1, float("nan"), float("inf"), float("-inf"), 10**400, "x", "", True, [1])
#: Options that a 2 is too much for, by how they are called.
SHARES = ("share", "quantile", "approval_rate", "learning_rate", "threshold")
#: What can be below 0 for good reason.
SIGNED = {"cutoff"}
KINDS: tuple[Kind, ...] = ("binner", "learner")
SEGMENTS = {"segments": {"owned": "housing is 'owned'", "others": "else"}, "options": {"binner": "quantile"}}


def _components() -> Iterator[tuple[Kind, str]]:
    for kind in KINDS:
        yield from ((kind, name) for name in registry().names(kind) if name != "manual")


def _hints(kind: Kind, name: str) -> dict[str, Any]:
    cls = registry().load(kind, name)
    hints = typing.get_type_hints(cls.__init__)
    return {option: hints[option] for option in inspect.signature(cls).parameters}


@functools.cache
def _german() -> tuple[pd.DataFrame, pd.Series[Any]]:
    german = load_german_credit()
    return german.X[["duration_months", "credit_amount", "housing"]][:120], german.y[:120]


def _fit(kind: Kind, name: str, **options: Any) -> None:
    X, y = _german()[0].copy(), _german()[1]
    if name in REGRESSORS:
        y = X.pop("credit_amount").astype(float)
    if name == "segmented":
        options = SEGMENTS | options
    registry().create(kind, name, **options).fit(X, y)


def _numbers() -> Iterator[tuple[Kind, str, str, object]]:
    for kind, name in _components():
        for option, hint in _hints(kind, name).items():
            kinds = {each for each in typing.get_args(hint) or (hint,) if typing.get_origin(each) is not Mapping}
            if kinds & {int, float} and kinds <= {int, float, type(None)}:
                yield from ((kind, name, option, value) for value in NONSENSE if value != -1 or option not in SIGNED)
                if option.endswith(SHARES):
                    yield kind, name, option, 2
                if float not in kinds:
                    yield kind, name, option, 1.5


@pytest.mark.parametrize(("kind", "name", "option", "value"), list(_numbers()), ids=lambda each: str(each)[:20])
def test_numbers_that_cannot_be_are_refused_by_name(kind: Kind, name: str, option: str, value: Any) -> None:
    with pytest.raises(InputError, match=rf"\b{option}\b.*allowed: "):
        _fit(kind, name, **{option: value})


@pytest.mark.parametrize(("kind", "name"), list(_components()))
def test_values_of_no_type_that_an_option_has_are_refused_by_name(kind: Kind, name: str) -> None:
    for option, hint in _hints(kind, name).items():
        for value in () if hint is Any or option == "constraints" else (object(), [object()], {"x": object()}):
            if option not in ("segments", "options", "segment_options") or not isinstance(value, dict):
                with pytest.raises(InputError, match=rf"\b{option}\b"):
                    _fit(kind, name, **{option: value})


def test_a_component_is_called_by_a_text() -> None:
    with pytest.raises(PluginError, match="binner: a component is called by its name; got 5; allowed: text"):
        create("binner", 5)  # type: ignore[arg-type]  # what is tested


def _objects() -> Iterator[tuple[Kind, str, str]]:
    for kind, name in _components():
        for option, hint in _hints(kind, name).items():
            if any(is_dataclass(each) for each in typing.get_args(hint) or (hint,)) and option != "constraints":
                yield kind, name, option


@pytest.mark.parametrize(("kind", "name", "option"), list(_objects()))
def test_an_object_of_options_may_be_a_mapping(kind: Kind, name: str, option: str) -> None:
    with pytest.raises(InputError, match=rf"{option}.*unknown option; got 'no_such_option'"):
        _fit(kind, name, **{option: {"no_such_option": 1}})


@pytest.mark.parametrize("name", ["scorecard", "lda-xgb1"])
def test_scaling_as_a_mapping_is_the_same_scaling(name: str) -> None:
    german = load_german_credit()
    X, y = german.X[["duration_months", "credit_amount"]][:200], german.y[:200]
    binner = {"binner": "quantile"} if name == "scorecard" else {}
    one = registry().create("learner", name, scaling={"pdo": 40, "base_score": 500}, **binner).fit(X, y)
    other = registry().create("learner", name, scaling=Scaling(pdo=40, base_score=500), **binner).fit(X, y)
    assert one.model_.characteristics == other.model_.characteristics
    assert one.model_.scaling == other.model_.scaling


class Thing:
    """An example."""

    def __init__(
        self,
        *,
        share: typing.Annotated[float | None, Limits(0, 1, above=True)] = None,
        trend: typing.Literal["auto", "none"] | None = "auto",
        loud: bool = False,
        at: int | typing.Literal["auto"] = "auto",
        other: object = None,
        most: Count | Mapping[str, Count] = 3,
        names: Sequence[str] | Scaling = (),
        cuts: Mapping[str, Sequence[float]] | None = None,
        call: Callable[[int], int] | None = None,
    ) -> None:
        self.names, self.cuts, self.call = names, cuts, call
        self.share, self.trend, self.loud, self.at, self.other, self.most = share, trend, loud, at, other, most


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"share": 1},
        {"trend": None},
        {"loud": True},
        {"at": 3},
        {"at": "auto"},
        {"other": object()},
        {"most": {"a": 1}},
        {"trend": np.str_("auto")},
        {"names": np.array(["a", "b"])},
        {"names": pd.Index(["a"])},
        {"names": {"a", "b"}},
        {"names": iter("ab")},
        {"names": Scaling()},
        {"cuts": {"a": np.array([1, 2]), "b": (1.5,)}},
        {"call": abs},
    ],
)
def test_options_that_can_be(options: dict[str, Any]) -> None:
    check_options(Thing(**options))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"share": 0}, "share: unusable number; got 0; allowed: a finite number above 0 to 1 or None"),
        (
            {"trend": "non"},
            "trend: unknown trend; got 'non'; allowed: 'auto', 'none' or None. Fix: did you mean 'none'",
        ),
        ({"trend": 1}, "trend: unknown trend; got 1; allowed: 'auto', 'none' or None."),
        ({"loud": 1}, "loud: a value of the wrong type; got 1; allowed: True or False."),
        (
            {"at": "autos"},
            "at: unusable number; got 'autos'; allowed: a whole number or 'auto'. Fix: did you mean 'auto'",
        ),
        ({"at": 2.0}, "at: unusable number; got 2.0; allowed: a whole number or 'auto'."),
        (
            {"most": 0},
            "most: unusable number; got 0; allowed: a whole number from 1 or a mapping from columns to such values.",
        ),
        (
            {"names": "a"},
            "names: a value of the wrong type; got 'a'; allowed: a list of text or Scaling. Fix: write ['a'].",
        ),
        ({"names": [1]}, "names: a value of the wrong type; got [1]; allowed: a list of text or Scaling."),
        (
            {"cuts": {"a": ["x"]}},
            "cuts, column 'a': a value of the wrong type; got ['x']; allowed: a list of a finite number.",
        ),
        (
            {"cuts": [1]},
            "cuts: expected a mapping; got [1]; allowed: None or a mapping to a list of a finite number.",
        ),
        ({"call": 1}, "call: a value of the wrong type; got 1; allowed: a function or None."),
        ({"most": {"a": 1, "b": 0}}, "most, column 'b': unusable number; got 0; allowed: a whole number from 1."),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError) as caught:
        check_options(Thing(**options))
    assert str(caught.value).startswith(told)
