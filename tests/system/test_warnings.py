"""Which warnings are errors in these tests: those that our own code is to blame for."""

from __future__ import annotations

import warnings

import pytest

OURS = ("scrutable", "scrutable.model.evaluator", "scrutable_fairgbm.learner", "tests.core.test_errors", "__main__")
THEIRS = ("weasyprint.text.ffi", "lightgbm.basic", "importlib._bootstrap")


def _warn(category: type[Warning], module: str) -> None:
    with warnings.catch_warnings(record=True):
        warnings.warn_explicit("a library says so", category, "somewhere.py", 1, module=module)


@pytest.mark.parametrize("module", OURS)
@pytest.mark.parametrize("category", [DeprecationWarning, PendingDeprecationWarning, UserWarning, FutureWarning])
def test_warnings_of_our_code_are_errors(category: type[Warning], module: str) -> None:
    with pytest.raises(category):
        _warn(category, module)


def test_the_names_of_test_modules_are_among_ours() -> None:
    with pytest.raises(DeprecationWarning):
        _warn(DeprecationWarning, __name__)


@pytest.mark.parametrize("module", THEIRS)
@pytest.mark.parametrize("category", [DeprecationWarning, PendingDeprecationWarning])
def test_what_libraries_say_of_their_own_code_is_none(category: type[Warning], module: str) -> None:
    _warn(category, module)


@pytest.mark.parametrize("module", ["weasyprint.text.fonts", "platformdirs.unix", "joblib.externals.loky"])
def test_what_libraries_say_of_the_machine_is_none(module: str) -> None:
    _warn(UserWarning, module)


@pytest.mark.parametrize("category", [RuntimeWarning, FutureWarning, ResourceWarning, UserWarning])
def test_what_libraries_say_of_numbers_and_arguments_is_an_error(category: type[Warning]) -> None:
    with pytest.raises(category):
        _warn(category, "sklearn.linear_model._logistic")
