"""Checks of binners and learners: what missing, special, unseen and coded values are worth, and odd columns beside."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from scrutable.errors import InputError
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.examples.data import features_of, fit
from scrutable.testing.contract.examples.known_payers import (
    EACH,
    X,
    cuts_for,
    cutting,
    frame_of,
    options_for,
    rows_with,
    sample_of,
    worth,
    worths,
)
from scrutable.testing.contract.examples.models import HOSTILE_NAME
from scrutable.testing.contract.subject import Subject

_CODE = -9.0
#: An ordinary number that no row of fit has: nearer to the code than to any other, and lower than all.
_BESIDE = -8.5
#: Numbers and texts whose first is seldom good and whose second is often.
_ORDINARY: tuple[dict[Any, float], ...] = ({1.0: 0.1, 2.0: 0.9}, {"a": 0.1, "b": 0.9})
#: Texts of which one is seldom good, one often, and one every other time; and the same where good is bad.
_MIRRORED: tuple[dict[Any, float], ...] = ({"a": 0.1, "b": 0.9, "c": 0.5}, {"a": 0.9, "b": 0.1, "c": 0.5})
_SHARES = (0.02, 0.98)
#: How near the worst ordinary value those must be who are all but all bad; as near the best those who are good.
_WORSE = 0.25


@deciding(
    "binner",
    "learner",
    hint="learn the attribute, leaf or clause of missing values from the outcomes of the rows that lack the value",
)
def missing_values_are_worth_what_their_rows_say(subject: Subject) -> None:
    """Missing values score low where those who lack the value are bad, and high where they are good."""
    for ordinary in _ORDINARY:
        _follows(subject, ordinary, None, "missing values", {})
    _follows_beside_a_trend(subject, None, "missing values beside a trend", {})


@deciding(
    "binner",
    "learner",
    hint="hand special_codes on to what reads the data, and learn the attribute of a code from the rows that have it",
)
def special_codes_are_worth_what_their_rows_say(subject: Subject) -> None:
    """Where it takes special codes, each scores as the rows that have it say, not as the number that it looks like."""
    options = options_for(subject, special_codes={X: [_CODE]})
    if options is not None:
        _follows(subject, _ORDINARY[0], _CODE, "special codes", options)
        options = options_for(subject, special_codes={X: ["n/a"]})
        _follows(subject, _ORDINARY[1], "n/a", "special codes among texts", options or {})
    _follows_beside_a_trend(subject, _CODE, "special codes beside a trend", {"special_codes": {X: [_CODE]}})


@deciding("binner", "learner", hint="give texts that were never seen 0, or what rare ones have")
def unseen_texts_are_neither_best_nor_worst(subject: Subject) -> None:
    """Texts that no row of fit had all score alike, within those that rows had, not always at the same end."""
    end, mirrored = (_end_of_unseen(subject, shares) for shares in _MIRRORED)
    fault = f"a text that was never seen scores as the {end} that was, and again where outcomes are mirrored"
    require(end is None or end != mirrored, fault)


def _end_of_unseen(subject: Subject, shares: Mapping[Any, float]) -> str | None:
    """Whether a text that was never seen scores as the worst or the best of texts that all differ; None for neither."""
    estimator = fit(subject.make(), rows_with(subject, shares))
    *seen, unseen, other = worth(estimator, [*shares, "zebra", "a "])
    require(unseen == other, "two texts that were never seen score differently", got=f"{unseen:g} and {other:g}")
    fault = "a text that was never seen scores outside of those that were"
    require(min(seen) <= unseen <= max(seen), fault, got=f"{unseen:g}, where those have {min(seen):g} to {max(seen):g}")
    ends = {min(seen): "worst", max(seen): "best"} if len(set(seen)) == len(seen) else {}
    return ends.get(unseen)


@deciding("binner", "learner", hint="give values that no row of fit lacked a neutral value")
def what_no_row_lacked_may_be_missing_later(subject: Subject) -> None:
    """Values that no row of fit lacked may be missing later: they score within those that were seen."""
    for ordinary in _ORDINARY:
        estimator = fit(subject.make(), rows_with(subject, ordinary))
        *seen, missing = worth(estimator, [*ordinary, None])
        fault = "missing values that fit never saw score outside of what it saw"
        require(min(seen) <= missing <= max(seen), fault, got=missing)


@deciding("binner", "learner", hint="hand categorical on to what reads the data; base classes do so")
def numbers_that_are_categories_have_no_order(subject: Subject) -> None:
    """Where it takes `categorical`, a number that is a category may be worth more than the one below and above it."""
    options = options_for(subject, categorical=[X])
    if options is not None:
        estimator = fit(subject.make(**options), rows_with(subject, {1.0: 0.1, 2.0: 0.9, 3.0: 0.2}))
        first, middle, last, between, beyond = scores = worth(estimator, [1.0, 2.0, 3.0, 1.5, 99.0])
        right = middle > max(first, last) and between == beyond
        require(right, "numbers that are categories are taken for an order", got=scores)


@deciding("binner", "learner", hint="keep columns by position or in a dict, apart from columns of one's own")
def columns_may_have_any_name(subject: Subject) -> None:
    """Columns that are called as what a frame holds elsewhere, or hold quotes and blanks, are read as any other."""
    for name in ("y", "target", "outcome", "weight", "score", "index", "missing", "intercept", HOSTILE_NAME):
        plain = rows_with(subject, {1.0: 0.1, 2.0: 0.9, None: 0.02})
        plain.X.columns = [name]
        low, high, missing = worth(
            fit(subject.make(**cuts_for(subject, 2.0, of=[name])), plain), [1.0, 2.0, None], name
        )
        require(missing < high and low < high, f"a column called {name!r} is misread", got=[low, high, missing])


@deciding("binner", "learner", hint="let columns that tell nothing have a single attribute, or leave them out")
def columns_that_tell_nothing_do_no_harm(subject: Subject) -> None:
    """Beside a constant and many columns that tell nothing, the one that tells who pays still decides."""
    told = rows_with(subject, {1.0: 0.1, 2.0: 0.9})
    rows, chance = len(told.y), np.random.default_rng(0)
    noise = {f"noise_{place}": list(chance.permutation(rows) % 4 + 1.0) for place in range(20)}
    silent: dict[str, Sequence[Any]] = {"same": [7.0] * rows, **noise, "text": ["same"] * rows}
    telling: dict[str, Sequence[Any]] = {X: list(told.X[X])}
    for columns in (telling | silent, silent | telling):
        estimator = fit(cutting(subject), sample_of(subject, columns, told.y == told.y.max()))
        usual = frame_of({name: [values[0]] * 2 for name, values in columns.items()})
        low, high = worths(estimator, usual.assign(**{X: [1.0, 2.0]}))
        require(np.isfinite([low, high]).all() and low < high, "columns that tell nothing drown the one that does")


@deciding("binner", "learner", hint="compare texts as they are, and ask first whether they are missing")
def texts_are_what_they_are(subject: Subject) -> None:
    """Texts such as "None", "nan" and "" are no missing values; "a", "A" and "a " are three texts, as long ones are."""
    for text in ("None", "nan", "NA", "", "null"):
        shares = {"a": 0.1, text: 0.9, None: 0.02}
        low, high, missing = scores = worth(fit(subject.make(), rows_with(subject, shares)), list(shares))
        require(missing < high and low < high, f"the text {text!r} is taken for a missing value", got=scores)
    for texts in (["a", "A", "a "], [f"{'long ' * 60}{end}" for end in "abc"], ["a" * 70, "a" * 71, "a" * 72]):
        shares = dict(zip(texts, (0.1, 0.9, 0.9), strict=True))
        low, high, last = worth(fit(subject.make(), rows_with(subject, shares)), texts)
        told = "texts that differ in case, in blanks or at their ends alone are taken for one"
        require(low < min(high, last), told, got=[low, high, last])


@deciding("binner", "learner", hint="take infinities for the largest and smallest of numbers")
def infinities_are_numbers(subject: Subject) -> None:
    """Infinite values in the rows of fit are worth what large and small numbers are, and are not missing."""
    for infinite, other in ((np.inf, 1.0), (-np.inf, 2.0)):
        estimator = fit(cutting(subject), rows_with(subject, {1.0: 0.3, 2.0: 0.3, infinite: 0.95}))
        score, farthest = worth(estimator, [infinite, other])
        require(score > farthest, f"{infinite} does not score as its rows say", got=[score, farthest])


@deciding("binner", "learner", hint="cut between values, and let a cut belong to the interval above it")
def neighbours_are_told_apart(subject: Subject) -> None:
    """Two values, of which one is rarer, score apart on whatever scale; a learner finds the step among three, too."""
    for pair in ((1.0, 2.0), (0.0, 1.0), (-3.5, -2.25), (0.1, 0.2), (1e9, 2e9)):
        for rarer, shares in itertools.product((0, 1), ((0.1, 0.9), (0.9, 0.1))):
            column = [*pair, pair[1 - rarer], pair[1 - rarer]] * EACH
            good = [place // 4 < shares[pair.index(value)] * EACH for place, value in enumerate(column)]
            low, high = worth(fit(cutting(subject, pair[1]), sample_of(subject, {X: column}, good)), pair)
            told = low < high if shares[0] < shares[1] else high < low
            require(told, f"{pair[0]:g} and {pair[1]:g} do not score as their rows say", got=[low, high])
    if subject.component.kind == "learner":
        _finds_the_step(subject)


def _finds_the_step(subject: Subject) -> None:
    """Require that of three values the step is between those between which outcomes turn."""
    values = [1.0, 2.0, 3.0]
    for shares in ((0.05, 0.95, 0.95), (0.05, 0.05, 0.95)):
        scores = worth(fit(subject.make(), rows_with(subject, dict(zip(values, shares, strict=True)))), values)
        steps = np.diff(scores)
        fault = f"of the values 1, 2 and 3, with {shares} of their rows good, one is on the wrong side of a cut"
        require(np.argmax(steps) == np.argmax(np.diff(shares)) and steps.max() > 0, fault, got=scores)


def _follows(subject: Subject, ordinary: dict[Any, float], value: Any, what: str, options: dict[str, Any]) -> None:
    """Require that a value beside the ordinary ones scores as its own rows say: like the worst, or like the best."""
    places = []
    for share in _SHARES:
        estimator = fit(cutting(subject, list(ordinary)[1], **options), rows_with(subject, {**ordinary, value: share}))
        low, high, score = worth(estimator, [*ordinary, value])
        require(low < high, f"beside {what} the ordinary values do not score as their rows say", got=[low, high])
        places.append((score - low) / (high - low))
        if value is not None:
            _is_set_apart(estimator, value, low)
    fault = f"{what} do not score as the rows say that have them"
    between = "between the worst ordinary value (0) and the best (1) they are at"
    said = f"{between} {places[0]:.3g} where all but all are bad, at {places[1]:.3g} where good"
    require(places[0] < _WORSE and places[1] > 1 - _WORSE, fault, got=said)


def _follows_beside_a_trend(subject: Subject, value: Any, what: str, given: dict[str, Any]) -> None:
    """Require the same where the ordinary numbers have a trend, which they follow; or fit refuses it."""
    options = options_for(subject, trends={X: "ascending"}, **given)
    if options is not None:
        with contextlib.suppress(InputError):
            _follows(subject, _ORDINARY[0], value, what, options)


def _is_set_apart(estimator: Any, code: Any, low: float) -> None:
    """Require that a special code is one in what was learned, and that its neighbours are worth what numbers are."""
    [feature] = features_of(estimator)
    require(code in feature.special_codes, "what is learned does not know of a special code", got=feature)
    by_attribute = hasattr(estimator, "binning_") or hasattr(estimator.model_, "characteristics")
    if code == _CODE and by_attribute:
        beside = worth(estimator, [_BESIDE])[0]
        require(beside == low, f"{_BESIDE:g} is no special code, and scores like {_CODE:g}, which is one", got=beside)
