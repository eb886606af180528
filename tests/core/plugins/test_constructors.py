"""Constructors that are made of annotated attributes, and classes that none can be made for."""

from __future__ import annotations

import pickle
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar, get_type_hints

import pytest
from sklearn.base import clone

from scrutable.plugins.bases import Binner, estimator

if TYPE_CHECKING:
    from decimal import Decimal


@estimator
class Halves(Binner):
    share: float = 0.5
    kinds: ClassVar = ("a",)
    _kept: Decimal | None = None


@estimator
class Thirds(Halves):
    third: Decimal | None = None
    share: float = 0.3


def test_options_of_bases_follow_and_scikit_learn_knows_them() -> None:
    assert list(signature(Thirds).parameters)[:4] == ["third", "share", "trends", "cuts"]
    made = clone(Thirds(third=None, encoding="index"))
    assert (made.share, made.encoding, Halves().share) == (0.3, "index", 0.5)
    assert made.get_params()["trends"] is None
    assert pickle.loads(pickle.dumps(made)).get_params() == made.get_params()
    assert get_type_hints(Halves.__init__)["share"] is float
    assert {"kinds", "_kept"}.isdisjoint(signature(Halves).parameters)


def test_an_annotation_that_only_type_checkers_know_is_kept_as_it_is_written() -> None:
    assert signature(Thirds).parameters["third"].annotation == "Decimal | None"
    names: dict[str, Any] = {"Binner": Binner, "estimator": estimator}
    exec(
        "from __future__ import annotations\n@estimator\nclass Own(Binner):\n    at: Unknown = 3\n", names
    )  # no module
    assert names["Own"]().at == 3


def _explicit() -> None:
    @estimator
    class Own(Binner):
        def __init__(self, *, depth: int = 3) -> None:
            self.depth = depth


def _explicit_base() -> None:
    class Base(Binner):
        def __init__(self, *, depth: int = 3, **further: Any) -> None:
            super().__init__(**further)
            self.depth = depth

    @estimator
    class Own(Base):
        share: float = 0.5


def _shared() -> None:
    @estimator
    class Own(Binner):
        names: list[str] = []  # noqa: RUF012


def _unannotated() -> None:
    @estimator
    class Own(Halves):
        share = 0.9


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (_explicit, r"Own\.__init__ is written out"),
        (_explicit_base, r"Base\.__init__ is written out"),
        (_shared, r"Own\.names: its default would be shared"),
        (_unannotated, r"Own\.share is an option of its base; state it with its annotation"),
    ],
)
def test_a_class_that_would_lose_something_is_refused(make: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        make()
