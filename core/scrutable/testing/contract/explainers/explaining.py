"""How explainers are asked: with a reference population where they take one, on models by hand and on random ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.errors import InputError, ScrutableError, UnsupportedModel
from scrutable.model import Model
from scrutable.model.evaluator import evaluate
from scrutable.plugins.component import Component
from scrutable.testing.contract.check import Fault, require, said
from scrutable.testing.contract.examples.models import applicants_of, models_accepted, random_models_accepted
from scrutable.testing.contract.examples.random_models import drawn_rows
from scrutable.testing.contract.subject import Subject

#: What an explainer may produce; each has checks of its own.
PRODUCTS = ("contributions", "reasons", "counterfactuals")
#: What an explanation may say of where its row is.
_PLACES = ("row", "index", "position")
#: Rows that random models are explained on, and so many others for reference.
_ROWS, _REFERENCE = 24, 60
#: How far sums of doubles may be from what is exact.
_NEAR = 1e-6


def producing(product: str) -> Callable[[Component], bool]:
    """That a descriptor says that explanations hold this."""
    return lambda component: product in component.produces


def takes_reference(subject: Subject) -> bool:
    """Whether it compares with a reference population; one that does not refuses it by its name."""
    return subject.once("takes a reference", lambda: _takes_reference(subject))


def reference_for(subject: Subject, model: Model) -> pd.DataFrame | None:
    """The edge rows of a model as the reference population of an explainer that takes one."""
    return applicants_of(model) if takes_reference(subject) else None


def explained(
    subject: Subject,
    model: Model,
    rows: pd.DataFrame,
    reference: pd.DataFrame | None = None,
    *,
    refused: tuple[type[ScrutableError], ...] = (ScrutableError,),
    **options: Any,
) -> list[Any] | None:
    """The explanations, beside a reference where it takes one; None where the model or anything else is refused."""
    given = reference if takes_reference(subject) else None
    try:
        return list(subject.make(**options).explain(model, rows, reference=given))
    except refused:
        return None


def random_explained(subject: Subject, count: int = _ROWS) -> Iterator[tuple[str, Model, pd.DataFrame, list[Any]]]:
    """Each random model that it explains, some rows of it, and their explanations, made once for all checks.

    Raises
    ------
    Fault : it explains none of the kinds that it accepts.
    """
    for name, model, rows, given in subject.once("random explained", lambda: list(_random_explained(subject))):
        yield name, model, rows.iloc[:count], given[:count]


def _random_explained(subject: Subject) -> Iterator[tuple[str, Model, pd.DataFrame, list[Any]]]:
    one = False
    for name, model in random_models_accepted(subject).items():
        rows = drawn_rows(model, _ROWS)
        given = explained(subject, model, rows, population(model), refused=(UnsupportedModel,))
        if given is None:
            continue
        require(len(given) == len(rows), f"{len(rows)} rows of the random {name} get {len(given)} explanations")
        one = True
        yield name, model, rows, given
    require(one, "it explains no random model of the kinds that it accepts", got=subject.component.accepts)


def population(model: Model) -> pd.DataFrame:
    """Rows of a random model that are not explained themselves."""
    return drawn_rows(model).iloc[-_REFERENCE:]


def scores_of(model: Model, rows: Any) -> NDArray[np.float64]:
    """(n,) scores, of a model that has one."""
    score = evaluate(model, rows, reasons=False).score
    assert score is not None
    return score


def has_score(model: Model) -> bool:
    """Whether it has one score, as all models but those of more than two classes."""
    return getattr(model.outcome, "binary", True)


def near(first: Any, second: Any) -> bool:
    """Whether numbers differ by no more than sums of doubles in another order do."""
    return bool(np.all(np.abs(np.asarray(first, float) - np.asarray(second, float)) <= _NEAR))


def moved(rows: pd.DataFrame, place: int) -> Iterator[tuple[str, pd.DataFrame]]:
    """For each column: the row at a place with this one value replaced by those of three other rows."""
    for column in rows:
        others = rows[column].iloc[[(place + step) % len(rows) for step in (1, 2, 5)]].tolist()
        frame = rows.iloc[[place] * len(others)].reset_index(drop=True)
        yield str(column), frame.assign(**{str(column): pd.Series(others, dtype=rows[column].dtype)})


def said_of(explanation: Any) -> str:
    """An explanation as text, without where its row is."""
    plain = dict(explanation.to_dict())
    return json.dumps({key: plain[key] for key in sorted(plain) if key not in _PLACES})


def told(explanation: Any, name: str) -> Any:
    """An attribute that explanations of its kind have.

    Raises
    ------
    Fault : it is not there.
    """
    if not hasattr(explanation, name):
        raise Fault(f"an explanation has no `{name}`, which its descriptor's produces promises", got=explanation)
    return getattr(explanation, name)


def _takes_reference(subject: Subject) -> bool:
    for model in models_accepted(subject).values():
        rows = applicants_of(model, 0).iloc[:2]
        try:
            subject.make().explain(model, rows, reference=rows)
        except InputError as error:
            if error.where and "reference" in str(error.where):
                return False
        except Exception as error:  # what else it raises is for the checks to tell
            said(error)
        return True
    return True
