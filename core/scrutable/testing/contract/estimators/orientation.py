"""Checks of binners and learners on data of which it is known who pays: scores move with classes, weights and rows."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from scrutable.errors import InputError
from scrutable.model import RuleSet
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.examples.data import fit, learns_classes, learns_quantities
from scrutable.testing.contract.examples.known_payers import (
    EACH,
    X,
    cutting,
    frame_of,
    has_option,
    rows_with,
    sample_of,
    worth,
)
from scrutable.testing.contract.subject import Subject

#: Classes as data hold them, in their order.
_LABELS: tuple[tuple[Any, Any], ...] = (("bad", "good"), (0, 1), (False, True), (1.0, 2.0), ("1", "2"))
_HEAVY = 40.0
#: Shares of good rows by the values of two columns; what lacks a value adds to what the other one tells.
_GAPS: dict[tuple[float | None, float | None], float] = {
    (1.0, 1.0): 0.25,
    (2.0, 1.0): 0.4,
    (1.0, None): 0.7,
    (2.0, None): 0.82,
    (None, 1.0): 0.6,
    (None, None): 0.91,
}
#: How far a probability may be from the share of good rows.
_NEAR = 0.08


@deciding(
    "binner",
    "learner",
    hint="read the data with favourable=self.favourable, and learn from data.good: it is True where that class stands",
)
def scores_favour_the_favourable_class(subject: Subject) -> None:
    """Whoever has the favourable class more often scores higher, whichever class that is and however it is called."""
    if learns_quantities(subject):
        return _rises_with_the_quantity(subject)
    for labels in _LABELS:
        asked = (None, *labels) if has_option(subject, "favourable") else (None,)
        for favourable in asked:
            _favours(subject, labels, favourable)
    return None


@deciding("binner", "learner", hint="hand sample_weight on, and count and fit with data.weight")
def weights_decide(subject: Subject) -> None:
    """Of rows that contradict one another those that weigh more decide, and those of weight 0 say nothing."""
    values, place = [1.0, 2.0] * (2 * EACH), np.arange(4 * EACH)
    opposed = place % 4 >= 2
    good = (np.array(values) == 2.0) ^ opposed ^ (place // 4 % 10 == 0)  # one in ten is otherwise
    sample = sample_of(subject, {X: values}, good)
    for (heavy, light), rises in itertools.product(((_HEAVY, 1.0), (1.0, 0.0), (0.4, 0.1)), (True, False)):
        weight = np.where(opposed == rises, light, heavy)
        low, high = worth(fit(cutting(subject), sample, sample_weight=weight), [1.0, 2.0])
        fault = f"rows of weight {light:g} outvote rows of weight {heavy:g}, so weights are lost or misread"
        require(low < high if rises else high < low, fault, got=f"scores {low:g} and {high:g}")
    few = place < 24  # a tenth of the rows, and two thirds of the weight
    contrary = sample_of(subject, {X: values}, (np.array(values) == 2.0) ^ few ^ (place % 7 == 0))
    low, high = worth(fit(cutting(subject), contrary, sample_weight=np.where(few, 20.0, 1.0)), [1.0, 2.0])
    require(high < low, "few rows that weigh much do not outvote many that weigh little", got=(low, high))


@deciding("binner", "learner", hint="learn from all rows, wherever they stand")
def rows_count_wherever_they_stand(subject: Subject) -> None:
    """Rows tell as much at the beginning as in the middle and at the end."""
    telling, silent = [False, True] * EACH, [False, False, True, True] * (EACH // 2)
    for place in range(3):
        good = [*silent * place, *telling, *silent * (2 - place)]
        values = [1.0, 2.0] * (len(good) // 2)
        low, high = worth(fit(cutting(subject), sample_of(subject, {X: values}, good)), [1.0, 2.0])
        where = ("first", "middle", "last")[place]
        require(low < high, f"what the {where} third of the rows tells is lost", got=f"scores {low:g} and {high:g}")


@deciding("learner", hint="set the calibration and the base points (intercept) so that probabilities fit")
def probabilities_are_near_the_shares(subject: Subject) -> None:
    """Probabilities of the favourable class are near the share of it where shares are all there is to learn."""
    if not learns_classes(subject):
        return
    for low, high in ((0.1, 0.9), (0.9, 0.1)):
        shares = {1.0: low, 2.0: high, 3.0: high, 4.0: high}
        learner = fit(subject.make(), rows_with(subject, shares))
        if isinstance(learner.model_, RuleSet):  # its probabilities are shares of votes
            return
        proba = learner.predict_proba(frame_of({X: list(shares)}))[:, 1]
        far = [f"{each:.3f} for {share}" for each, share in zip(proba, shares.values(), strict=True)]
        fault = "probabilities of the favourable class are far from its share in the rows"
        require(np.abs(proba - np.array(list(shares.values()))).max() < _NEAR, fault, got=", ".join(far))


@deciding("learner", hint="set the calibration on all rows, those with missing values too")
def probabilities_are_near_the_shares_beside_gaps(subject: Subject) -> None:
    """Where most rows lack one value or another, probabilities are near the shares, of complete rows as well."""
    if not learns_classes(subject):
        return
    for shares in (_GAPS, {rows: 1 - share for rows, share in _GAPS.items()}):
        cells = list(shares)
        good = [place < round(share * EACH) for place in range(EACH) for share in shares.values()]
        columns = {name: [cell[at] for cell in cells] * EACH for at, name in enumerate((X, "z"))}
        try:
            learner = fit(subject.make(), sample_of(subject, columns, good))
        except InputError:  # it finds nothing to learn here
            return
        if isinstance(learner.model_, RuleSet):
            return
        proba = learner.predict_proba(frame_of({name: values[: len(cells)] for name, values in columns.items()}))[:, 1]
        far = [f"{each:.3f} for {share}" for each, share in zip(proba, shares.values(), strict=True)]
        fault = "where most rows lack a value, probabilities are far from the shares"
        require(np.abs(proba - np.array(list(shares.values()))).max() < 2 * _NEAR, fault, got=", ".join(far))


def _multi_class(subject: Subject) -> bool:
    return bool(getattr(subject.load(), "multi_class", False))


@deciding("learner", hint="learn from data.label, the position of each row's class in data.classes")
def each_of_several_classes_is_predicted(subject: Subject) -> None:
    """A learner of more than two classes predicts each where it stands alone, whatever the classes are called."""
    if not _multi_class(subject):
        return
    for labels in (("a", "b", "c"), ("b", "c", "a"), (30, 10, 20)):
        values = [1.0, 2.0, 3.0] * EACH
        sample = sample_of(subject, {X: values}, np.zeros(len(values)))
        learner = subject.make().fit(sample.X, [labels[int(value) - 1] for value in values])
        predicted = list(learner.predict(frame_of({X: [1.0, 2.0, 3.0]})))
        require(predicted == list(labels), "a class is not predicted where it stands alone", got=(predicted, labels))


def _favours(subject: Subject, labels: tuple[Any, Any], favourable: Any) -> None:
    given = {} if favourable is None else {"favourable": favourable}
    estimator = fit(cutting(subject, **given), rows_with(subject, {1.0: 0.1, 2.0: 0.9}, labels=labels))
    rises = favourable in (None, labels[1])
    low, high = worth(estimator, [1.0, 2.0])
    asked = f"favourable={favourable!r} of the classes {labels}"
    require(low < high if rises else high < low, f"scores run against {asked}", got=f"{low:g} and {high:g}")
    if not hasattr(estimator, "model_"):
        return
    named = estimator.model_.outcome.favourable
    require(named == (labels[1] if rises else labels[0]), f"the model favours another class than {asked}", got=named)
    rows = frame_of({X: [1.0, 2.0]})
    predicted = estimator.predict(rows).tolist()
    require(predicted == list(labels), "the wrong class is predicted where one is nine in ten", got=predicted)
    first, last = estimator.predict_proba(rows)[:, 1]
    require(first < 0.5 < last, f"probabilities of the class {labels[1]!r} run against it", got=f"{first:g}, {last:g}")


def _rises_with_the_quantity(subject: Subject) -> None:
    for shares in ({1.0: 0.1, 2.0: 0.9}, {1.0: 0.9, 2.0: 0.1}):
        predicted = worth(fit(subject.make(), rows_with(subject, shares)), list(shares))
        right = all(abs(each - share) < _NEAR for each, share in zip(predicted, shares.values(), strict=True))
        require(right, f"predictions are far from the means {list(shares.values())}", got=predicted)
