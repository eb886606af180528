"""Checks of binners and learners on many rows, columns and texts: what stands far behind tells as much."""

from __future__ import annotations

import numpy as np

from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.examples.data import fit
from scrutable.testing.contract.examples.known_payers import (
    EACH,
    X,
    cuts_for,
    cutting,
    frame_of,
    options_for,
    sample_of,
    worth,
    worths,
)
from scrutable.testing.contract.subject import Subject

_MANY = 1500
_LATE = 300
_COLUMNS = 12
_CODE = -9.0
_TEXTS = [f"kind {place:02}" for place in range(40)]


@deciding("binner", "learner", hint="learn from all rows, and weigh each by its own weight, wherever it stands")
def late_rows_of_many_count(subject: Subject) -> None:
    """Of many rows the last fifth decides where the others are silent, by its outcomes, its values and its weights."""
    values = np.arange(_MANY) % 2 + 1.0
    late = np.arange(_MANY) >= _MANY - _LATE
    silent = np.arange(_MANY) // 2 % 2 == 0
    for rises in (True, False):
        good = np.where(late, ((values == 2.0) == rises) ^ (np.arange(_MANY) % 11 == 0), silent)
        low, high = worth(fit(cutting(subject), sample_of(subject, {X: values.tolist()}, good)), [1.0, 2.0])
        require(low < high if rises else high < low, "what the last of many rows tell is lost", got=[low, high])
    # the same outcomes in late rows and in early ones, turned round, so that weights alone decide
    opposed = np.where(late, values == 2.0, values == 1.0) ^ (np.arange(_MANY) % 11 == 0)
    sample = sample_of(subject, {X: values.tolist()}, opposed)
    estimator = fit(cutting(subject), sample, sample_weight=np.where(late, 20.0, 1.0))
    low, high = worth(estimator, [1.0, 2.0])
    require(low < high, "weights of the last of many rows are lost", got=[low, high])


@deciding("binner", "learner", hint="read values of all rows, and of what is seen in few rows, too")
def values_that_come_late_count(subject: Subject) -> None:
    """A number, a text and a missing value that only the last tenth of the rows have score as those rows say."""
    first, last = np.array([1.0, 2.0, 2.0] * (3 * EACH)), EACH
    texts = np.where(first == 1.0, "a", "b").tolist()
    for value, usual, cuts in (
        (9.0, first.tolist(), cuts_for(subject, 2.0, 9.0)),
        ("late", texts, {}),
        (None, first.tolist(), cuts_for(subject, 2.0)),
    ):
        for share in (0.02, 0.98):
            good = np.r_[np.arange(len(first)) % 9 < np.where(first == 1.0, 3, 6), np.arange(last) < share * last]
            estimator = fit(subject.make(**cuts), sample_of(subject, {X: [*usual, *[value] * last]}, good))
            low, high, late = scores = worth(estimator, [usual[0], usual[1], value])
            right = late <= low <= high > late if share < 0.5 else late > low <= high <= late
            require(right, f"what late rows tell of {value!r}, with {share} of them good, is lost", got=scores)


@deciding("binner", "learner", hint="go through all characteristics, and through all attributes of each")
def each_of_many_columns_counts(subject: Subject) -> None:
    """Of many columns the first, one in the middle and the last each decide alone, by numbers, texts and gaps."""
    chance, rows = np.random.default_rng(3), 6 * EACH
    for place in (0, _COLUMNS // 2, _COLUMNS - 1):
        for ordinary in ([1.0, 2.0], ["a", "b"]):
            columns = {f"c{each:02}": [ordinary[i] for i in chance.permutation(rows) % 2] for each in range(_COLUMNS)}
            name = f"c{place:02}"
            gaps = np.arange(rows) % 3 == 2
            telling = np.arange(rows) % 2
            columns[name] = [None if gap else ordinary[one] for gap, one in zip(gaps, telling, strict=True)]
            good = np.where(gaps, np.arange(rows) % 20 > 0, (telling == 1) ^ (np.arange(rows) // 6 % 10 < 3))
            made = subject.make(**cuts_for(subject, ordinary[1], of=columns))
            estimator = fit(made, sample_of(subject, columns, good))
            asked = frame_of({each: [ordinary[0]] * 3 for each in columns}).assign(
                **{name: frame_of({X: [*ordinary, None]})[X]}
            )
            low, high, missing = worths(estimator, asked)
            told = f"column {place + 1} of {_COLUMNS}, which tells all, does not score as its rows say"
            require(low < high <= missing, told, got=[low, high, missing])


@deciding("binner", "learner", hint="give each code of each feature the attribute that its own rows ask for")
def each_special_code_of_each_column_counts(subject: Subject) -> None:
    """Of three columns with two special codes each, every code scores as the rows say that have it."""
    names, codes = ("a", "b", "c"), (-9.0, -8.0)
    options = options_for(subject, special_codes={name: list(codes) for name in names})
    if options is None:
        return
    rows = 8 * EACH
    for name in names:
        place = np.arange(rows)
        plain = {each: np.array([1.0, 2.0, *codes])[(place // (4 if each < name else 7)) % 4] for each in names}
        columns = {**plain, name: np.array([1.0, 2.0, *codes])[place % 4]}
        good = np.array([0.2, 0.8, 0.02, 0.98])[place % 4] > (place // 4 % 50 + 0.5) / 50
        made = subject.make(**options, **cuts_for(subject, 2.0, of=names))
        estimator = fit(made, sample_of(subject, {k: v.tolist() for k, v in columns.items()}, good))
        asked = frame_of({each: [1.0] * 4 for each in names}).assign(**{name: [1.0, 2.0, *codes]})
        low, high, worst, best = scores = worths(estimator, asked)
        right = worst <= low < high <= best
        fault = f"a special code of {name!r}, one of {len(names)} columns, does not score as its rows say"
        require(right, fault, got=scores)


@deciding("binner", "learner", hint="put every text that is not rare into an attribute by its own rows")
def each_of_many_texts_counts(subject: Subject) -> None:
    """Of forty texts one is often good, the first, one in the middle or the last: it scores above all others."""
    for chosen in (_TEXTS[0], _TEXTS[20], _TEXTS[-1]):
        texts = [*_TEXTS, chosen, chosen, chosen, chosen] * 20
        good = [(place % 9 > 0) if text == chosen else (place % 5 == 0) for place, text in enumerate(texts)]
        score = dict(zip(_TEXTS, worth(fit(subject.make(), sample_of(subject, {X: texts}, good)), _TEXTS), strict=True))
        best = score.pop(chosen)
        require(best > max(score.values()), f"{chosen!r}, one of forty texts, does not score as its rows say", got=best)
